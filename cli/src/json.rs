//! The values of a row key as JSON.

use serde_json::{Map, Value as Json};
use tallrow::key::schema::{Fields, Value};

/// Returns the fields by name.
pub(crate) fn fields(fields: &Fields) -> Json {
    Json::Object(members(fields))
}

/// Returns the members of an object with the fields.
pub(crate) fn members(fields: &Fields) -> Map<String, Json> {
    fields.iter().map(|(name, field)| (name.clone(), value(field))).collect()
}

/// Returns a value: numbers beyond 64 bits, times, bytes, digests and ids as texts, which `key encode` reads.
pub(crate) fn value(value: &Value) -> Json {
    match value {
        Value::None => Json::Null,
        Value::Bool(value) => Json::from(*value),
        Value::Char(value) => Json::from(value.to_string()),
        Value::Text(value) => Json::from(value.as_str()),
        Value::Unsigned(number) => {
            u64::try_from(*number).map_or_else(|_| Json::from(number.to_string()), Json::from)
        }
        Value::Signed(number) => {
            i64::try_from(*number).map_or_else(|_| Json::from(number.to_string()), Json::from)
        }
        Value::Float32(number) => float(f64::from(*number), value),
        Value::Float64(number) => float(*number, value),
        Value::Time(time) => {
            let text = time.to_string();
            Json::from(text.split(' ').next().unwrap_or_default())
        }
        Value::List(items) => items.iter().map(self::value).collect(),
        Value::TagPairs(pairs) => pairs
            .iter()
            .map(|(key, tag)| Json::from(vec![self::value(key), self::value(tag)]))
            .collect(),
        Value::Key(inner) => fields(inner),
        other => Json::from(other.to_string()),
    }
}

/// JSON has no infinities.
fn float(number: f64, value: &Value) -> Json {
    if number.is_finite() { Json::from(number) } else { Json::from(value.to_string()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_json_cannot_hold_are_texts() {
        assert_eq!(value(&Value::Unsigned(u128::MAX)), Json::from(u128::MAX.to_string()));
        assert_eq!(value(&Value::Signed(-7)), Json::from(-7));
        assert_eq!(value(&Value::Float64(f64::INFINITY)), Json::from("inf"));
    }
}
