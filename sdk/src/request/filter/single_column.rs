//! The filter that keeps or drops whole rows by the value of one column.

use std::fmt;

use bytes::Bytes;

use super::argument::{Argument, shown_list};
use super::{Comparator, Compare};

/// Keeps or drops whole rows by the value of one column (`SingleColumnValueFilter`).
///
/// The column must be among those that are read. By default the newest version decides, rows
/// without the column are kept, and the column is part of what is read: the defaults of the Java
/// client. All three are stated in the request.
///
/// ```
/// use tallrow::{
///     Filter,
///     filter::{Compare, SingleColumnValue},
/// };
///
/// let hot = SingleColumnValue::new("d", "state", Compare::Equal, "hot").filter_if_missing(true);
/// assert_eq!(
///     format!("{:?}", Filter::from(hot)),
///     r#"SingleColumnValueFilter(d:state = "hot", filter_if_missing: true, latest_version_only: true)"#
/// );
/// ```
#[derive(Clone, PartialEq)]
pub struct SingleColumnValue {
    pub(crate) family: Bytes,
    pub(crate) qualifier: Bytes,
    pub(crate) compare: Compare,
    pub(crate) comparator: Comparator,
    pub(crate) filter_if_missing: bool,
    pub(crate) latest_version_only: bool,
    pub(crate) exclude: bool,
}

impl SingleColumnValue {
    /// Keeps the rows whose value of this column compares like this.
    ///
    /// See [`SingleColumnValue`] for an example of this and the next function.
    pub fn new(
        family: impl AsRef<[u8]>,
        qualifier: impl AsRef<[u8]>,
        compare: Compare,
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

    /// Whether rows without the column are dropped.
    pub fn filter_if_missing(mut self, yes: bool) -> Self {
        self.filter_if_missing = yes;
        self
    }

    /// Whether only the newest version decides; otherwise any of the stored versions may.
    ///
    /// ```
    /// # use tallrow::filter::{Compare, SingleColumnValue};
    /// let once =
    ///     SingleColumnValue::new("d", "state", Compare::Equal, "hot").latest_version_only(false);
    /// assert!(format!("{once:?}").ends_with("latest_version_only: false"));
    /// ```
    pub fn latest_version_only(mut self, yes: bool) -> Self {
        self.latest_version_only = yes;
        self
    }

    /// The column decides and is left out of what is read (`SingleColumnValueExcludeFilter`); a row
    /// that has no other cells is not read then.
    ///
    /// ```
    /// # use tallrow::{Filter, filter::{Compare, SingleColumnValue}};
    /// let hot: Filter =
    ///     SingleColumnValue::new("d", "state", Compare::Equal, "hot").exclude().into();
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
            Argument::named("filter_if_missing", self.filter_if_missing),
            Argument::named("latest_version_only", self.latest_version_only),
        ]
    }

    /// The filter that keeps the rows this one drops, if there is one.
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
        f.write_str(&shown_list(&self.arguments()))
    }
}
