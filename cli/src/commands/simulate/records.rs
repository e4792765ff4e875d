//! Records from which keys are made: the lines of a CSV file, or the keys of a live table.

use std::path::Path;

use csv::{ReaderBuilder, StringRecord};
use tallrow::key::schema::Value;

use crate::cluster::connection::{ConnectionArguments, block_on};
use crate::failure::{Failure, Result};
use crate::files;
use crate::keys::layouts::{self, OtherLayoutFlag};
use crate::rows::sampling::{Sampling, sample_keys};
use crate::terminal::output::say;

/// The maximum number of lines of a file that are read, so that memory is bounded.
const MAX_RECORDS: usize = 1_000_000;

/// Records that have the same columns.
#[derive(Debug)]
pub(super) struct Records {
    /// The name of the file or the table, for errors.
    pub(super) name: String,
    pub(super) columns: Vec<String>,
    pub(super) content: RecordContent,
}

#[derive(Debug)]
pub(super) enum RecordContent {
    /// The lines of a file in their order, each with its line number.
    Lines(Vec<(u64, StringRecord)>),
    /// The values of the fields of sampled keys of a table, in the order of the keys.
    Keys(Vec<Vec<Value>>),
}

impl Records {
    /// Reads a CSV file whose first line has the names of the columns.
    pub(super) fn of_csv(file: &Path) -> Result<Self> {
        let name = file.display().to_string();
        let mut reader = ReaderBuilder::new().from_reader(files::open(file)?);
        let columns = reader.headers().map_err(|error| wrong_line(&name, &error))?;
        let columns: Vec<String> = columns.iter().map(String::from).collect();
        let mut lines = Vec::new();
        for record in reader.into_records() {
            let record = record.map_err(|error| wrong_line(&name, &error))?;
            if lines.len() == MAX_RECORDS {
                say(format!("only the first {MAX_RECORDS} records of {name} are used"));
                break;
            }
            let line = record.position().map_or(0, csv::Position::line);
            lines.push((line, record));
        }
        if lines.is_empty() {
            return Err(Failure::new(format!("{name} has no records"))
                .advise("its first line has the names of the columns, each other line a record"));
        }
        Ok(Self { name, columns, content: RecordContent::Lines(lines) })
    }

    /// Reads a sample of the keys of a live table, and decodes them by this schema, or by the
    /// schema that the table records.
    pub(super) fn of_table(
        table: &str,
        (schema, other_layout): (Option<&Path>, OtherLayoutFlag),
        from: &ConnectionArguments,
        sampling: &Sampling,
    ) -> Result<Self> {
        let (layouts, rows) = block_on(async {
            let client = from.connect().await?;
            let layouts = match schema {
                Some(file) => {
                    let given = layouts::of_file(file)?;
                    other_layout.check_live(("--table-schema", &given), &client, table).await?;
                    given
                }
                None => layouts::of_table(&client, table).await?,
            };
            Ok((layouts, sample_keys(&client, table, sampling).await?))
        })?;
        let schema = layouts.only()?;
        let of_variants = schema.records().iter().flat_map(|record| record.fields());
        let fields = schema.fields().iter().chain(of_variants);
        let columns: Vec<String> = fields.map(|field| field.name().into()).collect();
        let mut keys = Vec::new();
        for row in &rows {
            let fields = schema.decode(row).map_err(|error| {
                let row = tallrow::key::show::shell(row).to_string();
                Failure::new(format!("table {table}, row {row}: {error}")).advise(
                    "the table has keys of another layout; `tallrow key guess` proposes one for \
                     --table-schema",
                )
            })?;
            let value = |name: &String| fields.get(name).cloned().unwrap_or(Value::None);
            keys.push(columns.iter().map(value).collect());
        }
        if keys.is_empty() {
            return Err(Failure::new(format!("table {table} has no rows to sample")));
        }
        Ok(Self { name: format!("table {table}"), columns, content: RecordContent::Keys(keys) })
    }

    pub(super) fn len(&self) -> usize {
        match &self.content {
            RecordContent::Lines(lines) => lines.len(),
            RecordContent::Keys(keys) => keys.len(),
        }
    }

    /// Returns the index of the column with this name.
    pub(super) fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }
}

/// Makes an error with the file, the line and what to do.
fn wrong_line(file: &str, error: &csv::Error) -> Failure {
    let line = error.position().map_or(1, csv::Position::line);
    let (why, advice) = match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => (
            format!("{len} fields, where the first line has {expected_len}"),
            "correct the line: a field with a comma or a line feed has to be in double quotes",
        ),
        csv::ErrorKind::Utf8 { err, .. } => {
            (format!("field {}: it is not UTF-8", err.field() + 1), "convert the file to UTF-8")
        }
        _ => (error.to_string(), "check that the file can be read and is not cut off"),
    };
    Failure::new(format!("{file}, line {line}: {why}")).advise(advice)
}
