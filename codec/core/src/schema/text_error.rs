//! Errors of reading the text of a row key.

use alloc::string::String;
use core::fmt;

use crate::error::{DecodeError, EncodeError};
use crate::show::ShowError;

/// A text that is not a row key of a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextError {
    /// The text is not in the notation.
    Show(ShowError),
    /// The bytes are not a row key of the schema.
    Decode(DecodeError),
    /// The text is not a list of values.
    Syntax {
        /// The character, counted from 0.
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
            Self::Show(error) => error.fmt(f),
            Self::Decode(error) => error.fmt(f),
            Self::Encode(error) => error.fmt(f),
            Self::Syntax { at, expected } => {
                write!(f, "read the values of a row key: expected {expected} at character {at}")
            }
            Self::Value { field, found, expected } => {
                write!(
                    f,
                    "read the values of a row key: field {field}: found {found:?}, expected {expected}"
                )
            }
        }
    }
}

impl core::error::Error for TextError {}

impl From<ShowError> for TextError {
    fn from(error: ShowError) -> Self {
        Self::Show(error)
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
