//! The stores that a client can be connected to. Every operation goes through here, and nothing above depends on which
//! store it is.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::call_options::CallOptions;
use crate::closing::Closing;
use crate::descriptor::{SchemaDiff, TableDescriptor};
use crate::hbase::{self, Cluster, HBaseAdmin};
use crate::key::RowRange;
use crate::naming::Naming;
use crate::observe::Json;
#[cfg(feature = "metrics")]
use crate::observe::Observers;
use crate::op::{Mutation, NamedOperation, Outcome, RowOperation, Target};
use crate::region_location::RegionLocation;
use crate::scan::{FetchedRows, ScanMeter};
use crate::url::HBaseUrl;
use crate::{Config, Result, Scan, TableName};

/// A connected store; all clones share its connections.
#[derive(Clone)]
pub(crate) enum Backend {
    HBase(Arc<Cluster>),
}

impl Backend {
    /// Connects to HBase, and makes sure that it answers.
    pub(crate) async fn hbase(address: &str, url: HBaseUrl, config: Config) -> Result<Self> {
        Ok(Self::HBase(Arc::new(Cluster::connect(address, url, config).await?)))
    }

    /// Whether both are one connected store.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::HBase(cluster), Self::HBase(other)) => Arc::ptr_eq(cluster, other),
        }
    }

    pub(crate) fn config(&self) -> &Config {
        match self {
            Self::HBase(cluster) => &cluster.config,
        }
    }

    /// Adds what it is doing to the current object.
    pub(crate) fn write_state(&self, json: &mut Json) {
        match self {
            Self::HBase(cluster) => cluster.write_state(json),
        }
    }

    #[cfg(feature = "metrics")]
    pub(crate) fn observers(&self) -> &Observers {
        match self {
            Self::HBase(cluster) => &cluster.observers,
        }
    }

    /// Does one operation on one row.
    ///
    /// Not an async function, so that its future holds only what is sent, not the operation as well.
    pub(crate) fn run(
        &self,
        operation: RowOperation,
        to: &Target<'_>,
    ) -> impl Future<Output = Result<Outcome>> + use<'_> {
        match self {
            Self::HBase(cluster) => cluster.run(operation, to),
        }
    }

    /// The server that has a row, if that is known.
    pub(crate) fn server_of(&self, table: &TableName, row: &[u8]) -> Option<Arc<str>> {
        match self {
            Self::HBase(cluster) => cluster.server_of(table, row),
        }
    }

    /// Does many operations on single rows as one; their outcomes are in their order, and so are the errors of those that
    /// could not be made.
    pub(crate) fn run_all(
        &self,
        operations: impl Iterator<Item = Result<NamedOperation>>,
        to: &Target<'_>,
    ) -> impl Future<Output = Vec<Result<Outcome>>> {
        match self {
            Self::HBase(cluster) => cluster.run_all(operations, to),
        }
    }

    /// Makes changes of several rows of one region in one step.
    pub(crate) async fn mutate_rows(
        &self,
        mutations: Vec<Mutation>,
        to: &Target<'_>,
    ) -> Result<()> {
        match self {
            Self::HBase(cluster) => hbase::mutate_rows(cluster, mutations, to).await,
        }
    }

    /// The rows of a valid scan, in pages of `page_bytes`.
    pub(crate) fn scan(
        &self,
        table: TableName,
        scan: &Scan,
        page_bytes: usize,
        timeout: Option<Duration>,
        options: Option<Arc<CallOptions>>,
        meter: ScanMeter,
    ) -> FetchedRows {
        match self {
            Self::HBase(cluster) => {
                let pace = hbase::Pace { page_bytes, timeout, options };
                let scanner =
                    hbase::Scanner::new(cluster.clone(), table, scan, pace, meter.clone());
                FetchedRows::new(scanner, meter)
            }
        }
    }

    /// The regions with the rows of a range, in the order of their keys.
    pub(crate) async fn regions_in(
        &self,
        operation: &'static str,
        table: &TableName,
        range: &RowRange,
        timeout: Option<Duration>,
    ) -> Result<Vec<RegionLocation>> {
        match self {
            Self::HBase(cluster) => {
                hbase::regions_in(cluster, operation, table, range, timeout).await
            }
        }
    }

    /// The region that holds a row: the known one, or as it is now.
    pub(crate) async fn locate(
        &self,
        operation: &'static str,
        table: &TableName,
        row: &[u8],
        timeout: Option<Duration>,
        reload: bool,
    ) -> Result<RegionLocation> {
        match self {
            Self::HBase(cluster) => {
                hbase::locate(cluster, operation, table, row, timeout, reload).await
            }
        }
    }

    /// All regions of a table as they are now, in the order of their keys.
    pub(crate) async fn all_regions(
        &self,
        table: &TableName,
        timeout: Option<Duration>,
    ) -> Result<Vec<RegionLocation>> {
        match self {
            Self::HBase(cluster) => hbase::all_regions(cluster, table, timeout).await,
        }
    }

    /// The regions of a table that are known, in the order of their keys.
    pub(crate) fn known_regions(&self, table: &TableName) -> Vec<RegionLocation> {
        match self {
            Self::HBase(cluster) => hbase::known_regions(cluster, table),
        }
    }

    /// Forgets the region that holds a row, or all of a table.
    pub(crate) fn forget_regions(&self, table: &TableName, row: Option<&[u8]>) {
        match self {
            Self::HBase(cluster) => hbase::forget_regions(cluster, table, row),
        }
    }

    /// Forgets the regions on a server.
    pub(crate) fn forget_server(&self, server: &str) -> Result<()> {
        match self {
            Self::HBase(cluster) => hbase::forget_server(cluster, server),
        }
    }

    /// Forgets all regions.
    pub(crate) fn forget_all_regions(&self) {
        match self {
            Self::HBase(cluster) => cluster.locator.cache().clear(),
        }
    }

    pub(crate) async fn export_regions(&self) -> Result<Vec<u8>> {
        match self {
            Self::HBase(cluster) => hbase::export_regions(cluster).await,
        }
    }

    pub(crate) async fn warm_regions(&self, exported: &[u8]) -> Result<usize> {
        match self {
            Self::HBase(cluster) => hbase::warm_regions(cluster, exported).await,
        }
    }

    /// What is done before it is closed.
    pub(crate) fn closing(&self) -> &Closing {
        match self {
            Self::HBase(cluster) => &cluster.closing,
        }
    }

    /// Begins no more operations, waits for those that are under way, and ends all connections, by the deadline; returns the
    /// bytes of the operations that were not answered.
    pub(crate) async fn close(&self, deadline: Instant) -> usize {
        match self {
            Self::HBase(cluster) => cluster.close(deadline).await,
        }
    }

    /// Looks up now where the rows of a table are.
    pub(crate) async fn prefetch_regions(&self, table: &TableName) -> Result<()> {
        match self {
            Self::HBase(cluster) => hbase::prefetch_regions(cluster, table).await,
        }
    }

    pub(crate) async fn create_table(&self, table: &TableDescriptor) -> Result<()> {
        match self {
            Self::HBase(cluster) => hbase::create_table(cluster, table).await,
        }
    }

    pub(crate) async fn delete_table(&self, table: &TableName) -> Result<()> {
        match self {
            Self::HBase(cluster) => hbase::delete_table(cluster, table).await,
        }
    }

    pub(crate) async fn truncate_table(&self, table: &TableName) -> Result<()> {
        match self {
            Self::HBase(cluster) => hbase::truncate_table(cluster, table).await,
        }
    }

    pub(crate) async fn list_tables(&self) -> Result<Vec<TableName>> {
        match self {
            Self::HBase(cluster) => hbase::list_tables(cluster).await,
        }
    }

    pub(crate) async fn table_exists(&self, table: &TableName) -> Result<bool> {
        match self {
            Self::HBase(cluster) => hbase::table_exists(cluster, table).await,
        }
    }

    pub(crate) async fn describe(
        &self,
        operation: &'static str,
        table: &TableName,
    ) -> Result<TableDescriptor> {
        match self {
            Self::HBase(cluster) => hbase::describe(cluster, operation, table).await,
        }
    }

    /// Applies the steps of a difference that is not empty.
    pub(crate) async fn alter(&self, diff: &SchemaDiff) -> Result<()> {
        match self {
            Self::HBase(cluster) => hbase::alter(cluster, diff).await,
        }
    }

    pub(crate) fn hbase_admin(&self, naming: &Naming) -> Result<HBaseAdmin> {
        match self {
            Self::HBase(cluster) => Ok(HBaseAdmin::new(cluster.clone(), naming.clone())),
        }
    }
}
