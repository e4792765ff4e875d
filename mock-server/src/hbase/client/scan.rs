//! Scan: opens a scanner, reads from it, renews its lease or closes it.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use bytes::BytesMut;
use tallrow_wire::exception;
use tallrow_wire::proto::{Cursor, NameInt64Pair, Scan, ScanMetrics, ScanRequest, ScanResponse};

use super::get::{append_cell, encode_result};
use crate::base::{RemoteResult, limits, remote_exception};
use crate::hbase::access::readable_columns;
use crate::hbase::call::Call;
use crate::regions::{BatchLimits, ScanBatch};
use crate::state::Scanner;

/// The metrics of a real server that are always 0 in the mock.
const ZERO_METRICS: [&str; 7] = [
    "BLOCK_BYTES_SCANNED",
    "BLOCK_READ_OPS_COUNT",
    "BYTES_READ_FROM_BLOCK_CACHE",
    "BYTES_READ_FROM_FS",
    "FS_READ_TIME",
    "RPC_SCAN_PROCESSING_TIME",
    "RPC_SCAN_QUEUE_WAIT_TIME",
];

/// Answers a Scan.
pub(crate) fn scan(
    call: &Call<'_>,
    request: ScanRequest,
) -> RemoteResult<(ScanResponse, BytesMut)> {
    let mut response = ScanResponse::default();
    let mut block = BytesMut::new();
    let now = call.now();
    let close = request.close_scanner.unwrap_or(false);
    let (id, mut scanner) = match (request.scanner_id, &request.scan) {
        (Some(id), _) => {
            let Some(scanner) = call.server.scanners().take(id, now) else {
                return unknown(call, &request, id, now);
            };
            if call.cluster.permissions.is_some() && scanner.owner != call.peer.user {
                call.server.scanners().put_back(id, scanner, now);
                let text = format!("User '{}' is not the scanner owner!", call.peer.user);
                return Err(remote_exception(exception::ACCESS_DENIED, text));
            }
            response.scanner_id = Some(id);
            if close && request.number_of_rows.unwrap_or(0) == 0 {
                scanner.release_read_point();
                call.server.scanners().remember_closed(id, scanner.next_call_seq, now);
                response.more_results = Some(true);
                response.more_results_in_region = Some(true);
                response.stale = Some(scanner.region.replica_id() > 0);
                return Ok((response, block));
            }
            (id, next(call, &request, id, scanner, now)?)
        }
        (None, Some(scan)) => {
            let specifier = request.region.clone().unwrap_or_default();
            let region = call.region(&specifier)?;
            let mut state = call.lock_for_read(&region)?;
            let mut scan = Cow::Borrowed(scan);
            let columns = readable_columns(call, &region, &state.schema, &scan.column)?;
            if let Cow::Owned(column) = columns {
                scan = Cow::Owned(Scan { column, ..scan.into_owned() });
            }
            let lease_ms = call.cluster.settings.scanner_lease_ms;
            let scanner =
                Scanner::open(&region, &mut state, &scan, &call.peer.user, (now, lease_ms))?;
            drop(state);
            let id = call.server.scanners().new_id();
            response.scanner_id = Some(id);
            response.ttl = u32::try_from(lease_ms).ok();
            response.mvcc_read_point = Some(scanner.read_point);
            (id, scanner)
        }
        (None, None) => {
            let text = "Missing required input: scannerId or scan";
            return Err(remote_exception(exception::DO_NOT_RETRY, text));
        }
    };
    if request.renew.unwrap_or(false) {
        call.server.scanners().put_back(id, scanner, now);
        return Ok((response, block));
    }
    let rows = request.number_of_rows.unwrap_or(if close { 0 } else { 1 }) as usize;
    let (mut more, mut more_in_region) = (true, true);
    if rows > 0 {
        let limits = BatchLimits {
            results: rows,
            rows: request.limit_of_rows.unwrap_or(0) as usize,
            bytes: scanner.max_bytes.clamp(1, limits::RESULT_BYTES),
            allow_partials: request.client_handles_partials.unwrap_or(false),
            rows_read: match call.cluster.scan_row_limit.load(Ordering::Relaxed) {
                limit if limit > 0 && request.client_handles_heartbeats.unwrap_or(false) => limit,
                _ => u64::MAX,
            },
        };
        let region = Arc::clone(&scanner.region);
        let mut state = match call.lock_for_read(&region) {
            Ok(state) => state,
            Err(exception) => {
                scanner.release_read_point();
                return Err(exception);
            }
        };
        let batch = scanner.cursor.next_batch(&state, scanner.read_point, now, limits);
        more_in_region = batch.more_in_region;
        let filtered_out = batch.results.is_empty() && scanner.cursor.filters_all_remaining();
        more = !(batch.limit_reached || filtered_out);
        if let Some(row) = &batch.timed_out_after {
            response.heartbeat_message = Some(true);
            let cursor = Cursor { row: Some(row.clone()) };
            response.cursor = scanner.wants_cursor.then_some(cursor);
        }
        let rows = batch.rows_scanned;
        call.server.scanners().count_cells(batch.cells_read);
        put_results(call, &request, &batch, &mut response, &mut block);
        drop(batch);
        state.read_requests += rows;
    }
    response.more_results = Some(more);
    response.more_results_in_region = Some(more_in_region);
    response.stale = Some(scanner.region.replica_id() > 0);
    if close || !more || !more_in_region {
        scanner.release_read_point();
        call.server.scanners().remember_closed(id, scanner.next_call_seq, now);
    } else {
        call.server.scanners().put_back(id, scanner, now);
    }
    Ok((response, block))
}

/// Checks the sequence number of a call on a scanner, and that the scanner's region is still open.
fn next(
    call: &Call<'_>,
    request: &ScanRequest,
    id: u64,
    mut scanner: Scanner,
    now: u64,
) -> RemoteResult<Scanner> {
    if let Err(mut exception) = scanner.check_call_seq(request.next_call_seq) {
        exception.message += &format!(
            "; request=scanner_id: {id} number_of_rows: {} next_call_seq: {}; region={}",
            request.number_of_rows.unwrap_or(1),
            request.next_call_seq.unwrap_or(0),
            scanner.region.display_name
        );
        call.server.scanners().put_back(id, scanner, now);
        return Err(exception);
    }
    let opened_here = call.lock_open_region(&scanner.region).map(|s| s.open_sequence_id);
    match opened_here {
        Ok(opened) if opened == scanner.open_sequence_id => Ok(scanner),
        Ok(_) => {
            scanner.release_read_point();
            let text = format!("Region has changed on the scanner {}", scanner.region.display_name);
            Err(remote_exception(exception::NOT_SERVING_REGION, text))
        }
        Err(exception) => {
            scanner.release_read_point();
            Err(exception)
        }
    }
}

/// Answers a call on a scanner that is not open.
fn unknown(
    call: &Call<'_>,
    request: &ScanRequest,
    id: u64,
    now: u64,
) -> RemoteResult<(ScanResponse, BytesMut)> {
    let closed = call.server.scanners().closed_next_call_seq(id, now);
    let answer = ScanResponse { scanner_id: Some(id), ..Default::default() };
    match (closed, request.next_call_seq) {
        (Some(_), _) if request.close_scanner.unwrap_or(false) => Ok((answer, BytesMut::new())),
        (Some(_), None) => Ok((answer, BytesMut::new())),
        (Some(expected), Some(got)) if got == expected + 1 => Ok((answer, BytesMut::new())),
        (Some(expected), Some(got)) => Err(remote_exception(
            exception::OUT_OF_ORDER_SCANNER_NEXT,
            format!(
                "Expected nextCallSeq for closed request: {} But the nextCallSeq got from client: \
                 {got}",
                expected + 1
            ),
        )),
        (None, _) => Err(remote_exception(
            exception::UNKNOWN_SCANNER,
            format!(
                "Unknown scanner '{id}'. This can happen due to any of the following reasons: a) \
                 Scanner id given is wrong, b) Scanner lease expired because of long wait between \
                 consecutive client checkins, c) Server may be closing down, d) RegionServer \
                 restart during upgrade."
            ),
        )),
    }
}

fn put_results(
    call: &Call<'_>,
    request: &ScanRequest,
    batch: &ScanBatch<'_>,
    response: &mut ScanResponse,
    block: &mut BytesMut,
) {
    for scanned in &batch.results {
        if let Some(codec) = call.peer.cell_codec {
            scanned.cells.iter().for_each(|c| append_cell(c, codec, block));
            response.cells_per_result.push(scanned.cells.len() as u32);
            response.partial_flag_per_result.push(scanned.partial);
        } else {
            let mut inline = encode_result(&scanned.cells, None, block);
            inline.partial = Some(scanned.partial);
            response.results.push(inline);
        }
    }
    if request.track_scan_metrics.unwrap_or(false) {
        let metric = |name: &str, value: u64| NameInt64Pair {
            name: Some(name.to_owned()),
            value: Some(value as i64),
        };
        let cells = batch.results.iter().flat_map(|f| &f.cells);
        let bytes = cells.map(|c| c.key_value().len() as u64).sum();
        // Nothing is read from disk, and no call waits.
        let mut metrics: Vec<NameInt64Pair> = ZERO_METRICS.iter().map(|m| metric(m, 0)).collect();
        metrics.push(metric("BYTES_READ_FROM_MEMSTORE", bytes));
        metrics.push(metric("ROWS_SCANNED", batch.rows_scanned));
        metrics.push(metric("ROWS_FILTERED", batch.rows_filtered));
        response.scan_metrics = Some(ScanMetrics { metrics });
    }
}
