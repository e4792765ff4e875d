//! Reading many rows.

mod merge;
mod range;
mod rows;
mod scanner;

pub use rows::RowStream;

pub(crate) use merge::Merge;
pub(crate) use range::Range;

use std::ops::RangeBounds;

use crate::filter::{Filter, Use};
use crate::op::Columns;
use crate::wire::proto;
use crate::{Result, Timestamp};

/// Reads the rows of a range of row keys, in order.
///
/// The start of a range is its lower end and the stop its upper one, also where the rows come
/// [`reversed`](Scan::reversed).
///
/// ```
/// use tallrow::{Scan, Timestamp};
///
/// let all = Scan::all();
/// let some = Scan::range("a".."c").family("d").limit(10);
/// let newest_first = Scan::prefix("user7|").reversed().versions(3).time_range(Timestamp::from_millis(5)..);
/// assert_eq!(Scan::range::<&str>(..), all);
/// # let _ = (some, newest_first);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Scan {
    pub(crate) range: Range,
    pub(crate) columns: Columns,
    pub(crate) reversed: bool,
    pub(crate) limit: Option<u64>,
    pub(crate) raw: bool,
    pub(crate) page_bytes: Option<usize>,
    pub(crate) filter: Option<Filter>,
}

impl Scan {
    /// Reads every row.
    ///
    /// See [`Scan`] for an example of this and the other functions.
    pub fn all() -> Self {
        Self::of(Range::default())
    }

    /// Reads the rows of this range of row keys.
    pub fn range<K: AsRef<[u8]>>(range: impl RangeBounds<K>) -> Self {
        Self::of(Range::from_bounds(&range))
    }

    /// Reads the rows whose keys start like this.
    pub fn prefix(prefix: impl AsRef<[u8]>) -> Self {
        Self::of(Range::prefix(prefix.as_ref()))
    }

    pub(crate) fn of(range: Range) -> Self {
        Self {
            range,
            columns: Columns::default(),
            reversed: false,
            limit: None,
            raw: false,
            page_bytes: None,
            filter: None,
        }
    }

    /// Also reads this family; without any family or column, all are read.
    pub fn family(mut self, family: impl AsRef<[u8]>) -> Self {
        self.columns.family(family.as_ref());
        self
    }

    /// Also reads this column; rows that have none of the columns are left out.
    ///
    /// ```
    /// # use tallrow::Scan;
    /// assert_ne!(Scan::all().column("d", "q"), Scan::all());
    /// ```
    pub fn column(mut self, family: impl AsRef<[u8]>, qualifier: impl AsRef<[u8]>) -> Self {
        self.columns.column(family.as_ref(), qualifier.as_ref());
        self
    }

    /// Up to this many versions of each cell, newest first; 1 unless said.
    pub fn versions(mut self, versions: u32) -> Self {
        self.columns.versions = versions;
        self
    }

    /// Only versions in this range of time.
    pub fn time_range(mut self, range: impl RangeBounds<Timestamp>) -> Self {
        let (from, to) = crate::op::bounds(range);
        self.columns.time_range(from, to);
        self
    }

    /// The last row first.
    pub fn reversed(mut self) -> Self {
        self.reversed = true;
        self
    }

    /// At most this many rows in all.
    pub fn limit(mut self, rows: u64) -> Self {
        self.limit = Some(rows);
        self
    }

    /// Only what this filter lets through; of a further one, what both do. The limit counts rows of which something is
    /// left.
    ///
    /// See [`Filter`] for an example.
    pub fn filter(mut self, filter: impl Into<Filter>) -> Self {
        self.filter = Some(match self.filter {
            Some(first) => first.and(filter),
            None => filter.into(),
        });
        self
    }

    /// Everything that is stored: delete markers, and what they hide. Together with single columns it is refused by
    /// the server.
    ///
    /// ```
    /// # use tallrow::Scan;
    /// let history = Scan::prefix("row1").versions(100).raw();
    /// assert_ne!(history, Scan::prefix("row1").versions(100));
    /// ```
    pub fn raw(mut self) -> Self {
        self.raw = true;
        self
    }

    /// How many bytes of cells one answer of a server should bring; half of
    /// [`prefetch_bytes`](crate::Config::prefetch_bytes) unless said.
    ///
    /// ```
    /// # use tallrow::Scan;
    /// assert_ne!(Scan::all().page_bytes(4_096), Scan::all());
    /// ```
    pub fn page_bytes(mut self, bytes: usize) -> Self {
        self.page_bytes = Some(bytes);
        self
    }

    pub(crate) fn check(&self) -> Result<(), String> {
        let used = Use::Scan { reversed: self.reversed };
        let filter = self.filter.as_ref();
        let problem =
            self.columns.problem().or_else(|| filter.and_then(|f| f.problem(&self.columns, used)));
        problem.map_or(Ok(()), Err)
    }

    /// The message, but for its rows.
    pub(crate) fn to_proto(&self, page_bytes: usize) -> proto::Scan {
        let raw = self.raw.then(|| proto::NameBytesPair {
            name: "_raw_".into(),
            value: Some(bytes::Bytes::from_static(&[0xFF])),
        });
        proto::Scan {
            column: self.columns.columns.clone(),
            attribute: raw.into_iter().collect(),
            time_range: self.columns.time_range.clone(),
            max_versions: Some(self.columns.max_versions()),
            max_result_size: Some(page_bytes as u64),
            reversed: self.reversed.then_some(true),
            filter: self.filter.as_ref().map(Filter::to_proto),
            // Else families that the filter does not look at are read after it has spoken: perhaps as they are by then,
            // and in a reversed scan not at all.
            load_column_families_on_demand: self.filter.as_ref().map(|_| false),
            ..Default::default()
        }
    }
}
