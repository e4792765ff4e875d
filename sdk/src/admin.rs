//! The administration of tables: creating, describing, altering and deleting them.
//!
//! [`Admin`] has the operations that every store supports, and [`HBaseAdmin`] has the operations
//! that only HBase supports:
//!
//! | to | call | in the shell |
//! |---|---|---|
//! | create the table of a row type | [`Admin::create`], [`create_if_missing`](Admin::create_if_missing) | `create` |
//! | create a table from a description | [`Admin::create_table`], [`create_table_if_missing`](Admin::create_table_if_missing), [`create_table_with_splits`](Admin::create_table_with_splits) | `create` |
//! | compare a table with its definition | [`Admin::diff`], [`diff_table`](Admin::diff_table) | |
//! | alter it accordingly | [`Admin::alter`] | `alter` |
//! | look at tables | [`Admin::list_tables`], [`table_exists`](Admin::table_exists), [`describe`](Admin::describe) | `list`, `exists`, `describe` |
//! | delete a table, or its rows | [`Admin::delete_table`], [`truncate_table`](Admin::truncate_table) | `drop`, `truncate_preserve` |
//! | take it out of service, and back | [`HBaseAdmin::disable_table`], [`enable_table`](HBaseAdmin::enable_table), [`is_table_enabled`](HBaseAdmin::is_table_enabled) | `disable`, `enable`, `is_enabled` |
//! | look at regions and servers | [`HBaseAdmin::regions`], [`region_servers`](HBaseAdmin::region_servers) | `list_regions`, `status` |
//! | see their load | [`HBaseAdmin::cluster_status`], [`region_metrics`](HBaseAdmin::region_metrics) | `status 'detailed'` |
//! | move, split or merge regions | [`HBaseAdmin::move_region`], [`split_region`](HBaseAdmin::split_region), [`merge_regions`](HBaseAdmin::merge_regions) | `move`, `split`, `merge_region` |
//! | close, open or empty a region | [`HBaseAdmin::unassign_region`], [`assign_region`](HBaseAdmin::assign_region), [`truncate_region`](HBaseAdmin::truncate_region) | `unassign`, `assign`, `truncate_region` |
//! | copy a table | [`HBaseAdmin::take_snapshot`], [`list_snapshots`](HBaseAdmin::list_snapshots), [`restore_snapshot`](HBaseAdmin::restore_snapshot), [`clone_snapshot`](HBaseAdmin::clone_snapshot), [`delete_snapshot`](HBaseAdmin::delete_snapshot), [`clone_table_schema`](HBaseAdmin::clone_table_schema) | `snapshot`, `restore_snapshot`, .. |
//! | balance regions | [`HBaseAdmin::balance`], [`set_balancer_enabled`](HBaseAdmin::set_balancer_enabled), [`set_split_enabled`](HBaseAdmin::set_split_enabled), [`set_merge_enabled`](HBaseAdmin::set_merge_enabled) | `balancer`, `balance_switch`, `splitormerge_switch` |
//! | take servers out of service | [`HBaseAdmin::decommission_servers`], [`recommission_server`](HBaseAdmin::recommission_server) | `decommission_regionservers`, .. |
//! | copy writes to other clusters | [`HBaseAdmin::add_replication_peer`], [`list_replication_peers`](HBaseAdmin::list_replication_peers) | `add_peer`, `list_peers`, .. |
//! | see slow calls | [`HBaseAdmin::slow_log`], [`clear_slow_log`](HBaseAdmin::clear_slow_log) | `get_slowlog_responses`, .. |
//! | limit requests | [`HBaseAdmin::set_throttle`], [`remove_throttle`](HBaseAdmin::remove_throttle), [`list_quotas`](HBaseAdmin::list_quotas) | `set_quota`, `list_quotas` |
//! | limit what is stored | [`HBaseAdmin::set_space_quota`], [`remove_space_quota`](HBaseAdmin::remove_space_quota), [`space_quota_snapshots`](HBaseAdmin::space_quota_snapshots), [`space_quota_table_sizes`](HBaseAdmin::space_quota_table_sizes), [`server_space_quota_snapshots`](HBaseAdmin::server_space_quota_snapshots) | `set_quota`, `list_quota_snapshots`, `list_quota_table_sizes` |
//! | permit | [`HBaseAdmin::grant`], [`revoke`](HBaseAdmin::revoke), [`list_permissions`](HBaseAdmin::list_permissions), [`has_permissions`](HBaseAdmin::has_permissions), [`who_am_i`](HBaseAdmin::who_am_i) | `grant`, `revoke`, `user_permission`, `whoami` |
//! | follow procedures | [`HBaseAdmin::list_procedures`], [`wait_for_procedure`](HBaseAdmin::wait_for_procedure), [`with_progress`](HBaseAdmin::with_progress) | `list_procedures` |
//! | write memory to files, merge files | [`HBaseAdmin::flush`], [`compact`](HBaseAdmin::compact), [`major_compact`](HBaseAdmin::major_compact), [`compaction_state`](HBaseAdmin::compaction_state) | `flush`, `major_compact`, `compaction_state` |
//! | run code in the servers | [`HBaseAdmin::call_endpoint`], [`call_endpoint_on_range`](HBaseAdmin::call_endpoint_on_range) | |
//! | group tables | [`HBaseAdmin::create_namespace`], [`list_namespaces`](HBaseAdmin::list_namespaces), [`describe_namespace`](HBaseAdmin::describe_namespace), [`delete_namespace`](HBaseAdmin::delete_namespace) | `create_namespace`, .. |
//!
//! With the feature `bigtable`, `BigtableAdmin` has the operations that only Bigtable supports:
//!
//! | to | call |
//! |---|---|
//! | back a table up | `create_backup`, `list_backups`, `backup`, `set_backup_expiry`, `copy_backup`, `delete_backup` |
//! | make a table of a backup, or bring a deleted one back | `restore_table`, `undelete_table` |
//! | follow these operations | `operation`, `LongRunningOperation` |
//! | let others read and write a part of a table | `create_authorized_view`, `set_authorized_view`, `authorized_view`, `list_authorized_views`, `delete_authorized_view` |
//! | protect a table from deletion | `set_deletion_protection`, `is_deletion_protected` |
//! | say how queries read row keys | `row_key_schema`, `set_row_key_schema`, `remove_row_key_schema` |
//! | say how queries read messages in cells | `create_schema_bundle`, `set_schema_bundle`, `schema_bundle`, `list_schema_bundles`, `delete_schema_bundle` |
//! | divide a range of a table into similar parts | `sample_row_keys` |
//! | delete rows by a prefix | `drop_rows` |
//! | wait until all clusters have what was written | `wait_for_replication` |
//!
//! The master makes changes as procedures. A call that starts a procedure waits until the procedure
//! is done, for at most [`admin_timeout`](crate::Config::admin_timeout); if the procedure takes
//! longer, the call fails and the procedure continues on the master.

#[cfg(feature = "bigtable")]
pub use crate::backend::bigtable::{
    AuthorizedViewDescriptor, Backup, BackupDescriptor, BackupName, BigtableAdmin, KeySample,
    LongRunningOperation, OperationProgress, OperationResult, OperationStatus, SchemaBundle,
};
pub use crate::backend::hbase::{
    BalanceOutcome, ClusterStatus, CompactionState, Endpoint, EndpointAnswer, HBaseAdmin,
    NamespaceDescriptor, Permission, PermissionScope, Procedure, ProcedureProgress, ProcedureState,
    Quota, QuotaPeriod, QuotaTarget, Region, RegionMetrics, ReplicationPeerConfig,
    ReplicationPeerDescription, ServerMetrics, SlowCall, SlowLogKind, Snapshot, SnapshotDescriptor,
    SpaceQuota, SpaceQuotaSnapshot, SpaceViolationPolicy, TableRegionCounts, Throttle,
    ThrottleKind, UserPermissions, WhoAmI,
};
pub use crate::model::descriptor::{
    Aggregate, AlterStep, BlockCompression, Bloom, DataBlockEncoding, FamilyDescriptor,
    KeepDeletedCells, KeyLayout, OptionChange, SchemaDiff, TableDescriptor,
};

use std::fmt;

use crate::backend::Backend;
use crate::model::naming::TableNameResolver;
use crate::model::show;
use crate::{Error, ErrorKind, Result, Table, TableName, TableRef};

/// Creates, describes, alters and deletes tables.
///
/// A function that changes something returns when the change is complete, or fails when
/// [`admin_timeout`](crate::Config::admin_timeout) has passed. [`hbase`](Admin::hbase) returns the
/// operations that only HBase supports, such as those on regions.
///
/// ```
/// use tallrow::{Client, FamilyDescriptor, TableDescriptor};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = Client::connect("mock:").await?;
/// let admin = client.admin();
/// let books = TableDescriptor::new("books")?.family(FamilyDescriptor::new("b").versions(3));
///
/// admin.create_table_with_splits(&books, ["h", "p"]).await?;
/// assert!(admin.table_exists("books").await?);
/// assert_eq!(admin.list_tables().await?, ["books".parse()?]);
/// assert_eq!(admin.describe("books").await?.families()[0].get("VERSIONS"), Some("3"));
///
/// admin.hbase()?.disable_table("books").await?;
/// admin.delete_table("books").await?;
/// assert!(!admin.table_exists("books").await?);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Admin {
    backend: Backend,
    naming: TableNameResolver,
}

impl Admin {
    pub(crate) fn new(backend: Backend, naming: TableNameResolver) -> Self {
        Self { backend, naming }
    }

    /// Returns the operations that only HBase supports: namespaces, regions, servers, disabled
    /// tables, flushes, compactions.
    ///
    /// See [`HBaseAdmin`] for an example.
    ///
    /// # Errors
    /// [`Unsupported`](crate::ErrorKind::Unsupported): the client is connected to Bigtable.
    pub fn hbase(&self) -> Result<HBaseAdmin> {
        self.backend.hbase_admin(&self.naming)
    }

    /// Returns the operations that only Bigtable supports: backups, protection from deletion,
    /// dropping rows by the prefix of their keys, waiting for replication.
    ///
    /// See [`BigtableAdmin`] for an example.
    ///
    /// # Errors
    /// [`Unsupported`](crate::ErrorKind::Unsupported): the client is connected to HBase.
    #[cfg(feature = "bigtable")]
    pub fn bigtable(&self) -> Result<BigtableAdmin> {
        self.backend.bigtable_admin(&self.naming)
    }

    /// Creates a table, which is split at its [`split_keys`](TableDescriptor::split_keys).
    ///
    /// See [`Admin`] for an example of this and the other functions.
    ///
    /// # Errors
    /// [`TableExists`](ErrorKind::TableExists); [`DoNotRetry`](ErrorKind::DoNotRetry) if the master
    /// rejects the description; [`InvalidArgument`](ErrorKind::InvalidArgument) if the description
    /// has no family, an illegal family name, or the same family or split key twice; also if the
    /// table has not been created by the deadline.
    pub async fn create_table(&self, table: &TableDescriptor) -> Result<()> {
        let table = table.resolve_name(&self.naming)?;
        if let Some(problem) = problem(&table) {
            let name = table.name();
            return Err(Error::invalid(problem)
                .with_operation_if_unset("create table")
                .on_table(name));
        }
        self.backend.create_table(&table).await
    }

    /// Creates a table, which is split at these row keys instead of the split keys of its
    /// descriptor.
    ///
    /// # Errors
    /// The errors of [`create_table`](Admin::create_table).
    pub async fn create_table_with_splits<K: AsRef<[u8]>>(
        &self,
        table: &TableDescriptor,
        splits: impl IntoIterator<Item = K>,
    ) -> Result<()> {
        self.create_table(&table.clone().splits(splits)).await
    }

    /// Creates the table of a row type, with its families, split by the layout of its row key.
    ///
    /// See [`alter`](Admin::alter) for an example.
    ///
    /// # Errors
    /// The errors of [`create_table`](Admin::create_table).
    pub async fn create<T: Table>(&self) -> Result<()> {
        self.create_table(&TableDescriptor::of::<T>()?).await
    }

    /// Creates the table of a row type if it does not exist, and returns whether it was created. An
    /// existing table must match the type, but its attributes need not record all row key layouts
    /// of the type yet.
    ///
    /// See [`alter`](Admin::alter) for an example.
    ///
    /// # Errors
    /// The errors of [`create_table_if_missing`](Admin::create_table_if_missing).
    pub async fn create_if_missing<T: Table>(&self) -> Result<bool> {
        self.create_table_if_missing(&TableDescriptor::of::<T>()?).await
    }

    /// Creates a table if it does not exist, and returns whether it was created. An existing table
    /// must match the description, but its attributes need not record all row key layouts of the
    /// description yet.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table, TableDescriptor};
    /// # #[derive(RowKey)] struct Isbn { number: u64 }
    /// # #[derive(Table)] #[table(name = "books")] #[family("b")]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:t")] title: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// let bonn = TableDescriptor::of::<Book>()?.with_name("books_bonn")?;
    /// assert!(client.admin().create_table_if_missing(&bonn).await?);
    /// assert!(!client.admin().create_table_if_missing(&bonn).await?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`create_table`](Admin::create_table); [`SchemaDrift`](ErrorKind::SchemaDrift)
    /// if a table with this name exists and differs from the description.
    pub async fn create_table_if_missing(&self, table: &TableDescriptor) -> Result<bool> {
        let table = table.resolve_name(&self.naming)?;
        if !self.backend.table_exists(table.name()).await? {
            match self.create_table(&table).await {
                Ok(()) => return Ok(true),
                // Another client created it meanwhile.
                Err(e) if e.kind() == ErrorKind::TableExists => {}
                Err(error) => return Err(error),
            }
        }
        self.check_table_matches("create table", &table).await.map(|()| false)
    }

    /// Returns how the table of a row type differs from the type, and the steps that fix it.
    ///
    /// See [`alter`](Admin::alter) for an example.
    ///
    /// # Errors
    /// [`TableNotFound`](ErrorKind::TableNotFound); no answer from a master by the deadline.
    pub async fn diff<T: Table>(&self) -> Result<SchemaDiff> {
        self.diff_table(&TableDescriptor::of::<T>()?).await
    }

    /// Returns how a table differs from its description, and the steps that fix it.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// let admin = client.admin();
    /// admin.create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// let wanted = TableDescriptor::new("t")?.family(FamilyDescriptor::new("d").versions(3));
    /// admin.alter(&admin.diff_table(&wanted).await?).await?;
    /// assert!(admin.diff_table(&wanted).await?.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`TableNotFound`](ErrorKind::TableNotFound); no answer from a master by the deadline.
    pub async fn diff_table(&self, table: &TableDescriptor) -> Result<SchemaDiff> {
        let table = table.resolve_name(&self.naming)?;
        let live = self.backend.describe("describe", table.name()).await?;
        Ok(self.backend.supported_part(&table).diff(&live))
    }

    /// Fails unless a table matches its description, except for layouts of row keys that the table
    /// does not record yet.
    pub(crate) async fn check_table_matches(
        &self,
        operation: &'static str,
        table: &TableDescriptor,
    ) -> Result<()> {
        let table = table.resolve_name(&self.naming)?;
        let live = self.backend.describe(operation, table.name()).await?;
        match self.backend.supported_part(&table).diff(&live).error_if_unusable() {
            None => Ok(()),
            Some(error) => Err(error.with_operation_if_unset(operation).on_table(table.name())),
        }
    }

    /// Applies all steps of a difference to a table at once, and waits until its regions are open
    /// again. Does nothing if there are no steps.
    ///
    /// ```
    /// use tallrow::{Client, FamilyDescriptor, RowKey, Table, TableDescriptor};
    ///
    /// #[derive(RowKey)]
    /// struct Isbn { number: u64 }
    ///
    /// #[derive(Table)]
    /// #[table(name = "books")]
    /// #[family("b", versions = 3)]
    /// struct Book {
    ///     #[key]
    ///     isbn: Isbn,
    ///     #[cell("b:t")]
    ///     title: String,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// let client = Client::connect("mock:").await?;
    /// let admin = client.admin();
    /// admin.create_table(&TableDescriptor::new("books")?.family(FamilyDescriptor::new("b").versions(5))).await?;
    ///
    /// let diff = admin.diff::<Book>().await?;
    /// assert_eq!(diff.incompatible_key_layouts(), None);
    /// let error = admin.alter(&diff).await.unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "alter books: it would lose stored data: family b: VERSIONS is 5, the definition says 3 \
    ///      (that loses older versions); if that is intended, call allow(\"b.VERSIONS\")"
    /// );
    /// admin.alter(&diff.allow("b.VERSIONS")).await?;
    /// assert!(admin.diff::<Book>().await?.is_empty());
    /// assert!(!admin.create_if_missing::<Book>().await?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`InvalidArgument`](ErrorKind::InvalidArgument) if a step would lose data and this was not
    /// allowed, or if the definition has an illegal or duplicate family name;
    /// [`SchemaDrift`](ErrorKind::SchemaDrift) if the row keys of the table have a different
    /// layout, or the table was altered since the difference was computed;
    /// [`DoNotRetry`](ErrorKind::DoNotRetry) if the master rejects the result; also if the change
    /// is not done by the deadline.
    pub async fn alter(&self, diff: &SchemaDiff) -> Result<()> {
        diff.check_alterable()
            .map_err(|e| e.with_operation_if_unset("alter").on_table(diff.live.name()))?;
        match diff.is_empty() {
            true => Ok(()),
            false => self.backend.alter(diff).await,
        }
    }

    /// Returns the names of all tables, without system tables.
    ///
    /// # Errors
    /// No answer by the deadline.
    pub async fn list_tables(&self) -> Result<Vec<TableName>> {
        self.backend.list_tables().await
    }

    /// Returns whether the table exists, enabled or not.
    ///
    /// # Errors
    /// No answer by the deadline.
    pub async fn table_exists(&self, table: impl Into<TableRef<'_>>) -> Result<bool> {
        self.backend.table_exists(&self.naming.resolve(table)?).await
    }

    /// Returns the description of a table: its families and their options.
    ///
    /// # Errors
    /// [`TableNotFound`](ErrorKind::TableNotFound), or no answer by the deadline.
    pub async fn describe(&self, table: impl Into<TableRef<'_>>) -> Result<TableDescriptor> {
        self.backend.describe("describe", &self.naming.resolve(table)?).await
    }

    /// Deletes a table and all its rows. On HBase the table must be disabled.
    ///
    /// # Errors
    /// [`TableNotFound`](ErrorKind::TableNotFound); [`WrongTableState`](ErrorKind::WrongTableState) if the
    /// table is enabled.
    pub async fn delete_table(&self, table: impl Into<TableRef<'_>>) -> Result<()> {
        self.backend.delete_table(&self.naming.resolve(table)?).await
    }

    /// Deletes all rows of a table, which keeps its regions. On HBase the table must be disabled
    /// before the call, and is enabled afterwards.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Put, Scan, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # let admin = client.admin();
    /// # admin.create_table_with_splits(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d")), ["m"]).await?;
    /// # client.raw_table("t")?.put(Put::new("r").cell("d", "q", "v")).await?;
    /// admin.hbase()?.disable_table("t").await?;
    /// admin.truncate_table("t").await?;
    /// assert_eq!(client.raw_table("t")?.scan(Scan::all())?.next_row().await?, None);
    /// assert_eq!(admin.hbase()?.regions("t").await?.len(), 2);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`TableNotFound`](ErrorKind::TableNotFound); [`WrongTableState`](ErrorKind::WrongTableState) if the
    /// table is enabled.
    pub async fn truncate_table(&self, table: impl Into<TableRef<'_>>) -> Result<()> {
        self.backend.truncate_table(&self.naming.resolve(table)?).await
    }
}

/// Returns what is wrong with the descriptor of a table to be created, if anything.
fn problem(table: &TableDescriptor) -> Option<String> {
    let mut splits: Vec<_> = table.split_keys().iter().collect();
    splits.sort();
    if splits.first().is_some_and(|key| key.is_empty()) {
        return Some("a split key must not be empty".into());
    }
    if let Some([key, _]) = splits.windows(2).find(|pair| matches!(pair, [a, b] if a == b)) {
        return Some(format!("split key {} is given twice", show::row_key(key)));
    }
    if table.families().is_empty() {
        return Some("a table needs at least one family".into());
    }
    table.problem()
}

impl fmt::Debug for Admin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Admin").finish_non_exhaustive()
    }
}
