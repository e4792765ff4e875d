//! Other row keys for rows that exist: one row, or a whole table.
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
//! - The old row is deleted only while the copy has all of its cells.
//! - A write to the old row before it is deleted is noticed if it changes the newest version of any
//!   column, adds a column or removes one: the delete's condition compares column, time and value
//!   of all of them in one step (HBase 2.4 and later). The change is then copied too. What is not
//!   noticed is a write with a time of its own that is older than the newest version of its column;
//!   a delete of the newest version, if the next one has the same value; and a delete of the whole
//!   row, which looks as if another call had moved it.
//! - A row at the new key is taken for a copy if the old row has or had all of its cells, or all
//!   cells of the old row are in it, with the same times and values. If the old row is overwritten
//!   after a call stopped, and compacted before the next one, the copy may count as another row:
//!   both stay as they are, [`TargetOccupied`](MoveOutcome::TargetOccupied).
//! - A cell cannot move to a key where something was deleted after its time, for example back to an
//!   earlier key: see [`CopyHidden`](MoveOutcome::CopyHidden).
//!
//! A move takes 7 calls: 2 gets, a checked put, 2 gets, a scan of the row, a checked delete. One
//! that is done already takes 2 gets.
//!
//! # A whole table
//!
//! [`KeyMigration`] gives another salt, width or order to all keys of a table while it is read and
//! written. The rows go to a second table, and a [state](KeyMigrationState) in a table or a
//! directory says how far it is.
//!
//! | step | | reads | writes |
//! |---|---|---|---|
//! | 1 | create the new table; [`check_keys`](KeyMigration::check_keys) | old | old |
//! | 2 | all writers use [`KeyMigration::write`] | old | both |
//! | 3 | [`backfill`](KeyMigration::backfill): copy the rows that are there | old | both |
//! | 4 | [`verify`](KeyMigration::verify), with `repair` if something is different | old | both |
//! | 5 | [`read_new`](KeyMigration::read_new) | new | both |
//! | 6 | [`switch_writes`](KeyMigration::switch_writes) | new | new |
//!
//! Every step may be stopped and called again, by the same process or another one.
//!
//! The old table decides until the last step. A write goes to it alone; then the new row is made
//! equal to the old one: versions that it lacks are put with their times, and versions that the old
//! row does not have any more are deleted. The back-fill copies rows in the same way. Both read the
//! old row once more after they have written, and repeat the copy if it has become wrong. So
//! whatever order copies arrive in, the last one is right:
//! - a newer cell wins over one that the back-fill copies, as it has a later time;
//! - what is deleted while it is copied does not come back, as the second read finds it gone;
//! - increments and appends are made once, by the old table, and the new one gets their results.
//!
//! If a writer's process ends between the two tables, or a write whose outcome was unknown arrives
//! later, that row is different until it is written again or [`verify`](KeyMigration::verify)
//! repairs it. `read_new` insists on a comparison without differences.
//!
//! | | calls | rows |
//! |---|---|---|
//! | [`write`](KeyMigration::write) | the write, 3 gets, 1 put | 1 |
//! | the same, if it changed nothing | the write, 2 gets | |
//! | a page of the back-fill | 2 scans, 1 batch of puts, 1 put for the state | 500 |
//! | [`verify`](KeyMigration::verify) | 1 scan and 1 batch of gets for 500 rows, for each table | all |
//!
//! Not copied: the time to live of single cells ([`Put::ttl`](crate::Put::ttl)), which servers do
//! not tell; the copies live as long as their family. Writers that do not use `write` are not
//! copied either, apart from what the back-fill and `repair` find.

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
pub use verify::{Difference, Verify, VerifyReport};
