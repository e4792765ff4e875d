//! Destinations for the bytes of a row key.
//!
//! # Invariants
//!
//! - A row key of fixed width is encoded without a call, a branch or a way to panic. Tests:
//!   `tests/suites/machine_code`.

/// A destination for the bytes of a row key, which are written from first to last.
///
/// ```
/// use tallrow_codec::{RowBuf, Sink};
///
/// let mut row = RowBuf::<8>::new();
/// row.put(b"ab");
/// let mark = row.position();
/// row.put(b"cd");
/// assert_eq!(row.written_since(mark), b"cd");
/// ```
pub trait Sink {
    /// Appends `bytes`.
    fn put(&mut self, bytes: &[u8]);

    /// Returns the position of the next byte.
    fn position(&self) -> usize;

    /// Returns the bytes written since [`position`](Self::position) returned `from`.
    fn written_since(&mut self, from: usize) -> &mut [u8];
}

/// A sink that writes a row key of fixed width from a given position on.
///
/// ```
/// use tallrow_codec::{Sink, SliceWriter};
///
/// let mut row = [0; 4];
/// SliceWriter::at(&mut row, 2).put(&[7, 8]);
/// assert_eq!(row, [0, 0, 7, 8]);
/// ```
#[derive(Debug)]
pub struct SliceWriter<'a, const N: usize> {
    row: &'a mut [u8; N],
    at: usize,
}

impl<'a, const N: usize> SliceWriter<'a, N> {
    /// Returns a sink that writes `row` from byte `at` on.
    #[inline(always)]
    pub fn at(row: &'a mut [u8; N], at: usize) -> Self {
        Self { row, at }
    }
}

impl<const N: usize> Sink for SliceWriter<'_, N> {
    /// # Panics
    /// When more bytes are written than fit, which happens only with an encoding whose `WIDTH` is
    /// wrong.
    #[inline(always)]
    fn put(&mut self, bytes: &[u8]) {
        let end = self.at + bytes.len();
        self.row[self.at..end].copy_from_slice(bytes);
        self.at = end;
    }

    #[inline(always)]
    fn position(&self) -> usize {
        self.at
    }

    #[inline(always)]
    fn written_since(&mut self, from: usize) -> &mut [u8] {
        &mut self.row[from..self.at]
    }
}

impl<S: Sink + ?Sized> Sink for &mut S {
    #[inline(always)]
    fn put(&mut self, bytes: &[u8]) {
        (**self).put(bytes);
    }

    #[inline(always)]
    fn position(&self) -> usize {
        (**self).position()
    }

    #[inline(always)]
    fn written_since(&mut self, from: usize) -> &mut [u8] {
        (**self).written_since(from)
    }
}
