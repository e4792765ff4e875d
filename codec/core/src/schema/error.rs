//! Errors: why a schema or the text of a row key cannot be read, and why a value does not fit its
//! field.

use alloc::string::String;
use core::fmt;

use tallrow_layout::Position;

use crate::error::{DecodeError, EncodeError, FieldError, FieldErrorKind};
use crate::show::NotationError;

/// The error for a text or JSON that is not a schema of a row key.
///
/// ```
/// use tallrow_codec::schema::Schema;
///
/// let error = Schema::parse("row key User\nid: u32, digits = 9, desk\n").unwrap_err();
/// assert!(
///     error
///         .to_string()
///         .starts_with("read a schema: line 2, column 22: unknown attribute \"desk\"; one is")
/// );
/// assert_eq!(error.line(), Some(2));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaError {
    pub(super) place: SchemaPlace,
    pub(super) message: String,
}

/// The place of the error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SchemaPlace {
    Text(Position),
    /// The path to a value: `fields[2].width`.
    #[cfg(feature = "json")]
    Json(String),
}

impl SchemaError {
    /// Moves the position of the error down by `above` lines, because the text follows that many
    /// lines of another text.
    pub(super) fn shifted_down(mut self, above: usize) -> Self {
        match &mut self.place {
            SchemaPlace::Text(position) => position.line += above,
            #[cfg(feature = "json")]
            SchemaPlace::Json(_) => {}
        }
        self
    }

    /// Returns the line, counted from 1; `None` if the message names a wrong member of the JSON
    /// instead.
    pub fn line(&self) -> Option<usize> {
        self.position().map(|position| position.line)
    }

    /// Returns the column in characters, counted from 1; `None` if the message names a wrong member
    /// of the JSON instead.
    pub fn column(&self) -> Option<usize> {
        self.position().map(|position| position.column)
    }

    fn position(&self) -> Option<Position> {
        match self.place {
            SchemaPlace::Text(position) => Some(position),
            #[cfg(feature = "json")]
            SchemaPlace::Json(_) => None,
        }
    }
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            SchemaPlace::Text(Position { line, column }) => {
                write!(f, "read a schema: line {line}, column {column}: {}", self.message)
            }
            #[cfg(feature = "json")]
            SchemaPlace::Json(path) if path.is_empty() => {
                write!(f, "read a schema: {}", self.message)
            }
            #[cfg(feature = "json")]
            SchemaPlace::Json(path) => write!(f, "read a schema: {path}: {}", self.message),
        }
    }
}

impl core::error::Error for SchemaError {}

/// The error for a text that is not a row key of a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextError {
    /// The text is not in the notation of row keys that was chosen.
    Notation(NotationError),
    /// The bytes are not a row key of the schema.
    Decode(DecodeError),
    /// The text is not a list of values.
    Syntax {
        /// The index of the character, counted from 0.
        at: usize,
        /// What was expected there.
        expected: &'static str,
    },
    /// A text is not a value of its field.
    Value {
        /// The field.
        field: String,
        /// What was found.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
    /// A value does not fit its field.
    Encode(EncodeError),
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Notation(error) => error.fmt(f),
            Self::Decode(error) => error.fmt(f),
            Self::Encode(error) => error.fmt(f),
            Self::Syntax { at, expected } => {
                write!(f, "read the values of a row key: expected {expected} at character {at}")
            }
            Self::Value { field, found, expected } => {
                write!(
                    f,
                    "read the values of a row key: field {field}: found {found:?}, expected \
                     {expected}"
                )
            }
        }
    }
}

impl core::error::Error for TextError {}

impl From<NotationError> for TextError {
    fn from(error: NotationError) -> Self {
        Self::Notation(error)
    }
}

impl From<DecodeError> for TextError {
    fn from(error: DecodeError) -> Self {
        Self::Decode(error)
    }
}

impl From<EncodeError> for TextError {
    fn from(error: EncodeError) -> Self {
        Self::Encode(error)
    }
}

/// Why a value does not fit, with the inner field if it is in a nested key.
pub(super) struct ValueError {
    pub(super) kind: FieldErrorKind,
    pub(super) inner: Option<String>,
}

impl From<FieldErrorKind> for ValueError {
    fn from(kind: FieldErrorKind) -> Self {
        Self { kind, inner: None }
    }
}

impl From<FieldError> for ValueError {
    fn from(fault: FieldError) -> Self {
        fault.kind().into()
    }
}

impl From<core::convert::Infallible> for ValueError {
    fn from(never: core::convert::Infallible) -> Self {
        match never {}
    }
}

pub(super) fn out_of_range(allowed: &'static str) -> ValueError {
    FieldErrorKind::OutOfRange { allowed }.into()
}

pub(super) const A_NUMBER: &str = "a number that fits the field's type";
