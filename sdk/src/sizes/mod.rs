//! How many bytes tables take, and what shorter names would save.

mod advice;
mod cell;
mod table;

pub use advice::SizeAdvice;
pub use cell::CellSize;
pub use table::{ColumnSizes, TableSizes};
