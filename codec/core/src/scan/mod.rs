//! Scans: the ranges of rows in which the first fields of a key have given values.
//!
//! # Invariants
//!
//! - A range contains exactly the rows of the model, also where it ends between two values that its
//!   field can hold. Tests: `codec/tests/properties/ranges.rs`,
//!   `tests/suites/times/bounds.rs::a_bound_may_be_a_number_that_its_field_cannot_hold`,
//!   `tests/suites/client/keys.rs`.

mod layouts;
mod partial;
mod prefix_template;
mod range;
mod ranges;
mod select;

pub use layouts::{AllLayouts, Layout, LayoutRows, assert_disjoint, has_layout};
pub use partial::{NextFieldName, PartialKey};
pub use prefix_template::PrefixTemplate;
pub use range::RowRange;
pub use ranges::{KeyRanges, RowRanges};
pub use select::{FieldSelector, FieldValue, TextPrefix, text_prefix};
