//! Reads many rows: scans, pages and merged ranges, with their plans and metrics.

mod concurrent_ranges;
mod fetched_rows;
mod first_rows;
mod loser_tree;
mod merge;
mod metrics;
mod ordered;
mod page;
mod page_source;
mod per_region_scan;
mod plan;
mod rows;
mod step;

pub use first_rows::FirstRows;
pub(crate) use first_rows::{FirstRow, FirstRowsInScanOrder};
pub use metrics::{RequestStats, ScanMetrics};
pub use page::{Page, PageEnd};
pub use plan::ScanPlan;
pub use rows::RowStream;
pub use step::ScanStep;

pub(crate) use concurrent_ranges::ConcurrentRanges;
pub(crate) use fetched_rows::FetchedRows;
pub(crate) use merge::MergedRows;
pub(crate) use metrics::ScanMeter;
pub(crate) use ordered::{RangeRows, ScanRows};
pub(crate) use page::{PageLimits, page_scan, read_page};
pub(crate) use page_source::{FetchedPage, PageSource};
pub(crate) use per_region_scan::{DividedRanges, ReadOptions};
