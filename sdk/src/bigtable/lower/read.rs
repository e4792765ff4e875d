//! Gets and scans as messages.

use bytes::Bytes;

use super::columns::{chain, filter, of_columns, of_versions};
use super::mutations::Refusal;
use crate::Scan;
use crate::columns::Columns;
use crate::filter::Filter as CrateFilter;
use crate::op::Get;
use crate::wire::bigtable::{Filter, ReadRowsRequest, RowFilter, RowSet};

/// The filter of a read.
fn read_filter(
    columns: &Columns,
    own: Option<&CrateFilter>,
    keys_only: bool,
) -> Result<Option<RowFilter>, Refusal> {
    let mut filters = of_columns(columns)?;
    if let Some(own) = own {
        filters.push(lower_filter(own)?);
    }
    filters.extend(of_versions(columns.versions));
    if keys_only {
        filters.push(filter(Filter::CellsPerRowLimitFilter(1)));
        filters.push(filter(Filter::StripValueTransformer(true)));
    }
    Ok(chain(filters))
}

pub(super) fn lower_filter(_: &CrateFilter) -> Result<RowFilter, Refusal> {
    Err(Refusal::Unsupported("filters of this kind".into()))
}

/// The request for one row.
pub(super) fn get(
    get: &Get,
    existence_only: bool,
    (table_name, app_profile_id): (String, String),
) -> Result<ReadRowsRequest, Refusal> {
    if let Some(problem) = get.problem() {
        return Err(problem.into());
    }
    Ok(ReadRowsRequest {
        table_name,
        rows: Some(RowSet { row_keys: vec![get.row.clone()], row_ranges: Vec::new() }),
        filter: read_filter(&get.columns, get.filter.as_ref(), existence_only)?,
        rows_limit: 1,
        app_profile_id,
        reversed: false,
    })
}

/// The filter of a scan.
pub(crate) fn scan_filter(scan: &Scan) -> Result<Option<RowFilter>, String> {
    let unsupported = [
        (scan.raw, "raw scans"),
        (scan.cells_per_family.is_some() || scan.cell_offset > 0, "limits of cells per family"),
        (scan.server_metrics, "metrics of servers"),
    ];
    if let Some((_, what)) = unsupported.into_iter().find(|(asked, _)| *asked) {
        return Err(format!("Bigtable has no {what}"));
    }
    let filter = read_filter(&scan.columns, scan.filter.as_ref(), scan.keys_only);
    filter.map_err(|refusal| match refusal {
        Refusal::Invalid(why) => why,
        Refusal::Unsupported(what) => format!("Bigtable has no {what}"),
    })
}

/// Whether a row has any cell.
pub(super) fn row_key(row: &Bytes) -> Result<(), String> {
    const MOST: usize = 4 << 10;
    match row.len() {
        n if n > MOST => Err(format!("a row key of {n} bytes, more than Bigtable's {MOST}")),
        _ => crate::cell::validate_row(row),
    }
}
