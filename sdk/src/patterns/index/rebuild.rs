//! The rebuild of indexes: compares rows with their entries, step by step, and repairs the entries.

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use bytes::Bytes;
use tokio::time::Instant;

use super::change_id::ChangeId;
use super::definition::Definition;
use super::entries::{
    ENTRIES_FAMILY, Entry, INTENTS_FAMILY, IndexRow, Intent, add_entry_to_delete,
};
use super::handle::IndexedTable;
use super::plan::{Change, ChangeKind};
use super::state::State;
use crate::runtime::tasks::run_concurrently;
use crate::table::{Table, WriteRow};
use crate::{Delete, Error, ErrorKind, Get, PageToken, Put, Result, Row, Scan};

/// How many rows are compared with their entries at once.
const BATCH: usize = 500;

/// A rebuild of the indexes of a table, which is run step by step.
///
/// See [`IndexedTable::rebuild`] for an example.
#[must_use = "nothing is done until `step` is called"]
pub struct IndexRebuild<T: Table> {
    state: Arc<State<T>>,
    position: RebuildPosition,
    report: RebuildReport,
}

/// What a rebuild has done so far.
///
/// See [`IndexedTable::rebuild`] for an example.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RebuildReport {
    /// Rows that were read.
    pub rows: u64,
    /// Rows whose entries were missing or wrong, and were repaired.
    pub rows_repaired: u64,
    /// Entries that were read.
    pub entries_read: u64,
    /// Entries that were deleted because no row has them.
    pub entries_removed: u64,
    /// The row keys of rows that got no entries, because another row has the same key in a unique
    /// index.
    pub duplicates: Vec<Bytes>,
    /// The row keys of rows that got no entries, because they do not match the type.
    pub unreadable: Vec<Bytes>,
}

/// The position of a rebuild, from which another process can resume the rebuild. The position can
/// be converted to text and back.
///
/// See [`IndexedTable::rebuild`] for an example.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RebuildPosition {
    /// 0 while rows are compared; n while the entries of the n-th index are compared.
    phase: usize,
    /// The position of the scan in this phase; `None` at the start.
    next: Option<PageToken>,
}

impl fmt::Display for RebuildPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-", self.phase)?;
        self.next.iter().try_for_each(|next| write!(f, "{next}"))
    }
}

impl FromStr for RebuildPosition {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let parse = || {
            let (phase, next) = text.split_once('-')?;
            let next = (!next.is_empty()).then(|| next.parse()).transpose().ok()?;
            Some(Self { phase: phase.parse().ok()?, next })
        };
        parse().ok_or_else(|| Error::invalid(format!("{text:?} is not the position of a rebuild")))
    }
}

impl<T: WriteRow + 'static> IndexedTable<T> {
    /// Returns a rebuild, which compares all rows with all index entries and corrects the entries.
    /// Use it for a new index of a table that already has rows, or after another program has
    /// written rows without their index entries.
    ///
    /// Writers may continue if they write through an `IndexedTable` with the same indexes. The
    /// rebuild first reads all rows, then all entries of each index. It may be stopped at any time,
    /// and then be started again or [resumed](IndexRebuild::resume) at the position that it had
    /// reached.
    ///
    /// ```
    /// use tallrow::{
    ///     Client, RowKey, Table,
    ///     index::{self, Index, IndexedTable, RebuildPosition},
    /// };
    ///
    /// # #[derive(RowKey)] struct Isbn { number: u64 }
    /// # #[derive(RowKey)] struct ByAuthor { #[key(escaped)] author: String, number: u64 }
    /// # #[derive(Table)] #[table(name = "books")] #[family("b")]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:a")] author: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create::<Book>().await?;
    /// # client.admin().create_table(&index::table_descriptor("books_by_author")?).await?;
    /// // A table with rows.
    /// let old: Vec<_> =
    ///     (0..600).map(|number| Book { isbn: Isbn { number }, author: "Ada".into() }).collect();
    /// client.table::<Book>().put_all(&old).await.into_result()?;
    ///
    /// let by_author =
    ///     Index::new("author", client.raw_table("books_by_author")?, |book: &Book| {
    ///         [ByAuthor { author: book.author.clone(), number: book.isbn.number }]
    ///     });
    /// let books = IndexedTable::builder(client.table::<Book>()).index(&by_author).build()?;
    /// // Those that are written from now on have entries.
    /// let new = [1_000, 1_001].map(|number| Book { isbn: Isbn { number }, author: "Ada".into() });
    /// books.put_all(&new).await.into_result()?;
    ///
    /// let mut rebuild = books.rebuild();
    /// rebuild.step().await?;
    /// assert_eq!(rebuild.report().rows, 500);
    /// let position: String = rebuild.position().to_string(); // to a file, for example
    ///
    /// let mut rebuild = books.rebuild().resume(position.parse()?);
    /// while rebuild.step().await? {
    ///     println!("{:?}", rebuild.report());
    /// }
    /// assert_eq!((rebuild.report().rows, rebuild.report().rows_repaired), (102, 100));
    /// # Ok(())
    /// # }
    /// ```
    pub fn rebuild(&self) -> IndexRebuild<T> {
        let (position, report) = (RebuildPosition::default(), RebuildReport::default());
        IndexRebuild { state: self.state.clone(), position, report }
    }
}

impl<T: WriteRow + 'static> IndexRebuild<T> {
    /// Makes the rebuild continue at the position that an earlier rebuild had reached.
    ///
    /// See [`IndexedTable::rebuild`] for an example of this and the other functions.
    pub fn resume(self, position: RebuildPosition) -> Self {
        Self { position, ..self }
    }

    /// The position that the rebuild has reached.
    pub fn position(&self) -> &RebuildPosition {
        &self.position
    }

    /// What the rebuild has done since it was begun or resumed.
    pub fn report(&self) -> &RebuildReport {
        &self.report
    }

    /// Processes the next 500 rows of the table or of an index, and returns whether more may have
    /// to be processed. It may be called again after an error.
    ///
    /// # Errors
    /// The errors of [`RawTable::scan_page`](crate::RawTable::scan_page),
    /// [`get`](crate::RawTable::get), [`put`](crate::RawTable::put),
    /// [`check_and_mutate`](crate::RawTable::check_and_mutate) and
    /// [`delete`](crate::RawTable::delete); [`Decode`](crate::ErrorKind::Decode) for a cell that is
    /// no entry of an index.
    pub async fn step(&mut self) -> Result<bool> {
        let step = async {
            let state = self.state.clone();
            let phase = self.position.phase;
            let scan = Scan::all().resume(self.position.next.as_ref());
            let (next, done) = match phase.checked_sub(1) {
                None => {
                    let scan = Scan { columns: state.columns.clone(), ..scan };
                    let page = state.raw.scan_page(scan, BATCH).await?;
                    (page.next, state.rebuild_rows(page.rows).await?)
                }
                Some(number) => {
                    let Some(index) = state.indexes.get(number) else { return Ok(false) };
                    let scan = scan.family(ENTRIES_FAMILY).family(INTENTS_FAMILY);
                    let page = index.table.scan_page(scan, BATCH).await?;
                    (page.next, state.rebuild_entries(index, page.rows).await?)
                }
            };
            self.report.rows += done.rows;
            self.report.rows_repaired += done.rows_repaired;
            self.report.entries_read += done.entries_read;
            self.report.entries_removed += done.entries_removed;
            self.report.duplicates.extend(done.duplicates);
            self.report.unreadable.extend(done.unreadable);
            let phase = if next.is_some() { phase } else { phase + 1 };
            self.position = RebuildPosition { phase, next };
            Ok(self.position.phase <= self.state.indexes.len())
        };
        step.await.map_err(|error: Error| error.with_operation("rebuild"))
    }
}

impl<T: Table> fmt::Debug for IndexRebuild<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "IndexRebuild({}: {:?})", self.position, self.report)
    }
}

/// An entry that a row has according to its marker: the number of the index, the key in the index,
/// and the entry.
type Known = (usize, Bytes, Entry);

impl<T: WriteRow + 'static> State<T> {
    async fn rebuild_rows(self: &Arc<Self>, rows: Vec<Row>) -> Result<RebuildReport> {
        let mut report = RebuildReport { rows: rows.len() as u64, ..RebuildReport::default() };
        let (mut known, mut wrong) = (Vec::new(), Vec::new());
        for row in rows {
            let key = row.copy_key();
            match self.known(&key, row) {
                Ok(Some(entries)) => known.extend(entries),
                Ok(None) => wrong.push(key),
                Err(error) if error.kind() == ErrorKind::Decode => report.unreadable.push(key),
                Err(error) => return Err(error),
            }
        }
        report.rows_repaired += self.put_missing(known).await?;
        let reindex = |row: &Bytes| {
            let (row, kind) = (row.clone(), ChangeKind::Reindex);
            self.change(Change { operation_name: "rebuild", row, kind, version: None })
        };
        let reindexes: Vec<_> = wrong.iter().map(reindex).collect();
        let done = run_concurrently(reindexes).await;
        for (row, result) in wrong.into_iter().zip(done) {
            match result {
                Ok(()) => report.rows_repaired += 1,
                Err(error) if error.kind() == ErrorKind::NotUnique => report.duplicates.push(row),
                Err(error) => return Err(error),
            }
        }
        Ok(report)
    }

    /// Returns the entries that a row has according to its marker; `None` if they are not exactly
    /// the entries for the index keys of the row.
    fn known(&self, key: &Bytes, row: Row) -> Result<Option<Vec<Known>>> {
        let before = self.separate_marker(Some(row))?;
        let Some(marker) = before.marker.map(|stored| stored.marker) else { return Ok(None) };
        let Some(row) = before.row else {
            return Ok((!marker.live || marker.entries.is_empty()).then(Vec::new));
        };
        let typed = T::from_row(&row).map_err(|e| e.on_table(self.raw.name()))?;
        let mut known = Vec::new();
        for (number, index) in self.indexes.iter().enumerate() {
            for index_key in index.keys(&typed)? {
                let Some(marked) = marker.entry(&index.name, &index_key) else { return Ok(None) };
                let entry = index.entry(marked.id, key, &row);
                known.push((number, index_key, entry));
            }
        }
        Ok((known.len() == marker.entries.len() && marker.live).then_some(known))
    }

    /// Puts those of the `known` entries that are missing in the tables of their indexes, and
    /// returns how many rows had missing entries.
    async fn put_missing(&self, known: Vec<Known>) -> Result<u64> {
        let deadline = self.raw.deadline();
        let mut of_indexes = vec![Vec::new(); self.indexes.len()];
        for entry in &known {
            if let Some(of_index) = of_indexes.get_mut(entry.0) {
                of_index.push(entry);
            }
        }
        let mut rows = HashSet::new();
        for (index, known) in self.indexes.iter().zip(of_indexes) {
            rows.extend(self.put_missing_of(index, known, deadline).await?);
        }
        Ok(rows.len() as u64)
    }

    /// Puts the missing entries of one index, and returns the keys of the rows to which they
    /// belong.
    async fn put_missing_of<'a>(
        &self,
        index: &Definition<T>,
        known: Vec<&'a Known>,
        deadline: Instant,
    ) -> Result<Vec<&'a Bytes>> {
        let get = |(_, key, entry): &&Known| Get::new(key).column(ENTRIES_FAMILY, entry.id.bytes());
        let gets: Vec<_> = known.iter().map(get).collect();
        let found = index.table.with_deadline(deadline).get_all(gets).await.into_result()?;
        let missing = known.into_iter().zip(found).filter(|((_, _, entry), found)| {
            let found = found.as_ref().and_then(|row| row.value(ENTRIES_FAMILY, entry.id.bytes()));
            found != Some(&entry.value()[..])
        });
        let missing: Vec<_> = missing.map(|(known, _)| known).collect();
        self.put_in_doubt(index, &missing, deadline).await?;
        Ok(missing.into_iter().map(|(_, _, entry)| &entry.row).collect())
    }

    /// Puts entries of one index, each with an intent, and then repairs the intents. A writer may
    /// have replaced an entry before the put of the entry arrives: the row then no longer has the
    /// entry, so readers skip it until the repair deletes it.
    async fn put_in_doubt(
        &self,
        index: &Definition<T>,
        entries: &[&Known],
        deadline: Instant,
    ) -> Result<()> {
        // No marker ever contains this change, so the repair does not have to prevent any change.
        let change = ChangeId::new();
        let intent = |entry: &Entry| Intent {
            entry_written_by: entry.id,
            change,
            required_marker_change: Some(change),
            row: entry.row.clone(),
        };
        let put =
            |(_, key, entry): &&Known| intent(entry).add_to_put(entry.add_to_put(Put::new(key)));
        let puts: Vec<_> = entries.iter().map(put).collect();
        index.table.with_deadline(deadline).put_all(puts).await.into_result()?;
        let repair = async |(_, key, entry): &Known| {
            self.repair_intent(index, key, &intent(entry), deadline).await
        };
        let repaired = run_concurrently(entries.iter().map(|known| repair(known))).await;
        repaired.into_iter().try_for_each(|kept| kept.map(drop))
    }

    /// Repairs the intents in these rows of an index, and deletes the entries that their rows in
    /// the table do not have.
    async fn rebuild_entries(
        &self,
        index: &Definition<T>,
        rows: Vec<Row>,
    ) -> Result<RebuildReport> {
        let deadline = self.raw.deadline();
        let mut report = RebuildReport::default();
        let rows = rows.iter().map(IndexRow::<()>::decode).collect::<Result<Vec<_>>>()?;
        report.entries_read = rows.iter().map(|row| row.entries.len() as u64).sum();
        let (mut repairs, mut entries) = (Vec::new(), Vec::new());
        for row in &rows {
            for intent in &row.intents {
                repairs.push(self.repair_intent(index, &row.key, intent, deadline));
            }
            // The entries in doubt are repaired together with their intents.
            let certain = row.entries.iter().filter(|entry| !row.is_in_doubt(entry.id));
            entries.extend(certain.map(|entry| (&row.key, entry)));
        }
        for kept in run_concurrently(repairs).await {
            report.entries_removed += u64::from(!kept?);
        }
        report.entries_removed += self.remove_wrong(index, entries, deadline).await?;
        Ok(report)
    }

    /// Deletes those of the `entries` that their rows do not have, and returns how many were
    /// deleted.
    async fn remove_wrong(
        &self,
        index: &Definition<T>,
        entries: Vec<(&Bytes, &Entry)>,
        deadline: Instant,
    ) -> Result<u64> {
        let rows = entries.iter().map(|(_, entry)| self.get_of_index_marker(&entry.row)).collect();
        let markers = self.read_index_markers(rows, deadline).await?;
        let wrong = entries.into_iter().zip(markers).filter(|((key, entry), stored)| {
            let marker = stored.as_ref().map(|stored| &stored.marker);
            !marker.is_some_and(|marker| marker.has_entry(&index.name, entry.id, key))
        });
        let deletes: Vec<_> = wrong
            .map(|((key, entry), _)| add_entry_to_delete(Delete::new(key), entry.id))
            .collect();
        let removed = deletes.len() as u64;
        index.table.with_deadline(deadline).delete_all(deletes).await.into_result()?;
        Ok(removed)
    }
}
