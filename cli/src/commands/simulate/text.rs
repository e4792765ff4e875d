//! Formats the results for a terminal.

use std::fmt::Write as _;

use super::numbers;
use super::outcome::{DesignOutcome, StorageReport};
use super::scans::ScanReport;
use crate::terminal::output::count_with_noun;
use crate::terminal::text_table::TextTable;

/// Formats the results of a design.
pub(super) fn design(outcome: &DesignOutcome) -> String {
    let mut text = format!("{}\n{}", outcome.name, outcome.spread);
    let _ = writeln!(text, "row key {:.1} bytes on average", outcome.spread.mean_key_len());
    if let Some(equal) = equal_keys(outcome) {
        let _ = writeln!(text, "{equal}");
    }
    for one in &outcome.scans {
        let _ = writeln!(text, "{}", scan(one));
    }
    if let Some(storage) = &outcome.storage {
        let _ = write!(text, "\n{}", storage_table(outcome, storage));
    }
    text
}

/// Formats how many keys are equal to an earlier key; none if there are no such keys.
pub(super) fn equal_keys(outcome: &DesignOutcome) -> Option<String> {
    match &outcome.equal_keys {
        Ok(0) => None,
        Ok(1) => Some("1 key is that of an earlier row, which it would write over".into()),
        Ok(n) => Some(format!("{n} keys are those of earlier rows, which they would write over")),
        Err(why) => Some(format!("how many keys are those of earlier rows is not known: {why}")),
    }
}

/// Formats the cost of a scan.
pub(super) fn scan(scan: &ScanReport) -> String {
    let ScanReport { cost, read, found, calls, .. } = scan;
    let ranges = count_with_noun(cost.ranges as u64, "range");
    let regions = count_with_noun(cost.regions as u64, "region");
    let mut text = format!(
        "scan {}: {ranges} in {regions}, {}, {}",
        scan.text,
        count_with_noun(*calls, "call"),
        count_with_noun(*read, "row")
    );
    match (found, &scan.reads_all_because) {
        (Some(found), _) if found != read => {
            let _ = write!(text, " read, of which {found} are returned");
        }
        (_, Some(why)) => {
            let _ = write!(text, "; all rows are read, because: {why}");
        }
        _ => {}
    }
    text
}

fn storage_table(outcome: &DesignOutcome, storage: &StorageReport) -> String {
    let titles = ["start", "rows", "flushes", "in memory", "store files", "splits after"];
    let mut columns = TextTable::new(titles);
    for (start, region) in outcome.starts().into_iter().zip(&storage.regions) {
        columns.push_row([
            start,
            region.rows.to_string(),
            region.flushes.to_string(),
            numbers::bytes(region.memstore_bytes),
            numbers::bytes(region.store_bytes),
            region.table_rows_at_split.map_or_else(|| "never".into(), |rows| rows.to_string()),
        ]);
    }
    let first = match storage.rows_at_first_split() {
        Some(rows) => format!("the first region splits after {rows} rows of the table"),
        None => "no region splits".into(),
    };
    format!(
        "{columns}\n{} rows of {} bytes: {} flushes, {} in store files; {first}\n",
        storage.rows,
        storage.row_bytes,
        storage.flushes(),
        numbers::bytes(storage.store_bytes())
    )
}

/// Formats a table with a line for each design.
pub(super) fn comparison(outcomes: &[DesignOutcome]) -> String {
    let titles =
        ["design", "regions", "largest to smallest", "busiest region at a time", "key bytes"];
    let mut columns = TextTable::new(titles);
    for outcome in outcomes {
        let spread = &outcome.spread;
        columns.push_row([
            outcome.name.clone(),
            spread.region_map().len().to_string(),
            outcome.largest_to_smallest_text(),
            numbers::percent(spread.busiest_region_share()),
            format!("{:.1}", spread.mean_key_len()),
        ]);
    }
    format!("{columns}\n")
}
