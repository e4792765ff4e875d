//! From fixed fields to ranges of rows.

mod field_writer;
mod key_writer;
mod partial;
mod prefix_template;
mod range;
mod ranges;
mod select;

pub(crate) use field_writer::put_nested;
pub use field_writer::{FieldWriter, PutFields};
pub use key_writer::{encode, encode_in_bucket, encode_into};
pub use partial::{Partial, Step};
pub use prefix_template::PrefixTemplate;
pub use range::RowRange;
pub use ranges::{KeyRanges, RowRanges};
pub use select::{FieldSelector, FieldValue, TextPrefix, text_prefix};
