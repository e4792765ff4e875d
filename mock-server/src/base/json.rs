//! Reads JSON objects whose fields are all known. An error says where it is, what was found there,
//! and what is expected.

use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

use serde_json::{Map, Value};

/// The maximum number of characters of a found value in an error.
const SHOWN_CHARS: usize = 60;

/// A misspelt field differs from the right name in at most one of this many characters.
const MISSPELT_PER: usize = 3;

/// The longest duration, in ms: a year. Added to the time of any clock, it does not overflow.
const LONGEST_MS: u64 = 365 * 24 * 60 * 60 * 1000;

/// The result of reading JSON.
pub(crate) type JsonResult<T> = Result<T, JsonError>;

/// The error of reading JSON: its place, and what is wrong there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JsonError(String);

impl JsonError {
    /// Makes an error for the value in this place.
    pub(crate) fn new(place: &str, problem: impl fmt::Display) -> Self {
        Self(if place.is_empty() { problem.to_string() } else { format!("{place}: {problem}") })
    }

    /// Makes the error for a value that is not what is expected.
    pub(crate) fn unexpected(place: &str, found: &Value, expected: impl fmt::Display) -> Self {
        Self::new(place, format_args!("found {}, expected {expected}", shown(found)))
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Describes a value that was found.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) if text.chars().count() <= SHOWN_CHARS => format!("the text {text:?}"),
        Value::String(text) => {
            let start: String = text.chars().take(SHOWN_CHARS).collect();
            format!("a text that starts with {start:?}")
        }
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// The fields of an object that were not read yet.
#[derive(Debug)]
pub(crate) struct Fields {
    place: String,
    fields: Map<String, Value>,
    /// The names of all fields that were asked for.
    known: Vec<&'static str>,
}

impl Fields {
    /// Reads an object in this place.
    pub(crate) fn of(value: Value, place: &str, expected: &str) -> JsonResult<Self> {
        match value {
            Value::Object(fields) => {
                Ok(Self { place: place.to_owned(), fields, known: Vec::new() })
            }
            other => Err(JsonError::unexpected(place, &other, expected)),
        }
    }

    /// The place of a field.
    pub(crate) fn place_of(&self, name: &str) -> String {
        if self.place.is_empty() { name.to_owned() } else { format!("{}.{name}", self.place) }
    }

    /// Makes the error for a field whose value is not what is expected.
    pub(crate) fn unexpected(
        &self,
        name: &str,
        found: &Value,
        expected: impl fmt::Display,
    ) -> JsonError {
        JsonError::unexpected(&self.place_of(name), found, expected)
    }

    /// Takes a field of any type; null is the same as no field.
    pub(crate) fn value(&mut self, name: &'static str) -> Option<Value> {
        self.known.push(name);
        self.fields.remove(name).filter(|value| !value.is_null())
    }

    /// Takes a text.
    pub(crate) fn text(&mut self, name: &'static str) -> JsonResult<Option<String>> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.unexpected(name, &other, "a text")),
        }
    }

    /// Takes a text that must be there; `expected` says what it is.
    pub(crate) fn required_text(
        &mut self,
        name: &'static str,
        expected: &str,
    ) -> JsonResult<String> {
        match self.value(name) {
            Some(Value::String(text)) => Ok(text),
            Some(other) => Err(self.unexpected(name, &other, expected)),
            None => Err(self.missing(name, expected)),
        }
    }

    /// Takes a whole number within these bounds.
    pub(crate) fn number(
        &mut self,
        name: &'static str,
        bounds: RangeInclusive<u64>,
    ) -> JsonResult<Option<u64>> {
        let Some(value) = self.value(name) else { return Ok(None) };
        match value.as_u64().filter(|number| bounds.contains(number)) {
            Some(number) => Ok(Some(number)),
            None => Err(self.unexpected(name, &value, whole_number(&bounds))),
        }
    }

    /// Takes a whole number within these bounds that must be there.
    pub(crate) fn required_number(
        &mut self,
        name: &'static str,
        bounds: RangeInclusive<u64>,
    ) -> JsonResult<u64> {
        let expected = whole_number(&bounds);
        self.number(name, bounds)?.ok_or_else(|| self.missing(name, &expected))
    }

    /// Takes a duration in ms.
    pub(crate) fn duration(&mut self, name: &'static str) -> JsonResult<Option<Duration>> {
        Ok(self.number(name, 0..=LONGEST_MS)?.map(Duration::from_millis))
    }

    /// Takes a duration in ms that must be there.
    pub(crate) fn required_duration(&mut self, name: &'static str) -> JsonResult<Duration> {
        Ok(Duration::from_millis(self.required_number(name, 0..=LONGEST_MS)?))
    }

    /// Takes a probability.
    pub(crate) fn probability(&mut self, name: &'static str) -> JsonResult<Option<f64>> {
        let Some(value) = self.value(name) else { return Ok(None) };
        match value.as_f64().filter(|number| (0.0..=1.0).contains(number)) {
            Some(number) => Ok(Some(number)),
            None => Err(self.unexpected(name, &value, "a number from 0 to 1")),
        }
    }

    /// Takes true or false.
    pub(crate) fn flag(&mut self, name: &'static str) -> JsonResult<Option<bool>> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(flag)),
            Some(other) => Err(self.unexpected(name, &other, "true or false")),
        }
    }

    /// Takes true or false, which must be there.
    pub(crate) fn required_flag(&mut self, name: &'static str) -> JsonResult<bool> {
        self.flag(name)?.ok_or_else(|| self.missing(name, "true or false"))
    }

    /// Takes bytes that must be there, in HBase's notation: `\x00` is a byte, and so `\x5C` is a
    /// backslash.
    pub(crate) fn required_bytes(&mut self, name: &'static str) -> JsonResult<Vec<u8>> {
        let expected = "a text, with bytes such as \\x00, and \\x5C for a backslash";
        let text = self.required_text(name, expected)?;
        from_string_binary(&text)
            .ok_or_else(|| self.unexpected(name, &Value::String(text), expected))
    }

    /// Makes the error for a missing field. It names a field that may be a misspelling of it.
    pub(crate) fn missing(&self, name: &str, expected: &str) -> JsonError {
        let most = name.len() / MISSPELT_PER;
        let is_similar = |field: &&String| strsim::levenshtein(field, name) <= most;
        let similar = match self.fields.keys().find(is_similar) {
            Some(field) => format!("; is it {:?}?", shown_name(field)),
            None => String::new(),
        };
        JsonError::new(&self.place_of(name), format_args!("missing, expected {expected}{similar}"))
    }

    /// Returns an error if there is a field that was not asked for.
    pub(crate) fn finish(self) -> JsonResult<()> {
        let Some((name, _)) = self.fields.iter().next() else { return Ok(()) };
        let known = self.known.join(", ");
        let place = self.place_of(&shown_name(name));
        Err(JsonError::new(&place, format_args!("unknown field, expected one of {known}")))
    }
}

/// Adds a duration in ms to the fields of an object.
pub(crate) fn insert_ms(fields: &mut Map<String, Value>, name: &str, time: Duration) {
    let ms = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    fields.insert(name.to_owned(), ms.into());
}

/// Shortens the name of an unknown field.
fn shown_name(name: &str) -> String {
    name.chars().take(SHOWN_CHARS).collect()
}

/// Describes a whole number within bounds.
fn whole_number(bounds: &RangeInclusive<u64>) -> String {
    match (*bounds.start(), *bounds.end()) {
        (start, u64::MAX) => format!("a whole number, at least {start}"),
        (start, end) => format!("a whole number from {start} to {end}"),
    }
}

/// Reads bytes in the notation of HBase's `Bytes.toStringBinary`; `None` if a backslash does not
/// start a byte.
fn from_string_binary(text: &str) -> Option<Vec<u8>> {
    let mut parts = text.split('\\');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        let byte = part.strip_prefix('x')?.get(..2)?;
        if !byte.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        bytes.push(u8::from_str_radix(byte, 16).ok()?);
        bytes.extend_from_slice(part.get(3..)?.as_bytes());
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::base::to_string_binary;

    #[test]
    fn bytes_are_read_as_they_are_shown() {
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(from_string_binary(&to_string_binary(&all)), Some(all));
        assert_eq!(from_string_binary("é\\x5cx"), Some("é\\x".as_bytes().to_vec()));
        for wrong in ["\\", "\\x", "\\x0", "\\xg0", "\\x+1", "\\é", "\\xé", "a\\\\"] {
            assert_eq!(from_string_binary(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn errors_say_where_what_was_found_and_what_is_expected() {
        let mut fields =
            Fields::of(json!({"n": "x", "f": 1.5, "t": null, "z": 1}), "changes[2]", "a").unwrap();
        let error = |result: JsonResult<()>| result.unwrap_err().to_string();
        assert_eq!(
            error(fields.required_number("n", 1..=9).map(drop)),
            "changes[2].n: found the text \"x\", expected a whole number from 1 to 9"
        );
        assert_eq!(
            error(fields.probability("f").map(drop)),
            "changes[2].f: found the number 1.5, expected a number from 0 to 1"
        );
        assert_eq!(
            error(fields.required_bytes("t").map(drop)),
            "changes[2].t: missing, expected a text, with bytes such as \\x00, and \\x5C for a \
             backslash"
        );
        assert_eq!(error(fields.finish()), "changes[2].z: unknown field, expected one of n, f, t");
        let long = shown(&json!("é".repeat(1000)));
        assert_eq!(long.chars().count(), "a text that starts with \"\"".len() + SHOWN_CHARS);
        assert_eq!(
            Fields::of(json!([]), "", "an object").unwrap_err().to_string(),
            "found an array, expected an object"
        );
    }
}
