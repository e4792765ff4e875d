//! `CheckAndMutate`: a change of a row that is made only if a condition on the row holds.

use std::fmt;
use std::ops::RangeBounds;
use std::sync::Arc;

use bytes::Bytes;

use super::mutation::Mutation;
use crate::Timestamp;
use crate::model::columns::{CellSelection, TimeRange, problem_of_family};
use crate::model::show;
use crate::request::call_options::CallOptions;
use crate::request::filter::{Comparator, CompareOperator, Filter, ReadKind, SingleColumnValue};

/// The start of a [`CheckAndMutate`]: the cell of its condition.
///
/// ```
/// use tallrow::{Put, op::Check};
///
/// let first = Check::new("row1", "d", "owner")
///     .if_not_exists()
///     .then(Put::new("row1").cell("d", "owner", "Ada"));
/// # let _ = first;
/// ```
///
/// | function | holds if the newest version of the cell |
/// |---|---|
/// | [`if_not_exists`](Self::if_not_exists) | does not exist, or is empty |
/// | [`if_equals`](Self::if_equals) | has this value |
/// | [`if_matches`](Self::if_matches) | compares like this with a value, as unsigned bytes from the first on |
/// | [`if_row_matches`](Self::if_row_matches) | is one of those that a filter finds |
///
/// Values that are big-endian numbers compare as numbers if they are not negative, because their
/// bytes sort in the order of the numbers.
///
/// ```
/// use tallrow::{Client, FamilyDescriptor, Put, TableDescriptor, filter::CompareOperator, op::Check};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = Client::connect("mock:").await?;
/// client
///     .admin()
///     .create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d")))
///     .await?;
/// let table = client.raw_table("t")?;
/// let put = |price: u32| Put::new("r").cell("d", "price", price.to_be_bytes());
/// let price = || Check::new("r", "d", "price");
///
/// // An absent cell compares as nothing, not as 0.
/// let cheaper =
///     |than: u32| price().if_matches(CompareOperator::Greater, than.to_be_bytes()).then(put(than));
/// assert!(!table.check_and_mutate(cheaper(300)).await?.is_applied());
/// assert!(table.check_and_mutate(price().if_not_exists().then(put(300))).await?.is_applied());
/// assert!(table.check_and_mutate(cheaper(250)).await?.is_applied());
/// assert!(!table.check_and_mutate(cheaper(250)).await?.is_applied());
/// // Compare and swap.
/// let swap = |from: u32, to| price().if_equals(from.to_be_bytes()).then(put(to));
/// assert!(table.check_and_mutate(swap(250, 200)).await?.is_applied());
/// assert!(!table.check_and_mutate(swap(250, 150)).await?.is_applied());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
#[must_use = "a condition does nothing until it is given a mutation and sent"]
pub struct Check {
    row: Bytes,
    cell: CellCondition,
}

/// The condition that a row must meet to be changed.
#[derive(Clone, PartialEq)]
pub(crate) enum Condition {
    /// The newest version of a cell meets this condition.
    Cell(CellCondition),
    /// A get of the row with this filter finds a cell.
    Filter(Filter),
}

/// A condition on the newest version of a cell: a comparison with a value, or that the cell is
/// absent.
#[derive(Clone, PartialEq)]
pub(crate) struct CellCondition {
    pub(crate) family: Bytes,
    pub(crate) qualifier: Bytes,
    pub(crate) time_range: Option<TimeRange>,
    /// The comparison, with the stored value on the left.
    pub(crate) compare: CompareOperator,
    pub(crate) comparator: Comparator,
}

impl CellCondition {
    /// Returns whether the cell is compared with an empty value.
    pub(crate) fn has_empty_operand(&self) -> bool {
        self.comparator.binary_operand().is_some_and(<[u8]>::is_empty)
    }

    /// Returns a filter that finds the row if the cell exists and the comparison holds.
    pub(crate) fn comparison_filter(&self) -> Filter {
        let (compare, comparator) = (self.compare, self.comparator.clone());
        let test = SingleColumnValue::new(&self.family, &self.qualifier, compare, comparator);
        test.filter_if_missing(true).into()
    }
}

impl Check {
    /// Begins a condition on the newest version of this cell.
    ///
    /// See [`Check`] for an example.
    pub fn new(
        row: impl AsRef<[u8]>,
        family: impl AsRef<[u8]>,
        qualifier: impl AsRef<[u8]>,
    ) -> Self {
        let cell = CellCondition {
            family: Bytes::copy_from_slice(family.as_ref()),
            qualifier: Bytes::copy_from_slice(qualifier.as_ref()),
            time_range: None,
            compare: CompareOperator::Equal,
            comparator: Comparator::null(),
        };
        Self { row: Bytes::copy_from_slice(row.as_ref()), cell }
    }

    /// Uses the newest version in this range of times.
    ///
    /// ```
    /// # use tallrow::{Delete, Timestamp, op::Check};
    /// let stale = Check::new("r", "d", "q")
    ///     .time_range(Timestamp::from_millis(9)..)
    ///     .if_not_exists()
    ///     .then(Delete::new("r"));
    /// # let _ = stale;
    /// ```
    pub fn time_range(mut self, range: impl RangeBounds<Timestamp>) -> Self {
        self.cell.time_range = Some(TimeRange::new(range));
        self
    }

    /// Holds if there is no such cell, or its value is empty. HBase does not distinguish these two
    /// cases, and on Bigtable the condition means the same.
    ///
    /// See [`Check`] for an example.
    pub fn if_not_exists(self) -> CheckAndMutate {
        self.compare(CompareOperator::Equal, Comparator::null())
    }

    /// Holds if the stored value equals this value.
    ///
    /// ```
    /// # use tallrow::{Put, op::Check};
    /// let swap = Check::new("r", "d", "state")
    ///     .if_equals("new")
    ///     .then(Put::new("r").cell("d", "state", "done"));
    /// # let _ = swap;
    /// ```
    pub fn if_equals(self, value: impl AsRef<[u8]>) -> CheckAndMutate {
        self.if_matches(CompareOperator::Equal, value)
    }

    /// Holds if `stored <compare> value` is true for the stored value; it never holds for an absent
    /// cell.
    ///
    /// An empty value is less than all others. HBase itself treats a comparison with an empty value
    /// as a comparison with an absent cell, so a condition with an empty value is sent as a filter
    /// (HBase 2.4 and later). An unknown family is then no error, but is treated as a family
    /// without cells.
    ///
    /// See [`CompareOperator`] for an example.
    pub fn if_matches(self, compare: CompareOperator, value: impl AsRef<[u8]>) -> CheckAndMutate {
        self.compare(compare, Comparator::binary(value))
    }

    fn compare(self, compare: CompareOperator, comparator: Comparator) -> CheckAndMutate {
        let cell = CellCondition { compare, comparator, ..self.cell };
        let condition = Box::new(Condition::Cell(cell));
        CheckAndMutate { row: self.row, condition, mutation: None, options: None }
    }

    /// Holds if a get of this row with this filter finds a cell (HBase 2.4 and later).
    ///
    /// For conditions on several columns, combine
    /// [`SingleColumnValue`](crate::filter::SingleColumnValue)s. Such a filter also sets whether an
    /// absent cell meets the condition; a row without cells never does.
    ///
    /// ```
    /// # use tallrow::{Filter, Put, filter::{CompareOperator, SingleColumnValue}, op::Check};
    /// let new =
    ///     SingleColumnValue::new("d", "state", CompareOperator::Equal, "new").filter_if_missing(true);
    /// let cheap =
    ///     SingleColumnValue::new("d", "price", CompareOperator::Less, [9]).filter_if_missing(true);
    /// let check = Check::if_row_matches("r", Filter::from(new).and(cheap))
    ///     .then(Put::new("r").cell("d", "state", "sold"));
    /// # let _ = check;
    /// ```
    pub fn if_row_matches(row: impl AsRef<[u8]>, filter: impl Into<Filter>) -> CheckAndMutate {
        CheckAndMutate {
            row: Bytes::copy_from_slice(row.as_ref()),
            condition: Box::new(Condition::Filter(filter.into())),
            mutation: None,
            options: None,
        }
    }
}

/// Changes a row if a condition on the row holds, in one step.
///
/// If the reply to a put or delete with a condition is lost, the error is
/// [`OutcomeUnknown`](crate::ErrorKind::OutcomeUnknown), because HBase would make the change twice
/// if it were sent again. A change has a nonce if it consists of increments, appends and changes
/// that may be repeated. Such a change is sent again. If the condition still holds, the server
/// reports that the change was made, and has made it only once. If the condition does not hold any
/// more, perhaps because of the change itself, the outcome is unknown as well, because HBase checks
/// the condition before the nonce. [`RawTable::read_back`](crate::RawTable::read_back) looks for
/// the change in the row.
///
/// See [`Check`] for an example.
#[derive(Clone)]
#[must_use = "a condition does nothing until it is given a mutation and sent"]
pub struct CheckAndMutate {
    pub(crate) row: Bytes,
    /// On the heap, like the mutation, so that other operations are small: they are moved several
    /// times.
    pub(crate) condition: Box<Condition>,
    pub(crate) mutation: Option<Box<Mutation>>,
    pub(crate) options: Option<Arc<CallOptions>>,
}

impl CheckAndMutate {
    /// Sets the change that is made if the condition holds; it must be of the same row.
    ///
    /// See [`Check`] for an example.
    pub fn then(mut self, mutation: impl Into<Mutation>) -> Self {
        self.mutation = Some(Box::new(mutation.into()));
        self
    }

    /// Returns what is wrong with the condition, if anything.
    pub(crate) fn problem(&self) -> Option<String> {
        match &*self.condition {
            Condition::Cell(cell) if cell.family.is_empty() => {
                Some("the cell in the condition needs a family".into())
            }
            Condition::Cell(cell) => problem_of_family(&cell.family),
            Condition::Filter(filter) => filter.problem(&CellSelection::default(), ReadKind::Get),
        }
    }
}

impl fmt::Debug for CellCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = show::column(&self.family, &self.qualifier);
        write!(f, "{column} {} {:?}", self.compare.symbol(), self.comparator)?;
        match &self.time_range {
            Some(times) => write!(f, " in {times:?}"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cell(cell) => cell.fmt(f),
            Self::Filter(filter) => filter.fmt(f),
        }
    }
}

impl fmt::Debug for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_tuple("Check");
        shown.field(&format_args!("{}", show::row_key(&self.row))).field(&self.cell).finish()
    }
}

impl fmt::Debug for CheckAndMutate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_tuple("CheckAndMutate");
        shown.field(&format_args!("{}", show::row_key(&self.row))).field(&self.condition);
        if let Some(mutation) = &self.mutation {
            shown.field(mutation);
        }
        if let Some(options) = &self.options {
            shown.field(options);
        }
        shown.finish()
    }
}

/// The result of a [`CheckAndMutate`]: whether the change was made.
///
/// ```
/// use tallrow::op::CheckResult;
///
/// assert!(CheckResult::Applied.is_applied());
/// assert!(!CheckResult::NotApplied.is_applied());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "if the condition did not hold, nothing was changed"]
#[allow(clippy::exhaustive_enums, reason = "a condition holds or does not")]
pub enum CheckResult {
    /// The condition held, and the change was made.
    Applied,
    /// The condition did not hold, and nothing was changed.
    NotApplied,
}

impl CheckResult {
    pub(crate) fn new(applied: bool) -> Self {
        if applied { Self::Applied } else { Self::NotApplied }
    }

    /// Returns whether the condition held and the change was made.
    ///
    /// See [`CheckResult`] for an example.
    pub fn is_applied(self) -> bool {
        self == Self::Applied
    }
}
