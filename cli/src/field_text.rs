//! Values from files, as the text that a schema reads.

use serde_json::Value;
use tallrow::key::schema;

/// Returns the values of fields as `name: value`, with commas between.
pub(crate) fn fields_text<'a>(fields: impl IntoIterator<Item = (&'a str, &'a Value)>) -> String {
    let fields = fields.into_iter();
    fields
        .map(|(name, value)| format!("{name}: {}", value_text(value)))
        .collect::<Vec<_>>()
        .join(", ")
}

/// Returns a value as it is written after its name.
pub(crate) fn value_text(value: &Value) -> String {
    let list = |items: &[Value], item: fn(&Value) -> String| {
        format!("[{}]", items.iter().map(item).collect::<Vec<_>>().join(", "))
    };
    match value {
        Value::Null => "none".into(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) if is_bare(text) => text.clone(),
        Value::String(text) => schema::Value::from(text.as_str()).to_string(),
        Value::Array(items) => list(items, |item| match item {
            Value::Array(pair) => pair.iter().map(value_text).collect::<Vec<_>>().join("="),
            item => value_text(item),
        }),
        Value::Object(fields) => {
            format!("{{{}}}", fields_text(fields.iter().map(|(name, value)| (&**name, value))))
        }
    }
}

/// Returns whether a text means itself without quotes, whatever the type of its field.
fn is_bare(text: &str) -> bool {
    let special = [',', '=', '{', '}', '[', ']', '"'];
    !text.is_empty() && text != "none" && text.trim() == text && !text.contains(special)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tallrow::key::schema::Schema;

    use super::*;
    use crate::json;

    #[test]
    fn what_was_decoded_is_read_back() {
        let schema = "row key All\nhost: text, md5(bytes = 4)\nname: text, escaped\nflag: bool\nletter: char\n\
                      price: f64\nat: i64, rev_ts, display_time = ms\nid: uuid\ntags: 4 tag pairs of uid 3 and uid 3\n";
        let schema = Schema::parse(schema).unwrap();
        for name in ["a", "none", "", " a", "a, b = {c}", "\"\\", "\u{1}é", "#00ff", "0x00"] {
            let given = json!({
                "host": "#815ad1c0", "name": name, "flag": true, "letter": ",", "price": -1.5, "at": "2023-11-14T22:13:20.000Z",
                "id": "00112233-4455-6677-8899-aabbccddeeff", "tags": [[1, 2], [3, 4]],
            });
            let row = schema.encode_text(&text_of(&given)).unwrap();
            let decoded = json::fields(&schema.decode(&row).unwrap());
            assert_eq!(decoded, given);
        }
    }

    #[test]
    fn nothing_is_none_and_the_word_is_text() {
        let schema = Schema::parse("row key A\nname: optional text\n").unwrap();
        let encoded = |value| schema.encode_text(&text_of(&json!({ "name": value }))).unwrap();
        assert_ne!(encoded(Value::Null), encoded(Value::from("none")));
        assert_eq!(encoded(Value::from("none")), schema.encode_text("name=\"none\"").unwrap());
    }

    fn text_of(object: &Value) -> String {
        fields_text(object.as_object().unwrap().iter().map(|(name, value)| (&**name, value)))
    }
}
