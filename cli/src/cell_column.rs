//! Columns of a table, as columns of a file.

use std::fmt;

use clap::ValueEnum;
use tallrow::key::show;

use crate::column::Column;
use crate::failure::{Failure, Result};
use crate::value_form::ValueForm;

/// A column of a table, the column of a file with its values, and how they are written there.
#[derive(Clone, Debug)]
pub(crate) struct CellColumn {
    pub(crate) column: Column,
    pub(crate) name: String,
    pub(crate) form: ValueForm,
}

impl CellColumn {
    /// Reads `FAMILY:QUALIFIER[=NAME][:TYPE]`.
    pub(crate) fn read(flag: &str, text: &str) -> Result<Self> {
        let (column, name, form) = match text.split_once('=') {
            Some((column, name)) => {
                let (name, form) = typed(name).unwrap_or((name, ValueForm::Text));
                (column, name, form)
            }
            None => {
                let (column, form) = column_and_form(text);
                (column, text, form)
            }
        };
        let column = Column::read(column)
            .map_err(|error| Failure::usage(format!("{flag} {text}: {error}")))?;
        Ok(Self { column, name: name.into(), form })
    }

    /// Reads the name of a column of a file, if it is `FAMILY:QUALIFIER[:TYPE]`.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        let (column, form) = column_and_form(name);
        let column = Column::read(column).ok()?;
        Some(Self { column, name: name.into(), form })
    }

    /// Returns what is wrong with the type in the name of a column of a file, if it ends in the
    /// name of a type elsewhere.
    pub(crate) fn wrong_type(name: &str) -> Option<String> {
        ValueForm::named(name.rsplit_once(':')?.1).err()
    }

    /// Returns the name that [`of_name`](Self::of_name) reads.
    pub(crate) fn name_of(family: &[u8], qualifier: &[u8], form: ValueForm) -> String {
        // A colon would be taken for that of a type.
        let qualifier = show::shell(qualifier).to_string().replace(':', "\\x3A");
        let column = format!("{}:{qualifier}", show::shell(family));
        match form.to_possible_value().filter(|_| form != ValueForm::Text) {
            Some(form) => format!("{column}:{}", form.get_name()),
            None => column,
        }
    }
}

impl fmt::Display for CellColumn {
    /// Writes it as [`read`](Self::read) reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { column, name, form } = self;
        write!(f, "{column}={name}")?;
        form.to_possible_value().map_or(Ok(()), |form| write!(f, ":{}", form.get_name()))
    }
}

/// Cuts the type from `FAMILY:QUALIFIER[:TYPE]`.
fn column_and_form(text: &str) -> (&str, ValueForm) {
    typed(text).filter(|(column, _)| column.contains(':')).unwrap_or((text, ValueForm::Text))
}

fn typed(text: &str) -> Option<(&str, ValueForm)> {
    let (rest, form) = text.rsplit_once(':')?;
    Some((rest, ValueForm::named(form).ok()??))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(column: &CellColumn) -> (&str, &[u8], &str, ValueForm) {
        (&column.column.family, &column.column.qualifier, &column.name, column.form)
    }

    #[test]
    fn a_column_has_a_name_and_a_type() {
        let read = |text| CellColumn::read("--cell", text).unwrap();
        assert_eq!(parts(&read("d:dep=DEP:i64")), ("d", &b"dep"[..], "DEP", ValueForm::I64));
        assert_eq!(parts(&read("d:dep=DEP")), ("d", &b"dep"[..], "DEP", ValueForm::Text));
        assert_eq!(parts(&read("d:dep=a:b")), ("d", &b"dep"[..], "a:b", ValueForm::Text));
        assert_eq!(parts(&read("d:dep:i64")), ("d", &b"dep"[..], "d:dep:i64", ValueForm::I64));
        assert_eq!(parts(&read("d:i64")), ("d", &b"i64"[..], "d:i64", ValueForm::Text));
        assert!(CellColumn::read("--cell", "dep=DEP").is_err());
        for wrong in ["d:dep:int", "d:dep:i64=DEP", "d:dep:String=DEP", ":dep=DEP"] {
            assert!(CellColumn::read("--cell", wrong).is_err(), "{wrong}");
        }
        assert!(CellColumn::wrong_type("d:dep:int").unwrap().contains("is it i32?"));
        assert_eq!(read("d:\\x00=DEP").to_string(), "d:\\x00=DEP:text");
    }

    #[test]
    fn names_are_read_back() {
        for qualifier in [&b"what"[..], b"", b"a:i64", b"i64", b"\0\xff=,"] {
            for form in ValueForm::value_variants() {
                let name = CellColumn::name_of(b"d", qualifier, *form);
                let column = CellColumn::of_name(&name).unwrap();
                assert_eq!(parts(&column), ("d", qualifier, &*name, *form));
            }
        }
        assert!(CellColumn::of_name("user").is_none());
    }
}
