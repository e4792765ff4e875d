//! Making, copying, listing, changing and deleting backups.
//!
//! # Invariants
//!
//! - What makes something new is sent once: without an answer, its outcome is unknown. Tests:
//!   `sdk/src/backend/bigtable/tests/backups.rs::what_makes_something_is_never_sent_twice`.

use std::time::SystemTime;

use super::backup::{Backup, BackupDescriptor, BackupName, cluster_path, message_of_time};
use super::backup_errors::{
    backup_exists, is_of_cluster, may_be_there, missing_backup, missing_cluster, no_backup,
};
use super::handle::BigtableAdmin;
use super::operation::LongRunningOperation;
use super::pages::all_pages;
use crate::backend::repeat::Idempotency;
use crate::wire::bigtable::{
    self as wire, CopyBackupRequest, CreateBackupRequest, DeleteBackupRequest, Empty, FieldMask,
    GetBackupRequest, ListBackupsRequest, ListBackupsResponse, UpdateBackupRequest, method,
};
use crate::{Error, Result, TableRef};

impl BigtableAdmin {
    /// Begins a backup of a table, which has the rows of about this time, and returns the operation
    /// that makes it.
    ///
    /// ```
    /// use std::time::{Duration, SystemTime};
    /// use tallrow::admin::{Backup, BackupDescriptor, BackupName};
    /// use tallrow::{Client, FamilyDescriptor, TableDescriptor};
    /// use tallrow_mock::MockCluster;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mock = MockCluster::builder().bigtable_port(0).start().await?;
    /// let client = Client::connect(&mock.bigtable_url().unwrap()).await?;
    /// let books = TableDescriptor::new("books")?.family(FamilyDescriptor::new("b"));
    /// client.admin().create_table(&books).await?;
    ///
    /// let bigtable = client.admin().bigtable()?;
    /// let weekly = BackupName::new("shop-eu", "weekly");
    /// let day = Duration::from_secs(86_400);
    /// let description = BackupDescriptor::new(weekly.clone(), SystemTime::now() + 7 * day);
    /// # mock.set_operation_polls(2);
    /// let operation = bigtable.create_backup("books", &description).await?;
    /// // Another program can wait for it too.
    /// let same = bigtable.operation::<Backup>(operation.name());
    /// let status = same.poll().await?;
    /// assert!(status.result.is_none() && status.progress.started_at.is_some());
    /// let backup = same.wait(Duration::from_secs(3_600)).await?;
    /// assert_eq!((&backup.name, backup.is_ready), (&weekly, true));
    ///
    /// let later = SystemTime::now() + 30 * day;
    /// assert!(bigtable.set_backup_expiry(&weekly, later).await?.expires_at > backup.expires_at);
    /// assert_eq!(bigtable.list_backups(None).await?.len(), 1);
    /// bigtable.delete_backup(&weekly).await?;
    /// assert_eq!(bigtable.list_backups(Some("shop-eu")).await?, []);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`TableNotFound`](crate::ErrorKind::TableNotFound),
    /// [`BackupExists`](crate::ErrorKind::BackupExists),
    /// [`InstanceNotFound`](crate::ErrorKind::InstanceNotFound) if there is no such cluster,
    /// [`DoNotRetry`](crate::ErrorKind::DoNotRetry) if the service refuses the description,
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) if the name cannot be that of a
    /// backup of this instance. [`OutcomeUnknown`](crate::ErrorKind::OutcomeUnknown) if no answer
    /// arrived: the request is not sent again; [`backup`](Self::backup) finds out whether it was
    /// received.
    pub async fn create_backup(
        &self,
        table: impl Into<TableRef<'_>>,
        backup: &BackupDescriptor,
    ) -> Result<LongRunningOperation<Backup>> {
        const NAME: &str = "create backup";
        let table = self.naming.resolve(table)?;
        let mut attempts = self.instance.admin_attempts(NAME, Some(&table));
        let begun = async {
            let own = self.instance.endpoint.instance_name();
            let (parent, path) = (backup.name().cluster_path(&own)?, backup.name().path(&own)?);
            if !path.starts_with(&format!("{own}/clusters/")) {
                return Err(Error::invalid(format!(
                    "the backup is to be in the instance of {path}, and a backup is made in the instance of its table, \
                     {own}; copy it afterwards"
                )));
            }
            let request = CreateBackupRequest {
                parent: parent.clone(),
                backup_id: backup.name().id().to_owned(),
                backup: Some(backup.to_message(self.instance.table_path(&table)?)),
            };
            let parameter = ("parent", &*parent);
            let begun =
                self.call_once(method::CREATE_BACKUP, parameter, request, &mut attempts).await;
            begun.map_err(|error| match error.exception() {
                Some("NOT_FOUND") if is_of_cluster(&error) => missing_cluster(error, &parent),
                Some("ALREADY_EXISTS") => backup_exists(error, &path),
                _ => may_be_there(error, &format!("backup {path}")),
            })
        };
        let begun = begun.await;
        let begun = attempts.end(begun.map_err(|error| error.on_table(&table)))?;
        Ok(LongRunningOperation::begun(self.instance.clone(), begun))
    }

    /// Begins a copy of a backup, in another cluster or in another instance, and returns the
    /// operation that makes it. A copy cannot be copied again.
    ///
    /// ```
    /// # use std::time::{Duration, SystemTime};
    /// # use tallrow::admin::{BackupDescriptor, BackupName};
    /// # use tallrow::{Client, FamilyDescriptor, TableDescriptor};
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
    /// let minute = Duration::from_secs(60);
    /// bigtable.create_backup("books", &description).await?.wait(minute).await?;
    /// let copy = BackupName::new("archive-us", "weekly").in_instance("my-project", "archive");
    /// let copy = bigtable.copy_backup(&weekly, &copy, in_a_week).await?.wait(minute).await?;
    /// assert_eq!(copy.copied_from, Some(weekly));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`BackupNotFound`](crate::ErrorKind::BackupNotFound) and
    /// [`BackupExists`](crate::ErrorKind::BackupExists);
    /// [`InstanceNotFound`](crate::ErrorKind::InstanceNotFound) if there is no such cluster;
    /// [`DoNotRetry`](crate::ErrorKind::DoNotRetry) if the backup is not ready or is itself a copy,
    /// or if `expires_at` is not within 6 hours to 30 days from now;
    /// [`OutcomeUnknown`](crate::ErrorKind::OutcomeUnknown) as for
    /// [`create_backup`](Self::create_backup).
    pub async fn copy_backup(
        &self,
        from: &BackupName,
        to: &BackupName,
        expires_at: SystemTime,
    ) -> Result<LongRunningOperation<Backup>> {
        let mut attempts = self.instance.admin_attempts("copy backup", None);
        let begun = async {
            let own = self.instance.endpoint.instance_name();
            let (source, parent, path) = (from.path(&own)?, to.cluster_path(&own)?, to.path(&own)?);
            let request = CopyBackupRequest {
                parent: parent.clone(),
                backup_id: to.id().to_owned(),
                source_backup: source.clone(),
                expire_time: Some(message_of_time(expires_at)),
            };
            let parameter = ("parent", &*parent);
            let begun =
                self.call_once(method::COPY_BACKUP, parameter, request, &mut attempts).await;
            begun.map_err(|error| match error.exception() {
                Some("NOT_FOUND") if is_of_cluster(&error) => missing_cluster(error, &parent),
                Some("NOT_FOUND") => no_backup(error, &source),
                Some("ALREADY_EXISTS") => backup_exists(error, &path),
                _ => may_be_there(error, &format!("backup {path}")),
            })
        };
        let begun = begun.await;
        Ok(LongRunningOperation::begun(self.instance.clone(), attempts.end(begun)?))
    }

    /// Describes a backup.
    ///
    /// See [`create_backup`](Self::create_backup) for an example of this and the following
    /// functions.
    ///
    /// ```
    /// # use tallrow::admin::BackupName;
    /// # use tallrow::{Client, ErrorKind};
    /// # use tallrow_mock::MockCluster;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let mock = MockCluster::builder().bigtable_port(0).start().await?;
    /// # let client = Client::connect(&mock.bigtable_url().unwrap()).await?;
    /// let error = client.admin().bigtable()?.backup(&BackupName::new("shop-eu", "weekly")).await;
    /// assert_eq!(error.unwrap_err().kind(), ErrorKind::BackupNotFound);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`BackupNotFound`](crate::ErrorKind::BackupNotFound); also the errors that every operation
    /// can return.
    pub async fn backup(&self, name: &BackupName) -> Result<Backup> {
        let mut attempts = self.instance.admin_attempts("get backup", None);
        let found = async {
            let own = self.instance.endpoint.instance_name();
            let path = name.path(&own)?;
            let request = GetBackupRequest { name: path.clone() };
            let parameter = ("name", &*path);
            let found: Result<wire::Backup> = self
                .instance
                .admin_call(
                    method::GET_BACKUP,
                    parameter,
                    request,
                    Idempotency::Read,
                    &mut attempts,
                )
                .await;
            Backup::of_message(&found.map_err(|error| missing_backup(error, &path))?, &own)
        };
        let found = found.await;
        attempts.end(found)
    }

    /// Returns the backups that are stored in a cluster of the instance, or in all its clusters,
    /// the newest first.
    ///
    /// See [`create_backup`](Self::create_backup) for an example.
    ///
    /// # Errors
    /// [`InstanceNotFound`](crate::ErrorKind::InstanceNotFound) if there is no such cluster,
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) if its id cannot be one; also the
    /// errors that every operation can return.
    pub async fn list_backups(&self, cluster: Option<&str>) -> Result<Vec<Backup>> {
        let mut attempts = self.instance.admin_attempts("list backups", None);
        let listed = async {
            let own = self.instance.endpoint.instance_name();
            let parent = match cluster {
                None => format!("{own}/clusters/-"),
                Some(cluster) => cluster_path(&own, cluster)?,
            };
            let backups = all_pages(
                &self.instance,
                method::LIST_BACKUPS,
                &parent,
                |page_token| ListBackupsRequest {
                    parent: parent.clone(),
                    page_token,
                    ..ListBackupsRequest::default()
                },
                |page: ListBackupsResponse| (page.backups, page.next_page_token),
                &mut attempts,
            );
            let backups = backups.await.map_err(|error| match error.exception() {
                Some("NOT_FOUND") if is_of_cluster(&error) => missing_cluster(error, &parent),
                _ => error,
            })?;
            backups.iter().map(|backup| Backup::of_message(backup, &own)).collect()
        };
        let listed = listed.await;
        attempts.end(listed)
    }

    /// Sets when the service deletes a backup, and returns the backup. The time is 6 hours to 90
    /// days after the backup was begun, and at most 30 days after if it is a copy.
    ///
    /// See [`create_backup`](Self::create_backup) for an example.
    ///
    /// # Errors
    /// [`BackupNotFound`](crate::ErrorKind::BackupNotFound),
    /// [`DoNotRetry`](crate::ErrorKind::DoNotRetry) if the service refuses the time; also the
    /// errors that every operation can return.
    pub async fn set_backup_expiry(
        &self,
        name: &BackupName,
        expires_at: SystemTime,
    ) -> Result<Backup> {
        let mut attempts = self.instance.admin_attempts("set backup expiry", None);
        let changed = async {
            let own = self.instance.endpoint.instance_name();
            let path = name.path(&own)?;
            let backup = wire::Backup {
                name: path.clone(),
                expire_time: Some(message_of_time(expires_at)),
                ..wire::Backup::default()
            };
            let update_mask = Some(FieldMask { paths: vec!["expire_time".into()] });
            let request = UpdateBackupRequest { backup: Some(backup), update_mask };
            let parameter = ("backup.name", &*path);
            let changed: Result<wire::Backup> = self
                .instance
                .admin_call(
                    method::UPDATE_BACKUP,
                    parameter,
                    request,
                    Idempotency::Write,
                    &mut attempts,
                )
                .await;
            Backup::of_message(&changed.map_err(|error| missing_backup(error, &path))?, &own)
        };
        let changed = changed.await;
        attempts.end(changed)
    }

    /// Deletes a backup. An operation that is still making it ends.
    ///
    /// See [`create_backup`](Self::create_backup) for an example.
    ///
    /// # Errors
    /// [`BackupNotFound`](crate::ErrorKind::BackupNotFound),
    /// [`DoNotRetry`](crate::ErrorKind::DoNotRetry) if the backup is being copied,
    /// [`OutcomeUnknown`](crate::ErrorKind::OutcomeUnknown) if no answer arrived; also the errors
    /// that every operation can return.
    pub async fn delete_backup(&self, name: &BackupName) -> Result<()> {
        let mut attempts = self.instance.admin_attempts("delete backup", None);
        let deleted = async {
            let path = name.path(&self.instance.endpoint.instance_name())?;
            let request = DeleteBackupRequest { name: path.clone() };
            let parameter = ("name", &*path);
            let deleted: Result<Empty> =
                self.call_once(method::DELETE_BACKUP, parameter, request, &mut attempts).await;
            deleted.map(drop).map_err(|error| missing_backup(error, &path))
        };
        let deleted = deleted.await;
        attempts.end(deleted)
    }
}
