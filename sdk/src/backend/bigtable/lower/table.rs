//! The facts about a table by which the operations on it are lowered.

use crate::backend::bigtable::filter::FamilyLimits;

/// What the lowering of an operation needs to know about the operation's table.
pub(crate) struct TableFacts<'a> {
    /// The full name of the table.
    pub(crate) name: &'a str,
    pub(crate) app_profile: &'a str,
    /// What the families of the table keep; `None` if reads also return cells that are due for
    /// garbage collection.
    pub(crate) family_limits: Option<&'a FamilyLimits>,
    pub(crate) max_cell_bytes: usize,
}
