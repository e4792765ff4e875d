//! Moves one row to another key: copies its cells, reads the copy, and deletes the old row if it
//! has not changed.
//!
//! # Invariants
//!
//! - A row that is moved is never lost, and exists once in the end: the copy is read before the old
//!   row is deleted, and the old row is deleted only if it has not changed. Tests:
//!   `tests/suites/faults/rekey.rs::a_move_that_stopped_at_any_call_is_completed_by_the_next`,
//!   `tests/suites/faults/rekey.rs::a_write_between_any_two_calls_of_a_move_is_moved_too`.

use bytes::Bytes;
use tokio::time::Instant;

use super::cells::{Cells, VersionLimits, read_cell_history, read_cells};
use crate::raw_table::conditional_write::ConditionalOutcome;
use crate::runtime::lost_replies::LostReplies;
use crate::runtime::lost_replies::unknown_to_unreachable;
use crate::{Error, ErrorKind, Get, RawTable, Result, Table, TypedTable};

/// How many times the old row may change while it is moved.
const CHANGES: u32 = 16;
/// How many columns a row may have: the condition of the delete contains every column.
const MAX_COLUMNS: usize = 2_000;

/// The result of moving a row.
///
/// See [`RawTable::move_row`] for an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[must_use = "the row may be where it was"]
pub enum MoveOutcome {
    /// The row is under the new key, with all its cells and their times, and no longer under the
    /// old key.
    Moved,
    /// There is no row under the old key, and there is one under the new key: another call has
    /// moved the row.
    AlreadyMoved,
    /// There is no row under either key.
    NotFound,
    /// There is another row under the new key. Nothing was changed.
    ///
    /// A copy of the row is mistaken for another row if an earlier call stopped after it wrote the
    /// copy, and the old row then lost values that the copy still has: because of the limit of
    /// versions of the family, or because a counter was incremented twice within a millisecond. In
    /// this case, delete the copy before moving the row.
    TargetOccupied,
    /// The old row kept changing. It is still under its old key, and the next call completes the
    /// copy under the new key.
    ChangedMeanwhile,
    /// The row is still under its old key, because its copy under the new key cannot be read in
    /// full. There are two possible reasons. A row was deleted under the new key, or moved away
    /// from it, at a later time than the timestamps of this row's cells: HBase hides cells that are
    /// older than a delete until a major compaction. Or the table of the new key keeps fewer
    /// versions, or keeps them for a shorter time.
    CopyHidden,
}

impl RawTable {
    /// Moves a row to another key of this table: copies all its cells with their times, reads the
    /// copy, and deletes the old row if it has not changed.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Put, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// use tallrow::key_migration::MoveOutcome;
    ///
    /// table.put(Put::new("berlin|7").cell("d", "name", "Ada")).await?;
    /// assert_eq!(table.move_row("berlin|7", "paris|7").await?, MoveOutcome::Moved);
    /// assert_eq!(table.get("paris|7").await?.unwrap().value("d", "name"), Some(&b"Ada"[..]));
    /// assert!(!table.exists("berlin|7").await?);
    ///
    /// assert_eq!(table.move_row("berlin|7", "paris|7").await?, MoveOutcome::AlreadyMoved);
    /// assert_eq!(table.move_row("berlin|8", "paris|8").await?, MoveOutcome::NotFound);
    /// table.put(Put::new("berlin|9").cell("d", "name", "Bob")).await?;
    /// assert_eq!(table.move_row("berlin|9", "paris|7").await?, MoveOutcome::TargetOccupied);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// HBase cannot change two rows in one step, so for a short time the row is under both keys. If
    /// the call stops during that time, the next call with the same keys continues the move. See
    /// [the module](crate::key_migration#moving-a-row) for what is guaranteed while others write,
    /// and for the cost.
    ///
    /// # Errors
    /// The errors of [`get`](RawTable::get) and [`check_and_mutate`](RawTable::check_and_mutate),
    /// except that an outcome is never unknown: this function may be called again after any of
    /// these errors. [`InvalidArgument`](crate::ErrorKind::InvalidArgument) if both keys are the
    /// same, or the row has more than 2,000 columns.
    pub async fn move_row(
        &self,
        from: impl AsRef<[u8]>,
        to: impl AsRef<[u8]>,
    ) -> Result<MoveOutcome> {
        self.move_row_to(from, self, to).await
    }

    /// Moves a row to another table, like [`move_row`](RawTable::move_row) within one table. The
    /// other table must have the same families.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Put, TableDescriptor, key_migration::MoveOutcome};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # for table in ["orders", "done"] {
    /// #     client.admin().create_table(&TableDescriptor::new(table)?.family(FamilyDescriptor::new("d"))).await?;
    /// # }
    /// let (orders, done) = (client.raw_table("orders")?, client.raw_table("done")?);
    /// orders.put(Put::new("7").cell("d", "what", "a lamp")).await?;
    /// assert_eq!(orders.move_row_to("7", &done, "2026|7").await?, MoveOutcome::Moved);
    /// assert!(done.exists("2026|7").await? && !orders.exists("7").await?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`move_row`](RawTable::move_row).
    pub async fn move_row_to(
        &self,
        from: impl AsRef<[u8]>,
        table: &RawTable,
        to: impl AsRef<[u8]>,
    ) -> Result<MoveOutcome> {
        let deadline = self.deadline();
        let (from, to) = (from.as_ref(), to.as_ref());
        if self.name() == table.name() && from == to {
            let error = Error::invalid("the old key and the new one are the same");
            let row = Bytes::copy_from_slice(from);
            return Err(error.with_operation("move row").on_table(self.name()).on_row(&row));
        }
        let mut moving = Move {
            source: self.with_deadline(deadline),
            from,
            target: table.with_deadline(deadline),
            to,
            deadline,
            written: Cells::default(),
            sent: Cells::default(),
            delete_sent: false,
            lost: LostReplies::default(),
        };
        moving.run().await.map_err(|error| unknown_to_unreachable(error).with_operation("move row"))
    }
}

impl<T: Table> TypedTable<T> {
    /// Moves a row to another key of this table, with all its cells, including cells that the type
    /// does not have.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table};
    /// use tallrow::key_migration::MoveOutcome;
    ///
    /// #[derive(RowKey, Clone, Debug, PartialEq)]
    /// struct TaskKey { done: bool, id: u32 }
    ///
    /// #[derive(Table)]
    /// #[table(name = "tasks")]
    /// #[family("d")]
    /// struct Task { #[key] key: TaskKey, #[cell("d:t")] title: String }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create::<Task>().await?;
    /// let tasks = client.table::<Task>();
    /// let (open, done) = (TaskKey { done: false, id: 7 }, TaskKey { done: true, id: 7 });
    /// tasks.put(&Task { key: open.clone(), title: "Pack".into() }).await?;
    /// assert_eq!(tasks.move_row(&open, &done).await?, MoveOutcome::Moved);
    /// assert_eq!(tasks.get(&done).await?.unwrap().title, "Pack");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Hooks are not called.
    ///
    /// # Errors
    /// The errors of [`RawTable::move_row`]; also if a key cannot be encoded.
    pub async fn move_row(&self, from: &T::Key, to: &T::Key) -> Result<MoveOutcome> {
        let row = |key| {
            self.encode_row_key("move row", key).map(|row| Bytes::copy_from_slice(row.as_ref()))
        };
        let (from, to) = (row(from)?, row(to)?);
        self.raw()?.move_row(from, to).await
    }
}

/// A row that is being moved.
struct Move<'a> {
    source: RawTable,
    from: &'a [u8],
    target: RawTable,
    to: &'a [u8],
    deadline: Instant,
    /// The cells that are known to have been put under the new key.
    written: Cells,
    /// The cells that were put under the new key, or may have been.
    sent: Cells,
    /// Whether the old row may have been deleted by this call.
    delete_sent: bool,
    lost: LostReplies,
}

impl Move<'_> {
    async fn run(&mut self) -> Result<MoveOutcome> {
        let mut changes = 0;
        while changes < CHANGES {
            let source = read_cells(&self.source, self.from).await?;
            let target = read_cells(&self.target, self.to).await?;
            if source.is_empty() {
                return Ok(match target.is_empty() {
                    false if self.delete_sent => MoveOutcome::Moved,
                    false => MoveOutcome::AlreadyMoved,
                    true => MoveOutcome::NotFound,
                });
            }
            if target.is_empty() {
                if self.written.contains(&source) {
                    return Ok(MoveOutcome::CopyHidden);
                }
                self.check_size(&source).await?;
                self.copy(source).await?;
                continue;
            }
            let mut own = self.sent.clone();
            own.extend(source.clone());
            if !own.contains(&target) {
                // The target may be an older copy, which a call made before the old row changed.
                own.extend(read_cell_history(&self.source, self.from).await?);
            }
            let copied = target.common(&own);
            if copied != target && !target.contains(&source) {
                return Ok(match self.sent.is_empty() {
                    true => MoveOutcome::TargetOccupied,
                    false => MoveOutcome::ChangedMeanwhile,
                });
            }
            let missing = source.changes_to_copy(&copied, &VersionLimits::new());
            if missing.is_empty() {
                match self.delete(&source).await? {
                    ConditionalOutcome::Applied => return Ok(MoveOutcome::Moved),
                    ConditionalOutcome::NotApplied => changes += 1,
                    ConditionalOutcome::Unknown(error) => {
                        self.delete_sent = true;
                        self.lost.count_before_repeat(error, self.deadline)?;
                    }
                }
            } else if self.written.contains(&source) && !missing.puts.is_empty() {
                return Ok(MoveOutcome::CopyHidden);
            } else {
                self.sent.extend(source.clone());
                self.target.mutate_row(missing.mutation(self.to)).await?;
                self.written.extend(source);
                changes += 1;
            }
        }
        Ok(MoveOutcome::ChangedMeanwhile)
    }

    async fn copy(&mut self, source: Cells) -> Result<()> {
        let Some(put) = source.put_if_absent(self.to) else { return Ok(()) };
        self.sent.extend(source.clone());
        match ConditionalOutcome::send(&self.target, put).await? {
            ConditionalOutcome::Applied => self.written.extend(source),
            ConditionalOutcome::NotApplied => {}
            ConditionalOutcome::Unknown(error) => {
                self.lost.count_before_repeat(error, self.deadline)?
            }
        }
        Ok(())
    }

    /// Returns an error, before anything is written, for a row that cannot be compared in one step.
    async fn check_size(&self, source: &Cells) -> Result<()> {
        let invalid = |text: String| {
            let row = Bytes::copy_from_slice(self.from);
            Err(Error::invalid(text).on_table(self.source.name()).on_row(&row))
        };
        let columns = source.column_count();
        if columns > MAX_COLUMNS {
            return invalid(format!(
                "the row has {columns} columns, and at most {MAX_COLUMNS} can be compared in one step"
            ));
        }
        // A read with this condition is refused if the conditional delete would be.
        let bounded = !self.source.has_delete_markers();
        let Some(filter) = source.unchanged_filter(source).filter(|_| bounded) else {
            return Ok(());
        };
        match self.source.exists(Get::new(self.from).filter(filter)).await {
            Err(error) if error.kind() == ErrorKind::InvalidArgument => {
                let text = format!(
                    "the row has {columns} columns, whose names and values are more than Bigtable compares in one step"
                );
                invalid(text)
            }
            result => result.map(drop),
        }
    }

    async fn delete(&self, source: &Cells) -> Result<ConditionalOutcome> {
        let history = read_cell_history(&self.source, self.from).await?;
        match source.delete_if_unchanged(self.from, &history) {
            Some(delete) => ConditionalOutcome::send(&self.source, delete).await,
            None => Ok(ConditionalOutcome::NotApplied),
        }
    }
}
