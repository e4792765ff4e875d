//! The methods that administer tables.

mod families;
mod tables;

pub(super) use tables::{create_table, get_table, list_tables};
