//! Files of a limited length, and a reader of their bytes from the start.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use crate::error::escaped_excerpt;
use crate::{Error, Result};

/// Reads a file that has at most `max_len` bytes. The file may be a device or a pipe, which do not
/// say how much they contain.
pub(crate) fn read_file(path: &Path, max_len: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = File::open(path)?.take(max_len.saturating_add(1)).read_to_end(&mut bytes)?;
    match u64::try_from(read).is_ok_and(|read| read <= max_len) {
        true => Ok(bytes),
        false => Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("it has more than the {max_len} bytes that are read; check its name"),
        )),
    }
}

/// The bytes of a file that are not yet read.
pub(crate) struct ByteReader<'b> {
    rest: &'b [u8],
    /// The words that name the file in errors.
    what: &'static str,
}

impl<'b> ByteReader<'b> {
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

    /// Reads bytes that follow their length, which has four bytes.
    pub(crate) fn u32_prefixed(&mut self) -> Result<&'b [u8]> {
        let len = self.u32()?;
        self.take(usize::try_from(len).unwrap_or(usize::MAX))
    }

    /// Reads bytes that follow their length, which has two bytes.
    pub(crate) fn u16_prefixed(&mut self) -> Result<&'b [u8]> {
        let len = self.u16()?;
        self.take(len.into())
    }

    /// Returns a part of a name as text.
    pub(crate) fn text(&self, bytes: &[u8]) -> Result<String> {
        String::from_utf8(bytes.to_vec()).map_err(|_| {
            Error::malformed(format!(
                "{} has a name that is not UTF-8: {}",
                self.what,
                escaped_excerpt(bytes)
            ))
        })
    }
}
