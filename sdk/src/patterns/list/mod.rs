//! Lists and feeds: the items of a user, the posts of a wall, the newest events.
//!
//! There are four ways to store a list, which differ in what a write and a read cost:
//!
//! | | key and cell | add an item | read a page | delete an item | it fits |
//! |---|---|---|---|---|---|
//! | rows per item | `[user][item]`, one cell | 1 put | a scan: [`TableScan::page`] | 1 delete | any length; the first choice |
//! | columns per item | `[user]`, a cell for each item | 1 put | 1 get: [`CellScan::page`] | 1 delete | up to some 100,000 items, in one region; all of a user in one atomic change |
//! | packed | `[user]`, one cell for all items | 1 append, which writes the cell again | 1 get of all items | read, check, put | some hundred short items: [`PackedList`] |
//! | versions | `[user]`, one cell, whose versions are the items | 1 put | 1 get of some versions | 1 delete | the last few values of one thing |
//!
//! A row for each item and a column for each item take the same space: every cell contains its row
//! key, family and qualifier, so the bytes of an item are either in the row key or in the
//! qualifier. A packed item has no row key, family or qualifier of its own: it takes only its
//! bytes, and one byte for its length.
//!
//! For a list with the newest item first, encode the time in the row key or qualifier in descending
//! order: with `#[key(rev_ts)]`, or a [`KeyQualifier`](crate::value::KeyQualifier) with such a
//! field. A page then starts with the newest item.
//!
//! Versions are not meant for lists: HBase removes versions by their number and age, a version
//! replaces another version with the same timestamp, and a table keeps one version by default.
//! Hundreds of versions of a cell slow down every read of its row.
//!
//! [`TableScan::page`]: crate::table::TableScan::page
//! [`CellScan::page`]: crate::table::CellScan::page

mod packed_list;

pub use packed_list::PackedList;
