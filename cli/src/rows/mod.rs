//! Tables that are opened to read or write rows, the selection of rows, and samples of row keys.

pub(crate) mod open_table;
pub(crate) mod sampling;
pub(crate) mod selection;
