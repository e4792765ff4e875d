//! The facts about a table by which the operations on it are lowered.

use crate::backend::bigtable::filter::Kept;

/// What the lowering of an operation needs to know about the operation's table.
pub(crate) struct TableFacts<'a> {
    /// The full name of the table.
    pub(crate) name: &'a str,
    pub(crate) app_profile: &'a str,
    /// What the families of the table keep; `None` if reads also return cells that are due for
    /// garbage collection.
    pub(crate) kept: Option<&'a Kept>,
    pub(crate) max_cell_bytes: usize,
}
