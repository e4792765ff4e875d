//! SampleRowKeys: where the table is split.

use bytes::Bytes;
use tallrow_wire::bigtable::{SampleRowKeysRequest, SampleRowKeysResponse};

use super::call::Call;
use super::open_table::OpenTable;
use super::replies::Replies;
use super::status::StatusResult;

/// Answers a SampleRowKeys: the end of each region, the empty one of the last included.
pub(super) fn sample_row_keys(call: &Call<'_>) -> StatusResult<Replies> {
    let request: SampleRowKeysRequest = call.decode()?;
    let table = OpenTable::find(call.cluster, &request.table_name)?;
    let mut offset_bytes = 0_i64;
    let samples = table.regions(call.cluster).into_iter().map(|region| {
        let (flushed, fresh) = region.lock().store.sizes();
        let bytes = i64::try_from(flushed.saturating_add(fresh)).unwrap_or(i64::MAX);
        offset_bytes = offset_bytes.saturating_add(bytes);
        let row_key = Bytes::copy_from_slice(region.end_key());
        SampleRowKeysResponse { row_key, offset_bytes }
    });
    Ok(Replies::many(samples.collect::<Vec<_>>()))
}
