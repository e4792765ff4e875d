//! Regions: the cells of a range of rows, with their reads and changes.

mod condition;
mod family_reader;
mod matcher;
mod mutation;
mod new_versions;
mod query;
mod region;
#[cfg(feature = "bigtable")]
mod row_reader;
mod scan;
mod store;
mod store_file;
#[cfg(feature = "bigtable")]
mod tokens;
mod tracker;

pub(crate) use condition::{ConditionResult, check_condition, row_mismatch};
pub(crate) use mutation::{Mutation, MutationKind};
pub(crate) use region::{Region, RegionGuard, RegionState};
#[cfg(feature = "bigtable")]
pub(crate) use row_reader::RowReader;
pub(crate) use scan::{BatchLimits, ScanBatch, ScanCursor};
pub(crate) use store::{CellWrite, RegionStore};
