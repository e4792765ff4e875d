//! Secondary indexes, which find rows by keys other than their row keys.
//!
//! HBase finds a row only by its row key. An [`Index`] is a second table, which is sorted by other
//! keys, and each of its entries contains the row key of a row in the first table. An
//! [`IndexedTable`] writes to both tables, so that readers see the right rows at any time, even
//! while rows change and after a writer has stopped half-way.
//!
//! ```
//! use tallrow::{
//!     Client, RowKey, Table,
//!     index::{self, Index, IndexedTable},
//! };
//!
//! #[derive(RowKey, Clone)]
//! struct Isbn {
//!     number: u64,
//! }
//!
//! /// Ends with the key of the book, since an author has many.
//! #[derive(RowKey)]
//! struct ByAuthor {
//!     #[key(escaped)]
//!     author: String,
//!     number: u64,
//! }
//!
//! #[derive(Table)]
//! #[table(name = "books")]
//! #[family("b")]
//! struct Book {
//!     #[key]
//!     isbn: Isbn,
//!     #[cell("b:a")]
//!     author: String,
//!     #[cell("b:t")]
//!     title: String,
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> tallrow::Result<()> {
//! let client = Client::connect("mock:").await?;
//! client.admin().create::<Book>().await?;
//! client.admin().create_table(&index::table_descriptor("books_by_author")?).await?;
//!
//! let by_author = Index::new("author", client.raw_table("books_by_author")?, |book: &Book| {
//!     [ByAuthor { author: book.author.clone(), number: book.isbn.number }]
//! });
//! let books = IndexedTable::builder(client.table::<Book>()).index(&by_author).build()?;
//! for (number, author, title) in [(1, "Ada", "Notes"), (2, "Bob", "Diary"), (3, "Ada", "Letters")]
//! {
//!     books
//!         .put(&Book { isbn: Isbn { number }, author: author.into(), title: title.into() })
//!         .await?;
//! }
//! books.delete(&Isbn { number: 1 }).await?;
//!
//! let mut of_ada = books.scan_by(&by_author, ByAuthor::scan().author("Ada")).rows();
//! assert_eq!(of_ada.next_row().await?.unwrap().title, "Letters");
//! assert!(of_ada.next_row().await?.is_none());
//! # Ok(())
//! # }
//! ```
//!
//! # A change of a row
//! 1. The row and its marker are read. The marker is a cell of the row (by default `_index` in the
//!    first family of the type) that contains the identity of the last change and the list of the
//!    row's entries.
//! 2. The new entries are written, each with an intent in the same row of the index's table. An
//!    intent contains the row key, and the identity of the change that the row's marker must still
//!    contain for the new change to be made. An intent is also written for each entry that the row
//!    will no longer have.
//! 3. If the row still has the marker that was read, the row is changed and gets a new marker.
//!    Otherwise the new entries are deleted, and the change begins again.
//! 4. The old entries and all intents of the change are deleted.
//!
//! So all entries of a row exist before the row can be read, and an entry without an intent is
//! right. If a writer stops half-way, its intents remain, and [`repair`](IndexedTable::repair)
//! finds by them the entries that it has to check. The qualifier of each entry and intent contains
//! the identity of its change, so no writer deletes what another writer writes at the same index
//! key.
//!
//! # Guarantees
//! These guarantees hold for rows that are written only through an `IndexedTable`, with any number
//! of tasks and processes, even if replies are lost and writers stop at any point:
//!
//! - [`rows`](IndexScan::rows) returns a row only if it had the index key when it was read, and
//!   once for each index key. It returns every row that had the index key during the whole scan.
//!   [`covered`](IndexScan::covered) returns the columns of such rows.
//! - In a unique index, at most one row has a given key. If two writers concurrently write rows
//!   with the same key, both may have to begin again, but one of them succeeds.
//! - A change is made once or not at all. If it is not known which, the error is
//!   [`OutcomeUnknown`](crate::ErrorKind::OutcomeUnknown), and the indexes are right in both cases.
//! - A change that has begun is completed even if its future is dropped.
//!
//! A scan is not a snapshot: a row whose index key changes during the scan may be found at both
//! keys or, if it moves to a part that the scan has already passed, at neither. Changes of two rows
//! are two separate steps.
//!
//! # Cost
//! The numbers are for one index, if no other writer interferes. Writes to several indexes are made
//! concurrently and share calls.
//!
//! | | round trips | operations |
//! |---|---|---|
//! | insert | 4 | get, put of an entry, checked put, delete of an intent |
//! | put, same key, no covered columns | 2 | get, checked put |
//! | put, other key or covered columns | 4 | get, 2 puts, checked put, 2 deletes (1 of each if the key is the same) |
//! | delete | 4 | get of the whole row, put of an intent, checked delete, delete of an entry |
//! | a new key in a unique index | 1 more | get |
//! | `rows`, n found | | a scan of the index, n gets in shared calls |
//! | `covered`, n found | | a scan of the index, a get for each entry in doubt |
//!
//! An entry consists of the index key, 18 bytes, the row key and the covered cells. The marker
//! consists of 17 bytes and, for each entry, the index key, the name of the index and 19 bytes.
//! Deleted entries and intents take space until a major compaction of the index's table.
//!
//! # Rules
//! - All programs that write to the table must use the same indexes, with the same names and
//!   functions. A program does not change a row that has an entry in an index unknown to this
//!   program.
//! - Cells on which no index key depends and which no entry contains, such as counters, may also be
//!   changed through [`table`](IndexedTable::table). All other cells may be changed only through
//!   the `IndexedTable`; [`rebuild`](IndexedTable::rebuild) repairs the indexes after other
//!   programs have changed rows.
//! - A new index of a table that already has rows is filled by `rebuild`. Until then, the index
//!   finds only the rows that were written since the index was added.
//! - A write cannot set timestamps or a time to live of its own. If the families of the table have
//!   a time to live, set the same time to live for the families of the index's table; `covered` may
//!   then return a row that has just expired.
//! - The marker of a deleted row stays for an hour, so that a slow writer notices the delete, and
//!   the next change of the row gets a later timestamp. A read through
//!   [`RawTable`](crate::RawTable) returns this marker. Clocks must not differ by more than an
//!   hour.
//! - On Bigtable, the marker of a deleted row stays until
//!   [`purge_deleted`](IndexedTable::purge_deleted) is called. An update that adds to a counter or
//!   appends fails on Bigtable with [`Unsupported`](crate::ErrorKind::Unsupported), because the
//!   service cannot make such a change conditional. A change of a row that was last changed between
//!   ten seconds and an hour ago writes each cell twice: with a timestamp that is certainly later
//!   than those of the old cells, and with the server's time. A family that keeps several versions
//!   keeps both.
//!
//! # Errors
//!
//! | kind | |
//! |---|---|
//! | [`InvalidArgument`](crate::ErrorKind::InvalidArgument) | a value or key that cannot be encoded; a change that a hook rejects or adds writes to; a row with an entry of an unknown index |
//! | [`NotUnique`](crate::ErrorKind::NotUnique) | another row has the key; nothing was changed |
//! | [`Conflict`](crate::ErrorKind::Conflict) | the row has another `row_version`; nothing was changed |
//! | [`Timeout`](crate::ErrorKind::Timeout) | others changed the row all the time; nothing was changed |
//! | [`OutcomeUnknown`](crate::ErrorKind::OutcomeUnknown) | a reply was lost, and others have changed the row since |
//! | others | the errors of a get or put |

mod builder;
mod change_id;
mod covered;
mod definition;
mod entries;
mod handle;
mod marker;
mod merged;
mod plan;
mod rebuild;
mod recount;
mod repair;
mod scan;
mod state;
mod summary;
mod write;

pub use builder::IndexedTableBuilder;
pub use definition::{Index, table_descriptor};
pub use handle::IndexedTable;
pub use rebuild::{IndexRebuild, RebuildPosition, RebuildReport};
pub use repair::{IndexLag, RepairReport};
pub use scan::{CoveredRows, IndexRows, IndexScan};
pub use summary::Summary;
