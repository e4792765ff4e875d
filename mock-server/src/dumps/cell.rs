//! The line of a cell.

use bytes::Bytes;
use tallrow_wire::cell::{CellType, LATEST_TIMESTAMP, MAX_ROW_LEN};

use super::DumpError;
use super::line::{Line, push_bytes};
use crate::cells::{NewCell, StoredCell};

/// The first words of the lines of cells.
const KINDS: [(&str, CellType); 5] = [
    ("put", CellType::Put),
    ("delete", CellType::Delete),
    ("delete-column", CellType::DeleteColumn),
    ("delete-family", CellType::DeleteFamily),
    ("delete-family-version", CellType::DeleteFamilyVersion),
];

/// The highest number of a write.
const MOST_WRITES: i64 = 1 << 40;

/// A cell as it was read.
#[derive(Debug)]
pub(super) struct CellLine {
    /// The number of the line, from 1.
    pub(super) line: usize,
    /// The row key.
    pub(super) row: Bytes,
    /// The cell.
    pub(super) cell: NewCell,
    /// The cell's own time to live in ms.
    pub(super) ttl: Option<i64>,
    /// The number of the cell's write among the writes of its row, from 1; `None` if the order of
    /// the lines already implies the number.
    pub(super) write: Option<u64>,
}

/// Returns the type of the cells whose lines start with a word.
pub(super) fn kind_of(word: &str) -> Option<CellType> {
    KINDS.iter().find(|(name, _)| *name == word).map(|(_, kind)| *kind)
}

/// Reads the rest of the line of a cell; `has_family` tells whether the table has a family.
pub(super) fn read(
    line: &mut Line<'_>,
    kind: CellType,
    now: u64,
    has_family: impl Fn(&[u8]) -> bool,
) -> Result<CellLine, DumpError> {
    let column = line.column();
    let row = line.bytes("a row key")?;
    if row.is_empty() || row.len() > MAX_ROW_LEN {
        let text = format!("the row key has {} bytes, expected 1 to {MAX_ROW_LEN}", row.len());
        return Err(DumpError::new(line.number, column, text));
    }
    let column = line.column();
    let name = line.bytes("a column, family:qualifier,")?;
    let is_of_family = matches!(kind, CellType::DeleteFamily | CellType::DeleteFamilyVersion);
    let (family, qualifier) = match name.iter().position(|byte| *byte == b':') {
        Some(colon) => (name.slice(..colon), name.slice(colon + 1..)),
        None if is_of_family => (name, Bytes::new()),
        None => {
            let text = "the column has no colon, expected family:qualifier";
            return Err(DumpError::new(line.number, column, text));
        }
    };
    if !has_family(&family) {
        let mut shown = String::new();
        push_bytes(&mut shown, &family);
        let text = format!("the table has no family {shown}");
        return Err(DumpError::new(line.number, column, text));
    }
    let timestamp = match line.peek() {
        "now" => {
            line.word();
            now
        }
        _ => {
            let expected = "a timestamp: now, or a number from 0 to 2^63 - 1";
            u64::try_from(line.number(0..=i64::MAX, expected)?).unwrap_or(LATEST_TIMESTAMP)
        }
    };
    let value = match kind == CellType::Put || line.peek().starts_with('"') {
        true => line.bytes("a value")?,
        false => Bytes::new(),
    };
    let (mut ttl, mut write) = (None, None);
    while !line.is_at_end() {
        match line.peek() {
            "ttl" if ttl.is_none() => {
                line.word();
                ttl = Some(line.number(i64::MIN..=i64::MAX, "a time to live in ms")?);
            }
            "write" if write.is_none() => {
                line.word();
                let number = line.number(1..=MOST_WRITES, "a number from 1 to 2^40")?;
                write = u64::try_from(number).ok();
            }
            _ => return Err(line.unexpected("ttl, write, or the end of the line")),
        }
    }
    let cell = NewCell { family, qualifier, timestamp, kind, value };
    Ok(CellLine { line: line.number, row, cell, ttl, write })
}

/// Appends the line of a cell.
pub(super) fn push(out: &mut String, cell: &StoredCell, write: Option<u64>) {
    let kind = KINDS.iter().find(|(_, kind)| *kind == cell.kind());
    out.push_str(kind.map_or("put", |(name, _)| name));
    out.push(' ');
    push_bytes(out, cell.row());
    out.push(' ');
    let is_of_family =
        matches!(cell.kind(), CellType::DeleteFamily | CellType::DeleteFamilyVersion);
    match is_of_family && cell.qualifier().is_empty() {
        true => push_bytes(out, cell.family()),
        false => push_bytes(out, &[cell.family(), b":", cell.qualifier()].concat()),
    }
    out.push_str(&format!(" {}", cell.timestamp()));
    if cell.kind() == CellType::Put || !cell.value().is_empty() {
        out.push(' ');
        push_bytes(out, cell.value());
    }
    if let Some(ttl) = cell.ttl() {
        out.push_str(&format!(" ttl {ttl}"));
    }
    if let Some(write) = write {
        out.push_str(&format!(" write {write}"));
    }
    out.push('\n');
}
