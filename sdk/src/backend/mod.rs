//! The stores that a client can be connected to, HBase and Bigtable. Every operation goes through
//! this module, so that no module above this one depends on a particular store.

pub(crate) mod attempts;
mod batch;
#[cfg(feature = "bigtable")]
pub(crate) mod bigtable;
pub(crate) mod closing;
mod core;
pub(crate) mod hbase;
pub(crate) mod region_map;
mod repeat;

#[cfg(feature = "bigtable")]
pub use self::bigtable::{ChangeStream, ChangeStreamBuilder};

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
#[cfg(feature = "bigtable")]
use futures_util::future::Either;
use tokio::time::Instant;

#[cfg(feature = "bigtable")]
use self::bigtable::{BigtableAdmin, Instance, PreparedQuery, unsupported};
use self::closing::Closing;
use self::hbase::{Cluster, HBaseAdmin};
use crate::config::address::HBaseUrl;
use crate::key::RowRange;
#[cfg(feature = "bigtable")]
use crate::model::changes::RowChanges;
use crate::model::descriptor::{SchemaDiff, TableDescriptor};
use crate::model::naming::TableNameResolver;
#[cfg(feature = "bigtable")]
use crate::model::query::SqlType;
use crate::model::region_location::RegionLocation;
use crate::observe::JsonWriter;
#[cfg(feature = "metrics")]
use crate::observe::Observers;
use crate::reading::{FetchedRows, ScanMeter};
use crate::request::call_options::CallOptions;
use crate::request::op::{BatchOutcome, CallTarget, Mutation, NamedOperation, RowOperation};
use crate::{Config, Result, Scan, TableName};

/// Evaluates an expression with the connected store, a `Cluster` or an `Instance`, and with the
/// module of this store, `hbase` or `bigtable`.
macro_rules! on_store {
    ($backend:expr, $store:ident => $of_store:expr) => {
        match $backend {
            Backend::HBase($store) => $of_store,
            #[cfg(feature = "bigtable")]
            Backend::Bigtable($store) => $of_store,
        }
    };
    ($backend:expr, ($store:ident, $module:ident) => $of_store:expr) => {
        match $backend {
            Backend::HBase($store) => {
                use self::hbase as $module;
                $of_store
            }
            #[cfg(feature = "bigtable")]
            Backend::Bigtable($store) => {
                use self::bigtable as $module;
                $of_store
            }
        }
    };
}

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

    /// Whether a delete writes delete markers, which have timestamps and hide cells that are
    /// written later with earlier timestamps. If not, a delete removes the existing cells, and the
    /// changes of one step are made one after the other.
    pub(crate) fn has_delete_markers(&self) -> bool {
        match self {
            Self::HBase(_) => true,
            #[cfg(feature = "bigtable")]
            Self::Bigtable(_) => false,
        }
    }

    /// Returns a sender of single messages to Bigtable; `None` for HBase.
    #[cfg(feature = "bigtable")]
    pub(crate) fn message_sender(&self) -> Option<bigtable::Messages> {
        match self {
            Self::HBase(_) => None,
            Self::Bigtable(instance) => Some(bigtable::Messages::new(instance.clone())),
        }
    }

    /// Asks Bigtable to prepare a query.
    #[cfg(feature = "bigtable")]
    pub(crate) async fn prepare(
        &self,
        query: String,
        parameters: Vec<(String, SqlType)>,
    ) -> Result<PreparedQuery> {
        match self {
            Self::HBase(_) => {
                let text = "the client is connected to HBase, which has no queries in SQL; read \
                            rows by `get` and `scan`";
                let error = crate::Error::new(crate::ErrorKind::Unsupported, text);
                Err(error.with_operation_if_unset("prepare"))
            }
            Self::Bigtable(instance) => bigtable::prepare(instance, query, parameters).await,
        }
    }

    /// Begins to read the change stream of a table in Bigtable; `read` converts each change.
    #[cfg(feature = "bigtable")]
    pub(crate) fn changes<C>(
        &self,
        table: &TableName,
        timeout: Option<Duration>,
        read: fn(RowChanges) -> Result<C>,
    ) -> ChangeStreamBuilder<C> {
        let of = match self {
            Self::HBase(_) => {
                let text = "the client is connected to HBase, which has no change streams; there, \
                            replication sends changes to a cluster of its own";
                let error = crate::Error::new(crate::ErrorKind::Unsupported, text);
                Err(error.with_operation_if_unset("read changes").on_table(table))
            }
            Self::Bigtable(instance) => {
                Ok(bigtable::ChangesOf::new(instance.clone(), table.clone(), timeout))
            }
        };
        ChangeStreamBuilder::new(of, read)
    }

    /// Whether this and `other` are the same connected store.
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
        on_store!(self, store => &store.config)
    }

    /// Adds the current state of the store to the current JSON object.
    pub(crate) fn write_state(&self, json: &mut JsonWriter) {
        on_store!(self, store => store.write_state(json))
    }

    #[cfg(feature = "metrics")]
    pub(crate) fn observers(&self) -> &Observers {
        on_store!(self, store => &store.observers)
    }

    /// Executes one operation on one row.
    ///
    /// This is not an async function, so that the future contains only what is sent, and not the
    /// operation as well.
    pub(crate) fn run(
        &self,
        operation: RowOperation,
        to: &CallTarget<'_>,
    ) -> impl Future<Output = Result<BatchOutcome>> + use<'_> {
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

    /// Checks an operation on one row without sending it. Fails with the error that the store would
    /// find before it sends the operation.
    pub(crate) fn validate(&self, operation: RowOperation, to: &CallTarget<'_>) -> Result<()> {
        on_store!(self, store => store.validate(operation, to))
    }

    /// Returns the address (`host:port`) of the server that holds a row, if it is known; for
    /// Bigtable, the endpoint for data.
    pub(crate) fn cached_server_address(&self, table: &TableName, row: &[u8]) -> Option<Arc<str>> {
        match self {
            Self::HBase(cluster) => cluster.cached_server_address(table, row),
            #[cfg(feature = "bigtable")]
            Self::Bigtable(instance) => Some(instance.endpoint.data.clone()),
        }
    }

    /// Executes many operations on single rows as one batch. The outcomes are in the order of the
    /// operations; if an item of `operations` is an error, this error is its outcome.
    ///
    /// This function is not generic, and the future is boxed, so that the code of a batch is
    /// compiled only once, in this crate, and not in each crate for each kind of iterator. The
    /// future contains only what is sent, and not the operations as well.
    pub(crate) fn run_all<'a>(
        &'a self,
        operations: &mut dyn Iterator<Item = Result<NamedOperation>>,
        to: &CallTarget<'_>,
    ) -> BoxFuture<'a, Vec<Result<BatchOutcome>>> {
        on_store!(self, store => store.run_all(operations, to).boxed())
    }

    /// Applies changes to several rows of one region in one step. Bigtable does not support this.
    pub(crate) async fn mutate_rows(
        &self,
        mutations: Vec<Mutation>,
        to: &CallTarget<'_>,
    ) -> Result<()> {
        match self {
            Self::HBase(cluster) => hbase::mutate_rows(cluster, mutations, to).await,
            #[cfg(feature = "bigtable")]
            Self::Bigtable(_) => {
                let what =
                    "changes of several rows in one step; make them one row's, or batch them";
                Err(unsupported(what)
                    .with_operation_if_unset(to.operation_name.unwrap_or("mutate rows"))
                    .on_table(to.table))
            }
        }
    }

    /// Returns the rows of a valid scan, which are fetched in pages of `bytes_per_call` bytes.
    pub(crate) fn scan(
        &self,
        table: TableName,
        scan: &Scan,
        bytes_per_call: usize,
        timeout: Option<Duration>,
        options: Option<Arc<CallOptions>>,
        meter: ScanMeter,
    ) -> FetchedRows {
        on_store!(self, (store, module) => {
            let settings = module::PageSettings { bytes_per_call, timeout, options };
            let scanner = module::Scanner::new(store.clone(), table, scan, settings, meter.clone());
            FetchedRows::new(scanner, meter)
        })
    }

    /// Returns the regions that contain the rows of a range, in the order of their keys.
    pub(crate) async fn regions_in(
        &self,
        operation: &'static str,
        table: &TableName,
        range: &RowRange,
        timeout: Option<Duration>,
    ) -> Result<Vec<RegionLocation>> {
        on_store!(self, (store, module) => {
            module::regions_in(store, operation, table, range, timeout).await
        })
    }

    /// Returns the region that holds a row. If `reload` is true, the region is looked up even if it
    /// is known.
    pub(crate) async fn locate(
        &self,
        operation: &'static str,
        table: &TableName,
        row: &[u8],
        timeout: Option<Duration>,
        reload: bool,
    ) -> Result<RegionLocation> {
        on_store!(self, (store, module) => {
            module::locate(store, operation, table, row, timeout, reload).await
        })
    }

    /// Looks up all current regions of a table, and returns them in the order of their keys.
    pub(crate) async fn all_regions(
        &self,
        table: &TableName,
        timeout: Option<Duration>,
    ) -> Result<Vec<RegionLocation>> {
        on_store!(self, (store, module) => module::all_regions(store, table, timeout).await)
    }

    /// Returns the known regions of a table, in the order of their keys.
    pub(crate) fn known_regions(&self, table: &TableName) -> Vec<RegionLocation> {
        on_store!(self, (store, module) => module::known_regions(store, table))
    }

    /// Forgets the region that holds `row`, or all regions of the table if no row is given.
    pub(crate) fn forget_regions(&self, table: &TableName, row: Option<&[u8]>) {
        on_store!(self, (store, module) => module::forget_regions(store, table, row));
    }

    /// Forgets the regions on a server.
    pub(crate) fn forget_server(&self, server: &str) -> Result<()> {
        on_store!(self, (store, module) => module::forget_server(store, server))
    }

    /// Forgets all regions.
    pub(crate) fn forget_all_regions(&self) {
        on_store!(self, (store, module) => module::forget_all_regions(store));
    }

    pub(crate) async fn export_regions(&self) -> Result<Vec<u8>> {
        match self {
            Self::HBase(cluster) => hbase::export_regions(cluster).await,
            #[cfg(feature = "bigtable")]
            Self::Bigtable(_) => {
                Err(unsupported("files of regions").with_operation_if_unset("export regions"))
            }
        }
    }

    pub(crate) async fn import_regions(&self, exported: &[u8]) -> Result<usize> {
        match self {
            Self::HBase(cluster) => hbase::import_regions(cluster, exported).await,
            #[cfg(feature = "bigtable")]
            Self::Bigtable(_) => {
                Err(unsupported("files of regions").with_operation_if_unset("import regions"))
            }
        }
    }

    /// Whether the store was closed, and the writers that are drained before the store closes.
    pub(crate) fn closing(&self) -> &Closing {
        on_store!(self, store => &store.closing)
    }

    /// Stops accepting new operations, waits until the deadline for those under way, and closes all
    /// connections. Returns the size in bytes of the operations that were not answered.
    pub(crate) async fn close(&self, deadline: Instant) -> self::core::UnansweredBytes {
        on_store!(self, store => store.close(deadline).await)
    }

    /// Looks up the locations of all regions of a table now, so that later operations know them.
    pub(crate) async fn prefetch_regions(&self, table: &TableName) -> Result<()> {
        on_store!(self, (store, module) => module::prefetch_regions(store, table).await)
    }

    pub(crate) async fn create_table(&self, table: &TableDescriptor) -> Result<()> {
        on_store!(self, (store, module) => module::create_table(store, table).await)
    }

    pub(crate) async fn delete_table(&self, table: &TableName) -> Result<()> {
        on_store!(self, (store, module) => module::delete_table(store, table).await)
    }

    pub(crate) async fn truncate_table(&self, table: &TableName) -> Result<()> {
        on_store!(self, (store, module) => module::truncate_table(store, table).await)
    }

    pub(crate) async fn list_tables(&self) -> Result<Vec<TableName>> {
        on_store!(self, (store, module) => module::list_tables(store).await)
    }

    pub(crate) async fn table_exists(&self, table: &TableName) -> Result<bool> {
        on_store!(self, (store, module) => module::table_exists(store, table).await)
    }

    pub(crate) async fn describe(
        &self,
        operation: &'static str,
        table: &TableName,
    ) -> Result<TableDescriptor> {
        on_store!(self, (store, module) => module::describe(store, operation, table).await)
    }

    /// Reduces the definition of a table to the settings that this store supports.
    pub(crate) fn supported_part<'t>(
        &self,
        table: &'t TableDescriptor,
    ) -> Cow<'t, TableDescriptor> {
        match self {
            Self::HBase(_) => table.without_sum_options().map_or(Cow::Borrowed(table), Cow::Owned),
            #[cfg(feature = "bigtable")]
            Self::Bigtable(_) => Cow::Owned(bigtable::supported_part(table)),
        }
    }

    /// Applies the steps of a schema difference that is not empty.
    pub(crate) async fn alter(&self, diff: &SchemaDiff) -> Result<()> {
        on_store!(self, (store, module) => module::alter(store, diff).await)
    }

    pub(crate) fn hbase_admin(&self, naming: &TableNameResolver) -> Result<HBaseAdmin> {
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
    pub(crate) fn bigtable_admin(&self, naming: &TableNameResolver) -> Result<BigtableAdmin> {
        match self {
            Self::HBase(_) => {
                let text = "the client is connected to HBase, which has none of the operations of Bigtable alone";
                Err(crate::Error::new(crate::ErrorKind::Unsupported, text))
            }
            Self::Bigtable(instance) => Ok(BigtableAdmin::new(instance.clone(), naming.clone())),
        }
    }
}
