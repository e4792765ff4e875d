//! `AggregateImplementation`, HBase's endpoint for counts and sums, with its column interpreter for
//! values of 8 bytes.

use bytes::Bytes;
use prost::Message;
use tallrow_wire::exception;
use tallrow_wire::proto::Scan;

use crate::base::{RemoteResult, remote_exception};
use crate::hbase::call::Call;
use crate::regions::{BatchLimits, Region, RegionState, ScanCursor};

const LONG_INTERPRETER: &str = "org.apache.hadoop.hbase.client.coprocessor.LongColumnInterpreter";

/// `AggregateRequest`
#[derive(Clone, PartialEq, prost::Message)]
struct AggregateRequest {
    #[prost(string, required, tag = "1")]
    interpreter_class_name: String,
    #[prost(message, required, tag = "2")]
    scan: Scan,
}

/// `AggregateResponse`
#[derive(Clone, PartialEq, prost::Message)]
struct AggregateResponse {
    #[prost(bytes = "bytes", repeated, tag = "1")]
    first_part: Vec<Bytes>,
    #[prost(bytes = "bytes", optional, tag = "2")]
    second_part: Option<Bytes>,
}

/// `LongMsg`, in which the interpreter encodes a number.
#[derive(Clone, PartialEq, prost::Message)]
struct LongMsg {
    #[prost(int64, required, tag = "1")]
    long_msg: i64,
}

/// Runs a method of `AggregateService`; returns `None` if there is no such method.
pub(super) fn run(
    call: &Call<'_>,
    region: &Region,
    state: &mut RegionState,
    method: &str,
    request: Bytes,
) -> RemoteResult<Option<Vec<u8>>> {
    if !matches!(method, "GetRowNum" | "GetSum" | "GetMax" | "GetMin") {
        return Ok(None);
    }
    let unreadable = |e: prost::DecodeError| {
        remote_exception(exception::INVALID_PROTOBUF, format!("{method}: {e}"))
    };
    let request = AggregateRequest::decode(request).map_err(unreadable)?;
    if request.interpreter_class_name != LONG_INTERPRETER {
        let text = format!("java.lang.ClassNotFoundException: {}", request.interpreter_class_name);
        return Err(remote_exception(exception::IO, text));
    }
    let rows = read(call, region, state, &request.scan)?;
    let values = || rows.iter().flatten().copied();
    let long = |n: i64| Bytes::from(LongMsg { long_msg: n }.encode_to_vec());
    let first = match method {
        "GetRowNum" => Some(Bytes::copy_from_slice(&(rows.len() as u64).to_be_bytes())),
        "GetSum" => values().reduce(i64::wrapping_add).map(long),
        "GetMax" => values().max().map(long),
        _ => values().min().map(long),
    };
    let answer = AggregateResponse { first_part: first.into_iter().collect(), second_part: None };
    Ok(Some(answer.encode_to_vec()))
}

/// Returns the numbers in the cells of each row. Cells with values of other than 8 bytes are left
/// out.
fn read(
    call: &Call<'_>,
    region: &Region,
    state: &mut RegionState,
    scan: &Scan,
) -> RemoteResult<Vec<Vec<i64>>> {
    let mut cursor = ScanCursor::new(region, state, scan)?;
    let everything = BatchLimits {
        results: usize::MAX,
        rows: 0,
        bytes: usize::MAX,
        allow_partials: false,
        rows_read: u64::MAX,
    };
    let point = state.store.sequence_id();
    let batch = cursor.next_batch(state, point, call.now(), everything);
    let rows = batch.results.iter().map(|row| {
        let cells = row.cells.iter();
        cells.filter_map(|c| Some(i64::from_be_bytes(c.value().try_into().ok()?))).collect()
    });
    let rows: Vec<Vec<i64>> = rows.collect();
    let scanned = batch.rows_scanned;
    drop(batch);
    state.read_requests += scanned;
    Ok(rows)
}
