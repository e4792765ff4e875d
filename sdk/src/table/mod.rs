//! Tables whose rows are values of a type.

mod codec;
mod column;
mod column_value;
mod condition;
mod descriptor;
mod dynamic;
mod field;
mod group;
mod group_columns;
mod history;
mod hook;
mod names;
mod offset;
mod puts;
mod qualifier;
mod random_salt;
mod reader;
mod reads;
mod row_type;
mod scan;
mod typed_table;
mod update;
mod updates;
mod value;
mod write_options;
mod writer;

#[cfg(feature = "cbor")]
pub use codec::Cbor;
#[cfg(feature = "json")]
pub use codec::Json;
pub use codec::{DecodeCell, EncodeCell, NativeCodec, Ordered, Protobuf};
pub use column::{Column, Constraint};
pub use condition::{CellOrder, CompareCell, Condition, Operand, OrderedCell, TextCell};
pub use dynamic::{AnyColumn, CellMap, DynamicColumn, DynamicColumns};
pub use field::{CellField, CellSlot, Counter};
pub use group::CellGroup;
pub use group_columns::GroupColumns;
pub use history::Versions;
pub use hook::{HookFuture, RowChange, RowHook, SideWrites};
pub use qualifier::{KeyQualifier, Qualifier};
pub use random_salt::random_salt;
pub use row_type::{RecordRow, Table, WriteRow};
pub use scan::{TableRows, TableScan};
pub use typed_table::TypedTable;
pub use update::{Changed, Update};
pub use value::{CellValue, ValueError};
pub use write_options::WriteOptions;

pub(crate) mod derived;

/// What the derives use that no user names.
pub(crate) mod private {
    pub use super::names::{
        Name, contains, count, distinct, in_families, of_table, placed, prefixed_bytes,
        prefixed_len, union,
    };
    pub use super::reader::CellReader;
    pub use super::writer::CellWriter;
}
