//! Reading many rows.

mod cell_extent;
mod divided;
mod extent;
mod fetched_rows;
mod first_rows;
mod hash;
mod loser_tree;
mod merge;
mod metrics;
mod order;
mod ordered;
mod pace;
mod page;
mod page_token;
mod pages;
mod partial_rows;
mod plan;
mod position;
mod request;
mod row_parts;
mod rows;
mod side_by_side;
mod step;

pub use first_rows::FirstRows;
pub(crate) use first_rows::{FirstRow, InOrder};
pub use metrics::ScanMetrics;
pub use page::{Page, PageEnd};
pub use page_token::PageToken;
pub use plan::ScanPlan;
pub use request::Scan;
pub use rows::RowStream;
pub use step::ScanStep;

pub(crate) use cell_extent::CellExtent;
pub(crate) use divided::{Divided, Plan};
pub(crate) use extent::Extent;
pub(crate) use fetched_rows::FetchedRows;
pub(crate) use merge::Merge;
pub(crate) use metrics::ScanMeter;
pub(crate) use order::ScanOrder;
pub(crate) use ordered::{OrderedRows, Source};
pub(crate) use page::{PageSize, page_scan, read_page};
pub(crate) use pages::{Fetched, PageSource};
pub(crate) use position::Position;
pub(crate) use row_parts::RowParts;
pub(crate) use side_by_side::SideBySide;
