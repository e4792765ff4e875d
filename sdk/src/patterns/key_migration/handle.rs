//! `KeyMigration`, the handle by which writers change a row in the old and the new table.
//!
//! # Invariants
//!
//! - The new table equals the old one once the writers are done: the old table is authoritative,
//!   and whoever copies a row reads the old row again after writing the copy. Tests:
//!   `tests/suites/faults/rekey.rs::a_writer_that_is_dropped_at_any_call_leaves_equal_tables`,
//!   `tests/suites/faults/rekey.rs::what_is_written_between_any_two_calls_of_the_backfill_wins`,
//!   `tests/suites/rekey/mod.rs::killed_processes_on_mock`.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use tokio::time::{Instant, timeout_at};

use super::phase::Phase;
use super::table_pair::KeyMigrationInner;
use crate::{Error, ErrorKind, Result};

/// A change of the row keys of a table: the rows are copied to another table under new keys. Cheap
/// to clone.
///
/// See [the module](crate::key_migration) for the steps, the guarantees and the cost.
///
/// ```
/// use tallrow::key_migration::{KeyMapping, KeyMigration, KeyMigrationState};
/// use tallrow::{Client, RowKey, Table};
///
/// #[derive(RowKey, Clone)]
/// struct ByTime {
///     at: u64,
///     user: u32,
/// }
/// #[derive(Table)]
/// #[table(name = "visits")]
/// #[family("d")]
/// struct OldVisit {
///     #[key]
///     key: ByTime,
///     #[cell("d:p")]
///     page: String,
/// }
///
/// #[derive(RowKey, Clone)]
/// #[row_key(salt(buckets = 16))]
/// struct ByUser {
///     user: u32,
///     at: u64,
/// }
/// #[derive(Table)]
/// #[table(name = "visits_by_user")]
/// #[family("d")]
/// struct Visit {
///     #[key]
///     key: ByUser,
///     #[cell("d:p")]
///     page: String,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = Client::connect("mock:").await?;
/// # let client = Client::connect_with("mock:", tallrow::Config::new().operation_timeout(std::time::Duration::from_secs(1))).await?;
/// client.admin().create::<OldVisit>().await?;
/// client.admin().create::<Visit>().await?;
/// # client.admin().create_table(&tallrow::TableDescriptor::new("state")?.family(tallrow::FamilyDescriptor::new("s"))).await?;
/// let (old, new) = (client.table::<OldVisit>(), client.table::<Visit>());
/// for at in 0..10 {
///     old.put(&OldVisit { key: ByTime { at, user: 7 }, page: "/".into() }).await?;
/// }
///
/// // Every writer opens it, and writes with it from now on.
/// let keys = KeyMapping::typed(
///     |old: ByTime| ByUser { user: old.user, at: old.at },
///     |new: ByUser| ByTime { at: new.at, user: new.user },
/// );
/// let state = KeyMigrationState::table(client.raw_table("state")?, "visits", "s");
/// let rekey = KeyMigration::builder(&client, old.raw()?.clone(), new.raw()?.clone(), keys, state);
/// # let rekey = rekey.lease(std::time::Duration::from_millis(10));
/// let rekey = rekey.open().await?;
/// let (by_time, by_user) = (ByTime { at: 10, user: 7 }, ByUser { user: 7, at: 10 });
/// let row = OldVisit { key: by_time.clone(), page: "/buy".into() };
/// let new_row = Visit { key: by_user.clone(), page: "/buy".into() };
/// rekey.write(by_time.encode(), old.put(&row), new.put(&new_row)).await?;
/// assert_eq!(new.get(&by_user).await?.unwrap().page, "/buy");
///
/// // One process copies the rows that were there, and compares the tables.
/// rekey.backfill().run().await?;
/// let verified = rekey.verify().run().await?;
/// assert_eq!((verified.rows, verified.differences.len()), (11, 0));
///
/// // Then readers use the new table, and in the end writers too.
/// rekey.switch_reads().await?;
/// rekey.switch_writes().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct KeyMigration(pub(super) Arc<KeyMigrationInner>);

impl KeyMigration {
    /// Reads the current phase from the state.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Put, TableDescriptor, key_migration::{KeyMapping, Phase, KeyMigration, KeyMigrationState}};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # for table in ["old", "new"] {
    /// #     client.admin().create_table(&TableDescriptor::new(table)?.family(FamilyDescriptor::new("d"))).await?;
    /// # }
    /// # let keys = KeyMapping::new(|old| Ok(old.to_vec()), |new| Ok(new.to_vec()));
    /// # let state = KeyMigrationState::table(client.raw_table("new")?, "\0state", "d");
    /// let rekey = KeyMigration::builder(
    ///     &client,
    ///     client.raw_table("old")?,
    ///     client.raw_table("new")?,
    ///     keys,
    ///     state,
    /// );
    /// let rekey = rekey.open().await?;
    /// let table = if rekey.phase().await?.reads_new() { "new" } else { "old" };
    /// assert_eq!(table, "old");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`RawTable::get`](crate::RawTable::get) for a state in a table;
    /// [`InvalidArgument`](ErrorKind::InvalidArgument) for a file that cannot be read;
    /// [`Decode`](ErrorKind::Decode) for a state that cannot be decoded.
    pub async fn phase(&self) -> Result<Phase> {
        self.0.read_phase().await.map_err(|error| error.with_operation("read phase"))
    }

    /// Writes a row. As long as writes go to the old table, awaits `on_old`, and then copies the
    /// whole row to the new table. Once only the new table is used, awaits `on_new` instead. The
    /// other future is dropped.
    ///
    /// Each of the two futures must make one change of this row only: a put, delete, increment,
    /// append or conditional change. The function returns the result of the future that it awaited.
    /// The change is not repeated on the new table: the cells that the old row has after the change
    /// are copied with their timestamps, so no increment or append is applied twice.
    ///
    /// See [`KeyMigration`] for an example.
    ///
    /// # Errors
    /// The errors of the write; [`Conflict`](ErrorKind::Conflict) for a row whose new key belongs
    /// to another old key, before anything is written; [`Busy`](ErrorKind::Busy) if the write had
    /// to wait too long while writes were being switched to the new table;
    /// [`OutcomeUnknown`](ErrorKind::OutcomeUnknown) if the old table was written, or may have
    /// been, and the new table may not have been. Then [`sync_row`](Self::sync_row) repeats the
    /// copy.
    pub async fn write<R>(
        &self,
        old_key: impl AsRef<[u8]>,
        on_old: impl Future<Output = Result<R>>,
        on_new: impl Future<Output = Result<R>>,
    ) -> Result<R> {
        let row = Bytes::copy_from_slice(old_key.as_ref());
        let describe = |error: Error| error.with_operation("write").on_table(self.0.old.name());
        let new_row = self.0.keys.new_key(&row).map_err(describe)?;
        let Some(permit) = self.0.write_permit().await.map_err(describe)? else {
            return on_new.await;
        };
        let end = permit.end.min(self.0.old.deadline());
        let copy = CopyOnDrop { inner: &self.0, row: &row, new_row: &new_row, end, armed: true };
        let written = timeout_at(end, on_old).await.unwrap_or_else(|_| {
            let text = "the write was not answered in time, and may or may not be on the server";
            Err(describe(Error::new(ErrorKind::OutcomeUnknown, text)).on_row(&row))
        });
        if let Err(error) = &written
            && error.kind() != ErrorKind::OutcomeUnknown
        {
            copy.disarm();
            return written;
        }
        let copied = self.0.copy_row_until_equal(&row, &new_row, end).await;
        copy.disarm();
        let Err(copying) = copied else { return written };
        let (error, text) = match written {
            Ok(_) => (copying, "the old table was written, and the new one may not have been"),
            // The copy had no time left: the error of the write says more.
            Err(error) => (error, "the write may not have been made"),
        };
        Err(describe(error.into_kind(ErrorKind::OutcomeUnknown, text)).on_row(&row))
    }

    /// Makes the row of the new table equal to the row of the old table; returns whether the rows
    /// were different.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Put, TableDescriptor, key_migration::{KeyMapping, KeyMigration, KeyMigrationState}};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # for table in ["old", "new"] {
    /// #     client.admin().create_table(&TableDescriptor::new(table)?.family(FamilyDescriptor::new("d"))).await?;
    /// # }
    /// # let keys = KeyMapping::new(|old| Ok(old.to_vec()), |new| Ok(new.to_vec()));
    /// # let state = KeyMigrationState::table(client.raw_table("new")?, "\0state", "d");
    /// # let rekey = KeyMigration::builder(&client, client.raw_table("old")?, client.raw_table("new")?, keys, state);
    /// # let rekey = rekey.open().await?;
    /// // A program that does not know of the new table.
    /// client.raw_table("old")?.put(Put::new("row1").cell("d", "q", "v")).await?;
    /// assert!(rekey.sync_row("row1").await?);
    /// assert!(client.raw_table("new")?.exists("row1").await?);
    /// assert!(!rekey.sync_row("row1").await?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`phase`](Self::phase), [`RawTable::get`](crate::RawTable::get),
    /// [`RawTable::mutate_row`](crate::RawTable::mutate_row) and
    /// [`KeyMapping::new_key`](super::KeyMapping::new_key). This function may be called again after
    /// any of these errors. [`InvalidArgument`](ErrorKind::InvalidArgument) once only the new table
    /// is used.
    pub async fn sync_row(&self, old_key: impl AsRef<[u8]>) -> Result<bool> {
        let row = old_key.as_ref();
        let synced = async {
            let new_row = self.0.keys.new_key(row)?;
            let permit = self.0.copy_permit().await?;
            self.0.copy_row_until_equal(row, &new_row, permit.end.min(self.0.old.deadline())).await
        };
        synced
            .await
            .map_err(|error: Error| error.with_operation("sync row").on_table(self.0.old.name()))
    }
}

/// Copies a row in the background if the future of a write is dropped between the writes to the two
/// tables.
struct CopyOnDrop<'a> {
    inner: &'a Arc<KeyMigrationInner>,
    row: &'a Bytes,
    new_row: &'a Bytes,
    end: Instant,
    armed: bool,
}

impl CopyOnDrop<'_> {
    fn disarm(mut self) {
        self.armed = false;
    }
}

impl Drop for CopyOnDrop<'_> {
    fn drop(&mut self) {
        let runtime = tokio::runtime::Handle::try_current().ok().filter(|_| self.armed);
        if let Some(runtime) = runtime {
            let (inner, end) = (self.inner.clone(), self.end);
            let (row, new_row) = (self.row.clone(), self.new_row.clone());
            // If the copy fails, a comparison of the tables finds the difference.
            runtime.spawn(async move { inner.copy_row_until_equal(&row, &new_row, end).await });
        }
    }
}

impl fmt::Debug for KeyMigration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyMigration({} -> {})", self.0.old.name(), self.0.new.name())
    }
}
