//! The parser of the words for types, attributes and key prefixes.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::attributes::{Attribute, Attributes, CompatTarget, DigestPart, RevTsKind, Unit};
use crate::field::{Int, Limit, Type};
use crate::key_prefix::SaltFunction;

impl Type {
    /// Reads a type in the form that [`Display`](core::fmt::Display) writes. A nested key is
    /// returned without its fields.
    ///
    /// # Errors
    /// When the word is not a type.
    #[doc(hidden)]
    pub fn from_word(word: &str) -> Result<Self, String> {
        ty(word)
    }
}

/// Reads a type. A nested key is returned without its fields, which are read from the following
/// lines.
pub(super) fn ty(word: &str) -> Result<Type, String> {
    if let Some(some) = word.strip_prefix("optional ") {
        return Ok(Type::Optional(Box::new(ty(some)?)));
    }
    if let Some(item) = word.strip_prefix("list of ") {
        return Ok(Type::List(Box::new(ty(item)?)));
    }
    if let Some((max, pair)) = word.split_once(" tag pairs of ") {
        let (key, value) = pair.split_once(" and ").ok_or_else(|| {
            format!("{word:?} is not a type of tag pairs, as in \"8 tag pairs of uid 3 and uid 3\"")
        })?;
        let (key, value) = (Box::new(ty(key)?), Box::new(ty(value)?));
        return Ok(Type::TagPairs { max: number(max)?, key, value });
    }
    let (limit, int) = match word.split_once(' ') {
        Some(("nonzero", int)) => (Limit::NonZero, int),
        Some(("nonneg", int)) => (Limit::NonNeg, int),
        Some(("uid", size)) => return Ok(Type::Uid(number(size)?)),
        Some(("digest", size)) => return Ok(Type::Digest(number(size)?)),
        _ => (Limit::Any, word),
    };
    let array = word.strip_prefix("[u8; ").and_then(|rest| rest.strip_suffix(']'));
    if let Some(size) = array {
        return Ok(Type::Array(number(size)?));
    }
    let found = match word {
        "f32" => Type::Float(4),
        "f64" => Type::Float(8),
        "bool" => Type::Bool,
        "char" => Type::Char,
        "uuid" => Type::Uuid,
        "text" => Type::Text,
        "bytes" => Type::Bytes,
        "key" => Type::Key(Vec::new()),
        _ => {
            let foreign = Type::FOREIGN.into_iter().find(|foreign| *foreign == word);
            foreign.map(Type::Foreign).or(integer(int, limit).map(Type::Int)).ok_or_else(|| {
                format!(
                    "{word:?} is not a type; one is a number as u32 or i64, f32, f64, bool, char, text, bytes, \
                     uuid, [u8; 16], uid 8, digest 16, key, list of u32, 8 tag pairs of uid 3 and uid 3"
                )
            })?
        }
    };
    Ok(found)
}

fn integer(word: &str, limit: Limit) -> Option<Int> {
    let signed = word.starts_with('i');
    let bytes = match word.strip_prefix(['i', 'u'])? {
        "8" => 1,
        "16" => 2,
        "32" => 4,
        "64" => 8,
        "128" => 16,
        _ => return None,
    };
    (signed || limit != Limit::NonNeg).then_some(Int { bytes, signed, limit })
}

/// Reads an attribute, adds it to `attributes`, and returns its name.
pub(super) fn attribute(text: &str, attributes: &mut Attributes) -> Result<Attribute, String> {
    let (word, value) = match (text.split_once(" = "), text.split_once('(')) {
        (Some((word, value)), _) if !word.contains('(') => (word, Some(value)),
        (_, Some((word, _))) => (word, text.get(word.len()..)),
        _ => (text, None),
    };
    let name = Attribute::ALL.into_iter().find(|name| name.word() == word).ok_or_else(|| {
        let known: Vec<&str> = Attribute::ALL.map(Attribute::word).to_vec();
        format!("unknown attribute {word:?}; one is {}, tags", known.join(", "))
    })?;
    let Attributes { md5, sep, width, pad, chars, digits, floor, .. } = attributes;
    let new = match name {
        Attribute::Compat => {
            let found = named(word, value, CompatTarget::ALL, CompatTarget::word)?;
            set_if_empty(&mut attributes.compat, found)
        }
        Attribute::Md5 => set_if_empty(md5, digest(value.unwrap_or_default())?),
        Attribute::RevTs => {
            let found = match value {
                None => RevTsKind::Max,
                Some("inverted") => RevTsKind::Inverted,
                Some(_) => {
                    return Err("`rev_ts` is written alone or as \"rev_ts = inverted\"".into());
                }
            };
            set_if_empty(&mut attributes.rev_ts, found)
        }
        Attribute::Sep => set_if_empty(sep, hex_byte(word, value)?),
        Attribute::Pad => set_if_empty(pad, hex_byte(word, value)?),
        Attribute::Width => set_if_empty(width, number(given(word, value, "8")?)?),
        Attribute::Digits => set_if_empty(digits, number(given(word, value, "5")?)?),
        Attribute::Floor => set_if_empty(floor, number(given(word, value, "3600")?)?),
        Attribute::Chars => set_if_empty(chars, characters(given(word, value, "\"abc\"")?)?),
        Attribute::DisplayTime => {
            let found = named(word, value, Unit::ALL, Unit::word)?;
            set_if_empty(&mut attributes.display_time, found)
        }
        Attribute::Escaped => flag(word, value, &mut attributes.escaped)?,
        Attribute::NulTerminated => flag(word, value, &mut attributes.nul_terminated)?,
        Attribute::RawBe => flag(word, value, &mut attributes.raw_be)?,
        Attribute::Reverse => flag(word, value, &mut attributes.reverse)?,
        Attribute::Terminated => flag(word, value, &mut attributes.terminated)?,
        Attribute::Desc => flag(word, value, &mut attributes.desc)?,
    };
    if new { Ok(name) } else { Err(given_twice_message(word)) }
}

pub(super) fn given_twice_message(word: &str) -> String {
    format!("`{word}` is given twice; remove one")
}

/// Fills `slot` if it is empty, and returns whether it was empty.
pub(super) fn set_if_empty<T>(slot: &mut Option<T>, value: T) -> bool {
    let free = slot.is_none();
    if free {
        *slot = Some(value);
    }
    free
}

fn flag(word: &str, value: Option<&str>, slot: &mut bool) -> Result<bool, String> {
    match value {
        Some(_) => Err(format!("`{word}` takes no value")),
        None => Ok(!core::mem::replace(slot, true)),
    }
}

/// Returns `value`, or an error if the attribute `word` has no value.
fn given<'t>(word: &str, value: Option<&'t str>, example: &str) -> Result<&'t str, String> {
    value.ok_or_else(|| format!("`{word}` takes a value, as in \"{word} = {example}\""))
}

/// Returns the element of `all` whose name is `value`.
pub(super) fn named<T: Copy, const N: usize>(
    word: &str,
    value: Option<&str>,
    all: [T; N],
    name: fn(T) -> &'static str,
) -> Result<T, String> {
    let value = value.unwrap_or_default();
    all.into_iter().find(|one| name(*one) == value).ok_or_else(|| {
        format!("{value:?} is not a value of `{word}`; one is {}", all.map(name).join(", "))
    })
}

/// Reads the part of an MD5, as in `(hex = 8)` or `(bytes = 16)`.
pub(super) fn digest(parts: &str) -> Result<DigestPart, String> {
    let inner = parts.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let (hex, len) = match inner.and_then(|inner| inner.split_once(" = ")) {
        Some(("hex", len)) => (true, len),
        Some(("bytes", len)) => (false, len),
        _ => {
            return Err(
                "how much of the MD5 is \"md5(bytes = 16)\" or \"md5(hex = 8)\"".to_string()
            );
        }
    };
    Ok(DigestPart { hex, len: number(len)? })
}

pub(super) fn salt_function(value: &str) -> Result<SaltFunction, String> {
    named("hash", Some(value), SaltFunction::ALL, SaltFunction::word)
}

/// Reads a decimal number without a sign.
pub(super) fn number<T: core::str::FromStr>(digits: &str) -> Result<T, String> {
    let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let number = digits.parse().ok().filter(|_| plain);
    number.ok_or_else(|| format!("{digits:?} is not a number that fits here"))
}

/// Reads a byte, as in `0x7c`.
pub(super) fn hex_byte(word: &str, value: Option<&str>) -> Result<u8, String> {
    let value = given(word, value, "0x7c")?;
    let digits = value.strip_prefix("0x").filter(|d| d.len() == 2);
    let digits = digits.filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
    let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
    byte.ok_or_else(|| format!("{value:?} is not a byte, as in \"0x7c\""))
}

/// Reads a set of characters, in quotes.
fn characters(quoted: &str) -> Result<u128, String> {
    let wrong = || format!("{quoted} is not a set of ASCII characters in quotes, as in \"abc\"");
    let inner = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let bytes = inner.and_then(unescape).ok_or_else(wrong)?;
    bytes.iter().try_fold(
        0_u128,
        |set, byte| if byte.is_ascii() { Ok(set | 1 << byte) } else { Err(wrong()) },
    )
}

/// Reads the escapes that `escape_ascii` writes.
fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'"' => return None,
            b'\\' => match rest.next()? {
                b't' => b'\t',
                b'r' => b'\r',
                b'n' => b'\n',
                c @ (b'\'' | b'"' | b'\\') => c,
                b'x' => {
                    let mut digit = || char::from(rest.next()?).to_digit(16);
                    u8::try_from(digit()? << 4 | digit()?).ok()?
                }
                _ => return None,
            },
            byte => byte,
        });
    }
    Some(bytes)
}

/// Splits a line at its commas, except the commas in quotes; returns each part and the index of its
/// first byte.
pub(super) fn split_at_commas(text: &str) -> Vec<(usize, &str)> {
    let mut parts = Vec::new();
    let (mut start, mut quoted, mut escaped) = (0, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b',' if !quoted => {
                parts.extend(text.get(start..at).map(|part| (start, part)));
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.extend(text.get(start..).map(|part| (start, part)));
    // The space after a comma belongs to neither part.
    let trimmed = parts.into_iter().map(|(at, part)| {
        let trimmed = part.trim_start_matches(' ');
        (at + part.len() - trimmed.len(), trimmed)
    });
    trimmed.collect()
}
