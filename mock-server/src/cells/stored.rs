//! A cell as it is stored: the bytes of its `KeyValue` and the sequence id of its write.

use std::cmp::Ordering;

use bytes::{BufMut, Bytes};
use tallrow_wire::cell::{CellType, KeyValue};
use tallrow_wire::proto::ProtoCell;
use tallrow_wire::{WireError, region};

/// The tag type of a cell's own time to live: an 8-byte number of ms.
const TTL_TAG: u8 = 8;

/// The order of the rows of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowOrder {
    /// The order of the rows as unsigned bytes.
    Bytes,
    /// The order of the rows of `hbase:meta`: table, start key, region id.
    Meta,
}

impl RowOrder {
    /// Compares two rows.
    pub(crate) fn compare(self, a: &[u8], b: &[u8]) -> Ordering {
        match self {
            RowOrder::Bytes => a.cmp(b),
            RowOrder::Meta => region::meta_order(a, b),
        }
    }

    /// Returns the start of a row as a number. Of two rows with different starts, the row with the
    /// smaller start is first.
    pub(super) fn row_prefix(self, row: &[u8]) -> u64 {
        number(self.prefix_bytes(row))
    }

    fn prefix_bytes(self, row: &[u8]) -> [u8; PREFIX_BYTES] {
        let mut start = [0; PREFIX_BYTES];
        match (self, row.first_chunk()) {
            (RowOrder::Meta, _) => {}
            (RowOrder::Bytes, Some(long)) => start = *long,
            (RowOrder::Bytes, None) => start.iter_mut().zip(row).for_each(|(to, b)| *to = *b),
        }
        start
    }
}

fn number(start: [u8; PREFIX_BYTES]) -> u64 {
    let [a, b, c, d, e, f] = start;
    u64::from_be_bytes([0, 0, a, b, c, d, e, f])
}

/// How many bytes of its row a cell stores inline, in its place in a sorted set.
const PREFIX_BYTES: usize = 6;

/// A stored cell: the bytes of its `KeyValue`, followed by a TTL tag if the cell has one, and the
/// sequence id of its write.
///
/// A million stored cells must fit into memory, so the parts are not `Bytes` and no lengths are
/// cached. The start of the row is cached: where it decides a comparison, a search need not fetch
/// the bytes of the cell.
#[derive(Clone, Debug)]
pub(crate) struct StoredCell {
    bytes: Box<[u8]>,
    sequence_id: u64,
    row_prefix: [u8; PREFIX_BYTES],
    kind: CellType,
    order: RowOrder,
}

/// The parts of a cell that is not stored yet.
#[derive(Clone, Debug)]
pub(crate) struct NewCell {
    /// The family.
    pub(crate) family: Bytes,
    /// The qualifier.
    pub(crate) qualifier: Bytes,
    /// The timestamp in ms.
    pub(crate) timestamp: u64,
    /// Whether this is a value or a delete marker.
    pub(crate) kind: CellType,
    /// The value.
    pub(crate) value: Bytes,
}

impl NewCell {
    /// Returns the parts of the cell in this row.
    pub(crate) fn in_row<'a>(&'a self, row: &'a [u8]) -> KeyValue<'a> {
        KeyValue {
            row,
            family: &self.family,
            qualifier: &self.qualifier,
            timestamp: self.timestamp,
            kind: self.kind,
            value: &self.value,
        }
    }
}

impl StoredCell {
    /// Makes a cell from its parts.
    pub(crate) fn new(
        cell: &KeyValue<'_>,
        ttl: Option<i64>,
        sequence_id: u64,
        order: RowOrder,
    ) -> Result<Self, WireError> {
        let len = cell.encoded_len();
        let mut bytes = Vec::with_capacity(len + if ttl.is_some() { 13 } else { 0 });
        cell.encode(&mut bytes)?;
        if let Some(ttl) = ttl {
            bytes.put_u16(11);
            bytes.put_u16(9);
            bytes.put_u8(TTL_TAG);
            bytes.put_i64(ttl);
        }
        Ok(Self {
            bytes: bytes.into_boxed_slice(),
            sequence_id,
            row_prefix: order.prefix_bytes(cell.row),
            kind: cell.kind,
            order,
        })
    }

    /// Makes a cell of the bytes of another.
    pub(crate) fn from_bytes(
        bytes: &[u8],
        sequence_id: u64,
        order: RowOrder,
    ) -> Result<Self, WireError> {
        let cell = KeyValue::decode(bytes)?;
        let ttl = match bytes.get(cell.encoded_len()..).unwrap_or_default() {
            [] => None,
            [0, 11, 0, 9, TTL_TAG, ttl @ ..] if ttl.len() == 8 => {
                ttl.first_chunk().map(|ttl| i64::from_be_bytes(*ttl))
            }
            tags => {
                let text = format!("tags that no cell of the mock has, {} bytes", tags.len());
                return Err(WireError::new("cell", text));
            }
        };
        Self::new(&cell, ttl, sequence_id, order)
    }

    /// The bytes of the cell, of which [`StoredCell::from_bytes`] makes it again.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The row key.
    pub(crate) fn row(&self) -> &[u8] {
        self.part(10, self.row_len())
    }

    /// The family.
    pub(crate) fn family(&self) -> &[u8] {
        let at = 10 + self.row_len();
        self.part(at + 1, self.byte(at).into())
    }

    /// The qualifier.
    pub(crate) fn qualifier(&self) -> &[u8] {
        let at = 10 + self.row_len();
        let at = at + 1 + usize::from(self.byte(at));
        self.part(at, self.key_end().saturating_sub(9 + at))
    }

    /// The timestamp in ms.
    pub(crate) fn timestamp(&self) -> u64 {
        let tail = self.bytes.get(self.key_end().saturating_sub(9)..);
        tail.and_then(|t| t.first_chunk()).map_or(0, |t| u64::from_be_bytes(*t))
    }

    /// The order of the rows of the region in which the cell is stored.
    pub(crate) fn row_order(&self) -> RowOrder {
        self.order
    }

    /// The start of the row, as [`RowOrder::row_prefix`] returns it.
    pub(super) fn row_prefix(&self) -> u64 {
        number(self.row_prefix)
    }

    /// Whether this is a value or a delete marker.
    pub(crate) fn kind(&self) -> CellType {
        self.kind
    }

    /// Whether this is a delete marker.
    pub(crate) fn is_delete(&self) -> bool {
        self.kind != CellType::Put
    }

    /// The value.
    pub(crate) fn value(&self) -> &[u8] {
        self.part(self.key_end(), self.be32(4) as usize)
    }

    /// The sequence id of the write that stored the cell.
    pub(crate) fn sequence_id(&self) -> u64 {
        self.sequence_id
    }

    /// The bytes of the `KeyValue`, without tags.
    pub(crate) fn key_value(&self) -> &[u8] {
        self.part(0, self.key_end() + self.be32(4) as usize)
    }

    /// The bytes of the `KeyValue`. If the cell has tags, the length of the tags and the tags are
    /// included.
    pub(crate) fn key_value_with_tags(&self) -> &[u8] {
        &self.bytes
    }

    /// The cell's own time to live in ms.
    pub(crate) fn ttl(&self) -> Option<i64> {
        let at = self.key_end() + self.be32(4) as usize;
        self.bytes.get(at + 5..)?.first_chunk().map(|b| i64::from_be_bytes(*b))
    }

    /// The size on a real server's heap. The size limit of a scan counts this size.
    pub(crate) fn heap_size(&self) -> usize {
        (self.key_value().len() + 32).next_multiple_of(8)
    }

    /// Returns a copy of the cell with another value and without a time to live.
    pub(crate) fn with_value(&self, value: &[u8]) -> Self {
        let mut bytes = Vec::with_capacity(self.key_end() + value.len());
        bytes.extend_from_slice(self.part(0, 4));
        bytes.put_u32(value.len() as u32);
        bytes.extend_from_slice(self.part(8, self.key_end() - 8));
        bytes.extend_from_slice(value);
        Self { bytes: bytes.into_boxed_slice(), ..*self }
    }

    /// Returns the cell as a protobuf cell.
    pub(crate) fn to_proto(&self) -> ProtoCell {
        let bytes = |part: &[u8]| Some(Bytes::copy_from_slice(part));
        ProtoCell {
            row: bytes(self.row()),
            family: bytes(self.family()),
            qualifier: bytes(self.qualifier()),
            timestamp: Some(self.timestamp()),
            cell_type: Some(self.kind as i32),
            value: bytes(self.value()),
            tags: None,
        }
    }

    fn row_len(&self) -> usize {
        let len = self.bytes.get(8..).and_then(|b| b.first_chunk());
        len.map_or(0, |b| u16::from_be_bytes(*b).into())
    }

    fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    fn key_end(&self) -> usize {
        8 + self.be32(0) as usize
    }

    fn be32(&self, at: usize) -> u32 {
        self.bytes.get(at..).and_then(|b| b.first_chunk()).map_or(0, |b| u32::from_be_bytes(*b))
    }

    fn part(&self, at: usize, len: usize) -> &[u8] {
        self.bytes.get(at..at + len).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_keeps_its_parts_and_its_ttl() {
        let new = NewCell {
            family: "fam".into(),
            qualifier: Bytes::new(),
            timestamp: 9,
            kind: CellType::Delete,
            value: "value".into(),
        };
        let cell = StoredCell::new(&new.in_row(b"row"), Some(77), 5, RowOrder::Bytes).unwrap();
        assert_eq!(
            (cell.row(), cell.family(), cell.qualifier()),
            (&b"row"[..], &b"fam"[..], &b""[..])
        );
        assert_eq!((cell.timestamp(), cell.value(), cell.ttl()), (9, &b"value"[..], Some(77)));
        assert!(cell.is_delete());
        assert_eq!(cell.key_value().len() + 13, cell.bytes.len());
        let same = StoredCell::from_bytes(cell.bytes(), 5, RowOrder::Bytes).unwrap();
        assert_eq!((same.bytes(), same.ttl()), (cell.bytes(), Some(77)));
        for len in 0..cell.bytes().len() {
            let cut = StoredCell::from_bytes(&cell.bytes()[..len], 5, RowOrder::Bytes);
            assert_eq!(cut.is_ok(), len == cell.key_value().len(), "{len}");
        }
    }

    #[test]
    fn a_million_cells_fit_into_memory() {
        assert_eq!(size_of::<StoredCell>(), 32);
    }

    #[test]
    fn rows_are_in_the_order_of_their_starts_unless_these_are_the_same() {
        let rows: [&[u8]; 9] =
            [b"", b"\0", b"a", b"a\0", b"a\xff", b"b", b"begins", b"begins ", b"\xff"];
        for (a, b) in rows.iter().flat_map(|a| rows.map(|b| (a, b))) {
            let (start_a, start_b) = (RowOrder::Bytes.row_prefix(a), RowOrder::Bytes.row_prefix(b));
            assert!(start_a == start_b || start_a.cmp(&start_b) == (*a).cmp(b));
            assert_eq!(RowOrder::Meta.row_prefix(a), RowOrder::Meta.row_prefix(b));
        }
    }
}
