//! A chunk of a cell, as it is encoded. It borrows its parts, since rows are copied from the store
//! to the socket many times a second.

use prost::encoding::{WireType, encode_varint, encoded_len_varint, key_len};

/// A chunk of a cell. A row key, family or qualifier that is `None` is the same as in the chunk
/// before.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Chunk<'a> {
    pub(super) row_key: Option<&'a [u8]>,
    pub(super) family: Option<&'a [u8]>,
    pub(super) qualifier: Option<&'a [u8]>,
    pub(super) timestamp_micros: i64,
    pub(super) label: Option<&'a str>,
    pub(super) value: &'a [u8],
    /// The size of the whole value, if more of it follows.
    pub(super) value_size: Option<usize>,
    pub(super) end: Option<RowEnd>,
}

/// How a row ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowEnd {
    Reset,
    Commit,
}

/// The field number of the chunks in a `ReadRowsResponse`.
const CHUNKS: u32 = 1;

impl Chunk<'_> {
    /// Appends the chunk, as a field of a `ReadRowsResponse`.
    pub(super) fn append(&self, out: &mut Vec<u8>) {
        put_key(CHUNKS, WireType::LengthDelimited, out);
        put_varint(self.len() as u64, out);
        if let Some(row_key) = self.row_key {
            put_bytes(1, row_key, out);
        }
        for (tag, wrapped) in [(2, self.family), (3, self.qualifier)] {
            if let Some(wrapped) = wrapped {
                put_key(tag, WireType::LengthDelimited, out);
                put_varint(wrapped_len(wrapped) as u64, out);
                if !wrapped.is_empty() {
                    put_bytes(1, wrapped, out);
                }
            }
        }
        if self.timestamp_micros != 0 {
            put_key(4, WireType::Varint, out);
            put_varint(self.timestamp_micros.cast_unsigned(), out);
        }
        if let Some(label) = self.label {
            put_bytes(5, label.as_bytes(), out);
        }
        if !self.value.is_empty() {
            put_bytes(6, self.value, out);
        }
        if let Some(size) = self.value_size {
            put_key(7, WireType::Varint, out);
            put_varint(size as u64, out);
        }
        if let Some(end) = self.end {
            put_key(end.tag(), WireType::Varint, out);
            put_varint(1, out);
        }
    }

    fn len(&self) -> usize {
        let wrapped = |tag, bytes: &[u8]| field_len(tag, wrapped_len(bytes));
        let varint = |tag, value| key_len(tag) + encoded_len_varint(value);
        let micros = self.timestamp_micros.cast_unsigned();
        self.row_key.map_or(0, |key| field_len(1, key.len()))
            + self.family.map_or(0, |family| wrapped(2, family))
            + self.qualifier.map_or(0, |qualifier| wrapped(3, qualifier))
            + if micros == 0 { 0 } else { varint(4, micros) }
            + self.label.map_or(0, |label| field_len(5, label.len()))
            + if self.value.is_empty() { 0 } else { field_len(6, self.value.len()) }
            + self.value_size.map_or(0, |size| varint(7, size as u64))
            + self.end.map_or(0, |end| varint(end.tag(), 1))
    }
}

impl RowEnd {
    fn tag(self) -> u32 {
        match self {
            Self::Reset => 8,
            Self::Commit => 9,
        }
    }
}

fn put_key(tag: u32, wire_type: WireType, out: &mut Vec<u8>) {
    put_varint(u64::from(tag << 3 | wire_type as u32), out);
}

fn put_varint(value: u64, out: &mut Vec<u8>) {
    match value {
        ..0x80 => out.push(value as u8),
        _ => encode_varint(value, out),
    }
}

fn put_bytes(tag: u32, bytes: &[u8], out: &mut Vec<u8>) {
    put_key(tag, WireType::LengthDelimited, out);
    put_varint(bytes.len() as u64, out);
    out.extend_from_slice(bytes);
}

fn field_len(tag: u32, len: usize) -> usize {
    key_len(tag) + encoded_len_varint(len as u64) + len
}

/// The length of a `google.protobuf.BytesValue` or `StringValue` with these bytes.
fn wrapped_len(bytes: &[u8]) -> usize {
    if bytes.is_empty() { 0 } else { field_len(1, bytes.len()) }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use prost::Message;
    use tallrow_wire::bigtable::{CellChunk, ReadRowsResponse, RowStatus};

    use super::*;

    #[test]
    fn chunks_are_written_as_the_message_is() {
        let chunks = [
            Chunk {
                row_key: Some(b"r"),
                family: Some(b"f"),
                qualifier: Some(b""),
                timestamp_micros: -1,
                label: Some("l"),
                value: &[7; 300],
                value_size: Some(1000),
                end: None,
            },
            Chunk { value: b"end", end: Some(RowEnd::Commit), ..Chunk::default() },
            Chunk { end: Some(RowEnd::Reset), ..Chunk::default() },
        ];
        let mut out = Vec::new();
        chunks.iter().for_each(|c| c.append(&mut out));
        let first = CellChunk {
            row_key: "r".into(),
            family_name: Some("f".into()),
            qualifier: Some(Bytes::new()),
            timestamp_micros: -1,
            labels: vec!["l".into()],
            value: vec![7; 300].into(),
            value_size: 1000,
            row_status: None,
        };
        let end = |value: &'static str, row_status| CellChunk {
            value: value.into(),
            row_status: Some(row_status),
            ..Default::default()
        };
        let chunks =
            vec![first, end("end", RowStatus::CommitRow(true)), end("", RowStatus::ResetRow(true))];
        let expected = ReadRowsResponse { chunks, ..Default::default() };
        assert_eq!(ReadRowsResponse::decode(&out[..]).unwrap(), expected);
        assert_eq!(out.len(), expected.encoded_len());
    }
}
