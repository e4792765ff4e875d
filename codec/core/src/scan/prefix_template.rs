//! The first fields of a row key, fixed once to make many row keys.

use core::fmt;

use crate::encoding::{Encoding, Fallibility};
use crate::key::{DerivedKey, EncodeState, FieldWriter};
use crate::key_prefix::ChosenPrefix;
use crate::row::RowKeyStorage;

/// The first fields of a row key, used by generated prefix handles.
pub struct PrefixTemplate<K: DerivedKey> {
    row: K::Row,
    state: EncodeState<K>,
}

impl<K: DerivedKey> PrefixTemplate<K> {
    /// Returns a template without fields.
    #[inline(always)]
    pub fn new() -> Self {
        let mut row = K::Row::empty();
        let state = EncodeState::start(&mut row);
        Self { row, state }
    }

    /// Returns a template without fields in the bucket with the index `pick` modulo the number of
    /// buckets.
    #[inline(always)]
    pub fn in_bucket(pick: u32) -> Self
    where
        K::SaltOrHash: ChosenPrefix,
    {
        let mut row = K::Row::empty();
        let state = EncodeState::in_bucket(&mut row, pick);
        Self { row, state }
    }

    /// Formats the handle with the name `handle` that holds these fields.
    ///
    /// # Errors
    /// When the formatter fails.
    pub fn fmt_builder(&self, handle: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(handle).field("row", self).finish()
    }

    /// Returns a copy with the next field, `value` in the encoding `F`.
    #[inline(always)]
    pub fn with<F, A>(&self, field: &'static str, offset: usize, value: &A) -> Self
    where
        A: ?Sized,
        F: Encoding<A, Error: Into<K::Error>>,
    {
        self.with_fed::<F, A>(field, offset, value, |_, _, _| (), false)
    }

    /// Returns a copy with the next field, from which the key prefix is computed. `seal` is true
    /// for the last such field; the copy then also has the key prefix.
    #[inline(always)]
    pub fn with_fed<F, A>(
        &self,
        field: &'static str,
        offset: usize,
        value: &A,
        feed: impl FnOnce(&mut K::SaltOrHash, &A, &[u8]),
        seal: bool,
    ) -> Self
    where
        A: ?Sized,
        F: Encoding<A, Error: Into<K::Error>>,
    {
        let mut next = self.clone();
        let mut row = next.state.writer(&mut next.row);
        row.put_and_feed::<F, A>(field, offset, value, feed);
        if seal {
            row.put_key_prefix();
        }
        next
    }

    /// Returns the row, after all fields are written.
    #[inline(always)]
    pub fn finish(self) -> <K::Error as Fallibility>::Of<K::Row> {
        self.state.finish(self.row)
    }
}

impl<K: DerivedKey> Default for PrefixTemplate<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: DerivedKey> Clone for PrefixTemplate<K> {
    #[inline(always)]
    fn clone(&self) -> Self {
        Self { row: self.row.clone(), state: self.state.clone() }
    }
}

impl<K: DerivedKey> fmt::Debug for PrefixTemplate<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(K::TYPE_IDENT).field("row", &self.row).field("state", &self.state).finish()
    }
}
