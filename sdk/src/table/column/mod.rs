//! The columns of a row type, and conditions on them.
//!
//! `#[derive(Table)]` makes a constant for each field: `Book::TITLE` for a field `title`. The
//! constant is a [`Column`] for `#[cell(..)]`, [`DynamicColumns`] for `#[cells(..)]`, and
//! [`GroupColumns`](crate::table::GroupColumns) for `#[flatten]`.
//!
//! | on a column | holds where the cell | if it is absent |
//! |---|---|---|
//! | `eq(v)`, `one_of([v, w])` | has this value, or one of these | false |
//! | `ne(v)` | has another value | false |
//! | `lt(v)`, `le(v)`, `gt(v)`, `ge(v)` | is less, at most, greater, at least | false |
//! | `is_between(v..w)` | is in this range | false |
//! | `starts_with("a")`, `contains("a")` | is a text or bytes with this prefix, with this part | false |
//! | `has_bits(b)` | is an integer in which each bit of `b` is set | false |
//! | `is_present()`, `is_absent()` | exists, does not | false, true |
//! | `a & b`, `a \| b`, `!a` | conditions together | `!` of false is true |
//!
//! Conditions are used by a scan ([`TableScan::filter`](crate::table::TableScan::filter)), by a
//! change that depends on the row ([`check_and_update`](crate::TypedTable::check_and_update)), and
//! on rows that were read ([`Condition::matches`]). For a scan or a change, the server evaluates
//! the condition, and does not send rows that do not match.
//!
//! A condition belongs to its row type: a condition on `Book` and one on `Shop` cannot be combined.

mod condition;
mod dynamic;
mod named;
mod value;

pub use condition::{
    BitCell, CellOrder, CompareCell, Condition, Operand, OperandRange, OrderedCell, TextCell,
};
pub use dynamic::{AnyColumn, CellMap, DynamicColumn, DynamicColumns};
pub use named::{Column, Constraint};

pub(crate) use value::{decode_value, encode_value};
