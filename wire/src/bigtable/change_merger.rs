//! Puts the changes of a change stream together from the parts in which they are sent.
//!
//! # Invariants
//!
//! - No more is reserved for a value than follows from the bytes that have arrived, whatever size
//!   is announced. Tests: `a_size_that_is_only_announced_reserves_nothing`.
//! - A change that never ends is an error after a bounded number of messages, and what is kept of
//!   it until then is bounded. Tests: `a_change_that_never_ends_is_an_error`.

use std::mem;

use bytes::{Bytes, BytesMut};

use super::{
    Change, ChunkInfo, DataChange, DataChangeType, Mutation, MutationChunk, SetCell, StreamRecord,
};
use crate::WireError;

/// The most bytes of one change that are kept until it is complete, with those that each mutation
/// takes besides its content. No row of Bigtable is larger.
pub const MAX_CHANGE_BYTES: usize = 300 << 20;
/// The most messages of one change that have nothing of it.
const MOST_EMPTY_MESSAGES: u32 = 1_000;
/// How many times the bytes of the first part of a value are reserved at most for the whole value,
/// whatever size is announced.
const MOST_OF_FIRST_PART: usize = 16;

/// Puts the changes of one stream together.
///
/// ```
/// use tallrow_wire::bigtable::{
///     Change, ChangeMerger, ChunkInfo, DataChange, DataChangeType, Mutation, MutationChunk, SetCell,
///     StreamRecord, Timestamp,
/// };
///
/// let part = |value: &'static str, chunked_value_offset, last_chunk| MutationChunk {
///     chunk_info: Some(ChunkInfo { chunked_value_size: 5, chunked_value_offset, last_chunk }),
///     mutation: Some(Mutation {
///         mutation: Some(Change::SetCell(SetCell { value: value.into(), ..Default::default() })),
///     }),
/// };
/// let first = DataChange {
///     r#type: DataChangeType::User as i32,
///     row_key: "r".into(),
///     commit_timestamp: Some(Timestamp { seconds: 1, nanos: 0 }),
///     chunks: vec![part("abc", 0, false)],
///     ..Default::default()
/// };
/// let last = DataChange {
///     r#type: DataChangeType::Continuation as i32,
///     chunks: vec![part("de", 3, true)],
///     done: true,
///     token: "after r".into(),
///     ..Default::default()
/// };
/// let mut merger = ChangeMerger::default();
/// assert_eq!(merger.add(StreamRecord::DataChange(first))?, None);
/// let Some(StreamRecord::DataChange(whole)) = merger.add(StreamRecord::DataChange(last))? else {
///     panic!("it is not complete");
/// };
/// assert_eq!((&whole.row_key[..], &*whole.token, whole.chunks.len()), (&b"r"[..], "after r", 1));
/// let Some(Change::SetCell(set)) = whole.chunks[0].mutation.clone().unwrap().mutation else {
///     panic!("it is no cell");
/// };
/// assert_eq!(set.value, "abcde");
/// # Ok::<(), tallrow_wire::WireError>(())
/// ```
#[derive(Debug, Default)]
pub struct ChangeMerger {
    /// The change that is not complete.
    open: Option<DataChange>,
    /// The cell whose value is not complete.
    value: Option<OpenValue>,
    /// The bytes of the change that is not complete.
    bytes: usize,
    /// The messages of the change that had nothing of it.
    empty_messages: u32,
}

#[derive(Debug)]
struct OpenValue {
    cell: SetCell,
    value: BytesMut,
}

impl ChangeMerger {
    /// Adds the next message. Returns a whole change, whose mutations have no parts, or the message
    /// if it is no change.
    ///
    /// See [`ChangeMerger`] for an example.
    ///
    /// # Errors
    /// A message that is none of the change that has begun; a value of another size than was
    /// announced; a change without a row key, a time or a token; a change of more than
    /// [`MAX_CHANGE_BYTES`], or with many messages that have nothing of it.
    pub fn add(&mut self, record: StreamRecord) -> Result<Option<StreamRecord>, WireError> {
        match record {
            StreamRecord::DataChange(part) => {
                let whole = self.add_part(part)?;
                Ok(whole.map(StreamRecord::DataChange))
            }
            _ if self.open.is_some() => {
                Err(wrong("a heartbeat or the end of the stream within a change"))
            }
            other => Ok(Some(other)),
        }
    }

    /// Forgets the change that is not complete, because the stream has ended.
    ///
    /// ```
    /// use tallrow_wire::bigtable::{ChangeMerger, Heartbeat, StreamRecord};
    ///
    /// let mut merger = ChangeMerger::default();
    /// merger.restart();
    /// let heartbeat = StreamRecord::Heartbeat(Heartbeat::default());
    /// assert_eq!(merger.add(heartbeat.clone())?, Some(heartbeat));
    /// # Ok::<(), tallrow_wire::WireError>(())
    /// ```
    pub fn restart(&mut self) {
        *self = Self::default();
    }

    fn add_part(&mut self, mut part: DataChange) -> Result<Option<DataChange>, WireError> {
        let (chunks, token) = (mem::take(&mut part.chunks), mem::take(&mut part.token));
        let DataChange { done, estimated_low_watermark, .. } = part;
        let mut change = match self.open.take() {
            Some(_) if part.r#type != DataChangeType::Continuation as i32 => {
                return Err(wrong("a change within another"));
            }
            Some(change) => change,
            None => {
                if !matches!(
                    DataChangeType::try_from(part.r#type),
                    Ok(DataChangeType::User | DataChangeType::GarbageCollection)
                ) {
                    return Err(wrong(format!("a change of the unknown type {}", part.r#type)));
                }
                if part.row_key.is_empty() {
                    return Err(wrong("a change without a row key"));
                }
                if part.commit_timestamp.is_none() {
                    return Err(wrong("a change without the time at which it was made"));
                }
                part
            }
        };
        if chunks.is_empty() && !done {
            self.empty_messages = self.empty_messages.saturating_add(1);
            if self.empty_messages > MOST_EMPTY_MESSAGES {
                let text = format!("a change of more than {MOST_EMPTY_MESSAGES} empty messages");
                return Err(wrong(text));
            }
        }
        for chunk in chunks {
            let len =
                prost::Message::encoded_len(&chunk).saturating_add(size_of::<MutationChunk>());
            self.bytes = self.bytes.saturating_add(len);
            if self.bytes > MAX_CHANGE_BYTES {
                return Err(wrong(format!("a change of more than {MAX_CHANGE_BYTES} bytes")));
            }
            if let Some(mutation) = self.add_chunk(chunk)? {
                change.chunks.push(MutationChunk { chunk_info: None, mutation: Some(mutation) });
            }
        }
        if !done {
            self.open = Some(change);
            return Ok(None);
        }
        if self.value.is_some() {
            return Err(wrong("a change that ends within a value"));
        }
        if token.is_empty() {
            return Err(wrong("a change without a continuation token"));
        }
        (self.bytes, self.empty_messages) = (0, 0);
        Ok(Some(DataChange { done, token, estimated_low_watermark, ..change }))
    }

    /// Adds a mutation or a part of one. Returns a whole mutation.
    fn add_chunk(&mut self, chunk: MutationChunk) -> Result<Option<Mutation>, WireError> {
        let Some(mutation) = chunk.mutation else { return Err(wrong("a part without a mutation")) };
        let Some(info) = chunk.chunk_info else {
            return match self.value {
                Some(_) => Err(wrong("a mutation within a value")),
                None => Ok(Some(mutation)),
            };
        };
        let Some(Change::SetCell(part)) = mutation.mutation else {
            return Err(wrong("a part of a mutation that is no SetCell"));
        };
        let open = match self.value.take() {
            Some(open) => open,
            None => {
                let value = BytesMut::with_capacity(reserved(&info, part.value.len()));
                OpenValue { cell: SetCell { value: Bytes::new(), ..part.clone() }, value }
            }
        };
        self.add_to_value(open, &info, &part.value)
    }

    fn add_to_value(
        &mut self,
        mut open: OpenValue,
        info: &ChunkInfo,
        part: &[u8],
    ) -> Result<Option<Mutation>, WireError> {
        let (found, offset) = (open.value.len(), info.chunked_value_offset);
        if usize::try_from(offset) != Ok(found) {
            return Err(wrong(format!("a part of a value at {offset} after {found} bytes")));
        }
        open.value.extend_from_slice(part);
        if !info.last_chunk {
            self.value = Some(open);
            return Ok(None);
        }
        let (found, announced) = (open.value.len(), info.chunked_value_size);
        if usize::try_from(announced) != Ok(found) {
            return Err(wrong(format!("a value of {found} bytes, announced with {announced}")));
        }
        let value = mem::take(&mut open.value).freeze();
        Ok(Some(Mutation { mutation: Some(Change::SetCell(SetCell { value, ..open.cell })) }))
    }
}

/// How many bytes are reserved for a value whose first part has arrived.
fn reserved(info: &ChunkInfo, arrived: usize) -> usize {
    let announced = usize::try_from(info.chunked_value_size).unwrap_or(0);
    announced.min(arrived.saturating_mul(MOST_OF_FIRST_PART)).max(arrived)
}

fn wrong(text: impl Into<String>) -> WireError {
    WireError::new("change stream", text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bigtable::{CloseStream, DeleteFromRow, Heartbeat, Timestamp};

    fn set(value: &'static [u8]) -> Mutation {
        let cell = SetCell {
            family_name: "f".into(),
            column_qualifier: "q".into(),
            timestamp_micros: 1_000,
            value: value.into(),
        };
        Mutation { mutation: Some(Change::SetCell(cell)) }
    }

    fn whole(mutation: Mutation) -> MutationChunk {
        MutationChunk { chunk_info: None, mutation: Some(mutation) }
    }

    fn part(value: &'static [u8], offset: i32, size: i32, last_chunk: bool) -> MutationChunk {
        let info = ChunkInfo { chunked_value_size: size, chunked_value_offset: offset, last_chunk };
        MutationChunk { chunk_info: Some(info), mutation: Some(set(value)) }
    }

    fn first(chunks: Vec<MutationChunk>) -> DataChange {
        DataChange {
            r#type: DataChangeType::User as i32,
            source_cluster_id: "c".into(),
            row_key: "r".into(),
            commit_timestamp: Some(Timestamp { seconds: 7, nanos: 0 }),
            tiebreaker: 3,
            chunks,
            ..DataChange::default()
        }
    }

    fn next(chunks: Vec<MutationChunk>) -> DataChange {
        let r#type = DataChangeType::Continuation as i32;
        DataChange { r#type, chunks, ..DataChange::default() }
    }

    fn done(change: DataChange) -> DataChange {
        let estimated_low_watermark = Some(Timestamp { seconds: 6, nanos: 0 });
        DataChange { done: true, token: "t".into(), estimated_low_watermark, ..change }
    }

    fn merged(parts: Vec<DataChange>) -> Result<Vec<DataChange>, WireError> {
        let mut merger = ChangeMerger::default();
        let mut found = Vec::new();
        for part in parts {
            match merger.add(StreamRecord::DataChange(part))? {
                Some(StreamRecord::DataChange(change)) => found.push(change),
                Some(other) => panic!("{other:?}"),
                None => {}
            }
        }
        assert!(merger.open.is_none() && merger.value.is_none() && merger.bytes == 0);
        assert_eq!(merger.empty_messages, 0);
        Ok(found)
    }

    #[test]
    fn a_change_is_the_same_in_one_part_and_in_many() {
        let delete = Mutation { mutation: Some(Change::DeleteFromRow(DeleteFromRow {})) };
        let expected =
            done(first(vec![whole(delete.clone()), whole(set(b"abcde")), whole(set(b""))]));
        let divided = vec![
            first(vec![]),
            next(vec![whole(delete), part(b"ab", 0, 5, false)]),
            next(vec![part(b"", 2, 5, false), part(b"cd", 2, 5, false)]),
            next(vec![part(b"e", 4, 5, true), part(b"", 0, 0, true)]),
            done(next(vec![])),
        ];
        let found = merged([divided, vec![expected.clone()]].concat()).unwrap();
        assert_eq!(found, [expected.clone(), expected]);
    }

    #[test]
    fn what_does_not_fit_together_is_an_error() {
        let cases = [
            (vec![done(next(vec![]))], "the unknown type 3"),
            (vec![DataChange { r#type: 9, ..first(vec![]) }], "the unknown type 9"),
            (vec![DataChange { row_key: Bytes::new(), ..first(vec![]) }], "without a row key"),
            (vec![DataChange { commit_timestamp: None, ..first(vec![]) }], "without the time"),
            (vec![first(vec![]), first(vec![])], "within another"),
            (vec![DataChange { done: true, ..first(vec![]) }], "without a continuation token"),
            (vec![done(first(vec![part(b"a", 0, 2, false)]))], "ends within a value"),
            (vec![first(vec![part(b"a", 1, 2, false)])], "at 1 after 0 bytes"),
            (vec![first(vec![part(b"a", 0, 3, false), part(b"b", 2, 3, true)])], "at 2 after 1"),
            (vec![first(vec![part(b"a", 0, 2, true)])], "of 1 bytes, announced with 2"),
            (vec![first(vec![part(b"a", 0, -1, true)])], "of 1 bytes, announced with -1"),
            (vec![first(vec![part(b"a", 0, 2, false), whole(set(b"b"))])], "within a value"),
            (vec![first(vec![MutationChunk::default()])], "without a mutation"),
            (
                vec![first(vec![MutationChunk {
                    mutation: Some(Mutation::default()),
                    ..part(b"", 0, 0, true)
                }])],
                "no SetCell",
            ),
        ];
        for (parts, expected) in cases {
            let error = merged(parts).unwrap_err().to_string();
            assert!(error.contains(expected), "no {expected:?} in {error}");
        }
        for within in [
            StreamRecord::Heartbeat(Heartbeat::default()),
            StreamRecord::CloseStream(CloseStream::default()),
        ] {
            let mut merger = ChangeMerger::default();
            assert_eq!(merger.add(within.clone()), Ok(Some(within.clone())));
            merger.add(StreamRecord::DataChange(first(vec![]))).unwrap();
            assert!(merger.add(within.clone()).is_err());
            merger.restart();
            assert_eq!(merger.add(within.clone()), Ok(Some(within)));
        }
    }

    #[test]
    fn a_change_that_never_ends_is_an_error() {
        let mut merger = ChangeMerger::default();
        merger.add(StreamRecord::DataChange(first(vec![]))).unwrap();
        let mut add = || merger.add(StreamRecord::DataChange(next(vec![])));
        let error = (0..1_000).find_map(|_| add().err()).expect("an error").to_string();
        assert!(error.contains("more than 1000 empty messages"), "{error}");
        // A mutation of no kind, and a part of a value without bytes, have two bytes and take more.
        for chunk in [whole(Mutation::default()), part(b"", 0, 5, false)] {
            let mut merger = ChangeMerger::default();
            merger.add(StreamRecord::DataChange(first(vec![chunk.clone(); 100]))).unwrap();
            assert!(merger.bytes >= 100 * size_of::<MutationChunk>(), "{}", merger.bytes);
            merger.bytes = MAX_CHANGE_BYTES;
            let error = merger.add(StreamRecord::DataChange(next(vec![chunk]))).unwrap_err();
            assert!(error.to_string().contains("more than 314572800 bytes"), "{error}");
        }
        // Each change may have some.
        let mut merger = ChangeMerger::default();
        for _ in 0..3 {
            for at in 0..900 {
                let part = if at == 0 { first(vec![]) } else { next(vec![]) };
                assert_eq!(merger.add(StreamRecord::DataChange(part)), Ok(None));
            }
            let end = StreamRecord::DataChange(done(next(vec![])));
            assert!(merger.add(end).unwrap().is_some());
        }
    }

    #[test]
    fn a_size_that_is_only_announced_reserves_nothing() {
        let mut merger = ChangeMerger::default();
        let change = first(vec![part(b"a", 0, i32::MAX, false)]);
        merger.add(StreamRecord::DataChange(change)).unwrap();
        assert!(merger.value.unwrap().value.capacity() <= 64);
    }
}
