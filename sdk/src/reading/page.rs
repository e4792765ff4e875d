//! Pages. A page is a limited number of rows of a scan, with the reason why it ended and the
//! position where the next page starts.

use bytes::Bytes;
use tokio::time::{Instant, timeout_at};

use super::ScanRows;
use crate::request::scan::{Extent, PageToken, RowParts, Scan};
use crate::runtime::deadline::after;
use crate::{Error, Result, Row};

/// A limited number of rows of a scan, and the position where the next page starts.
///
/// See [`TableScan::page`](crate::table::TableScan::page) and
/// [`RawTable::scan_page`](crate::RawTable::scan_page) for examples.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Page<R> {
    /// The rows, in the order of the scan.
    pub rows: Vec<R>,
    /// The token with which the scan of the next page [resumes](crate::Scan::resume); `None` if no
    /// more rows follow, or the limit of the scan was reached.
    pub next: Option<PageToken>,
    /// The reason for which the page ended.
    pub ended_by: PageEnd,
}

/// The reason for which a [`Page`] ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PageEnd {
    /// The page has as many rows as were requested, and more rows follow.
    Size,
    /// The cells of the page take as many bytes as [`end_page_at_bytes`](Scan::end_page_at_bytes)
    /// allows, and more rows follow.
    Bytes,
    /// The time that was set with [`end_page_after`](Scan::end_page_after) had passed. Whether more
    /// rows follow is not known: the next page may be empty.
    Time,
    /// The [`limit`](Scan::limit) of the scan was reached.
    Limit,
    /// There are no more rows.
    End,
}

/// Returns the scan for a page of `size` rows. The scan is limited to one row more than the page,
/// to find out whether more rows follow.
pub(crate) fn page_scan(scan: Scan, size: usize) -> Result<Scan> {
    if size == 0 {
        return Err(Error::invalid("a page of 0 rows; it needs at least one"));
    }
    if scan.unordered {
        let text =
            "a page of an unordered scan, which has no place to continue at; read it in order";
        return Err(Error::invalid(text));
    }
    if scan.parts != RowParts::Whole {
        return Err(Error::invalid("a page of parts of rows; it has whole rows"));
    }
    let wanted = (size as u64).saturating_add(1);
    let limit = scan.limit.map_or(wanted, |left| left.min(wanted));
    Ok(scan.limit(limit))
}

/// The limits at which a page ends, unless the rows end earlier.
pub(crate) struct PageLimits {
    rows: usize,
    bytes: Option<usize>,
    until: Option<Instant>,
}

impl PageLimits {
    /// Returns the limits of a page that begins now.
    pub(crate) fn of(scan: &Scan, rows: usize) -> Self {
        let until = scan.end_page_after.map(after);
        Self { rows, bytes: scan.end_page_at_bytes, until }
    }

    /// Returns why a page of `rows` rows, with `bytes` bytes in all, takes no more rows; `None` if
    /// it takes more.
    fn end_reason(&self, rows: usize, bytes: usize) -> Option<PageEnd> {
        match self.bytes {
            _ if rows >= self.rows => Some(PageEnd::Size),
            Some(most) if rows > 0 && bytes >= most => Some(PageEnd::Bytes),
            _ => None,
        }
    }
}

/// Reads a page. The earlier pages contained `before` rows; `limit` is the limit of the scan minus
/// these rows.
pub(crate) async fn read_page<R>(
    extent: &Extent,
    before: u64,
    mut rows: ScanRows,
    size: PageLimits,
    limit: Option<u64>,
    read: impl Fn(Row) -> Result<R>,
) -> Result<Page<R>> {
    let mut page = Page { rows: Vec::new(), next: None, ended_by: PageEnd::End };
    let (mut last, mut bytes) = (Bytes::new(), 0_usize);
    loop {
        let count = page.rows.len();
        let is_limit = limit == Some(count as u64);
        // Each page has at least one row, so that the scan makes progress.
        let until = size.until.filter(|_| count > 0 && !is_limit);
        let (row, ended_by) = match until {
            None => (rows.next_row().await?, size.end_reason(count, bytes)),
            Some(until) if until <= Instant::now() => (None, Some(PageEnd::Time)),
            Some(until) => match timeout_at(until, rows.next_row()).await {
                Ok(row) => (row?, size.end_reason(count, bytes)),
                Err(_) => (None, Some(PageEnd::Time)),
            },
        };
        match (row, ended_by) {
            (Some(row), None) => {
                last = row.copy_key();
                bytes = row.cells().iter().fold(bytes, |sum, cell| sum.saturating_add(cell.size()));
                page.rows.push(read(row)?);
            }
            (Some(_), Some(end)) | (None, Some(end @ PageEnd::Time)) => {
                page.next = Some(extent.token(last, before.saturating_add(count as u64)));
                page.ended_by = end;
                return Ok(page);
            }
            (None, _) => {
                page.ended_by = if is_limit { PageEnd::Limit } else { PageEnd::End };
                return Ok(page);
            }
        }
    }
}
