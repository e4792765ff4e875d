//! Converts rows into lines of a CSV or JSON file.

use serde_json::{Map, Value};
use tallrow::Row;
use tallrow::cell::Cell;
use tallrow::key::show;

use crate::cells::cell_column::ColumnMapping;
use crate::cells::column::IMPORT_MARK_QUALIFIER_PREFIX;
use crate::cells::value_format::ValueFormat;
use crate::files::FileFormat;
use crate::keys::json::value_text;
use crate::keys::key_columns::KeyColumns;
use crate::keys::layouts::Layouts;

/// The way in which rows are converted into lines.
pub(super) struct LineFormatter {
    pub(super) key: KeyColumns,
    /// The columns that were given with a name or a type; for CSV, all columns that were given.
    pub(super) columns: Vec<ColumnMapping>,
    /// Whether lines of JSON also contain all other cells that are read, each named after its
    /// column.
    pub(super) others: bool,
    pub(super) format: FileFormat,
    pub(super) delimiter: u8,
    pub(super) null: String,
}

impl LineFormatter {
    /// Returns texts that say how lines are written, for comparison with another run; the columns
    /// are not among them.
    pub(super) fn arguments_that_must_match(&self) -> Vec<String> {
        // `--where` reads its values by the layouts, even if keys are written as bytes.
        let layouts = self.key.known_layouts().into_iter().flat_map(Layouts::all);
        let mut parts: Vec<String> = layouts.map(ToString::to_string).collect();
        if self.key.field_layouts().is_none() {
            parts.extend(self.key.arguments_that_must_match());
        }
        match self.format {
            FileFormat::Json => parts.push("--format json".into()),
            FileFormat::Csv => {
                parts.push("--format csv".into());
                parts.push(format!("--delimiter {}", char::from(self.delimiter)));
                parts.push(format!("--null {}", self.null));
            }
        }
        parts
    }

    /// Returns the first line of a CSV file, with the names of the columns; empty for JSON.
    pub(super) fn header_line(&self) -> Result<Vec<u8>, String> {
        if self.format == FileFormat::Json {
            return Ok(Vec::new());
        }
        let mut names = self.key.names();
        names.extend(self.columns.iter().map(|column| &*column.file_column));
        self.csv(&names)
    }

    /// Returns the line of a row.
    pub(super) fn line(&self, row: &Row) -> Result<Vec<u8>, String> {
        let key = self.key.decode(row.key())?;
        match self.format {
            FileFormat::Json => self.json_line(key, row),
            FileFormat::Csv => self.csv_line(&key, row),
        }
    }

    fn json_line(&self, key: Map<String, Value>, row: &Row) -> Result<Vec<u8>, String> {
        let mut object = key;
        if self.others {
            // Import marks are left out: they belong to one table, and expire there.
            let is_mark =
                |cell: &Cell| cell.qualifier().starts_with(IMPORT_MARK_QUALIFIER_PREFIX.as_bytes());
            let is_other = |cell: &&Cell| {
                let mut columns = self.columns.iter().map(|column| &column.column);
                !is_mark(cell) && !columns.any(|column| column.contains(cell))
            };
            object.extend(row.cells().iter().filter(is_other).map(named));
        }
        for column in &self.columns {
            if let Some(text) = text_in(column, row)? {
                object.insert(column.file_column.clone(), column.format.json(text));
            }
        }
        let mut line = Value::Object(object).to_string().into_bytes();
        line.push(b'\n');
        Ok(line)
    }

    fn csv_line(&self, key: &Map<String, Value>, row: &Row) -> Result<Vec<u8>, String> {
        let variant = self.key.all().iter().find(|column| column.holds_variant_names());
        let variant = variant.and_then(|tag| key.get(&tag.name)).and_then(Value::as_str);
        let mut values = Vec::new();
        for column in self.key.all() {
            let text = match key.get(&column.name) {
                None | Some(Value::Null) => self.null.clone(),
                Some(value) => {
                    let text = match value {
                        Value::String(text) => text.clone(),
                        value => value_text(value),
                    };
                    let read_as_empty = || column.default_value(variant, true) == Some("".into());
                    if text == self.null && !(text.is_empty() && read_as_empty()) {
                        return Err(self.is_null(&column.name));
                    }
                    text
                }
            };
            values.push(text);
        }
        for column in &self.columns {
            values.push(match text_in(column, row)? {
                Some(text) if text == self.null => return Err(self.is_null(&column.file_column)),
                Some(text) => text,
                None => self.null.clone(),
            });
        }
        self.csv(&values)
    }

    fn is_null(&self, name: &str) -> String {
        let Self { null, .. } = self;
        format!(
            "column {name}: the value {null:?} is also the text for no value; give another one \
             with --null, or --format json"
        )
    }

    fn csv(&self, values: &[impl AsRef<[u8]>]) -> Result<Vec<u8>, String> {
        let mut builder = csv::WriterBuilder::new();
        let mut writer =
            builder.delimiter(self.delimiter).buffer_capacity(256).from_writer(Vec::new());
        writer.write_record(values).map_err(|error| error.to_string())?;
        writer.into_inner().map_err(|error| error.to_string())
    }
}

/// Returns, as text, the value that a row has in a column; none if the row has no value there.
fn text_in(column: &ColumnMapping, row: &Row) -> Result<Option<String>, String> {
    let Some(value) = row.value(&column.column.family, &column.column.qualifier) else {
        return Ok(None);
    };
    column.format.format_exactly(value).map(Some).ok_or_else(|| {
        format!(
            "column {}: {} is no value of this type; give :shell, or the type that it has",
            column.file_column,
            show::shell(value)
        )
    })
}

/// Returns the name and the value of a cell in JSON. A readable value is written as text; any other
/// value is written as in the HBase shell, and the name ends in `:shell`.
fn named(cell: &Cell) -> (String, Value) {
    let readable =
        std::str::from_utf8(cell.value()).ok().filter(|text| !text.contains(char::is_control));
    let format = if readable.is_some() { ValueFormat::Text } else { ValueFormat::Shell };
    let name = ColumnMapping::name_of(cell.family(), cell.qualifier(), format);
    (name, Value::from(format.format_value(cell.value())))
}
