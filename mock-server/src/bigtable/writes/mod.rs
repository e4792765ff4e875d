//! The methods that change rows.

mod aggregates;
mod cell_input;
mod change_log;
mod idempotency;
mod mutate;
mod mutation;
mod outcomes;
mod read_modify_write;
mod row_change;

pub(super) use change_log::deleted_row;
pub(super) use mutate::{check_and_mutate_row, mutate_row, mutate_rows};
pub(super) use read_modify_write::read_modify_write_row;
