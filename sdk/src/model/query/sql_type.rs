//! The types of SQL, and the columns of a result.

use std::fmt;
use std::sync::Arc;

/// A type of SQL. `Display` writes the type as SQL does.
///
/// ```
/// use tallrow::query::{SqlField, SqlType};
///
/// let names = SqlType::array(SqlType::String);
/// assert_eq!(names.to_string(), "ARRAY<STRING>");
/// let pair = [SqlField::new("at", SqlType::Timestamp), SqlField::new("", SqlType::Bytes)];
/// assert_eq!(SqlType::Struct(pair.into()).to_string(), "STRUCT<at TIMESTAMP, BYTES>");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SqlType {
    /// `BYTES`
    Bytes,
    /// `STRING`
    String,
    /// `INT64`
    Int64,
    /// `FLOAT32`
    Float32,
    /// `FLOAT64`
    Float64,
    /// `BOOL`
    Bool,
    /// `TIMESTAMP`
    Timestamp,
    /// `DATE`
    Date,
    /// An array of values of this type, which is no array.
    Array(Box<Self>),
    /// Values of several types, each with a name or without one.
    Struct(Arc<[SqlField]>),
    /// Keys and values of these types.
    Map(Box<Self>, Box<Self>),
    /// A message of Protocol Buffers; its values are [`SqlValue::Bytes`](super::SqlValue::Bytes).
    Proto {
        /// The schema bundle that defines the message.
        schema_bundle: String,
        /// The full name of the message.
        message: String,
    },
    /// An enum of Protocol Buffers; its values are [`SqlValue::Int64`](super::SqlValue::Int64).
    Enum {
        /// The schema bundle that defines the enum.
        schema_bundle: String,
        /// The full name of the enum.
        name: String,
    },
}

/// A column of a result, or a field of a `STRUCT`: a name and a type.
///
/// ```
/// use tallrow::query::{SqlField, SqlType};
///
/// let field = SqlField::new("hits", SqlType::Int64);
/// assert_eq!((field.name(), field.sql_type()), ("hits", &SqlType::Int64));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SqlField {
    name: String,
    sql_type: SqlType,
}

impl SqlField {
    /// Creates a field; the name of a field without a name is empty.
    ///
    /// See [`SqlField`] for an example.
    pub fn new(name: impl Into<String>, sql_type: SqlType) -> Self {
        Self { name: name.into(), sql_type }
    }

    /// The name. Several columns may have the same name.
    ///
    /// See [`SqlField`] for an example.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The type.
    ///
    /// See [`SqlField`] for an example.
    pub fn sql_type(&self) -> &SqlType {
        &self.sql_type
    }
}

impl SqlType {
    /// Returns the type of arrays of this type.
    ///
    /// See [`SqlType`] for an example.
    pub fn array(element: Self) -> Self {
        Self::Array(Box::new(element))
    }

    /// Whether a parameter may have this type.
    pub(crate) fn is_parameter_type(&self) -> bool {
        match self {
            Self::Array(element) => element.is_scalar(),
            other => other.is_scalar(),
        }
    }

    fn is_scalar(&self) -> bool {
        matches!(
            self,
            Self::Bytes
                | Self::String
                | Self::Int64
                | Self::Float32
                | Self::Float64
                | Self::Bool
                | Self::Timestamp
                | Self::Date
        )
    }
}

impl fmt::Display for SqlType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes => f.write_str("BYTES"),
            Self::String => f.write_str("STRING"),
            Self::Int64 => f.write_str("INT64"),
            Self::Float32 => f.write_str("FLOAT32"),
            Self::Float64 => f.write_str("FLOAT64"),
            Self::Bool => f.write_str("BOOL"),
            Self::Timestamp => f.write_str("TIMESTAMP"),
            Self::Date => f.write_str("DATE"),
            Self::Array(element) => write!(f, "ARRAY<{element}>"),
            Self::Map(key, value) => write!(f, "MAP<{key}, {value}>"),
            Self::Proto { message, .. } => write!(f, "PROTO<{message}>"),
            Self::Enum { name, .. } => write!(f, "ENUM<{name}>"),
            Self::Struct(fields) => {
                f.write_str("STRUCT<")?;
                for (at, field) in fields.iter().enumerate() {
                    let comma = if at == 0 { "" } else { ", " };
                    let space = if field.name.is_empty() { "" } else { " " };
                    write!(f, "{comma}{}{space}{}", field.name, field.sql_type)?;
                }
                f.write_str(">")
            }
        }
    }
}
