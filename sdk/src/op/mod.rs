//! Operations on single rows: each is plain data that is built, then handed to a table.

mod append;
mod batch;
mod check;
mod columns;
mod delete;
mod get;
mod increment;
mod mutation;
mod put;
mod row_mutations;

pub use append::Append;
pub use batch::{Outcome, RowOperation};
pub use check::{Check, CheckAndMutate, Compare};
pub use delete::Delete;
pub use get::Get;
pub use increment::Increment;
pub use mutation::Mutation;
pub use put::Put;
pub use row_mutations::RowMutations;

pub(crate) use columns::Columns;
pub(crate) use get::bounds;
pub(crate) use mutation::{Cells, Sender};
