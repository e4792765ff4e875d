//! `tallrow table put`.

use clap::Args;
use serde_json::json;

use crate::column::Column;
use crate::connection::Connection;
use crate::failure::{Failure, Result};
use crate::output::{Output, counted, say};
use crate::table_keys::KeyArguments;
use crate::value_form::ValueForm;

const AFTER: &str = "\
Examples:
  tallrow table put events 'user=7, at=2023-11-14T22:13:20Z' d:what=buy
  tallrow table put stats total d:hits=0 --values long
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
    /// as --values says
    #[arg(required = true, value_name = "CELL")]
    cells: Vec<String>,

    /// How the values of cells are written
    #[arg(long, value_enum, default_value_t = ValueForm::Shell)]
    values: ValueForm,

    #[command(flatten)]
    keys: KeyArguments,

    #[command(flatten)]
    connection: Connection,
}

impl Put {
    pub(super) async fn run(self, output: &mut Output) -> Result<()> {
        let mut cells = Vec::new();
        for text in &self.cells {
            let (column, form, value) = Column::with_typed_value(text, self.values)?;
            let value = form.read(value).map_err(|error| {
                Failure::usage(format!("cell {text:?}: {error}")).advise(format!(
                    "--values, or a type after the column as in d:n:i64=7, says how a value is written: {}",
                    ValueForm::names()
                ))
            })?;
            cells.push((column, value));
        }
        let client = self.connection.connect().await?;
        let table = self.keys.open(&client, &self.table).await?;
        let mut put = tallrow::Put::new(table.keys.read(&self.key)?);
        for (column, value) in cells {
            table.has_family("cell", &column.to_string(), &column.family)?;
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
