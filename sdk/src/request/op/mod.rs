//! Operations on single rows: each is plain data that is built, then handed to a table.
//!
//! | operation | of a [`RawTable`](crate::RawTable) | of a [`TypedTable`](crate::TypedTable) | after a lost reply |
//! |---|---|---|---|
//! | [`Get`] | `get`, `get_all`, `exists` | `get`, `get_all`, `exists` | sent again |
//! | [`Scan`](crate::Scan) | `scan`, `scan_page`, `count` | `scan`, then `rows`, `keys`, `count`, `page` | goes on after the last row |
//! | [`Put`] | `put`, `put_all` | `put`, `put_all`, `save`; `update` | as its [`DeliveryGuarantee`](crate::DeliveryGuarantee) says |
//! | [`Delete`] | `delete`, `delete_all` | `delete`, `delete_all`, `delete_cell`; `update` | as its `DeliveryGuarantee` says |
//! | [`Increment`] | `increment` | `increment`; `update` | sent again, applied once |
//! | [`Append`] | `append` | `append`; `update` | sent again, applied once |
//! | [`AddToCells`], [`MergeToCells`] | `add_to_cells`, `merge_to_cells` | `update` | sent again for 14 minutes, applied once |
//! | [`RowMutations`] | `mutate_row` | `update` | as the most careful of its parts |
//! | [`CheckAndMutate`] | `check_and_mutate` | `check_and_update`, `check_and_put`, `check_and_delete` | [`OutcomeUnknown`](crate::ErrorKind::OutcomeUnknown), or sent again: see there |
//! | [`RowOperation`], any of these but a scan | `batch` | `batch` | each like a single operation |
//!
//! Each operation is on one row and atomic: it is applied as a whole or not at all, and a read sees
//! all of it or nothing. HBase has no transactions over several rows, so it is possible that only a
//! part of a batch is applied.
//!
//! # Versions and times
//!
//! A cell has a row key, a family, a qualifier and a timestamp. Versions of a cell differ in their
//! timestamps, and a family keeps as many versions as its `versions` setting says. Reads return the
//! newest versions. A write without a timestamp gets the server's time, so that later writes win;
//! if writes have timestamps, the order in which they arrive does not matter:
//!
//! ```
//! use tallrow::{Client, Delete, FamilyDescriptor, Get, Put, TableDescriptor, Timestamp};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> tallrow::Result<()> {
//! let client = Client::connect("mock:").await?;
//! let family = FamilyDescriptor::new("d").versions(3);
//! client.admin().create_table(&TableDescriptor::new("t")?.family(family)).await?;
//! let table = client.raw_table("t")?;
//! let at = Timestamp::from_millis;
//! for (time, value) in [(30, "newest"), (10, "first"), (20, "second")] {
//!     table.put(Put::new("r").cell_at("d", "q", at(time), value)).await?;
//! }
//! let row = table.get("r").await?.unwrap();
//! assert_eq!(row.value("d", "q"), Some(&b"newest"[..]));
//!
//! let row = table.get(Get::new("r").versions(2)).await?.unwrap();
//! let times: Vec<_> = row.versions("d", "q").map(|cell| cell.timestamp().as_millis()).collect();
//! assert_eq!(times, [30, 20]);
//!
//! // As it was before 25: HBase calls it a time range. The upper end is not part of it.
//! let row = table.get(Get::new("r").time_range(..at(25))).await?.unwrap();
//! assert_eq!(row.value("d", "q"), Some(&b"second"[..]));
//!
//! // A delete marker hides what is as old or older, also what arrives later.
//! table.delete(Delete::new("r").column_until("d", "q", at(20))).await?;
//! table.put(Put::new("r").cell_at("d", "q", at(15), "too late")).await?;
//! let row = table.get(Get::new("r").versions(3)).await?.unwrap();
//! assert_eq!(row.cells().len(), 1);
//! # Ok(())
//! # }
//! ```

mod aggregate;
mod append;
mod batch;
mod cells;
mod check_and_mutate;
mod conflict;
mod delete;
mod get;
mod increment;
mod mutation;
mod options;
mod outcomes;
mod put;
mod read_back;
mod row_mutations;
mod target;

pub use aggregate::{AddToCells, MergeToCells};
pub use append::Append;
pub(crate) use batch::NamedOperation;
pub use batch::{BatchOutcome, RowOperation};
pub use check_and_mutate::{Check, CheckAndMutate, CheckResult};
pub use delete::Delete;
pub use get::Get;
pub use increment::Increment;
pub use mutation::Mutation;
pub use outcomes::BatchResults;
pub use put::Put;
pub use read_back::{ReadBackOutcome, ReadBackResult};
pub use row_mutations::RowMutations;

pub use crate::request::call_options::{CallOptions, Durability, IsolationLevel};
pub use crate::request::consistency::{Consistency, HedgedReadBudget, TimelineRead};

pub(crate) use cells::{MutationKind, SingleMutation};
pub(crate) use check_and_mutate::Condition;
pub(crate) use conflict::conflict;
pub(crate) use read_back::ChangedCells;
pub(crate) use target::CallTarget;
#[cfg(feature = "bigtable")]
pub(crate) use target::OwnedTarget;
