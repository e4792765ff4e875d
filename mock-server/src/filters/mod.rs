//! Filters and comparators, each with the rules of the HBase class of the same name.

mod big_decimal;
mod column;
mod comparator;
mod decode;
mod filter;
mod fuzzy_row;
mod list;
mod message;
mod row;
mod row_ranges;
mod value;
mod wrapper;

pub(crate) use comparator::{Comparator, holds};
pub(crate) use decode::decode;
pub(crate) use filter::{Filter, Hint, ReturnCode, Seek};
