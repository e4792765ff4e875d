//! Tables whose rows are values of a type.

mod column;
mod field;
mod row_type;
mod rows;
mod spread;
mod table;
mod value;

pub use column::Column;
pub use field::{CellField, Counter};
pub use row_type::TableRow;
pub use rows::{TableRows, TableScan};
pub use spread::spread;
pub use table::Table;
pub use value::{CellValue, ValueError};

pub(crate) mod derived;
