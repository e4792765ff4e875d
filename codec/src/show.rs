//! Row keys as text for people, and back: the `\x` form of the HBase shell, hex, base64.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// A row key that shows as the HBase shell writes it (`Bytes.toStringBinary`): printable ASCII as it
/// is, every other byte and the backslash as `\xNN`.
///
/// ```
/// use tallrow_codec::show;
///
/// assert_eq!(show::shell(b"user7|\x00\xff\\").to_string(), r"user7|\x00\xFF\x5C");
/// ```
#[derive(Clone, Copy)]
pub struct Shell<'a>(&'a [u8]);

/// Returns `row` in the form of the HBase shell.
pub const fn shell(row: &[u8]) -> Shell<'_> {
    Shell(row)
}

impl fmt::Display for Shell<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| match byte {
            b'\\' => f.write_str("\\x5C"),
            b' '..=b'~' => write!(f, "{}", char::from(*byte)),
            _ => write!(f, "\\x{byte:02X}"),
        })
    }
}

impl fmt::Debug for Shell<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{self}\"")
    }
}

/// A row key that shows as lower-case hex.
///
/// ```
/// assert_eq!(tallrow_codec::show::hex(&[0, 0xab]).to_string(), "00ab");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Hex<'a>(&'a [u8]);

/// Returns `row` in hex.
pub const fn hex(row: &[u8]) -> Hex<'_> {
    Hex(row)
}

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// A row key that shows as base64 (RFC 4648, with padding), as HBase's REST server writes it.
///
/// ```
/// assert_eq!(tallrow_codec::show::base64(b"row").to_string(), "cm93");
/// assert_eq!(tallrow_codec::show::base64(b"rows").to_string(), "cm93cw==");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Base64<'a>(&'a [u8]);

/// Returns `row` in base64.
pub const fn base64(row: &[u8]) -> Base64<'_> {
    Base64(row)
}

impl fmt::Display for Base64<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in self.0.chunks(3) {
            let at = |i: usize| part.get(i).copied().map_or(0, u32::from);
            let bits = at(0) << 16 | at(1) << 8 | at(2);
            for digit in 0..4 {
                let index = (bits >> (18 - 6 * digit) & 0x3f) as usize;
                let used = digit <= part.len();
                let c = BASE64.get(index).copied().filter(|_| used).unwrap_or(b'=');
                write!(f, "{}", char::from(c))?;
            }
        }
        Ok(())
    }
}

/// How a row key stands as text.
///
/// ```
/// use tallrow_codec::show::Notation;
///
/// assert_eq!(Notation::Shell.read(r"a\x00")?, b"a\0");
/// assert_eq!(Notation::Hex.read("6100")?, b"a\0");
/// assert_eq!(Notation::Base64.write(b"a\0"), "YQA=");
/// # Ok::<(), tallrow_codec::show::ShowError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Notation {
    /// The `\x` form of the HBase shell: [`shell`], [`from_shell`].
    Shell,
    /// [`hex`], [`from_hex`].
    Hex,
    /// [`base64`], [`from_base64`].
    Base64,
}

impl Notation {
    /// Returns the row key that `text` is.
    ///
    /// # Errors
    /// When it is none.
    pub fn read(self, text: &str) -> Result<Vec<u8>, ShowError> {
        match self {
            Self::Shell => from_shell(text),
            Self::Hex => from_hex(text),
            Self::Base64 => from_base64(text),
        }
    }

    /// Returns the text of a row key.
    pub fn write(self, row: &[u8]) -> String {
        match self {
            Self::Shell => shell(row).to_string(),
            Self::Hex => hex(row).to_string(),
            Self::Base64 => base64(row).to_string(),
        }
    }
}

/// Text that is no row key in the form it was read as.
///
/// ```
/// let error = tallrow_codec::show::from_hex("0g").unwrap_err();
/// assert_eq!(error.to_string(), "read a row key from hex: found 'g' at character 1, expected a hex digit");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShowError {
    form: &'static str,
    found: Option<char>,
    at: usize,
    expected: &'static str,
}

impl fmt::Display for ShowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { form, at, expected, .. } = self;
        match self.found {
            Some(found) => write!(
                f,
                "read a row key from {form}: found {found:?} at character {at}, expected {expected}"
            ),
            None => write!(f, "read a row key from {form}: it ends where {expected} is expected"),
        }
    }
}

impl core::error::Error for ShowError {}

/// Reads the form of the HBase shell: `\xNN`, in either case of digits, and printable ASCII; `\\` is
/// one backslash.
///
/// # Errors
/// When a backslash starts neither, or a character is not printable ASCII.
///
/// ```
/// use tallrow_codec::show;
///
/// assert_eq!(show::from_shell(r"a\x00\xfF\\")?, b"a\x00\xff\\");
/// assert!(show::from_shell(r"a\y").is_err());
/// # Ok::<(), tallrow_codec::show::ShowError>(())
/// ```
pub fn from_shell(text: &str) -> Result<Vec<u8>, ShowError> {
    let mut row = Vec::with_capacity(text.len());
    let mut chars = text.chars().enumerate();
    while let Some((at, c)) = chars.next() {
        let error = |found, at, expected| ShowError { form: "its shell form", found, at, expected };
        match c {
            '\\' => match chars.next() {
                Some((_, '\\')) => row.push(b'\\'),
                Some((_, 'x')) => {
                    let mut byte = 0;
                    for _ in 0..2 {
                        let digit = chars.next();
                        let value = digit.and_then(|(_, c)| c.to_digit(16));
                        let value = value.and_then(|v| u8::try_from(v).ok()).ok_or_else(|| {
                            let at = digit.map_or(at, |(at, _)| at);
                            error(digit.map(|(_, c)| c), at, "a hex digit")
                        })?;
                        byte = byte << 4 | value;
                    }
                    row.push(byte);
                }
                other => {
                    let at = other.map_or(at, |(at, _)| at);
                    return Err(error(other.map(|(_, c)| c), at, "x or a backslash"));
                }
            },
            ' '..='~' => row.push(c as u8),
            _ => return Err(error(Some(c), at, "printable ASCII, other bytes as \\xNN")),
        }
    }
    Ok(row)
}

/// Reads hex, in either case.
///
/// # Errors
/// When a character is no hex digit, or their number is odd.
///
/// ```
/// assert_eq!(tallrow_codec::show::from_hex("00aB")?, [0, 0xab]);
/// # Ok::<(), tallrow_codec::show::ShowError>(())
/// ```
pub fn from_hex(text: &str) -> Result<Vec<u8>, ShowError> {
    let mut row = Vec::with_capacity(text.len() / 2);
    let mut half = None;
    for (at, c) in text.chars().enumerate() {
        let value = c.to_digit(16).and_then(|v| u8::try_from(v).ok()).ok_or(ShowError {
            form: "hex",
            found: Some(c),
            at,
            expected: "a hex digit",
        })?;
        half = match half {
            None => Some(value),
            Some(high) => {
                row.push(high << 4 | value);
                None
            }
        };
    }
    match half {
        None => Ok(row),
        Some(_) => Err(ShowError {
            form: "hex",
            found: None,
            at: text.len(),
            expected: "the second digit of a byte",
        }),
    }
}

/// Reads base64 with padding.
///
/// # Errors
/// When a character is no base64 digit, the padding is missing or misplaced, or bits are set that
/// belong to no byte.
///
/// ```
/// assert_eq!(tallrow_codec::show::from_base64("cm93cw==")?, b"rows");
/// assert!(tallrow_codec::show::from_base64("cm93cw").is_err());
/// # Ok::<(), tallrow_codec::show::ShowError>(())
/// ```
pub fn from_base64(text: &str) -> Result<Vec<u8>, ShowError> {
    let error = |found, at, expected| ShowError { form: "base64", found, at, expected };
    let digits = text.trim_end_matches('=');
    let padding = text.len() - digits.len();
    let mut row = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut held) = (0_u32, 0_u32);
    for (at, c) in digits.chars().enumerate() {
        let value = BASE64.iter().position(|b| char::from(*b) == c);
        let value = value.and_then(|v| u32::try_from(v).ok());
        bits = bits << 6 | value.ok_or_else(|| error(Some(c), at, "a base64 digit"))?;
        held += 6;
        if held >= 8 {
            held -= 8;
            row.push((bits >> held & 0xff) as u8);
            bits &= (1 << held) - 1;
        }
    }
    let wanted = match held {
        0 => 0,
        4 => 2,
        2 => 1,
        _ => return Err(error(None, digits.len(), "one more base64 digit")),
    };
    if padding != wanted {
        return Err(error(None, digits.len(), "padding with = to a multiple of four"));
    }
    if bits != 0 {
        return Err(error(
            digits.chars().last(),
            digits.len() - 1,
            "a last digit without spare bits",
        ));
    }
    Ok(row)
}

/// Returns the row keys of `splits` as the `SPLITS => [..]` of the shell's `create`.
///
/// In single quotes, so that the shell's `Bytes.toBytesBinary` reads the escapes: Ruby makes of the byte of
/// a `"\xFF"` a text that is none, and what comes out is FD.
///
/// ```
/// let splits = [[1_u8], [0xff]];
/// assert_eq!(tallrow_codec::show::shell_splits(splits), r"SPLITS => ['\x01', '\xFF']");
/// ```
pub fn shell_splits(splits: impl IntoIterator<Item: AsRef<[u8]>>) -> String {
    use fmt::Write as _;

    let mut line = String::from("SPLITS => [");
    for (index, split) in splits.into_iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        // A quote inside would end the shell's string.
        let text = alloc::format!("{}", shell(split.as_ref())).replace('\'', "\\x27");
        let _ = write!(line, "{comma}'{text}'");
    }
    line.push(']');
    line
}
