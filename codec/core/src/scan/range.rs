//! One range of rows.

use core::fmt;

use crate::row::{RowBuf, Sink};

/// One contiguous range of rows, including `start` and excluding `stop`.
///
/// ```
/// use tallrow_codec::RowRange;
///
/// let users = RowRange::prefix(b"user1|");
/// assert_eq!(users.start(), b"user1|");
/// assert_eq!(users.stop(), Some(&b"user1}"[..]));
/// assert!(users.contains(b"user1|2024"));
/// assert!(!users.contains(b"user10|2024"));
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RowRange {
    start: RowBuf,
    stop: Option<RowBuf>,
}

impl RowRange {
    /// Returns the range of the rows from `start` up to but not including `stop`, or to the end of
    /// the table if `stop` is `None`.
    ///
    /// A `stop` at or before `start` gives an empty range.
    ///
    /// ```
    /// use tallrow_codec::{RowBuf, RowRange};
    ///
    /// let range = RowRange::new(RowBuf::from_slice(b"b"), Some(RowBuf::from_slice(b"a")));
    /// assert!(range.is_empty());
    /// ```
    pub fn new(start: RowBuf, stop: Option<RowBuf>) -> Self {
        let stop = match stop {
            Some(stop) if stop < start => Some(start.clone()),
            other => other,
        };
        Self { start, stop }
    }

    /// Returns the range of all rows of a table.
    ///
    /// ```
    /// assert!(tallrow_codec::RowRange::all().contains(b""));
    /// ```
    pub fn all() -> Self {
        Self { start: RowBuf::new(), stop: None }
    }

    /// Returns the range of the rows that begin with `prefix`.
    ///
    /// ```
    /// use tallrow_codec::RowRange;
    ///
    /// assert_eq!(RowRange::prefix(b"a\xff").stop(), Some(&b"b"[..]));
    /// assert_eq!(RowRange::prefix(b"\xff\xff").stop(), None);
    /// ```
    pub fn prefix(prefix: &[u8]) -> Self {
        let start = RowBuf::from_slice(prefix);
        Self { stop: next_prefix(&start), start }
    }

    /// Returns the range that contains only the row `row`.
    ///
    /// ```
    /// use tallrow_codec::RowRange;
    ///
    /// let one = RowRange::row(b"a");
    /// assert!(one.contains(b"a") && !one.contains(b"a\0"));
    /// ```
    pub fn row(row: &[u8]) -> Self {
        let start = RowBuf::from_slice(row);
        Self { stop: Some(next_row(&start)), start }
    }

    /// Returns the first row of the range; an empty row key if the range starts at the start of the
    /// table.
    pub fn start(&self) -> &[u8] {
        &self.start
    }

    /// Returns the first row after the range, or `None` if the range goes to the end of the table.
    pub fn stop(&self) -> Option<&[u8]> {
        self.stop.as_deref()
    }

    /// Returns whether no row can be in the range.
    ///
    /// ```
    /// use tallrow_codec::RowRange;
    ///
    /// assert!(!RowRange::all().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop <= &self.start)
    }

    /// Returns whether `row` is in the range.
    pub fn contains(&self, row: &[u8]) -> bool {
        row >= self.start() && self.stop().is_none_or(|stop| row < stop)
    }
}

impl fmt::Debug for RowRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}..", self.start)?;
        match &self.stop {
            Some(stop) => stop.fmt(f),
            None => Ok(()),
        }
    }
}

/// Returns the first row after all rows that begin with `prefix`: trailing FF bytes are removed and
/// the last remaining byte is incremented. `None` if no byte remains, because there is no such row.
pub(super) fn next_prefix(prefix: &RowBuf) -> Option<RowBuf> {
    let kept = prefix.iter().rposition(|b| *b != 0xff)?;
    let mut next = prefix.clone();
    next.truncate(kept + 1);
    if let Some(last) = next.as_mut_slice().last_mut() {
        *last += 1;
    }
    Some(next)
}

/// Returns the first row after `row`.
pub(super) fn next_row(row: &RowBuf) -> RowBuf {
    let mut next = row.clone();
    next.put(&[0]);
    next
}
