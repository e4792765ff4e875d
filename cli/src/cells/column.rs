//! Columns and families in the form in which they are written in a terminal, such as `d:what`.

use std::fmt;

use tallrow::cell::Cell;
use tallrow::key::show;

use crate::cells::value_format::ValueFormat;
use crate::failure::{Failure, Result};

/// A column: a family, and the bytes of a qualifier.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(crate) family: String,
    pub(crate) qualifier: Vec<u8>,
}

/// The prefix of the qualifiers of import marks, the cells that an import with counters adds to its
/// rows.
pub(crate) const IMPORT_MARK_QUALIFIER_PREFIX: &str = "tallrow.import.";

impl Column {
    /// Parses `family:qualifier`, with the qualifier in the notation of the HBase shell.
    pub(crate) fn read(text: &str) -> Result<Self> {
        let wrong = |why: String| {
            Failure::usage(format!("column {text:?}: {why}"))
                .advise("write it as FAMILY:QUALIFIER, other bytes than printable ASCII as \\x00")
        };
        let (family, qualifier) =
            text.split_once(':').ok_or_else(|| wrong("it has no colon".into()))?;
        if family.is_empty() {
            return Err(wrong("it has no family before the colon".into()));
        }
        if let Some((_, last)) = qualifier.rsplit_once(':') {
            let no_type = |why: String| {
                Failure::usage(format!("column {text:?}: {why}"))
                    .advise("write a colon that is part of the qualifier as \\x3A")
            };
            match ValueFormat::from_name(last) {
                Ok(None) => {}
                Ok(Some(_)) => {
                    return Err(no_type(format!("no type can follow it here, and {last} is one")));
                }
                Err(why) => return Err(no_type(why)),
            }
        }
        let qualifier = show::from_shell(qualifier).map_err(|error| wrong(error.to_string()))?;
        Ok(Self { family: family.into(), qualifier })
    }

    /// Whether a cell is in this column.
    pub(crate) fn contains(&self, cell: &Cell) -> bool {
        (self.family.as_bytes(), &*self.qualifier) == (cell.family(), cell.qualifier())
    }

    /// Parses `family:qualifier=value`. Without `=value`, the value is `default`; if there is no
    /// default, that is an error.
    pub(crate) fn parse_with_value<'a>(
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

    /// Parses `family:qualifier[:type]=value`. The format of the value is the type, or `format` if
    /// the text has no type.
    pub(crate) fn parse_with_typed_value(
        text: &str,
        format: ValueFormat,
    ) -> Result<(Self, ValueFormat, &str)> {
        let Some((column, value)) = text.split_once('=') else {
            return Self::parse_with_value(text, None)
                .map(|(column, value)| (column, format, value));
        };
        let typed = column.rsplit_once(':').filter(|(column, _)| column.contains(':'));
        match typed.map(|(column, name)| (column, ValueFormat::from_name(name))) {
            Some((column, Ok(Some(format)))) => Ok((Self::read(column)?, format, value)),
            _ => Ok((Self::read(column)?, format, value)),
        }
    }
}

/// A family or a column, which is written as `FAMILY[:QUALIFIER]`.
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
