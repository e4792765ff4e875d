//! The facts about the table of an operation.

use crate::backend::bigtable::filter::Kept;

/// What the lowering of an operation needs to know of its table.
pub(crate) struct TableFacts<'a> {
    /// The full name of the table.
    pub(crate) name: &'a str,
    pub(crate) app_profile: &'a str,
    /// What the families keep; `None` if cells that are going to be garbage collected are read too.
    pub(crate) kept: Option<&'a Kept>,
    pub(crate) max_cell_bytes: usize,
}
