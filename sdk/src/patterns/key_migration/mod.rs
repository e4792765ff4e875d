//! Changes the row keys of existing rows: of one row, or of a whole table.
//!
//! A key cannot be changed in place: the row is written under its new key and deleted under the old
//! one.
//!
//! # Moving a row
//!
//! [`RawTable::move_row`](crate::RawTable::move_row) and
//! [`TypedTable::move_row`](crate::TypedTable::move_row) copy all cells of a row with their times,
//! read the copy, and then delete the old row on the condition that it has not changed.
//!
//! | stopped after | the next call |
//! |---|---|
//! | nothing was written | moves the row |
//! | the copy was written | compares the rows, and deletes the old one |
//! | the old row was deleted | returns [`AlreadyMoved`](MoveOutcome::AlreadyMoved) |
//!
//! - The old row is deleted only if the copy has all cells of the old row.
//! - A write to the old row during the move is noticed if it changes the newest version of any
//!   column, adds a column or removes a column: the condition of the delete compares the time and
//!   value of the newest version of every column in one step (HBase 2.4 and later). Such a write is
//!   then copied too. Three kinds of writes are not noticed: a write with a given time that is
//!   older than the newest version of its column; a delete of the newest version, if the next
//!   version has the same value; and a delete of the whole row, which looks as if another call had
//!   moved the row.
//! - A row that exists under the new key is regarded as a copy in two cases: the old row has or had
//!   all cells of the copy, or the copy has all cells of the old row, with the same times and
//!   values. If a call stops, and the old row is overwritten and compacted before the next call,
//!   the copy may be regarded as a different row: then both rows stay as they are, and the call
//!   returns [`TargetOccupied`](MoveOutcome::TargetOccupied).
//! - A cell cannot be moved to a key under which cells were deleted at a later time than its
//!   timestamp, for example back to a key that the row had before: see
//!   [`CopyHidden`](MoveOutcome::CopyHidden).
//!
//! A move takes 7 calls: 2 gets, a checked put, 2 gets, a scan of the row, and a checked delete. A
//! move that is already done takes 2 gets.
//!
//! # A whole table
//!
//! [`KeyMigration`] changes all keys of a table, for example their salt, width or order, while the
//! table is read and written. The rows are copied to a second table, and a
//! [state](KeyMigrationState) in a table or a directory records the progress.
//!
//! | step | | reads | writes |
//! |---|---|---|---|
//! | 1 | create the new table; [`check_keys`](KeyMigration::check_keys) | old | old |
//! | 2 | all writers use [`KeyMigration::write`] | old | both |
//! | 3 | [`backfill`](KeyMigration::backfill): copy the rows that are there | old | both |
//! | 4 | [`verify`](KeyMigration::verify), with `repair` if something is different | old | both |
//! | 5 | [`switch_reads`](KeyMigration::switch_reads) | new | both |
//! | 6 | [`switch_writes`](KeyMigration::switch_writes) | new | new |
//!
//! Every step may be stopped and called again, by the same process or another one.
//!
//! The old table is authoritative until the last step. A write is sent to the old table alone; then
//! the new row is made equal to the old one: versions that the new row lacks are put with their
//! times, and versions that the old row does not have any more are deleted. The back-fill copies
//! rows in the same way. Writers and the back-fill read the old row once more after they have
//! written the copy, and repeat the copy if it has become wrong. So the last copy is right, in
//! whatever order copies arrive:
//! - a cell that is newer than a cell copied by the back-fill takes precedence, because its
//!   timestamp is later;
//! - a cell that is deleted while it is copied does not reappear, because the second read finds
//!   that it is gone;
//! - increments and appends are made once, on the old table, and their results are copied to the
//!   new table.
//!
//! If the process of a writer ends between the writes to the two tables, or a write whose outcome
//! was unknown arrives later, the row differs between the tables until it is written again or
//! [`verify`](KeyMigration::verify) repairs it. `switch_reads` requires that a comparison has found no
//! difference.
//!
//! | | calls | rows |
//! |---|---|---|
//! | [`write`](KeyMigration::write) | the write, 3 gets, 1 put | 1 |
//! | the same, if it changed nothing | the write, 2 gets | |
//! | a page of the back-fill | 2 scans, 1 batch of puts, 1 put for the state | 500 |
//! | [`verify`](KeyMigration::verify) | 1 scan and 1 batch of gets for 500 rows, for each table | all |
//!
//! The time to live of single cells ([`Put::ttl`](crate::Put::ttl)) is not copied, because servers
//! do not return it; the copies live as long as their family allows. Changes by writers that do not
//! use `write` are copied only if the back-fill or `repair` finds them.

mod backfill;
mod builder;
mod cells;
mod copying;
mod handle;
mod keys;
mod lease;
mod move_row;
mod page;
mod phase;
mod progress;
mod ranges;
mod state;
mod switch;
mod table_pair;
mod verify;

pub use backfill::Backfill;
pub use builder::KeyMigrationBuilder;
pub use handle::KeyMigration;
pub use keys::KeyMapping;
pub use move_row::MoveOutcome;
pub use phase::Phase;
pub use progress::BackfillProgress;
pub use state::KeyMigrationState;
pub use verify::{Difference, Verification, VerifyReport};
