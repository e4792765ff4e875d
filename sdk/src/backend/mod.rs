//! The stores that a client can be connected to. Every operation goes through here, and nothing
//! above depends on which store it is.

pub(crate) mod attempts;
mod batch;
#[cfg(feature = "bigtable")]
pub(crate) mod bigtable;
pub(crate) mod closing;
mod core;
pub(crate) mod hbase;
pub(crate) mod region_map;
mod repeat;

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
#[cfg(feature = "bigtable")]
use futures_util::future::Either;
use tokio::time::Instant;

#[cfg(feature = "bigtable")]
use self::bigtable::{BigtableAdmin, Instance, unsupported};
use self::closing::Closing;
use self::hbase::{Cluster, HBaseAdmin};
use crate::config::address::HBaseUrl;
use crate::key::RowRange;
use crate::model::descriptor::{SchemaDiff, TableDescriptor};
use crate::model::naming::Naming;
use crate::model::region_location::RegionLocation;
use crate::observe::Json;
#[cfg(feature = "metrics")]
use crate::observe::Observers;
use crate::reading::{FetchedRows, ScanMeter};
use crate::request::call_options::CallOptions;
use crate::request::op::{Mutation, NamedOperation, Outcome, RowOperation, Target};
use crate::{Config, Result, Scan, TableName};

/// A connected store; all clones share its connections.
#[derive(Clone)]
pub(crate) enum Backend {
    HBase(Arc<Cluster>),
    #[cfg(feature = "bigtable")]
    Bigtable(Arc<Instance>),
}

impl Backend {
    /// Connects to HBase, and makes sure that it answers.
    pub(crate) async fn hbase(address: &str, url: HBaseUrl, config: Config) -> Result<Self> {
        Ok(Self::HBase(Arc::new(Cluster::connect(address, url, config).await?)))
    }

    /// Connects to an instance of Bigtable, and makes sure that it answers.
    #[cfg(feature = "bigtable")]
    pub(crate) async fn bigtable(
        address: &str,
        endpoint: bigtable::Endpoint,
        config: Config,
    ) -> Result<Self> {
        Ok(Self::Bigtable(Arc::new(Instance::connect(address, endpoint, config).await?)))
    }

    /// Whether a delete leaves markers, which have times and hide what is written later with
    /// earlier ones. Otherwise it removes the cells that are there, and the parts of one step are
    /// made one after the other.
    pub(crate) fn has_delete_markers(&self) -> bool {
        match self {
            Self::HBase(_) => true,
            #[cfg(feature = "bigtable")]
            Self::Bigtable(_) => false,
        }
    }

    /// Single messages to Bigtable.
    #[cfg(feature = "bigtable")]
    pub(crate) fn messages(&self) -> Option<bigtable::Messages> {
        match self {
            Self::HBase(_) => None,
            Self::Bigtable(instance) => Some(bigtable::Messages::new(instance.clone())),
        }
    }

    /// Whether both are one connected store.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::HBase(cluster), Self::HBase(other)) => Arc::ptr_eq(cluster, other),
            #[cfg(feature = "bigtable")]
            (Self::Bigtable(instance), Self::Bigtable(other)) => Arc::ptr_eq(instance, other),
            #[cfg(feature = "bigtable")]
            _ => false,
        }
    }

    pub(crate) fn config(&self) -> &Config {
        match self {
            Self::HBase(cluster) => &cluster.config,
            #[cfg(feature = "bigtable")]
            Self::Bigtable(instance) => &instance.config,
        }
    }

    /// Adds what it is doing to the current object.
    pub(crate) fn write_state(&self, json: &mut Json) {
        match self {
            Self::HBase(cluster) => cluster.write_state(json),
            #[cfg(feature = "bigtable")]
            Self::Bigtable(instance) => instance.write_state(json),
        }
    }

    #[cfg(feature = "metrics")]
    pub(crate) fn observers(&self) -> &Observers {
        match self {
            Self::HBase(cluster) => &cluster.observers,
            #[cfg(feature = "bigtable")]
            Self::Bigtable(instance) => &instance.observers,
        }
    }

    /// Does one operation on one row.
    ///
    /// Not an async function, so that its future holds only what is sent, not the operation as
    /// well.
    pub(crate) fn run(
        &self,
        operation: RowOperation,
        to: &Target<'_>,
    ) -> impl Future<Output = Result<Outcome>> + use<'_> {
        #[cfg(feature = "bigtable")]
        return match self {
            Self::HBase(cluster) => Either::Left(cluster.run(operation, to)),
            Self::Bigtable(instance) => Either::Right(instance.run(operation, to)),
        };
        #[cfg(not(feature = "bigtable"))]
        match self {
            Self::HBase(cluster) => cluster.run(operation, to),
        }
    }

    /// What a store finds wrong with an operation on one row before it is sent.
    pub(crate) fn validate(&self, operation: RowOperation, to: &Target<'_>) -> Result<()> {
        match self {
            Self::HBase(cluster) => cluster.validate(operation, to),
            #[cfg(feature = "bigtable")]
            Self::Bigtable(instance) => instance.validate(operation, to),
        }
    }

    /// The server that has a row, if that is known.
    pub(crate) fn server_of(&self, table: &TableName, row: &[u8]) -> Option<Arc<str>> {
        match self {
            Self::HBase(cluster) => cluster.server_of(table, row),
            #[cfg(feature = "bigtable")]
            Self::Bigtable(instance) => Some(instance.endpoint.data.clone()),
        }
    }

    /// Does many operations on single rows as one; their outcomes are in their order, and so are
    /// the errors of those that could not be made.
    ///
    /// Not generic, and its future is behind a pointer: a batch is compiled here, once, and not in
    /// each crate for each kind of iterator. The future holds only what is sent, not the operations
    /// as well.
    pub(crate) fn run_all<'a>(
        &'a self,
        operations: &mut dyn Iterator<Item = Result<NamedOperation>>,
        to: &Target<'_>,
    ) -> BoxFuture<'a, Vec<Result<Outcome>>> {
        match self {
            Self::HBase(cluster) => cluster.run_all(operations, to).boxed(),
            #[cfg(feature = "bigtable")]
            Self::Bigtable(instance) => instance.run_all(operations, to).boxed(),
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
            #[cfg(feature = "bigtable")]
            Self::Bigtable(_) => {
                let what =
                    "changes of several rows in one step; make them one row's, or batch them";
                Err(unsupported(what).during(to.called.unwrap_or("mutate rows")).on_table(to.table))
            }
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
            #[cfg(feature = "bigtable")]
            Self::Bigtable(instance) => {
                let pace = bigtable::Pace { page_bytes, timeout, options };
                let scanner =
                    bigtable::Scanner::new(instance.clone(), table, scan, pace, meter.clone());
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
            #[cfg(feature = "bigtable")]
            Self::Bigtable(instance) => instance.parts_in(operation, table, range, timeout).await,
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
            #[cfg(feature = "bigtable")]
            Self::Bigtable(instance) => {
                instance.locate(operation, table, row, timeout, reload).await
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
            #[cfg(feature = "bigtable")]
            Self::Bigtable(instance) => {
                let parts = instance.parts("locate regions", table, timeout, true).await?;
                Ok(parts.to_vec())
            }
        }
    }

    /// The regions of a table that are known, in the order of their keys.
    pub(crate) fn known_regions(&self, table: &TableName) -> Vec<RegionLocation> {
        match self {
            Self::HBase(cluster) => hbase::known_regions(cluster, table),
            #[cfg(feature = "bigtable")]
            Self::Bigtable(instance) => instance.known_parts(table),
        }
    }

    /// Forgets the region that holds a row, or all of a table.
    pub(crate) fn forget_regions(&self, table: &TableName, row: Option<&[u8]>) {
        match self {
            Self::HBase(cluster) => hbase::forget_regions(cluster, table, row),
            #[cfg(feature = "bigtable")]
            Self::Bigtable(instance) => instance.forget_parts(Some(table)),
        }
    }

    /// Forgets the regions on a server.
    pub(crate) fn forget_server(&self, server: &str) -> Result<()> {
        match self {
            Self::HBase(cluster) => hbase::forget_server(cluster, server),
            #[cfg(feature = "bigtable")]
            Self::Bigtable(instance) => {
                instance.forget_parts(None);
                Ok(())
            }
        }
    }

    /// Forgets all regions.
    pub(crate) fn forget_all_regions(&self) {
        match self {
            Self::HBase(cluster) => cluster.locator.cache().clear(),
            #[cfg(feature = "bigtable")]
            Self::Bigtable(instance) => instance.forget_parts(None),
        }
    }

    pub(crate) async fn export_regions(&self) -> Result<Vec<u8>> {
        match self {
            Self::HBase(cluster) => hbase::export_regions(cluster).await,
            #[cfg(feature = "bigtable")]
            Self::Bigtable(_) => Err(unsupported("files of regions").during("export regions")),
        }
    }

    pub(crate) async fn import_regions(&self, exported: &[u8]) -> Result<usize> {
        match self {
            Self::HBase(cluster) => hbase::import_regions(cluster, exported).await,
            #[cfg(feature = "bigtable")]
            Self::Bigtable(_) => Err(unsupported("files of regions").during("import regions")),
        }
    }

    /// What is done before it is closed.
    pub(crate) fn closing(&self) -> &Closing {
        match self {
            Self::HBase(cluster) => &cluster.closing,
            #[cfg(feature = "bigtable")]
            Self::Bigtable(instance) => &instance.closing,
        }
    }

    /// Begins no more operations, waits for those that are under way, and ends all connections, by
    /// the deadline; returns the bytes of the operations that were not answered.
    pub(crate) async fn close(&self, deadline: Instant) -> usize {
        match self {
            Self::HBase(cluster) => cluster.close(deadline).await,
            #[cfg(feature = "bigtable")]
            Self::Bigtable(instance) => instance.close(deadline).await,
        }
    }

    /// Looks up now where the rows of a table are.
    pub(crate) async fn prefetch_regions(&self, table: &TableName) -> Result<()> {
        match self {
            Self::HBase(cluster) => hbase::prefetch_regions(cluster, table).await,
            #[cfg(feature = "bigtable")]
            Self::Bigtable(instance) => {
                instance.parts("prefetch regions", table, None, true).await.map(drop)
            }
        }
    }

    pub(crate) async fn create_table(&self, table: &TableDescriptor) -> Result<()> {
        match self {
            Self::HBase(cluster) => hbase::create_table(cluster, table).await,
            #[cfg(feature = "bigtable")]
            Self::Bigtable(instance) => bigtable::create_table(instance, table).await,
        }
    }

    pub(crate) async fn delete_table(&self, table: &TableName) -> Result<()> {
        match self {
            Self::HBase(cluster) => hbase::delete_table(cluster, table).await,
            #[cfg(feature = "bigtable")]
            Self::Bigtable(instance) => bigtable::delete_table(instance, table).await,
        }
    }

    pub(crate) async fn truncate_table(&self, table: &TableName) -> Result<()> {
        match self {
            Self::HBase(cluster) => hbase::truncate_table(cluster, table).await,
            #[cfg(feature = "bigtable")]
            Self::Bigtable(instance) => bigtable::truncate_table(instance, table).await,
        }
    }

    pub(crate) async fn list_tables(&self) -> Result<Vec<TableName>> {
        match self {
            Self::HBase(cluster) => hbase::list_tables(cluster).await,
            #[cfg(feature = "bigtable")]
            Self::Bigtable(instance) => bigtable::list_tables(instance).await,
        }
    }

    pub(crate) async fn table_exists(&self, table: &TableName) -> Result<bool> {
        match self {
            Self::HBase(cluster) => hbase::table_exists(cluster, table).await,
            #[cfg(feature = "bigtable")]
            Self::Bigtable(instance) => bigtable::table_exists(instance, table).await,
        }
    }

    pub(crate) async fn describe(
        &self,
        operation: &'static str,
        table: &TableName,
    ) -> Result<TableDescriptor> {
        match self {
            Self::HBase(cluster) => hbase::describe(cluster, operation, table).await,
            #[cfg(feature = "bigtable")]
            Self::Bigtable(instance) => bigtable::describe(instance, operation, table).await,
        }
    }

    /// A definition with what this store has of it.
    pub(crate) fn comparable<'t>(&self, table: &'t TableDescriptor) -> Cow<'t, TableDescriptor> {
        match self {
            Self::HBase(_) => Cow::Borrowed(table),
            #[cfg(feature = "bigtable")]
            Self::Bigtable(_) => Cow::Owned(bigtable::comparable(table)),
        }
    }

    /// Applies the steps of a difference that is not empty.
    pub(crate) async fn alter(&self, diff: &SchemaDiff) -> Result<()> {
        match self {
            Self::HBase(cluster) => hbase::alter(cluster, diff).await,
            #[cfg(feature = "bigtable")]
            Self::Bigtable(instance) => bigtable::alter(instance, diff).await,
        }
    }

    pub(crate) fn hbase_admin(&self, naming: &Naming) -> Result<HBaseAdmin> {
        match self {
            Self::HBase(cluster) => Ok(HBaseAdmin::new(cluster.clone(), naming.clone())),
            #[cfg(feature = "bigtable")]
            Self::Bigtable(_) => {
                let text = "the client is connected to Bigtable, which has no namespaces, regions or servers; `Admin` \
                            creates, alters and deletes tables, and `Admin::bigtable` does what only Bigtable has";
                Err(crate::Error::new(crate::ErrorKind::Unsupported, text))
            }
        }
    }

    #[cfg(feature = "bigtable")]
    pub(crate) fn bigtable_admin(&self, naming: &Naming) -> Result<BigtableAdmin> {
        match self {
            Self::HBase(_) => {
                let text = "the client is connected to HBase, which has none of the operations of Bigtable alone";
                Err(crate::Error::new(crate::ErrorKind::Unsupported, text))
            }
            Self::Bigtable(instance) => Ok(BigtableAdmin::new(instance.clone(), naming.clone())),
        }
    }
}
