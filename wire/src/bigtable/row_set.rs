//! Row keys and row ranges.

use bytes::Bytes;
use prost::encoding::encoded_len_varint;

use super::fields::put_field_head;

/// The key of field 2 of a `ReadRowsRequest`: a [`RowSet`].
const ROWS: u8 = 2 << 3 | 2;
/// The key of field 1 of a [`RowSet`]: a row key.
const ROW_KEY: u8 = 1 << 3 | 2;

/// Row keys and row ranges; an empty set is the whole table.
#[derive(Clone, PartialEq, prost::Message)]
pub struct RowSet {
    #[prost(bytes = "bytes", repeated, tag = "1")]
    pub row_keys: Vec<Bytes>,
    #[prost(message, repeated, tag = "2")]
    pub row_ranges: Vec<RowRange>,
}

/// Encodes row keys as the field `rows` of a [`ReadRowsRequest`](super::ReadRowsRequest).
///
/// ```
/// use prost::Message;
/// use tallrow_wire::bigtable::{ReadRowsRequest, encode_row_keys};
///
/// let fields = encode_row_keys([&b"a"[..], b"b"].into_iter());
/// let rows = ReadRowsRequest::decode(&fields[..])?.rows.unwrap();
/// assert_eq!(rows.row_keys, ["a", "b"]);
/// # Ok::<(), prost::DecodeError>(())
/// ```
pub fn encode_row_keys<'a>(keys: impl Iterator<Item = &'a [u8]> + Clone) -> Vec<u8> {
    let field = |key: &[u8]| 1 + encoded_len_varint(key.len() as u64) + key.len();
    let len: usize = keys.clone().map(field).sum();
    let mut fields = Vec::with_capacity(1 + encoded_len_varint(len as u64) + len);
    put_field_head(ROWS, len, &mut fields);
    for key in keys {
        put_field_head(ROW_KEY, key.len(), &mut fields);
        fields.extend_from_slice(key);
    }
    fields
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct RowRange {
    /// Where the range begins: at the first row if it is not set.
    #[prost(oneof = "StartKey", tags = "1, 2")]
    pub start_key: Option<StartKey>,
    /// Where the range ends: at the last row if it is not set.
    #[prost(oneof = "EndKey", tags = "3, 4")]
    pub end_key: Option<EndKey>,
}

#[doc(alias = "RowRange.start_key")]
#[derive(Clone, PartialEq, Eq, prost::Oneof)]
pub enum StartKey {
    #[prost(bytes = "bytes", tag = "1")]
    StartKeyClosed(Bytes),
    #[prost(bytes = "bytes", tag = "2")]
    StartKeyOpen(Bytes),
}

#[doc(alias = "RowRange.end_key")]
#[derive(Clone, PartialEq, Eq, prost::Oneof)]
pub enum EndKey {
    #[prost(bytes = "bytes", tag = "3")]
    EndKeyOpen(Bytes),
    #[prost(bytes = "bytes", tag = "4")]
    EndKeyClosed(Bytes),
}
