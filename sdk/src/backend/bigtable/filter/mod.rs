//! Converts columns, versions, time ranges, filters and conditions to Bigtable's filters, with the
//! same answers as on HBase.
//!
//! HBase applies a filter to the versions that a family keeps, newest first, and counts the
//! requested versions among the cells that pass the filter. Bigtable returns cells that a family no
//! longer keeps until they are garbage collected, so the filter of a read first removes these
//! cells. If Bigtable has no filter with the same answers, the conversion fails; it never changes
//! the answers.

mod build;
mod byte_ranges;
mod cells;
mod comparison;
mod condition;
mod kept;
mod lower;
mod passed_over;
mod pattern;
mod read;
#[cfg(test)]
mod tests;
mod text_pattern;

pub(crate) use condition::lower_condition;
pub(crate) use kept::{FamilyLimit, FamilyLimits};
pub(crate) use read::{ReadSpec, lower_read};
