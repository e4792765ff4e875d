//! A complete row that the service returned.

use std::ops::Range;

use super::fields::Fields;
use crate::WireError;

/// A complete row. The bytes of its key and its cells are in one buffer.
///
/// ```
/// use prost::Message;
/// use tallrow_wire::bigtable::{Cell, Column, Family, MergedRow, Row};
///
/// let cell = Cell { timestamp_micros: 5_000, value: "v".into(), labels: vec![] };
/// let column = Column { qualifier: "q".into(), cells: vec![cell] };
/// let row =
///     Row { key: "r".into(), families: vec![Family { name: "f".into(), columns: vec![column] }] };
///
/// let mut row = MergedRow::decode(&row.encode_to_vec())?;
/// row.sort();
/// assert_eq!(row.key(), b"r");
/// let cells: Vec<_> = row
///     .cells()
///     .map(|cell| (cell.family, cell.qualifier, cell.timestamp_micros, cell.value))
///     .collect();
/// assert_eq!(cells, [(&b"f"[..], &b"q"[..], 5_000, &b"v"[..])]);
/// # Ok::<(), tallrow_wire::WireError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MergedRow {
    /// The row key, then the families, qualifiers and values of the cells.
    pub(super) bytes: Vec<u8>,
    pub(super) key_len: usize,
    pub(super) cells: Vec<CellPlace>,
}

/// The places of a cell's parts in the bytes of the row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CellPlace {
    pub(super) family: Range<usize>,
    pub(super) qualifier: Range<usize>,
    pub(super) timestamp_micros: i64,
    pub(super) value: Range<usize>,
    pub(super) labels: Vec<String>,
}

/// A cell of a [`MergedRow`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MergedCell<'a> {
    /// The name of the family, in UTF-8.
    pub family: &'a [u8],
    pub qualifier: &'a [u8],
    /// The timestamp in microseconds; 0 if the response does not set it.
    pub timestamp_micros: i64,
    pub value: &'a [u8],
    /// The labels that filters gave to the cell.
    pub labels: &'a [String],
}

impl MergedRow {
    /// The row key.
    ///
    /// See [`MergedRow`] for an example of this and the other functions.
    pub fn key(&self) -> &[u8] {
        self.part(&(0..self.key_len))
    }

    /// The cells, in the order of the response or, after [`sort`](Self::sort), in sorted order.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = MergedCell<'_>> {
        self.cells.iter().map(|cell| MergedCell {
            family: self.part(&cell.family),
            qualifier: self.part(&cell.qualifier),
            timestamp_micros: cell.timestamp_micros,
            value: self.part(&cell.value),
            labels: &cell.labels,
        })
    }

    /// Sorts the cells by family, qualifier and timestamp, newest first.
    pub fn sort(&mut self) {
        let Self { bytes, cells, .. } = self;
        let part = |range: &Range<usize>| bytes.get(range.clone()).unwrap_or_default();
        let order = |a: &CellPlace, b: &CellPlace| {
            let families = part(&a.family).cmp(part(&b.family));
            let names = families.then_with(|| part(&a.qualifier).cmp(part(&b.qualifier)));
            names.then_with(|| b.timestamp_micros.cmp(&a.timestamp_micros))
        };
        if !cells.is_sorted_by(|a, b| order(a, b).is_le()) {
            cells.sort_by(order);
        }
    }

    /// Decodes an encoded [`Row`](super::Row).
    ///
    /// # Errors
    /// Bytes that are not a message, or a family that is not UTF-8.
    pub fn decode(message: &[u8]) -> Result<Self, WireError> {
        let mut row = Self { bytes: Vec::with_capacity(message.len()), ..Self::default() };
        let mut fields = Fields::of(message);
        let key = fields.last(1)?.unwrap_or_default();
        row.begin(key);
        while let Some(field) = fields.next_field()? {
            if field.number == 2 {
                row.add_family(field.bytes()?)?;
            }
        }
        Ok(row)
    }

    fn add_family(&mut self, message: &[u8]) -> Result<(), WireError> {
        let mut fields = Fields::of(message);
        let name = fields.last(1)?.unwrap_or_default();
        if std::str::from_utf8(name).is_err() {
            return Err(family_not_utf8(name));
        }
        let family = self.push_bytes(name);
        while let Some(field) = fields.next_field()? {
            if field.number == 2 {
                self.add_column(&family, field.bytes()?)?;
            }
        }
        Ok(())
    }

    fn add_column(&mut self, family: &Range<usize>, message: &[u8]) -> Result<(), WireError> {
        let mut fields = Fields::of(message);
        let qualifier = self.push_bytes(fields.last(1)?.unwrap_or_default());
        while let Some(field) = fields.next_field()? {
            if field.number == 2 {
                let mut cell = CellPlace {
                    family: family.clone(),
                    qualifier: qualifier.clone(),
                    ..CellPlace::default()
                };
                let mut fields = Fields::of(field.bytes()?);
                while let Some(field) = fields.next_field()? {
                    match field.number {
                        1 => cell.timestamp_micros = field.int64()?,
                        2 => cell.value = self.push_bytes(field.bytes()?),
                        3 => cell.labels.push(label(field.bytes()?)),
                        _ => {}
                    }
                }
                self.cells.push(cell);
            }
        }
        Ok(())
    }

    /// Starts a row without cells, and reuses the buffer of the row before.
    pub(super) fn begin(&mut self, key: &[u8]) {
        self.bytes.clear();
        self.bytes.extend_from_slice(key);
        self.key_len = key.len();
        self.cells.clear();
    }

    /// Appends bytes to the buffer, and returns their place in it.
    pub(super) fn push_bytes(&mut self, bytes: &[u8]) -> Range<usize> {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        start..self.bytes.len()
    }

    pub(super) fn part(&self, range: &Range<usize>) -> &[u8] {
        self.bytes.get(range.clone()).unwrap_or_default()
    }
}

/// Decodes the row of a [`ReadModifyWriteRowResponse`](super::ReadModifyWriteRowResponse), which
/// has the cells that were changed.
///
/// ```
/// use prost::Message;
/// use tallrow_wire::bigtable::{ReadModifyWriteRowResponse, Row, decode_read_modify_write_row};
///
/// let row = Some(Row { key: "r".into(), families: vec![] });
/// let message = ReadModifyWriteRowResponse { row }.encode_to_vec();
/// assert_eq!(decode_read_modify_write_row(&message)?.unwrap().key(), b"r");
/// assert_eq!(decode_read_modify_write_row(b"")?, None);
/// # Ok::<(), tallrow_wire::WireError>(())
/// ```
///
/// # Errors
/// Bytes that are not a message, or a family that is not UTF-8.
pub fn decode_read_modify_write_row(message: &[u8]) -> Result<Option<MergedRow>, WireError> {
    let mut fields = Fields::of(message);
    let mut row = None;
    while let Some(field) = fields.next_field()? {
        if field.number == 1 {
            row = Some(MergedRow::decode(field.bytes()?)?);
        }
    }
    Ok(row)
}

/// Decodes a label. No server sends a label that is not UTF-8.
pub(super) fn label(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

pub(super) fn family_not_utf8(family: &[u8]) -> WireError {
    WireError::new("rows", format!("family \"{}\", which is not text", family.escape_ascii()))
}

#[cfg(test)]
mod tests {
    use prost::Message;

    use super::*;
    use crate::bigtable::{Cell, Column, Family, Row};

    fn cell(timestamp_micros: i64, value: &'static str) -> Cell {
        Cell { timestamp_micros, value: value.into(), labels: Vec::new() }
    }

    #[test]
    fn cells_are_ordered_by_names_and_from_the_newest() {
        let column = |qualifier: &'static str, cells| Column { qualifier: qualifier.into(), cells };
        let family = |name: &str, columns| Family { name: name.into(), columns };
        let families = vec![
            family("g", vec![column("a", vec![cell(1, "1")])]),
            family("f", vec![column("b", vec![cell(1, "2"), cell(3, "3")]), column("a", vec![])]),
            family("f", vec![column("a", vec![cell(2, "4")])]),
        ];
        let message = Row { key: "k".into(), families }.encode_to_vec();
        let mut row = MergedRow::decode(&message).unwrap();
        let values =
            |row: &MergedRow| -> Vec<u8> { row.cells().flat_map(|c| c.value.to_vec()).collect() };
        assert_eq!(values(&row), b"1234");
        row.sort();
        assert_eq!(values(&row), b"4321");
        assert_eq!(row.cells().len(), 4);
    }

    #[test]
    fn a_name_may_follow_what_it_names() {
        let column = b"\x12\x03\x12\x01v\x0a\x01q";
        let family = [b"\x12\x08", &column[..], b"\x0a\x01f"].concat();
        let row = [b"\x12\x0d", &family[..], b"\x0a\x01k"].concat();
        let row = MergedRow::decode(&row).unwrap();
        let cell = row.cells().next().unwrap();
        assert_eq!((row.key(), cell.family), (&b"k"[..], &b"f"[..]));
        assert_eq!((cell.qualifier, cell.value), (&b"q"[..], &b"v"[..]));
    }

    #[test]
    fn a_family_that_is_not_text_is_an_error() {
        let error = MergedRow::decode(b"\x12\x03\x0a\x01\xff").unwrap_err();
        assert_eq!(error.to_string(), r#"read rows: family "\xff", which is not text"#);
    }
}
