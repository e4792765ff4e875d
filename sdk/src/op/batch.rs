use super::{Append, CheckAndMutate, Delete, Get, Increment, Mutation, Put, RowMutations};
use crate::Row;

/// One operation of a batch.
///
/// ```
/// use tallrow::{Get, Put, op::RowOperation};
///
/// let batch: Vec<RowOperation> = vec![Put::new("a").cell("f", "q", "1").into(), Get::new("b").into()];
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
    /// Checks whether a row, or one of the named columns, exists.
    Exists(Get),
    /// Changes a row.
    Mutation(Mutation),
    /// Changes a row if a condition holds.
    CheckAndMutate(CheckAndMutate),
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
operation_from!(Put Delete Increment Append RowMutations Mutation);

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

/// The answer to one operation of a batch.
///
/// ```
/// use tallrow::op::Outcome;
///
/// let nothing = Outcome { row: None, exists: false, applied: true };
/// assert!(nothing.row.is_none());
/// ```
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "a plain answer")]
pub struct Outcome {
    /// The cells a get found, or an increment or append wrote; none if there are none, or if those of an increment or
    /// append are not known (see [`RawTable::increment`](crate::RawTable::increment)).
    pub row: Option<Row>,
    /// For [`RowOperation::Exists`]: whether it exists.
    pub exists: bool,
    /// Whether a change was made: false only where a condition did not hold.
    pub applied: bool,
}
