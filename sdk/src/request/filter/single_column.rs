//! The filter that keeps or drops whole rows by the value of one column.

use std::fmt;

use bytes::Bytes;

use super::argument::{Argument, debug_arguments};
use super::{Comparator, CompareOperator};

/// A filter that keeps or drops whole rows by the value of one column (`SingleColumnValueFilter`).
///
/// The column must be among the columns that the read requests. By default the newest version is
/// tested, rows without the column are kept, and the column is returned with the other cells, as in
/// the Java client. The request contains all three settings explicitly.
///
/// ```
/// use tallrow::{
///     Filter,
///     filter::{CompareOperator, SingleColumnValue},
/// };
///
/// let hot = SingleColumnValue::new("d", "state", CompareOperator::Equal, "hot").filter_if_missing(true);
/// assert_eq!(
///     format!("{:?}", Filter::from(hot)),
///     r#"SingleColumnValueFilter(d:state = "hot", filter_if_missing: true, latest_version_only: true)"#
/// );
/// ```
#[derive(Clone, PartialEq)]
pub struct SingleColumnValue {
    pub(crate) family: Bytes,
    pub(crate) qualifier: Bytes,
    pub(crate) compare: CompareOperator,
    pub(crate) comparator: Comparator,
    pub(crate) filter_if_missing: bool,
    pub(crate) latest_version_only: bool,
    pub(crate) exclude: bool,
}

impl SingleColumnValue {
    /// Makes a filter that keeps the rows for which `value <compare> comparator` holds in this
    /// column.
    ///
    /// See [`SingleColumnValue`] for an example of this and the next function.
    pub fn new(
        family: impl AsRef<[u8]>,
        qualifier: impl AsRef<[u8]>,
        compare: CompareOperator,
        comparator: impl Into<Comparator>,
    ) -> Self {
        Self {
            family: Bytes::copy_from_slice(family.as_ref()),
            qualifier: Bytes::copy_from_slice(qualifier.as_ref()),
            compare,
            comparator: comparator.into(),
            filter_if_missing: false,
            latest_version_only: true,
            exclude: false,
        }
    }

    /// Sets whether rows without the column are dropped.
    pub fn filter_if_missing(mut self, yes: bool) -> Self {
        self.filter_if_missing = yes;
        self
    }

    /// Sets whether only the newest version of the column is tested; otherwise any of the stored
    /// versions may meet the condition.
    ///
    /// ```
    /// # use tallrow::filter::{CompareOperator, SingleColumnValue};
    /// let once =
    ///     SingleColumnValue::new("d", "state", CompareOperator::Equal, "hot").latest_version_only(false);
    /// assert!(format!("{once:?}").ends_with("latest_version_only: false"));
    /// ```
    pub fn latest_version_only(mut self, yes: bool) -> Self {
        self.latest_version_only = yes;
        self
    }

    /// Tests the column, but does not return its cells (`SingleColumnValueExcludeFilter`). A row
    /// that has no other cells is then not returned.
    ///
    /// ```
    /// # use tallrow::{Filter, filter::{CompareOperator, SingleColumnValue}};
    /// let hot: Filter =
    ///     SingleColumnValue::new("d", "state", CompareOperator::Equal, "hot").exclude().into();
    /// assert!(format!("{hot:?}").starts_with("SingleColumnValueExcludeFilter(d:state"));
    /// ```
    pub fn exclude(mut self) -> Self {
        self.exclude = true;
        self
    }

    pub(super) fn arguments(&self) -> Vec<Argument> {
        let column = (&self.family, &self.qualifier);
        vec![
            Argument::column(column, self.compare, &self.comparator),
            Argument::bare_with_debug_name("filter_if_missing", self.filter_if_missing),
            Argument::bare_with_debug_name("latest_version_only", self.latest_version_only),
        ]
    }

    /// Returns the filter that keeps the rows that this filter drops, if there is one.
    pub(crate) fn inverse(&self) -> Option<Self> {
        (self.latest_version_only && !self.exclude).then(|| Self {
            compare: self.compare.inverse(),
            filter_if_missing: !self.filter_if_missing,
            ..self.clone()
        })
    }
}

impl fmt::Debug for SingleColumnValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&debug_arguments(&self.arguments()))
    }
}
