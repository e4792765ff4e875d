//! The basic types that all other parts of the crate use: names, cells, rows, times, the values in
//! cells, the description of a table, and errors.

pub mod cell;
#[cfg(feature = "bigtable")]
pub(crate) mod changes;
pub(crate) mod columns;
pub(crate) mod descriptor;
pub(crate) mod error;
pub(crate) mod hosts;
pub(crate) mod naming;
#[cfg(feature = "bigtable")]
pub(crate) mod query;
pub(crate) mod region_location;
pub(crate) mod row;
pub(crate) mod row_key_display;
pub(crate) mod show;
pub(crate) mod table_name;
pub(crate) mod timestamp;
pub mod value;
