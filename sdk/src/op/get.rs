use std::ops::{Bound, RangeBounds};

use bytes::Bytes;
use prost::Message;

use super::mutation::Sender;
use super::{Columns, mutation::check_row};
use crate::filter::{Filter, Use};
use crate::row_op::{Idempotency, RowOp};
use crate::rpc::Request;
use crate::wire::proto;
use crate::{Result, Timestamp};

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
    row: Bytes,
    columns: Columns,
    filter: Option<Filter>,
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

    /// Up to this many versions of each cell, newest first; 1 unless said. The family keeps no more than its own
    /// number of versions.
    pub fn versions(mut self, versions: u32) -> Self {
        self.columns.versions = versions;
        self
    }

    /// Only versions in this range of time.
    pub fn time_range(mut self, range: impl RangeBounds<Timestamp>) -> Self {
        let (from, to) = bounds(range);
        self.columns.time_range(from, to);
        self
    }

    /// Only the version at exactly this time.
    pub fn at(mut self, timestamp: Timestamp) -> Self {
        self.columns.at(timestamp);
        self
    }

    /// Only what this filter lets through; of a further one, what both do.
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

    pub(crate) fn into_op(self, to: &Sender<'_>, existence_only: bool) -> Result<RowOp> {
        let name = if existence_only { "exists" } else { "get" };
        let filter = self.filter.as_ref();
        let problem = self
            .columns
            .problem()
            .or_else(|| filter.and_then(|filter| filter.problem(&self.columns, Use::Get)));
        check_row(&self.row)
            .and(problem.map_or(Ok(()), Err))
            .map_err(|e| to.invalid(name, &self.row, e))?;
        let message = proto::Get {
            row: self.row.clone(),
            max_versions: Some(self.columns.max_versions()),
            column: self.columns.columns,
            // Else families that the filter does not look at may be read as they are after it has spoken.
            load_column_families_on_demand: filter.map(|_| false),
            filter: filter.map(Filter::to_proto),
            time_range: self.columns.time_range,
            existence_only: existence_only.then_some(true),
            ..Default::default()
        };
        Ok(RowOp {
            name,
            table: to.table.clone(),
            row: self.row,
            request: Request::Get(message.encode_to_vec().into()),
            cells: Bytes::new(),
            condition: None,
            repeat: Idempotency::Read,
            undated: None,
            timeout: to.timeout,
        })
    }
}

impl<R: AsRef<[u8]>> From<R> for Get {
    fn from(row: R) -> Self {
        Self::new(row)
    }
}

/// The start (inclusive) and end (exclusive) of a range of times.
pub(crate) fn bounds(range: impl RangeBounds<Timestamp>) -> (Option<Timestamp>, Option<Timestamp>) {
    let next = |t: Timestamp| Timestamp::from_millis(t.as_millis() + 1);
    let from = match range.start_bound() {
        Bound::Included(t) => Some(*t),
        Bound::Excluded(t) => Some(next(*t)),
        Bound::Unbounded => None,
    };
    let to = match range.end_bound() {
        Bound::Included(t) if *t == Timestamp::MAX => None,
        Bound::Included(t) => Some(next(*t)),
        Bound::Excluded(t) => Some(*t),
        Bound::Unbounded => None,
    };
    (from, to)
}
