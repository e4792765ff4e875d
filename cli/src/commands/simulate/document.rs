//! Converts the results of a simulation into JSON.

use serde_json::{Value, json};
use tallrow::key::show::shell;

use super::outcome::{DesignOutcome, StorageReport};
use super::scans::ScanReport;

/// Returns one JSON document with the results of all designs.
pub(super) fn document(keys: u64, outcomes: &[DesignOutcome]) -> Value {
    json!({ "keys": keys, "designs": outcomes.iter().map(design).collect::<Vec<_>>() })
}

fn design(outcome: &DesignOutcome) -> Value {
    let spread = &outcome.spread;
    let examples = outcome.examples.iter().map(|key| shell(key).to_string());
    let mut design = json!({
        "name": outcome.name,
        "key_bytes": spread.mean_key_len(),
        "largest_to_smallest": outcome.largest_to_smallest_ratio(),
        "dead": spread.empty_regions(),
        "hot_share": spread.busiest_region_share(),
        "regions": regions(outcome),
        "over_time": spread.rows_by_window(),
        "scans": outcome.scans.iter().map(scan).collect::<Vec<_>>(),
        "equal_keys": outcome.equal_keys.as_ref().ok(),
        "examples": examples.collect::<Vec<_>>(),
    });
    if let (Some(storage), Some(members)) = (&outcome.storage, design.as_object_mut()) {
        members.insert("storage".into(), storage_of(storage));
    }
    design
}

fn regions(outcome: &DesignOutcome) -> Vec<Value> {
    let region = |(at, region): (usize, tallrow::simulate::RegionRows<'_>)| {
        let to_smallest = Some(region.to_smallest).filter(|ratio| ratio.is_finite());
        let mut members = json!({
            "start": shell(region.start_key).to_string(),
            "rows": region.rows,
            "key_bytes": region.key_bytes,
            "to_smallest": to_smallest,
        });
        let forecast = outcome.storage.as_ref().and_then(|storage| storage.regions.get(at));
        if let (Some(forecast), Some(members)) = (forecast, members.as_object_mut()) {
            members.insert("flushes".into(), forecast.flushes.into());
            members.insert("memstore_bytes".into(), forecast.memstore_bytes.into());
            members.insert("store_bytes".into(), forecast.store_bytes.into());
            members.insert("splits_after".into(), forecast.table_rows_at_split.into());
        }
        members
    };
    outcome.spread.regions().enumerate().map(region).collect()
}

fn storage_of(storage: &StorageReport) -> Value {
    json!({
        "rows": storage.rows,
        "row_bytes": storage.row_bytes,
        "flushes": storage.flushes(),
        "store_bytes": storage.store_bytes(),
        "first_split": storage.rows_at_first_split(),
    })
}

fn scan(scan: &ScanReport) -> Value {
    json!({
        "values": scan.text,
        "ranges": scan.cost.ranges,
        "regions": scan.cost.regions,
        "scanners": scan.cost.scanners,
        "calls": scan.calls,
        "rows_read": scan.read,
        "rows_returned": scan.found,
        "reads_all_because": scan.reads_all_because,
    })
}
