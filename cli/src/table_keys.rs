//! The row keys of a table: values of their fields if the layout is known, else bytes.

use std::path::PathBuf;

use clap::Args;
use tallrow::key::RowRange;
use tallrow::key::show::Notation;
use tallrow::{Client, Filter, RawTable};

use crate::column::{Column, FamilyOrColumn};
use crate::failure::{Failure, Result};
use crate::key_text::KeyFormat;
use crate::layouts::{self, Layouts, OtherLayout};
use crate::output::say;
use crate::similar::is_it;
use crate::tables;

/// The flags that say how row keys are written.
#[derive(Args, Clone, Debug)]
pub(crate) struct KeyArguments {
    /// A file with the schema of the keys; without it, the one that the table records is used
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,

    #[command(flatten)]
    other_layout: OtherLayout,

    /// Keys are written as bytes in this format, not as the values of their fields
    #[arg(long, value_enum, value_name = "FORMAT")]
    key_format: Option<KeyFormat>,
}

/// How the row keys of a table are read and written.
#[derive(Debug)]
pub(crate) struct TableKeys {
    layouts: Option<Layouts>,
    key_format: Option<KeyFormat>,
}

/// A table whose rows a command reads or writes, and what is known about it.
pub(crate) struct OpenTable {
    pub(crate) name: String,
    pub(crate) raw: RawTable,
    pub(crate) keys: TableKeys,
    /// The families of the table; `None` if nobody asked, or they may not be known.
    families: Option<Vec<String>>,
}

impl KeyArguments {
    /// Opens a table for a command. This is the only way to one: a schema that is not the recorded
    /// one would read and write rows at other places.
    ///
    /// # Errors
    /// A table that is not there, or that records another layout than `--schema`, unless
    /// `--other-layout` asks for it.
    pub(crate) async fn open(&self, client: &Client, table: &str) -> Result<OpenTable> {
        let raw = client.raw_table(table)?;
        let given = self.given()?;
        if let (Some(keys), None) = (&given, &self.schema) {
            // Of keys of bytes nothing else has to be known.
            let keys = TableKeys { layouts: None, key_format: keys.key_format };
            return Ok(OpenTable { name: table.into(), raw, keys, families: None });
        }
        let descriptor = tables::describe_if_allowed(client, table).await?;
        let live = descriptor.as_ref().map(layouts::recorded).transpose()?.flatten();
        let keys = match given {
            Some(keys) => {
                match (&keys.layouts, &descriptor) {
                    (Some(given), Some(_)) => {
                        self.other_layout.check(("--schema", given), table, live.as_ref())?;
                    }
                    (_, None) => say(format!(
                        "{table} may not be described, so --schema was not compared with the layout that it records"
                    )),
                    (None, _) => {}
                }
                keys
            }
            None => TableKeys { layouts: live, key_format: None },
        };
        let families = descriptor.map(|descriptor| {
            descriptor.families().iter().map(|family| family.name().to_owned()).collect()
        });
        Ok(OpenTable { name: table.into(), raw, keys, families })
    }

    /// Returns a table that is not there yet, if the flags say how its keys are written.
    pub(crate) async fn before_it_exists(
        &self,
        client: &Client,
        table: &str,
    ) -> Result<Option<OpenTable>> {
        let Some(keys) = self.given()? else { return Ok(None) };
        if client.admin().table_exists(table).await? {
            return Ok(None);
        }
        let raw = client.raw_table(table)?;
        Ok(Some(OpenTable { name: table.into(), raw, keys, families: None }))
    }

    /// Returns how keys are written, if the flags say it without looking at the table.
    pub(crate) fn given(&self) -> Result<Option<TableKeys>> {
        let key_format = self.key_format;
        Ok(match (&self.schema, key_format) {
            (Some(file), _) => {
                Some(TableKeys { layouts: Some(layouts::of_file(file)?), key_format })
            }
            (None, Some(_)) => Some(TableKeys { layouts: None, key_format }),
            (None, None) => None,
        })
    }
}

impl OpenTable {
    /// Takes how its keys are read and written; what is left is for bytes.
    pub(crate) fn take_keys(&mut self) -> TableKeys {
        std::mem::replace(&mut self.keys, TableKeys { layouts: None, key_format: None })
    }

    /// Reads a family or a column of the table, which is given by a flag or as an argument.
    pub(crate) fn column(&self, given: &str, text: &str) -> Result<FamilyOrColumn> {
        let read = FamilyOrColumn::read(text)?;
        match &read {
            FamilyOrColumn::Family(family) => self.has_family(given, text, family)?,
            FamilyOrColumn::Column(Column { family, .. }) => {
                self.has_family(given, text, family)?
            }
        }
        Ok(read)
    }

    /// Fails if it is known that the table has no family for a column.
    pub(crate) fn has_column(&self, given: &str, column: &Column) -> Result<()> {
        self.has_family(given, &column.to_string(), &column.family)
    }

    /// Fails if it is known that the table has no such family, which was given as this text.
    fn has_family(&self, given: &str, text: &str, family: &str) -> Result<()> {
        let Err(why) = self.check_family(family) else { return Ok(()) };
        let failure = Failure::not_found(format!("{given} {text}: {why}"));
        let first = self.families.iter().flatten().next().map_or("FAMILY", String::as_str);
        Err(match text.contains(':') {
            true => failure.advise("`tallrow table diff` prints the command that adds a family"),
            false => failure.advise(format!(
                "a name without a colon is a family; write FAMILY:QUALIFIER for a column, as {first}:{text}"
            )),
        })
    }

    /// Returns why a cell cannot be in this family, if that is known.
    pub(crate) fn check_family(&self, family: &str) -> Result<(), String> {
        let Some(families) = &self.families else { return Ok(()) };
        if families.iter().any(|name| name == family) {
            return Ok(());
        }
        let like = is_it(family, families.iter().map(String::as_str));
        let (name, all) = (&self.name, families.join(", "));
        Err(match like.is_empty() {
            true => format!("{name} has no family {family}; it has {all}"),
            false => format!("{name} has no family {family}{like} It has {all}"),
        })
    }
}

impl TableKeys {
    /// Reads one key.
    pub(crate) fn read(&self, text: &str) -> Result<Vec<u8>> {
        let wrong = |why| Failure::usage(format!("row key {text:?}: {why}"));
        if text.ends_with(',') && self.layouts().is_some() {
            return Err(wrong(
                "it ends with a comma, so a part of it is another argument".to_owned(),
            )
            .advise("write the values in quotes, as one argument: 'user=7, at=1000'"));
        }
        match self.layouts() {
            Some(layouts) => layouts.encode(text).map_err(|why| {
                wrong(why).advise(format!("write it as {}, or give bytes with --key-format shell", layouts.pattern()))
            }),
            None => self.read_bytes(text).map_err(|why| {
                wrong(why).advise("--key-format says how keys are written; --schema FILE gives the layout of their fields")
            }),
        }
    }

    /// How the bytes of keys are written.
    pub(crate) fn key_format(&self) -> KeyFormat {
        self.key_format.unwrap_or(KeyFormat::Shell)
    }

    /// Reads the bytes of a key.
    pub(crate) fn read_bytes(&self, text: &str) -> Result<Vec<u8>, String> {
        self.key_format().read(text)
    }

    /// Writes the bytes of a key.
    pub(crate) fn write_bytes(&self, row: &[u8]) -> String {
        self.key_format().notation().write(row)
    }

    /// Returns the ranges of the rows in which these fields have these values, and the filter for what is left.
    pub(crate) fn select(&self, values: &str) -> Result<(Vec<RowRange>, Option<Filter>)> {
        let Some(layouts) = &self.layouts else {
            return Err(Failure::usage(format!("--where {values:?}: the layout of the keys is not known"))
                .advise("give --schema FILE, or create the table with a schema; --prefix and --start take bytes"));
        };
        let found = layouts.select(values)?.map_err(|why| {
            let advice = match values.contains("..") || values.contains(['<', '>']) {
                true => {
                    "a field has one value here; --start and --stop take ranges, as bytes of keys, \
                         which `tallrow key encode` writes"
                        .to_owned()
                }
                false => format!("write the values of some fields, as {}", layouts.pattern()),
            };
            Failure::usage(format!("--where {values:?}: {why}")).advise(advice)
        })?;
        Ok((found.ranges, found.fuzzy.map(|fuzzy| Filter::fuzzy_rows([fuzzy]))))
    }

    /// The layouts, if keys are written as the values of their fields.
    pub(crate) fn layouts(&self) -> Option<&Layouts> {
        self.layouts.as_ref().filter(|_| self.key_format.is_none())
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
