//! Conversions of errors about row keys into `Error`, and `FromStr` of `TableName`, which returns
//! an `Error`.

use std::str::FromStr;

use super::Error;
use crate::ErrorKind;
use crate::TableName;
use crate::key::{DecodeError, EncodeError};

impl From<EncodeError> for Error {
    fn from(error: EncodeError) -> Self {
        Self::invalid(error.to_string()).caused_by(error)
    }
}

impl From<DecodeError> for Error {
    fn from(error: DecodeError) -> Self {
        Self::new(ErrorKind::Decode, error.to_string()).caused_by(error)
    }
}

impl FromStr for TableName {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::parse(text).map_err(|why| Error::invalid(format!("table name {text:?}: {why}")))
    }
}
