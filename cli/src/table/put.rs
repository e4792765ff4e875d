//! `tallrow table put`.

use clap::Args;
use serde_json::json;

use crate::column::Column;
use crate::connection::Connection;
use crate::failure::{Failure, Result};
use crate::output::{Output, counted, say};
use crate::table_keys::KeyArguments;
use crate::value_format::ValueFormat;

const AFTER: &str = "\
Examples:
  tallrow table put events 'user=7, at=2023-11-14T22:13:20Z' d:what=buy
  tallrow table put stats total d:hits=0 --value-format long
  tallrow table put events 'user=7, at=1000' d:what=buy d:n:i32=3";

/// Write the cells of one row
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct Put {
    /// The table
    table: String,

    /// The row key: the values of its fields if the layout is known, else bytes
    key: String,

    /// The cells: FAMILY:QUALIFIER=VALUE, or FAMILY:QUALIFIER:TYPE=VALUE where one is not written
    /// as --value-format says
    #[arg(required = true, value_name = "CELL")]
    cells: Vec<String>,

    /// How the values of cells are written
    #[arg(long, value_enum, default_value_t = ValueFormat::Shell)]
    value_format: ValueFormat,

    #[command(flatten)]
    keys: KeyArguments,

    #[command(flatten)]
    connection: Connection,
}

impl Put {
    pub(super) async fn run(self, output: &mut Output) -> Result<()> {
        let mut cells = Vec::new();
        for text in &self.cells {
            let (column, format, value) = Column::with_typed_value(text, self.value_format)?;
            let value = format.read(value).map_err(|error| {
                Failure::usage(format!("cell {text:?}: {error}")).advise(format!(
                    "--value-format, or a type after the column as in d:n:i64=7, says how a value is written: {}",
                    ValueFormat::names()
                ))
            })?;
            cells.push((column, value));
        }
        let client = self.connection.connect().await?;
        let table = self.keys.open(&client, &self.table).await?;
        let mut put = tallrow::Put::new(table.keys.read(&self.key)?);
        for (column, value) in cells {
            table.has_column("cell", &column)?;
            put = put.cell(&column.family, &column.qualifier, value);
        }
        table.raw.put(put).await?;
        say(format!(
            "put {} of {} in {}",
            counted(self.cells.len() as u64, "cell"),
            self.key,
            self.table
        ));
        if output.is_json() {
            let cells = self.cells.len();
            return output
                .result("", || json!({ "table": self.table, "key": self.key, "cells": cells }));
        }
        Ok(())
    }
}
