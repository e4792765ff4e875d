//! The bytes of a row key: where an encoding writes them, where they are kept, and how they are
//! read.

mod find;
mod input;
mod row_buf;
mod sink;

use core::fmt;

pub(crate) use find::find;
pub use input::{Failed, Input};
pub use row_buf::RowBuf;
pub use sink::{Sink, SliceWriter};

/// Storage for the bytes of a row key: an array for a key of fixed width, a [`RowBuf`] for any
/// other.
pub trait RowKeyStorage: AsRef<[u8]> + Clone + fmt::Debug {
    /// The number of bytes, if it is the same for every row.
    const LEN: Option<usize>;

    /// Returns a row without fields: an array of zeros, or a [`RowBuf`] without bytes.
    fn empty() -> Self;

    /// Prepares the storage for another row key. A [`RowBuf`] then has only `prefix_len` bytes, for
    /// the key prefix. An array keeps its bytes until the fields overwrite them.
    fn clear(&mut self, prefix_len: usize);

    /// Returns a sink for the next field, which is at byte `at` in a key of fixed width.
    fn sink_at(&mut self, at: usize) -> impl Sink;

    /// Returns all bytes.
    fn bytes_mut(&mut self) -> &mut [u8];
}

impl<const N: usize> RowKeyStorage for [u8; N] {
    const LEN: Option<usize> = Some(N);

    #[inline(always)]
    fn empty() -> Self {
        [0; N]
    }

    #[inline(always)]
    fn clear(&mut self, _: usize) {}

    #[inline(always)]
    fn sink_at(&mut self, at: usize) -> impl Sink {
        SliceWriter::at(self, at)
    }

    #[inline(always)]
    fn bytes_mut(&mut self) -> &mut [u8] {
        self
    }
}

impl<const N: usize> RowKeyStorage for RowBuf<N> {
    const LEN: Option<usize> = None;

    #[inline(always)]
    fn empty() -> Self {
        RowBuf::new()
    }

    #[inline(always)]
    fn clear(&mut self, prefix_len: usize) {
        self.clear();
        for _ in 0..prefix_len {
            self.put(&[0]);
        }
    }

    #[inline(always)]
    fn sink_at(&mut self, _: usize) -> impl Sink {
        self
    }

    #[inline(always)]
    fn bytes_mut(&mut self) -> &mut [u8] {
        self.as_mut_slice()
    }
}
