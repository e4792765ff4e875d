//! Filters: which of the requested cells the server returns.

mod by_key;
mod comparator;
mod compare;
mod dependent_column;
mod inverse;
mod kind;
mod matching;
mod regex;
mod show;
mod single_column;
mod validate;

pub use comparator::{BitwiseOp, Comparator};
pub use compare::Compare;
pub use dependent_column::DependentColumn;
pub use kind::Filter;
pub use regex::RegexPattern;
pub use single_column::SingleColumnValue;

pub use crate::key::schema::FuzzyRow;

pub(crate) use comparator::Operand;
pub(crate) use kind::Kind;
pub(crate) use validate::Use;
