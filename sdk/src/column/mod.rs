//! The columns of a row type, and conditions on them.

mod condition;
mod dynamic;
mod named;
mod value;

pub use condition::{CellOrder, CompareCell, Condition, Operand, OrderedCell, TextCell};
pub use dynamic::{AnyColumn, CellMap, DynamicColumn, DynamicColumns};
pub use named::{Column, Constraint};

pub(crate) use value::{decode_value, encode_value};
