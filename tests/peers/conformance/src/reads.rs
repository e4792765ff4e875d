//! Reads by the client.

use std::ops::Bound;

use bytes::Bytes;
use tallrow::filter::Filter;
use tallrow::key::{RowBuf, RowRange};
use tallrow::{Client, Error, Scan};
use tallrow_wire::bigtable::{
    EndKey, ReadRowsRequest, RowRange as RangeMessage, RowSet, SampleRowKeysResponse, StartKey,
};

use crate::clients::table_id;
use crate::messages::{
    ReadRow, ReadRows, RowResult, RowsResult, SampleRowKeys, SampleRowKeysResult,
};
use crate::{code, rows};

/// As it came: tests give cells times that are no whole number of milliseconds.
pub(crate) async fn read_row(client: &Client, request: ReadRow) -> RowResult {
    let key = Bytes::from(request.row_key);
    let request = ReadRowsRequest {
        table_name: request.table_name,
        rows: Some(RowSet { row_keys: vec![key.clone()], row_ranges: Vec::new() }),
        filter: request.filter,
        rows_limit: 1,
        ..Default::default()
    };
    let read = match client.__bigtable() {
        Some(messages) => messages.read_row(key, request).await,
        None => Ok(None),
    };
    let status = Some(code::status(&read));
    RowResult { status, row: read.ok().flatten().as_ref().map(rows::merged) }
}

pub(crate) async fn read_rows(client: &Client, request: ReadRows) -> RowsResult {
    let mut result = RowsResult::default();
    let most = usize::try_from(request.cancel_after_rows).ok().filter(|most| *most > 0);
    let request = request.request.unwrap_or_default();
    let read = scan(client, &request, most, &mut result).await;
    result.status = Some(code::status(&read));
    result
}

async fn scan(
    client: &Client,
    request: &ReadRowsRequest,
    most: Option<usize>,
    result: &mut RowsResult,
) -> Result<(), Error> {
    if request.filter.is_some() {
        return Err(Error::invalid_argument("the proxy reads rows without a filter"));
    }
    let mut scan = rows_of(request.rows.as_ref());
    if request.reversed {
        scan = scan.reversed();
    }
    if let Some(limit) = u64::try_from(request.rows_limit).ok().filter(|limit| *limit > 0) {
        scan = scan.limit(limit);
    }
    let mut stream = client.raw_table(table_id(&request.table_name))?.scan(scan)?;
    while most.is_none_or(|most| result.rows.len() < most) {
        match stream.next_row().await? {
            Some(row) => result.rows.push(rows::message(&row)),
            None => break,
        }
    }
    Ok(())
}

/// The rows of a set: one range is what is scanned, of several those that are in one of them.
fn rows_of(set: Option<&RowSet>) -> Scan {
    let Some(set) = set else { return Scan::all() };
    match (&set.row_keys[..], &set.row_ranges[..]) {
        ([], []) => Scan::all(),
        ([], [range]) => Scan::range::<Bytes>(bounds(range)),
        (keys, ranges) => {
            let keys = keys.iter().map(|key| RowRange::row(key));
            let all: Vec<RowRange> = keys.chain(ranges.iter().map(row_range)).collect();
            Scan::all().filter(Filter::row_ranges(all))
        }
    }
}

fn bounds(range: &RangeMessage) -> (Bound<Bytes>, Bound<Bytes>) {
    let start = match &range.start_key {
        Some(StartKey::StartKeyClosed(key)) => Bound::Included(key.clone()),
        Some(StartKey::StartKeyOpen(key)) => Bound::Excluded(key.clone()),
        None => Bound::Unbounded,
    };
    let end = match &range.end_key {
        Some(EndKey::EndKeyClosed(key)) => Bound::Included(key.clone()),
        Some(EndKey::EndKeyOpen(key)) => Bound::Excluded(key.clone()),
        None => Bound::Unbounded,
    };
    (start, end)
}

fn row_range(range: &RangeMessage) -> RowRange {
    let after = |key: &Bytes| RowBuf::from_slice(&[&key[..], b"\0"].concat());
    let (start, end) = bounds(range);
    let start = match start {
        Bound::Included(key) => RowBuf::from_slice(&key),
        Bound::Excluded(key) => after(&key),
        Bound::Unbounded => RowBuf::from_slice(b""),
    };
    let stop = match end {
        Bound::Included(key) => Some(after(&key)),
        Bound::Excluded(key) => Some(RowBuf::from_slice(&key)),
        Bound::Unbounded => None,
    };
    RowRange::new(start, stop)
}

/// The keys that divide a table, as the client shows them: the first keys of its parts.
pub(crate) async fn sample_row_keys(
    client: &Client,
    request: SampleRowKeys,
) -> SampleRowKeysResult {
    let request = request.request.unwrap_or_default();
    let parts = match client.region_locator(table_id(&request.table_name)) {
        Ok(locator) => locator.all_regions().await,
        Err(error) => Err(error),
    };
    let status = Some(code::status(&parts));
    let keys = parts.iter().flatten().map(|part| part.start_key()).filter(|key| !key.is_empty());
    let sample = |key: &[u8]| SampleRowKeysResponse {
        row_key: Bytes::copy_from_slice(key),
        offset_bytes: 0,
    };
    SampleRowKeysResult { status, samples: keys.map(sample).collect() }
}
