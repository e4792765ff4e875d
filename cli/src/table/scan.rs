//! `tallrow table scan`.

use clap::Args;
use tallrow::key::show;

use super::row_text::write_row;
use crate::connection::Connection;
use crate::failure::{Failure, Result};
use crate::interrupt::Interrupt;
use crate::output::{Output, counted, say};
use crate::rows::{ColumnArguments, RowArguments};
use crate::sampling::limit;
use crate::table_keys::KeyArguments;
use crate::value_format::ValueFormat;

const AFTER: &str = "\
If the first fields of a salted key are given and not the salted ones, the rows of one bucket follow those of another.

Examples:
  tallrow table scan events --where user=7
  tallrow table scan events --prefix '\\x07' --limit 5 --column d:what
  tallrow table scan events --limit 0 --json > events.jsonl";

/// Show rows: 20 unless --limit says otherwise
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct Scan {
    /// The table
    table: String,

    #[command(flatten)]
    rows: RowArguments,

    #[command(flatten)]
    columns: ColumnArguments,

    #[command(flatten)]
    keys: KeyArguments,

    /// How many rows at most; 0 for all
    #[arg(long, value_name = "ROWS", default_value_t = 20, allow_negative_numbers = true, value_parser = limit)]
    limit: u64,

    /// How many versions of each cell
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = versions)]
    versions: u32,

    /// How the values of cells are written
    #[arg(long, value_enum, default_value_t = ValueFormat::Shell)]
    value_format: ValueFormat,

    #[command(flatten)]
    connection: Connection,
}

/// Reads how many versions are shown.
pub(super) fn versions(text: &str) -> std::result::Result<u32, String> {
    let number = text.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| "it is not a number of versions; the least is 1".into())
}

impl Scan {
    pub(super) async fn run(self, output: &mut Output) -> Result<()> {
        let client = self.connection.connect().await?;
        let table = self.keys.open(&client, &self.table).await?;
        let limit = if self.limit == 0 { u64::MAX } else { self.limit };
        let (mut count, mut last, mut interrupt) = (0_u64, None, Interrupt::new()?);
        for scan in self.rows.scans(&table, &self.columns.read(&table)?)? {
            // One more than asked for shows whether there are more.
            let mut rows = table
                .raw
                .scan(scan.versions(self.versions).limit((limit - count).saturating_add(1)))?;
            loop {
                let Some(row) = interrupt.unless(rows.next_row()).await else {
                    return Err(stopped(count, last.filter(|_| self.rows.may_start())));
                };
                let Some(row) = row? else { break };
                if count == limit {
                    say(format!(
                        "{}, and there are more: --limit 0 shows all",
                        counted(count, "row")
                    ));
                    return Ok(());
                }
                write_row(&row, &table.keys, self.value_format, output)?;
                last = Some(row.key().to_vec());
                count += 1;
            }
        }
        say(counted(count, "row"));
        if let Some(hint) = self.rows.hint(&table).filter(|_| count == 0) {
            say(hint);
        }
        Ok(())
    }
}

/// What was done when Ctrl-C came, and how to go on after the last row, if that is possible.
pub(super) fn stopped(rows: u64, last: Option<Vec<u8>>) -> Failure {
    let failure = Failure::interrupted(format!("stopped by Ctrl-C after {}", counted(rows, "row")));
    match last {
        Some(last) => failure
            .advise(format!("--start '{}\\x00' goes on after the last row", show::shell(&last))),
        None => failure,
    }
}
