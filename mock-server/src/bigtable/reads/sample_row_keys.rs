//! SampleRowKeys, whose samples are the ends of regions.

use std::collections::VecDeque;
use std::sync::Arc;

use bytes::Bytes;
use tallrow_wire::bigtable::{EndKey, SampleRowKeysRequest, SampleRowKeysResponse};

use super::row_set::{self, KeyRange};
use crate::bigtable::call::{GrpcCall, ReplyMessages};
use crate::bigtable::open_table::OpenTable;
use crate::bigtable::status::StatusResult;
use crate::regions::Region;

/// Answers a SampleRowKeys with the end key of each region that ends within the requested range,
/// followed by the end of the range (empty if the range has no end). The offset of a key counts the
/// bytes since the start of the first region that the range touches. Of a view, the samples are
/// those of each range of its rows.
pub(crate) fn sample_row_keys(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request: SampleRowKeysRequest = call.decode()?;
    let table = OpenTable::of_request(
        call.cluster,
        &request.table_name,
        &request.authorized_view_name,
        &request.materialized_view_name,
    )?;
    let asked = request.row_range.unwrap_or_default();
    // `None` if the range contains no row.
    let range = row_set::key_range(&asked, &"'row_range'")?;
    let end_key = match asked.end_key {
        Some(EndKey::EndKeyOpen(key) | EndKey::EndKeyClosed(key)) => key,
        None => Bytes::new(),
    };
    let asked_end = range.as_ref().and_then(|range| range.end.clone());
    let mut ranges = VecDeque::from_iter(range);
    if let Some(view) = table.view() {
        ranges = row_set::intersection(&ranges, &row_set::of_prefixes(view.row_prefixes()));
    }
    let regions = table.regions(call.cluster);
    let mut samples = Samples::default();
    for range in &ranges {
        let end_key = match range.end == asked_end {
            true => end_key.clone(),
            false => range.end.clone().unwrap_or_default(),
        };
        samples.add(&regions, range, end_key);
    }
    if ranges.is_empty() {
        samples.push(end_key);
    }
    Ok(ReplyMessages::many(samples.messages))
}

/// The samples so far.
#[derive(Default)]
struct Samples {
    messages: Vec<SampleRowKeysResponse>,
    /// The bytes of the regions that were touched.
    offset_bytes: i64,
    /// The start of the last of these regions.
    last_start: Option<Bytes>,
}

impl Samples {
    /// Adds the ends of the regions that end within a range, and the end of the range.
    fn add(&mut self, regions: &[Arc<Region>], range: &KeyRange, end_key: Bytes) {
        let is_before = |region: &Arc<Region>| {
            !region.end_key().is_empty() && region.end_key() <= &range.start[..]
        };
        let regions = regions.get(regions.partition_point(is_before)..).unwrap_or_default();
        for region in regions {
            let key = region.end_key();
            if range.end.as_ref().is_some_and(|end| region.start_key() >= &end[..]) {
                break;
            }
            self.count(region);
            if !key.is_empty() && range.end.as_ref().is_none_or(|_| key < &end_key[..]) {
                self.push(Bytes::copy_from_slice(key));
            }
        }
        self.push(end_key);
    }

    /// Adds the size of a region, unless an earlier range has touched it.
    fn count(&mut self, region: &Region) {
        let start = region.start_key();
        if self.last_start.as_ref().is_some_and(|last| start <= &last[..]) {
            return;
        }
        self.last_start = Some(Bytes::copy_from_slice(start));
        let sizes = region.lock().store.sizes();
        let bytes = sizes.store_file_bytes.saturating_add(sizes.memstore_bytes);
        let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
        self.offset_bytes = self.offset_bytes.saturating_add(bytes);
    }

    fn push(&mut self, row_key: Bytes) {
        let offset_bytes = self.offset_bytes;
        self.messages.push(SampleRowKeysResponse { row_key, offset_bytes });
    }
}
