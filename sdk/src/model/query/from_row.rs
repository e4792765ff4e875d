//! Rows of a query's result as tuples and as structs.

use super::from_value::other_type;
use super::sql_value::decode_error;
use super::{FromSqlValue, SqlField, SqlRow, SqlValue};
use crate::Result;
use crate::value::ValueError;

/// A type into which the rows of a query's result can be read: [`SqlRow`] itself, a tuple with one
/// value for each column, or a struct with `#[derive(FromSqlRow)]`, whose fields are read by the
/// names of columns.
///
/// ```
/// use tallrow::query::{FromSqlRow, SqlField, SqlRow, SqlType, SqlValue};
///
/// let columns = [SqlField::new("page", SqlType::String), SqlField::new("hits", SqlType::Int64)];
/// let row = SqlRow::new(columns, [SqlValue::String("/".into()), SqlValue::Int64(3)]).unwrap();
/// assert_eq!(<(String, i64)>::from_sql_row(&row)?, ("/".to_owned(), 3));
/// let error = <(String,)>::from_sql_row(&row).unwrap_err();
/// assert_eq!(error.to_string(), "a tuple of 1 value, and 2 columns: page, hits");
/// # Ok::<(), tallrow::Error>(())
/// ```
pub trait FromSqlRow: Sized {
    /// Reads the row.
    ///
    /// See [`FromSqlRow`] for an example.
    ///
    /// # Errors
    /// The row does not have the columns of this type, or a column has a value that its field
    /// cannot hold.
    fn from_sql_row(row: &SqlRow) -> Result<Self>;
}

impl FromSqlRow for SqlRow {
    fn from_sql_row(row: &SqlRow) -> Result<Self> {
        Ok(row.clone())
    }
}

/// Reads a value of type `STRUCT` in the same way as a row.
pub fn from_struct<T: FromSqlRow>(value: &SqlValue) -> Result<T, ValueError> {
    match value {
        SqlValue::Struct(row) => {
            T::from_sql_row(row).map_err(|error| ValueError::custom(error.to_string()))
        }
        other => Err(other_type("STRUCT", other)),
    }
}

macro_rules! tuples {
    ($($len:literal: $($value:ident $at:literal)+;)*) => {
        $(impl<$($value: FromSqlValue),+> FromSqlRow for ($($value,)+) {
            fn from_sql_row(row: &SqlRow) -> Result<Self> {
                check_columns(row, $len)?;
                Ok(($(row.get::<$value>($at)?,)+))
            }
        }

        impl<$($value: FromSqlValue),+> FromSqlValue for ($($value,)+) {
            fn from_sql_value(value: &SqlValue) -> Result<Self, ValueError> {
                from_struct(value)
            }
        })*
    };
}

tuples! {
    1: A 0;
    2: A 0 B 1;
    3: A 0 B 1 C 2;
    4: A 0 B 1 C 2 D 3;
    5: A 0 B 1 C 2 D 3 E 4;
    6: A 0 B 1 C 2 D 3 E 4 F 5;
    7: A 0 B 1 C 2 D 3 E 4 F 5 G 6;
    8: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7;
    9: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8;
    10: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9;
    11: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10;
    12: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11;
}

fn check_columns(row: &SqlRow, values: usize) -> Result<()> {
    if row.columns().len() == values {
        return Ok(());
    }
    let names: Vec<_> = row.columns().iter().map(SqlField::name).collect();
    let (columns, s) = (names.len(), if values == 1 { "" } else { "s" });
    Err(decode_error(format!(
        "a tuple of {values} value{s}, and {columns} columns: {}",
        names.join(", ")
    )))
}
