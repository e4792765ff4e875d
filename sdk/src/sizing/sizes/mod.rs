//! How many bytes tables take, and what shorter names would save.

mod advice;
mod cell;
mod row;

pub use advice::SchemaAdvice;
pub use cell::CellSize;
pub use row::{ColumnSizes, RowSizes};
