//! From fixed fields to ranges of rows.

mod partial;
mod range;
mod ranges;
mod select;
mod stamp;

pub use partial::{Partial, Step};
pub use range::RowRange;
pub use ranges::{KeyRanges, RowRanges};
pub use select::{Select, StartsWith, Value, starts_with};
pub use stamp::{Filling, Row, Stamp, Tally};
