//! Bytes of a file, read from its start.

use crate::{Error, Result};

/// What is left of a file.
pub(crate) struct Bytes<'b> {
    rest: &'b [u8],
    /// What the file is, for errors.
    what: &'static str,
}

impl<'b> Bytes<'b> {
    pub(crate) fn new(rest: &'b [u8], what: &'static str) -> Self {
        Self { rest, what }
    }

    pub(crate) fn len(&self) -> usize {
        self.rest.len()
    }

    pub(crate) fn take(&mut self, len: usize) -> Result<&'b [u8]> {
        let Some((taken, rest)) = self.rest.split_at_checked(len) else {
            return Err(Error::malformed(format!(
                "{} ends within a field: it announces {len} bytes, and {} are left",
                self.what,
                self.rest.len()
            )));
        };
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    pub(crate) fn u8(&mut self) -> Result<u8> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub(crate) fn u16(&mut self) -> Result<u16> {
        self.array().map(u16::from_be_bytes)
    }

    pub(crate) fn u32(&mut self) -> Result<u32> {
        self.array().map(u32::from_be_bytes)
    }

    pub(crate) fn i32(&mut self) -> Result<i32> {
        self.array().map(i32::from_be_bytes)
    }

    /// Bytes behind their number, of four bytes.
    pub(crate) fn counted(&mut self) -> Result<&'b [u8]> {
        let len = self.u32()?;
        self.take(usize::try_from(len).unwrap_or(usize::MAX))
    }

    /// Bytes behind their number, of two bytes.
    pub(crate) fn short(&mut self) -> Result<&'b [u8]> {
        let len = self.u16()?;
        self.take(len.into())
    }

    /// A part of a name.
    pub(crate) fn text(&self, bytes: &[u8]) -> Result<String> {
        String::from_utf8(bytes.to_vec()).map_err(|_| {
            Error::malformed(format!(
                "{} has a name that is not UTF-8: {}",
                self.what,
                bytes.escape_ascii()
            ))
        })
    }
}
