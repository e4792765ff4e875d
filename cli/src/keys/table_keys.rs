//! Reads and writes the row keys of a table: as values of their fields if the layout is known, else
//! as bytes.

use tallrow::Filter;
use tallrow::key::RowRange;
use tallrow::key::show::Notation;

use crate::failure::{Failure, Result};
use crate::keys::json;
use crate::keys::key_format::KeyFormat;
use crate::keys::layouts::Layouts;

/// The form in which the row keys of a table are read and written.
#[derive(Debug)]
pub(crate) struct KeyTextFormat {
    /// The layouts, if they are known. Keys are still written as bytes if a key format is given.
    pub(crate) layouts: Option<Layouts>,
    key_format: Option<KeyFormat>,
}

impl KeyTextFormat {
    /// Makes the form of keys with these layouts. If no layouts are known or a key format is given,
    /// keys are written as bytes.
    pub(crate) fn new(known_layouts: Option<Layouts>, key_format: Option<KeyFormat>) -> Self {
        Self { layouts: known_layouts, key_format }
    }

    /// Parses one key, which is written as the values of its fields or as bytes.
    pub(crate) fn read(&self, text: &str) -> Result<Vec<u8>> {
        let wrong = |why| Failure::usage(format!("row key {text:?}: {why}"));
        if text.ends_with(',') && self.field_layouts().is_some() {
            return Err(wrong(
                "it ends with a comma, so a part of it is another argument".to_owned(),
            )
            .advise("write the values in quotes, as one argument: 'user=7, at=1000'"));
        }
        match self.field_layouts() {
            Some(layouts) => layouts.encode(text).map_err(|why| {
                wrong(why).advise(format!(
                    "write it as {}, or give bytes with --key-format shell",
                    layouts.values_template()
                ))
            }),
            None => self.read_bytes(text).map_err(|why| {
                wrong(why).advise(
                    "--key-format says how keys are written; --schema FILE gives the layout of \
                     their fields",
                )
            }),
        }
    }

    /// The format in which the bytes of keys are written.
    pub(crate) fn key_format(&self) -> KeyFormat {
        self.key_format.unwrap_or(KeyFormat::Shell)
    }

    /// Parses a key that is written as bytes.
    pub(crate) fn read_bytes(&self, text: &str) -> Result<Vec<u8>, String> {
        self.key_format().read(text)
    }

    /// Returns a key, written as bytes.
    pub(crate) fn format_bytes(&self, row: &[u8]) -> String {
        self.key_format().notation().write(row)
    }

    /// Returns the ranges of the rows in which these fields have these values, and a filter if the
    /// ranges are not enough.
    pub(crate) fn select(&self, values: &str) -> Result<(Vec<RowRange>, Option<Filter>)> {
        let Some(layouts) = &self.layouts else {
            return Err(Failure::usage(format!(
                "--where {values:?}: the layout of the keys is not known"
            ))
            .advise(
                "give --schema FILE, or create the table with a schema; --prefix and --start take \
                 bytes",
            ));
        };
        let found = layouts.select(values)?.map_err(|why| {
            let advice = match values.contains("..") || values.contains(['<', '>']) {
                true => "a field has one value here; --start and --stop take ranges, as bytes of \
                         keys, which `tallrow key encode` writes"
                    .to_owned(),
                false => {
                    format!("write the values of some fields, as {}", layouts.values_template())
                }
            };
            Failure::usage(format!("--where {values:?}: {why}")).advise(advice)
        })?;
        Ok((found.ranges, found.fuzzy.map(|fuzzy| Filter::fuzzy_rows([fuzzy]))))
    }

    /// The layouts, if keys are written as the values of their fields.
    pub(crate) fn field_layouts(&self) -> Option<&Layouts> {
        self.layouts.as_ref().filter(|_| self.key_format.is_none())
    }

    /// Returns a key, written as the values of its fields, or as bytes if no layout is used. A key
    /// that does not have the layout is written as bytes, followed by the error in parentheses.
    pub(crate) fn format_key(&self, row: &[u8]) -> String {
        match self.field_layouts() {
            Some(layouts) => match layouts.decode(row) {
                Ok((_, fields)) => fields.to_string(),
                Err(error) => format!("{} ({error})", Notation::Shell.write(row)),
            },
            None => self.format_bytes(row),
        }
    }

    /// Returns the fields of a key as JSON; null if the key does not have the layout, or if no
    /// layout is known.
    pub(crate) fn json(&self, row: &[u8]) -> serde_json::Value {
        let fields = self.layouts.as_ref().and_then(|layouts| layouts.decode(row).ok());
        fields.map_or(serde_json::Value::Null, |(_, fields)| json::fields(&fields))
    }
}
