//! `tallrow table count`.

use clap::Args;
use serde_json::json;

use super::scan::stopped;
use crate::connection::Connection;
use crate::failure::Result;
use crate::interrupt::Interrupt;
use crate::output::{Output, say};
use crate::rows::{ColumnArguments, RowArguments};
use crate::table_keys::KeyArguments;

const AFTER: &str = "\
All rows are read on the servers; only their keys are sent.

Examples:
  tallrow table count events
  tallrow table count events --where user=7";

/// How many rows are counted between two signs of life.
const STEP: u64 = 1_000_000;

/// Count rows
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct Count {
    /// The table
    table: String,

    #[command(flatten)]
    rows: RowArguments,

    #[command(flatten)]
    columns: ColumnArguments,

    #[command(flatten)]
    keys: KeyArguments,

    #[command(flatten)]
    connection: Connection,
}

impl Count {
    pub(super) async fn run(self, output: &mut Output) -> Result<()> {
        let client = self.connection.connect().await?;
        let table = self.keys.open(&client, &self.table).await?;
        let (mut count, mut last, mut interrupt) = (0_u64, None, Interrupt::new()?);
        for scan in self.rows.scans(&table, &self.columns.read(&table)?)? {
            let mut rows = table.raw.scan(scan.keys_only())?;
            loop {
                let Some(row) = interrupt.unless(rows.next_row()).await else {
                    return Err(stopped(count, last.filter(|_| self.rows.may_start())));
                };
                let Some(row) = row? else { break };
                count += 1;
                last = Some(row.key().to_vec());
                if count % STEP == 0 {
                    say(format!("{count} rows so far"));
                }
            }
        }
        output.result(count.to_string(), || json!({ "table": self.table, "rows": count }))
    }
}
