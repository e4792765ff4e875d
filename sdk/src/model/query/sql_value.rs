//! Values of SQL of all types, and rows of named values.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;

use super::{ColumnsByName, SqlDate, SqlField, SqlTimestamp};
use crate::{Error, ErrorKind, Result};

/// A value of SQL.
///
/// ```
/// use tallrow::query::{FromSqlValue, IntoSqlValue, SqlValue};
///
/// assert_eq!("a".into_sql_value(), SqlValue::String("a".into()));
/// let list = vec![Some(1), None].into_sql_value();
/// assert_eq!(list, SqlValue::Array(vec![SqlValue::Int64(1), SqlValue::Null]));
/// assert_eq!(Vec::<Option<i64>>::from_sql_value(&list).unwrap(), [Some(1), None]);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SqlValue {
    /// `NULL`, of any type.
    Null,
    /// A value of type `BYTES` or `PROTO`.
    Bytes(Bytes),
    /// A value of type `STRING`.
    String(String),
    /// A value of type `INT64` or `ENUM`.
    Int64(i64),
    /// A value of type `FLOAT32`.
    Float32(f32),
    /// A value of type `FLOAT64`.
    Float64(f64),
    /// A value of type `BOOL`.
    Bool(bool),
    /// A value of type `TIMESTAMP`.
    Timestamp(SqlTimestamp),
    /// A value of type `DATE`.
    Date(SqlDate),
    /// A value of type `ARRAY`.
    Array(Vec<Self>),
    /// A value of type `STRUCT`.
    Struct(SqlRow),
    /// A value of type `MAP`: keys and values, in the order of the answer. If the answer has a key
    /// several times, its last value is kept.
    Map(Vec<(Self, Self)>),
}

impl SqlValue {
    /// Whether this is `NULL`.
    ///
    /// ```
    /// use tallrow::query::{IntoSqlValue, SqlValue};
    ///
    /// assert!(SqlValue::Null.is_null());
    /// assert!(!"".into_sql_value().is_null());
    /// ```
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The type of the value, for texts.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "NULL",
            Self::Bytes(_) => "BYTES",
            Self::String(_) => "STRING",
            Self::Int64(_) => "INT64",
            Self::Float32(_) => "FLOAT32",
            Self::Float64(_) => "FLOAT64",
            Self::Bool(_) => "BOOL",
            Self::Timestamp(_) => "TIMESTAMP",
            Self::Date(_) => "DATE",
            Self::Array(_) => "ARRAY",
            Self::Struct(_) => "STRUCT",
            Self::Map(_) => "MAP",
        }
    }
}

/// A row of a query's result, or a value of type `STRUCT`. Its values are read by the name of their
/// column or by its position.
///
/// ```
/// use tallrow::query::{SqlField, SqlRow, SqlType, SqlValue};
///
/// let columns = [SqlField::new("page", SqlType::String), SqlField::new("hits", SqlType::Int64)];
/// let row = SqlRow::new(columns, [SqlValue::String("/".into()), SqlValue::Int64(3)]).unwrap();
/// assert_eq!(row.get::<String>("page")?, "/");
/// assert_eq!(row.get::<i64>(1)?, 3);
/// let error = row.get::<String>("hits").unwrap_err();
/// assert_eq!(error.to_string(), "column hits of type INT64: expected STRING, found INT64");
/// # Ok::<(), tallrow::Error>(())
/// ```
#[derive(Clone)]
pub struct SqlRow {
    columns: Arc<[SqlField]>,
    by_name: Option<Arc<ColumnsByName>>,
    values: Vec<SqlValue>,
}

/// The name or the position of a column.
///
/// See [`SqlRow`] for an example.
pub trait SqlColumnIndex: Copy + sealed::Sealed {
    /// Returns the position of the column.
    ///
    /// # Errors
    /// There is no such column, or there are several of this name.
    #[doc(hidden)]
    fn position(self, row: &SqlRow) -> Result<usize>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for usize {}
    impl Sealed for &str {}
}

impl SqlColumnIndex for usize {
    fn position(self, row: &SqlRow) -> Result<usize> {
        match row.columns.len() {
            len if self < len => Ok(self),
            len => Err(decode_error(format!("there is no column {self}: there are {len}, from 0"))),
        }
    }
}

impl SqlColumnIndex for &str {
    fn position(self, row: &SqlRow) -> Result<usize> {
        let columns = &row.columns;
        let (first, count) = match &row.by_name {
            Some(by_name) => {
                let found = by_name.find(columns, self);
                (found.first().copied(), found.len())
            }
            None => {
                let mut found = (0..).zip(&**columns).filter(|(_, column)| column.name() == self);
                let first = found.next().map(|(at, _)| at);
                (first, usize::from(first.is_some()) + found.count())
            }
        };
        match (first, count) {
            (Some(at), 1) => Ok(at),
            (Some(_), count) => Err(decode_error(format!(
                "{count} columns are called {self}; read them by their position, or give them \
                 names by AS"
            ))),
            (None, _) => {
                let names: Vec<_> = columns.iter().map(SqlField::name).collect();
                let names = names.join(", ");
                Err(decode_error(format!("there is no column {self}; there are: {names}")))
            }
        }
    }
}

/// The error for a row that does not have the columns that are read.
pub(super) fn decode_error(text: String) -> Error {
    Error::new(ErrorKind::Decode, text)
}

impl SqlRow {
    /// Creates a row, for a test of code that reads rows; `None` if the numbers of columns and
    /// values differ.
    ///
    /// See [`SqlRow`] for an example.
    pub fn new(
        columns: impl Into<Arc<[SqlField]>>,
        values: impl Into<Vec<SqlValue>>,
    ) -> Option<Self> {
        let (columns, values) = (columns.into(), values.into());
        (columns.len() == values.len()).then_some(Self { columns, by_name: None, values })
    }

    /// Sets the positions of the columns by their names, if there are many columns.
    pub(crate) fn with_columns_by_name(self, by_name: Option<Arc<ColumnsByName>>) -> Self {
        Self { by_name, ..self }
    }

    /// The columns, in their order.
    ///
    /// ```
    /// # use tallrow::query::{SqlField, SqlRow, SqlType, SqlValue};
    /// let row = SqlRow::new([SqlField::new("n", SqlType::Int64)], [SqlValue::Int64(3)]).unwrap();
    /// assert_eq!((row.columns()[0].name(), &row.values()[0]), ("n", &SqlValue::Int64(3)));
    /// ```
    pub fn columns(&self) -> &[SqlField] {
        &self.columns
    }

    /// The values, in the order of the columns.
    ///
    /// See [`columns`](Self::columns) for an example.
    pub fn values(&self) -> &[SqlValue] {
        &self.values
    }

    /// Returns the value of a column.
    ///
    /// ```
    /// # use tallrow::query::{SqlField, SqlRow, SqlType, SqlValue};
    /// let row = SqlRow::new([SqlField::new("n", SqlType::Int64)], [SqlValue::Int64(3)]).unwrap();
    /// assert_eq!(row.value("n")?, &SqlValue::Int64(3));
    /// assert!(row.value("m").unwrap_err().to_string().contains("there is no column m"));
    /// # Ok::<(), tallrow::Error>(())
    /// ```
    ///
    /// # Errors
    /// There is no such column, or there are several of this name.
    pub fn value(&self, column: impl SqlColumnIndex) -> Result<&SqlValue> {
        let at = column.position(self)?;
        self.values.get(at).ok_or_else(|| decode_error(format!("there is no value {at}")))
    }
}

impl PartialEq for SqlRow {
    fn eq(&self, other: &Self) -> bool {
        self.columns == other.columns && self.values == other.values
    }
}

impl fmt::Debug for SqlRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = self.columns.iter().map(SqlField::name).zip(&self.values);
        f.debug_map().entries(named).finish()
    }
}
