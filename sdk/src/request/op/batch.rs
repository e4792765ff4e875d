//! The operations that a batch can contain, and the outcome of a single operation.

use std::sync::Arc;

use super::{
    AddToCells, Append, CheckAndMutate, Delete, Get, Increment, MergeToCells, Mutation, Put,
    RowMutations,
};
use crate::Row;
use crate::request::call_options::CallOptions;

/// One operation of a batch.
///
/// ```
/// use tallrow::{Get, Put, op::RowOperation};
///
/// let batch: Vec<RowOperation> =
///     vec![Put::new("a").cell("f", "q", "1").into(), Get::new("b").into()];
/// assert!(matches!(batch[1], RowOperation::Get(_)));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
#[allow(
    clippy::large_enum_variant,
    reason = "operations are moved once, from the caller into the batch"
)]
pub enum RowOperation {
    /// Reads a row.
    Get(Get),
    /// Checks whether a row exists or, if columns are requested, whether one of these exists.
    Exists(Get),
    /// Changes a row.
    Mutation(Mutation),
    /// Changes a row if a condition holds.
    CheckAndMutate(CheckAndMutate),
}

impl RowOperation {
    pub(crate) fn options(&self) -> Option<&Arc<CallOptions>> {
        match self {
            Self::Get(get) | Self::Exists(get) => get.options.as_ref(),
            Self::Mutation(mutation) => mutation.options(),
            Self::CheckAndMutate(check) => check
                .options
                .as_ref()
                .or_else(|| check.mutation.as_deref().and_then(Mutation::options)),
        }
    }
}

macro_rules! operation_from {
    ($($name:ident)*) => {
        $(impl From<$name> for RowOperation {
            fn from(mutation: $name) -> Self {
                Self::Mutation(mutation.into())
            }
        })*
    };
}
operation_from!(Put Delete Increment Append AddToCells MergeToCells RowMutations Mutation);

impl From<Get> for RowOperation {
    fn from(get: Get) -> Self {
        Self::Get(get)
    }
}

impl From<CheckAndMutate> for RowOperation {
    fn from(check: CheckAndMutate) -> Self {
        Self::CheckAndMutate(check)
    }
}

/// An operation of a batch, and its name in errors if this is not the operation's own name.
#[derive(Clone, Debug)]
pub(crate) struct NamedOperation {
    pub(crate) operation_name: Option<&'static str>,
    pub(crate) operation: RowOperation,
}

impl<O: Into<RowOperation>> From<O> for NamedOperation {
    fn from(operation: O) -> Self {
        Self { operation_name: None, operation: operation.into() }
    }
}

/// The answer to one operation of a batch.
///
/// ```
/// use tallrow::op::BatchOutcome;
///
/// let nothing = BatchOutcome { row: None, exists: false, applied: true, is_stale: false };
/// assert!(nothing.row.is_none());
/// ```
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "a plain answer")]
pub struct BatchOutcome {
    /// The cells that a get found, or that an increment or append wrote; `None` if there are none,
    /// or if the new values of an increment or append are not known (see
    /// [`RawTable::increment`](crate::RawTable::increment)).
    pub row: Option<Row>,
    /// For [`RowOperation::Exists`]: whether the row exists or, if columns are requested, whether
    /// one of these exists.
    pub exists: bool,
    /// Whether a change was made: false only if a condition did not hold.
    pub applied: bool,
    /// Whether a read was answered by a secondary replica, so that its answer may be stale (see
    /// [`Consistency`](super::Consistency)).
    pub is_stale: bool,
}
