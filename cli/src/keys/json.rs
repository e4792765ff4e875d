//! Converts the values of a row key into JSON, and JSON into the text that a schema reads.

use serde_json::{Map, Value as Json};
use tallrow::key::schema::{FieldValues, Value};

/// Returns a JSON object with the fields by name.
pub(crate) fn fields(fields: &FieldValues) -> Json {
    Json::Object(members(fields))
}

/// Returns the members of a JSON object with the fields by name.
pub(crate) fn members(fields: &FieldValues) -> Map<String, Json> {
    fields.iter().map(|(name, field)| (name.clone(), value(field))).collect()
}

/// Converts a value into JSON. Numbers beyond 64 bits, times, bytes, digests and UUIDs become texts
/// that `key encode` reads.
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

/// Returns a number, or its text if the number is not finite, because JSON has no such numbers.
fn float(number: f64, value: &Value) -> Json {
    if number.is_finite() { Json::from(number) } else { Json::from(value.to_string()) }
}

/// Returns the values of fields as `name: value`, separated by commas.
pub(crate) fn fields_text<'a>(fields: impl IntoIterator<Item = (&'a str, &'a Json)>) -> String {
    let fields = fields.into_iter();
    fields
        .map(|(name, value)| format!("{name}: {}", value_text(value)))
        .collect::<Vec<_>>()
        .join(", ")
}

/// Returns a value in the form in which it is written after the name of its field.
pub(crate) fn value_text(value: &Json) -> String {
    let list = |items: &[Json], item: fn(&Json) -> String| {
        format!("[{}]", items.iter().map(item).collect::<Vec<_>>().join(", "))
    };
    match value {
        Json::Null => "none".into(),
        Json::Bool(_) | Json::Number(_) => value.to_string(),
        Json::String(text) if is_bare(text) => text.clone(),
        Json::String(text) => Value::from(text.as_str()).to_string(),
        Json::Array(items) => list(items, |item| match item {
            Json::Array(pair) => pair.iter().map(value_text).collect::<Vec<_>>().join("="),
            item => value_text(item),
        }),
        Json::Object(fields) => {
            format!("{{{}}}", fields_text(fields.iter().map(|(name, value)| (&**name, value))))
        }
    }
}

/// Returns whether a text can be written without quotes, whatever the type of its field.
fn is_bare(text: &str) -> bool {
    let special = [',', '=', '{', '}', '[', ']', '"'];
    !text.is_empty() && text != "none" && text.trim() == text && !text.contains(special)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use tallrow::key::schema::Schema;

    #[test]
    fn numbers_that_json_cannot_hold_are_texts() {
        assert_eq!(value(&Value::Unsigned(u128::MAX)), Json::from(u128::MAX.to_string()));
        assert_eq!(value(&Value::Signed(-7)), Json::from(-7));
        assert_eq!(value(&Value::Float64(f64::INFINITY)), Json::from("inf"));
    }

    #[test]
    fn what_was_decoded_is_read_back() {
        let schema = "row key All\nhost: text, md5(bytes = 4)\nname: text, escaped\nflag: \
                      bool\nletter: char\n\
                      price: f64\nat: i64, rev_ts, display_time = ms\nid: uuid\ntags: 4 tag pairs \
                      of uid 3 and uid 3\n";
        let schema = Schema::parse(schema).unwrap();
        for name in ["a", "none", "", " a", "a, b = {c}", "\"\\", "\u{1}é", "#00ff", "0x00"] {
            let given = json!({
                "host": "#815ad1c0", "name": name, "flag": true, "letter": ",", "price": -1.5, "at": "2023-11-14T22:13:20.000Z",
                "id": "00112233-4455-6677-8899-aabbccddeeff", "tags": [[1, 2], [3, 4]],
            });
            let row = schema.encode_text(&text_of(&given)).unwrap();
            let decoded = fields(&schema.decode(&row).unwrap());
            assert_eq!(decoded, given);
        }
    }

    #[test]
    fn nothing_is_none_and_the_word_is_text() {
        let schema = Schema::parse("row key A\nname: optional text\n").unwrap();
        let encoded = |value| schema.encode_text(&text_of(&json!({ "name": value }))).unwrap();
        assert_ne!(encoded(Json::Null), encoded(Json::from("none")));
        assert_eq!(encoded(Json::from("none")), schema.encode_text("name=\"none\"").unwrap());
    }

    fn text_of(object: &Json) -> String {
        fields_text(object.as_object().unwrap().iter().map(|(name, value)| (&**name, value)))
    }
}
