//! What queries in SQL take and return: types, values, and rows whose values are read by name or by
//! position. The types are those of the public module `query`, whose docs are in `lib.rs`.

mod columns_by_name;
mod from_row;
mod from_value;
mod into_value;
mod sql_time;
mod sql_type;
mod sql_value;

pub(crate) use columns_by_name::ColumnsByName;
pub use from_row::{FromSqlRow, from_struct};
pub use from_value::FromSqlValue;
pub use into_value::IntoSqlValue;
pub use sql_time::{SqlDate, SqlTimestamp};
pub use sql_type::{SqlField, SqlType};
pub use sql_value::{SqlColumnIndex, SqlRow, SqlValue};
