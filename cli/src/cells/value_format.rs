//! Values of cells as they are written in a terminal or a file.

use std::fmt::Display;
use std::str::FromStr;

use clap::ValueEnum;
use serde_json::Value;
use tallrow::key::show::Notation;
use tallrow::value::CellValue;

/// How the values of cells are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ValueFormat {
    /// As in the HBase shell: \x00 and printable ASCII
    Shell,
    /// UTF-8
    Text,
    Hex,
    Base64,
    I16,
    I32,
    /// Numbers of 8 bytes, as counters are
    #[value(alias = "long")]
    I64,
    U8,
    U16,
    U32,
    U64,
    F32,
    F64,
    /// FF for true, 00 for false
    Bool,
}

/// Type names that other systems use, each with the name of the same type in this program.
const OTHER_NAMES: [(&str, &str); 12] = [
    ("int", "i32"),
    ("integer", "i32"),
    ("int32", "i32"),
    ("int64", "i64"),
    ("bigint", "i64"),
    ("short", "i16"),
    ("byte", "u8"),
    ("string", "text"),
    ("str", "text"),
    ("float", "f32"),
    ("double", "f64"),
    ("boolean", "bool"),
];

impl ValueFormat {
    /// Returns the names of all formats, separated by commas.
    pub(crate) fn names() -> String {
        let names = Self::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        names.map(|format| format.get_name().to_owned()).collect::<Vec<_>>().join(", ")
    }

    /// Returns the format with this name; none if no type has this name.
    ///
    /// # Errors
    /// If only other systems use this name for a type. The error text contains the name of that
    /// type in this program.
    pub(crate) fn from_name(name: &str) -> Result<Option<Self>, String> {
        if let Ok(format) = Self::from_str(name, false) {
            return Ok(Some(format));
        }
        let other = OTHER_NAMES.iter().find(|(other, _)| other.eq_ignore_ascii_case(name));
        match other {
            None => Ok(None),
            Some((_, here)) => Err(format!(
                "{name:?} is no type here; is it {here}? The types are {}",
                Self::names()
            )),
        }
    }

    /// Parses a text in this format into bytes.
    pub(crate) fn read(self, text: &str) -> Result<Vec<u8>, String> {
        let notation = match self {
            Self::Text => return Ok(text.into()),
            Self::I16 => return number::<i16>(text, "a number of 16 bits"),
            Self::I32 => return number::<i32>(text, "a number of 32 bits"),
            Self::I64 => return number::<i64>(text, "a number of 64 bits"),
            Self::U8 => return number::<u8>(text, "an unsigned number of 8 bits"),
            Self::U16 => return number::<u16>(text, "an unsigned number of 16 bits"),
            Self::U32 => return number::<u32>(text, "an unsigned number of 32 bits"),
            Self::U64 => return number::<u64>(text, "an unsigned number of 64 bits"),
            Self::F32 => return number::<f32>(text, "a number"),
            Self::F64 => return number::<f64>(text, "a number"),
            Self::Bool => return number::<bool>(text, "true or false"),
            Self::Shell => Notation::Shell,
            Self::Hex => Notation::Hex,
            Self::Base64 => Notation::Base64,
        };
        notation.read(text).map_err(|error| error.to_string().replacen("a row key", "a value", 1))
    }

    /// Returns the bytes as text in this format, or in the notation of the HBase shell if this
    /// format cannot represent them exactly.
    pub(crate) fn format_value(self, bytes: &[u8]) -> String {
        self.format_exactly(bytes).unwrap_or_else(|| Notation::Shell.write(bytes))
    }

    /// Returns the bytes as text in this format; none if parsing the text would not give the same
    /// bytes.
    pub(crate) fn format_exactly(self, bytes: &[u8]) -> Option<String> {
        match self {
            Self::Shell => Some(Notation::Shell.write(bytes)),
            Self::Hex => Some(Notation::Hex.write(bytes)),
            Self::Base64 => Some(Notation::Base64.write(bytes)),
            Self::Text => String::from_utf8(bytes.to_vec()).ok(),
            Self::I16 => shown::<i16>(bytes),
            Self::I32 => shown::<i32>(bytes),
            Self::I64 => shown::<i64>(bytes),
            Self::U8 => shown::<u8>(bytes),
            Self::U16 => shown::<u16>(bytes),
            Self::U32 => shown::<u32>(bytes),
            Self::U64 => shown::<u64>(bytes),
            Self::F32 => shown::<f32>(bytes),
            Self::F64 => shown::<f64>(bytes),
            Self::Bool => shown::<bool>(bytes),
        }
    }

    /// Converts a text that [`format_exactly`](Self::format_exactly) returned into JSON. Finite
    /// numbers and booleans become JSON numbers and booleans; all other texts become JSON strings.
    pub(crate) fn json(self, text: String) -> Value {
        match self {
            Self::Shell | Self::Text | Self::Hex | Self::Base64 => Value::from(text),
            // JSON has no floats that are not finite.
            _ => serde_json::from_str(&text).unwrap_or(Value::String(text)),
        }
    }
}

fn number<T: FromStr + CellValue>(text: &str, expected: &str) -> Result<Vec<u8>, String> {
    let number: Result<T, _> = text.parse();
    number.map(|number| number.to_cell()).map_err(|_| format!("{text:?} is not {expected}"))
}

fn shown<T: FromStr + Display + CellValue>(bytes: &[u8]) -> Option<String> {
    let text = T::from_cell(bytes).ok()?.to_string();
    // Some floats, and all booleans other than FF and 00, would be parsed back into other bytes.
    (number::<T>(&text, "").as_deref() == Ok(bytes)).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_exact_is_read_as_the_same_bytes() {
        for format in ValueFormat::value_variants() {
            for bytes in [
                &b"\0"[..],
                b"7",
                b"\xff",
                b"\0\x07",
                b"\xff\xff\0\x07",
                b"\xff\xf0\0\0\0\0\0\0",
                b"",
            ] {
                if let Some(write_text) = format.format_exactly(bytes) {
                    assert_eq!(
                        format.read(&write_text).as_deref(),
                        Ok(bytes),
                        "{format:?} {write_text}"
                    );
                }
            }
        }
    }

    #[test]
    fn types_of_other_systems_are_known_by_their_names_here() {
        for (other, here) in OTHER_NAMES {
            assert!(ValueFormat::from_str(here, false).is_ok(), "{here}");
            let why = ValueFormat::from_name(other).unwrap_err();
            assert!(why.contains(&format!("is it {here}?")) && why.contains("u64"), "{why}");
        }
        assert_eq!(ValueFormat::from_name("long"), Ok(Some(ValueFormat::I64)));
        assert_eq!(ValueFormat::from_name("what"), Ok(None));
    }

    #[test]
    fn numbers_are_big_endian_and_numbers_in_json() {
        assert_eq!(ValueFormat::I32.read("-2"), Ok(vec![0xff, 0xff, 0xff, 0xfe]));
        assert_eq!(
            ValueFormat::I32.format_exactly(&[0xff, 0xff, 0xff, 0xfe]).as_deref(),
            Some("-2")
        );
        assert_eq!(ValueFormat::I32.format_exactly(b"\x01"), None);
        assert_eq!(ValueFormat::I32.json("-2".into()), Value::from(-2));
        assert_eq!(ValueFormat::F64.json("inf".into()), Value::from("inf"));
        assert_eq!(ValueFormat::Bool.format_exactly(&[1]), None, "true is FF");
        assert_eq!(
            ValueFormat::U8.read("256"),
            Err("\"256\" is not an unsigned number of 8 bits".into())
        );
    }
}
