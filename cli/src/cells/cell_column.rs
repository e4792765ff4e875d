//! A column of a table, paired with the column of a file that holds its values.

use std::fmt;

use clap::ValueEnum;
use tallrow::key::show;

use crate::cells::column::Column;
use crate::cells::value_format::ValueFormat;
use crate::failure::{Failure, Result};

/// A column of a table, with the name of the file column that holds its values, and the format of
/// the values in the file.
#[derive(Clone, Debug)]
pub(crate) struct ColumnMapping {
    pub(crate) column: Column,
    pub(crate) file_column: String,
    pub(crate) format: ValueFormat,
}

impl ColumnMapping {
    /// Parses `FAMILY:QUALIFIER[=NAME][:TYPE]`; `flag` is the name of the flag in errors.
    pub(crate) fn read(flag: &str, text: &str) -> Result<Self> {
        let (column, file_column, format) = match text.split_once('=') {
            Some((column, name)) => {
                let (name, format) = typed(name).unwrap_or((name, ValueFormat::Text));
                (column, name, format)
            }
            None => {
                let (column, format) = column_and_format(text);
                (column, text, format)
            }
        };
        let column = Column::read(column)
            .map_err(|error| Failure::usage(format!("{flag} {text}: {error}")))?;
        Ok(Self { column, file_column: file_column.into(), format })
    }

    /// Whether a text that [`read`](Self::read) parses contains a name or a type.
    pub(crate) fn has_name_or_type(text: &str) -> bool {
        text.contains('=') || column_and_format(text).0 != text
    }

    /// Parses the name of a file column; returns none if the name is not `FAMILY:QUALIFIER[:TYPE]`.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        let (column, format) = column_and_format(name);
        let column = Column::read(column).ok()?;
        Some(Self { column, file_column: name.into(), format })
    }

    /// Returns an error text if the name of a file column ends in a type name that other systems
    /// use but this program does not.
    pub(crate) fn foreign_type_error(name: &str) -> Option<String> {
        ValueFormat::from_name(name.rsplit_once(':')?.1).err()
    }

    /// Returns the name of a file column that [`of_name`](Self::of_name) parses into this column
    /// and format.
    pub(crate) fn name_of(family: &[u8], qualifier: &[u8], format: ValueFormat) -> String {
        // A colon would be read as the start of a type.
        let qualifier = show::shell(qualifier).to_string().replace(':', "\\x3A");
        let column = format!("{}:{qualifier}", show::shell(family));
        match format.to_possible_value().filter(|_| format != ValueFormat::Text) {
            Some(format) => format!("{column}:{}", format.get_name()),
            None => column,
        }
    }
}

impl fmt::Display for ColumnMapping {
    /// Writes the column in the form that [`read`](Self::read) reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { column, file_column, format } = self;
        write!(f, "{column}={file_column}")?;
        format.to_possible_value().map_or(Ok(()), |format| write!(f, ":{}", format.get_name()))
    }
}

/// Splits `FAMILY:QUALIFIER[:TYPE]` into the column and the format; without a type, the format is
/// text.
fn column_and_format(text: &str) -> (&str, ValueFormat) {
    typed(text).filter(|(column, _)| column.contains(':')).unwrap_or((text, ValueFormat::Text))
}

fn typed(text: &str) -> Option<(&str, ValueFormat)> {
    let (rest, format) = text.rsplit_once(':')?;
    Some((rest, ValueFormat::from_name(format).ok()??))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(column: &ColumnMapping) -> (&str, &[u8], &str, ValueFormat) {
        (&column.column.family, &column.column.qualifier, &column.file_column, column.format)
    }

    #[test]
    fn a_column_has_a_name_and_a_type() {
        let read = |text| ColumnMapping::read("--column", text).unwrap();
        assert_eq!(parts(&read("d:dep=DEP:i64")), ("d", &b"dep"[..], "DEP", ValueFormat::I64));
        assert_eq!(parts(&read("d:dep=DEP")), ("d", &b"dep"[..], "DEP", ValueFormat::Text));
        assert_eq!(parts(&read("d:dep=a:b")), ("d", &b"dep"[..], "a:b", ValueFormat::Text));
        assert_eq!(parts(&read("d:dep:i64")), ("d", &b"dep"[..], "d:dep:i64", ValueFormat::I64));
        assert_eq!(parts(&read("d:i64")), ("d", &b"i64"[..], "d:i64", ValueFormat::Text));
        assert!(ColumnMapping::read("--column", "dep=DEP").is_err());
        for wrong in ["d:dep:int", "d:dep:i64=DEP", "d:dep:String=DEP", ":dep=DEP"] {
            assert!(ColumnMapping::read("--column", wrong).is_err(), "{wrong}");
        }
        assert!(ColumnMapping::foreign_type_error("d:dep:int").unwrap().contains("is it i32?"));
        for text in ["d:dep=DEP", "d:dep:i64", "d:dep:text"] {
            assert!(ColumnMapping::has_name_or_type(text), "{text}");
        }
        assert!(!ColumnMapping::has_name_or_type("d:i64"));
        assert_eq!(read("d:\\x00=DEP").to_string(), "d:\\x00=DEP:text");
    }

    #[test]
    fn names_are_read_back() {
        for qualifier in [&b"what"[..], b"", b"a:i64", b"i64", b"\0\xff=,"] {
            for format in ValueFormat::value_variants() {
                let name = ColumnMapping::name_of(b"d", qualifier, *format);
                let column = ColumnMapping::of_name(&name).unwrap();
                assert_eq!(parts(&column), ("d", qualifier, &*name, *format));
            }
        }
        assert!(ColumnMapping::of_name("user").is_none());
    }
}
