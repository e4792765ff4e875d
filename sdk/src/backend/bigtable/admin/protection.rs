//! Protecting tables from deletion.

use super::handle::BigtableAdmin;
use super::table_update::TableUpdate;
use crate::backend::repeat::Idempotency;
use crate::wire::bigtable::{Table, View};
use crate::{Result, TableRef};

impl BigtableAdmin {
    /// Sets whether a table is protected from deletion (`deletion_protection`): as long as it is,
    /// neither the table nor one of its families can be deleted.
    ///
    /// ```
    /// # use tallrow::{Client, ErrorKind, FamilyDescriptor, TableDescriptor};
    /// # use tallrow_mock::MockCluster;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let mock = MockCluster::builder().bigtable_port(0).start().await?;
    /// # let client = Client::connect(&mock.bigtable_url().unwrap()).await?;
    /// # let books = TableDescriptor::new("books")?.family(FamilyDescriptor::new("b"));
    /// # let admin = client.admin();
    /// # admin.create_table(&books).await?;
    /// let bigtable = admin.bigtable()?;
    /// bigtable.set_deletion_protection("books", true).await?;
    /// assert!(bigtable.is_deletion_protected("books").await?);
    /// let error = admin.delete_table("books").await.unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::DoNotRetry);
    /// assert!(error.to_string().contains("set_deletion_protection"));
    ///
    /// bigtable.set_deletion_protection("books", false).await?;
    /// admin.delete_table("books").await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`TableNotFound`](crate::ErrorKind::TableNotFound); also the errors that every operation can
    /// return.
    pub async fn set_deletion_protection(
        &self,
        table: impl Into<TableRef<'_>>,
        is_protected: bool,
    ) -> Result<()> {
        const NAME: &str = "set deletion protection";
        let table = self.naming.resolve(table)?;
        let mut attempts = self.instance.admin_attempts(NAME, Some(&table));
        let made = async {
            let new = Table {
                name: self.instance.table_path(&table)?,
                deletion_protection: is_protected,
                ..Table::default()
            };
            let update = TableUpdate {
                new,
                field: "deletion_protection",
                ignore_warnings: false,
                idempotency: Idempotency::Write,
            };
            update.make(&self.instance, &mut attempts).await
        };
        let made = made.await;
        attempts.end(made.map_err(|error| error.with_operation(NAME).on_table(&table)))
    }

    /// Returns whether a table is protected from deletion.
    ///
    /// See [`set_deletion_protection`](Self::set_deletion_protection) for an example.
    ///
    /// # Errors
    /// [`TableNotFound`](crate::ErrorKind::TableNotFound); also the errors that every operation can
    /// return.
    pub async fn is_deletion_protected(&self, table: impl Into<TableRef<'_>>) -> Result<bool> {
        let table = self.naming.resolve(table)?;
        let mut attempts = self.instance.admin_attempts("is deletion protected", Some(&table));
        let found = async {
            let path = self.instance.table_path(&table)?;
            self.instance.get_table(path, View::SchemaView, &mut attempts).await
        };
        let found = found.await;
        let found = attempts.end(found.map_err(|error| error.on_table(&table)))?;
        Ok(found.deletion_protection)
    }
}
