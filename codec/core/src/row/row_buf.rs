//! Storage for a row key of variable length, on the stack if the key is short.

use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::ops::Deref;

use super::Sink;

/// A row key of variable length: up to `N` bytes are stored inline, longer keys on the heap.
///
/// Row keys are compared and hashed as their bytes, and dereference to their bytes.
///
/// ```
/// use tallrow_codec::{RowBuf, Sink};
///
/// let mut row = RowBuf::<4>::from_slice(b"ab");
/// assert_eq!(&row[..], b"ab");
/// row.put(b"cdef");
/// assert_eq!(row.as_ref(), b"abcdef");
/// assert!(row < RowBuf::from_slice(b"b"));
/// ```
#[derive(Clone)]
pub struct RowBuf<const N: usize = 64> {
    /// Greater than `N` exactly if the bytes are on the heap.
    len: usize,
    inline: [u8; N],
    /// All bytes, if they are more than `N`; otherwise empty.
    heap: Vec<u8>,
}

impl<const N: usize> RowBuf<N> {
    /// Returns an empty row key.
    ///
    /// ```
    /// assert!(tallrow_codec::RowBuf::<8>::new().is_empty());
    /// ```
    #[inline]
    pub const fn new() -> Self {
        Self { len: 0, inline: [0; N], heap: Vec::new() }
    }

    /// Returns a copy of `bytes`.
    ///
    /// ```
    /// assert_eq!(tallrow_codec::RowBuf::<8>::from_slice(b"row").as_slice(), b"row");
    /// ```
    #[inline]
    pub fn from_slice(bytes: &[u8]) -> Self {
        let mut row = Self::new();
        row.put(bytes);
        row
    }

    /// Returns the bytes.
    ///
    /// ```
    /// assert_eq!(tallrow_codec::RowBuf::<8>::new().as_slice(), b"");
    /// ```
    #[inline]
    pub fn as_slice(&self) -> &[u8] {
        match self.inline.get(..self.len) {
            Some(bytes) => bytes,
            None => &self.heap,
        }
    }

    #[inline]
    pub(crate) fn as_mut_slice(&mut self) -> &mut [u8] {
        match self.inline.get_mut(..self.len) {
            Some(bytes) => bytes,
            None => &mut self.heap,
        }
    }

    /// Removes all bytes, and keeps the allocation of a long row key.
    ///
    /// ```
    /// # use tallrow_codec::RowBuf;
    /// let mut row = RowBuf::<2>::from_slice(b"long");
    /// row.clear();
    /// assert!(row.is_empty());
    /// ```
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
        self.heap.clear();
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        if self.heap.is_empty() {
            self.len = self.len.min(len);
        } else {
            let kept = Self::from_slice(self.heap.get(..len).unwrap_or(&self.heap));
            *self = kept;
        }
    }

    #[cold]
    #[inline(never)]
    fn spill(&mut self, bytes: &[u8]) {
        if self.heap.is_empty() {
            self.heap.reserve(self.len + bytes.len());
            self.heap.extend_from_slice(self.inline.get(..self.len).unwrap_or(&self.inline));
        }
        self.heap.extend_from_slice(bytes);
        self.len = self.heap.len();
    }
}

impl<const N: usize> Sink for RowBuf<N> {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        let end = self.len + bytes.len();
        match self.inline.get_mut(self.len..end) {
            Some(free) => {
                free.copy_from_slice(bytes);
                self.len = end;
            }
            None => self.spill(bytes),
        }
    }

    #[inline]
    fn position(&self) -> usize {
        self.len
    }

    #[inline]
    fn written_since(&mut self, from: usize) -> &mut [u8] {
        self.as_mut_slice().get_mut(from..).unwrap_or_default()
    }
}

impl<const N: usize> Default for RowBuf<N> {
    #[inline]
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> AsRef<[u8]> for RowBuf<N> {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        self.as_slice()
    }
}

impl<const N: usize> Deref for RowBuf<N> {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        self.as_slice()
    }
}

impl<const N: usize> From<RowBuf<N>> for Vec<u8> {
    fn from(row: RowBuf<N>) -> Self {
        if row.heap.is_empty() { row.as_slice().to_vec() } else { row.heap }
    }
}

impl<const N: usize> fmt::Debug for RowBuf<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b\"{}\"", self.as_slice().escape_ascii())
    }
}

impl<const N: usize, const M: usize> PartialEq<RowBuf<M>> for RowBuf<N> {
    fn eq(&self, other: &RowBuf<M>) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl<const N: usize> PartialEq<[u8]> for RowBuf<N> {
    fn eq(&self, other: &[u8]) -> bool {
        self.as_slice() == other
    }
}

impl<const N: usize, const M: usize> PartialEq<&[u8; M]> for RowBuf<N> {
    fn eq(&self, other: &&[u8; M]) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl<const N: usize> Eq for RowBuf<N> {}

impl<const N: usize> PartialOrd for RowBuf<N> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<const N: usize> Ord for RowBuf<N> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_slice().cmp(other.as_slice())
    }
}

impl<const N: usize> Hash for RowBuf<N> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_slice().hash(state);
    }
}
