//! Any text as a schema, as text and as JSON: it is refused with a position inside it, or is read
//! and written as one schema, which decodes any row without a panic and only if it encodes to the
//! same row.

use tallrow_codec::schema::{Schema, SchemaError};

/// The text up to the first byte FF is the schema, what follows is a row.
pub(crate) fn schema(input: &[u8]) {
    let end = input.iter().position(|byte| *byte == 0xff);
    let (text, row) = input.split_at(end.unwrap_or(input.len()));
    let Ok(text) = std::str::from_utf8(text) else { return };
    let row = row.get(1..).unwrap_or_default();
    for schema in [in_words(text), in_json(text)].into_iter().flatten() {
        assert_eq!(Schema::parse(&schema.to_string()).as_ref(), Ok(&schema), "as text: {schema}");
        let json = schema.to_json();
        assert_eq!(Schema::from_json(&json).as_ref(), Ok(&schema), "as JSON: {json}");
        rows(&schema, row);
    }
}

fn in_words(text: &str) -> Option<Schema> {
    match Schema::parse(text) {
        Ok(schema) => Some(schema),
        Err(error) => {
            inside(&error, text);
            None
        }
    }
}

fn in_json(text: &str) -> Option<Schema> {
    match Schema::from_json(text) {
        Ok(schema) => Some(schema),
        Err(error) => {
            inside(&error, text);
            None
        }
    }
}

fn inside(error: &SchemaError, text: &str) {
    assert!(!error.to_string().is_empty());
    if let (Some(line), Some(column)) = (error.line(), error.column()) {
        let lines: Vec<_> = text.split('\n').collect();
        assert!((1..=lines.len() + 1).contains(&line), "{error}: {text:?}");
        let found = lines.get(line - 1).copied().unwrap_or_default();
        assert!((1..=found.chars().count() + 1).contains(&column), "{error}: {text:?}");
    }
}

/// Reads a row by the schema alone.
fn rows(schema: &Schema, row: &[u8]) {
    match schema.decode(row) {
        Ok(fields) => {
            assert_eq!(schema.encode(&fields).as_deref(), Ok(row), "{schema}{fields}");
            let text = fields.to_string();
            match schema.encode_text(&text) {
                Ok(again) => assert_eq!(again, row, "{schema}{text}"),
                Err(error) => panic!("{schema}{text}: {error}"),
            }
        }
        Err(error) => assert!(error.offset() <= row.len(), "{schema}{error}"),
    }
    if let Ok(text) = std::str::from_utf8(row)
        && let Ok(made) = schema.encode_text(text)
    {
        let again = schema.decode(&made).map(|fields| schema.encode(&fields));
        assert_eq!(again, Ok(Ok(made)), "{schema}{text}");
    }
}
