//! The methods that read rows.

mod chunk;
mod read_rows;
mod read_stats;
mod row_set;
mod row_writer;
mod sample_row_keys;

pub(super) use read_rows::read_rows;
pub(super) use sample_row_keys::sample_row_keys;
