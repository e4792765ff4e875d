//! Errors of reading a schema.

use alloc::string::String;
use core::fmt;

use tallrow_layout::Position;

/// A text or JSON that is not a schema of a row key.
///
/// ```
/// use tallrow_codec::schema::Schema;
///
/// let error = Schema::parse("row key User\nid: u32, digits = 9, desk\n").unwrap_err();
/// assert!(error.to_string().starts_with("read a schema: line 2, column 22: unknown attribute \"desk\"; one is"));
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
    Text(Position),
    /// The path to a value: `fields[2].width`.
    #[cfg(feature = "json")]
    Json(String),
}

impl SchemaError {
    /// Returns the error for a text that follows `above` lines of another.
    pub(super) fn below(mut self, above: usize) -> Self {
        match &mut self.place {
            Place::Text(position) => position.line += above,
            #[cfg(feature = "json")]
            Place::Json(_) => {}
        }
        self
    }

    /// Returns the line, counted from 1; nothing for JSON, whose message names the place.
    pub fn line(&self) -> Option<usize> {
        self.position().map(|position| position.line)
    }

    /// Returns the column in characters, counted from 1; nothing for JSON.
    pub fn column(&self) -> Option<usize> {
        self.position().map(|position| position.column)
    }

    fn position(&self) -> Option<Position> {
        match self.place {
            Place::Text(position) => Some(position),
            #[cfg(feature = "json")]
            Place::Json(_) => None,
        }
    }
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Place::Text(Position { line, column }) => {
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
