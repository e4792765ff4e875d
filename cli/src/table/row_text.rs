//! Rows as they are written.

use serde_json::{Map, Value, json};
use tallrow::Row;
use tallrow::key::show;

use crate::failure::Result;
use crate::output::Output;
use crate::table_keys::TableKeys;
use crate::value_format::ValueFormat;

/// Writes a row: its key in one line, then a line for each cell.
pub(super) fn write_row(
    row: &Row,
    keys: &TableKeys,
    values: ValueFormat,
    output: &mut Output,
) -> Result<()> {
    let mut text = keys.write(row.key());
    let column = |cell: &tallrow::cell::Cell| {
        format!("{}:{}", show::shell(cell.family()), show::shell(cell.qualifier()))
    };
    let width = row.cells().iter().map(|cell| column(cell).len()).max().unwrap_or(0);
    for cell in row.cells() {
        let (column, time) = (column(cell), cell.timestamp().as_millis());
        text += &format!("\n  {column:width$}  {time}  {}", values.write(cell.value()));
    }
    output.result(text, || {
        let cells: Vec<Value> = row
            .cells()
            .iter()
            .map(|cell| {
                json!({
                    "column": column(cell),
                    "timestamp": cell.timestamp().as_millis(),
                    "value": values.write(cell.value()),
                })
            })
            .collect();
        let mut object = Map::new();
        object.insert("key".into(), show::shell(row.key()).to_string().into());
        object.insert("fields".into(), keys.json(row.key()));
        object.insert("cells".into(), cells.into());
        Value::Object(object)
    })
}
