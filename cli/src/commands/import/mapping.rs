//! Maps lines of a file to changes of rows.

use serde_json::Value;

use super::record::Values;
use crate::cells::cell_column::ColumnMapping;
use crate::cells::column::Column;
use crate::failure::similar::suggestion_text;
use crate::failure::{Failure, Result};
use crate::keys::key_columns::{KeyColumn, KeyColumns};
use crate::keys::table_keys::KeyTextFormat;
use crate::terminal::output::say;

/// The change that a line makes to a row.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) row: Vec<u8>,
    /// The cells to write.
    pub(super) cells: Vec<(Column, Vec<u8>)>,
    /// The number to add to each counter.
    pub(super) counts: Vec<i64>,
}

/// The mapping from the columns of a file to the fields of the key, the cells and the counters.
#[derive(Debug)]
pub(super) struct Mapping {
    key: KeyColumns,
    /// The name of the file column for each column of the key.
    names: Vec<String>,
    /// The columns of the cells. `None` if no flag gives columns; then the name of each column of
    /// the file is the name of a column of the table.
    cells: Option<Vec<ColumnMapping>>,
    counts: Vec<Counter>,
    null: String,
}

/// A counter, and the file column whose number is added to it; if `None`, each line adds 1.
#[derive(Debug)]
struct Counter {
    column: Column,
    name: Option<String>,
}

/// The values of the flags that define a mapping.
#[derive(Debug)]
pub(super) struct MappingText<'a> {
    pub(super) keys: &'a [String],
    pub(super) cells: &'a [String],
    pub(super) counts: &'a [String],
    pub(super) null: &'a str,
}

impl Mapping {
    pub(super) fn read(text: &MappingText<'_>, keys: KeyTextFormat) -> Result<Self> {
        let key = KeyColumns::new(keys);
        let fields = key.names();
        let mut names: Vec<String> = fields.iter().map(ToString::to_string).collect();
        for flag in text.keys {
            let Some((field, column)) = flag.split_once('=') else {
                return Err(Failure::usage(format!("--key {flag}: it has no ="))
                    .advise("write it as --key FIELD=COLUMN"));
            };
            let mut found = fields.iter().zip(&mut names).filter(|(name, _)| **name == field);
            let Some((_, name)) = found.next() else {
                let like = suggestion_text(field, fields.iter().copied());
                let text = format!("--key {flag}: the key has no field {field}{like}");
                return Err(
                    Failure::usage(text).advise(format!("its fields are {}", fields.join(", ")))
                );
            };
            *name = column.into();
        }
        let cells = text.cells.iter().map(|flag| ColumnMapping::read("--column", flag));
        let cells = cells.collect::<Result<Vec<_>>>()?;
        let mut counts = Vec::new();
        for flag in text.counts {
            let (column, name) = match flag.split_once('=') {
                Some((column, name)) => (column, Some(name.to_owned())),
                None => (flag.as_str(), None),
            };
            let read = Column::read(column);
            let column =
                read.map_err(|error| Failure::usage(format!("--count {flag}: {error}")))?;
            counts.push(Counter { column, name });
        }
        let named = cells.is_empty() && counts.is_empty();
        Ok(Self { key, names, cells: (!named).then_some(cells), counts, null: text.null.into() })
    }

    /// Completes the mapping with the names of the columns of a file; `file` is the name of the
    /// file in errors.
    pub(super) fn complete(&mut self, names: &[String], file: &str) -> Result<()> {
        let wrong = |text: String| Failure::new(format!("{file}, line 1: {text}"));
        let is_there = |name: &str| names.iter().any(|other| other == name);
        let list = || match (names.len(), names.first().and_then(|name| delimiter_in(name))) {
            (1, Some(mark)) => format!(
                "the file has one column, {}; is {mark:?} between its columns? Then give \
                 --delimiter '{}'",
                names.join(""),
                mark.escape_default()
            ),
            _ => format!("the columns are {}", names.join(", ")),
        };
        for (column, name) in self.fields() {
            if !is_there(name) && !column.may_be_missing() {
                let field = &column.name;
                let like = suggestion_text(name, names.iter().map(String::as_str));
                let text =
                    format!("there is no column {name} for the field {field} of the key{like}");
                let advice = match list() {
                    list if list.contains("--delimiter") => list,
                    list => format!("give --key {field}=COLUMN; {list}"),
                };
                return Err(wrong(text).advise(advice));
            }
        }
        let cells = self.cells.iter().flatten().map(|cell| &cell.file_column);
        let counts = self.counts.iter().filter_map(|count| count.name.as_ref());
        for name in cells.chain(counts) {
            if !is_there(name) {
                let like = suggestion_text(name, names.iter().map(String::as_str));
                let failure = wrong(format!("there is no column {name}{like}"));
                return Err(
                    failure.advise(ColumnMapping::foreign_type_error(name).unwrap_or_else(list))
                );
            }
        }
        if self.cells.is_some() {
            let unused: Vec<_> =
                names.iter().filter(|name| !self.uses(name)).map(|name| &**name).collect();
            if !unused.is_empty() {
                say(format!("not imported: the columns {}", unused.join(", ")));
            }
            return Ok(());
        }
        let mut cells = Vec::new();
        for name in names.iter().filter(|name| !self.names.contains(name)) {
            cells.push(ColumnMapping::of_name(name).ok_or_else(|| {
                wrong(self.no_place(name)).advise(
                    ColumnMapping::foreign_type_error(name).unwrap_or_else(|| {
                        format!(
                            "give --column FAMILY:QUALIFIER={name} and the same for each column \
                             that is imported; with --column, others are left out"
                        )
                    }),
                )
            })?);
        }
        self.cells = Some(cells);
        Ok(())
    }

    fn no_place(&self, name: &str) -> String {
        let fields = self.key.names().join(", ");
        if name.is_empty() {
            return format!(
                "a column has no name; is there a comma too many? The key has {fields}"
            );
        }
        format!("column {name} is no field of the key ({fields}) and no FAMILY:QUALIFIER")
    }

    /// Returns the columns of the key, each with the name of its file column.
    fn fields(&self) -> impl Iterator<Item = (&KeyColumn, &str)> {
        self.key.all().iter().zip(self.names.iter().map(String::as_str))
    }

    fn uses(&self, name: &str) -> bool {
        self.names.iter().any(|other| other == name)
            || self.cells.iter().flatten().any(|cell| cell.file_column == name)
            || self.counts.iter().any(|count| count.name.as_deref() == Some(name))
    }

    /// Returns the columns of the counters.
    pub(super) fn counters(&self) -> Vec<Column> {
        self.counts.iter().map(|count| count.column.clone()).collect()
    }

    /// Returns the columns of the table that are written, as far as they are known before the file
    /// is read.
    pub(super) fn columns(&self) -> impl Iterator<Item = &Column> {
        let cells = self.cells.iter().flatten().map(|cell| &cell.column);
        cells.chain(self.counts.iter().map(|count| &count.column))
    }

    /// Whether lines write cells, rather than only being counted.
    pub(super) fn has_cells(&self) -> bool {
        self.cells.as_ref().is_none_or(|cells| !cells.is_empty())
    }

    /// Returns the name of the file column with the values of a table column, for errors.
    pub(super) fn name_of(&self, column: &Column) -> String {
        let is_it = |cell: &&ColumnMapping| {
            (&cell.column.family, &cell.column.qualifier) == (&column.family, &column.qualifier)
        };
        match self.cells.iter().flatten().find(is_it) {
            Some(cell) => format!("column {}", cell.file_column),
            None => format!("column {column}"),
        }
    }

    /// Returns the names of the file columns with the fields of the key, for errors.
    pub(super) fn names_of_key(&self) -> String {
        match &self.names[..] {
            [only] => format!("column {only}"),
            all => format!("columns {}", all.join(", ")),
        }
    }

    /// Returns the arguments that must be the same when an import is resumed, each as a text.
    pub(super) fn arguments_that_must_match(&self) -> Vec<String> {
        let mut parts = self.key.arguments_that_must_match();
        parts.extend(self.fields().map(|(column, name)| format!("--key {}={name}", column.name)));
        parts.extend(self.cells.iter().flatten().map(|cell| format!("--column {cell}")));
        parts.extend(self.counts.iter().map(|count| match &count.name {
            Some(name) => format!("--count {}={name}", count.column),
            None => format!("--count {}", count.column),
        }));
        parts.push(format!("--null {:?}", self.null));
        parts
    }

    /// Returns the change that a line makes.
    pub(super) fn change(&self, values: &Values) -> Result<Change, String> {
        let row = self.row(values)?;
        let cells = match &self.cells {
            Some(cells) => self.given(cells, values)?,
            None => self.named(values)?,
        };
        let mut counts = Vec::new();
        for count in &self.counts {
            counts.push(match &count.name {
                None => 1,
                Some(name) => match values.get(name, &self.null)? {
                    None => 0,
                    Some(value) => text(&value)
                        .and_then(|text| {
                            text.parse().map_err(|_| format!("{text:?} is not a number of 64 bits"))
                        })
                        .map_err(|why| format!("column {name}: {why}"))?,
                },
            });
        }
        if cells.is_empty() && counts.is_empty() {
            return Err("it has no value for any cell".into());
        }
        Ok(Change { row, cells, counts })
    }

    fn row(&self, values: &Values) -> Result<Vec<u8>, String> {
        let variant = match self.fields().find(|(column, _)| column.holds_variant_names()) {
            Some((_, name)) => values.get(name, &self.null)?,
            None => None,
        };
        let variant = variant.as_ref().and_then(Value::as_str);
        // In CSV with an empty null text, an empty text is written in the same way as no value.
        let is_empty = self.null.is_empty() && matches!(values, Values::Csv { .. });
        let mut key = Vec::new();
        for (column, name) in self.fields() {
            let value = match values.get(name, &self.null)? {
                None => column.default_value(variant, is_empty),
                value => value,
            };
            key.extend(value.map(|value| (column, value)));
        }
        self.key.encode(&key)
    }

    fn given(
        &self,
        cells: &[ColumnMapping],
        values: &Values,
    ) -> Result<Vec<(Column, Vec<u8>)>, String> {
        let mut given = Vec::new();
        for cell in cells {
            if let Some(value) = values.get(&cell.file_column, &self.null)? {
                given.push((cell.column.clone(), bytes(cell, &value)?));
            }
        }
        Ok(given)
    }

    /// Reads the cells from a JSON object whose member names are columns of the table.
    fn named(&self, values: &Values) -> Result<Vec<(Column, Vec<u8>)>, String> {
        let Values::Json(members) = values else { return Ok(Vec::new()) };
        let mut given = Vec::new();
        for (name, value) in members {
            if self.names.contains(name) || value.is_null() {
                continue;
            }
            let cell = ColumnMapping::of_name(name);
            let cell = cell.ok_or_else(|| self.no_place(name))?;
            given.push((cell.column.clone(), bytes(&cell, value)?));
        }
        Ok(given)
    }
}

/// Returns the probable delimiter of a line that was read as one column.
fn delimiter_in(line: &str) -> Option<char> {
    [';', '\t', '|'].into_iter().find(|mark| line.contains(*mark))
}

fn bytes(cell: &ColumnMapping, value: &Value) -> Result<Vec<u8>, String> {
    let bytes = text(value).and_then(|text| cell.format.read(&text));
    bytes.map_err(|why| format!("column {}: {why}", cell.file_column))
}

fn text(value: &Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(_) | Value::Bool(_) => Ok(value.to_string()),
        _ => Err("found a list or an object, expected a text, a number, true or false".into()),
    }
}
