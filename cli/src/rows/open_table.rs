//! Opens the table of a command. Its row keys are written as the values of their fields if their
//! layout is known, or else as bytes.

use std::path::PathBuf;

use clap::Args;
use tallrow::{Client, RawTable};

use crate::cells::column::{Column, FamilyOrColumn};
use crate::cluster::connection::ConnectionArguments;
use crate::cluster::tables;
use crate::failure::similar::suggestion_text;
use crate::failure::{Failure, Result};
use crate::keys::key_format::KeyFormat;
use crate::keys::layouts::{self, OtherLayoutFlag};
use crate::keys::table_keys::KeyTextFormat;
use crate::terminal::output::say;

/// The table of a command, and how its keys are written.
#[derive(Args, Clone, Debug)]
pub(crate) struct TableArguments {
    /// The table
    pub(crate) table: String,

    #[command(flatten)]
    pub(crate) keys: KeyArguments,

    #[command(flatten)]
    pub(crate) connection: ConnectionArguments,
}

impl TableArguments {
    /// Connects, and opens the table as [`KeyArguments::open`] does.
    pub(crate) async fn open(&self) -> Result<OpenTable> {
        self.keys.open(&self.connection.connect().await?, &self.table).await
    }
}

/// One row of a table.
#[derive(Args, Clone, Debug)]
pub(crate) struct RowKeyArguments {
    #[command(flatten)]
    table: TableArguments,

    /// The row key: the values of its fields if the layout is known, else bytes
    pub(crate) key: String,
}

impl RowKeyArguments {
    /// Opens the table, and reads the row key.
    pub(crate) async fn open(&self) -> Result<(OpenTable, Vec<u8>)> {
        let table = self.table.open().await?;
        let row = table.keys.read(&self.key)?;
        Ok((table, row))
    }
}

/// The flags that say how row keys are written.
#[derive(Args, Clone, Debug)]
pub(crate) struct KeyArguments {
    /// A file with the schema of the keys; without it, the one that the table records is used
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,

    #[command(flatten)]
    other_layout: OtherLayoutFlag,

    /// Keys are written as bytes in this format, not as the values of their fields
    #[arg(long, value_enum, value_name = "FORMAT")]
    key_format: Option<KeyFormat>,
}

/// A table whose rows a command reads or writes, and what is known about it.
pub(crate) struct OpenTable {
    pub(crate) name: String,
    pub(crate) raw: RawTable,
    pub(crate) keys: KeyTextFormat,
    /// The families of the table; `None` if they were not requested, or if the user is not allowed
    /// to read them.
    families: Option<Vec<String>>,
}

impl KeyArguments {
    /// Opens a table for a command, and compares `--schema` with the layout that the table records.
    /// With another layout, the command would read and write rows in other places.
    ///
    /// # Errors
    /// If the table does not exist, or if it records a layout other than `--schema` and
    /// `--other-layout` is not given. With only `--key-format`, nothing is checked.
    pub(crate) async fn open(&self, client: &Client, table: &str) -> Result<OpenTable> {
        let raw = client.raw_table(table)?;
        let given = self.keys_from_flags()?;
        if given.is_some() && self.schema.is_none() {
            // If keys are written as bytes, nothing has to be known about the table.
            let keys = KeyTextFormat::new(None, self.key_format);
            return Ok(OpenTable { name: table.into(), raw, keys, families: None });
        }
        let descriptor = tables::describe_if_allowed(client, table).await?;
        let live = descriptor.as_ref().map(layouts::recorded_layouts).transpose()?.flatten();
        let keys = match given {
            Some(keys) => {
                match (&keys.layouts, &descriptor) {
                    (Some(given), Some(_)) => {
                        self.other_layout.check(("--schema", given), table, live.as_ref())?;
                    }
                    (_, None) => say(format!(
                        "{table} may not be described, so --schema was not compared with the \
                         layout that it records"
                    )),
                    (None, _) => {}
                }
                keys
            }
            None => KeyTextFormat::new(live, None),
        };
        let families = descriptor.map(|descriptor| {
            descriptor.families().iter().map(|family| family.name().to_owned()).collect()
        });
        Ok(OpenTable { name: table.into(), raw, keys, families })
    }

    /// Returns a table that does not exist yet; none if the table exists, or if the flags do not
    /// say how its keys are written.
    pub(crate) async fn missing_table(
        &self,
        client: &Client,
        table: &str,
    ) -> Result<Option<OpenTable>> {
        let Some(keys) = self.keys_from_flags()? else { return Ok(None) };
        if client.admin().table_exists(table).await? {
            return Ok(None);
        }
        let raw = client.raw_table(table)?;
        Ok(Some(OpenTable { name: table.into(), raw, keys, families: None }))
    }

    /// Returns how keys are written, if the flags alone say it; none if the table has to be read
    /// for that.
    pub(crate) fn keys_from_flags(&self) -> Result<Option<KeyTextFormat>> {
        let key_format = self.key_format;
        Ok(match (&self.schema, key_format) {
            (Some(file), _) => Some(KeyTextFormat::new(Some(layouts::of_file(file)?), key_format)),
            (None, Some(_)) => Some(KeyTextFormat::new(None, key_format)),
            (None, None) => None,
        })
    }
}

impl OpenTable {
    /// Moves the form in which keys are read and written out of the table. Afterwards, the table
    /// treats keys as bytes.
    pub(crate) fn take_keys(&mut self) -> KeyTextFormat {
        std::mem::replace(&mut self.keys, KeyTextFormat::new(None, None))
    }

    /// Parses a family or a column, and fails if the table is known not to have the family. `given`
    /// names the flag or the argument in errors.
    pub(crate) fn parse_family_or_column(&self, given: &str, text: &str) -> Result<FamilyOrColumn> {
        let read = FamilyOrColumn::read(text)?;
        match &read {
            FamilyOrColumn::Family(family) => self.require_family(given, text, family)?,
            FamilyOrColumn::Column(Column { family, .. }) => {
                self.require_family(given, text, family)?
            }
        }
        Ok(read)
    }

    /// Fails if the table is known not to have the family of a column.
    pub(crate) fn check_column(&self, given: &str, column: &Column) -> Result<()> {
        self.require_family(given, &column.to_string(), &column.family)
    }

    /// Fails if the table is known not to have this family, which was given as this text.
    fn require_family(&self, given: &str, text: &str, family: &str) -> Result<()> {
        let Err(why) = self.check_family(family) else { return Ok(()) };
        let failure = Failure::not_found(format!("{given} {text}: {why}"));
        let first = self.families.iter().flatten().next().map_or("FAMILY", String::as_str);
        Err(match text.contains(':') {
            true => failure.advise("`tallrow table diff` prints the command that adds a family"),
            false => failure.advise(format!(
                "a name without a colon is a family; write FAMILY:QUALIFIER for a column, as \
                 {first}:{text}"
            )),
        })
    }

    /// Fails, with the reason, if the table is known not to have this family.
    pub(crate) fn check_family(&self, family: &str) -> Result<(), String> {
        let Some(families) = &self.families else { return Ok(()) };
        if families.iter().any(|name| name == family) {
            return Ok(());
        }
        let like = suggestion_text(family, families.iter().map(String::as_str));
        let (name, all) = (&self.name, families.join(", "));
        Err(match like.is_empty() {
            true => format!("{name} has no family {family}; it has {all}"),
            false => format!("{name} has no family {family}{like} It has {all}"),
        })
    }
}
