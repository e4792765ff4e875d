//! The parser of the text of a layout.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::position::{Position, Positions};
use super::word;
use crate::attributes::Attributes;
use crate::field::{Field, Type};
use crate::fingerprint::hex;
use crate::key_prefix::SaltOrHash;
use crate::model::MAX_NESTING;
use crate::model::{Layout, RecordVariant};
use crate::violation::{Part, Place};

/// The reason why a text does not describe a layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The position of the error.
    pub position: Position,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Position { line, column } = self.position;
        write!(f, "line {line}, column {column}: {}", self.message)
    }
}

impl core::error::Error for ParseError {}

/// A layout that was read from text, and the positions of its parts in the text.
#[derive(Clone, Debug)]
pub struct Source {
    /// The layout, which is not checked yet.
    pub layout: Layout,
    /// The positions of the parts of the layout in the text.
    pub positions: Positions,
    /// The fingerprint in the last line of the text, with its position, if the text has one.
    pub fingerprint: Option<(String, Position)>,
}

/// Reads the text of a layout, without checking the layout.
///
/// # Errors
/// When the text does not describe a layout.
///
/// See [`crate`] for an example.
pub fn parse(text: &str) -> Result<Source, ParseError> {
    let mut lines = Lines::new(text);
    let name = lines.head("row key ").ok_or_else(|| {
        lines.wrong(0, "a schema starts with the name of the key, as in \"row key Event\"")
    })?;
    let table = lines.head_at("table ", Place::Table);
    let number = match lines.head("layout ") {
        Some(number) => {
            Some(word::number(number).map_err(|message| lines.before(message, "layout ".len()))?)
        }
        None => None,
    };
    let mut layout = Layout {
        name: name.to_string(),
        table: table.map(str::to_string),
        number,
        tag_width: 1,
        ..Layout::default()
    };
    layout.prefix = lines.prefix()?;
    layout.fields = lines.fields(0, 0)?;
    lines.records(&mut layout)?;
    let fingerprint = lines.fingerprint();
    if let Some(line) = lines.peek() {
        let message = if fingerprint.is_some() {
            "nothing may follow the fingerprint".to_string()
        } else {
            format!("{:?} is not a field, as in \"user: u32\"", line.text)
        };
        return Err(lines.wrong(0, message));
    }
    Ok(Source { layout, positions: lines.positions, fingerprint })
}

/// Returns the error message for the fingerprint `given`, or `None` if `given` is the fingerprint
/// of `layout`.
///
/// ```
/// use tallrow_layout::{fingerprint_error, parse};
///
/// let layout = parse("row key Event\nat: u8\n")?.layout;
/// let digits = format!("{:016x}", layout.fingerprint());
/// assert_eq!(fingerprint_error(&layout, &digits), None);
/// assert!(
///     fingerprint_error(&layout, "0")
///         .unwrap()
///         .starts_with("\"0\" is the fingerprint of another layout")
/// );
/// # Ok::<(), tallrow_layout::ParseError>(())
/// ```
pub fn fingerprint_error(layout: &Layout, given: &str) -> Option<String> {
    let own: String = hex(layout.fingerprint()).map(char::from).iter().collect();
    (given != own).then(|| {
        format!(
            "{given:?} is the fingerprint of another layout, this one has {own}: one of the two \
             was changed"
        )
    })
}

/// One line without the spaces at its start; `indent` is the number of these spaces.
#[derive(Clone, Copy)]
struct Line<'t> {
    number: usize,
    indent: usize,
    text: &'t str,
}

struct Lines<'t> {
    rest: Vec<Line<'t>>,
    next: usize,
    /// The number of fields read so far.
    count: usize,
    positions: Positions,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str) -> Self {
        let line = |(index, line): (usize, &'t str)| {
            let text = line.trim_start_matches(' ');
            Line { number: index + 1, indent: line.len() - text.len(), text }
        };
        let rest = text.lines().enumerate().map(line).collect();
        Self { rest, next: 0, count: 0, positions: Positions::default() }
    }

    fn peek(&self) -> Option<Line<'t>> {
        self.rest.get(self.next).copied()
    }

    /// Consumes the next line if it starts with `start`, and returns the rest of the line.
    fn head(&mut self, start: &str) -> Option<&'t str> {
        let line = self.peek().filter(|line| line.indent == 0)?;
        let rest = line.text.strip_prefix(start)?;
        self.next += 1;
        Some(rest)
    }

    /// Consumes the next line if it starts with `start`, returns the rest of the line, and records
    /// the position of the rest as the position of `place`.
    fn head_at(&mut self, start: &str, place: Place) -> Option<&'t str> {
        let position = self.position(start.len());
        let rest = self.head(start)?;
        self.positions.add(place, position);
        Some(rest)
    }

    /// Returns the position of byte `at` of the next line.
    fn position(&self, at: usize) -> Position {
        match self.peek() {
            Some(line) => {
                let before = line.text.get(..at).unwrap_or(line.text).chars().count();
                Position { line: line.number, column: line.indent + before + 1 }
            }
            None => {
                Position { line: self.rest.last().map_or(1, |line| line.number + 1), column: 1 }
            }
        }
    }

    /// Returns an error at byte `at` of the next line.
    fn wrong(&self, at: usize, message: impl Into<String>) -> ParseError {
        ParseError { position: self.position(at), message: message.into() }
    }

    /// Returns an error at byte `at` of the line that was consumed last, and makes this line the
    /// next line again.
    fn before(&mut self, message: impl Into<String>, at: usize) -> ParseError {
        self.next = self.next.saturating_sub(1);
        self.wrong(at, message)
    }

    fn fingerprint(&mut self) -> Option<(String, Position)> {
        let position = self.position("fingerprint ".len());
        self.head("fingerprint ").map(|digits| (digits.to_string(), position))
    }

    fn prefix(&mut self) -> Result<SaltOrHash, ParseError> {
        let Some(line) = self.peek().filter(|line| line.indent == 0) else {
            return Ok(SaltOrHash::None);
        };
        let named = |start| line.text.strip_prefix(start).map(|rest: &'t str| (start, rest));
        let Some((start, rest)) =
            named("salt random: ").or(named("salt of ")).or(named("hash_prefix of "))
        else {
            return Ok(SaltOrHash::None);
        };
        let (names, parts) = match start {
            "salt random: " => ("", rest),
            _ => rest.split_once(": ").ok_or_else(|| {
                self.wrong(
                    0,
                    "names of fields, a colon and the parts of the key prefix are expected",
                )
            })?,
        };
        self.positions.add(Place::Prefix(Part::Whole), self.position(0));
        let mut at = start.len();
        for (index, name) in names.split(", ").enumerate() {
            self.positions.add(Place::Prefix(Part::Field(index)), self.position(at));
            at += name.len() + 2;
        }
        self.positions.add(Place::Prefix(Part::Fields), self.position(start.len()));
        let names = names.split(", ").map(str::to_string).collect();
        let base = line.text.len() - parts.len();
        let prefix = match start {
            "hash_prefix of " => self.hash_prefix(names, parts, base)?,
            _ => self.salt((start == "salt of ").then_some(names), parts, base)?,
        };
        self.next += 1;
        Ok(prefix)
    }

    fn salt(
        &mut self,
        names: Option<Vec<String>>,
        text: &str,
        base: usize,
    ) -> Result<SaltOrHash, ParseError> {
        let (mut buckets, mut offset, mut width, mut hash) = (None, None, None, None);
        for (at, part) in word::split_at_commas(text) {
            let (word, value) = part.split_once(" = ").unwrap_or((part, ""));
            let read = match word {
                "buckets" => word::number(value)
                    .map(|n| (Part::Buckets, word::set_if_empty(&mut buckets, n))),
                "bucket_offset" => word::number(value)
                    .map(|n| (Part::BucketOffset, word::set_if_empty(&mut offset, n))),
                "width" => {
                    word::number(value).map(|n| (Part::Width, word::set_if_empty(&mut width, n)))
                }
                "hash" if names.is_some() => word::salt_function(value)
                    .map(|f| (Part::Hash, word::set_if_empty(&mut hash, f))),
                _ => Err(format!(
                    "{part:?} is not a part of a salt, as in \"buckets = 16, width = 1, hash = \
                     fnv1a\""
                )),
            };
            let (place, new) = read.map_err(|message| self.wrong(base + at, message))?;
            if !new {
                return Err(self.wrong(base + at, word::given_twice_message(word)));
            }
            self.positions.add(Place::Prefix(place), self.position(base + at));
        }
        let missing = |word| {
            format!("a salt needs `{word}`, as in \"buckets = 16, width = 1, hash = fnv1a\"")
        };
        let buckets = buckets.ok_or_else(|| self.wrong(base, missing("buckets")))?;
        let (bucket_offset, width) = (offset.unwrap_or(0), width.unwrap_or(1));
        match names {
            None => Ok(SaltOrHash::RandomSalt { buckets, bucket_offset, width }),
            Some(fields) => {
                let hash = hash.ok_or_else(|| self.wrong(base, missing("hash")))?;
                Ok(SaltOrHash::Salt { buckets, bucket_offset, width, hash, fields })
            }
        }
    }

    fn hash_prefix(
        &mut self,
        fields: Vec<String>,
        text: &str,
        base: usize,
    ) -> Result<SaltOrHash, ParseError> {
        let (mut digest, mut sep) = (None, None);
        for (at, part) in word::split_at_commas(text) {
            let read = if let Some(size) = part.strip_prefix("md5") {
                word::digest(size).map(|size| (Part::Digest, word::set_if_empty(&mut digest, size)))
            } else if let Some(byte) = part.strip_prefix("sep = ") {
                word::hex_byte("sep", Some(byte))
                    .map(|byte| (Part::Sep, word::set_if_empty(&mut sep, byte)))
            } else {
                Err(format!(
                    "{part:?} is not a part of a hash prefix, as in \"md5(hex = 5)\" or \
                     \"md5(bytes = 8), sep = 0x7c\""
                ))
            };
            let (place, new) = read.map_err(|message| self.wrong(base + at, message))?;
            if !new {
                return Err(self.wrong(base + at, word::given_twice_message(part)));
            }
            self.positions.add(Place::Prefix(place), self.position(base + at));
        }
        let digest = digest.ok_or_else(|| {
            self.wrong(base, "a hash prefix needs its hash, as in \"md5(hex = 5)\"")
        })?;
        Ok(SaltOrHash::HashPrefix { digest, sep, fields })
    }

    /// Reads the fields whose lines start with `indent` spaces.
    fn fields(&mut self, indent: usize, depth: usize) -> Result<Vec<Field>, ParseError> {
        let mut fields = Vec::new();
        while let Some(line) = self.peek() {
            if line.indent < indent {
                break;
            }
            if line.indent > indent {
                let message = format!("{indent} spaces are expected before this field");
                return Err(self.wrong(0, message));
            }
            let Some((name, rest)) = line.text.split_once(": ") else { break };
            if rest.starts_with("tag = ") {
                break;
            }
            fields.push(self.field(name, rest, depth)?);
        }
        Ok(fields)
    }

    fn field(&mut self, name: &str, text: &str, depth: usize) -> Result<Field, ParseError> {
        let own = self.count;
        self.count += 1;
        let mut parts = word::split_at_commas(text).into_iter();
        let start = name.len() + 2;
        let (_, word) = parts.next().unwrap_or_default();
        let mut ty = word::ty(word).map_err(|message| self.wrong(start, message))?;
        self.positions.add(Place::Field(own), self.position(0));
        self.positions.add(Place::Type(own), self.position(start));
        let (mut attributes, mut tags) = (Attributes::default(), None);
        for (at, part) in parts {
            let position = self.position(start + at);
            if let Some(text) = part.strip_prefix("tags = ") {
                let found = text.parse().map_err(|message| ParseError { position, message })?;
                if !word::set_if_empty(&mut tags, found) {
                    return Err(ParseError {
                        position,
                        message: word::given_twice_message("tags"),
                    });
                }
                continue;
            }
            let name = word::attribute(part, &mut attributes)
                .map_err(|message| ParseError { position, message })?;
            self.positions.add(Place::Attribute(own, name), position);
        }
        attributes.fill_in_default_pad();
        if depth == MAX_NESTING && matches!(ty.innermost(), Type::Key(_)) {
            return Err(self.wrong(start, format!("keys nest at most {MAX_NESTING} deep")));
        }
        let indent = self.peek().map_or(0, |line| line.indent);
        self.next += 1;
        if let Some(inner) = ty.inner_fields_mut() {
            *inner = self.fields(indent + 2, depth + 1)?;
        }
        Ok(Field::new(name.to_string(), ty, attributes).with_tags(tags.unwrap_or_default()))
    }

    fn records(&mut self, layout: &mut Layout) -> Result<(), ParseError> {
        while let Some(line) = self.peek().filter(|line| line.indent == 0) {
            let Some((name, rest)) = line.text.split_once(": ") else { break };
            let start = name.len() + 2;
            let (tag, width) = self.tag(rest, start)?;
            if !layout.records.is_empty() && width != layout.tag_width {
                return Err(self.wrong(start, "all tags of a key have one type"));
            }
            layout.tag_width = width;
            let own = layout.records.len();
            self.positions.add(Place::Record(own), self.position(0));
            self.positions.add(Place::Tag(own), self.position(start));
            self.next += 1;
            let fields = self.fields(2, 0)?;
            layout.records.push(RecordVariant::new(name.to_string(), tag, fields));
        }
        Ok(())
    }

    /// Reads the tag of a record variant, and returns the tag and its width in bytes.
    fn tag(&self, text: &str, start: usize) -> Result<(u64, usize), ParseError> {
        let parts = word::split_at_commas(text);
        let tag = |part: &str| {
            let digits = part.strip_prefix("tag = ")?;
            Some(word::number(digits).map_err(|message| self.wrong(start, message)))
        };
        match parts.as_slice() {
            [(_, first)] => tag(first).map(|tag| Ok((tag?, 1))),
            [(_, first), (_, "tag_type = u16")] => tag(first).map(|tag| Ok((tag?, 2))),
            [(_, first), (_, "tag_type = u32")] => tag(first).map(|tag| Ok((tag?, 4))),
            _ => None,
        }
        .unwrap_or_else(|| {
            let message =
                format!("{text:?} is not a tag, as in \"tag = 1\" or \"tag = 1, tag_type = u16\"");
            Err(self.wrong(start, message))
        })
    }
}
