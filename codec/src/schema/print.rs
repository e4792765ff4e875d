//! A schema as text.

use alloc::string::String;
use core::fmt::{self, Write as _};

use super::field::{End, Field, FieldForm, ReverseTime};
use super::model::{DigestPart, KeyPrefix, Schema};
use super::ty::{Int, Limit, Type};
use crate::fingerprint::{fingerprint, hex};

impl Schema {
    /// Returns the number that stands for the layout; equal to the key's
    /// [`FINGERPRINT`](crate::RowKey::FINGERPRINT).
    ///
    /// ```
    /// use tallrow_codec::RowKey;
    /// use tallrow_codec::schema::Schema;
    ///
    /// #[derive(RowKey)]
    /// struct User {
    ///     id: u32,
    /// }
    ///
    /// assert_eq!(Schema::parse(User::SCHEMA)?.fingerprint(), User::FINGERPRINT);
    /// assert_eq!(Schema::parse("row key Any\nother: u32\n")?.fingerprint(), User::FINGERPRINT);
    /// # Ok::<(), tallrow_codec::schema::SchemaError>(())
    /// ```
    pub fn fingerprint(&self) -> u64 {
        fingerprint(self.body().as_bytes())
    }

    /// Returns the text without its last line.
    fn body(&self) -> String {
        let mut text = String::new();
        // Writing into a String does not fail.
        let _ = self.write_body(&mut text);
        text
    }

    fn write_body(&self, text: &mut String) -> fmt::Result {
        writeln!(text, "row key {}", self.name)?;
        if let Some(table) = &self.table {
            writeln!(text, "table {table}")?;
        }
        if let Some(version) = self.version {
            writeln!(text, "version {version}")?;
        }
        match &self.lead {
            KeyPrefix::None => {}
            KeyPrefix::Salt { buckets, first, width, hash, of } => {
                write!(text, "salt of {}: {buckets} buckets", of.join(", "))?;
                if *first != 0 {
                    write!(text, " from {first} on")?;
                }
                writeln!(text, " in {} by {}", Count(*width, "byte"), hash.word())?;
            }
            KeyPrefix::RandomSalt { buckets, first, width } => {
                write!(text, "salt at random: {buckets} buckets")?;
                if *first != 0 {
                    write!(text, " from {first} on")?;
                }
                writeln!(text, " in {}", Count(*width, "byte"))?;
            }
            KeyPrefix::HashPrefix { digest, sep, of } => {
                write!(text, "hash prefix of {}: {digest} of md5", of.join(", "))?;
                if let Some(sep) = sep {
                    write!(text, ", then {sep:#04x}")?;
                }
                text.push('\n');
            }
        }
        write_fields(&self.fields, 0, text)?;
        for record in &self.records {
            write!(text, "{}: tag {}", record.name, record.tag)?;
            if self.tag_width != 1 {
                write!(text, " in {} bytes", self.tag_width)?;
            }
            text.push('\n');
            write_fields(&record.fields, 2, text)?;
        }
        Ok(())
    }
}

/// Writes the text the key's [`SCHEMA`](crate::RowKey::SCHEMA) is.
impl fmt::Display for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let body = self.body();
        writeln!(f, "{body}fingerprint {}", Fingerprint(fingerprint(body.as_bytes())))
    }
}

/// Shows as the 16 hex digits a schema ends in.
pub(super) struct Fingerprint(pub(super) u64);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hex(self.0).iter().try_for_each(|digit| f.write_char(char::from(*digit)))
    }
}

fn write_fields(fields: &[Field], indent: usize, text: &mut String) -> fmt::Result {
    for field in fields {
        writeln!(text, "{:indent$}{}: {}{}", "", field.name, field.ty, field.form)?;
        if let Type::Key(inner) = field.ty.innermost() {
            write_fields(inner, indent + 2, text)?;
        }
    }
    Ok(())
}

/// A number of things, in the plural where it is not one.
struct Count(usize, &'static str);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}{}", self.0, self.1, if self.0 == 1 { "" } else { "s" })
    }
}

impl fmt::Display for DigestPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Count(self.len, if self.hex { "hex digit" } else { "byte" }).fmt(f)
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

/// Shows as in the text of a schema: `optional u32`.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(int) => int.fmt(f),
            Self::Float(bytes) => write!(f, "f{}", bytes * 8),
            Self::Bool => f.write_str("bool"),
            Self::Char => f.write_str("char"),
            Self::Array(len) => write!(f, "[u8; {len}]"),
            Self::Uid(len) => write!(f, "id {len}"),
            Self::Digest(len) => write!(f, "digest {len}"),
            Self::Uuid => f.write_str("uuid"),
            Self::Foreign(word) => f.write_str(word),
            Self::Text => f.write_str("text"),
            Self::Bytes => f.write_str("bytes"),
            Self::Optional(some) => write!(f, "optional {some}"),
            Self::List(item) => write!(f, "list of {item}"),
            Self::TagPairs { most, key, value } => write!(f, "{most} tags of {key} and {value}"),
            Self::Key(_) => f.write_str("key"),
        }
    }
}

impl fmt::Display for FieldForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(world) = self.world {
            write!(f, ", as {}", world.word())?;
        }
        if let Some(md5) = self.md5 {
            write!(f, ", md5 {md5}")?;
        }
        match self.stamp {
            Some(ReverseTime::Reverse) => f.write_str(", reverse timestamp")?,
            Some(ReverseTime::Inverted) => f.write_str(", inverted timestamp")?,
            None => {}
        }
        match self.end {
            End::Native => {}
            End::Escaped => f.write_str(", escaped")?,
            End::Byte(byte) => write!(f, ", ended by {byte:#04x}")?,
            End::Width { width, pad } => write!(f, ", width {width} filled with {pad:#04x}")?,
        }
        if let Some(chars) = self.chars {
            write!(f, ", chars \"{}\"", set_chars(chars).escape_ascii())?;
        }
        if let Some(digits) = self.digits {
            write!(f, ", {}", Count(digits, "digit"))?;
        }
        if self.twos_complement {
            f.write_str(", two's complement")?;
        }
        if let Some(floor) = self.floor {
            write!(f, ", floor {floor}")?;
        }
        if self.reversed {
            f.write_str(", reversed")?;
        }
        if self.marked {
            f.write_str(", marked")?;
        }
        if self.descending {
            f.write_str(", descending")?;
        }
        match self.time {
            Some(unit) => write!(f, ", time {}", unit.word()),
            None => Ok(()),
        }
    }
}

/// Returns the characters of a set.
pub(super) fn set_chars(set: u128) -> alloc::vec::Vec<u8> {
    (0..128).filter(|c| set >> c & 1 == 1).collect()
}
