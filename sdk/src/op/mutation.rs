use std::sync::Arc;

use super::cells::{Cells, MutationKind};
use super::{Append, Delete, Increment, Put, RowMutations};
use crate::call_options::CallOptions;

/// Any change of one row.
///
/// ```
/// use tallrow::{Put, op::Mutation};
///
/// let mutation: Mutation = Put::new("r").cell("f", "q", "v").into();
/// assert!(matches!(mutation, Mutation::Put(_)));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Mutation {
    /// Writes cells.
    Put(Put),
    /// Deletes cells.
    Delete(Delete),
    /// Adds to counters.
    Increment(Increment),
    /// Appends to values.
    Append(Append),
    /// Makes several of these changes in one step.
    RowMutations(RowMutations),
}

macro_rules! mutation_from {
    ($($name:ident)*) => {
        $(impl From<$name> for Mutation {
            fn from(mutation: $name) -> Self {
                Self::$name(mutation)
            }
        })*
    };
}
mutation_from!(Put Delete Increment Append RowMutations);

impl Mutation {
    /// The row key.
    ///
    /// ```
    /// use tallrow::{Delete, op::Mutation};
    /// assert_eq!(Mutation::from(Delete::new("r")).row(), b"r");
    /// ```
    pub fn row(&self) -> &[u8] {
        match self {
            Self::Put(put) => put.row(),
            Self::Delete(delete) => delete.row(),
            Self::Increment(increment) => increment.row(),
            Self::Append(append) => append.row(),
            Self::RowMutations(mutations) => mutations.row(),
        }
    }

    /// What is wrong with it, if that was found when it was built.
    pub(crate) fn problem(&self) -> Option<String> {
        let cells = match self {
            Self::Put(put) => &put.cells,
            Self::Delete(delete) => &delete.cells,
            Self::Increment(increment) => &increment.cells,
            Self::Append(append) => &append.cells,
            Self::RowMutations(several) => return several.problem(),
        };
        cells.problem.clone()
    }

    /// The bytes of its row key and cells.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Put(put) => put.cells.size(),
            Self::Delete(delete) => delete.cells.size(),
            Self::Increment(increment) => increment.cells.size(),
            Self::Append(append) => append.cells.size(),
            Self::RowMutations(several) => {
                several.mutations.iter().map(|(_, cells)| cells.size()).sum()
            }
        }
    }

    pub(crate) fn options(&self) -> Option<&Arc<CallOptions>> {
        match self {
            Self::Put(put) => put.cells.options.as_ref(),
            Self::Delete(delete) => delete.cells.options.as_ref(),
            Self::Increment(increment) => increment.cells.options.as_ref(),
            Self::Append(append) => append.cells.options.as_ref(),
            Self::RowMutations(mutations) => mutations.options.as_ref(),
        }
    }

    /// The kind of change and its cells, unless it is several changes.
    pub(crate) fn single(self) -> Result<(MutationKind, Cells), RowMutations> {
        match self {
            Self::Put(put) => Ok((MutationKind::Put, put.cells)),
            Self::Delete(delete) => Ok((MutationKind::Delete, delete.cells)),
            Self::Increment(increment) => Ok((MutationKind::Increment, increment.cells)),
            Self::Append(append) => Ok((MutationKind::Append, append.cells)),
            Self::RowMutations(several) => Err(several),
        }
    }
}

impl RowMutations {
    /// Adds a change, which must be of the same row.
    #[allow(clippy::should_implement_trait, reason = "HBase's word, as in increments and appends")]
    pub fn add(mut self, mutation: impl Into<Mutation>) -> Self {
        match mutation.into().single() {
            Ok(single) => self.mutations.push(single),
            Err(several) => self.mutations.extend(several.mutations),
        }
        self
    }
}
