//! Writing the row key of a derived key.

use core::fmt;

use super::field_writer::{FieldWriter, PutFields};
use super::row_key::DerivedKey;
use crate::encoding::{Encoding, Fallibility};
use crate::key_prefix::{ChosenPrefix, SaltOrHash};
use crate::row::{RowKeyStorage, Sink};

/// The state of encoding a key after the fields written so far: the state of the key prefix, and
/// the first failure.
pub(crate) struct EncodeState<K: DerivedKey> {
    key_prefix: K::SaltOrHash,
    error: <K::Error as Fallibility>::Slot,
}

impl<K: DerivedKey> EncodeState<K> {
    /// Clears `row`, leaves space for the key prefix, and returns the state before the first field.
    #[inline(always)]
    pub(crate) fn start(row: &mut K::Row) -> Self {
        row.clear(<K::SaltOrHash as SaltOrHash>::LEN);
        Self { key_prefix: K::SaltOrHash::default(), error: Default::default() }
    }

    /// Clears `row`, writes the bucket with the index `pick` modulo the number of buckets, and
    /// returns the state before the first field.
    #[inline(always)]
    pub(crate) fn in_bucket(row: &mut K::Row, pick: u32) -> Self
    where
        K::SaltOrHash: ChosenPrefix,
    {
        let state = Self::start(row);
        if let Some(front) = row.bytes_mut().get_mut(..<K::SaltOrHash as SaltOrHash>::LEN) {
            K::SaltOrHash::write_bucket(K::SaltOrHash::pick_to_index(pick), front);
        }
        state
    }

    /// Returns a writer of the next fields of `row`.
    #[inline(always)]
    pub(crate) fn writer<'t>(&'t mut self, row: &'t mut K::Row) -> KeyWriter<'t, K> {
        KeyWriter { row, state: self }
    }

    /// Returns `value` after all fields are written, or the first failure.
    #[inline(always)]
    pub(crate) fn finish<V>(self, value: V) -> <K::Error as Fallibility>::Of<V> {
        K::Error::finish(self.error, value)
    }
}

/// A writer of the fields of a row key, from first to last.
pub(crate) struct KeyWriter<'t, K: DerivedKey> {
    row: &'t mut K::Row,
    state: &'t mut EncodeState<K>,
}

impl<K: DerivedKey> FieldWriter<K> for KeyWriter<'_, K> {
    #[inline(always)]
    fn put_and_feed<F, A>(
        &mut self,
        field: &'static str,
        offset: usize,
        value: &A,
        feed: impl FnOnce(&mut K::SaltOrHash, &A, &[u8]),
    ) where
        A: ?Sized,
        F: Encoding<A, Error: Into<K::Error>>,
    {
        let mut out = self.row.sink_at(offset);
        let mark = out.position();
        if let Err(error) = F::encode(value, &mut out) {
            K::Error::keep_first_error(&mut self.state.error, error.into(), K::TYPE_IDENT, field);
        }
        feed(&mut self.state.key_prefix, value, out.written_since(mark));
    }

    #[inline]
    fn put_key_prefix(&mut self) {
        if let Some(front) = self.row.bytes_mut().get_mut(..<K::SaltOrHash as SaltOrHash>::LEN) {
            self.state.key_prefix.write(front);
        }
    }
}

/// The return type of a function that encodes a key of the type `T` to a `V`.
type Outcome<T, V> = <<<T as PutFields>::Derived as DerivedKey>::Error as Fallibility>::Of<V>;

/// The storage for the row of a key of the type `T`.
type RowOf<T> = <<T as PutFields>::Derived as DerivedKey>::Row;

/// Returns the bytes of the row key.
#[inline(always)]
pub fn encode<T: PutFields>(key: &T) -> Outcome<T, RowOf<T>> {
    let mut row = RowOf::<T>::empty();
    let mut state = EncodeState::<T::Derived>::start(&mut row);
    key.put_fields(&mut state.writer(&mut row));
    state.finish(row)
}

/// Writes the bytes of the row key to `row`, replacing its content.
#[inline(always)]
pub fn encode_into<T: PutFields>(key: &T, row: &mut RowOf<T>) -> Outcome<T, ()> {
    let mut state = EncodeState::<T::Derived>::start(row);
    key.put_fields(&mut state.writer(row));
    state.finish(())
}

/// Returns the bytes of the row key in the bucket with the index `pick` modulo the number of
/// buckets.
#[inline(always)]
pub fn encode_in_bucket<T>(key: &T, pick: u32) -> Outcome<T, RowOf<T>>
where
    T: PutFields<Derived: DerivedKey<SaltOrHash: ChosenPrefix>>,
{
    let mut row = RowOf::<T>::empty();
    let mut state = EncodeState::<T::Derived>::in_bucket(&mut row, pick);
    key.put_fields(&mut state.writer(&mut row));
    state.finish(row)
}

impl<K: DerivedKey> Clone for EncodeState<K> {
    #[inline(always)]
    fn clone(&self) -> Self {
        Self { key_prefix: self.key_prefix.clone(), error: self.error.clone() }
    }
}

impl<K: DerivedKey> fmt::Debug for EncodeState<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EncodeState").field("error", &self.error).finish()
    }
}

impl<K: DerivedKey> fmt::Debug for KeyWriter<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(K::TYPE_IDENT).field("row", &self.row).field("state", &self.state).finish()
    }
}
