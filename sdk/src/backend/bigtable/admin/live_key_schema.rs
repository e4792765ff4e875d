//! The row key schemas of tables that exist: reading, setting and removing them.

use super::handle::BigtableAdmin;
use super::key_schema::{bigtable_key, struct_type};
use super::table_update::TableUpdate;
use crate::backend::repeat::Idempotency;
use crate::key::schema::BigtableKey;
use crate::wire::bigtable::{Table, View};
use crate::{Error, ErrorKind, Result, TableName, TableRef};

impl BigtableAdmin {
    /// Returns the row key schema of a table, by which queries read the fields of row keys; `None`
    /// if the table has none.
    ///
    /// A table that [`Admin::create`](crate::Admin::create) creates gets the row key schema of its
    /// type's layout, if there is one.
    ///
    /// ```
    /// use tallrow::key::schema::Schema;
    /// use tallrow::{Client, RowKey, Table};
    /// use tallrow_mock::MockCluster;
    ///
    /// #[derive(RowKey)]
    /// #[row_key(compat = "bigtable")]
    /// struct VisitsKey {
    ///     user: String,
    ///     at: i64,
    /// }
    /// #[derive(Table)]
    /// #[table(name = "visits")]
    /// #[family("v")]
    /// struct Visit {
    ///     #[key]
    ///     key: VisitsKey,
    ///     #[cell("v:page")]
    ///     page: String,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mock = MockCluster::builder().bigtable_port(0).start().await?;
    /// let client = Client::connect(&mock.bigtable_url().unwrap()).await?;
    /// client.admin().create::<Visit>().await?;
    ///
    /// let bigtable = client.admin().bigtable()?;
    /// let key = bigtable.row_key_schema("visits").await?.unwrap();
    /// assert_eq!(key, Schema::of::<VisitsKey>()?.bigtable_key()?);
    /// assert_eq!(key.to_string(), "user STRING, at INT64 in ordered code; joined in ordered code");
    ///
    /// bigtable.remove_row_key_schema("visits").await?;
    /// assert_eq!(bigtable.row_key_schema("visits").await?, None);
    /// bigtable.set_row_key_schema("visits", &key).await?;
    /// assert_eq!(bigtable.row_key_schema("visits").await?, Some(key));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Unsupported`](ErrorKind::Unsupported) if the row key schema has types that this
    /// client does not know. Also the errors that every operation can return.
    pub async fn row_key_schema(
        &self,
        table: impl Into<TableRef<'_>>,
    ) -> Result<Option<BigtableKey>> {
        let table = self.naming.resolve(table)?;
        let mut attempts = self.instance.admin_attempts("row key schema", Some(&table));
        let found = async {
            let path = self.instance.table_path(&table)?;
            let found = self.instance.get_table(path, View::SchemaView, &mut attempts).await?;
            found.row_key_schema.as_ref().map(bigtable_key).transpose().map_err(|why| {
                let text = format!("the row key schema of the table cannot be read: {why}");
                Error::new(ErrorKind::Unsupported, text)
            })
        };
        let found = found.await;
        attempts.end(found.map_err(|error| error.on_table(&table)))
    }

    /// Sets the row key schema of a table that has none (`UpdateTable`), and waits until the
    /// service has done so. The rows are not changed: only queries read their keys by it.
    ///
    /// See [`row_key_schema`](Self::row_key_schema) for an example.
    ///
    /// # Errors
    /// [`DoNotRetry`](ErrorKind::DoNotRetry) if the table has another row key schema, or if
    /// a field has the name of a family. Also the errors that every operation can return.
    pub async fn set_row_key_schema(
        &self,
        table: impl Into<TableRef<'_>>,
        key: &BigtableKey,
    ) -> Result<()> {
        let table = self.naming.resolve(table)?;
        self.update_row_key_schema("set row key schema", &table, Some(key)).await
    }

    /// Removes the row key schema of a table (`UpdateTable`), and waits until the service has
    /// done so. Queries that name fields of the row key fail from then on; the rows are not changed.
    ///
    /// See [`row_key_schema`](Self::row_key_schema) for an example.
    ///
    /// # Errors
    /// The errors that every operation can return.
    pub async fn remove_row_key_schema(&self, table: impl Into<TableRef<'_>>) -> Result<()> {
        let table = self.naming.resolve(table)?;
        self.update_row_key_schema("remove row key schema", &table, None).await
    }

    async fn update_row_key_schema(
        &self,
        operation: &'static str,
        table: &TableName,
        key: Option<&BigtableKey>,
    ) -> Result<()> {
        let mut attempts = self.instance.admin_attempts(operation, Some(table));
        let made = async {
            let new = Table {
                name: self.instance.table_path(table)?,
                row_key_schema: key.map(struct_type),
                ..Table::default()
            };
            // The service removes no row key schema unless it is told to ignore the warning, and
            // may refuse to set the one that a table has.
            let idempotency = match key {
                Some(_) => Idempotency::Never,
                None => Idempotency::Write,
            };
            let ignore_warnings = key.is_none();
            let update = TableUpdate { new, field: "row_key_schema", ignore_warnings, idempotency };
            update.make(&self.instance, &mut attempts).await
        };
        let made = made.await;
        attempts.end(made.map_err(|error| error.with_operation(operation).on_table(table)))
    }
}
