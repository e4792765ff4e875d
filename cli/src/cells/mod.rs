//! Columns and the values of cells, as they are written in a terminal or a file.

pub(crate) mod cell_column;
pub(crate) mod column;
pub(crate) mod value_format;
