//! Values of Rust as values of SQL, for parameters.

use std::time::SystemTime;

use bytes::Bytes;

use super::{SqlDate, SqlTimestamp, SqlType, SqlValue};

/// A value that can be a parameter of a query.
///
/// The [module](crate::query) lists the types. `None` is `NULL`. The type of the value has to be
/// the type with which the parameter was declared.
///
/// ```
/// use tallrow::query::{IntoSqlValue, SqlValue};
///
/// assert_eq!(5_u32.into_sql_value(), SqlValue::Int64(5));
/// assert_eq!(None::<f64>.into_sql_value(), SqlValue::Null);
/// assert_eq!(b"\x00".into_sql_value(), SqlValue::Bytes(vec![0].into()));
/// ```
pub trait IntoSqlValue {
    /// Returns the value of SQL.
    ///
    /// See [`IntoSqlValue`] for an example.
    fn into_sql_value(self) -> SqlValue;
}

macro_rules! into_values {
    ($($type:ty: $value:ident => $sql:expr;)*) => {
        $(impl IntoSqlValue for $type {
            fn into_sql_value(self) -> SqlValue {
                let $value = self;
                $sql
            }
        })*
    };
}

into_values! {
    SqlValue: value => value;
    Bytes: value => SqlValue::Bytes(value);
    Vec<u8>: value => SqlValue::Bytes(value.into());
    &[u8]: value => SqlValue::Bytes(Bytes::copy_from_slice(value));
    String: value => SqlValue::String(value);
    &str: value => SqlValue::String(value.to_owned());
    i64: value => SqlValue::Int64(value);
    i32: value => SqlValue::Int64(value.into());
    i16: value => SqlValue::Int64(value.into());
    u32: value => SqlValue::Int64(value.into());
    u16: value => SqlValue::Int64(value.into());
    f32: value => SqlValue::Float32(value);
    f64: value => SqlValue::Float64(value);
    bool: value => SqlValue::Bool(value);
    SqlTimestamp: value => SqlValue::Timestamp(value);
    SystemTime: value => SqlValue::Timestamp(value.into());
    crate::Timestamp: value => SqlValue::Timestamp(value.into());
    SqlDate: value => SqlValue::Date(value);
}

impl<const N: usize> IntoSqlValue for &[u8; N] {
    fn into_sql_value(self) -> SqlValue {
        self[..].into_sql_value()
    }
}

impl<V: IntoSqlValue> IntoSqlValue for Option<V> {
    fn into_sql_value(self) -> SqlValue {
        self.map_or(SqlValue::Null, V::into_sql_value)
    }
}

impl<V: IntoSqlValue> IntoSqlValue for Vec<V> {
    fn into_sql_value(self) -> SqlValue {
        SqlValue::Array(self.into_iter().map(V::into_sql_value).collect())
    }
}

impl<V: IntoSqlValue, const N: usize> IntoSqlValue for [V; N] {
    fn into_sql_value(self) -> SqlValue {
        SqlValue::Array(self.into_iter().map(V::into_sql_value).collect())
    }
}

impl SqlType {
    /// Whether a value of a parameter has this type; `NULL` has every type.
    pub(crate) fn admits(&self, value: &SqlValue) -> bool {
        match (self, value) {
            (_, SqlValue::Null)
            | (Self::Bytes, SqlValue::Bytes(_))
            | (Self::String, SqlValue::String(_))
            | (Self::Int64, SqlValue::Int64(_))
            | (Self::Float32, SqlValue::Float32(_))
            | (Self::Float64, SqlValue::Float64(_))
            | (Self::Bool, SqlValue::Bool(_))
            | (Self::Timestamp, SqlValue::Timestamp(_))
            | (Self::Date, SqlValue::Date(_)) => true,
            (Self::Array(element), SqlValue::Array(values)) => {
                values.iter().all(|value| element.admits(value))
            }
            _ => false,
        }
    }
}
