//! Tables that are opened for their rows, which rows are read, and samples of their keys.

pub(crate) mod open_table;
pub(crate) mod sampling;
pub(crate) mod selection;
