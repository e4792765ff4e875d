use std::ops::RangeBounds;

use bytes::Bytes;
use prost::Message;

use super::Columns;
use super::get::bounds;
use super::mutation::{Mutation, Sender};
use crate::filter::{Comparator, Filter, Use};
use crate::row_op::{Idempotency, RowOp};
use crate::wire::proto::{CompareType, Condition, TimeRange};
use crate::{Result, Timestamp};

/// How a stored value is compared with a given one, as unsigned bytes.
///
/// ```
/// use tallrow::{Check, Compare, Put};
///
/// // Writes the new price only if the stored one is greater.
/// let put = Put::new("book1").cell("d", "price", [9]);
/// let lower = Check::new("book1", "d", "price").is(Compare::Greater, [9]).then(put);
/// # let _ = lower;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Compare {
    /// The stored value is less than the given one.
    Less,
    /// The stored value is the given one or less.
    LessOrEqual,
    /// The stored value is the given one.
    Equal,
    /// The stored value is another one; an absent cell does not count.
    NotEqual,
    /// The stored value is the given one or greater.
    GreaterOrEqual,
    /// The stored value is greater than the given one.
    Greater,
}

impl Compare {
    /// What holds where this does not.
    pub(crate) fn inverse(self) -> Self {
        match self {
            Self::Less => Self::GreaterOrEqual,
            Self::LessOrEqual => Self::Greater,
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            Self::GreaterOrEqual => Self::Less,
            Self::Greater => Self::LessOrEqual,
        }
    }

    /// The same with the operands changed round.
    pub(crate) fn mirrored(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::Equal => Self::Equal,
            Self::NotEqual => Self::NotEqual,
            Self::GreaterOrEqual => Self::LessOrEqual,
            Self::Greater => Self::Less,
        }
    }
}

/// The start of a [`CheckAndMutate`]: which cell is looked at.
///
/// ```
/// use tallrow::{Check, Put};
///
/// let first = Check::new("row1", "d", "owner").is_absent().then(Put::new("row1").cell("d", "owner", "Ada"));
/// # let _ = first;
/// ```
#[derive(Clone, Debug)]
#[must_use = "a check does nothing until it is given a mutation and sent"]
pub struct Check {
    condition: Condition,
}

impl Check {
    /// Looks at the newest version of this cell.
    ///
    /// See [`Check`] for an example.
    pub fn new(
        row: impl AsRef<[u8]>,
        family: impl AsRef<[u8]>,
        qualifier: impl AsRef<[u8]>,
    ) -> Self {
        let bytes = |b: &[u8]| Some(Bytes::copy_from_slice(b));
        Self {
            condition: Condition {
                row: Bytes::copy_from_slice(row.as_ref()),
                family: bytes(family.as_ref()),
                qualifier: bytes(qualifier.as_ref()),
                ..Default::default()
            },
        }
    }

    /// Looks at the newest version in this range of time.
    ///
    /// ```
    /// # use tallrow::{Check, Delete, Timestamp};
    /// let stale = Check::new("r", "d", "q").time_range(Timestamp::from_millis(9)..).is_absent().then(Delete::new("r"));
    /// # let _ = stale;
    /// ```
    pub fn time_range(mut self, range: impl RangeBounds<Timestamp>) -> Self {
        let (from, to) = bounds(range);
        self.condition.time_range = Some(TimeRange {
            from: from.map(Timestamp::as_millis),
            to: to.map(Timestamp::as_millis),
        });
        self
    }

    /// Holds if there is no such cell, or its value is empty.
    ///
    /// See [`Check`] for an example.
    pub fn is_absent(self) -> CheckAndMutate {
        self.compare(CompareType::Equal, &Comparator::null())
    }

    /// Holds if the stored value is this one.
    ///
    /// ```
    /// # use tallrow::{Check, Put};
    /// let swap = Check::new("r", "d", "state").equals("new").then(Put::new("r").cell("d", "state", "done"));
    /// # let _ = swap;
    /// ```
    pub fn equals(self, value: impl AsRef<[u8]>) -> CheckAndMutate {
        self.is(Compare::Equal, value)
    }

    /// Holds if the stored value compares like this with the given one; an absent cell never does.
    ///
    /// See [`Compare`] for an example.
    pub fn is(self, compare: Compare, value: impl AsRef<[u8]>) -> CheckAndMutate {
        // In a condition the operands stand the other way round: given value OP stored value.
        self.compare(compare.mirrored().to_proto(), &Comparator::binary(value))
    }

    fn compare(self, compare: CompareType, comparator: &Comparator) -> CheckAndMutate {
        CheckAndMutate {
            condition: Condition {
                compare_type: Some(compare as i32),
                comparator: Some(comparator.to_proto()),
                ..self.condition
            },
            filter: None,
            mutation: None,
        }
    }

    /// Holds if a get of this row with this filter finds anything (HBase 2.4 and later).
    ///
    /// Conditions on several columns, and on what an absent cell means, are
    /// [`SingleColumnValue`](crate::SingleColumnValue)s put together; a row without any cell passes none of them.
    ///
    /// ```
    /// # use tallrow::{Check, Compare, Filter, Put, SingleColumnValue};
    /// let new = SingleColumnValue::new("d", "state", Compare::Equal, "new").filter_if_missing(true);
    /// let cheap = SingleColumnValue::new("d", "price", Compare::Less, [9]).filter_if_missing(true);
    /// let check = Check::filter("r", Filter::from(new).and(cheap)).then(Put::new("r").cell("d", "state", "sold"));
    /// # let _ = check;
    /// ```
    pub fn filter(row: impl AsRef<[u8]>, filter: impl Into<Filter>) -> CheckAndMutate {
        CheckAndMutate {
            condition: Condition {
                row: Bytes::copy_from_slice(row.as_ref()),
                ..Default::default()
            },
            filter: Some(filter.into()),
            mutation: None,
        }
    }
}

/// Changes a row if a condition on one of its cells holds, in one step.
///
/// It is never sent twice once it may have reached a server: a lost answer is
/// [`OutcomeUnknown`](crate::ErrorKind::OutcomeUnknown).
///
/// See [`Check`] for an example.
#[derive(Clone, Debug)]
#[must_use = "a check does nothing until it is given a mutation and sent"]
pub struct CheckAndMutate {
    condition: Condition,
    filter: Option<Filter>,
    mutation: Option<Mutation>,
}

impl CheckAndMutate {
    /// The change that is made if the condition holds; it must be of the same row.
    ///
    /// See [`Check`] for an example.
    pub fn then(mut self, mutation: impl Into<Mutation>) -> Self {
        self.mutation = Some(mutation.into());
        self
    }

    pub(crate) fn into_op(self, to: &Sender<'_>) -> Result<RowOp> {
        const NAME: &str = "check and mutate";
        let row = self.condition.row.clone();
        let invalid = |why: &str| to.invalid(NAME, &row, why.into());
        let Some(mutation) = self.mutation else {
            return Err(invalid("it has nothing to do; give it a mutation with then(..)"));
        };
        match &self.filter {
            None if self.condition.family.as_ref().is_none_or(Bytes::is_empty) => {
                return Err(invalid("the cell that is looked at needs a family"));
            }
            None => {}
            Some(filter) => {
                if let Some(problem) = filter.problem(&Columns::default(), Use::Get) {
                    return Err(invalid(&problem));
                }
            }
        }
        let op = mutation.into_op(to)?;
        if op.row != row {
            return Err(invalid("the change is of another row than the one that is looked at"));
        }
        let condition =
            Condition { filter: self.filter.as_ref().map(Filter::to_proto), ..self.condition };
        Ok(RowOp {
            name: NAME,
            condition: Some(condition.encode_to_vec().into()),
            repeat: Idempotency::Never,
            ..op
        })
    }
}
