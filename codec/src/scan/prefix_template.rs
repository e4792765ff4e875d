//! The first fields of a row key, fixed once to make many row keys.

use core::fmt;

use crate::encoding::Encoding;
use crate::fallibility::Fallibility;
use crate::key::Derived;
use crate::key_prefix::KeyPrefix;
use crate::row_buf::RowBuf;
use crate::sink::{Sink, SliceWriter};

/// Where the bytes of a prefix handle stand: an array for a key of fixed width, a [`RowBuf`] for
/// any other.
pub trait Row: AsRef<[u8]> + Clone + fmt::Debug {
    /// The number of bytes, when every row has it.
    const LEN: Option<usize>;

    /// Returns a row without bytes.
    fn empty() -> Self;

    /// Leaves room for `lead` bytes, and nothing behind.
    fn clear(&mut self, lead: usize);

    /// Lends the place of the next field, which is byte `at` when the key is of fixed width.
    fn place(&mut self, at: usize) -> impl Sink;

    /// Returns all bytes.
    fn bytes(&mut self) -> &mut [u8];
}

impl<const N: usize> Row for [u8; N] {
    const LEN: Option<usize> = Some(N);

    #[inline(always)]
    fn empty() -> Self {
        [0; N]
    }

    #[inline(always)]
    fn clear(&mut self, _: usize) {}

    #[inline(always)]
    fn place(&mut self, at: usize) -> impl Sink {
        SliceWriter::at(self, at)
    }

    #[inline(always)]
    fn bytes(&mut self) -> &mut [u8] {
        self
    }
}

impl<const N: usize> Row for RowBuf<N> {
    const LEN: Option<usize> = None;

    #[inline(always)]
    fn empty() -> Self {
        RowBuf::new()
    }

    #[inline(always)]
    fn clear(&mut self, lead: usize) {
        self.clear();
        for _ in 0..lead {
            self.put(&[0]);
        }
    }

    #[inline(always)]
    fn place(&mut self, _: usize) -> impl Sink {
        self
    }

    #[inline(always)]
    fn bytes(&mut self) -> &mut [u8] {
        self.as_mut_slice()
    }
}

/// What the fields written so far have come to: the state of the lead, and the first failure.
pub struct EncodeState<K: Derived> {
    lead: K::KeyPrefix,
    error: <K::Error as Fallibility>::Slot,
}

impl<K: Derived> EncodeState<K> {
    /// Returns the tally of `row`, of which it leaves room for the lead and no field.
    #[inline(always)]
    pub fn start(row: &mut K::Row) -> Self {
        row.clear(<K::KeyPrefix as KeyPrefix>::LEN);
        Self { lead: K::KeyPrefix::default(), error: Default::default() }
    }

    /// Returns the tally of `row`, in the bucket that comes after `index` others and with no field.
    #[inline(always)]
    pub fn in_bucket(row: &mut K::Row, index: usize) -> Self {
        let tally = Self::start(row);
        if let Some(front) = row.bytes().get_mut(..<K::KeyPrefix as KeyPrefix>::LEN) {
            K::KeyPrefix::write_bucket(index, front);
        }
        tally
    }

    /// Returns what writes the next fields of `row`.
    #[inline(always)]
    pub fn fill<'t>(&'t mut self, row: &'t mut K::Row) -> KeyWriter<'t, K> {
        KeyWriter { row, tally: self }
    }

    /// Returns `value`, all fields being in place.
    #[inline(always)]
    pub fn done<V>(self, value: V) -> <K::Error as Fallibility>::Of<V> {
        K::Error::finish(self.error, value)
    }
}

/// A row key while its fields are written, first to last.
pub struct KeyWriter<'t, K: Derived> {
    row: &'t mut K::Row,
    tally: &'t mut EncodeState<K>,
}

impl<K: Derived> KeyWriter<'_, K> {
    /// Writes the next field, `value` in the form `F`, and feeds the lead.
    #[inline(always)]
    pub fn put<F, A>(
        &mut self,
        field: &'static str,
        at: usize,
        value: &A,
        feed: impl FnOnce(&mut K::KeyPrefix, &A, &[u8]),
    ) where
        A: ?Sized,
        F: Encoding<A, Error: Into<K::Error>>,
    {
        let mut out = self.row.place(at);
        let mark = out.position();
        if let Err(fault) = F::encode(value, &mut out) {
            K::Error::keep(&mut self.tally.error, fault.into(), K::NAME, field);
        }
        feed(&mut self.tally.lead, value, out.written(mark));
    }

    /// Writes the lead, once all fields it is computed from are in place.
    #[inline]
    pub fn seal(&mut self) {
        if let Some(front) = self.row.bytes().get_mut(..<K::KeyPrefix as KeyPrefix>::LEN) {
            self.tally.lead.write(front);
        }
    }
}

/// The first fields of a row key in place; generated prefix handles hold one.
pub struct PrefixTemplate<K: Derived> {
    row: K::Row,
    tally: EncodeState<K>,
}

impl<K: Derived> PrefixTemplate<K> {
    /// Returns a row with no field in place.
    #[inline(always)]
    pub fn new() -> Self {
        let mut row = K::Row::empty();
        let tally = EncodeState::start(&mut row);
        Self { row, tally }
    }

    /// Returns a row in the bucket that comes after `index` others, with no field in place.
    #[inline(always)]
    pub fn in_bucket(index: usize) -> Self {
        let mut row = K::Row::empty();
        let tally = EncodeState::in_bucket(&mut row, index);
        Self { row, tally }
    }

    /// Returns a copy of the bytes.
    #[inline(always)]
    pub fn row(&self) -> K::Row {
        self.row.clone()
    }

    /// Returns a copy of the tally.
    #[inline(always)]
    pub fn tally(&self) -> EncodeState<K> {
        self.tally.clone()
    }

    /// Returns what writes the next fields.
    #[inline(always)]
    pub fn fill(&mut self) -> KeyWriter<'_, K> {
        self.tally.fill(&mut self.row)
    }
}

impl<K: Derived> Clone for EncodeState<K> {
    #[inline(always)]
    fn clone(&self) -> Self {
        Self { lead: self.lead.clone(), error: self.error.clone() }
    }
}

impl<K: Derived> fmt::Debug for EncodeState<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tally").field("error", &self.error).finish()
    }
}

impl<K: Derived> Default for PrefixTemplate<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Derived> Clone for PrefixTemplate<K> {
    #[inline(always)]
    fn clone(&self) -> Self {
        Self { row: self.row.clone(), tally: self.tally.clone() }
    }
}

impl<K: Derived> fmt::Debug for KeyWriter<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(K::NAME).field("row", &self.row).field("tally", &self.tally).finish()
    }
}

impl<K: Derived> fmt::Debug for PrefixTemplate<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(K::NAME).field("row", &self.row).field("tally", &self.tally).finish()
    }
}
