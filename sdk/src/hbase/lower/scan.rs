use bytes::Bytes;

use super::columns::{columns, max_versions, time_range};
use super::filter::filter_message;
use crate::Scan;
use crate::wire::proto;

/// The message of a scan, but for its rows.
pub(crate) fn scan_message(scan: &Scan, page_bytes: usize) -> proto::Scan {
    let raw = scan.raw.then(|| proto::NameBytesPair {
        name: "_raw_".into(),
        value: Some(Bytes::from_static(&[0xFF])),
    });
    proto::Scan {
        column: columns(scan.columns.families.clone()),
        attribute: raw.into_iter().collect(),
        time_range: scan.columns.time_range.map(time_range),
        max_versions: Some(max_versions(&scan.columns)),
        max_result_size: Some(page_bytes as u64),
        reversed: scan.reversed.then_some(true),
        filter: scan.filter.as_ref().map(filter_message),
        // Otherwise families that the filter does not look at are read later than it was evaluated, and by a reversed
        // scan not at all.
        load_column_families_on_demand: scan.filter.as_ref().map(|_| false),
        ..Default::default()
    }
}
