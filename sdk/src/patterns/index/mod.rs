//! Secondary indexes: rows found by other keys than their own.
//!
//! HBase finds a row by its key only. An [`Index`] is a second table, whose rows are in the order
//! of other keys and lead to the rows. An [`IndexedTable`] writes both, so that readers see right
//! rows at any time, also while rows change and after a writer stopped half-way.
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
//! 1. The row and its marker are read. The marker is a cell of the row (`_index` in its first
//!    family) with the identity of the last change and the list of the row's entries.
//! 2. The new entries are written, each with an intent in the same row of the index's table: the
//!    row key, and the change that the row must still have for this one to be made. Entries that
//!    the row will not have any more get an intent too.
//! 3. The row is changed and gets a new marker, if it has the marker that was read. If not, its new
//!    entries are deleted, and the change begins again.
//! 4. The old entries and all intents of the change are deleted.
//!
//! So a row has all its entries before it can be read, and an entry without an intent is right. A
//! writer that stops leaves intents, by which [`repair`](IndexedTable::repair) finds what it has to
//! look at. Each entry and intent has a name of its own, the identity of its change, so no writer
//! deletes what another one writes at the same key.
//!
//! # Guarantees
//! For rows that are written through an `IndexedTable` alone, with any number of tasks and
//! processes, whatever replies are lost and wherever writers stop:
//!
//! - [`rows`](IndexScan::rows) returns only rows that had the key when they were read, each once,
//!   and every row that had the key during the whole scan. [`covered`](IndexScan::covered) returns
//!   the columns of such rows.
//! - A unique index has one row for a key. Two writers of the same key may both have to begin
//!   again; one succeeds.
//! - A change is made once or not at all; if an error does not say which, it is
//!   [`OutcomeUnknown`](crate::ErrorKind::OutcomeUnknown), and the indexes are right either way.
//! - A change that was begun is finished even if its future is dropped.
//!
//! It is not a snapshot: a row whose key changes during a scan may be found at both keys or, if it
//! moves backwards, at none. Two rows are changed in two steps.
//!
//! # Cost
//! For each index; without a race. Writes to several indexes are made at once and share calls.
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
//! An entry takes the key of the index, 16 bytes, the row key and the covered cells; the marker 17
//! bytes and for each entry its key, the name of the index and 19 bytes. Deleted entries and
//! intents take space until a major compaction of the index's table.
//!
//! # Rules
//! - All programs that write the table have the same indexes, with the same names and functions.
//!   One that finds an entry of an unknown index in a row does not change it.
//! - Cells that no key and no covered column depends on may be changed through
//!   [`table`](IndexedTable::table), such as counters. Any others only through the `IndexedTable`;
//!   [`rebuild`](IndexedTable::rebuild) repairs the indexes after other programs have written.
//! - A new index of a table with rows is filled by `rebuild`. Until then it finds the rows that
//!   were written since.
//! - Writes have no times and no time to live. If the families of the table have one, give it to
//!   the index's table too; `covered` may then return a row that has just expired.
//! - The marker of a deleted row stays for an hour, so that a slow writer notices the delete, and
//!   the next writer of the row gets a later time. [`RawTable`](crate::RawTable) reads it. Clocks
//!   must not differ by more than that.
//! - On Bigtable that marker stays until [`purge_deleted`](IndexedTable::purge_deleted) is called,
//!   and an update that adds to a counter or appends is
//!   [`Unsupported`](crate::ErrorKind::Unsupported): the service has no step that does both.
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
pub use repair::{IndexLag, IndexRepair};
pub use scan::{CoveredRows, IndexRows, IndexScan};
pub use summary::Summary;
