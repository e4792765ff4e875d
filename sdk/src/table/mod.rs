//! Tables whose rows are values of a type: what `#[derive(Table)]` implements, and what a program does with it.

mod batch;
mod descriptor;
mod group;
mod group_columns;
mod hook;
mod names;
mod puts;
mod reader;
mod reads;
mod row_type;
mod rows;
mod scan;
mod typed_table;
mod update;
mod updates;
mod write_options;
mod writer;

pub use batch::Batch;
pub use group::CellGroup;
pub use group_columns::GroupColumns;
pub use hook::{RowChange, RowHook, SideWrites};
pub use row_type::{RecordRow, Table, WriteRow};
pub use rows::{TableKeys, TableRows};
pub use scan::TableScan;
pub use typed_table::TypedTable;
pub use update::{Update, UpdateResult};
pub use write_options::WriteOptions;

pub(crate) mod derived;

/// What the code of the derives uses; not part of the public API.
pub(crate) mod private {
    pub use super::names::{
        Name, contains, count, distinct, in_families, of_empty_column, of_table, placed,
        prefixed_bytes, prefixed_len, union,
    };
    pub use super::reader::CellReader;
    pub use super::writer::CellWriter;
}
