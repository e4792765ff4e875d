//! Tables: how they are created, described, altered, emptied, deleted, disabled and enabled.

use super::handle::HBaseAdmin;
use super::master::AdminOperation;
use super::meta::{region_rows, table_state};
use super::methods::{
    CreateTable, DeleteTable, DisableTable, EnableTable, GetTableDescriptors, GetTableNames,
    ModifyTable, TruncateTable,
};
use crate::backend::hbase::cluster::Cluster;
use crate::backend::hbase::lower::{apply_alter_step, from_schema, to_schema};
use crate::backend::hbase::table_name::{from_message, is_system, to_message};
use crate::model::descriptor::{
    CHANGE_STREAM_RETENTION, NO_CHANGE_STREAM, SchemaDiff, TableDescriptor,
};
use crate::wire::proto::{self, TableStateKind};
use crate::{Error, ErrorKind, Result, TableName, TableRef};

impl HBaseAdmin {
    /// Disables a table. The table keeps its rows, which cannot be read or written until it is
    /// enabled.
    ///
    /// # Errors
    /// [`TableNotFound`](crate::ErrorKind::TableNotFound);
    /// [`WrongTableState`](crate::ErrorKind::WrongTableState) if the table is disabled already.
    pub async fn disable_table(&self, table: impl Into<TableRef<'_>>) -> Result<()> {
        let table = self.naming.resolve(table)?;
        let request =
            proto::DisableTableRequest { table_name: to_message(&table), ..Default::default() };
        self.call::<DisableTable>("disable table", Some(&table), request).await?;
        self.cluster.locator.cache().evict_table(&table);
        Ok(())
    }

    /// Enables a disabled table.
    ///
    /// # Errors
    /// [`TableNotFound`](crate::ErrorKind::TableNotFound);
    /// [`WrongTableState`](crate::ErrorKind::WrongTableState) if the table is enabled already.
    pub async fn enable_table(&self, table: impl Into<TableRef<'_>>) -> Result<()> {
        let table = self.naming.resolve(table)?;
        let request =
            proto::EnableTableRequest { table_name: to_message(&table), ..Default::default() };
        self.call::<EnableTable>("enable table", Some(&table), request).await.map(drop)
    }

    /// Whether the table is enabled.
    ///
    /// # Errors
    /// [`TableNotFound`](crate::ErrorKind::TableNotFound). Also fails if no answer arrives by the
    /// deadline.
    pub async fn is_table_enabled(&self, table: impl Into<TableRef<'_>>) -> Result<bool> {
        const NAME: &str = "table state";
        let table = self.naming.resolve(table)?;
        match table_state(&self.cluster, NAME, &table).await? {
            Some(state) => Ok(state == TableStateKind::Enabled),
            None => Err(no_such_table().with_operation_if_unset(NAME).on_table(&table)),
        }
    }

    /// Creates an empty table with the families and options of another table and, if
    /// `preserve_splits` is set, with the same split keys: `cloneTableSchema` of the Java client.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # let books = TableDescriptor::new("books")?.family(FamilyDescriptor::new("b").versions(3)).splits(["h"]);
    /// # client.admin().create_table(&books).await?;
    /// let hbase = client.admin().hbase()?;
    /// hbase.clone_table_schema("books", "journals", true).await?;
    /// assert_eq!(
    ///     client.admin().describe("journals").await?.families()[0].get("VERSIONS"),
    ///     Some("3")
    /// );
    /// assert_eq!(hbase.regions("journals").await?.len(), 2);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`TableNotFound`](crate::ErrorKind::TableNotFound);
    /// [`TableExists`](crate::ErrorKind::TableExists). Also fails if the table is not created by
    /// the deadline.
    pub async fn clone_table_schema(
        &self,
        from: impl Into<TableRef<'_>>,
        to: impl Into<TableRef<'_>>,
        preserve_splits: bool,
    ) -> Result<()> {
        const NAME: &str = "clone table schema";
        let (from, to) = (self.naming.resolve(from)?, self.naming.resolve(to)?);
        let mut schema = schema(&self.cluster, NAME, &from).await?;
        schema.table_name = Some(to_message(&to));
        let mut split_keys = Vec::new();
        if preserve_splits {
            let regions = region_rows(&self.cluster, NAME, &from).await?;
            let starts = regions.into_iter().filter_map(|row| row.info.start_key);
            split_keys.extend(starts.filter(|key| !key.is_empty()));
        }
        let request =
            proto::CreateTableRequest { table_schema: schema, split_keys, ..Default::default() };
        self.cluster.locator.cache().evict_table(&to);
        self.call::<CreateTable>(NAME, Some(&to), request).await.map(drop)
    }
}

/// Creates a table from a valid descriptor.
pub(crate) async fn create_table(cluster: &Cluster, table: &TableDescriptor) -> Result<()> {
    let without_sum_options = table.without_sum_options();
    let table = without_sum_options.as_ref().unwrap_or(table);
    if let Some((family, aggregate)) = table.first_aggregate() {
        let text = format!(
            "family {family}: HBase has no aggregate families, so the cells of AGGREGATE {aggregate} would be ordinary \
             ones; only SUM has a counterpart there, counters"
        );
        return Err(Error::new(ErrorKind::Unsupported, text)
            .with_operation_if_unset("create table")
            .on_table(table.name()));
    }
    if table.get(CHANGE_STREAM_RETENTION).is_some_and(|kept| kept != NO_CHANGE_STREAM) {
        return Err(no_change_streams("create table", table.name()));
    }
    let mut split_keys = table.split_keys().to_vec();
    split_keys.sort();
    let request = proto::CreateTableRequest {
        table_schema: to_schema(table),
        split_keys,
        ..Default::default()
    };
    cluster.locator.cache().evict_table(table.name());
    let operation = AdminOperation::new(cluster, "create table", Some(table.name()));
    operation.call::<CreateTable>(request).await.map(drop)
}

pub(crate) async fn delete_table(cluster: &Cluster, table: &TableName) -> Result<()> {
    let request = proto::DeleteTableRequest { table_name: to_message(table), ..Default::default() };
    let operation = AdminOperation::new(cluster, "delete table", Some(table));
    operation.call::<DeleteTable>(request).await?;
    cluster.locator.cache().evict_table(table);
    Ok(())
}

pub(crate) async fn truncate_table(cluster: &Cluster, table: &TableName) -> Result<()> {
    let request = proto::TruncateTableRequest {
        table_name: to_message(table),
        preserve_splits: Some(true),
        ..Default::default()
    };
    let operation = AdminOperation::new(cluster, "truncate table", Some(table));
    let done = operation.call::<TruncateTable>(request).await;
    cluster.locator.cache().evict_table(table);
    done.map(drop)
}

pub(crate) async fn list_tables(cluster: &Cluster) -> Result<Vec<TableName>> {
    let operation = AdminOperation::new(cluster, "list tables", None);
    let response = operation.call::<GetTableNames>(Default::default()).await?;
    response.table_names.iter().map(from_message).collect()
}

pub(crate) async fn describe(
    cluster: &Cluster,
    operation: &'static str,
    table: &TableName,
) -> Result<TableDescriptor> {
    from_schema(&schema(cluster, operation, table).await?)
}

/// Applies the steps of a schema difference; fails if the table was altered since the difference
/// was made.
pub(crate) async fn alter(cluster: &Cluster, diff: &SchemaDiff) -> Result<()> {
    const NAME: &str = "alter";
    let table = diff.live.name();
    let mut changes = diff.steps().iter().flat_map(|step| step.changes());
    if changes.any(|one| one.key == CHANGE_STREAM_RETENTION && one.to != NO_CHANGE_STREAM) {
        return Err(no_change_streams(NAME, table));
    }
    let mut schema = schema(cluster, NAME, table).await?;
    let live = from_schema(&schema)?;
    if live != diff.live {
        let text = format!(
            "it was altered since the difference was made: it was ({}) and is ({live}); make a new difference",
            diff.live
        );
        return Err(Error::new(ErrorKind::SchemaDrift, text)
            .with_operation_if_unset(NAME)
            .on_table(table));
    }
    for step in diff.steps() {
        apply_alter_step(step, &mut schema);
    }
    let request = proto::ModifyTableRequest {
        table_name: to_message(table),
        table_schema: schema,
        reopen_regions: Some(true),
        ..Default::default()
    };
    AdminOperation::new(cluster, NAME, Some(table)).call::<ModifyTable>(request).await.map(drop)
}

fn no_change_streams(operation: &'static str, table: &TableName) -> Error {
    let text = "HBase has no change streams; leave out CHANGE_STREAM_RETENTION, and replicate the \
                table to read its changes";
    Error::new(ErrorKind::Unsupported, text).with_operation_if_unset(operation).on_table(table)
}

/// Returns the schema of a table from the master.
pub(super) async fn schema(
    cluster: &Cluster,
    operation: &'static str,
    table: &TableName,
) -> Result<proto::TableSchema> {
    let request = proto::GetTableDescriptorsRequest {
        table_names: vec![to_message(table)],
        include_sys_tables: Some(is_system(table)),
        ..Default::default()
    };
    let response = AdminOperation::new(cluster, operation, Some(table))
        .call::<GetTableDescriptors>(request)
        .await?;
    let found = response.table_schema.into_iter().next();
    found.ok_or_else(|| no_such_table().with_operation_if_unset(operation).on_table(table))
}

pub(super) fn no_such_table() -> Error {
    Error::new(ErrorKind::TableNotFound, "the table does not exist; create it first")
}
