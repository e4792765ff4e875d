//! Reading many rows.

mod cell_extent;
mod extent;
mod hash;
mod merge;
mod order;
mod ordered;
mod page;
mod page_token;
mod pages;
mod position;
mod request;
mod rows;

pub use page::Page;
pub use page_token::PageToken;
pub use request::Scan;
pub use rows::RowStream;

pub(crate) use cell_extent::CellExtent;
pub(crate) use extent::Extent;
pub(crate) use merge::Merge;
pub(crate) use order::ScanOrder;
pub(crate) use ordered::OrderedRows;
pub(crate) use page::{page_scan, read_page};
pub(crate) use pages::PageSource;
pub(crate) use position::Position;
