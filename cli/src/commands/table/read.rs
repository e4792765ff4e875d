//! The commands `tallrow table get`, `scan`, `count` and `sample`, which read rows.

use clap::Args;
use serde_json::{Map, Value, json};
use tallrow::Row;
use tallrow::cell::Cell;
use tallrow::key::show;

use crate::cells::column::FamilyOrColumn;
use crate::cells::value_format::ValueFormat;
use crate::cluster::connection::ConnectionArguments;
use crate::failure::{Failure, Result};
use crate::keys::table_keys::KeyTextFormat;
use crate::rows::open_table::{OpenTable, RowKeyArguments, TableArguments};
use crate::rows::sampling::{Sampling, parse_limit, sample_keys};
use crate::rows::selection::{ColumnArguments, RowArguments};
use crate::terminal::output::{Output, count_with_noun, say};
use crate::terminal::progress::Interrupt;

const GET: &str = "\
Examples:
  tallrow table get events 'user=7, at=2023-11-14T22:13:20Z'
  tallrow table get events '\\x08\\x00\\x00\\x00\\x07' --key-format shell --column d:what";

/// Show one row; exit code 3 if there is none
#[derive(Args, Debug)]
#[command(after_help = GET)]
pub(crate) struct GetRow {
    #[command(flatten)]
    row: RowKeyArguments,

    #[command(flatten)]
    columns: ColumnArguments,

    #[command(flatten)]
    shown: CellArguments,
}

/// The flags that say which versions of cells are shown, and how.
#[derive(Args, Clone, Copy, Debug)]
struct CellArguments {
    /// How many versions of each cell
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = versions)]
    versions: u32,

    /// How the values of cells are written
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = ValueFormat::Shell)]
    value_format: ValueFormat,
}

/// Parses the number of versions to show.
fn versions(text: &str) -> std::result::Result<u32, String> {
    let number = text.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| "it is not a number of versions; the least is 1".into())
}

impl GetRow {
    pub(super) async fn run(self, output: &mut Output) -> Result<()> {
        let (table, row) = self.row.open().await?;
        let mut get = tallrow::Get::new(row).versions(self.shown.versions);
        for of in self.columns.parse(&table)? {
            get = match of {
                FamilyOrColumn::Family(family) => get.family(family),
                FamilyOrColumn::Column(column) => get.column(column.family, column.qualifier),
            };
        }
        match table.raw.get(get).await? {
            Some(row) => write_row(&row, &table.keys, self.shown.value_format, output),
            None => {
                let text = format!("get {}: there is no row {}", table.name, self.row.key);
                Err(Failure::not_found(text))
            }
        }
    }
}

const SCAN: &str = "\
If the first fields of a salted key are given and not the salted ones, the rows of one bucket
follow those of another.

Examples:
  tallrow table scan events --where user=7
  tallrow table scan events --prefix '\\x07' --limit 5 --column d:what
  tallrow table scan events --limit 0 --json > events.jsonl";

/// Show rows: 20 unless --limit says otherwise
#[derive(Args, Debug)]
#[command(after_help = SCAN)]
pub(crate) struct ScanRows {
    #[command(flatten)]
    of: SelectedRows,

    /// How many rows at most; 0 for all
    #[arg(
        long,
        value_name = "ROWS",
        default_value_t = 20,
        allow_negative_numbers = true,
        value_parser = parse_limit,
    )]
    limit: u64,

    #[command(flatten)]
    shown: CellArguments,
}

impl ScanRows {
    pub(super) async fn run(self, output: &mut Output) -> Result<()> {
        let CellArguments { versions, value_format } = self.shown;
        let table = self.of.table.open().await?;
        let limit = if self.limit == 0 { u64::MAX } else { self.limit };
        // One row more than the limit is read, to see whether there are more rows.
        let one_more = |scan: tallrow::Scan, count: u64| {
            scan.versions(versions).limit((limit - count).saturating_add(1))
        };
        let mut more = false;
        let count = self.of.each(&table, one_more, |row, count| {
            more = count == limit;
            match more {
                true => Ok(false),
                false => write_row(row, &table.keys, value_format, output).map(|()| true),
            }
        });
        let count = count.await?;
        if more {
            say(format!(
                "{}, and there are more: --limit 0 shows all",
                count_with_noun(count, "row")
            ));
            return Ok(());
        }
        say(count_with_noun(count, "row"));
        if let Some(hint) = self.of.rows.hint(&table).filter(|_| count == 0) {
            say(hint);
        }
        Ok(())
    }
}

const COUNT: &str = "\
All rows are read on the servers; only their keys are sent.

Examples:
  tallrow table count events
  tallrow table count events --where user=7";

/// The number of rows that are counted between two progress messages.
const STEP: u64 = 1_000_000;

/// Count rows
#[derive(Args, Debug)]
#[command(after_help = COUNT)]
pub(crate) struct CountRows {
    #[command(flatten)]
    of: SelectedRows,
}

impl CountRows {
    pub(super) async fn run(self, output: &mut Output) -> Result<()> {
        let table = self.of.table.open().await?;
        let count = self.of.each(
            &table,
            |scan, _| scan.keys_only(),
            |_, before| {
                if (before + 1).is_multiple_of(STEP) {
                    say(format!("{} rows so far", before + 1));
                }
                Ok(true)
            },
        );
        let count = count.await?;
        output.write_result(count.to_string(), || json!({ "table": table.name, "rows": count }))
    }
}

/// Some rows of a table, and some of their columns.
#[derive(Args, Debug)]
struct SelectedRows {
    #[command(flatten)]
    table: TableArguments,

    #[command(flatten)]
    rows: RowArguments,

    #[command(flatten)]
    columns: ColumnArguments,
}

impl SelectedRows {
    /// Reads the rows until `work` returns false for a row or no row is left, and returns the
    /// number of rows for which `work` returned true.
    ///
    /// `prepared` changes each scan before the scan starts, and `work` gets each row; both also get
    /// the number of rows read before.
    ///
    /// # Errors
    /// If Ctrl-C was pressed. The error says how to go on after the last row, if that is possible.
    async fn each(
        &self,
        table: &OpenTable,
        prepared: impl Fn(tallrow::Scan, u64) -> tallrow::Scan,
        mut work: impl FnMut(&Row, u64) -> Result<bool>,
    ) -> Result<u64> {
        let (mut count, mut last, mut interrupt) = (0, None, Interrupt::new()?);
        for scan in self.rows.scans(table, &self.columns.parse(table)?)? {
            let mut rows = table.raw.scan(prepared(scan, count))?;
            loop {
                let Some(row) = interrupt.run_until_pressed(rows.next_row()).await else {
                    return Err(stopped(count, last.filter(|_| self.rows.accepts_start_flag())));
                };
                let Some(row) = row? else { break };
                if !work(&row, count)? {
                    return Ok(count);
                }
                count += 1;
                last = Some(row.key().to_vec());
            }
        }
        Ok(count)
    }
}

/// Makes the failure after Ctrl-C, which says how many rows were read, and how to go on after the
/// row `last`, if it is given.
fn stopped(rows: u64, last: Option<Vec<u8>>) -> Failure {
    let failure =
        Failure::interrupted(format!("stopped by Ctrl-C after {}", count_with_noun(rows, "row")));
    match last {
        Some(last) => failure
            .advise(format!("--start '{}\\x00' goes on after the last row", show::shell(&last))),
        None => failure,
    }
}

/// Writes a row: its key in one line, then a line for each cell.
fn write_row(
    row: &Row,
    keys: &KeyTextFormat,
    format: ValueFormat,
    output: &mut Output,
) -> Result<()> {
    let mut text = keys.format_key(row.key());
    let column =
        |cell: &Cell| format!("{}:{}", show::shell(cell.family()), show::shell(cell.qualifier()));
    let width = row.cells().iter().map(|cell| column(cell).len()).max().unwrap_or(0);
    for cell in row.cells() {
        let (column, time) = (column(cell), cell.timestamp().as_millis());
        text += &format!("\n  {column:width$}  {time}  {}", format.format_value(cell.value()));
    }
    output.write_result(text, || {
        let cell = |cell: &Cell| {
            json!({
                "column": column(cell),
                "timestamp": cell.timestamp().as_millis(),
                "value": format.format_value(cell.value()),
            })
        };
        let mut object = Map::new();
        object.insert("key".into(), show::shell(row.key()).to_string().into());
        object.insert("fields".into(), keys.json(row.key()));
        object.insert("cells".into(), row.cells().iter().map(cell).collect());
        Value::Object(object)
    })
}

const SAMPLE: &str = "\
Examples:
  tallrow table sample events --chance 0.01 > keys.txt
  tallrow table sample events --limit 1000 | tallrow key guess";

/// Show row keys, one a line, as the HBase shell writes them
#[derive(Args, Debug)]
#[command(after_help = SAMPLE)]
pub(crate) struct SampleKeys {
    /// The table
    table: String,

    #[command(flatten)]
    sampling: Sampling,

    #[command(flatten)]
    connection: ConnectionArguments,
}

impl SampleKeys {
    pub(super) async fn run(self, output: &mut Output) -> Result<()> {
        let client = self.connection.connect().await?;
        let keys = sample_keys(&client, &self.table, &self.sampling).await?;
        for key in &keys {
            let key = show::shell(key).to_string();
            output.write_result(&key, || json!({ "key": key }))?;
        }
        say(count_with_noun(keys.len() as u64, "row key"));
        Ok(())
    }
}
