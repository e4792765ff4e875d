//! Reads the whole rows of a range, with all versions.

use std::collections::HashMap;

use bytes::Bytes;

use super::cells::{Cells, with_all_versions};
use crate::model::cell::Cell;
use crate::{RawTable, Result, Row, Scan};

/// About how many bytes of cells a page has.
const PAGE_BYTES: usize = 4 << 20;

/// Reads a page: the first `rows` rows of a scan, or fewer if their cells reach `PAGE_BYTES`.
pub(super) async fn read_page(table: &RawTable, scan: Scan, rows: u64) -> Result<Vec<Row>> {
    let mut found = table.scan(with_all_versions(scan).limit(rows))?;
    let (mut page, mut bytes) = (Vec::new(), 0);
    while bytes < PAGE_BYTES {
        let Some(row) = found.next_row().await? else { break };
        bytes += row.cells().iter().map(Cell::size).sum::<usize>();
        page.push(row);
    }
    Ok(page)
}

/// Reads the rows from one key to another, including both.
pub(super) async fn rows_between(
    table: &RawTable,
    first: &[u8],
    last: &[u8],
) -> Result<HashMap<Bytes, Cells>> {
    let mut found = table.scan(with_all_versions(Scan::range(first..=last)))?;
    let mut rows = HashMap::new();
    while let Some(row) = found.next_row().await? {
        rows.insert(row.copy_key(), Cells::of(Some(&row)));
    }
    Ok(rows)
}
