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
//! Rows and columns take the same space: every cell has its row key, family and qualifier, so an
//! item moves bytes from the one to the other. A packed item has none of them, and takes its bytes
//! and one for its length.
//!
//! For *newest first*, the time in the row key or qualifier is descending: `#[key(rev_ts)]`, or a
//! [`KeyQualifier`](crate::value::KeyQualifier) with such a field. A page then starts with the
//! newest item.
//!
//! Versions are not for lists: HBase removes them by their number and age, two at the same time are
//! one, and a table keeps one by default. Hundreds of versions of a cell slow down every read of
//! its row.
//!
//! [`TableScan::page`]: crate::table::TableScan::page
//! [`CellScan::page`]: crate::table::CellScan::page

mod packed_list;

pub use packed_list::PackedList;
