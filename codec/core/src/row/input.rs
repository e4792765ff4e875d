//! The bytes of a row key that is being decoded.
//!
//! # Invariants
//!
//! - Any bytes are refused with an offset, or encode to the same bytes again. Tests:
//!   `codec/tests/fuzz`, `fuzz/fuzz_targets`.

use alloc::borrow::Cow;

use super::find;
use crate::error::{DecodeError, FieldError, FieldErrorKind};

/// The bytes of a row key that are not yet read; each read takes bytes from their start.
///
/// ```
/// use tallrow_codec::Input;
///
/// let mut input = Input::new(&[0, 7, 9]);
/// assert_eq!(input.read_array::<2>()?, [0, 7]);
/// assert_eq!(input.position(), 2);
/// assert!(input.read_array::<4>().is_err());
/// assert_eq!(input.fault().unwrap().to_string(), "need 4 bytes, found 1");
/// # Ok::<(), tallrow_codec::Failed>(())
/// ```
#[derive(Clone, Debug)]
pub struct Input<'a> {
    row: &'a [u8],
    rest: &'a [u8],
    /// XORed into every byte: 0xFF inside a descending field.
    flip: u8,
    fault: Option<FieldError>,
    /// The field that failed, and where it starts.
    place: (&'static str, usize),
}

/// The error of a failed read; the [`Input`] holds the reason.
///
/// It has no size, so that the calls that read a field return the value in registers.
/// [`Input::fail`] returns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed(());

impl Failed {
    /// The only value: the failure of a read whose reason the [`Input`] has recorded.
    pub(crate) const REASON_RECORDED: Self = Self(());
}

impl<'a> Input<'a> {
    /// Returns the input that has all bytes of `row`.
    #[inline(always)]
    pub fn new(row: &'a [u8]) -> Self {
        Self { row, rest: row, flip: 0, fault: None, place: ("", 0) }
    }

    /// Records why decoding failed.
    ///
    /// ```
    /// use tallrow_codec::{FieldErrorKind, Input};
    ///
    /// let mut input = Input::new(b"");
    /// let _failed = input.fail(FieldErrorKind::Unterminated);
    /// assert_eq!(input.fault().map(|fault| fault.kind()), Some(FieldErrorKind::Unterminated));
    /// ```
    #[cold]
    pub fn fail(&mut self, fault: impl Into<FieldError>) -> Failed {
        self.fault = Some(fault.into());
        Failed::REASON_RECORDED
    }

    /// Returns why reading failed, if it did.
    pub fn fault(&self) -> Option<FieldError> {
        self.fault
    }

    /// Records that the failed field is a field of a nested key.
    #[doc(hidden)]
    #[cold]
    pub fn mark_fault_as_nested(&mut self) -> Failed {
        let (field, _) = self.place;
        self.fault = self.fault.map(|fault| fault.in_field(field));
        Failed::REASON_RECORDED
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
    /// [`FieldErrorKind::UnexpectedEnd`] when fewer bytes are left.
    #[inline(always)]
    pub fn read_array<const N: usize>(&mut self) -> Result<[u8; N], Failed> {
        match self.rest.split_first_chunk::<N>() {
            Some((head, rest)) => {
                self.rest = rest;
                Ok(if self.flip == 0 { *head } else { head.map(|b| !b) })
            }
            None => {
                Err(self.fail(FieldErrorKind::UnexpectedEnd { need: N, found: self.rest.len() }))
            }
        }
    }

    /// Reads `len` bytes, borrowed unless the field is descending.
    ///
    /// # Errors
    /// [`FieldErrorKind::UnexpectedEnd`] when fewer bytes are left.
    ///
    /// ```
    /// let mut input = tallrow_codec::Input::new(b"abc");
    /// assert_eq!(&input.read_bytes(2)?[..], b"ab");
    /// # Ok::<(), tallrow_codec::Failed>(())
    /// ```
    #[inline]
    pub fn read_bytes(&mut self, len: usize) -> Result<Cow<'a, [u8]>, Failed> {
        match self.rest.split_at_checked(len) {
            Some((head, rest)) => {
                self.rest = rest;
                Ok(if self.flip == 0 {
                    Cow::Borrowed(head)
                } else {
                    Cow::Owned(head.iter().map(|b| !b).collect())
                })
            }
            None => {
                Err(self.fail(FieldErrorKind::UnexpectedEnd { need: len, found: self.rest.len() }))
            }
        }
    }

    /// Returns the number of bytes before the next `byte`, if there is one.
    ///
    /// ```
    /// assert_eq!(tallrow_codec::Input::new(b"ab|c").find(b'|'), Some(2));
    /// ```
    #[inline]
    pub fn find(&self, byte: u8) -> Option<usize> {
        find(byte ^ self.flip, self.rest)
    }

    /// Reads with every byte inverted, as a descending field needs.
    #[inline(always)]
    pub(crate) fn read_inverted<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Failed>,
    ) -> Result<T, Failed> {
        self.flip = !self.flip;
        let value = read(self);
        self.flip = !self.flip;
        value
    }

    /// Returns the bytes from the position `from` to the current position, as they are in the row
    /// key.
    #[doc(hidden)]
    #[inline]
    pub fn read_since(&self, from: usize) -> &'a [u8] {
        self.row.get(from..self.position()).unwrap_or_default()
    }

    /// Reads one field of a derived key.
    #[doc(hidden)]
    #[inline(always)]
    pub fn read_field<T>(
        &mut self,
        field: &'static str,
        read: impl FnOnce(&mut Self) -> Result<T, Failed>,
    ) -> Result<T, Failed> {
        let at = self.position();
        match read(self) {
            Ok(value) => Ok(value),
            Err(failed) => {
                self.place = (field, at);
                Err(failed)
            }
        }
    }

    /// Refuses bytes after the last field.
    #[doc(hidden)]
    #[inline(always)]
    pub fn expect_end(&mut self) -> Result<(), Failed> {
        match self.rest.len() {
            0 => Ok(()),
            found => {
                self.place = ("end", self.position());
                Err(self.fail(FieldErrorKind::Trailing { found }))
            }
        }
    }

    /// Returns whether nothing follows the last field. If bytes follow, records that error.
    #[doc(hidden)]
    #[inline(always)]
    pub fn check_at_end(&mut self) -> bool {
        self.expect_end().is_ok()
    }

    /// Refuses a row whose key prefix does not match its fields.
    #[doc(hidden)]
    #[cold]
    pub fn fail_key_prefix(&mut self, name: &'static str, fault: FieldErrorKind) -> Failed {
        self.place = (name, 0);
        self.fail(fault)
    }

    /// Refuses a tag that no record variant has.
    #[doc(hidden)]
    #[cold]
    pub fn fail_unknown_tag(&mut self, bytes: usize) -> Failed {
        self.place = ("tag", self.position().saturating_sub(bytes));
        self.fail(FieldErrorKind::NotCanonical { expected: "the tag of a record variant" })
    }

    /// Returns the error of a failed read of a key of the type `key`.
    #[doc(hidden)]
    #[cold]
    #[inline(never)]
    pub fn error(&self, key: &'static str) -> DecodeError {
        let (field, at) = self.place;
        // If an encoding fails without a reason, the number of remaining bytes is reported.
        let silent = FieldErrorKind::Trailing { found: self.rest.len() };
        DecodeError::new(key, field, at, self.fault.unwrap_or_else(|| silent.into()))
    }
}
