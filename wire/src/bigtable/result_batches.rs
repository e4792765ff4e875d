//! The rows of a query's results, put together from the parts of a stream.
//!
//! # Invariants
//!
//! - A row is returned only after a resume token has made it final, so that no row is returned
//!   twice when the stream breaks and is resumed. Tests:
//!   `what_no_token_has_made_final_is_dropped`.

use std::collections::VecDeque;
use std::mem;

use bytes::{Buf, Bytes};

use super::crc32c::crc32c;
use super::fields::Fields;
use super::{PartialResultSet, ProtoRowsBatch};
use crate::WireError;

/// The most bytes of results that are kept before a resume token makes them final. No row of
/// Bigtable is larger.
pub const MAX_PENDING_BYTES: usize = 300 << 20;
/// The memory that a batch takes in addition to its bytes.
const BATCH_BYTES: usize = 2 * mem::size_of::<Bytes>();
/// The limit of the memory that is reserved for a batch, whatever size the service estimates: this
/// many times the bytes of the first part of the batch.
const MOST_OF_FIRST_PART: usize = 16;
/// The field of [`ProtoRows`](super::ProtoRows) that holds the values.
const VALUES: u32 = 2;

/// Puts the rows of a query's results together from the parts of a stream.
///
/// ```
/// use prost::Message;
/// use tallrow_wire::bigtable::{
///     PartialResultSet, ProtoRows, ProtoRowsBatch, ResultBatches, Value, crc32c,
/// };
///
/// let batch = ProtoRows { values: vec![Value::int(1), Value::int(2)] }.encode_to_vec();
/// let part = |data: &[u8]| PartialResultSet {
///     proto_rows_batch: Some(ProtoRowsBatch { batch_data: data.to_vec().into() }),
///     ..Default::default()
/// };
/// let mut batches = ResultBatches::default();
/// batches.add(part(&batch[..3]), 2)?;
/// assert_eq!(batches.next_row(2), None);
/// let last = PartialResultSet {
///     batch_checksum: Some(crc32c(&batch)),
///     resume_token: "after 2".into(),
///     ..part(&batch[3..])
/// };
/// batches.add(last, 2)?;
/// assert_eq!(batches.token(), "after 2");
/// let row = batches.next_row(2).unwrap();
/// assert_eq!(Value::decode(row[1].clone()).unwrap(), Value::int(2));
/// batches.finish()?;
/// # Ok::<(), tallrow_wire::WireError>(())
/// ```
#[derive(Debug, Default)]
pub struct ResultBatches {
    /// The batch that has begun.
    open: Vec<u8>,
    /// The batches since the last resume token.
    complete: Vec<Bytes>,
    /// The number of values in `complete`.
    values: usize,
    /// The number of bytes that `complete` takes. It is stored, because there may be millions of
    /// batches.
    complete_bytes: usize,
    /// The bytes of final rows that were not returned yet.
    ready: VecDeque<Bytes>,
    /// The number of values in `ready`.
    ready_values: usize,
    token: Bytes,
}

impl ResultBatches {
    /// Adds the next part of the results, whose rows have this number of columns.
    ///
    /// See [`ResultBatches`] for an example of this and the other functions.
    ///
    /// # Errors
    /// A batch whose checksum differs, or that is no message; a resume token within a batch or
    /// within a row; results of more than [`MAX_PENDING_BYTES`] without a resume token.
    pub fn add(&mut self, part: PartialResultSet, columns: usize) -> Result<(), WireError> {
        if part.reset {
            self.restart();
        }
        let data = part.proto_rows_batch.map(|ProtoRowsBatch { batch_data }| batch_data);
        let data = data.unwrap_or_default();
        if self.complete_bytes + self.open.len() + data.len() > MAX_PENDING_BYTES {
            let text =
                format!("more than {MAX_PENDING_BYTES} bytes of rows without a resume token");
            return Err(wrong(text));
        }
        let batch = match part.batch_checksum {
            // A batch in one part is not copied.
            Some(_) if self.open.is_empty() => data,
            _ => {
                let announced = usize::try_from(part.estimated_batch_size).unwrap_or(0);
                if self.open.is_empty() {
                    let most = data.len().saturating_mul(MOST_OF_FIRST_PART);
                    self.open.reserve(announced.min(most).max(data.len()));
                }
                self.open.extend_from_slice(&data);
                Bytes::new()
            }
        };
        if let Some(announced) = part.batch_checksum {
            let open = mem::take(&mut self.open);
            self.complete(if open.is_empty() { batch } else { open.into() }, announced)?;
        }
        if part.resume_token.is_empty() { Ok(()) } else { self.confirm(part.resume_token, columns) }
    }

    /// Ends a batch.
    fn complete(&mut self, batch: Bytes, announced: u32) -> Result<(), WireError> {
        let found = crc32c(&batch);
        if found != announced {
            return Err(wrong(format!(
                "an unexpected checksum mismatch: a batch of {} bytes with the CRC32C {found:#010x}, \
                 which was announced with {announced:#010x}",
                batch.len()
            )));
        }
        let mut fields = Fields::of(&batch);
        while let Some(field) = fields.next_field()? {
            if field.number == VALUES {
                field.bytes()?;
                self.values += 1;
            }
        }
        // A batch without bytes is as good as none, and a stream may have any number of them.
        if !batch.is_empty() {
            self.complete_bytes += BATCH_BYTES + batch.len();
            self.complete.push(batch);
        }
        Ok(())
    }

    /// Makes what has arrived final.
    fn confirm(&mut self, token: Bytes, columns: usize) -> Result<(), WireError> {
        if !self.open.is_empty() {
            let left = self.open.len();
            return Err(wrong(format!("a resume token after {left} bytes without a checksum")));
        }
        if !self.values.is_multiple_of(columns.max(1)) {
            let values = self.values;
            return Err(wrong(format!(
                "an incomplete row received before a resume token: {values} values for rows of \
                 {columns} columns"
            )));
        }
        self.ready.extend(self.complete.drain(..));
        self.complete_bytes = 0;
        self.ready_values += mem::take(&mut self.values);
        self.token = token;
        Ok(())
    }

    /// The last resume token; empty if there is none yet.
    pub fn token(&self) -> &Bytes {
        &self.token
    }

    /// Whether another row is final and was not returned yet.
    pub fn has_row(&self) -> bool {
        self.ready_values > 0
    }

    /// Returns the encoded values of the next row that is final; none if there is no such row.
    pub fn next_row(&mut self, columns: usize) -> Option<Vec<Bytes>> {
        if self.ready_values < columns.max(1) {
            return None;
        }
        let mut row = Vec::with_capacity(columns);
        while row.len() < columns {
            row.push(self.next_value()?);
        }
        self.ready_values -= columns;
        Some(row)
    }

    fn next_value(&mut self) -> Option<Bytes> {
        loop {
            let batch = self.ready.front_mut()?;
            let mut fields = Fields::of(batch);
            // The batch was read once, so that this does not fail.
            let Ok(Some(field)) = fields.next_field() else {
                self.ready.pop_front();
                continue;
            };
            let value = (field.number == VALUES).then(|| field.bytes().unwrap_or_default());
            let value = value.map(|value| batch.slice_ref(value));
            let read = batch.len() - fields.len_left();
            batch.advance(read);
            if value.is_some() {
                return value;
            }
        }
    }

    /// Prepares for another stream, which resumes the results at the [token](Self::token): drops
    /// what is not final.
    pub fn restart(&mut self) {
        self.open.clear();
        self.complete.clear();
        self.values = 0;
        self.complete_bytes = 0;
    }

    /// Checks, at the end of a stream, that all rows are final.
    ///
    /// # Errors
    /// Rows after the last resume token.
    pub fn finish(&self) -> Result<(), WireError> {
        match self.open.is_empty() && self.values == 0 {
            true => Ok(()),
            false => Err(wrong("the end of the stream after rows without a resume token".into())),
        }
    }
}

fn wrong(found: String) -> WireError {
    WireError::new("results", found)
}

#[cfg(test)]
mod tests {
    use prost::Message;

    use super::*;
    use crate::bigtable::{ProtoRows, Value};

    fn batch(values: impl IntoIterator<Item = i64>) -> Vec<u8> {
        ProtoRows { values: values.into_iter().map(Value::int).collect() }.encode_to_vec()
    }

    fn part(data: &[u8]) -> PartialResultSet {
        let batch_data = Bytes::copy_from_slice(data);
        PartialResultSet {
            proto_rows_batch: Some(ProtoRowsBatch { batch_data }),
            ..Default::default()
        }
    }

    fn whole(data: &[u8], token: &'static str) -> PartialResultSet {
        PartialResultSet {
            batch_checksum: Some(crc32c(data)),
            resume_token: token.into(),
            ..part(data)
        }
    }

    fn rows(batches: &mut ResultBatches, columns: usize) -> Vec<Vec<Value>> {
        let mut rows = Vec::new();
        while let Some(row) = batches.next_row(columns) {
            rows.push(row.into_iter().map(|value| Value::decode(value).unwrap()).collect());
        }
        rows
    }

    #[test]
    fn what_no_token_has_made_final_is_dropped() {
        let mut batches = ResultBatches::default();
        batches.add(whole(&batch([1, 2]), "a"), 1).unwrap();
        batches.add(whole(&batch([3]), ""), 1).unwrap();
        batches.add(part(&batch([4])), 1).unwrap();
        assert!(batches.finish().is_err());
        batches.restart();
        batches.finish().unwrap();
        assert_eq!(batches.token(), "a");
        batches.add(whole(&batch([3]), ""), 1).unwrap();
        let reset = PartialResultSet { reset: true, ..whole(&batch([5]), "b") };
        batches.add(reset, 1).unwrap();
        assert!(batches.has_row());
        assert_eq!(rows(&mut batches, 1), [1, 2, 5].map(|n| vec![Value::int(n)]));
        assert!(!batches.has_row());
        assert_eq!(batches.token(), "b");
    }

    #[test]
    fn a_row_may_be_in_several_batches() {
        let mut batches = ResultBatches::default();
        batches.add(whole(&batch([1, 2, 3]), ""), 2).unwrap();
        batches.add(PartialResultSet::default(), 2).unwrap();
        batches.add(whole(&batch([4]), "a"), 2).unwrap();
        let expected = [[1, 2], [3, 4]].map(|row| row.map(Value::int).to_vec());
        assert_eq!(rows(&mut batches, 2), expected);
        let token = PartialResultSet { resume_token: "b".into(), ..Default::default() };
        batches.add(token, 2).unwrap();
        assert_eq!(batches.next_row(2), None);
        assert_eq!(batches.token(), "b");
    }

    #[test]
    fn what_cannot_be_is_an_error() {
        let other = PartialResultSet { batch_checksum: Some(1), ..whole(&batch([1]), "a") };
        let open = PartialResultSet { resume_token: "a".into(), ..part(&batch([1])) };
        let text =
            |part, columns| ResultBatches::default().add(part, columns).unwrap_err().to_string();
        assert!(text(other, 1).contains("unexpected checksum mismatch"));
        assert!(text(open, 1).contains("a resume token after 4 bytes without a checksum"));
        assert!(text(whole(&batch([1]), "a"), 2).contains("incomplete row received"));
        assert!(text(whole(b"\x12\x05", "a"), 1).contains("bytes that are no field"));
        assert!(text(whole(b"\x10\x05", "a"), 1).contains("field 2, which is not bytes"));
        let mut batches = ResultBatches::default();
        batches.add(part(b"\x12"), 1).unwrap();
        assert!(batches.finish().unwrap_err().to_string().contains("without a resume token"));
    }

    #[test]
    fn what_is_kept_without_a_token_is_limited() {
        let bytes = BATCH_BYTES + batch([1]).len();
        let add = |batches: &mut ResultBatches, token| batches.add(whole(&batch([1]), token), 1);
        let mut batches = ResultBatches::default();
        add(&mut batches, "").unwrap();
        assert_eq!(batches.complete_bytes, bytes);
        add(&mut batches, "a").unwrap();
        assert_eq!(batches.complete_bytes, 0);
        add(&mut batches, "").unwrap();
        batches.restart();
        assert_eq!(batches.complete_bytes, 0);
        batches.complete_bytes = MAX_PENDING_BYTES - bytes;
        add(&mut batches, "").unwrap();
        let text = add(&mut batches, "").unwrap_err().to_string();
        assert!(text.contains("bytes of rows without a resume token"), "{text}");
    }

    #[test]
    fn an_empty_batch_is_as_good_as_none() {
        let mut batches = ResultBatches::default();
        for _ in 0..1_000 {
            batches.add(whole(b"", ""), 2).unwrap();
        }
        assert_eq!((batches.complete.len(), batches.complete_bytes), (0, 0));
        batches.finish().unwrap();
        batches.add(whole(&batch([1, 2]), ""), 2).unwrap();
        batches.add(whole(b"", "a"), 2).unwrap();
        assert_eq!((rows(&mut batches, 2).len(), &batches.token()[..]), (1, &b"a"[..]));
        // Its checksum is that of no bytes; a batch in parts may end with an empty one.
        let wrong = PartialResultSet { batch_checksum: Some(1), ..whole(b"", "") };
        assert!(batches.add(wrong, 2).unwrap_err().to_string().contains("checksum mismatch"));
        let values = batch([3, 4]);
        batches.add(part(&values), 2).unwrap();
        let end = PartialResultSet { batch_checksum: Some(crc32c(&values)), ..part(b"") };
        batches.add(PartialResultSet { resume_token: "b".into(), ..end }, 2).unwrap();
        assert_eq!(rows(&mut batches, 2), [[3, 4].map(Value::int).to_vec()]);
    }

    #[test]
    fn an_estimate_reserves_little() {
        let mut batches = ResultBatches::default();
        let announced = PartialResultSet { estimated_batch_size: i32::MAX, ..part(b"\x12") };
        batches.add(announced, 1).unwrap();
        assert!(batches.open.capacity() <= 64);
    }
}
