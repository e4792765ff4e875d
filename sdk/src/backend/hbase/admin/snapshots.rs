//! Snapshots of tables: how they are taken, listed, restored, cloned and deleted.

use std::time::{Duration, SystemTime};

use super::handle::HBaseAdmin;
use super::master::millis_to_time;
use super::meta::table_state;
use super::methods::{
    self, DeleteSnapshot, GetCompletedSnapshots, IsSnapshotDone, RestoreSnapshot,
};
use super::tables::no_such_table;
use crate::wire::proto::{self, SnapshotType, TableStateKind};
use crate::{Error, ErrorKind, Result, TableName, TableRef};

/// The description of a new snapshot: its name, how long it is kept, and whether the table is
/// flushed before it is taken.
///
/// ```
/// use std::time::Duration;
/// use tallrow::admin::SnapshotDescriptor;
///
/// let weekly =
///     SnapshotDescriptor::new("weekly").ttl(Duration::from_secs(7 * 86_400)).without_flush();
/// assert_eq!(weekly.name(), "weekly");
/// ```
///
/// A string can be used as a descriptor without options: `hbase.take_snapshot("books", "weekly")`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotDescriptor {
    name: String,
    ttl: Option<Duration>,
    flush: bool,
}

impl SnapshotDescriptor {
    /// Describes a snapshot that is kept until it is deleted. The table is flushed before the
    /// snapshot is taken (`FLUSH`).
    ///
    /// See [`SnapshotDescriptor`] for an example.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ttl: None, flush: true }
    }

    /// Sets how long the snapshot is kept (`TTL`): a whole number of seconds, at least one. After
    /// that time, the snapshot cannot be restored, and a chore of the master deletes it. The chore
    /// runs every 30 minutes by default (`hbase.master.cleaner.snapshot.interval`).
    pub fn ttl(mut self, ttl: Duration) -> Self {
        self.ttl = Some(ttl);
        self
    }

    /// Skips the flush: the snapshot contains only the data in store files, not the data in memory
    /// (`SKIPFLUSH`).
    pub fn without_flush(mut self) -> Self {
        self.flush = false;
        self
    }

    /// The name of the snapshot.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl From<&str> for SnapshotDescriptor {
    fn from(name: &str) -> Self {
        Self::new(name)
    }
}

impl From<&SnapshotDescriptor> for SnapshotDescriptor {
    fn from(descriptor: &SnapshotDescriptor) -> Self {
        descriptor.clone()
    }
}

/// A snapshot that the cluster has stored.
///
/// See [`HBaseAdmin::take_snapshot`] for an example.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Snapshot {
    /// The name of the snapshot.
    pub name: String,
    /// The table of which the snapshot was taken. The table may have been deleted since.
    pub table: TableName,
    /// When the snapshot was taken.
    pub created: Option<SystemTime>,
    /// How long the snapshot is kept after `created`; `None` if it is kept until it is deleted.
    pub ttl: Option<Duration>,
    /// Whether the table was flushed before the snapshot was taken.
    pub flushed: bool,
    /// The user who took the snapshot, if the cluster records that.
    pub owner: Option<String>,
}

impl Snapshot {
    fn from_message(message: &proto::SnapshotDescription) -> Result<Self> {
        let ttl = u64::try_from(message.ttl.unwrap_or(0)).unwrap_or(0);
        Ok(Self {
            name: message.name.clone(),
            table: message.table.as_deref().unwrap_or_default().parse()?,
            created: millis_to_time(message.creation_time.unwrap_or(0).unsigned_abs()),
            ttl: (ttl > 0).then(|| Duration::from_secs(ttl)),
            flushed: message.r#type() == SnapshotType::Flush,
            owner: message.owner.clone().filter(|owner| !owner.is_empty()),
        })
    }
}

impl HBaseAdmin {
    /// Takes a snapshot of an enabled or disabled table, and returns when the snapshot is complete.
    ///
    /// A snapshot contains references to the store files of the table, not copies of them. It does
    /// not show the table at a single point in time, because different regions are recorded at
    /// different times.
    ///
    /// ```
    /// use tallrow::{Client, ErrorKind, FamilyDescriptor, Put, TableDescriptor};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # let books = TableDescriptor::new("books")?.family(FamilyDescriptor::new("b"));
    /// # client.admin().create_table(&books).await?;
    /// let hbase = client.admin().hbase()?;
    /// let books = client.raw_table("books")?;
    /// books.put(Put::new("dune").cell("b", "title", "Dune")).await?;
    /// hbase.take_snapshot("books", "before").await?;
    /// assert_eq!(hbase.list_snapshots().await?[0].table.as_str(), "books");
    ///
    /// books.delete("dune").await?;
    /// hbase.disable_table("books").await?;
    /// hbase.restore_snapshot("before").await?;
    /// hbase.enable_table("books").await?;
    /// assert!(books.exists("dune").await?);
    ///
    /// hbase.clone_snapshot("before", "books_before").await?;
    /// assert!(client.raw_table("books_before")?.exists("dune").await?);
    ///
    /// hbase.delete_snapshot("before").await?;
    /// assert_eq!(
    ///     hbase.delete_snapshot("before").await.unwrap_err().kind(),
    ///     ErrorKind::SnapshotNotFound
    /// );
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`TableNotFound`](ErrorKind::TableNotFound); [`SnapshotExists`](ErrorKind::SnapshotExists);
    /// [`InvalidArgument`](ErrorKind::InvalidArgument) for an invalid name, for a TTL that is not a
    /// whole number of seconds or is 0, and for one of HBase's own tables. Also fails if the
    /// snapshot is not complete by the deadline ([`admin_timeout`](crate::Config::admin_timeout)).
    pub async fn take_snapshot(
        &self,
        table: impl Into<TableRef<'_>>,
        snapshot: impl Into<SnapshotDescriptor>,
    ) -> Result<()> {
        const NAME: &str = "take snapshot";
        let (table, wanted) = (self.naming.resolve(table)?, snapshot.into());
        let invalid =
            |text: String| Error::invalid(text).with_operation_if_unset(NAME).on_table(&table);
        check_name(&wanted.name).map_err(invalid)?;
        if table.namespace() == "hbase" {
            return Err(invalid("HBase's own tables have no snapshots".into()));
        }
        let ttl = match wanted.ttl {
            None => 0,
            Some(ttl) => whole_seconds(ttl).map_err(|why| invalid(format!("its TTL: {why}")))?,
        };
        if table_state(&self.cluster, NAME, &table).await?.is_none() {
            return Err(no_such_table().with_operation_if_unset(NAME).on_table(&table));
        }
        let snapshot = proto::SnapshotDescription {
            name: wanted.name.clone(),
            table: Some(table.to_string()),
            r#type: Some(match wanted.flush {
                true => SnapshotType::Flush as i32,
                false => SnapshotType::Skipflush as i32,
            }),
            ttl: Some(ttl),
            ..Default::default()
        };
        let request = proto::SnapshotRequest { snapshot: snapshot.clone(), ..Default::default() };
        let poll = proto::IsSnapshotDoneRequest { snapshot: Some(snapshot) };
        self.operation(NAME, Some(&table))
            .call_then_wait_or_poll::<methods::Snapshot, IsSnapshotDone>(
                request,
                poll,
                &wanted.name,
            )
            .await
    }

    /// Returns all snapshots, sorted by name.
    ///
    /// See [`take_snapshot`](HBaseAdmin::take_snapshot) for an example of this and the other
    /// functions.
    ///
    /// # Errors
    /// Fails if no master answers by the deadline.
    pub async fn list_snapshots(&self) -> Result<Vec<Snapshot>> {
        let mut found = Vec::new();
        for message in &self.snapshots("list snapshots").await? {
            found.push(Snapshot::from_message(message)?);
        }
        found.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(found)
    }

    async fn snapshots(
        &self,
        operation_name: &'static str,
    ) -> Result<Vec<proto::SnapshotDescription>> {
        let answer =
            self.call::<GetCompletedSnapshots>(operation_name, None, proto::Empty {}).await?;
        Ok(answer.snapshots)
    }

    /// Restores the families, options, regions and rows of a table as they were when the snapshot
    /// was taken. The table must be disabled, and stays disabled; a table that was deleted is
    /// created and enabled.
    ///
    /// All writes since the snapshot are lost. If they may be needed, take another snapshot before
    /// restoring, as the Java client does with `hbase.snapshot.restore.take.failsafe.snapshot`.
    ///
    /// # Errors
    /// [`SnapshotNotFound`](ErrorKind::SnapshotNotFound); [`WrongTableState`](ErrorKind::WrongTableState) if
    /// the table is enabled; [`DoNotRetry`](ErrorKind::DoNotRetry) if the time to live of the
    /// snapshot is over (`SnapshotTTLExpiredException`). Also fails if the table is not restored by
    /// the deadline.
    pub async fn restore_snapshot(&self, name: &str) -> Result<()> {
        const NAME: &str = "restore snapshot";
        let found = self.snapshots(NAME).await?.into_iter().find(|s| s.name == name);
        let Some(found) = found else {
            return Err(no_such_snapshot(name).with_operation_if_unset(NAME));
        };
        let table = Snapshot::from_message(&found)?.table;
        if table_state(&self.cluster, NAME, &table).await? == Some(TableStateKind::Enabled) {
            let text =
                format!("the table is enabled; disable it before snapshot {name} is restored");
            return Err(Error::new(ErrorKind::WrongTableState, text)
                .with_operation_if_unset(NAME)
                .on_table(&table));
        }
        self.restore(NAME, name, &table).await
    }

    /// Creates a table from a snapshot, with the snapshot's families, options, regions and rows,
    /// and enables it. The table shares the store files of the snapshot until they are compacted.
    ///
    /// # Errors
    /// [`SnapshotNotFound`](ErrorKind::SnapshotNotFound); [`TableExists`](ErrorKind::TableExists);
    /// [`NamespaceNotFound`](ErrorKind::NamespaceNotFound); [`DoNotRetry`](ErrorKind::DoNotRetry)
    /// if the time to live of the snapshot is over. Also fails if the table is not created by the
    /// deadline.
    pub async fn clone_snapshot(&self, name: &str, table: impl Into<TableRef<'_>>) -> Result<()> {
        const NAME: &str = "clone snapshot";
        let table = self.naming.resolve(table)?;
        if table_state(&self.cluster, NAME, &table).await?.is_some() {
            let text = "there is a table of this name already; choose another";
            return Err(Error::new(ErrorKind::TableExists, text)
                .with_operation_if_unset(NAME)
                .on_table(&table));
        }
        self.restore(NAME, name, &table).await
    }

    async fn restore(
        &self,
        operation_name: &'static str,
        name: &str,
        to: &TableName,
    ) -> Result<()> {
        let snapshot = proto::SnapshotDescription {
            name: name.to_owned(),
            table: Some(to.to_string()),
            ..Default::default()
        };
        let request = proto::RestoreSnapshotRequest {
            snapshot,
            restore_acl: Some(false),
            ..Default::default()
        };
        let done = self.call::<RestoreSnapshot>(operation_name, Some(to), request).await;
        self.cluster.locator.cache().evict_table(to);
        done.map(drop)
    }

    /// Deletes a snapshot. Tables that were cloned from it keep their rows.
    ///
    /// # Errors
    /// [`SnapshotNotFound`](ErrorKind::SnapshotNotFound). Also fails if no master answers by the
    /// deadline.
    pub async fn delete_snapshot(&self, name: &str) -> Result<()> {
        let snapshot = proto::SnapshotDescription { name: name.to_owned(), ..Default::default() };
        let request = proto::DeleteSnapshotRequest { snapshot };
        self.call::<DeleteSnapshot>("delete snapshot", None, request).await.map(drop)
    }
}

fn no_such_snapshot(name: &str) -> Error {
    let text = format!("there is no snapshot {name}; `list_snapshots` names those there are");
    Error::new(ErrorKind::SnapshotNotFound, text)
}

/// Checks that the name of a snapshot is a valid table name without a namespace.
fn check_name(name: &str) -> Result<(), String> {
    let parsed = name.parse::<TableName>();
    match parsed {
        Ok(_) if !name.contains(':') => Ok(()),
        Ok(_) => Err(format!("a snapshot's name has no namespace: {name:?}")),
        Err(error) => Err(format!("snapshot {name:?}: {error}")),
    }
}

/// Converts a duration into seconds; fails unless it is a whole number of seconds and at least one.
fn whole_seconds(duration: Duration) -> Result<i64, String> {
    match i64::try_from(duration.as_secs()) {
        Ok(seconds @ 1..) if duration.subsec_nanos() == 0 => Ok(seconds),
        _ => Err(format!("{duration:?} is not a whole number of seconds, at least one")),
    }
}
