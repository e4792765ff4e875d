//! What is wrong with a schema that is read.

use alloc::string::String;
use core::fmt;

/// A text or JSON that is no schema of a row key.
///
/// ```
/// use tallrow_codec::schema::Schema;
///
/// let error = Schema::parse("row key User\nid: u33\n").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "read a schema: line 2, column 5: \"u33\" is no type; \
///      one is a number as u32 or i64, f32, f64, bool, char, text, bytes, uuid, [u8; 16], id 8, digest 16, key, list of u32, 8 tags of id 3 and id 3"
/// );
/// assert_eq!(error.line(), Some(2));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaError {
    pub(super) place: Place,
    pub(super) message: String,
}

/// Where it is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Text {
        line: usize,
        column: usize,
    },
    /// The way to a value: `fields[2].width`.
    #[cfg(feature = "json")]
    Json(String),
}

impl SchemaError {
    /// Returns the error for a text that follows so many lines of another.
    pub(super) fn below(mut self, above: usize) -> Self {
        match &mut self.place {
            Place::Text { line, .. } => *line += above,
            #[cfg(feature = "json")]
            Place::Json(_) => {}
        }
        self
    }

    /// Returns the line, counted from 1; nothing for JSON, whose message says where.
    pub fn line(&self) -> Option<usize> {
        match self.place {
            Place::Text { line, .. } => Some(line),
            #[cfg(feature = "json")]
            Place::Json(_) => None,
        }
    }

    /// Returns the column in characters, counted from 1; nothing for JSON.
    pub fn column(&self) -> Option<usize> {
        match self.place {
            Place::Text { column, .. } => Some(column),
            #[cfg(feature = "json")]
            Place::Json(_) => None,
        }
    }
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Place::Text { line, column } => {
                write!(f, "read a schema: line {line}, column {column}: {}", self.message)
            }
            #[cfg(feature = "json")]
            Place::Json(path) if path.is_empty() => write!(f, "read a schema: {}", self.message),
            #[cfg(feature = "json")]
            Place::Json(path) => write!(f, "read a schema: {path}: {}", self.message),
        }
    }
}

impl core::error::Error for SchemaError {}
