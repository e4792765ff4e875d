//! Columns, versions, times, filters and conditions as Bigtable's filters, with the answers that
//! HBase gives.
//!
//! HBase shows a filter the versions that a family keeps, newest first, and counts the requested
//! versions in what the filter leaves. A family of Bigtable still shows cells that it no longer
//! keeps until they are collected, so a read first leaves only what is kept. A filter for which
//! Bigtable has none with the same answer is an error, and never gives another answer.

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
pub(crate) use kept::{Kept, KeptFamily};
pub(crate) use read::{Read, lower_read};
