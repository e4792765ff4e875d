//! The words of types, forms and leads, which the text and the JSON of a schema share.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::field::{End, FieldForm, ReverseTime, Unit, World};
use super::model::{DigestPart, KeyPrefix, SaltFunction};
use super::ty::{Int, Limit, Type};

/// Reads a type; that of a nested key has no fields yet.
pub(super) fn ty(word: &str) -> Result<Type, String> {
    if let Some(some) = word.strip_prefix("optional ") {
        return Ok(Type::Optional(Box::new(ty(some)?)));
    }
    if let Some(item) = word.strip_prefix("list of ") {
        return Ok(Type::List(Box::new(ty(item)?)));
    }
    if let Some((most, halves)) = word.split_once(" tags of ") {
        let halves = halves.split_once(" and ");
        let (key, value) = halves
            .ok_or_else(|| format!("{word:?} are no tags, as in \"8 tags of id 3 and id 3\""))?;
        let (key, value) = (Box::new(ty(key)?), Box::new(ty(value)?));
        return Ok(Type::TagPairs { most: number(most)?, key, value });
    }
    let sized = |size: &str| number::<usize>(size);
    let (limit, int) = match word.split_once(' ') {
        Some(("nonzero", int)) => (Limit::NonZero, int),
        Some(("nonneg", int)) => (Limit::NonNeg, int),
        Some(("id", size)) => return Ok(Type::Uid(sized(size)?)),
        Some(("digest", size)) => return Ok(Type::Digest(sized(size)?)),
        _ => (Limit::Any, word),
    };
    let array = word.strip_prefix("[u8; ").and_then(|rest| rest.strip_suffix(']'));
    if let Some(size) = array {
        return Ok(Type::Array(sized(size)?));
    }
    let found = match word {
        "f32" => Type::Float(4),
        "f64" => Type::Float(8),
        "bool" => Type::Bool,
        "char" => Type::Char,
        "uuid" => Type::Uuid,
        "decimal" => Type::Foreign("decimal"),
        "number" => Type::Foreign("number"),
        "timestamp" => Type::Foreign("timestamp"),
        "text" => Type::Text,
        "bytes" => Type::Bytes,
        "key" => Type::Key(Vec::new()),
        _ => match integer(int, limit) {
            Some(int) => Type::Int(int),
            None => {
                return Err(format!(
                    "{word:?} is no type; one is a number as u32 or i64, f32, f64, bool, char, text, bytes, \
                     uuid, [u8; 16], id 8, digest 16, key, list of u32, 8 tags of id 3 and id 3"
                ));
            }
        },
    };
    Ok(found)
}

fn integer(word: &str, limit: Limit) -> Option<Int> {
    let signed = word.starts_with('i');
    let bits = word.strip_prefix(['i', 'u'])?;
    let bytes = match bits {
        "8" => 1,
        "16" => 2,
        "32" => 4,
        "64" => 8,
        "128" => 16,
        _ => return None,
    };
    (signed || limit != Limit::NonNeg).then_some(Int { bytes, signed, limit })
}

/// Reads a part of a form.
pub(super) fn part(word: &str, form: &mut FieldForm) -> Result<(), String> {
    let words: Vec<&str> = word.split(' ').collect();
    let twice = || format!("the field has a form of the kind of {word:?} already");
    match *words {
        ["as", word] => {
            let found = World::ALL.into_iter().find(|world| world.word() == word);
            let world = found.ok_or_else(|| {
                let known = World::ALL.map(World::word).join(", ");
                format!("{word:?} is no name of other bytes; one is {known}")
            })?;
            set(&mut form.world, world)
        }
        ["md5", len, ..] => set(&mut form.md5, digest(len, words.get(2..).unwrap_or_default())?),
        ["reverse", "timestamp"] => set(&mut form.stamp, ReverseTime::Reverse),
        ["inverted", "timestamp"] => set(&mut form.stamp, ReverseTime::Inverted),
        ["escaped"] => set_end(&mut form.end, End::Escaped),
        ["ended", "by", end] => set_end(&mut form.end, End::Byte(byte(end)?)),
        ["width", width, "filled", "with", pad] => {
            set_end(&mut form.end, End::Width { width: number(width)?, pad: byte(pad)? })
        }
        ["chars", ..] => set(&mut form.chars, chars(word.strip_prefix("chars ").unwrap_or(""))?),
        [digits, "digit" | "digits"] => set(&mut form.digits, number(digits)?),
        ["two's", "complement"] => flag(&mut form.twos_complement),
        ["floor", step] => set(&mut form.floor, number(step)?),
        ["marked"] => flag(&mut form.marked),
        ["reversed"] => flag(&mut form.reversed),
        ["descending"] => flag(&mut form.descending),
        ["time", word] => {
            let found = Unit::ALL.into_iter().find(|unit| unit.word() == word);
            let unit = found.ok_or_else(|| format!("{word:?} is no unit of time; one is s, ms, us"))?;
            set(&mut form.time, unit)
        }
        _ => {
            return Err(format!(
                "{word:?} is no form; one is md5 16 bytes, md5 8 hex digits, reverse timestamp, inverted \
                 timestamp, escaped, ended by 0x00, width 8 filled with 0x00, chars \"a\", 5 digits, \
                 two's complement, floor 3600, reversed, marked, descending, time ms"
            ));
        }
    }
    .ok_or_else(twice)
}

/// Fills `slot`, unless it is.
fn set<T>(slot: &mut Option<T>, value: T) -> Option<()> {
    slot.is_none().then(|| *slot = Some(value))
}

fn set_end(slot: &mut End, value: End) -> Option<()> {
    (*slot == End::Native).then(|| *slot = value)
}

fn flag(slot: &mut bool) -> Option<()> {
    (!*slot).then(|| *slot = true)
}

/// Reads what stands in front of the fields `of`.
pub(super) fn lead(kind: &str, of: Vec<String>, rest: &str) -> Result<KeyPrefix, String> {
    let words: Vec<&str> = rest.split(' ').collect();
    if kind == "salt" {
        let (buckets, first, width, hash) = match *words {
            [buckets, "buckets", "in", width, "byte" | "bytes", "by", hash] => {
                (buckets, "0", width, hash)
            }
            [
                buckets,
                "buckets",
                "from",
                first,
                "on",
                "in",
                width,
                "byte" | "bytes",
                "by",
                hash,
            ] => (buckets, first, width, hash),
            _ => {
                return Err(format!(
                    "{rest:?} is no salt, as in \"16 buckets in 1 byte by fnv1a\""
                ));
            }
        };
        let hash = salt_function(hash)?;
        let (buckets, first) = (number(buckets)?, number(first)?);
        return Ok(KeyPrefix::Salt { buckets, first, width: number(width)?, hash, of });
    }
    let (digest_words, sep) = match rest.split_once(", then ") {
        Some((digest, sep)) => (digest, Some(byte(sep)?)),
        None => (rest, None),
    };
    let words: Vec<&str> = digest_words.split(' ').collect();
    match *words {
        [len, .., "of", "md5"] => {
            let unit = words.get(1..words.len() - 2).unwrap_or_default();
            Ok(KeyPrefix::HashPrefix { digest: digest(len, unit)?, sep, of })
        }
        _ => Err(format!(
            "{rest:?} is no hash prefix, as in \"5 hex digits of md5\" or \"8 bytes of md5, then 0x7c\""
        )),
    }
}

/// Reads a salt that the writer chooses.
pub(super) fn random_salt(rest: &str) -> Result<KeyPrefix, String> {
    let words: Vec<&str> = rest.split(' ').collect();
    let (buckets, first, width) = match *words {
        [buckets, "buckets", "in", width, "byte" | "bytes"] => (buckets, "0", width),
        [buckets, "buckets", "from", first, "on", "in", width, "byte" | "bytes"] => {
            (buckets, first, width)
        }
        _ => return Err(format!("{rest:?} is no random salt, as in \"16 buckets in 1 byte\"")),
    };
    Ok(KeyPrefix::RandomSalt {
        buckets: number(buckets)?,
        first: number(first)?,
        width: number(width)?,
    })
}

pub(super) fn salt_function(word: &str) -> Result<SaltFunction, String> {
    let found = SaltFunction::ALL.into_iter().find(|function| function.word() == word);
    found.ok_or_else(|| {
        let known = SaltFunction::ALL.map(SaltFunction::word).join(", ");
        format!("{word:?} is no hash function of a salt; one is {known}")
    })
}

/// Reads the tag of a kind of rows and its width.
pub(super) fn tag(rest: &str) -> Result<(u32, usize), String> {
    let words: Vec<&str> = rest.split(' ').collect();
    match *words {
        ["tag", tag] => Ok((number(tag)?, 1)),
        ["tag", tag, "in", width, "byte" | "bytes"] => Ok((number(tag)?, number(width)?)),
        _ => Err(format!("{rest:?} is no tag, as in \"tag 1\" or \"tag 1 in 2 bytes\"")),
    }
}

fn digest(len: &str, unit: &[&str]) -> Result<DigestPart, String> {
    let hex = match *unit {
        ["byte" | "bytes"] => false,
        ["hex", "digit" | "digits"] => true,
        _ => return Err("how much of the md5 is \"16 bytes\" or \"8 hex digits\"".to_string()),
    };
    Ok(DigestPart { hex, len: number(len)? })
}

/// Reads a number without sign.
pub(super) fn number<T: core::str::FromStr>(digits: &str) -> Result<T, String> {
    let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let number = digits.parse().ok().filter(|_| plain);
    number.ok_or_else(|| format!("{digits:?} is no number that fits here"))
}

/// Reads `0x7c`.
fn byte(word: &str) -> Result<u8, String> {
    let digits = word.strip_prefix("0x").filter(|d| d.len() == 2);
    let digits = digits.filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
    let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
    byte.ok_or_else(|| format!("{word:?} is no byte, as in \"0x7c\""))
}

/// Reads a set of characters, in quotes.
fn chars(quoted: &str) -> Result<u128, String> {
    let wrong = || format!("{quoted} is no set of ASCII characters in quotes, as in \"abc\"");
    let inner = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let bytes = inner.and_then(unescape).ok_or_else(wrong)?;
    bytes.iter().try_fold(
        0_u128,
        |set, byte| {
            if byte.is_ascii() { Ok(set | 1 << byte) } else { Err(wrong()) }
        },
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

/// Splits a form at its commas, leaving those inside of quotes alone; says at which byte each part
/// starts.
pub(super) fn parts(form: &str) -> Vec<(usize, &str)> {
    let mut parts = Vec::new();
    let (mut start, mut quoted, mut escaped) = (0, false, false);
    for (at, byte) in form.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b',' if !quoted => {
                parts.extend(form.get(start..at).map(|part| (start, part)));
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.extend(form.get(start..).map(|part| (start, part)));
    // The space behind a comma belongs to neither part.
    let trim = |(at, part): (usize, &'_ str)| {
        let trimmed = part.trim_start_matches(' ');
        (at + part.len() - trimmed.len(), trimmed.len())
    };
    parts
        .into_iter()
        .map(trim)
        .filter_map(|(at, len)| Some((at, form.get(at..at + len)?)))
        .collect()
}
