//! The mutations of one row, in the encoding in which they are sent.

use bytes::{BufMut, Bytes};
use prost::Message;
use prost::encoding::{self, decode_varint, encoded_len_varint};

use super::fields::{put_field_head, put_varint};
use super::{Idempotency, MutateRowRequest, Mutation};

/// The key of field 3 of a `MutateRowRequest`, which has a mutation.
const IN_MUTATE_ROW: u8 = 3 << 3 | 2;
/// The key of field 2 of an entry, which has a mutation. [`ENTRY`] is the key of field 2 of a
/// `MutateRowsRequest`, which has an entry.
const IN_ENTRY: u8 = 2 << 3 | 2;
const ENTRY: u8 = 2 << 3 | 2;
/// The key of field 1, which has bytes: the row key of an entry, the `SetCell` of a mutation, or
/// the family of a `SetCell`.
const FIRST: u8 = 1 << 3 | 2;
const QUALIFIER: u8 = 2 << 3 | 2;
const TIMESTAMP: u8 = 3 << 3;
const VALUE: u8 = 4 << 3 | 2;
/// The key of field 3 of an entry: its idempotency.
const IDEMPOTENCY: u8 = 3 << 3 | 2;
/// The most bytes of a field key and a length.
const MAX_KEY: usize = 11;

/// Mutations, encoded one after the other as fields of a [`MutateRowRequest`].
///
/// [`set_cell`](Self::set_cell) encodes a cell from its parts, without a [`Mutation`] message.
///
/// ```
/// use prost::Message;
/// use tallrow_wire::bigtable::{EncodedMutations, MutateRowRequest, MutateRowsRequest};
///
/// let mut mutations = EncodedMutations::default();
/// mutations.set_cell("f", b"q", -1, b"value");
/// assert_eq!(mutations.len(), 1);
/// let request = MutateRowRequest::decode(mutations.fields())?;
/// assert_eq!(request.mutations, mutations.decode());
///
/// let mut entries = Vec::new();
/// mutations.put_entry(b"row", None, &mut entries);
/// let entries = MutateRowsRequest::decode(&entries[..])?.entries;
/// assert_eq!(entries[0].row_key, "row");
/// assert_eq!(entries[0].mutations, mutations.decode());
/// # Ok::<(), prost::DecodeError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EncodedMutations {
    fields: Vec<u8>,
    len: usize,
}

impl EncodedMutations {
    /// The number of mutations.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no mutations.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The mutations, encoded as fields of a [`MutateRowRequest`].
    pub fn fields(&self) -> &[u8] {
        &self.fields
    }

    /// Adds a mutation.
    pub fn push(&mut self, mutation: &Mutation) {
        put_field_head(IN_MUTATE_ROW, mutation.encoded_len(), &mut self.fields);
        mutation.encode_raw(&mut self.fields);
        self.len += 1;
    }

    /// Adds a [`SetCell`](super::SetCell).
    pub fn set_cell(
        &mut self,
        family: &str,
        qualifier: &[u8],
        timestamp_micros: i64,
        value: &[u8],
    ) {
        let time = timestamp_micros.cast_unsigned();
        let of_time = if time == 0 { 0 } else { 1 + encoded_len_varint(time) };
        let cell = field_len(family.as_bytes()) + field_len(qualifier) + of_time + field_len(value);
        let mutation = 1 + encoded_len_varint(cell as u64) + cell;
        let len = 1 + encoded_len_varint(mutation as u64) + mutation;
        match self.fields.capacity() {
            // Allocating a buffer takes fewer instructions than growing an empty one.
            0 => self.fields = Vec::with_capacity(len),
            _ => self.fields.reserve(len),
        }
        put_field_head(IN_MUTATE_ROW, mutation, &mut self.fields);
        put_field_head(FIRST, cell, &mut self.fields);
        put_bytes(FIRST, family.as_bytes(), &mut self.fields);
        put_bytes(QUALIFIER, qualifier, &mut self.fields);
        if time != 0 {
            self.fields.push(TIMESTAMP);
            put_varint(time, &mut self.fields);
        }
        put_bytes(VALUE, value, &mut self.fields);
        self.len += 1;
    }

    /// Decodes the mutations.
    pub fn decode(&self) -> Vec<Mutation> {
        // This type encoded the fields, so decoding them does not fail.
        MutateRowRequest::decode(&*self.fields).map(|request| request.mutations).unwrap_or_default()
    }

    /// Returns a copy in which each cell without a timestamp (-1) has this timestamp.
    pub fn with_timestamp_if_unset(&self, timestamp_micros: i64) -> Self {
        let mut dated = Self::default();
        for mut mutation in self.decode() {
            mutation.set_timestamp_if_unset(timestamp_micros);
            dated.push(&mutation);
        }
        dated
    }

    /// Appends the mutations to `buffer`, encoded as an entry field of a
    /// [`MutateRowsRequest`](super::MutateRowsRequest).
    pub fn put_entry(
        &self,
        row_key: &[u8],
        idempotency: Option<&Idempotency>,
        buffer: &mut Vec<u8>,
    ) {
        let of_token = idempotency.map_or(0, |idempotency| {
            let len = idempotency.encoded_len();
            1 + encoded_len_varint(len as u64) + len
        });
        let len = field_len(row_key) + self.fields.len() + of_token;
        buffer.reserve(MAX_KEY + len);
        put_field_head(ENTRY, len, buffer);
        put_bytes(FIRST, row_key, buffer);
        let mut rest = &*self.fields;
        while let [IN_MUTATE_ROW, fields @ ..] = rest {
            let mut mutation = fields;
            // This type encoded the fields, so decoding the length does not fail.
            let len = decode_varint(&mut mutation).unwrap_or_default() as usize;
            let (mutation, next) = mutation.split_at(len.min(mutation.len()));
            put_field_head(IN_ENTRY, mutation.len(), buffer);
            buffer.extend_from_slice(mutation);
            rest = next;
        }
        if let Some(idempotency) = idempotency {
            put_field_head(IDEMPOTENCY, idempotency.encoded_len(), buffer);
            idempotency.encode_raw(buffer);
        }
    }
}

/// A [`MutateRowRequest`] that borrows its parts, without the fields that name its table.
///
/// ```
/// use bytes::Bytes;
/// use prost::Message;
/// use tallrow_wire::bigtable::{EncodedMutations, MutateRow, MutateRowRequest};
///
/// let mut mutations = EncodedMutations::default();
/// mutations.set_cell("f", b"q", -1, b"value");
/// let row_key = Bytes::from("row");
/// let request = MutateRow { row_key: &row_key, mutations: &mutations, idempotency: None };
/// let mut encoded = Vec::new();
/// request.encode(&mut encoded);
/// assert_eq!(encoded.len(), request.encoded_len());
/// let decoded = MutateRowRequest::decode(&encoded[..])?;
/// assert_eq!((decoded.row_key, decoded.mutations), (row_key, mutations.decode()));
/// # Ok::<(), prost::DecodeError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct MutateRow<'a> {
    pub row_key: &'a Bytes,
    pub mutations: &'a EncodedMutations,
    pub idempotency: Option<&'a Idempotency>,
}

impl MutateRow<'_> {
    const ROW_KEY: u32 = 2;
    const IDEMPOTENCY: u32 = 8;

    /// Returns how many bytes [`encode`](Self::encode) appends.
    pub fn encoded_len(&self) -> usize {
        let of_token = self
            .idempotency
            .map_or(0, |token| encoding::message::encoded_len(Self::IDEMPOTENCY, token));
        encoding::bytes::encoded_len(Self::ROW_KEY, self.row_key)
            + self.mutations.fields.len()
            + of_token
    }

    /// Appends the fields of the request.
    pub fn encode(&self, buffer: &mut impl BufMut) {
        encoding::bytes::encode(Self::ROW_KEY, self.row_key, buffer);
        buffer.put_slice(&self.mutations.fields);
        if let Some(token) = self.idempotency {
            encoding::message::encode(Self::IDEMPOTENCY, token, buffer);
        }
    }
}

/// The encoded length of a field of bytes; 0 if the value is empty, as the field is then left out.
fn field_len(bytes: &[u8]) -> usize {
    match bytes.len() {
        0 => 0,
        len => 1 + encoded_len_varint(len as u64) + len,
    }
}

fn put_bytes(key: u8, bytes: &[u8], buffer: &mut Vec<u8>) {
    if !bytes.is_empty() {
        put_field_head(key, bytes.len(), buffer);
        buffer.extend_from_slice(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bigtable::{Change, DeleteFromRow, MutateRowsEntry, MutateRowsRequest, SetCell};

    fn set(family: &str, qualifier: &str, timestamp_micros: i64, value: &[u8]) -> Mutation {
        let (family_name, column_qualifier) = (family.to_owned(), qualifier.to_owned().into());
        let value = value.to_vec().into();
        let cell = SetCell { family_name, column_qualifier, timestamp_micros, value };
        Mutation { mutation: Some(Change::SetCell(cell)) }
    }

    #[test]
    fn a_set_cell_is_encoded_as_its_message() {
        let long = vec![7; 70_000];
        let values = [&b""[..], b"v", &long[..200], &long];
        for (time, value) in [-1, 0, 1, i64::MAX].iter().flat_map(|t| values.map(|v| (*t, v))) {
            for qualifier in ["", "q"] {
                let message = set("family", qualifier, time, value);
                let (mut parts, mut whole) = <(EncodedMutations, EncodedMutations)>::default();
                parts.set_cell("family", qualifier.as_bytes(), time, value);
                whole.push(&message);
                assert_eq!(parts, whole);
                assert_eq!(parts.decode(), [message]);
            }
        }
    }

    #[test]
    fn an_entry_is_encoded_as_its_message() {
        let mut mutations = EncodedMutations::default();
        let all = [
            set("f", "a", -1, b"1"),
            Mutation { mutation: Some(Change::DeleteFromRow(DeleteFromRow {})) },
            set("f", "b", 5_000, &[1; 300]),
        ];
        all.iter().for_each(|mutation| mutations.push(mutation));
        assert_eq!((mutations.len(), mutations.is_empty()), (3, false));
        let mut encoded = Vec::new();
        let token = Some(Idempotency { token: [9; 16].to_vec().into(), start_time: None });
        mutations.put_entry(b"row", token.as_ref(), &mut encoded);
        mutations.put_entry(b"", None, &mut encoded);
        let entry = |row_key: &'static str, idempotency| MutateRowsEntry {
            row_key: row_key.into(),
            mutations: all.to_vec(),
            idempotency,
        };
        let request = MutateRowsRequest::decode(&encoded[..]).unwrap();
        assert_eq!(request.entries, [entry("row", token), entry("", None)]);
        assert_eq!(request.encode_to_vec(), encoded);
    }

    #[test]
    fn a_request_is_encoded_as_its_message() {
        let mut mutations = EncodedMutations::default();
        mutations.set_cell("f", b"q", 1_000, &[7; 300]);
        let row_key = Bytes::from("row");
        let token = Idempotency { token: [9; 16].to_vec().into(), ..Idempotency::default() };
        for idempotency in [None, Some(&token)] {
            let request = MutateRow { row_key: &row_key, mutations: &mutations, idempotency };
            let mut encoded = Vec::new();
            request.encode(&mut encoded);
            let message = MutateRowRequest {
                row_key: row_key.clone(),
                mutations: mutations.decode(),
                idempotency: idempotency.cloned(),
                ..MutateRowRequest::default()
            };
            assert_eq!(encoded, message.encode_to_vec());
            assert_eq!(encoded.len(), request.encoded_len());
        }
    }

    #[test]
    fn only_cells_without_a_time_get_one() {
        let mut mutations = EncodedMutations::default();
        mutations.set_cell("f", b"a", -1, b"1");
        mutations.set_cell("f", b"b", 7_000, b"2");
        let dated = [set("f", "a", 9_000, b"1"), set("f", "b", 7_000, b"2")];
        assert_eq!(mutations.with_timestamp_if_unset(9_000).decode(), dated);
    }
}
