//! The stores that a client can be connected to. Every operation goes through here, and nothing above depends on which
//! store it is.

use std::sync::Arc;
use std::time::Duration;

use crate::descriptor::{SchemaDiff, TableDescriptor};
use crate::hbase::{self, Cluster, HBaseAdmin};
use crate::naming::Naming;
use crate::op::{Outcome, RowOperation, Target};
use crate::scan::RowStream;
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

    pub(crate) fn config(&self) -> &Config {
        match self {
            Self::HBase(cluster) => &cluster.config,
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

    /// The rows of a valid scan, in pages of `page_bytes`.
    pub(crate) fn scan(
        &self,
        table: TableName,
        scan: &Scan,
        page_bytes: usize,
        timeout: Option<Duration>,
    ) -> RowStream {
        match self {
            Self::HBase(cluster) => RowStream::new(hbase::Scanner::new(
                cluster.clone(),
                table,
                scan,
                page_bytes,
                timeout,
            )),
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
