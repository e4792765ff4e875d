//! The values of a row key, without its Rust type.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Deref;

use super::time::Time;
use crate::show;

/// The value of one field.
///
/// ```
/// use tallrow_codec::schema::Value;
///
/// assert_eq!(Value::from(7_u32), Value::Unsigned(7));
/// assert_eq!(Value::from("bob smith").to_string(), "\"bob smith\"");
/// assert_eq!(Value::Bytes(vec![0, 0xff]).to_string(), "0x00ff");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// An optional field without a value.
    None,
    /// `bool`.
    Bool(bool),
    /// `char`.
    Char(char),
    /// An unsigned number, or an id.
    Unsigned(u128),
    /// A signed number.
    Signed(i128),
    /// `f32`.
    Float32(f32),
    /// `f64`.
    Float64(f64),
    /// Text.
    Text(String),
    /// Bytes, including `[u8; N]`.
    Bytes(Vec<u8>),
    /// A UUID.
    Uuid([u8; 16]),
    /// The digest of a hashed field, in lower-case hex digits.
    Digest(String),
    /// A number that is a time.
    Time(Time),
    /// The items of a list.
    List(Vec<Value>),
    /// The pairs of tags.
    TagPairs(Vec<(Value, Value)>),
    /// The fields of a nested key.
    Key(FieldValues),
    /// The name of a record variant.
    Variant(String),
}

macro_rules! from {
    ($($from:ty => $value:ident as $to:ty;)*) => {$(
        impl From<$from> for Value {
            fn from(value: $from) -> Self {
                Self::$value(<$to>::from(value))
            }
        }
    )*};
}

from! {
    bool => Bool as bool;
    char => Char as char;
    u8 => Unsigned as u128;
    u16 => Unsigned as u128;
    u32 => Unsigned as u128;
    u64 => Unsigned as u128;
    u128 => Unsigned as u128;
    i8 => Signed as i128;
    i16 => Signed as i128;
    i32 => Signed as i128;
    i64 => Signed as i128;
    i128 => Signed as i128;
    f32 => Float32 as f32;
    f64 => Float64 as f64;
    &str => Text as String;
    String => Text as String;
    &[u8] => Bytes as Vec<u8>;
    Vec<u8> => Bytes as Vec<u8>;
    Time => Time as Time;
    FieldValues => Key as FieldValues;
}

/// Displays in the form that [`encode_text`](super::Schema::encode_text) reads.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Bool(value) => value.fmt(f),
            Self::Char(value) => quoted(value.encode_utf8(&mut [0; 4]), f),
            Self::Unsigned(value) => value.fmt(f),
            Self::Signed(value) => value.fmt(f),
            // `Debug` writes a float with enough digits to read it back.
            Self::Float32(value) => fmt::Debug::fmt(value, f),
            Self::Float64(value) => fmt::Debug::fmt(value, f),
            Self::Text(text) if is_bare(text) => f.write_str(text),
            Self::Text(text) => quoted(text, f),
            Self::Bytes(bytes) => write!(f, "0x{}", show::hex(bytes)),
            Self::Uuid(bytes) => {
                let groups = [(0, 4), (4, 6), (6, 8), (8, 10), (10, 16)];
                groups.iter().enumerate().try_for_each(|(index, (from, to))| {
                    let group = bytes.get(*from..*to).unwrap_or_default();
                    write!(f, "{}{}", if index == 0 { "" } else { "-" }, show::hex(group))
                })
            }
            Self::Digest(hex) => write!(f, "#{hex}"),
            Self::Time(time) => time.fmt(f),
            Self::List(items) => {
                f.write_str("[")?;
                for (index, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if index == 0 { "" } else { ", " })?;
                }
                f.write_str("]")
            }
            Self::TagPairs(pairs) => {
                f.write_str("[")?;
                for (index, (key, value)) in pairs.iter().enumerate() {
                    write!(f, "{}{key}={value}", if index == 0 { "" } else { ", " })?;
                }
                f.write_str("]")
            }
            Self::Key(fields) => write!(f, "{{{fields}}}"),
            Self::Variant(name) => f.write_str(name),
        }
    }
}

/// Returns whether a text can be written without quotes.
pub(super) fn is_bare(text: &str) -> bool {
    let inner = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '@' | '+');
    !text.is_empty() && text != "none" && text.chars().all(inner)
}

fn quoted(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("\"")?;
    for c in text.chars() {
        match c {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            c if c.is_control() => write!(f, "\\u{{{:x}}}", u32::from(c))?,
            c => write!(f, "{c}")?,
        }
    }
    f.write_str("\"")
}

/// Values with the names of their fields, in key order; the record variant of an enum has the name
/// `tag`.
///
/// ```
/// use tallrow_codec::schema::{FieldValues, Value};
///
/// let fields: FieldValues = [("user", Value::from(7_u32)), ("name", Value::from("bob"))].into();
/// assert_eq!(fields.get("user"), Some(&Value::Unsigned(7)));
/// assert_eq!(fields.to_string(), "user: 7, name: bob");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FieldValues(Vec<(String, Value)>);

impl FieldValues {
    /// Returns the value of a field.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(own, _)| own == name).map(|(_, value)| value)
    }

    /// Returns the fields, so that their values can be replaced.
    #[cfg(feature = "testing")]
    pub(crate) fn as_mut(&mut self) -> &mut [(String, Value)] {
        &mut self.0
    }

    pub(super) fn push(&mut self, name: &str, value: Value) {
        self.0.push((name.into(), value));
    }
}

impl Deref for FieldValues {
    type Target = [(String, Value)];

    fn deref(&self) -> &[(String, Value)] {
        &self.0
    }
}

impl<N: Into<String>> FromIterator<(N, Value)> for FieldValues {
    fn from_iter<I: IntoIterator<Item = (N, Value)>>(fields: I) -> Self {
        Self(fields.into_iter().map(|(name, value)| (name.into(), value)).collect())
    }
}

impl<N: Into<String>, const COUNT: usize> From<[(N, Value); COUNT]> for FieldValues {
    fn from(fields: [(N, Value); COUNT]) -> Self {
        fields.into_iter().collect()
    }
}

impl fmt::Display for FieldValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (name, value)) in self.0.iter().enumerate() {
            write!(f, "{}{name}: {value}", if index == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}
