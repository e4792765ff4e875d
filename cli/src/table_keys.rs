//! The row keys of a table: values of their fields if the layout is known, else bytes.

use std::path::PathBuf;

use clap::Args;
use tallrow::key::RowRange;
use tallrow::key::show::Notation;
use tallrow::{Client, ErrorKind, Filter};

use crate::failure::{Failure, Result};
use crate::key_text::KeyForm;
use crate::layouts::{self, Layouts};

/// The flags that say how row keys are written.
#[derive(Args, Clone, Debug)]
pub(crate) struct KeyArguments {
    /// A file with the schema of the keys; without it, the one that the table records is used
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,

    /// Keys are written as bytes in this form, not as the values of their fields
    #[arg(long, value_enum, value_name = "FORM")]
    form: Option<KeyForm>,
}

/// How the row keys of a table are read and written.
#[derive(Debug)]
pub(crate) struct TableKeys {
    layouts: Option<Layouts>,
    form: Option<KeyForm>,
}

impl KeyArguments {
    /// Returns how the keys of this table are written.
    pub(crate) async fn of(&self, client: &Client, table: &str) -> Result<TableKeys> {
        match self.given()? {
            Some(keys) => Ok(keys),
            None => Ok(TableKeys { layouts: recorded(client, table).await?, form: None }),
        }
    }

    /// Returns how keys are written, if the flags say it without looking at the table.
    pub(crate) fn given(&self) -> Result<Option<TableKeys>> {
        let form = self.form;
        Ok(match (&self.schema, form) {
            (Some(file), _) => Some(TableKeys { layouts: Some(layouts::of_file(file)?), form }),
            (None, Some(_)) => Some(TableKeys { layouts: None, form }),
            (None, None) => None,
        })
    }
}

/// Returns the layout that a table records; none where describing it is not allowed.
async fn recorded(client: &Client, table: &str) -> Result<Option<Layouts>> {
    match client.admin().describe(table).await {
        Ok(descriptor) => layouts::recorded(&descriptor),
        Err(error) if error.kind() == ErrorKind::PermissionDenied => Ok(None),
        Err(error) => Err(error.into()),
    }
}

impl TableKeys {
    /// Reads one key.
    pub(crate) fn read(&self, text: &str) -> Result<Vec<u8>> {
        let wrong = |why| Failure::usage(format!("row key {text:?}: {why}"));
        match self.layouts() {
            Some(layouts) => layouts.encode(text).map_err(|why| {
                wrong(why).advise("write the values of its fields as NAME=VALUE, NAME=VALUE, or give bytes with --form shell")
            }),
            None => self.read_bytes(text).map_err(|why| {
                wrong(why).advise("--form says how keys are written; --schema FILE gives the layout of their fields")
            }),
        }
    }

    /// How the bytes of keys are written.
    pub(crate) fn form(&self) -> KeyForm {
        self.form.unwrap_or(KeyForm::Shell)
    }

    /// Reads the bytes of a key.
    pub(crate) fn read_bytes(&self, text: &str) -> Result<Vec<u8>, String> {
        self.form().read(text)
    }

    /// Writes the bytes of a key.
    pub(crate) fn write_bytes(&self, row: &[u8]) -> String {
        self.form().notation().write(row)
    }

    /// Returns the ranges of the rows in which these fields have these values, and the filter for what is left.
    pub(crate) fn select(&self, values: &str) -> Result<(Vec<RowRange>, Option<Filter>)> {
        let Some(layouts) = &self.layouts else {
            return Err(Failure::usage(format!("--where {values:?}: the layout of the keys is not known"))
                .advise("give --schema FILE, or create the table with a schema; --prefix and --start take bytes"));
        };
        let schema = layouts.only()?;
        let wrong = |why: String| {
            Failure::usage(format!("--where {values:?}: {why}"))
                .advise("write the values of some fields as NAME=VALUE, NAME=VALUE")
        };
        let fields = schema.read_text(values).map_err(|error| wrong(error.to_string()))?;
        let found = schema.select_rows(&fields).map_err(|error| wrong(error.to_string()))?;
        Ok((found.ranges, found.fuzzy.map(|fuzzy| Filter::fuzzy_rows([fuzzy]))))
    }

    /// The layouts, if keys are written as the values of their fields.
    pub(crate) fn layouts(&self) -> Option<&Layouts> {
        self.layouts.as_ref().filter(|_| self.form.is_none())
    }

    /// Writes a key: the values of its fields if it has the layout.
    pub(crate) fn write(&self, row: &[u8]) -> String {
        match self.layouts() {
            Some(layouts) => match layouts.decode(row) {
                Ok((_, fields)) => fields.to_string(),
                Err(error) => format!("{} ({error})", Notation::Shell.write(row)),
            },
            None => self.write_bytes(row),
        }
    }

    /// The fields of a key as JSON; null if it does not have the layout or none is known.
    pub(crate) fn json(&self, row: &[u8]) -> serde_json::Value {
        let fields = self.layouts.as_ref().and_then(|layouts| layouts.decode(row).ok());
        fields.map_or(serde_json::Value::Null, |(_, fields)| crate::json::fields(&fields))
    }
}
