use std::ops::RangeBounds;

use bytes::Bytes;

use crate::Timestamp;
use crate::columns::{Columns, TimeRange};
use crate::filter::{Filter, Use};

/// Reads one row: all of it, or some families and columns; the newest version of each cell, or more.
///
/// ```
/// use tallrow::{Get, Timestamp};
///
/// let whole = Get::from("row1");
/// let some = Get::new("row1").family("d").column("c", "hits").versions(3);
/// let then = Get::new("row1").time_range(..Timestamp::from_millis(1_000));
/// assert_eq!(whole, Get::new("row1"));
/// # let _ = (some, then);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Get {
    pub(crate) row: Bytes,
    pub(crate) columns: Columns,
    pub(crate) filter: Option<Filter>,
}

impl Get {
    /// Reads all of this row.
    ///
    /// See [`Get`] for an example of this and the other functions.
    pub fn new(row: impl AsRef<[u8]>) -> Self {
        let row = Bytes::copy_from_slice(row.as_ref());
        Self { row, columns: Columns::default(), filter: None }
    }

    pub(crate) fn with_columns(row: impl AsRef<[u8]>, columns: Columns) -> Self {
        Self { columns, ..Self::new(row) }
    }

    /// Also reads this family; without any family or column, all are read.
    pub fn family(mut self, family: impl AsRef<[u8]>) -> Self {
        self.columns.family(family.as_ref());
        self
    }

    /// Also reads this column.
    pub fn column(mut self, family: impl AsRef<[u8]>, qualifier: impl AsRef<[u8]>) -> Self {
        self.columns.column(family.as_ref(), qualifier.as_ref());
        self
    }

    /// Up to this many versions of each cell, newest first; the default is 1. The family keeps no more than its own
    /// number of versions.
    pub fn versions(mut self, versions: u32) -> Self {
        self.columns.versions = versions;
        self
    }

    /// Only versions in this range of time.
    pub fn time_range(mut self, range: impl RangeBounds<Timestamp>) -> Self {
        self.columns.time_range = Some(TimeRange::new(range));
        self
    }

    /// Only the version at exactly this time.
    pub fn at(mut self, timestamp: Timestamp) -> Self {
        self.columns.time_range = Some(TimeRange::at(timestamp));
        self
    }

    /// Only what this filter keeps; with another filter, what both keep.
    ///
    /// ```
    /// # use tallrow::{Filter, Get};
    /// let second_page = Get::new("wide").family("d").filter(Filter::column_pagination(100, 100));
    /// assert_ne!(second_page, Get::new("wide").family("d"));
    /// ```
    pub fn filter(mut self, filter: impl Into<Filter>) -> Self {
        self.filter = Some(match self.filter {
            Some(first) => first.and(filter),
            None => filter.into(),
        });
        self
    }

    /// What is wrong with it, but for its row key.
    pub(crate) fn problem(&self) -> Option<String> {
        let filter = self.filter.as_ref();
        self.columns
            .problem()
            .or_else(|| filter.and_then(|filter| filter.problem(&self.columns, Use::Get)))
    }
}

impl<R: AsRef<[u8]>> From<R> for Get {
    fn from(row: R) -> Self {
        Self::new(row)
    }
}
