//! `tallrow table incr`.

use clap::Args;
use serde_json::json;

use crate::column::Column;
use crate::connection::Connection;
use crate::failure::{Failure, Result};
use crate::output::{Output, say};
use crate::table_keys::KeyArguments;

const AFTER: &str = "\
Examples:
  tallrow table incr stats total d:hits
  tallrow table incr stats total d:hits=10 d:misses=-1";

/// Add to counters of one row, and show what they are now
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct Incr {
    /// The table
    table: String,

    /// The row key: the values of its fields if the layout is known, else bytes
    key: String,

    /// The counters: FAMILY:QUALIFIER adds 1, FAMILY:QUALIFIER=N adds N
    #[arg(required = true, value_name = "COUNTER")]
    counters: Vec<String>,

    #[command(flatten)]
    keys: KeyArguments,

    #[command(flatten)]
    connection: Connection,
}

impl Incr {
    pub(super) async fn run(self, output: &mut Output) -> Result<()> {
        let mut counters = Vec::new();
        for text in &self.counters {
            let (column, by) = Column::with_value(text, Some("1"))?;
            let by: i64 = by.parse().map_err(|_| {
                Failure::usage(format!("counter {text:?}: {by:?} is not a number of 64 bits"))
            })?;
            counters.push((text.split('=').next().unwrap_or_default(), column, by));
        }
        let client = self.connection.connect().await?;
        let table = self.keys.open(&client, &self.table).await?;
        let mut increment = tallrow::Increment::new(table.keys.read(&self.key)?);
        for (_, column, by) in &counters {
            table.has_column("counter", column)?;
            increment = increment.add(&column.family, &column.qualifier, *by);
        }
        let Some(row) = table.raw.increment(increment).await? else {
            say(
                "the counters were incremented once, but the reply was lost; `table get` shows them",
            );
            return Ok(());
        };
        for (name, column, _) in &counters {
            let value = row.counter(&column.family, &column.qualifier)?;
            let text = value.map_or("none".into(), |value| value.to_string());
            output
                .result(format!("{name}\t{text}"), || json!({ "column": name, "value": value }))?;
        }
        Ok(())
    }
}
