//! The fields of row keys as columns of a file.

use serde_json::{Map, Value};
use tallrow::key::schema::{Field, SaltOrHash, Schema, Type};

use crate::field_text::fields_text;
use crate::json;
use crate::table_keys::TableKeys;

/// The column of a file with the bytes of a key.
pub(crate) const ROW: &str = "row";
/// The value of a random salt.
const SALT: &str = "salt";
/// The name of a record variant.
const TAG: &str = "tag";

/// How row keys are columns of a file: a column for each field, or one with the bytes.
#[derive(Debug)]
pub(crate) struct KeyColumns<'a> {
    keys: &'a TableKeys,
}

impl<'a> KeyColumns<'a> {
    pub(crate) fn new(keys: &'a TableKeys) -> Self {
        Self { keys }
    }

    /// Returns the names of the columns.
    pub(crate) fn names(&self) -> Vec<String> {
        let Some(layouts) = self.keys.layouts() else { return vec![ROW.into()] };
        let mut names: Vec<String> = Vec::new();
        let mut add = |name: &str| {
            if !names.iter().any(|other| other == name) {
                names.push(name.into());
            }
        };
        for schema in layouts.all() {
            if matches!(schema.salt_or_hash(), SaltOrHash::RandomSalt { .. }) {
                add(SALT);
            }
            schema.fields().iter().for_each(|field| add(field.name()));
            if !schema.records().is_empty() {
                add(TAG);
            }
            schema.records().iter().flat_map(|r| r.fields()).for_each(|field| add(field.name()));
        }
        names
    }

    /// Returns the schemas, for comparison.
    pub(crate) fn schemas(&self) -> Vec<String> {
        let schemas = self.keys.layouts().into_iter().flat_map(|layouts| layouts.all());
        schemas.map(ToString::to_string).collect()
    }

    /// Whether no value is a value of this field.
    pub(crate) fn may_be_none(&self, name: &str) -> bool {
        self.any(name, |field| matches!(field.ty(), Type::Optional(_)))
    }

    /// Whether an empty text is a value of this field.
    pub(crate) fn may_be_empty(&self, name: &str) -> bool {
        self.any(name, |field| matches!(field.ty(), Type::Text))
    }

    fn is_nested(&self, name: &str) -> bool {
        self.any(name, |field| {
            matches!(field.ty(), Type::List(_) | Type::TagPairs { .. } | Type::Key(_))
        })
    }

    fn any(&self, name: &str, is: impl Fn(&Field) -> bool) -> bool {
        let fields = |schema: &'a Schema| {
            schema.fields().iter().chain(schema.records().iter().flat_map(|record| record.fields()))
        };
        let schemas = self.keys.layouts().into_iter().flat_map(|layouts| layouts.all());
        schemas.flat_map(fields).any(|field| field.name() == name && is(field))
    }

    /// Returns the key of these values.
    pub(crate) fn encode(&self, values: &[(&str, Value)]) -> Result<Vec<u8>, String> {
        let Some(layouts) = self.keys.layouts() else {
            return match values {
                [(_, Value::String(text))] => self.keys.read_bytes(text),
                _ => Err("the row key is not a text".into()),
            };
        };
        let text = values.iter().map(|(name, value)| match value {
            // As in CSV, which has only texts.
            Value::String(text) if self.is_nested(name) => format!("{name}: {text}"),
            value => fields_text([(*name, value)]),
        });
        layouts.encode(&text.collect::<Vec<_>>().join(", "))
    }

    /// Returns the values of a key.
    pub(crate) fn decode(&self, row: &[u8]) -> Result<Map<String, Value>, String> {
        let Some(layouts) = self.keys.layouts() else {
            return Ok(Map::from_iter([(ROW.into(), self.keys.write_bytes(row).into())]));
        };
        let (_, fields) = layouts.decode(row)?;
        Ok(fields.iter().map(|(name, value)| (name.clone(), json::value(value))).collect())
    }
}
