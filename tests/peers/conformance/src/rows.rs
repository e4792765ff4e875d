//! Rows of the client as messages.

use tallrow::Row;
use tallrow_wire::bigtable::{Cell, Column, Family, MergedRow, Row as RowMessage};

/// A row that an operation returned.
pub(crate) fn message(row: &Row) -> RowMessage {
    let cells = row.cells().iter().map(|cell| {
        let family = String::from_utf8_lossy(cell.family()).into_owned();
        let micros =
            i64::try_from(cell.timestamp().as_millis()).unwrap_or(i64::MAX / 1_000) * 1_000;
        let message = Cell {
            timestamp_micros: micros,
            value: cell.value().to_vec().into(),
            labels: Vec::new(),
        };
        (family, cell.qualifier().to_vec().into(), message)
    });
    RowMessage { key: row.key().to_vec().into(), families: families(cells) }
}

/// A row as it came.
pub(crate) fn merged(row: &MergedRow) -> RowMessage {
    let cells = row.cells().map(|cell| {
        let message = Cell {
            timestamp_micros: cell.timestamp_micros,
            value: cell.value.to_vec().into(),
            labels: cell.labels.to_vec(),
        };
        let family = String::from_utf8_lossy(cell.family).into_owned();
        (family, cell.qualifier.to_vec().into(), message)
    });
    RowMessage { key: row.key().to_vec().into(), families: families(cells) }
}

fn families(cells: impl Iterator<Item = (String, bytes::Bytes, Cell)>) -> Vec<Family> {
    let mut families: Vec<Family> = Vec::new();
    for (name, qualifier, cell) in cells {
        if families.last().is_none_or(|last| last.name != name) {
            families.push(Family { name, columns: Vec::new() });
        }
        let Some(family) = families.last_mut() else { continue };
        match family.columns.last_mut().filter(|last| last.qualifier == qualifier) {
            Some(column) => column.cells.push(cell),
            None => family.columns.push(Column { qualifier, cells: vec![cell] }),
        }
    }
    families
}
