//! Finds changes that writers began before they stopped, and completes or undoes these changes.

use std::collections::HashSet;
use std::time::Duration;

use bytes::Bytes;
use tokio::time::Instant;

use super::definition::Definition;
use super::entries::{INTENTS_FAMILY, IndexRow, Intent, add_entry_to_delete};
use super::handle::IndexedTable;
use super::marker::IndexMarker;
use super::state::{DELETED_FOR, State};
use crate::raw_table::conditional_write::ConditionalOutcome;
use crate::reading::RowStream;
use crate::request::filter::{Comparator, CompareOperator};
use crate::runtime::tasks::run_concurrently;
use crate::table::Table;
use crate::{Delete, Error, Filter, Result, Row, Scan, Timestamp};

/// How many intents or markers are checked at once.
const BATCH: usize = 100;

/// What [`IndexedTable::repair`] found and did.
///
/// See [`IndexedTable::repair`] for an example.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RepairReport {
    /// Intents of writers that had stopped or were not done yet. A change has one intent for each
    /// entry that it adds or removes.
    pub intents: u64,
    /// Entries that were kept because their row has them, and that are no longer in doubt.
    pub entries_kept: u64,
    /// Entries that were deleted because their row does not have them.
    pub entries_removed: u64,
}

/// The number of changes that are not known to be done, and the age of the oldest of them.
///
/// See [`IndexedTable::lag`] for an example.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct IndexLag {
    /// How many changes were begun and are not completed in all indexes, including changes that are
    /// under way.
    pub changes: u64,
    /// How long ago the oldest of these changes began: the time from its start by the clock of its
    /// writer until now by the clock of this computer. `None` if there are no such changes.
    pub oldest: Option<Duration>,
}

impl<T: Table> IndexedTable<T> {
    /// Completes or undoes, in all indexes, the changes that writers began at least `older_than`
    /// ago and then left half-way.
    ///
    /// This function scans the intents, not the rows, so the time that it takes depends on the
    /// number of changes to repair. Writers may continue. A writer that is only slow has to begin
    /// its change again, so choose an `older_than` that is longer than a write takes. Several
    /// programs may call this function concurrently, and it may be called again after any error.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use tallrow::{Client, RowKey, Table, index::{self, Index, IndexedTable}};
    /// # use tallrow_mock::{Fault, MockCluster};
    /// # #[derive(RowKey)] struct Isbn { number: u64 }
    /// # #[derive(RowKey)] struct ByAuthor { #[key(escaped)] author: String, number: u64 }
    /// # #[derive(Table)] #[table(name = "books")] #[family("b")]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:a")] author: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let mock = MockCluster::start().await?;
    /// # let client = Client::connect(&mock.url()).await?;
    /// # client.admin().create::<Book>().await?;
    /// # client.admin().create_table(&index::table_descriptor("books_by_author")?).await?;
    /// # let by_author = Index::new("author", client.raw_table("books_by_author")?, |book: &Book| {
    /// #     [ByAuthor { author: book.author.clone(), number: book.isbn.number }]
    /// # });
    /// let books = IndexedTable::builder(client.table::<Book>()).index(&by_author).build()?;
    /// // The entry is written, then the writer stops.
    /// let class = "org.apache.hadoop.hbase.security.AccessDeniedException";
    /// mock.inject(Fault::on("Mutate").nth(2).times(1_000).throw_with_do_not_retry(class, "stop", true));
    /// assert!(books.put(&Book { isbn: Isbn { number: 1 }, author: "Ada".into() }).await.is_err());
    /// mock.clear_faults();
    ///
    /// assert_eq!(books.lag().await?.changes, 1);
    /// let repair = books.repair(Duration::ZERO).await?;
    /// assert_eq!((repair.intents, repair.entries_kept, repair.entries_removed), (1, 0, 1));
    /// assert_eq!(books.lag().await?.changes, 0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`RowStream::next_row`](crate::scan::RowStream::next_row),
    /// [`RawTable::get`](crate::RawTable::get), [`RawTable::delete`](crate::RawTable::delete) and
    /// [`RawTable::check_and_mutate`](crate::RawTable::check_and_mutate);
    /// [`Decode`](crate::ErrorKind::Decode) for a cell that is not an entry, intent or marker of an
    /// index.
    pub async fn repair(&self, older_than: Duration) -> Result<RepairReport> {
        let repair = async {
            let until = u64::try_from(older_than.as_millis()).unwrap_or(u64::MAX);
            let until = Timestamp::now().as_millis().saturating_sub(until);
            let mut done = RepairReport::default();
            for index in &self.state.indexes {
                let mut intents = Intents::of(index)?;
                while let Some(batch) = intents.next(BATCH).await? {
                    let mut repairs = Vec::new();
                    let deadline = self.state.raw.deadline();
                    for (key, intent) in &batch {
                        if intent.change.time().as_millis() <= until {
                            repairs.push(self.state.repair_intent(index, key, intent, deadline));
                        }
                    }
                    for kept in run_concurrently(repairs).await {
                        done.intents += 1;
                        *if kept? { &mut done.entries_kept } else { &mut done.entries_removed } +=
                            1;
                    }
                }
            }
            Ok(done)
        };
        repair.await.map_err(|error: Error| error.with_operation("repair"))
    }

    /// Returns how many changes are not known to be done, and how long ago the oldest of them
    /// began. An index is never behind its rows, but readers have to get the row of each entry that
    /// is in doubt.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table, index::{self, Index, IndexedTable}};
    /// # #[derive(RowKey)] struct Isbn { number: u64 }
    /// # #[derive(RowKey)] struct ByAuthor { #[key(escaped)] author: String, number: u64 }
    /// # #[derive(Table)] #[table(name = "books")] #[family("b")]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:a")] author: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create::<Book>().await?;
    /// # client.admin().create_table(&index::table_descriptor("books_by_author")?).await?;
    /// # let by_author = Index::new("author", client.raw_table("books_by_author")?, |book: &Book| {
    /// #     [ByAuthor { author: book.author.clone(), number: book.isbn.number }]
    /// # });
    /// let books = IndexedTable::builder(client.table::<Book>()).index(&by_author).build()?;
    /// books.put(&Book { isbn: Isbn { number: 1 }, author: "Ada".into() }).await?;
    /// let lag = books.lag().await?;
    /// assert_eq!((lag.changes, lag.oldest), (0, None));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`RowStream::next_row`](crate::scan::RowStream::next_row);
    /// [`Decode`](crate::ErrorKind::Decode) for a cell that is no entry of an index.
    pub async fn lag(&self) -> Result<IndexLag> {
        let lag = async {
            let mut changes = HashSet::new();
            for index in &self.state.indexes {
                let mut intents = Intents::of(index)?;
                while let Some(batch) = intents.next(BATCH).await? {
                    changes.extend(batch.into_iter().map(|(_, intent)| intent.change));
                }
            }
            let now = Timestamp::now().as_millis();
            let oldest = changes.iter().map(|change| change.time()).min();
            let oldest = oldest.map(|at| Duration::from_millis(now.saturating_sub(at.as_millis())));
            Ok(IndexLag { changes: changes.len() as u64, oldest })
        };
        lag.await.map_err(|error: Error| error.with_operation("lag"))
    }
}

impl<T: Table> IndexedTable<T> {
    /// Removes the markers of rows that were deleted more than an hour ago, and returns how many
    /// markers were removed.
    ///
    /// A deleted row keeps its marker for an hour, so that a slow writer notices the delete. On
    /// HBase the marker then expires, and this function does nothing. On Bigtable, a cell cannot
    /// have its own time to live, so this function has to be called from time to time. Each such
    /// marker is a row of about 17 bytes, which only reads through [`RawTable`](crate::RawTable)
    /// return. The servers read the markers of the whole table, and send the markers of deleted
    /// rows. Writers may continue.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table, index::IndexedTable};
    /// # #[derive(RowKey)] struct Id { id: u64 }
    /// # #[derive(Table)] #[table(name = "items")] #[family("d")]
    /// # struct Item { #[key] id: Id, #[cell("d:v")] value: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create::<Item>().await?;
    /// let items = IndexedTable::builder(client.table::<Item>()).build()?;
    /// items.put(&Item { id: Id { id: 1 }, value: "a".into() }).await?;
    /// items.delete(&Id { id: 1 }).await?;
    /// assert_eq!(items.purge_deleted().await?, 0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`RowStream::next_row`](crate::scan::RowStream::next_row) and
    /// [`RawTable::check_and_mutate`](crate::RawTable::check_and_mutate);
    /// [`Decode`](crate::ErrorKind::Decode) for a cell that is not the marker of an index. This
    /// function may be called again after any of these errors.
    pub async fn purge_deleted(&self) -> Result<u64> {
        let state = &self.state;
        if state.raw.has_delete_markers() {
            return Ok(0);
        }
        let purge = async {
            let deleted = Comparator::binary_prefix(IndexMarker::DELETED_PREFIX);
            let scan = Scan::all().column(&state.family, &state.qualifier);
            let scan = scan.filter(Filter::value(CompareOperator::Equal, deleted));
            let (mut rows, mut purged) = (state.raw.scan(scan)?, 0);
            loop {
                let mut batch = Vec::new();
                while batch.len() < BATCH {
                    let Some(row) = rows.next_row().await? else { break };
                    batch.push(row);
                }
                if batch.is_empty() {
                    return Ok(purged);
                }
                let deadline = state.raw.deadline();
                let purges = batch.into_iter().map(|row| state.purge(row, deadline));
                for done in run_concurrently(purges).await {
                    purged += u64::from(done?);
                }
            }
        };
        purge.await.map_err(|error: Error| error.with_operation("purge deleted"))
    }
}

/// A scan of the intents in an index's table, each with its row key in that table.
struct Intents(RowStream);

impl Intents {
    fn of<T>(index: &Definition<T>) -> Result<Self> {
        Ok(Self(index.table.scan(Scan::all().family(INTENTS_FAMILY))?))
    }

    /// Returns at least `wanted` intents, or all remaining intents if there are fewer; `None` at
    /// the end.
    async fn next(&mut self, wanted: usize) -> Result<Option<Vec<(Bytes, Intent)>>> {
        let mut intents = Vec::new();
        while intents.len() < wanted {
            let Some(row) = self.0.next_row().await? else { break };
            let row: IndexRow<()> = IndexRow::decode(&row)?;
            intents.extend(row.intents.into_iter().map(|intent| (row.key.clone(), intent)));
        }
        Ok((!intents.is_empty()).then_some(intents))
    }
}

impl<T: Table> State<T> {
    /// Deletes the marker of a row that was deleted long ago, unless the row has changed; returns
    /// whether the marker was deleted.
    async fn purge(&self, row: Row, deadline: Instant) -> Result<bool> {
        let key = row.copy_key();
        let Some(stored) = self.separate_marker(Some(row))?.marker else { return Ok(false) };
        let ends = stored.time.as_millis().saturating_add(DELETED_FOR.as_millis() as u64);
        if stored.marker.live || ends > Timestamp::now().as_millis() {
            return Ok(false);
        }
        let delete = Delete::new(&key).column(&self.family, &self.qualifier);
        let check = self.if_unchanged(&key, Some(&stored)).then(delete);
        // If the outcome is unknown and the marker is still there, the next call finds it.
        Ok(matches!(
            ConditionalOutcome::send(&self.raw.with_deadline(deadline), check).await?,
            ConditionalOutcome::Applied
        ))
    }

    /// Makes sure that the change that wrote an intent has been made or can never be made. Then
    /// deletes the intent, and also its entry if the row does not have the entry. Returns whether
    /// the row has the entry.
    pub(super) async fn repair_intent(
        &self,
        index: &Definition<T>,
        key: &Bytes,
        intent: &Intent,
        deadline: Instant,
    ) -> Result<bool> {
        let marker = self.fence(&intent.row, intent.required_marker_change, deadline).await?;
        let keep = marker
            .is_some_and(|marker| marker.has_entry(&index.name, intent.entry_written_by, key));
        let delete = intent.add_to_delete(Delete::new(key));
        let delete =
            if keep { delete } else { add_entry_to_delete(delete, intent.entry_written_by) };
        index.table.with_deadline(deadline).delete(delete).await?;
        Ok(keep)
    }
}
