//! Converts gets to messages, and scans to parts of messages.

use std::time::{SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use prost::Message;

use super::mutations::Refusal;
use super::table::TableFacts;
use crate::backend::bigtable::filter::{FamilyLimits, ReadSpec, lower_read};
use crate::key::RowRange;
use crate::request::filter::{Kind, RowKeyFilter};
use crate::request::op::Get;
use crate::wire::bigtable::{ReadRowsRequest, RowFilter};
use crate::{Error, ErrorKind, Result, Scan, Timestamp};

/// The maximum length of a row key in bytes.
const MAX_ROW_KEY: usize = 4 << 10;

/// Returns the current time of the client. Reads compute from it which cells a family no longer
/// keeps.
pub(super) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_millis(u64::try_from(since.as_millis()).unwrap_or(0))
}

/// Returns the encoded fields of the request for a row, without those that name the table and the
/// row.
pub(super) fn get_fields(
    get: &Get,
    existence_only: bool,
    facts: &TableFacts<'_>,
) -> Result<Vec<u8>, Refusal> {
    if let Some(problem) = get.problem() {
        return Err(problem.into());
    }
    let read = ReadSpec {
        keys_only: existence_only,
        ..ReadSpec::new(&get.columns, get.filter.as_deref())
    };
    let filter = lower_read(&read, facts.family_limits, now())?;
    Ok(ReadRowsRequest { filter, ..ReadRowsRequest::default() }.encode_to_vec())
}

/// Returns the ranges if the filter of a scan is a filter for ranges of rows. The service gets
/// these ranges as the rows to read, and skips all other rows.
pub(crate) fn row_ranges_of_scan(scan: &Scan) -> Option<&[RowRange]> {
    match scan.filter.as_ref().map(|filter| &filter.0) {
        Some(Kind::Rows(RowKeyFilter::RowRanges(ranges))) => Some(ranges),
        _ => None,
    }
}

/// Returns the Bigtable filter of a scan, without the ranges that [`row_ranges_of_scan`] returns.
/// `kept` is what the families keep, if that is known.
pub(crate) fn scan_filter(scan: &Scan, kept: Option<&FamilyLimits>) -> Result<Option<RowFilter>> {
    // This pattern has no `..`, so that a new option is either sent or left out on purpose.
    let Scan {
        columns,
        filter,
        reversed,
        cells_per_family,
        cell_offset,
        keys_only,
        hbase,
        // The scanner and the client handle these options.
        range: _,
        limit: _,
        position: _,
        server_metrics: _,
        parts: _,
        bytes_per_call: _,
        end_page_at_bytes: _,
        end_page_after: _,
        parallel: _,
        unordered: _,
        cursors: _,
        options: _,
    } = scan;
    if let Some(what) = hbase.unsupported_on_bigtable() {
        return Err(Error::new(ErrorKind::Unsupported, format!("Bigtable has no {what}")));
    }
    let filter = filter.as_deref().filter(|_| row_ranges_of_scan(scan).is_none());
    let read = ReadSpec {
        reversed: *reversed,
        cells_per_family: *cells_per_family,
        cell_offset: *cell_offset,
        keys_only: *keys_only,
        ..ReadSpec::new(columns, filter)
    };
    lower_read(&read, kept, now())
}

/// Checks a row key; the error says what is wrong with the key.
pub(crate) fn check_row_key(row: &Bytes) -> Result<(), String> {
    match row.len() {
        n if n > MAX_ROW_KEY => Err(format!(
            "a row key of {n} bytes, more than Bigtable's {MAX_ROW_KEY}; make it shorter, with a hash or an id \
                 instead of its longest part"
        )),
        _ => crate::model::cell::validate_row(row),
    }
}
