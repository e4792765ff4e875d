//! Values of SQL as values of Rust.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, Hash};
use std::time::SystemTime;

use bytes::Bytes;

use super::sql_value::decode_error;
use super::{SqlColumnIndex, SqlDate, SqlField, SqlRow, SqlTimestamp, SqlValue};
use crate::Result as SqlResult;
use crate::value::ValueError;

/// A type into which the values of a query's result can be read.
///
/// The [module](crate::query) lists the types. A value that may be `NULL` is an `Option`, also in
/// arrays, structs and maps.
///
/// ```
/// use tallrow::query::{FromSqlValue, SqlValue};
/// use tallrow::value::ValueError;
///
/// #[derive(Debug, PartialEq)]
/// struct Celsius(f64);
///
/// impl FromSqlValue for Celsius {
///     fn from_sql_value(value: &SqlValue) -> Result<Self, ValueError> {
///         f64::from_sql_value(value).map(Self)
///     }
/// }
///
/// assert_eq!(Celsius::from_sql_value(&SqlValue::Float64(0.5)).unwrap(), Celsius(0.5));
/// let error = Celsius::from_sql_value(&SqlValue::Null).unwrap_err();
/// assert_eq!(error.to_string(), "expected FLOAT64, found NULL, which an Option can hold");
/// ```
pub trait FromSqlValue: Sized {
    /// Reads the value.
    ///
    /// See [`FromSqlValue`] for an example.
    ///
    /// # Errors
    /// The value has another type, or this type cannot hold it.
    fn from_sql_value(value: &SqlValue) -> Result<Self, ValueError>;
}

/// The error for a value of another type.
pub(super) fn other_type(expected: &str, value: &SqlValue) -> ValueError {
    match value {
        SqlValue::Null => ValueError::new(expected, "NULL, which an Option can hold"),
        other => ValueError::new(expected, other.kind()),
    }
}

macro_rules! from_values {
    ($($type:ty, $sql:literal: $($pattern:pat => $value:expr),+;)*) => {
        $(impl FromSqlValue for $type {
            fn from_sql_value(value: &SqlValue) -> Result<Self, ValueError> {
                match value {
                    $($pattern => Ok($value),)+
                    other => Err(other_type($sql, other)),
                }
            }
        })*
    };
}

from_values! {
    Bytes, "BYTES": SqlValue::Bytes(bytes) => bytes.clone();
    Vec<u8>, "BYTES": SqlValue::Bytes(bytes) => bytes.to_vec();
    String, "STRING": SqlValue::String(text) => text.clone();
    i64, "INT64": SqlValue::Int64(number) => *number;
    f32, "FLOAT32": SqlValue::Float32(number) => *number;
    f64, "FLOAT64":
        SqlValue::Float64(number) => *number, SqlValue::Float32(number) => f64::from(*number);
    bool, "BOOL": SqlValue::Bool(bool) => *bool;
    SqlTimestamp, "TIMESTAMP": SqlValue::Timestamp(time) => *time;
    SystemTime, "TIMESTAMP": SqlValue::Timestamp(time) => Self::try_from(*time)?;
    SqlDate, "DATE": SqlValue::Date(day) => *day;
    SqlRow, "STRUCT": SqlValue::Struct(row) => row.clone();
}

macro_rules! from_numbers {
    ($($type:ty),*) => {
        $(impl FromSqlValue for $type {
            fn from_sql_value(value: &SqlValue) -> Result<Self, ValueError> {
                let number = i64::from_sql_value(value)?;
                Self::try_from(number).map_err(|_| {
                    let expected = concat!("an INT64 that fits into ", stringify!($type));
                    ValueError::new(expected, number.to_string())
                })
            }
        })*
    };
}

from_numbers!(i16, i32, u16, u32, u64);

impl FromSqlValue for SqlValue {
    fn from_sql_value(value: &SqlValue) -> Result<Self, ValueError> {
        Ok(value.clone())
    }
}

impl<V: FromSqlValue> FromSqlValue for Option<V> {
    fn from_sql_value(value: &SqlValue) -> Result<Self, ValueError> {
        match value {
            SqlValue::Null => Ok(None),
            value => V::from_sql_value(value).map(Some),
        }
    }
}

/// Reads the elements of an array, or the entries of a map.
fn elements<V: FromSqlValue>(values: &[SqlValue]) -> impl Iterator<Item = Result<V, ValueError>> {
    values.iter().enumerate().map(|(at, value)| {
        V::from_sql_value(value)
            .map_err(|error| ValueError::custom(format!("element {at}: {error}")))
    })
}

impl<V: FromSqlValue> FromSqlValue for Vec<V> {
    fn from_sql_value(value: &SqlValue) -> Result<Self, ValueError> {
        match value {
            SqlValue::Array(values) => elements(values).collect(),
            other => Err(other_type("ARRAY", other)),
        }
    }
}

/// Reads the entries of a map.
fn entries<K: FromSqlValue, V: FromSqlValue, C: FromIterator<(K, V)>>(
    value: &SqlValue,
) -> Result<C, ValueError> {
    let SqlValue::Map(entries) = value else { return Err(other_type("MAP", value)) };
    let of = |entry: &(SqlValue, SqlValue)| {
        Ok((K::from_sql_value(&entry.0)?, V::from_sql_value(&entry.1)?))
    };
    let read = entries.iter().enumerate().map(|(at, entry)| {
        of(entry).map_err(|error: ValueError| ValueError::custom(format!("entry {at}: {error}")))
    });
    read.collect()
}

impl<K: FromSqlValue + Eq + Hash, V: FromSqlValue, S: BuildHasher + Default> FromSqlValue
    for HashMap<K, V, S>
{
    fn from_sql_value(value: &SqlValue) -> Result<Self, ValueError> {
        entries(value)
    }
}

impl<K: FromSqlValue + Ord, V: FromSqlValue> FromSqlValue for BTreeMap<K, V> {
    fn from_sql_value(value: &SqlValue) -> Result<Self, ValueError> {
        entries(value)
    }
}

impl SqlRow {
    /// Reads the value of a column.
    ///
    /// See [`SqlRow`] for an example.
    ///
    /// # Errors
    /// The errors of [`value`](Self::value); or the value is not one of `V`.
    pub fn get<V: FromSqlValue>(&self, column: impl SqlColumnIndex) -> SqlResult<V> {
        let at = column.position(self)?;
        let value = self.value(at)?;
        V::from_sql_value(value).map_err(|error| {
            let column = self.columns().get(at);
            let name = match column.map(SqlField::name) {
                None | Some("") => at.to_string(),
                Some(name) => name.to_owned(),
            };
            let of = column.map(|column| column.sql_type().to_string()).unwrap_or_default();
            decode_error(format!("column {name} of type {of}: {error}")).caused_by(error)
        })
    }
}
