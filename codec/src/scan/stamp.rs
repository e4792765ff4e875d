//! The first fields of a row key, fixed once to make many row keys.

use core::fmt;

use crate::form::Form;
use crate::lead::Lead;
use crate::outcome::Outcome;
use crate::row_buf::RowBuf;
use crate::sink::{Sink, Slots};

/// Where the bytes of a prefix handle stand: an array for a key of fixed width, a [`RowBuf`] for
/// any other.
pub trait Row: Clone {
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
#[derive(Clone)]
pub struct Stamp<R, L, E: Outcome> {
    row: R,
    lead: L,
    error: E::Slot,
}

impl<R: Row, L: Lead, E: Outcome> Stamp<R, L, E> {
    /// Returns a row with no field in place.
    #[inline(always)]
    pub fn new() -> Self {
        Self { row: R::with_lead(L::LEN), lead: L::default(), error: E::Slot::default() }
    }

    /// Writes the next field, `value` in the form `F`, and feeds the lead.
    #[inline(always)]
    pub fn put<F, A>(
        &mut self,
        key: &'static str,
        field: &'static str,
        at: usize,
        value: &A,
        feed: impl FnOnce(&mut L, &A, &[u8]),
    ) where
        A: ?Sized,
        F: Form<A, Fault: Into<E>>,
    {
        let mut out = self.row.place(at);
        let mark = out.position();
        if let Err(fault) = F::encode(value, &mut out) {
            E::keep(&mut self.error, fault.into(), key, field);
        }
        feed(&mut self.lead, value, out.written(mark));
    }

    /// Writes the lead, once all fields it is computed from are in place.
    #[inline]
    pub fn seal(&mut self) {
        if let Some(front) = self.row.bytes().get_mut(..L::LEN) {
            self.lead.write(front);
        }
    }

    /// Returns the row, all fields being in place.
    #[inline(always)]
    pub fn done(self) -> E::Of<R> {
        E::finish(self.error, self.row)
    }
}

impl<R: Row, L: Lead, E: Outcome> Default for Stamp<R, L, E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<R: fmt::Debug, L, E: Outcome> fmt::Debug for Stamp<R, L, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stamp").field("row", &self.row).field("error", &self.error).finish()
    }
}
