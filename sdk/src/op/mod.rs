//! Operations on single rows: each is plain data that is built, then handed to a table.

mod append;
mod batch;
mod cells;
mod check_and_mutate;
mod delete;
mod get;
mod increment;
mod mutation;
mod outcomes;
mod put;
mod row_mutations;
mod target;

pub use append::Append;
pub use batch::{Outcome, RowOperation};
pub use check_and_mutate::{Check, CheckAndMutate, CheckResult};
pub use delete::Delete;
pub use get::Get;
pub use increment::Increment;
pub use mutation::Mutation;
pub use outcomes::Outcomes;
pub use put::Put;
pub use row_mutations::RowMutations;

pub use crate::scan::RowStream;

pub(crate) use cells::{Cells, MutationKind};
pub(crate) use check_and_mutate::Condition;
pub(crate) use target::Target;
