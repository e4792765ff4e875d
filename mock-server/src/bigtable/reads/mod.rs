//! The methods that read rows.

mod chunk;
mod read_rows;
mod read_stats;
mod row_set;
mod row_writer;

pub(super) use read_rows::{read_rows, sample_row_keys};
