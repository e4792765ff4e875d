//! Turns a scan into a `Scan` message, without the range of rows, which changes from region to
//! region.
//!
//! # Invariants
//!
//! - Counting rows and reading their keys finds the rows of the whole scan: no cell is left out
//!   before a filter that depends on it. Tests: `a_filter_that_depends_on_cells_sees_all_of_them`,
//!   `tests/suites/client/counts.rs::keys_are_those_of_the_whole_rows`.

use bytes::Bytes;

use super::columns::{columns, max_versions, time_range};
use super::filter::filter_message;
use super::options::read_attributes;
use crate::model::columns::CellSelection;
use crate::request::call_options::CallOptions;
use crate::request::scan::{HBaseOptions, RowParts};
use crate::wire::proto;
use crate::{Filter, Scan};

/// The name of the attribute that makes a scan raw (`Scan.RAW_ATTR`).
const RAW: &str = "_raw_";

/// Returns the message of a scan, without the range of rows.
pub(crate) fn scan_message(
    scan: &Scan,
    bytes_per_call: usize,
    options: Option<&CallOptions>,
) -> proto::Scan {
    // Without `..`, so that a new option is either sent or left out on purpose.
    let Scan {
        columns: CellSelection { families, versions: _, time_range: times },
        filter,
        reversed,
        parts,
        cells_per_family,
        cell_offset,
        cursors,
        keys_only,
        hbase: HBaseOptions { raw, rows_per_call: _, cache_blocks },
        // The scanner and the client handle these options.
        range: _,
        limit: _,
        position: _,
        server_metrics: _,
        bytes_per_call: _,
        end_page_at_bytes: _,
        end_page_after: _,
        parallel: _,
        unordered: _,
        options: _,
    } = scan;
    let raw = raw.then(|| proto::NameBytesPair {
        name: RAW.into(),
        value: Some(Bytes::from_static(&[0xFF])),
    });
    let mut attribute = read_attributes(options);
    attribute.extend(raw);
    let keys_only = keys_only.then(|| only_keys(filter.as_deref()));
    let filter = keys_only.as_ref().or(filter.as_deref());
    proto::Scan {
        column: columns(families.clone()),
        attribute,
        time_range: times.map(time_range),
        max_versions: Some(max_versions(&scan.columns)),
        max_result_size: Some(bytes_per_call as u64),
        batch_size: match parts {
            RowParts::Batch(cells) => {
                Some(u32::try_from(*cells).unwrap_or(u32::MAX).min(i32::MAX as u32))
            }
            RowParts::Whole | RowParts::AsSent => None,
        },
        allow_partial_results: (*parts == RowParts::AsSent).then_some(true),
        cache_blocks: *cache_blocks,
        need_cursor_result: cursors.then_some(true),
        store_limit: cells_per_family.map(|cells| cells.min(i32::MAX as u32)),
        store_offset: (*cell_offset > 0).then_some((*cell_offset).min(i32::MAX as u32)),
        reversed: reversed.then_some(true),
        filter: filter.map(filter_message),
        // If families were loaded on demand, the server would evaluate the filter first, and read
        // the families that the filter does not use later, or in a reversed scan not at all.
        load_column_families_on_demand: filter.map(|_| false),
        ..Default::default()
    }
}

/// Returns the filter of a scan of which only the row keys are needed; `filter` selects the rows.
///
/// Values are dropped after every other filter has seen them. The cells of a row after the first
/// one are not even read, unless a filter depends on cells: such a filter might drop the first cell
/// and keep another, or select the row by a later cell.
fn only_keys(filter: Option<&Filter>) -> Filter {
    let by_key = filter.is_none_or(Filter::depends_on_key_only);
    let first = by_key.then(Filter::first_key_only);
    Filter::all(filter.cloned().into_iter().chain(first).chain([Filter::key_only()]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::filter::{CompareOperator, SingleColumnValue};

    fn shown(filter: impl Into<Option<Filter>>) -> String {
        format!("{:?}", only_keys(filter.into().as_ref()))
    }

    #[test]
    fn a_filter_that_depends_on_cells_sees_all_of_them() {
        let row = || Filter::prefix("a").or(Filter::row(CompareOperator::Less, "m"));
        assert_eq!(shown(None), "(FirstKeyOnlyFilter AND KeyOnlyFilter)");
        assert_eq!(
            shown(row()),
            "((PrefixFilter(\"a\") OR RowFilter(< \"m\")) AND FirstKeyOnlyFilter AND KeyOnlyFilter)"
        );
        let column = || Filter::from(SingleColumnValue::new("f", "q", CompareOperator::Equal, "v"));
        for filter in [
            column(),
            column().or(row()),
            row().and(column()),
            Filter::value(CompareOperator::Less, "m"),
            Filter::column_prefix("q"),
            row().while_match(),
        ] {
            let expected = format!("({filter:?} AND KeyOnlyFilter)");
            assert_eq!(shown(filter), expected);
        }
    }
}
