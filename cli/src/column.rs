//! Columns as they are written in a terminal.

use std::fmt;

use tallrow::key::show;

use crate::failure::{Failure, Result};

/// A column: a family, and the bytes of a qualifier.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(crate) family: String,
    pub(crate) qualifier: Vec<u8>,
}

/// What the qualifiers of the marks of imports start with.
pub(crate) const IMPORT_MARK: &str = "tallrow.import.";

impl Column {
    /// Reads `family:qualifier`, the qualifier as the shell writes it.
    pub(crate) fn read(text: &str) -> Result<Self> {
        let wrong = |why: String| {
            Failure::usage(format!("column {text:?}: {why}"))
                .advise("write it as FAMILY:QUALIFIER, other bytes than printable ASCII as \\x00")
        };
        let (family, qualifier) =
            text.split_once(':').ok_or_else(|| wrong("it has no colon".into()))?;
        let qualifier = show::from_shell(qualifier).map_err(|error| wrong(error.to_string()))?;
        Ok(Self { family: family.into(), qualifier })
    }

    /// Reads `family:qualifier=value`; without a value, `default`.
    pub(crate) fn with_value<'a>(
        text: &'a str,
        default: Option<&'a str>,
    ) -> Result<(Self, &'a str)> {
        match text.split_once('=') {
            Some((column, value)) => Ok((Self::read(column)?, value)),
            None => match default {
                Some(value) => Ok((Self::read(text)?, value)),
                None => Err(Failure::usage(format!("cell {text:?} has no value"))
                    .advise("write it as FAMILY:QUALIFIER=VALUE")),
            },
        }
    }
}

/// What `FAMILY[:QUALIFIER]` names.
#[derive(Clone, Debug)]
pub(crate) enum FamilyOrColumn {
    Family(String),
    Column(Column),
}

impl FamilyOrColumn {
    pub(crate) fn read(text: &str) -> Result<Self> {
        Ok(match text.contains(':') {
            true => Self::Column(Column::read(text)?),
            false => Self::Family(text.into()),
        })
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.family, show::shell(&self.qualifier))
    }
}
