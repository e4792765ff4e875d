use bytes::Bytes;

use super::{Extent, OrderedRows, PageToken, Scan};
use crate::{Error, Result, Row};

/// Some rows of a scan, and where the next ones start.
///
/// See [`TableScan::page`](crate::table::TableScan::page) and [`RawTable::scan_page`](crate::RawTable::scan_page) for
/// examples.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Page<R> {
    /// The rows, in the order of the scan.
    pub rows: Vec<R>,
    /// What the next page resumes with; `None` if there were no more rows.
    pub next: Option<PageToken>,
}

/// What a page of `size` has to request of the rest of a scan: one row more, to know whether others follow.
pub(crate) fn page_scan(scan: Scan, size: usize) -> Result<Scan> {
    if size == 0 {
        return Err(Error::invalid("a page of 0 rows; it needs at least one"));
    }
    let wanted = (size as u64).saturating_add(1);
    let limit = scan.limit.map_or(wanted, |left| left.min(wanted));
    Ok(scan.limit(limit))
}

/// Reads a page, after `before` rows on earlier pages.
pub(crate) async fn read_page<R>(
    extent: &Extent,
    before: u64,
    mut rows: OrderedRows,
    size: usize,
    read: impl Fn(Row) -> Result<R>,
) -> Result<Page<R>> {
    let mut page = Page { rows: Vec::new(), next: None };
    let mut last = Bytes::new();
    while let Some(row) = rows.next_row().await? {
        if page.rows.len() == size {
            page.next = Some(extent.token(last, before.saturating_add(size as u64)));
            break;
        }
        if page.rows.len() + 1 == size {
            last = row.key_bytes();
        }
        page.rows.push(read(row)?);
    }
    Ok(page)
}
