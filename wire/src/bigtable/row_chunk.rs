//! The chunks of a ReadRows response, borrowed from its bytes.

use prost::Message;

use super::fields::{Field, Fields};
use super::{CellChunk, RequestStats, RowStatus};
use crate::WireError;

/// A [`CellChunk`] that borrows from its message.
///
/// ```
/// use prost::Message;
/// use tallrow_wire::bigtable::{
///     CellChunk, ReadRowsPart, ReadRowsResponse, RowChunk, read_rows_parts,
/// };
///
/// let chunk = CellChunk {
///     row_key: "r".into(),
///     qualifier: Some("q".into()),
///     value: "v".into(),
///     ..Default::default()
/// };
/// let message =
///     ReadRowsResponse { chunks: vec![chunk], last_scanned_row_key: "s".into(), ..Default::default() }
///         .encode_to_vec();
/// let mut parts = read_rows_parts(&message);
/// let expected =
///     RowChunk { row_key: b"r", qualifier: Some(b"q"), value: b"v", ..Default::default() };
/// assert_eq!(parts.next(), Some(Ok(ReadRowsPart::Chunk(expected))));
/// assert_eq!(parts.next(), Some(Ok(ReadRowsPart::Scanned(b"s"))));
/// assert_eq!(parts.next(), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowChunk<'a> {
    pub row_key: &'a [u8],
    /// Not checked to be UTF-8.
    pub family_name: Option<&'a [u8]>,
    pub qualifier: Option<&'a [u8]>,
    pub timestamp_micros: i64,
    /// Not checked to be UTF-8.
    pub labels: Vec<&'a [u8]>,
    pub value: &'a [u8],
    pub value_size: i32,
    pub row_status: Option<RowStatus>,
}

impl<'a> RowChunk<'a> {
    /// Decodes an encoded [`CellChunk`].
    ///
    /// ```
    /// use tallrow_wire::bigtable::RowChunk;
    ///
    /// assert_eq!(RowChunk::decode(b"\x0a\x01r").unwrap().row_key, b"r");
    /// ```
    ///
    /// # Errors
    /// Bytes that are not a message.
    pub fn decode(message: &'a [u8]) -> Result<Self, WireError> {
        let mut chunk = Self::default();
        let mut fields = Fields::of(message);
        while let Some(field) = fields.next_field()? {
            match field.number {
                1 => chunk.row_key = field.bytes()?,
                2 => chunk.family_name = Some(wrapped(&field)?),
                3 => chunk.qualifier = Some(wrapped(&field)?),
                4 => chunk.timestamp_micros = field.int64()?,
                5 => chunk.labels.push(field.bytes()?),
                6 => chunk.value = field.bytes()?,
                // Protobuf, too, truncates numbers that are too large for their field.
                7 => chunk.value_size = field.int64()? as i32,
                8 => chunk.row_status = Some(RowStatus::ResetRow(field.int64()? != 0)),
                9 => chunk.row_status = Some(RowStatus::CommitRow(field.int64()? != 0)),
                _ => {}
            }
        }
        Ok(chunk)
    }
}

/// Returns field 1 of a `StringValue` or a `BytesValue`.
fn wrapped<'a>(field: &Field<'a>) -> Result<&'a [u8], WireError> {
    Ok(Fields::of(field.bytes()?).last(1)?.unwrap_or_default())
}

impl<'a> From<&'a CellChunk> for RowChunk<'a> {
    fn from(chunk: &'a CellChunk) -> Self {
        Self {
            row_key: &chunk.row_key,
            family_name: chunk.family_name.as_deref().map(str::as_bytes),
            qualifier: chunk.qualifier.as_deref(),
            timestamp_micros: chunk.timestamp_micros,
            labels: chunk.labels.iter().map(String::as_bytes).collect(),
            value: &chunk.value,
            value_size: chunk.value_size,
            row_status: chunk.row_status,
        }
    }
}

/// A part of a [`ReadRowsResponse`](super::ReadRowsResponse).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadRowsPart<'a> {
    Chunk(RowChunk<'a>),
    /// The key up to which the server has read, if that is further than the last row.
    Scanned(&'a [u8]),
    /// The statistics of the read, in the last response.
    Stats(RequestStats),
}

/// Decodes the parts of a [`ReadRowsResponse`](super::ReadRowsResponse), in the order of its bytes.
/// The iterator ends after an error.
///
/// See [`RowChunk`] for an example.
pub fn read_rows_parts(
    message: &[u8],
) -> impl Iterator<Item = Result<ReadRowsPart<'_>, WireError>> {
    Fields::of(message).filter_map(|field| match field.number {
        1 => Ok(Some(ReadRowsPart::Chunk(RowChunk::decode(field.bytes()?)?))),
        2 => Ok(Some(field.bytes()?).filter(|key| !key.is_empty()).map(ReadRowsPart::Scanned)),
        3 => {
            let stats = RequestStats::decode(field.bytes()?)
                .map_err(|error| WireError::new("request_stats", error.to_string()))?;
            Ok(Some(ReadRowsPart::Stats(stats)))
        }
        _ => Ok(None),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_is_read_as_its_message() {
        let full = CellChunk {
            row_key: "row".into(),
            family_name: Some("f".into()),
            qualifier: Some("".into()),
            timestamp_micros: -1,
            labels: vec!["a".into(), "b".into()],
            value: vec![7; 300].into(),
            value_size: i32::MAX,
            row_status: Some(RowStatus::CommitRow(true)),
        };
        let reset =
            CellChunk { row_status: Some(RowStatus::ResetRow(false)), ..CellChunk::default() };
        for chunk in [full, reset, CellChunk::default()] {
            let message = chunk.encode_to_vec();
            assert_eq!(RowChunk::decode(&message).unwrap(), RowChunk::from(&chunk));
        }
    }

    #[test]
    fn a_negative_size_is_one() {
        let chunk = CellChunk { value_size: -5, ..CellChunk::default() };
        assert_eq!(RowChunk::decode(&chunk.encode_to_vec()).unwrap().value_size, -5);
    }

    #[test]
    fn an_error_is_the_last_part() {
        let mut parts = read_rows_parts(b"\x0a\x02\x0a\x00\x1a\x01x\x0a\x01\xff");
        assert_eq!(parts.next(), Some(Ok(ReadRowsPart::Chunk(RowChunk::default()))));
        assert!(parts.next().unwrap().is_err());
        assert_eq!(parts.next(), None);
    }
}
