//! The printer of the text of a layout.

use alloc::string::String;
use core::fmt::{self, Write as _};

use crate::attributes::{Attributes, DigestPart, RevTsKind, chars};
use crate::field::{Field, Int, Limit, Type};
use crate::fingerprint::{fingerprint, hex};
use crate::key_prefix::SaltOrHash;
use crate::model::{Layout, RecordVariant};

/// Returns the text of a layout, with the fingerprint in its last line.
///
/// See [`crate`] for an example.
pub fn print(layout: &Layout) -> String {
    let mut text = body(layout);
    let digits = hex(fingerprint(text.as_bytes()));
    text.push_str("fingerprint ");
    text.extend(digits.map(char::from));
    text.push('\n');
    text
}

/// Returns the text of a layout without the last line, which contains the fingerprint.
fn body(layout: &Layout) -> String {
    let mut text = layout.head();
    fields(&layout.fields, 0, &mut text);
    for record in &layout.records {
        text.push_str(&record.line(layout.tag_width));
        fields(record.fields(), 2, &mut text);
    }
    text
}

fn fields(list: &[Field], indent: usize, text: &mut String) {
    for field in list {
        // Writing into a String does not fail.
        let _ = writeln!(text, "{:indent$}{field}", "");
        fields(field.ty().inner_fields(), indent + 2, text);
    }
}

impl Layout {
    /// Returns the fingerprint of the layout, which is printed in the last line of its text.
    pub fn fingerprint(&self) -> u64 {
        fingerprint(body(self).as_bytes())
    }

    /// Returns the lines of the text that precede the fields.
    pub fn head(&self) -> String {
        let mut text = String::new();
        let _ = self.write_head(&mut text);
        text
    }

    fn write_head(&self, text: &mut String) -> fmt::Result {
        writeln!(text, "row key {}", self.name)?;
        if let Some(table) = &self.table {
            writeln!(text, "table {table}")?;
        }
        if let Some(number) = self.number {
            writeln!(text, "layout {number}")?;
        }
        match &self.prefix {
            SaltOrHash::None => Ok(()),
            prefix => writeln!(text, "{prefix}"),
        }
    }
}

/// Displays the key prefix as in the text of a schema, for example
/// `salt random: buckets = 16, width = 1`; displays nothing if there is no key prefix.
impl fmt::Display for SaltOrHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => Ok(()),
            Self::Salt { buckets, bucket_offset, width, hash, fields } => {
                write!(f, "salt of {}: buckets = {buckets}, ", fields.join(", "))?;
                offset(*bucket_offset, f)?;
                write!(f, "width = {width}, hash = {}", hash.word())
            }
            Self::RandomSalt { buckets, bucket_offset, width } => {
                write!(f, "salt random: buckets = {buckets}, ")?;
                offset(*bucket_offset, f)?;
                write!(f, "width = {width}")
            }
            Self::HashPrefix { digest, sep, fields } => {
                write!(f, "hash_prefix of {}: {digest}", fields.join(", "))?;
                match sep {
                    Some(sep) => write!(f, ", sep = {sep:#04x}"),
                    None => Ok(()),
                }
            }
        }
    }
}

fn offset(bucket_offset: u32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match bucket_offset {
        0 => Ok(()),
        offset => write!(f, "bucket_offset = {offset}, "),
    }
}

/// Displays the field as in the text of a schema, for example `at: i64, rev_ts`.
impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}{}", self.name(), self.ty(), self.attributes())?;
        match self.tags() {
            Some(tags) => write!(f, ", tags = {tags}"),
            None => Ok(()),
        }
    }
}

impl RecordVariant {
    /// Returns the line of the variant in the text of a schema, which precedes the lines of its own
    /// fields.
    #[doc(hidden)]
    pub fn line(&self, tag_width: usize) -> String {
        let mut text = alloc::format!("{}: tag = {}", self.name(), self.tag());
        if tag_width != 1 {
            let _ = write!(text, ", tag_type = u{}", 8 * tag_width);
        }
        text.push('\n');
        text
    }
}

impl fmt::Display for DigestPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "md5({} = {})", if self.hex { "hex" } else { "bytes" }, self.len)
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limit = match self.limit {
            Limit::Any => "",
            Limit::NonZero => "nonzero ",
            Limit::NonNeg => "nonneg ",
        };
        write!(f, "{limit}{}{}", if self.signed { 'i' } else { 'u' }, self.bytes * 8)
    }
}

/// Displays the type as in the text of a schema, for example `optional u32`.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(int) => int.fmt(f),
            Self::Float(bytes) => write!(f, "f{}", bytes * 8),
            Self::Bool => f.write_str("bool"),
            Self::Char => f.write_str("char"),
            Self::Array(len) => write!(f, "[u8; {len}]"),
            Self::Uid(len) => write!(f, "uid {len}"),
            Self::Digest(len) => write!(f, "digest {len}"),
            Self::Uuid => f.write_str("uuid"),
            Self::Foreign(word) => f.write_str(word),
            Self::Text => f.write_str("text"),
            Self::Bytes => f.write_str("bytes"),
            Self::Optional(some) => write!(f, "optional {some}"),
            Self::List(item) => write!(f, "list of {item}"),
            Self::TagPairs { max, key, value } => write!(f, "{max} tag pairs of {key} and {value}"),
            Self::Key(_) => f.write_str("key"),
            Self::Unknown(_) => f.write_str("?"),
        }
    }
}

/// Displays the attributes as they follow the type in the text of a schema, with a comma before
/// each attribute: for example `, width = 6, pad = 0x00`.
impl fmt::Display for Attributes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(compat) = self.compat {
            write!(f, ", compat = {}", compat.word())?;
        }
        if let Some(md5) = self.md5 {
            write!(f, ", {md5}")?;
        }
        match self.rev_ts {
            Some(RevTsKind::Max) => f.write_str(", rev_ts")?,
            Some(RevTsKind::Inverted) => f.write_str(", rev_ts = inverted")?,
            None => {}
        }
        if self.escaped {
            f.write_str(", escaped")?;
        }
        if self.nul_terminated {
            f.write_str(", nul_terminated")?;
        }
        if let Some(sep) = self.sep {
            write!(f, ", sep = {sep:#04x}")?;
        }
        if let Some(width) = self.width {
            write!(f, ", width = {width}, pad = {:#04x}", self.pad.unwrap_or(0))?;
        }
        if let Some(set) = self.chars {
            write!(f, ", chars = \"{}\"", chars(set).escape_ascii())?;
        }
        if let Some(digits) = self.digits {
            write!(f, ", digits = {digits}")?;
        }
        if self.raw_be {
            f.write_str(", raw_be")?;
        }
        if let Some(floor) = self.floor {
            write!(f, ", floor = {floor}")?;
        }
        if self.reverse {
            f.write_str(", reverse")?;
        }
        if self.terminated {
            f.write_str(", terminated")?;
        }
        if self.desc {
            f.write_str(", desc")?;
        }
        match self.display_time {
            Some(unit) => write!(f, ", display_time = {}", unit.word()),
            None => Ok(()),
        }
    }
}
