//! The `CellValue` trait, for types whose values are stored in cells as the bytes that HBase's own
//! `Bytes.toBytes` writes.

use std::fmt;

use bytes::Bytes;

use crate::Timestamp;

/// A type whose values are stored in cells, in the bytes that HBase's own tools read and write
/// (`Bytes.toBytes`).
///
/// | type | bytes |
/// |---|---|
/// | `i16` `i32` `i64`, `u8` `u16` `u32` `u64` | big-endian, as wide as the type |
/// | `f32` `f64` | IEEE 754, big-endian |
/// | `bool` | `FF` for true, `00` for false; read: anything but `00` is true |
/// | `String`, `char` | UTF-8 |
/// | `Vec<u8>`, `Bytes`, `[u8; N]` | as they are |
/// | [`Timestamp`] | its milliseconds, as `i64` |
///
/// ```
/// use tallrow::value::CellValue;
///
/// assert_eq!(7i32.to_cell(), [0, 0, 0, 7]);
/// assert_eq!(true.to_cell(), [0xFF]);
/// assert_eq!(String::from_cell(b"Ada").unwrap(), "Ada");
/// assert_eq!(i64::from_cell(b"Ada").unwrap_err().to_string(), "expected 8 bytes, found 3");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be kept in a cell",
    label = "no bytes for this type",
    note = "cells hold u8 to u64, i16 to i64, f32, f64, bool, char, String, Vec<u8>, Bytes, [u8; N], Timestamp, an Option of these, \
            or a Counter; usize and isize change with the machine: use u64 or i64",
    note = "other types need a codec: `codec = UnixMillis` for a point in time of chrono, jiff or time, `codec = ordered` for a `Uuid` \
            (each with the feature of its crate), `codec = ordered` too for an enum or newtype with \
            #[derive(RowKey)], `codec = json` for any type of serde, as in `#[cell(\"d:q\", codec = json)]`; a \
            type of your own may implement CellValue instead"
)]
pub trait CellValue: Sized {
    /// Appends the bytes of the value.
    fn write_cell(&self, out: &mut Vec<u8>);

    /// Decodes a value.
    ///
    /// # Errors
    /// The bytes do not encode a value of this type.
    fn from_cell(bytes: &[u8]) -> Result<Self, ValueError>;

    /// Returns the bytes of the value.
    fn to_cell(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.write_cell(&mut out);
        out
    }
}

/// The error for a value that cannot be encoded as a cell, or for a cell that cannot be decoded.
///
/// ```
/// let error = tallrow::value::ValueError::new("a colour", "7 bytes");
/// assert_eq!(error.to_string(), "expected a colour, found 7 bytes");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueError(String);

impl ValueError {
    /// Creates an error that states what was expected, and what was found.
    ///
    /// See [`ValueError`] for an example.
    pub fn new(expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self(format!("expected {}, found {}", expected.into(), found.into()))
    }

    /// Creates an error with this text.
    ///
    /// ```
    /// assert_eq!(tallrow::value::ValueError::custom("it is odd").to_string(), "it is odd");
    /// ```
    pub fn custom(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ValueError {}

fn exactly<const N: usize>(bytes: &[u8]) -> Result<[u8; N], ValueError> {
    let wrong = |_| ValueError::new(format!("{N} bytes"), bytes.len().to_string());
    bytes.try_into().map_err(wrong)
}

macro_rules! number_values {
    ($($number:ty)*) => {
        $(#[diagnostic::do_not_recommend]
        impl CellValue for $number {
            fn write_cell(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_be_bytes());
            }

            fn from_cell(bytes: &[u8]) -> Result<Self, ValueError> {
                exactly(bytes).map(Self::from_be_bytes)
            }
        })*
    };
}
number_values!(u8 i16 u16 i32 u32 i64 u64 f32 f64);

#[diagnostic::do_not_recommend]
impl CellValue for bool {
    fn write_cell(&self, out: &mut Vec<u8>) {
        out.push(if *self { 0xFF } else { 0 });
    }

    fn from_cell(bytes: &[u8]) -> Result<Self, ValueError> {
        exactly::<1>(bytes).map(|[byte]| byte != 0)
    }
}

#[diagnostic::do_not_recommend]
impl CellValue for String {
    fn write_cell(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.as_bytes());
    }

    fn from_cell(bytes: &[u8]) -> Result<Self, ValueError> {
        text(bytes).map(str::to_owned)
    }
}

#[diagnostic::do_not_recommend]
impl CellValue for char {
    fn write_cell(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.encode_utf8(&mut [0; 4]).as_bytes());
    }

    fn from_cell(bytes: &[u8]) -> Result<Self, ValueError> {
        let text = text(bytes)?;
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(char), None) => Ok(char),
            _ => Err(ValueError::new("one character", format!("{text:?}"))),
        }
    }
}

fn text(bytes: &[u8]) -> Result<&str, ValueError> {
    std::str::from_utf8(bytes).map_err(|e| {
        ValueError::new("text in UTF-8", format!("a byte that is none, at {}", e.valid_up_to()))
    })
}

#[diagnostic::do_not_recommend]
impl CellValue for Vec<u8> {
    fn write_cell(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self);
    }

    fn from_cell(bytes: &[u8]) -> Result<Self, ValueError> {
        Ok(bytes.to_vec())
    }
}

#[diagnostic::do_not_recommend]
impl CellValue for Bytes {
    fn write_cell(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self);
    }

    fn from_cell(bytes: &[u8]) -> Result<Self, ValueError> {
        Ok(Self::copy_from_slice(bytes))
    }
}

#[diagnostic::do_not_recommend]
impl<const N: usize> CellValue for [u8; N] {
    fn write_cell(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self);
    }

    fn from_cell(bytes: &[u8]) -> Result<Self, ValueError> {
        exactly(bytes)
    }
}

#[diagnostic::do_not_recommend]
impl CellValue for Timestamp {
    fn write_cell(&self, out: &mut Vec<u8>) {
        self.as_millis().write_cell(out);
    }

    fn from_cell(bytes: &[u8]) -> Result<Self, ValueError> {
        let millis = u64::from_cell(bytes)?;
        match i64::try_from(millis) {
            Ok(_) => Ok(Self::from_millis(millis)),
            Err(_) => Err(ValueError::new("milliseconds since 1970", "a negative number")),
        }
    }
}
