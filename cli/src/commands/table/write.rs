//! The commands `tallrow table put`, `incr` and `delete`, which change one row.

use clap::Args;
use serde_json::json;

use crate::cells::column::{Column, FamilyOrColumn};
use crate::cells::value_format::ValueFormat;
use crate::failure::{Failure, Result};
use crate::rows::open_table::RowKeyArguments;
use crate::terminal::confirm::Confirm;
use crate::terminal::output::{Output, count_with_noun, say};

const PUT: &str = "\
Examples:
  tallrow table put events 'user=7, at=2023-11-14T22:13:20Z' d:what=buy
  tallrow table put stats total d:hits=0 --value-format long
  tallrow table put events 'user=7, at=1000' d:what=buy d:n:i32=3";

/// Write the cells of one row
#[derive(Args, Debug)]
#[command(after_help = PUT)]
pub(crate) struct PutCells {
    #[command(flatten)]
    row: RowKeyArguments,

    /// The cells: FAMILY:QUALIFIER=VALUE, or FAMILY:QUALIFIER:TYPE=VALUE for a value in another
    /// format than --value-format
    #[arg(required = true, value_name = "CELL")]
    cells: Vec<String>,

    /// How the values of cells are written
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = ValueFormat::Shell)]
    value_format: ValueFormat,
}

impl PutCells {
    pub(super) async fn run(self, output: &mut Output) -> Result<()> {
        let mut cells = Vec::new();
        for text in &self.cells {
            let (column, format, value) = Column::parse_with_typed_value(text, self.value_format)?;
            let value = format.read(value).map_err(|error| {
                Failure::usage(format!("cell {text:?}: {error}")).advise(format!(
                    "--value-format, or a type after the column as in d:n:i64=7, says how a value \
                     is written: {}",
                    ValueFormat::names()
                ))
            })?;
            cells.push((column, value));
        }
        let (table, row) = self.row.open().await?;
        let mut put = tallrow::Put::new(row);
        for (column, value) in cells {
            table.check_column("cell", &column)?;
            put = put.cell(&column.family, &column.qualifier, value);
        }
        table.raw.put(put).await?;
        let (name, key, count) = (&table.name, &self.row.key, self.cells.len());
        output.write_summary(
            format!("put {} of {key} in {name}", count_with_noun(count as u64, "cell")),
            || json!({ "table": name, "key": key, "cells": count }),
        )
    }
}

const INCR: &str = "\
Examples:
  tallrow table incr stats total d:hits
  tallrow table incr stats total d:hits=10 d:misses=-1";

/// Add to counters of one row, and show what they are now
#[derive(Args, Debug)]
#[command(after_help = INCR)]
pub(crate) struct IncrementCounters {
    #[command(flatten)]
    row: RowKeyArguments,

    /// The counters: FAMILY:QUALIFIER adds 1, FAMILY:QUALIFIER=N adds N
    #[arg(required = true, value_name = "COUNTER")]
    counters: Vec<String>,
}

impl IncrementCounters {
    pub(super) async fn run(self, output: &mut Output) -> Result<()> {
        let mut counters = Vec::new();
        for text in &self.counters {
            let (column, by) = Column::parse_with_value(text, Some("1"))?;
            let by: i64 = by.parse().map_err(|_| {
                Failure::usage(format!("counter {text:?}: {by:?} is not a number of 64 bits"))
            })?;
            counters.push((text.split('=').next().unwrap_or_default(), column, by));
        }
        let (table, row) = self.row.open().await?;
        let mut increment = tallrow::Increment::new(row);
        for (_, column, by) in &counters {
            table.check_column("counter", column)?;
            increment = increment.add(&column.family, &column.qualifier, *by);
        }
        let Some(row) = table.raw.increment(increment).await? else {
            say("the counters were incremented once, but the reply was lost; `table get` shows \
                 them");
            return Ok(());
        };
        for (name, column, _) in &counters {
            let value = row.counter(&column.family, &column.qualifier)?;
            let text = value.map_or("none".into(), |value| value.to_string());
            output.write_result(
                format!("{name}\t{text}"),
                || json!({ "column": name, "value": value }),
            )?;
        }
        Ok(())
    }
}

const DELETE: &str = "\
Examples:
  tallrow table delete events 'user=7, at=2023-11-14T22:13:20Z'
  tallrow table delete events 'user=7, at=2023-11-14T22:13:20Z' d:what --yes";

/// Delete a row, or columns of it, with all their versions
#[derive(Args, Debug)]
#[command(after_help = DELETE)]
pub(crate) struct DeleteCells {
    #[command(flatten)]
    row: RowKeyArguments,

    /// Only these families, or these columns
    #[arg(value_name = "FAMILY[:QUALIFIER]")]
    columns: Vec<String>,

    #[command(flatten)]
    confirm: Confirm,
}

impl DeleteCells {
    pub(super) async fn run(self, output: &mut Output) -> Result<()> {
        let (table, row) = self.row.open().await?;
        let mut delete = tallrow::Delete::new(row);
        for text in &self.columns {
            delete = match table.parse_family_or_column("column", text)? {
                FamilyOrColumn::Family(family) => delete.family(family),
                FamilyOrColumn::Column(column) => delete.column(column.family, column.qualifier),
            };
        }
        let (name, key) = (&table.name, &self.row.key);
        let what = match &self.columns[..] {
            [] => format!("row {key} of {name}"),
            columns => format!("{} in row {key} of {name}", columns.join(", ")),
        };
        self.confirm.ask(&format!("delete {what}"))?;
        table.raw.delete(delete).await?;
        output.write_summary(
            format!("deleted {what}"),
            || json!({ "table": name, "key": key, "columns": self.columns }),
        )
    }
}
