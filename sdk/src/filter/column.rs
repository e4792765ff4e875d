use std::fmt;

use bytes::Bytes;

use super::{Comparator, Filter, Kind};
use crate::op::{Columns, Compare};

/// Keeps or drops whole rows by the value of one column (`SingleColumnValueFilter`).
///
/// The column must be among those that are read. Unless said otherwise the newest version decides, rows without the
/// column are kept, and the column is part of what is read: the defaults of the Java client. All three are stated in
/// the request.
///
/// ```
/// use tallrow::{Compare, Filter, SingleColumnValue};
///
/// let hot = SingleColumnValue::new("d", "state", Compare::Equal, "hot").filter_if_missing(true);
/// assert_eq!(
///     format!("{:?}", Filter::from(hot)),
///     r#"SingleColumnValueFilter(d:state = "hot", filter_if_missing: true, latest_version_only: true)"#
/// );
/// ```
#[derive(Clone, PartialEq)]
pub struct SingleColumnValue {
    pub(super) family: Bytes,
    pub(super) qualifier: Bytes,
    pub(super) compare: Compare,
    pub(super) comparator: Comparator,
    pub(super) filter_if_missing: bool,
    pub(super) latest_version_only: bool,
    pub(super) exclude: bool,
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

    /// Whether the newest version alone decides; else any of the stored ones, of as many as the family keeps.
    ///
    /// ```
    /// # use tallrow::{Compare, SingleColumnValue};
    /// let once = SingleColumnValue::new("d", "state", Compare::Equal, "hot").latest_version_only(false);
    /// assert!(format!("{once:?}").ends_with("latest_version_only: false"));
    /// ```
    pub fn latest_version_only(mut self, yes: bool) -> Self {
        self.latest_version_only = yes;
        self
    }

    /// The column decides and is left out of what is read (`SingleColumnValueExcludeFilter`); a row that has no other
    /// cells is not read then.
    ///
    /// ```
    /// # use tallrow::{Compare, Filter, SingleColumnValue};
    /// let hot: Filter = SingleColumnValue::new("d", "state", Compare::Equal, "hot").exclude().into();
    /// assert!(format!("{hot:?}").starts_with("SingleColumnValueExcludeFilter(d:state"));
    /// ```
    pub fn exclude(mut self) -> Self {
        self.exclude = true;
        self
    }

    pub(super) fn class(&self) -> &'static str {
        if self.exclude { "SingleColumnValueExcludeFilter" } else { "SingleColumnValueFilter" }
    }

    /// The filter that keeps the rows this one drops, if there is one.
    pub(super) fn inverse(&self) -> Option<Self> {
        (self.latest_version_only && !self.exclude).then(|| Self {
            compare: self.compare.inverse(),
            filter_if_missing: !self.filter_if_missing,
            ..self.clone()
        })
    }
}

impl From<SingleColumnValue> for Filter {
    fn from(column: SingleColumnValue) -> Self {
        Self(Kind::SingleColumnValue(column))
    }
}

impl fmt::Debug for SingleColumnValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { compare, comparator, filter_if_missing, latest_version_only, .. } = self;
        write!(
            f,
            "{} {} {comparator:?}, filter_if_missing: {filter_if_missing}, latest_version_only: {latest_version_only}",
            column_name(&self.family, &self.qualifier),
            compare.sign(),
        )
    }
}

/// Keeps the cells that were written at the time of one column's cell (`DependentColumnFilter`).
///
/// The column must be among those that are read. It sees what stands before the column only if the row is read in one
/// piece, which is what this client asks for.
///
/// ```
/// use tallrow::{Compare, DependentColumn, Filter};
///
/// let written_with_it = DependentColumn::new("d", "batch").value(Compare::Equal, "7").drop_column();
/// assert_eq!(
///     format!("{:?}", Filter::from(written_with_it)),
///     r#"DependentColumnFilter(d:batch = "7", drop_dependent_column: true)"#
/// );
/// ```
#[derive(Clone, PartialEq)]
pub struct DependentColumn {
    pub(super) family: Bytes,
    pub(super) qualifier: Bytes,
    pub(super) value: Option<(Compare, Comparator)>,
    pub(super) drop: bool,
}

impl DependentColumn {
    /// Keeps the cells written at the times of this column's cells.
    ///
    /// See [`DependentColumn`] for an example of this and the other functions.
    pub fn new(family: impl AsRef<[u8]>, qualifier: impl AsRef<[u8]>) -> Self {
        Self {
            family: Bytes::copy_from_slice(family.as_ref()),
            qualifier: Bytes::copy_from_slice(qualifier.as_ref()),
            value: None,
            drop: false,
        }
    }

    /// Of the column, only cells whose value compares like this count.
    pub fn value(mut self, compare: Compare, comparator: impl Into<Comparator>) -> Self {
        self.value = Some((compare, comparator.into()));
        self
    }

    /// The column itself is left out of what is read.
    pub fn drop_column(mut self) -> Self {
        self.drop = true;
        self
    }
}

impl From<DependentColumn> for Filter {
    fn from(column: DependentColumn) -> Self {
        Self(Kind::Dependent(column))
    }
}

impl fmt::Debug for DependentColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&column_name(&self.family, &self.qualifier))?;
        if let Some((compare, comparator)) = &self.value {
            write!(f, " {} {comparator:?}", compare.sign())?;
        }
        write!(f, ", drop_dependent_column: {}", self.drop)
    }
}

pub(super) fn column_name(family: &[u8], qualifier: &[u8]) -> String {
    format!("{}:{}", family.escape_ascii(), qualifier.escape_ascii())
}

/// What is wrong with looking at a column that is not read.
pub(super) fn unread(family: &[u8], qualifier: &[u8], columns: &Columns) -> Option<String> {
    (!columns.contains(family, qualifier)).then(|| {
        let column = column_name(family, qualifier);
        format!(
            "the filter looks at column {column}, which is not among the columns that are read; name it too"
        )
    })
}
