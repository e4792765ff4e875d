//! The facts about a table or a view by which the operations on it are lowered.

use crate::backend::bigtable::filter::FamilyLimits;

/// The full names by which requests name a table or a view; one of them is not empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RequestTarget {
    pub(crate) table: String,
    pub(crate) authorized_view: String,
    pub(crate) materialized_view: String,
}

/// What the lowering of an operation needs to know about the operation's table.
pub(crate) struct TableFacts<'a> {
    pub(crate) target: &'a RequestTarget,
    pub(crate) app_profile: &'a str,
    /// What the families of the table keep; `None` if reads also return cells that are due for
    /// garbage collection.
    pub(crate) family_limits: Option<&'a FamilyLimits>,
    pub(crate) max_cell_bytes: usize,
}
