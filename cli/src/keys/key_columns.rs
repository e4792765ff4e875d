//! The fields of row keys as columns of a file.

use serde_json::{Map, Value};
use tallrow::key::schema::{Field, SaltOrHash, Schema, Type};

use crate::keys::json;
use crate::keys::json::fields_text;
use crate::keys::layouts::Layouts;
use crate::keys::table_keys::KeyTextFormat;

/// The name of the column with the bytes of a key.
const ROW: &str = "row";
/// The name of the column with a random salt.
const SALT: &str = "salt";
/// The name of the column with the name of the record variant.
const VARIANT_COLUMN: &str = "tag";

/// The columns of a file that hold row keys: a column for each field, or one column with the bytes.
#[derive(Debug)]
pub(crate) struct KeyColumns {
    keys: KeyTextFormat,
    all: Vec<KeyColumn>,
}

/// A column of a file that holds one field of the keys, or the fields that have the same name in
/// several layouts or record variants.
#[derive(Debug)]
pub(crate) struct KeyColumn {
    pub(crate) name: String,
    in_every_key: bool,
    /// The names of the record variants that have the field.
    variants: Vec<String>,
    is_optional: bool,
    is_text: bool,
    is_nested: bool,
}

/// A part of the keys of one layout for which a file has a column.
struct KeyPart<'a> {
    name: &'a str,
    /// The field; `None` for a salt or a tag.
    field: Option<&'a Field>,
    /// The record variant that has the part; none if all keys have it.
    variant: Option<&'a str>,
}

impl<'a> KeyPart<'a> {
    fn of(field: &'a Field, variant: Option<&'a str>) -> Self {
        Self { name: field.name(), field: Some(field), variant }
    }
}

impl KeyColumns {
    pub(crate) fn new(keys: KeyTextFormat) -> Self {
        let all = match keys.field_layouts() {
            Some(layouts) => columns(layouts),
            None => vec![KeyColumn::new(ROW, &[], true)],
        };
        Self { keys, all }
    }

    pub(crate) fn all(&self) -> &[KeyColumn] {
        &self.all
    }

    /// Returns the layouts of the keys; none if keys are bytes.
    pub(crate) fn field_layouts(&self) -> Option<&Layouts> {
        self.keys.field_layouts()
    }

    /// Returns the layouts of the keys, even if keys are written as bytes; none if no layout is
    /// known.
    pub(crate) fn known_layouts(&self) -> Option<&Layouts> {
        self.keys.layouts.as_ref()
    }

    /// Returns the names of the columns.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.all.iter().map(|column| &*column.name).collect()
    }

    /// Returns texts that say how keys are written, for comparison with another run: the schemas,
    /// or the format of bytes.
    pub(crate) fn arguments_that_must_match(&self) -> Vec<String> {
        match self.field_layouts() {
            Some(layouts) => layouts.all().iter().map(ToString::to_string).collect(),
            None => {
                let format = self.keys.key_format().name_in_states();
                vec![format!("keys of bytes, written as {format}")]
            }
        }
    }

    /// Encodes these values of columns as a key.
    pub(crate) fn encode(&self, values: &[(&KeyColumn, Value)]) -> Result<Vec<u8>, String> {
        let Some(layouts) = self.field_layouts() else {
            return match values {
                [(_, Value::String(text))] => self.keys.read_bytes(text),
                [] => Err("the row key has no value".into()),
                _ => Err("the row key is not a text".into()),
            };
        };
        let text = values.iter().map(|(column, value)| match value {
            // The value is written as in CSV, which has only texts.
            Value::String(text) if column.is_nested => format!("{}: {text}", column.name),
            value => fields_text([(&*column.name, value)]),
        });
        layouts.encode(&text.collect::<Vec<_>>().join(", "))
    }

    /// Decodes a key into its values.
    pub(crate) fn decode(&self, row: &[u8]) -> Result<Map<String, Value>, String> {
        let Some(layouts) = self.field_layouts() else {
            return Ok(Map::from_iter([(ROW.into(), self.keys.format_bytes(row).into())]));
        };
        let (_, fields) = layouts.decode(row)?;
        Ok(json::members(&fields))
    }
}

impl KeyColumn {
    /// Makes a column with this name and the values of these parts of keys.
    fn new(name: &str, parts: &[&KeyPart<'_>], in_every_key: bool) -> Self {
        let is = |test: fn(&Type) -> bool| {
            parts.iter().any(|part| part.field.is_some_and(|field| test(field.ty())))
        };
        Self {
            name: name.into(),
            in_every_key,
            variants: parts.iter().filter_map(|part| part.variant).map(String::from).collect(),
            is_optional: is(|ty| matches!(ty, Type::Optional(_))),
            is_text: is(|ty| matches!(ty, Type::Text)),
            is_nested: is(|ty| matches!(ty, Type::List(_) | Type::TagPairs { .. } | Type::Key(_))),
        }
    }

    /// Whether the column holds the names of record variants.
    pub(crate) fn holds_variant_names(&self) -> bool {
        self.name == VARIANT_COLUMN
    }

    /// Whether a file may lack the column.
    pub(crate) fn may_be_missing(&self) -> bool {
        self.is_optional || !self.in_every_key
    }

    /// Returns the value of the field for a key of this record variant, if the column has no value.
    /// It is null for an optional field. For a text field, it is the empty text if
    /// `empty_is_missing` is true: then the file writes an empty text in the same way as no value.
    /// Returns none if keys of this variant do not have the field, or if the field must have a
    /// value.
    pub(crate) fn default_value(
        &self,
        variant: Option<&str>,
        empty_is_missing: bool,
    ) -> Option<Value> {
        let has_it = |variant: &str| self.variants.iter().any(|other| other == variant);
        if !self.in_every_key && !variant.is_some_and(has_it) {
            return None;
        }
        match self.is_optional {
            true => Some(Value::Null),
            false => (empty_is_missing && self.is_text).then(|| Value::from("")),
        }
    }
}

/// Returns the columns of keys of these layouts.
fn columns(layouts: &Layouts) -> Vec<KeyColumn> {
    let parts: Vec<Vec<KeyPart<'_>>> = layouts.all().iter().map(parts).collect();
    let mut all: Vec<KeyColumn> = Vec::new();
    for KeyPart { name, .. } in parts.iter().flatten() {
        if all.iter().any(|column| column.name == *name) {
            continue;
        }
        let of_name: Vec<_> = parts.iter().flatten().filter(|part| part.name == *name).collect();
        let of_every_key = of_name.iter().filter(|part| part.variant.is_none()).count();
        all.push(KeyColumn::new(name, &of_name, of_every_key == parts.len()));
    }
    all
}

/// Returns the parts of keys of a layout that have columns, in their order.
fn parts(schema: &Schema) -> Vec<KeyPart<'_>> {
    let mut parts = Vec::new();
    if matches!(schema.salt_or_hash(), SaltOrHash::RandomSalt { .. }) {
        parts.push(KeyPart { name: SALT, field: None, variant: None });
    }
    parts.extend(schema.fields().iter().map(|field| KeyPart::of(field, None)));
    if !schema.records().is_empty() {
        parts.push(KeyPart { name: VARIANT_COLUMN, field: None, variant: None });
    }
    for record in schema.records() {
        parts.extend(record.fields().iter().map(|field| KeyPart::of(field, Some(record.name()))));
    }
    parts
}
