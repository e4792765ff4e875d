//! A schema as JSON, with the feature `json`.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use tallrow_layout::{
    Field, Layout, Part, Place as At, Position, SaltOrHash, Type, check, fingerprint_error,
};

use super::error::{SchemaError, SchemaPlace};
use super::json_shape::JsonSchema;
use super::model::Schema;

impl Schema {
    /// Returns the schema as JSON, with its fingerprint as one of the members.
    ///
    /// ```
    /// use tallrow_codec::schema::Schema;
    ///
    /// let schema =
    ///     Schema::parse("row key Visit\nuser: text, escaped\nat: u64, display_time = ms\n")?;
    /// let json = schema.to_json();
    /// assert!(json.contains(r#""type": "u64""#));
    /// assert_eq!(Schema::from_json(&json)?, schema);
    /// # Ok::<(), tallrow_codec::schema::SchemaError>(())
    /// ```
    pub fn to_json(&self) -> String {
        // Every part of a schema can be written as JSON.
        serde_json::to_string_pretty(&JsonSchema::new(&self.layout)).unwrap_or_default()
    }

    /// Returns the schema that a JSON text describes.
    ///
    /// # Errors
    /// When the text is not JSON or not as [`to_json`](Self::to_json) writes it, when no key can
    /// have this layout, or when the fingerprint is that of another layout.
    ///
    /// ```
    /// use tallrow_codec::schema::Schema;
    ///
    /// let schema = Schema::from_json(
    ///     r#"{"key": "Visit", "fields": [{"name": "at", "type": "u64", "floor": 60}]}"#,
    /// )?;
    /// assert!(schema.to_string().starts_with("row key Visit\nat: u64, floor = 60\n"));
    ///
    /// let error =
    ///     Schema::from_json(r#"{"key": "Visit", "fields": [{"name": "at"}]}"#).unwrap_err();
    /// assert_eq!(error.to_string(), "read a schema: line 1, column 42: missing field `type`");
    /// # Ok::<(), tallrow_codec::schema::SchemaError>(())
    /// ```
    pub fn from_json(json: &str) -> Result<Self, SchemaError> {
        let shape: JsonSchema = serde_json::from_str(json).map_err(|error| syntax(json, &error))?;
        let given = shape.fingerprint.clone();
        let layout = shape.into_layout().map_err(|(path, message)| wrong(path, message))?;
        if let Some(first) = check(&layout, &|_, _| None).into_iter().next() {
            return Err(wrong(path(&layout, first.place), first.message.into_owned()));
        }
        match given.and_then(|given| fingerprint_error(&layout, &given)) {
            Some(message) => Err(wrong("fingerprint".into(), message)),
            None => Ok(Self { layout }),
        }
    }
}

fn wrong(path: String, message: String) -> SchemaError {
    SchemaError { place: SchemaPlace::Json(path), message }
}

/// Returns the error of a text that is not JSON, or not a schema.
fn syntax(json: &str, error: &serde_json::Error) -> SchemaError {
    let (line, column) = (error.line(), error.column());
    let message = error.to_string();
    let place = format!(" at line {line} column {column}");
    let message = message.strip_suffix(&place).unwrap_or(&message).to_string();
    // The column of a `serde_json::Error` is the number of bytes up to the error.
    let text = json.split('\n').nth(line.saturating_sub(1)).unwrap_or_default().as_bytes();
    let before = text.get(..column.saturating_sub(1)).unwrap_or(text);
    let column = String::from_utf8_lossy(before).chars().count() + 1;
    SchemaError { place: SchemaPlace::Text(Position { line: line.max(1), column }), message }
}

/// Returns the path to a part of a schema: `fields[2].width`.
fn path(layout: &Layout, place: At) -> String {
    let field = |at| fields(layout).into_iter().nth(at).unwrap_or_default();
    match place {
        At::Key => "key".into(),
        At::Table => "table".into(),
        At::Prefix(part) => prefix(layout, part),
        At::Field(at) => format!("{}.name", field(at)),
        At::Type(at) => format!("{}.type", field(at)),
        At::Attribute(at, attribute) => format!("{}.{}", field(at), attribute.word()),
        At::Digest(at) => format!("{}.md5", field(at)),
        At::Record(at) => format!("records[{at}].name"),
        At::Tag(at) => format!("records[{at}].tag"),
        At::TextSep | At::MaxFixedLen => String::new(),
    }
}

fn prefix(layout: &Layout, part: Part) -> String {
    let prefix = match layout.prefix {
        SaltOrHash::HashPrefix { .. } => "hash_prefix",
        _ => "salt",
    };
    let member = match part {
        Part::Whole => return prefix.into(),
        Part::Buckets => "buckets",
        Part::BucketOffset => "bucket_offset",
        Part::Width => "width",
        Part::Hash => "hash",
        Part::Digest => "md5",
        Part::Sep => "sep",
        Part::Fields => "fields",
        Part::Field(index) => return format!("{prefix}.fields[{index}]"),
    };
    format!("{prefix}.{member}")
}

/// Returns the paths to all fields, in the order of the indices that a `Place` has for them.
fn fields(layout: &Layout) -> Vec<String> {
    let mut paths = Vec::new();
    add(&layout.fields, "", &mut paths);
    for (index, record) in layout.records.iter().enumerate() {
        add(record.fields(), &format!("records[{index}]."), &mut paths);
    }
    paths
}

fn add(fields: &[Field], front: &str, paths: &mut Vec<String>) {
    for (index, field) in fields.iter().enumerate() {
        let path = format!("{front}fields[{index}]");
        paths.push(path.clone());
        if let Type::Key(inner) = field.ty().innermost() {
            add(inner, &format!("{path}."), paths);
        }
    }
}
