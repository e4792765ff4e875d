//! The bytes of a row key while they are read.

use alloc::borrow::Cow;

use crate::error::{DecodeError, Fault, FaultKind};

/// The rest of a row key, read from the front.
///
/// ```
/// use tallrow_codec::Input;
///
/// let mut input = Input::new(&[0, 7, 9]);
/// assert_eq!(input.array::<2>()?, [0, 7]);
/// assert_eq!(input.position(), 2);
/// assert_eq!(input.array::<4>().unwrap_err().to_string(), "need 4 bytes, found 1");
/// # Ok::<(), tallrow_codec::Fault>(())
/// ```
#[derive(Clone, Debug)]
pub struct Input<'a> {
    row: &'a [u8],
    rest: &'a [u8],
    /// XORed into every byte: 0xFF inside a descending field.
    flip: u8,
}

impl<'a> Input<'a> {
    /// Returns the whole of `row`.
    #[inline(always)]
    pub fn new(row: &'a [u8]) -> Self {
        Self { row, rest: row, flip: 0 }
    }

    /// Returns how many bytes have been read.
    #[inline(always)]
    pub fn position(&self) -> usize {
        self.row.len() - self.rest.len()
    }

    /// Returns how many bytes are left.
    #[inline(always)]
    pub fn remaining(&self) -> usize {
        self.rest.len()
    }

    /// Reads `N` bytes.
    ///
    /// # Errors
    /// [`FaultKind::Short`] when fewer are left.
    #[inline(always)]
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        match self.rest.split_first_chunk::<N>() {
            Some((head, rest)) => {
                self.rest = rest;
                Ok(if self.flip == 0 { *head } else { head.map(|b| !b) })
            }
            None => Err(FaultKind::Short { need: N, found: self.rest.len() }.into()),
        }
    }

    /// Reads `len` bytes, borrowed unless the field is descending.
    ///
    /// # Errors
    /// [`FaultKind::Short`] when fewer are left.
    ///
    /// ```
    /// let mut input = tallrow_codec::Input::new(b"abc");
    /// assert_eq!(&input.bytes(2)?[..], b"ab");
    /// # Ok::<(), tallrow_codec::Fault>(())
    /// ```
    #[inline]
    pub fn bytes(&mut self, len: usize) -> Result<Cow<'a, [u8]>, Fault> {
        match self.rest.split_at_checked(len) {
            Some((head, rest)) => {
                self.rest = rest;
                Ok(if self.flip == 0 {
                    Cow::Borrowed(head)
                } else {
                    Cow::Owned(head.iter().map(|b| !b).collect())
                })
            }
            None => Err(FaultKind::Short { need: len, found: self.rest.len() }.into()),
        }
    }

    /// Returns where `byte` stands next, counted from here.
    ///
    /// ```
    /// assert_eq!(tallrow_codec::Input::new(b"ab|c").find(b'|'), Some(2));
    /// ```
    #[inline]
    pub fn find(&self, byte: u8) -> Option<usize> {
        let byte = byte ^ self.flip;
        self.rest.iter().position(|b| *b == byte)
    }

    /// Reads with every byte inverted, as a descending field needs.
    #[inline(always)]
    pub(crate) fn inverted<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        self.flip = !self.flip;
        let value = read(self);
        self.flip = !self.flip;
        value
    }

    /// Returns the bytes from `from` to here, as they stand in the row key.
    #[doc(hidden)]
    #[inline]
    pub fn read_since(&self, from: usize) -> &'a [u8] {
        self.row.get(from..self.position()).unwrap_or_default()
    }

    /// Reads one field of a derived key.
    #[doc(hidden)]
    #[inline(always)]
    pub fn field<T>(
        &mut self,
        key: &'static str,
        field: &'static str,
        read: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<T, DecodeError> {
        let at = self.position();
        match read(self) {
            Ok(value) => Ok(value),
            Err(fault) => Err(DecodeError::new(key, field, at, fault)),
        }
    }

    /// Refuses bytes behind the last field.
    #[doc(hidden)]
    #[inline(always)]
    pub fn end(&self, key: &'static str) -> Result<(), DecodeError> {
        match self.rest.len() {
            0 => Ok(()),
            found => {
                let fault = FaultKind::Trailing { found }.into();
                Err(DecodeError::new(key, "end", self.position(), fault))
            }
        }
    }
}
