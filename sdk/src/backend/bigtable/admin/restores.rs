//! Making tables of backups, bringing deleted tables back, and finding these operations again.

use super::backup::BackupName;
use super::backup_errors::{may_be_there, no_backup};
use super::handle::BigtableAdmin;
use super::operation::{LongRunningOperation, OperationResult};
use crate::backend::bigtable::regions::forget_regions;
use crate::wire::bigtable::{RestoreSource, RestoreTableRequest, UndeleteTableRequest, method};
use crate::{ErrorKind, Result, TableName, TableRef};

impl BigtableAdmin {
    /// Begins to make a new table of a backup, which may be in another instance, and returns the
    /// operation that makes it.
    ///
    /// The new table has the families and rows of the backup. It can be read and written when the
    /// operation is done; reads may be slower until the operation that
    /// [`OperationProgress::optimization`](super::OperationProgress::optimization) names is done
    /// too.
    ///
    /// ```
    /// # use std::time::{Duration, SystemTime};
    /// # use tallrow::admin::{BackupDescriptor, BackupName};
    /// # use tallrow::{Client, FamilyDescriptor, Get, Put, TableDescriptor};
    /// # use tallrow_mock::MockCluster;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let mock = MockCluster::builder().bigtable_port(0).start().await?;
    /// # let client = Client::connect(&mock.bigtable_url().unwrap()).await?;
    /// # let books = TableDescriptor::new("books")?.family(FamilyDescriptor::new("b"));
    /// # client.admin().create_table(&books).await?;
    /// # let bigtable = client.admin().bigtable()?;
    /// # let weekly = BackupName::new("shop-eu", "weekly");
    /// # let in_a_week = SystemTime::now() + Duration::from_secs(7 * 86_400);
    /// # let description = BackupDescriptor::new(weekly.clone(), in_a_week);
    /// # let minute = Duration::from_secs(60);
    /// let books = client.raw_table("books")?;
    /// books.put(Put::new("1984").cell("b", "author", "Orwell")).await?;
    /// bigtable.create_backup("books", &description).await?.wait(minute).await?;
    /// books.delete("1984").await?;
    ///
    /// # mock.set_operation_polls(2);
    /// let operation = bigtable.restore_table(&weekly, "books_restored").await?;
    /// let mut seen = Vec::new();
    /// let restored =
    ///     operation.wait_with_progress(minute, |progress| seen.push(progress.percent)).await?;
    /// assert_eq!(seen, [Some(0), Some(50), Some(100)]);
    /// assert!(client.raw_table(&restored)?.exists(Get::new("1984")).await?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`BackupNotFound`](ErrorKind::BackupNotFound), [`TableExists`](ErrorKind::TableExists),
    /// [`DoNotRetry`](ErrorKind::DoNotRetry) if the backup is not ready,
    /// [`OutcomeUnknown`](ErrorKind::OutcomeUnknown) as for [`create_backup`](Self::create_backup).
    pub async fn restore_table(
        &self,
        backup: &BackupName,
        table: impl Into<TableRef<'_>>,
    ) -> Result<LongRunningOperation<TableName>> {
        let table = self.naming.resolve(table)?;
        let mut attempts = self.instance.admin_attempts("restore table", Some(&table));
        let begun = async {
            self.instance.table_context(&table)?;
            let parent = self.instance.endpoint.instance_name();
            let source = backup.path(&parent)?;
            forget_regions(&self.instance, &table, None);
            let request = RestoreTableRequest {
                parent: parent.clone(),
                table_id: table.qualifier().to_owned(),
                source: Some(RestoreSource::Backup(source.clone())),
            };
            let parameter = ("parent", &*parent);
            let begun =
                self.call_once(method::RESTORE_TABLE, parameter, request, &mut attempts).await;
            begun.map_err(|error| match error.exception() {
                Some("NOT_FOUND") => no_backup(error, &source),
                _ => may_be_there(error, "table"),
            })
        };
        let begun = begun.await;
        let begun = attempts.end(begun.map_err(|error| error.on_table(&table)))?;
        Ok(LongRunningOperation::begun(self.instance.clone(), begun))
    }

    /// Begins to bring a table back that was deleted in the last seven days, and returns the
    /// operation that does it.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use tallrow::{Client, FamilyDescriptor, TableDescriptor};
    /// # use tallrow_mock::MockCluster;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let mock = MockCluster::builder().bigtable_port(0).start().await?;
    /// # let client = Client::connect(&mock.bigtable_url().unwrap()).await?;
    /// # let books = TableDescriptor::new("books")?.family(FamilyDescriptor::new("b"));
    /// # let admin = client.admin();
    /// # admin.create_table(&books).await?;
    /// admin.delete_table("books").await?;
    /// let operation = admin.bigtable()?.undelete_table("books").await?;
    /// assert_eq!(operation.wait(Duration::from_secs(60)).await?.as_str(), "books");
    /// assert!(admin.table_exists("books").await?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`TableNotFound`](ErrorKind::TableNotFound) if the service does not have the table any more,
    /// [`TableExists`](ErrorKind::TableExists) if there is a table of this name,
    /// [`OutcomeUnknown`](ErrorKind::OutcomeUnknown) as for [`create_backup`](Self::create_backup).
    pub async fn undelete_table(
        &self,
        table: impl Into<TableRef<'_>>,
    ) -> Result<LongRunningOperation<TableName>> {
        let table = self.naming.resolve(table)?;
        let mut attempts = self.instance.admin_attempts("undelete table", Some(&table));
        let begun = async {
            let name = self.instance.table_path(&table)?;
            forget_regions(&self.instance, &table, None);
            let request = UndeleteTableRequest { name: name.clone() };
            let parameter = ("name", &*name);
            let begun =
                self.call_once(method::UNDELETE_TABLE, parameter, request, &mut attempts).await;
            begun.map_err(|error| match error.exception() {
                Some("NOT_FOUND") => {
                    let text = "the service has no deleted table of this name; it keeps them for seven days";
                    error.into_kind(ErrorKind::TableNotFound, text).with_exception("NOT_FOUND")
                }
                _ => may_be_there(error, "table"),
            })
        };
        let begun = begun.await;
        let begun = attempts.end(begun.map_err(|error| error.on_table(&table)))?;
        Ok(LongRunningOperation::begun(self.instance.clone(), begun))
    }

    /// Returns an operation by the name that [`LongRunningOperation::name`] has returned, perhaps
    /// in another program. Nothing is sent.
    ///
    /// See [`create_backup`](Self::create_backup) for an example.
    pub fn operation<T: OperationResult>(
        &self,
        name: impl Into<String>,
    ) -> LongRunningOperation<T> {
        LongRunningOperation::named(self.instance.clone(), name.into())
    }
}
