//! The command `tallrow export`.

mod lines;
mod target;

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;
use tallrow::Row;
use tallrow::key::show::Notation;

use self::lines::LineFormatter;
use self::target::ExportTarget;
use crate::cells::cell_column::ColumnMapping;
use crate::cells::column::FamilyOrColumn;
use crate::cluster::connection::block_on;
use crate::failure::{Failure, Result};
use crate::files::{FileFormat, parse_delimiter};
use crate::keys::key_columns::KeyColumns;
use crate::rows::open_table::TableArguments;
use crate::rows::selection::RowArguments;
use crate::terminal::output::{Output, count_with_noun, say};
use crate::terminal::progress::{Interrupt, Progress};

const AFTER: &str = "\
A line for each row: the fields of its key, or its bytes as `row`, and the newest version of each
cell, without its time. In JSON a cell is named FAMILY:QUALIFIER, with :shell if it is not
readable text. `tallrow import` reads both formats.

How far the export came is in FILE.export until it is done. After a crash, Ctrl-C or an error, the
same command goes on where it stopped. Rows that change in the meantime are as they are found.

Examples:
  tallrow export events events.jsonl
  tallrow export events events.csv --where user=7 --column d:what --column d:n=N:i32
  tallrow export events | tallrow import copy - --format json";

/// Write rows of a table to a CSV or JSON file; can be stopped and resumed at any moment
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct Export {
    #[command(flatten)]
    table: TableArguments,

    /// The file, which must not exist; without it, or with -, standard output
    file: Option<PathBuf>,

    #[command(flatten)]
    rows: RowArguments,

    /// Only this column, or in JSON this family; may be repeated. In the file, the column has the
    /// name NAME and its values are written as TYPE. Rows with none of the columns are left out
    #[arg(long, value_name = "FAMILY[:QUALIFIER[=NAME][:TYPE]]")]
    column: Vec<String>,

    /// How the file is written; by default as its name ends: .json and .jsonl are JSON, others CSV;
    /// standard output is JSON
    #[arg(long, value_enum)]
    format: Option<FileFormat>,

    /// The text in CSV for no value
    #[arg(long, value_name = "TEXT", default_value = "")]
    null: String,

    /// What is between two values of CSV
    #[arg(long, value_name = "CHARACTER", default_value = ",", value_parser = parse_delimiter)]
    delimiter: u8,

    /// After how many rows, or a megabyte, the file is saved
    #[arg(
        long,
        value_name = "ROWS",
        default_value_t = 10_000,
        value_parser = clap::value_parser!(u64).range(1..),
    )]
    save_every: u64,
}

impl Export {
    pub(crate) fn run(self, output: &mut Output) -> Result<()> {
        block_on(self.export(output))
    }

    async fn export(&self, output: &mut Output) -> Result<()> {
        let file = self.file.as_deref().filter(|file| *file != Path::new("-"));
        let format = self.format.unwrap_or_else(|| match file {
            Some(file) if !output.is_json() => FileFormat::from_extension(file),
            _ => FileFormat::Json,
        });
        if format == FileFormat::Csv && self.column.is_empty() {
            return Err(Failure::usage(
                "CSV has the same columns in all lines, and none are given",
            )
            .advise(
                "give --column FAMILY:QUALIFIER[:TYPE] for each, or --format json, which needs \
                 none",
            ));
        }
        let table = self.table.open().await?;
        let (mut read, mut columns) = (Vec::new(), Vec::new());
        for text in &self.column {
            if format == FileFormat::Json && !text.contains(':') {
                read.push(table.parse_family_or_column("--column", text)?);
                continue;
            }
            let column = ColumnMapping::read("--column", text)?;
            table.check_column("--column", &column.column)?;
            read.push(FamilyOrColumn::Column(column.column.clone()));
            if format == FileFormat::Csv || ColumnMapping::has_name_or_type(text) {
                columns.push(column);
            }
        }
        let scans = self.rows.scans(&table, &read)?;
        let lines = LineFormatter {
            key: KeyColumns::new(table.keys),
            others: read.is_empty() || read.len() > columns.len(),
            columns,
            format,
            delimiter: self.delimiter,
            null: self.null.clone(),
        };
        let table = table.raw;
        let mut target = match file {
            Some(file) => ExportTarget::open_file(
                file,
                self.save_every,
                self.arguments_that_must_match(&lines),
            )?,
            None => ExportTarget::output(output, self.save_every),
        };
        let begun = target.state().clone();
        if begun.rows > 0 {
            say(format!("going on after {}", count_with_noun(begun.rows, "row")));
        }
        if begun.bytes == 0 {
            target.add_header(&lines.header_line().map_err(Failure::new)?);
        }
        let (mut progress, mut interrupt) = (Progress::new(begun.rows), Interrupt::new()?);
        for (range, mut scan) in scans.into_iter().enumerate().skip(begun.range) {
            if let Some(last) = begun.last.as_deref().filter(|_| range == begun.range) {
                let last = Notation::Hex.read(last);
                scan = scan
                    .after(last.map_err(|error| Failure::new("read the state").caused_by(error))?);
            }
            let mut rows = table.scan(scan)?;
            loop {
                let row = match interrupt.run_until_pressed(rows.next_row()).await {
                    Some(Ok(Some(row))) => row,
                    Some(Ok(None)) => break,
                    Some(Err(error)) => return Err(stopped(target, error.into())),
                    None => return Err(stopped(target, Failure::interrupted("stopped by Ctrl-C"))),
                };
                add(&lines, &row, range, &mut target)?;
                progress.report(target.state().rows, None);
            }
        }
        let rows = target.state().rows;
        target.finish()?;
        progress.report_end(rows);
        let text = format!("exported {}", count_with_noun(rows, "row"));
        if file.is_some() {
            return output
                .write_summary(text, || json!({ "table": self.table.table, "rows": rows }));
        }
        say(text);
        Ok(())
    }

    /// Returns the arguments that must be the same when the export is resumed, each as a text. The
    /// state file contains these texts, so changing them requires a new version of the state file.
    fn arguments_that_must_match(&self, lines: &LineFormatter) -> Vec<String> {
        let mut parts = vec![format!("table {}", self.table.table)];
        parts.extend(self.rows.arguments_that_must_match());
        parts.extend(self.column.iter().map(|column| format!("--column {column}")));
        parts.extend(lines.arguments_that_must_match());
        parts
    }
}

fn add(
    lines: &LineFormatter,
    row: &Row,
    range: usize,
    target: &mut ExportTarget<'_>,
) -> Result<()> {
    let line = match lines.line(row) {
        Ok(line) => line,
        Err(why) => {
            target.write()?;
            let text = format!("row {}: {why}", Notation::Shell.write(row.key()));
            return Err(Failure::new(text).with_done_so_far(so_far(target)).advise(
                "--schema FILE gives another layout of the keys; --key-format shell writes them \
                 as bytes",
            ));
        }
    };
    target.add_row(&line, range, Notation::Hex.write(row.key()))
}

/// Writes the rows that were read before an export was stopped, and adds to the failure how to
/// resume the export.
fn stopped(mut target: ExportTarget<'_>, failure: Failure) -> Failure {
    match target.write() {
        Ok(()) => failure.with_done_so_far(so_far(&target)).advise_if_none(target.resume_advice()),
        Err(failure) => failure,
    }
}

fn so_far(target: &ExportTarget<'_>) -> String {
    format!("{} are written", count_with_noun(target.state().rows, "row"))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::keys::key_format::KeyFormat;
    use crate::keys::table_keys::KeyTextFormat;

    #[derive(Parser)]
    struct Program {
        #[command(flatten)]
        export: Export,
    }

    /// The texts in the state of an export of keys as bytes, with these arguments.
    fn parts(arguments: &[&str], format: FileFormat) -> Vec<String> {
        let arguments = [&["tallrow", "t", "file"][..], arguments].concat();
        let export = Program::parse_from(arguments).export;
        let lines = LineFormatter {
            key: KeyColumns::new(KeyTextFormat::new(None, Some(KeyFormat::Hex))),
            columns: Vec::new(),
            others: true,
            format,
            delimiter: export.delimiter,
            null: export.null.clone(),
        };
        export.arguments_that_must_match(&lines)
    }

    /// These texts are in state files: see `target::VERSION`.
    #[test]
    fn the_arguments_of_an_export_are_texts_that_stay_the_same() {
        assert_eq!(
            parts(&["--start", "a", "--stop", "b", "--column", "f"], FileFormat::Json),
            [
                "table t",
                "--start a",
                "--stop b",
                "--column f",
                "keys of bytes, written as Hex",
                "--format json",
            ]
        );
        assert_eq!(
            parts(&["--prefix", "a", "--column", "f:q:i64", "--null", "-"], FileFormat::Csv),
            [
                "table t",
                "--prefix a",
                "--column f:q:i64",
                "keys of bytes, written as Hex",
                "--format csv",
                "--delimiter ,",
                "--null -",
            ]
        );
        assert_eq!(parts(&["--where", "a=1"], FileFormat::Json)[1], "--where a=1");
    }
}
