//! What the code that `#[derive(Table)]` writes calls.

use crate::key::DecodeRowKey;

use super::{CellField, Column};
use crate::{Error, ErrorKind, Put, Result, Row, show};

/// The column a field is kept in.
pub const fn column<T, F: CellField>(
    family: &'static str,
    qualifier: &'static str,
) -> Column<T, F::Value> {
    Column::new(family, qualifier)
}

/// Adds a field to a put.
pub fn write_cell<F: CellField>(put: Put, family: &str, qualifier: &str, field: &F) -> Put {
    match field.to_column() {
        Some(value) => put.cell(family, qualifier, value),
        None => put,
    }
}

/// Reads a field.
pub fn read_cell<F: CellField>(row: &Row, family: &str, qualifier: &str) -> Result<F> {
    let value = row.value(family, qualifier);
    F::from_column(value).map_err(|e| {
        let found = value.map_or(String::new(), |v| format!(" in {}", show::row_key(v)));
        let text = format!("column {family}:{qualifier}: {e}{found}");
        Error::new(ErrorKind::Decode, text).during("decode row").on_row(&row.key_bytes())
    })
}

/// Reads the row key.
pub fn read_key<K: DecodeRowKey>(row: &Row) -> Result<K> {
    K::decode_key(row.key()).map_err(|e| {
        let text = "the row key is not one of this table's type";
        Error::new(ErrorKind::Decode, text)
            .during("decode row")
            .on_row(&row.key_bytes())
            .caused_by(e)
    })
}
