//! The first fields of a row key, fixed once to make many row keys.

use core::fmt;

use crate::form::Form;
use crate::key::Derived;
use crate::lead::Lead;
use crate::outcome::Outcome;
use crate::row_buf::RowBuf;
use crate::sink::{Sink, Slots};

/// Where the bytes of a prefix handle stand: an array for a key of fixed width, a [`RowBuf`] for
/// any other.
pub trait Row: AsRef<[u8]> + Clone + fmt::Debug {
    /// Returns room for `lead` bytes and nothing behind.
    fn with_lead(lead: usize) -> Self;

    /// Lends the place of the next field, which is byte `at` when the key is of fixed width.
    fn place(&mut self, at: usize) -> impl Sink;

    /// Returns all bytes.
    fn bytes(&mut self) -> &mut [u8];
}

impl<const N: usize> Row for [u8; N] {
    #[inline(always)]
    fn with_lead(_: usize) -> Self {
        [0; N]
    }

    #[inline(always)]
    fn place(&mut self, at: usize) -> impl Sink {
        Slots::at(self, at)
    }

    #[inline(always)]
    fn bytes(&mut self) -> &mut [u8] {
        self
    }
}

impl<const N: usize> Row for RowBuf<N> {
    fn with_lead(lead: usize) -> Self {
        let mut row = RowBuf::new();
        for _ in 0..lead {
            row.put(&[0]);
        }
        row
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

/// The first fields of a row key in place; generated prefix handles hold one.
pub struct Stamp<K: Derived> {
    row: K::Row,
    lead: K::Lead,
    error: <K::Fault as Outcome>::Slot,
}

impl<K: Derived> Stamp<K> {
    /// Returns a row with no field in place.
    #[inline(always)]
    pub fn new() -> Self {
        Self {
            row: K::Row::with_lead(<K::Lead as Lead>::LEN),
            lead: K::Lead::default(),
            error: Default::default(),
        }
    }

    /// Returns a row in the bucket that comes after `index` others, with no field in place.
    #[inline(always)]
    pub fn in_bucket(index: usize) -> Self {
        let mut stamp = Self::new();
        if let Some(front) = stamp.row.bytes().get_mut(..<K::Lead as Lead>::LEN) {
            K::Lead::write_bucket(index, front);
        }
        stamp
    }

    /// Writes the next field, `value` in the form `F`, and feeds the lead.
    #[inline(always)]
    pub fn put<F, A>(
        &mut self,
        field: &'static str,
        at: usize,
        value: &A,
        feed: impl FnOnce(&mut K::Lead, &A, &[u8]),
    ) where
        A: ?Sized,
        F: Form<A, Fault: Into<K::Fault>>,
    {
        let mut out = self.row.place(at);
        let mark = out.position();
        if let Err(fault) = F::encode(value, &mut out) {
            K::Fault::keep(&mut self.error, fault.into(), K::NAME, field);
        }
        feed(&mut self.lead, value, out.written(mark));
    }

    /// Writes the lead, once all fields it is computed from are in place.
    #[inline]
    pub fn seal(&mut self) {
        if let Some(front) = self.row.bytes().get_mut(..<K::Lead as Lead>::LEN) {
            self.lead.write(front);
        }
    }

    /// Returns the row, all fields being in place.
    #[inline(always)]
    pub fn done(self) -> <K::Fault as Outcome>::Of<K::Row> {
        K::Fault::finish(self.error, self.row)
    }
}

impl<K: Derived> Default for Stamp<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Derived> Clone for Stamp<K> {
    #[inline(always)]
    fn clone(&self) -> Self {
        Self { row: self.row.clone(), lead: self.lead.clone(), error: self.error.clone() }
    }
}

impl<K: Derived> fmt::Debug for Stamp<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(K::NAME).field("row", &self.row).field("error", &self.error).finish()
    }
}
