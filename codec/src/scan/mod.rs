//! From fixed fields to ranges of rows.

mod partial;
mod prefix_template;
mod range;
mod ranges;
mod select;

pub use partial::{Partial, Step};
pub use prefix_template::{EncodeState, KeyWriter, PrefixTemplate, Row};
pub use range::RowRange;
pub use ranges::{KeyRanges, RowRanges};
pub use select::{Select, TextPrefix, Value, text_prefix};
