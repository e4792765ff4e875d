//! The command `tallrow import`.

mod counting;
mod destination;
mod mapping;
mod other_format;
mod record;
mod refused;
mod run;
mod source;
mod state;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use serde_json::json;
use tallrow::Timestamp;

use self::counting::ImportCounters;
use self::destination::Destination;
use self::mapping::{Mapping, MappingText};
use self::run::{ImportEnd, ImportRun, open_refused_lines, refused_text};
use self::source::{Input, LineSource};
use self::state::{ImportState, Position};
use self::writer::Writer;
use crate::cluster::connection::block_on;
use crate::failure::{Failure, Result};
use crate::files::state_file::StateFile;
use crate::files::{FileFormat, parse_delimiter};
use crate::keys::equal_keys::DuplicateKeyCounter;
use crate::keys::table_keys::KeyTextFormat;
use crate::rows::open_table::TableArguments;
use crate::terminal::output::{Output, count_with_noun, say};

const AFTER: &str = "\
Each field of the key is read from the column of its name, or from the one that --key names; keys
of bytes from the column row. Without --column and --count, all other columns are cells, and their
names are FAMILY:QUALIFIER[:TYPE], as `tallrow export` writes them. TYPE is text, shell, hex,
base64, i16, i32, i64, u8, u16, u32, u64, f32, f64 or bool; without it, text.

How far the import came is in FILE.TABLE.import. After a crash, Ctrl-C or an error, the same
command goes on where it stopped, and each line is counted once. For that, each row with counters
has a cell of the import for 7 days, which `tallrow export` leaves out.

Of two lines with the same row key the later one counts, cell by cell; how many lines have the key
of an earlier one is said at the end, and by --dry-run. It is counted exactly: with more than a
million lines, by 16 bytes a line in the folder for temporary files.

Examples:
  tallrow import events events.csv --column d:what=WHAT --column d:n=N:i32
  tallrow import airports flights.csv --key code=origin --count c:flights --count c:miles=distance
  tallrow import events events.csv --dry-run
  tallrow export events | tallrow import copy - --format json";

/// The default number of lines in a batch: without counters, and with counters.
const BATCH_LINES: (u64, u64) = (1_000, 10_000);

/// The maximum number of refused lines that a dry run shows.
const SHOWN: u64 = 20;

/// Write the lines of a CSV or JSON file to a table; can be stopped and resumed at any moment
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct Import {
    #[command(flatten)]
    table: TableArguments,

    /// The file; - is standard input
    file: PathBuf,

    /// A field of the key that is read from a column of another name
    #[arg(long, value_name = "FIELD=COLUMN")]
    key: Vec<String>,

    /// A column of the table, and the name of the column of the file with its values; may be
    /// repeated
    #[arg(long, value_name = "FAMILY:QUALIFIER=NAME[:TYPE]")]
    column: Vec<String>,

    /// A counter, to which each line adds 1, or the number in a column; may be repeated
    #[arg(long, value_name = "FAMILY:QUALIFIER[=COLUMN]")]
    count: Vec<String>,

    /// The text that means that there is no value
    #[arg(long, value_name = "TEXT", default_value = "")]
    null: String,

    /// How the file is written; by default as its name ends: .json and .jsonl are JSON, others CSV
    #[arg(long, value_enum)]
    format: Option<FileFormat>,

    /// What is between two values of CSV
    #[arg(long, value_name = "CHARACTER", default_value = ",", value_parser = parse_delimiter)]
    delimiter: u8,

    /// Write lines that are refused to this file, and go on
    #[arg(long, value_name = "FILE")]
    skip_bad: Option<PathBuf>,

    /// Read all lines, and write nothing
    #[arg(long)]
    dry_run: bool,

    /// Import all lines, although some were imported before; what was counted is counted again
    #[arg(long)]
    restart: bool,

    /// How many lines are written at once: 1000, with counters 10000
    #[arg(long, value_name = "LINES", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    batch: Option<u64>,

    /// How many batches are written at the same time; with counters, one
    #[arg(
        long,
        value_name = "BATCHES",
        default_value_t = 4,
        value_parser = clap::value_parser!(u16).range(1..=256),
    )]
    concurrency: u16,
}

impl Import {
    pub(crate) fn run(self, output: &mut Output) -> Result<()> {
        if Path::new(&self.table.table).is_file() && !self.file.exists() {
            let (table, file) = (&self.table.table, self.file.display());
            return Err(Failure::usage(format!(
                "import into {table}: it is a file, and {file} is none"
            ))
            .advise(format!("the table comes first: tallrow import {file} {table}")));
        }
        block_on(async {
            match self.dry_run {
                true => self.read_all(output).await,
                false => self.import(output).await,
            }
        })
    }

    fn input(&self) -> Input {
        Input {
            file: self.file.clone(),
            format: self.format.unwrap_or_else(|| FileFormat::from_extension(&self.file)),
            delimiter: self.delimiter,
        }
    }

    fn mapping(&self, keys: KeyTextFormat) -> Result<Mapping> {
        let Self { key, column, count, null, .. } = self;
        Mapping::read(&MappingText { keys: key, cells: column, counts: count, null }, keys)
    }

    async fn import(&self, output: &mut Output) -> Result<()> {
        let mut open = self.table.open().await?;
        let mut mapping = self.mapping(open.take_keys())?;
        let input = self.input();
        let parts = mapping.arguments_that_must_match();
        let (file, state) = self.state(&input, &mapping, &parts)?;
        let mut source = LineSource::open(input, state.as_ref().map(|state| &state.done))?;
        if let Some(names) = source.names() {
            mapping.complete(names, &source.input().name())?;
        }
        let destination = Destination::new(open, &mapping)?;
        let mut keys = mapping.has_cells().then(DuplicateKeyCounter::new);
        if let (Some(keys), Some(state)) = (&mut keys, &state) {
            read_keys(&source, &state.done, (&mapping, &destination), keys)?;
        }
        let refused = open_refused_lines(self.skip_bad.as_deref(), &mut source, state.as_ref())?;
        let state = match state {
            Some(mut state) => {
                state.renew_timestamp_if_unused();
                state
            }
            None => ImportState::new(&self.table.table, parts, source.position()),
        };
        let table = destination.raw.clone();
        let counting = ImportCounters::new(table.clone(), mapping.counters(), &state.id);
        let (lines, window) = match &counting {
            None => (BATCH_LINES.0, usize::from(self.concurrency)),
            Some(_) => (BATCH_LINES.1, 1),
        };
        let repeated = (counting.is_some() && state.sent != state.done).then_some(state.sent.bytes);
        let writer =
            Arc::new(Writer::new(table, Timestamp::from_millis(state.timestamp_ms), counting));
        let before = state.done.rows;
        let mut run = ImportRun {
            source,
            mapping,
            destination,
            keys,
            writer,
            refused,
            file,
            state,
            repeated,
            batch_lines: self.batch.unwrap_or(lines),
            window,
        };
        let ImportEnd { position, rows_already_counted } = run.run().await?;
        let (rows, refused) = (position.rows, position.refused);
        say(format!(
            "imported {} into {}, {} of them now; {} refused",
            count_with_noun(rows, "line"),
            self.table.table,
            rows - before,
            count_with_noun(refused, "line")
        ));
        if rows_already_counted > 0 {
            say(format!(
                "{} had been counted when the import was stopped",
                count_with_noun(rows_already_counted, "row")
            ));
        }
        let equal = Equal::of(run.keys.take());
        if let Some(text) = equal.said("wrote over its cells") {
            say(text);
        }
        if output.is_json() {
            let object = json!({
                "table": self.table.table,
                "lines": rows,
                "now": rows - before,
                "refused": refused,
                "equal_keys": equal.json(),
            });
            return output.write_result("", || object);
        }
        Ok(())
    }

    /// Returns the state file, and the state in it if an earlier import is resumed; both are none
    /// for standard input.
    fn state(
        &self,
        input: &Input,
        mapping: &Mapping,
        parts: &[String],
    ) -> Result<(Option<StateFile>, Option<ImportState>)> {
        if input.is_stdin() {
            return Ok((None, None));
        }
        let (file, state) =
            StateFile::open::<ImportState>(ImportState::path(&self.file, &self.table.table))?;
        let Some(state) = state.filter(|_| !self.restart) else { return Ok((Some(file), None)) };
        state.check(&self.table.table, parts, !mapping.counters().is_empty())?;
        input.verify_unchanged(&state.sent)?;
        say(format!("going on with {} after line {}", input.name(), state.done.line_feeds));
        Ok((Some(file), Some(state)))
    }

    /// Reads all lines, writes nothing, and reports the lines that would be refused.
    async fn read_all(&self, output: &mut Output) -> Result<()> {
        // Without a cluster, it is not known what the cluster would refuse.
        let mut is_new = false;
        let offline =
            self.table.keys.keys_from_flags()?.filter(|_| !self.table.connection.is_given());
        let (keys, open) = match offline {
            Some(keys) => (keys, None),
            None => {
                let TableArguments { table, keys, connection } = &self.table;
                let client = connection.connect().await?;
                let new = keys.missing_table(&client, table).await?;
                is_new = new.is_some();
                let mut open = match new {
                    Some(new) => new,
                    None => keys.open(&client, table).await?,
                };
                (open.take_keys(), Some(open))
            }
        };
        let mut mapping = self.mapping(keys)?;
        let mut source = LineSource::open(self.input(), None)?;
        if let Some(names) = source.names() {
            mapping.complete(names, &source.input().name())?;
        }
        let destination = open.map(|open| Destination::new(open, &mapping)).transpose()?;
        let (mut rows, mut refused) = (0_u64, 0_u64);
        let mut keys = mapping.has_cells().then(DuplicateKeyCounter::new);
        while let Some(record) = source.next()? {
            let change = record.values.and_then(|values| match &destination {
                Some(destination) => destination.change(&mapping, &values),
                None => mapping.change(&values),
            });
            match change {
                Ok(change) => {
                    rows += 1;
                    if let Some(keys) = &mut keys {
                        keys.add(&change.row);
                    }
                }
                Err(why) => {
                    refused += 1;
                    if refused <= SHOWN {
                        say(refused_text(&source, record.line, &why));
                    }
                }
            }
        }
        if refused > SHOWN {
            say(format!("and {} more", refused - SHOWN));
        }
        let text = format!(
            "{} would be imported, {} refused; nothing was written",
            count_with_noun(rows, "line"),
            count_with_noun(refused, "line")
        );
        let equal = Equal::of(keys);
        output.write_result(&text, || {
            json!({
                "table": self.table.table,
                "lines": rows,
                "refused": refused,
                "equal_keys": equal.json(),
            })
        })?;
        if let Some(text) = equal.said("would write over its cells") {
            say(text);
        }
        match &destination {
            None => say("no cluster was asked, so it is not known what its table takes"),
            Some(_) if is_new => say(format!(
                "there is no table {} yet, so its families and its layout were not compared",
                self.table.table
            )),
            Some(_) => {}
        }
        match refused {
            0 => Ok(()),
            refused => Err(Failure::not_found(format!(
                "{} would be refused",
                count_with_noun(refused, "line")
            ))
            .advise("correct them, or give --skip-bad FILE to the import")),
        }
    }
}

/// The number of lines that have the row key of an earlier line, or the reason why the number is
/// unknown; none if lines write no cells.
#[derive(Debug)]
struct Equal(Option<std::result::Result<u64, String>>);

impl Equal {
    fn of(keys: Option<DuplicateKeyCounter>) -> Self {
        Self(keys.map(DuplicateKeyCounter::count))
    }

    /// Returns a message about the number, or about why it is unknown; none if there are no such
    /// lines. `what` says what these lines do.
    fn said(&self, what: &str) -> Option<String> {
        match self.0.as_ref()? {
            Ok(0) => None,
            Ok(1) => Some(format!("1 line has the row key of an earlier line, and {what}")),
            Ok(n) => Some(format!("{n} lines have the row keys of earlier lines, and {what}")),
            Err(why) => Some(format!(
                "how many lines have the row key of an earlier line is not known: {why}"
            )),
        }
    }

    /// Returns the number; null if it is unknown, or if lines write no cells.
    fn json(&self) -> Option<u64> {
        self.0.as_ref().and_then(|count| count.as_ref().ok().copied())
    }
}

/// Adds to `keys` the row keys of the lines before the position `done`, which were imported
/// earlier.
fn read_keys(
    source: &LineSource,
    done: &Position,
    (mapping, destination): (&Mapping, &Destination),
    keys: &mut DuplicateKeyCounter,
) -> Result<()> {
    let mut before = LineSource::open(source.input().clone(), None)?;
    while before.position().bytes < done.bytes {
        let Some(record) = before.next()? else { break };
        let change = record.values.and_then(|values| destination.change(mapping, &values));
        if let Ok(change) = change {
            keys.add(&change.row);
        }
    }
    Ok(())
}
