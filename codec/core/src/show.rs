//! Row keys as readable text that can be read back: in the notation of the HBase shell, in hex and
//! in base64.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use base64::DecodeError;
use base64::display::Base64Display;
use base64::prelude::{BASE64_STANDARD, Engine};

/// A row key that displays as the HBase shell writes it (`Bytes.toStringBinary`): printable ASCII
/// as it is, every other byte and the backslash as `\xNN`.
///
/// ```
/// use tallrow_codec::show;
///
/// assert_eq!(show::shell(b"user7|\x00\xff\\").to_string(), r"user7|\x00\xFF\x5C");
/// ```
#[derive(Clone, Copy)]
pub struct Shell<'a>(&'a [u8]);

/// Returns `row` as the HBase shell writes it.
pub const fn shell(row: &[u8]) -> Shell<'_> {
    Shell(row)
}

impl fmt::Display for Shell<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Each run of plain bytes is written in one step, because every recorded tracing span
        // displays keys.
        let is_plain = |byte: &u8| matches!(byte, b' '..=b'~') && *byte != b'\\';
        self.0.chunk_by(|a, b| is_plain(a) && is_plain(b)).try_for_each(|run| match *run {
            [byte] if !is_plain(&byte) => {
                let digit = |n| if n < 10 { b'0' + n } else { b'A' - 10 + n };
                let text = [b'\\', b'x', digit(byte >> 4), digit(byte & 15)];
                f.write_str(core::str::from_utf8(&text).unwrap_or_default())
            }
            _ => f.write_str(core::str::from_utf8(run).unwrap_or_default()),
        })
    }
}

impl fmt::Debug for Shell<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{self}\"")
    }
}

/// A row key that displays as lower-case hex.
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

/// A row key that displays as base64 (RFC 4648, with padding), as HBase's REST server writes it.
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
        Base64Display::new(self.0, &BASE64_STANDARD).fmt(f)
    }
}

/// A text notation of row keys.
///
/// ```
/// use tallrow_codec::show::Notation;
///
/// assert_eq!(Notation::Shell.read(r"a\x00")?, b"a\0");
/// assert_eq!(Notation::Hex.read("6100")?, b"a\0");
/// assert_eq!(Notation::Base64.write(b"a\0"), "YQA=");
/// # Ok::<(), tallrow_codec::show::NotationError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Notation {
    /// The notation of the HBase shell, with `\x` escapes: see [`shell`] and [`from_shell`].
    Shell,
    /// Hex digits: see [`hex`] and [`from_hex`].
    Hex,
    /// Base64: see [`base64()`] and [`from_base64`].
    Base64,
}

impl Notation {
    /// Reads a row key from a text in this notation.
    ///
    /// # Errors
    /// When the text is not in this notation.
    pub fn read(self, text: &str) -> Result<Vec<u8>, NotationError> {
        match self {
            Self::Shell => from_shell(text),
            Self::Hex => from_hex(text),
            Self::Base64 => from_base64(text),
        }
    }

    /// Returns a row key as a text in this notation.
    pub fn write(self, row: &[u8]) -> String {
        match self {
            Self::Shell => shell(row).to_string(),
            Self::Hex => hex(row).to_string(),
            Self::Base64 => base64(row).to_string(),
        }
    }
}

/// The name of the shell's notation in errors.
const SHELL: &str = "the shell's notation";

/// The error for text that is not a row key in the expected notation.
///
/// ```
/// let error = tallrow_codec::show::from_hex("0g").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "read a row key from hex: found 'g' at character 1, expected a hex digit"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotationError {
    notation: &'static str,
    found: Option<char>,
    at: usize,
    expected: &'static str,
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { notation, at, expected, .. } = self;
        match self.found {
            Some(found) => write!(
                f,
                "read a row key from {notation}: found {found:?} at character {at}, expected \
                 {expected}"
            ),
            None => {
                write!(f, "read a row key from {notation}: it ends where {expected} is expected")
            }
        }
    }
}

impl core::error::Error for NotationError {}

/// Reads a row key in the notation of the HBase shell: `\xNN` with digits in either case, and
/// printable ASCII; `\\` is one backslash.
///
/// # Errors
/// When a backslash starts neither of these, or a character is not printable ASCII.
///
/// ```
/// use tallrow_codec::show;
///
/// assert_eq!(show::from_shell(r"a\x00\xfF\\")?, b"a\x00\xff\\");
/// assert!(show::from_shell(r"a\y").is_err());
/// # Ok::<(), tallrow_codec::show::NotationError>(())
/// ```
pub fn from_shell(text: &str) -> Result<Vec<u8>, NotationError> {
    let mut row = Vec::with_capacity(text.len());
    let mut chars = text.chars().enumerate();
    while let Some((at, c)) = chars.next() {
        let error = |found, at, expected| NotationError { notation: SHELL, found, at, expected };
        match c {
            '\\' => match chars.next() {
                Some((_, '\\')) => row.push(b'\\'),
                Some((_, 'x')) => row.push(hex_byte(SHELL, at, &mut chars, "a hex digit")?),
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

/// Reads a row key from hex digits in either case.
///
/// # Errors
/// When a character is not a hex digit, or the number of digits is odd.
///
/// ```
/// assert_eq!(tallrow_codec::show::from_hex("00aB")?, [0, 0xab]);
/// # Ok::<(), tallrow_codec::show::NotationError>(())
/// ```
pub fn from_hex(text: &str) -> Result<Vec<u8>, NotationError> {
    let mut row = Vec::with_capacity(text.len() / 2);
    let mut chars = text.chars().enumerate().peekable();
    while let Some((at, _)) = chars.peek() {
        row.push(hex_byte("hex", *at, &mut chars, "the second digit of a byte")?);
    }
    Ok(row)
}

/// Reads the two hex digits of a byte. If the text ends first, the error says that `end` is
/// expected.
fn hex_byte(
    notation: &'static str,
    at: usize,
    chars: &mut impl Iterator<Item = (usize, char)>,
    end: &'static str,
) -> Result<u8, NotationError> {
    let mut digit = || match chars.next() {
        None => Err(NotationError { notation, found: None, at, expected: end }),
        Some((at, found)) => match found.to_digit(16).map(u8::try_from) {
            Some(Ok(digit)) => Ok(digit),
            _ => Err(NotationError { notation, found: Some(found), at, expected: "a hex digit" }),
        },
    };
    Ok(digit()? << 4 | digit()?)
}

/// Reads a row key from base64 with padding.
///
/// # Errors
/// When a character is not a base64 digit, the padding is missing or misplaced, or bits are set
/// that belong to no byte.
///
/// ```
/// assert_eq!(tallrow_codec::show::from_base64("cm93cw==")?, b"rows");
/// assert!(tallrow_codec::show::from_base64("cm93cw").is_err());
/// # Ok::<(), tallrow_codec::show::NotationError>(())
/// ```
pub fn from_base64(text: &str) -> Result<Vec<u8>, NotationError> {
    let digit = |position: usize, expected| {
        let before = text.as_bytes().get(..position).unwrap_or_default();
        let at = String::from_utf8_lossy(before).chars().count();
        NotationError { notation: "base64", found: text.chars().nth(at), at, expected }
    };
    BASE64_STANDARD.decode(text).map_err(|error| match error {
        DecodeError::InvalidByte(position, _) => digit(position, "a base64 digit"),
        DecodeError::InvalidLastSymbol(position, _) => {
            digit(position, "a last digit without spare bits")
        }
        DecodeError::InvalidLength(_) | DecodeError::InvalidPadding => NotationError {
            notation: "base64",
            found: None,
            at: text.chars().count(),
            expected: "padding with = to a multiple of four",
        },
    })
}

/// Returns these split keys as the argument `SPLITS => [..]` of the command `create` in the HBase
/// shell.
///
/// The keys are in single quotes, so that the shell's `Bytes.toBytesBinary` reads the escapes. In
/// double quotes, Ruby would read `"\xFF"` as an invalid text, which becomes the byte FD.
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
