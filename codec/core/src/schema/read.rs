//! Row keys that people write and read as text.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use tallrow_layout::{Field, SaltOrHash, Type, Unit};

use super::error::TextError;
use super::key_prefix::prefix_name;
use super::model::Schema;
use super::raw_value::{RawValue, ValueParser};
use super::time::Time;
use super::value::{FieldValues, Value};
use crate::show::Notation;

impl Schema {
    /// Returns the values of the fields of a row key that is written as text.
    ///
    /// # Errors
    /// When the text is not in this notation, or its bytes are not a row key of this layout.
    ///
    /// ```
    /// use tallrow_codec::schema::Schema;
    /// use tallrow_codec::show::Notation;
    ///
    /// let schema =
    ///     Schema::parse("row key Event\nuser: u16\nat: i64, rev_ts, display_time = ms\n")?;
    /// let fields =
    ///     schema.decode_text(r"\x00\x07\x7F\xFF\xFE\x74\x30\x1A\x97\xFF", Notation::Shell)?;
    /// assert_eq!(fields.to_string(), "user: 7, at: 2023-11-14T22:13:20.000Z (1700000000000)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decode_text(&self, text: &str, notation: Notation) -> Result<FieldValues, TextError> {
        Ok(self.decode(&notation.read(text)?)?)
    }

    /// Returns the bytes of the row key whose values are written as text: `name=value` or
    /// `name: value`, separated by commas and in any order, as [`FieldValues`] displays them.
    ///
    /// Text is written as it is or in quotes, bytes as `0x00ff`, a digest as `#00ff`, the fields of
    /// a nested key in braces, a missing optional value as `none`, a time as RFC 3339 or as its
    /// number, the record variant of an enum as `tag=Name`.
    ///
    /// # Errors
    /// When the text is not such a list, or a value does not fit its field.
    ///
    /// ```
    /// use tallrow_codec::schema::Schema;
    ///
    /// let schema =
    ///     Schema::parse("row key Event\nuser: text, escaped\nat: u64, display_time = s\n")?;
    /// let row = schema.encode_text("user=bob, at=1970-01-01T00:00:01Z")?;
    /// assert_eq!(row, b"bob\0\x01\0\0\0\0\0\0\0\x01");
    /// assert_eq!(schema.encode_text("at: 1, user: \"bob\"")?, row);
    ///
    /// let error = schema.encode_text("user=bob, at=soon").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "read the values of a row key: field at: found \"soon\", expected a time as 2023-11-14T22:13:20Z, or a number"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn encode_text(&self, text: &str) -> Result<Vec<u8>, TextError> {
        Ok(self.encode(&self.parse_values(text)?)?)
    }

    /// Returns the values in a text that is written as for [`encode_text`](Self::encode_text), but
    /// may contain the values of only some fields.
    ///
    /// # Errors
    /// When the text is not such a list, or a value is not of the type of its field. Unknown names
    /// are not refused here.
    ///
    /// ```
    /// use tallrow_codec::schema::{Schema, Value};
    ///
    /// let schema = Schema::parse("row key Event\nhost: u32\nevent: u16\nat: u64\n")?;
    /// let values = schema.parse_values("event=258")?;
    /// assert_eq!(values.get("event"), Some(&Value::Unsigned(258)));
    /// assert_eq!(schema.select_rows(&values)?.fuzzy.unwrap().mask, [1, 1, 1, 1, 0, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse_values(&self, text: &str) -> Result<FieldValues, TextError> {
        let mut given = ValueParser::parse(text)?;
        let mut values = FieldValues::default();
        if let SaltOrHash::RandomSalt { .. } = self.salt_or_hash() {
            let at = given.iter().position(|(name, _)| name == prefix_name(self.salt_or_hash()));
            if let Some((name, raw)) = at.map(|at| given.remove(at)) {
                let number = raw.bare().and_then(whole);
                values.push(&name, number.ok_or_else(|| raw.value_error(&name, "a whole number"))?);
            }
        }
        let mut fields: Vec<&Field> = self.fields().iter().collect();
        if !self.records().is_empty() {
            let variant = |(name, raw): &(String, RawValue)| match raw {
                RawValue::Bare(variant) | RawValue::Quoted(variant) if name == "tag" => {
                    self.record(variant)
                }
                _ => None,
            };
            let found = given.iter().enumerate().find_map(|(at, pair)| Some((at, variant(pair)?)));
            if let Some((at, record)) = found {
                given.remove(at);
                values.push("tag", Value::Variant(record.name().into()));
                fields.extend(record.fields());
            } else if let Some((name, raw)) = given.iter().find(|(name, _)| name == "tag")
                && !fields.iter().any(|field| field.name() == name)
            {
                return Err(raw.value_error(name, "a record variant of the key"));
            }
        }
        values_of(&given, &fields, &mut values)?;
        Ok(values)
    }
}

/// Adds the values of `given`, each read by the type of its field.
fn values_of(
    given: &[(String, RawValue)],
    fields: &[&Field],
    values: &mut FieldValues,
) -> Result<(), TextError> {
    for (name, raw) in given {
        let value = match fields.iter().find(|field| field.name() == name) {
            Some(field) => value(field, raw)?,
            // The schema has no field with this name: encoding reports the error.
            None => Value::None,
        };
        values.push(name, value);
    }
    Ok(())
}

fn value(field: &Field, raw: &RawValue) -> Result<Value, TextError> {
    match (field.ty(), raw) {
        (Type::List(item), RawValue::Brackets(items)) => {
            let item = |(raw, value): &(RawValue, Option<RawValue>)| match value {
                None => single(field, item, raw),
                Some(_) => Err(raw.value_error(field.name(), "items with commas between")),
            };
            items.iter().map(item).collect::<Result<_, _>>().map(Value::List)
        }
        (Type::List(_), raw) => {
            Err(raw.value_error(field.name(), "a list in brackets, as in [1, 2]"))
        }
        (Type::TagPairs { key, value, .. }, RawValue::Brackets(items)) => {
            let pair = |(raw, paired): &(RawValue, Option<RawValue>)| match paired {
                Some(paired) => Ok((single(field, key, raw)?, single(field, value, paired)?)),
                None => Err(raw.value_error(field.name(), "pairs, as in [2=9, 7=1]")),
            };
            items.iter().map(pair).collect::<Result<_, _>>().map(Value::TagPairs)
        }
        (ty, raw) => single(field, ty, raw),
    }
}

/// Reads one value, or one item of a list.
fn single(field: &Field, ty: &Type, raw: &RawValue) -> Result<Value, TextError> {
    let bare = raw.bare();
    if matches!(ty, Type::Optional(_)) && bare == Some("none") {
        return Ok(Value::None);
    }
    let ty = ty.innermost();
    if let Some(hex) = bare.and_then(|word| word.strip_prefix('#'))
        && (field.attributes().md5.is_some() || matches!(ty, Type::Digest(_)))
    {
        return Ok(Value::Digest(hex.to_string()));
    }
    if field.tags().is_some() && !matches!(ty, Type::List(_) | Type::TagPairs { .. }) {
        return raw
            .text()
            .map(Value::from)
            .ok_or_else(|| raw.value_error(field.name(), "the name of a variant"));
    }
    let (found, expected) = match ty {
        Type::Key(fields) => match raw {
            RawValue::Braces(given) => {
                let mut values = FieldValues::default();
                values_of(given, &fields.iter().collect::<Vec<_>>(), &mut values)?;
                (Some(Value::Key(values)), "")
            }
            _ => (None, "the fields of a key in braces, as in {shop: 1}"),
        },
        Type::Text => {
            (raw.text().map(Value::from), "text, in quotes where it holds a comma or braces")
        }
        Type::Char => (raw.text().and_then(character).map(Value::Char), "one character"),
        Type::Bytes | Type::Array(_) => {
            let hex = bare.map(|word| word.strip_prefix("0x").and_then(hex));
            let bytes = hex.unwrap_or_else(|| raw.text().map(|text| text.as_bytes().to_vec()));
            (bytes.map(Value::Bytes), "bytes as 0x00ff, or text in quotes")
        }
        Type::Digest(_) => (None, "a digest as #00ff"),
        Type::Foreign(_) | Type::Unknown(_) => {
            (None, "nothing: the field has a compatibility encoding")
        }
        Type::List(_) | Type::TagPairs { .. } => (None, "pairs in brackets, as in [2=9, 7=1]"),
        Type::Uuid => {
            (bare.and_then(uuid).map(Value::Uuid), "a uuid: 32 hex digits, with or without -")
        }
        Type::Bool => (bare.and_then(|word| word.parse().ok()).map(Value::Bool), "true or false"),
        Type::Float(4) => (bare.and_then(|word| word.parse().ok()).map(Value::Float32), "a number"),
        Type::Float(_) => (bare.and_then(|word| word.parse().ok()).map(Value::Float64), "a number"),
        Type::Int(_) | Type::Uid(_) | Type::Optional(_) => match field.attributes().display_time {
            Some(unit) => (
                bare.and_then(|word| whole(word).or_else(|| time(word, unit))),
                "a time as 2023-11-14T22:13:20Z, or a number",
            ),
            None => (bare.and_then(whole), "a whole number"),
        },
    };
    found.ok_or_else(|| raw.value_error(field.name(), expected))
}

fn character(text: &str) -> Option<char> {
    let mut chars = text.chars();
    chars.next().filter(|_| chars.next().is_none())
}

fn hex(digits: &str) -> Option<Vec<u8>> {
    Notation::Hex.read(digits).ok()
}

fn uuid(text: &str) -> Option<[u8; 16]> {
    let digits: String = text.chars().filter(|c| *c != '-').collect();
    hex(&digits)?.try_into().ok()
}

fn whole(word: &str) -> Option<Value> {
    let unsigned = || word.parse().ok().map(Value::Unsigned);
    if word.starts_with('-') { word.parse().ok().map(Value::Signed) } else { unsigned() }
}

/// Reads a time and, if there is one, the number in parentheses after it, which must be the same
/// time.
fn time(word: &str, unit: Unit) -> Option<Value> {
    let (date, number) = match word.split_once(" (") {
        Some((date, number)) => (date, Some(number.strip_suffix(')')?)),
        None => (word, None),
    };
    let time = Time::read(date, unit)?;
    let same = number.is_none_or(|number| number.parse() == Ok(time.count));
    same.then_some(Value::Time(time))
}
