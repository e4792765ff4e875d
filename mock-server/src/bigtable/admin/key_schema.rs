//! The row key schema of a table, by which the service would read the fields of row keys in
//! queries. The mock keeps it with the table.

use std::collections::BTreeSet;

use bytes::Bytes;
use prost::Message;
use tallrow_wire::bigtable::{
    BytesEncodingKind, Int64Encoding, StructEncodingKind, StructType, TimestampEncodingKind, Type,
    TypeKind,
};
use tallrow_wire::proto::TableSchema;

use crate::bigtable::status::{StatusResult, invalid};
use crate::schema::{attribute, set_attribute};

/// The attribute of a table with its row key schema, as an encoded message.
const KEY_SCHEMA: &str = "BIGTABLE_ROW_KEY_SCHEMA";

/// The names that a query has besides those of row key fields.
const RESERVED: [&str; 2] = ["_key", "_timestamp"];

/// The maximum length of a delimiter in bytes.
const DELIMITER_BYTES: usize = 50;

/// Returns the row key schema of a table, if it has one.
pub(super) fn of_table(schema: &TableSchema) -> Option<StructType> {
    StructType::decode(attribute(&schema.attributes, KEY_SCHEMA)?).ok()
}

/// Sets the row key schema of a new table, after it was checked.
pub(super) fn set(table: &mut TableSchema, key: &StructType) -> StatusResult<()> {
    check(key, table)?;
    set_attribute(&mut table.attributes, KEY_SCHEMA, Some(key.encode_to_vec()));
    Ok(())
}

/// Sets the row key schema of a table that has none, or removes it. It cannot be changed.
pub(super) fn update(
    table: &mut TableSchema,
    key: Option<&StructType>,
    ignore_warnings: bool,
) -> StatusResult<()> {
    // A message without fields says as little as none.
    match (of_table(table), key.filter(|key| **key != StructType::default())) {
        (None, None) => Ok(()),
        (None, Some(key)) => set(table, key),
        (Some(old), Some(key)) if old == *key => Ok(()),
        (Some(_), Some(_)) => Err(invalid(
            "The row_key_schema of a table cannot be changed. It can be removed, and set again",
        )),
        (Some(_), None) if !ignore_warnings => Err(invalid(
            "Removing the row_key_schema may break queries. Set ignore_warnings to remove it",
        )),
        (Some(_), None) => {
            set_attribute(&mut table.attributes, KEY_SCHEMA, None::<Bytes>);
            Ok(())
        }
    }
}

/// Checks a row key schema for a table with these families.
fn check(key: &StructType, table: &TableSchema) -> StatusResult<()> {
    let wrong = |why: String| Err(invalid(format!("Error in field 'row_key_schema' : {why}")));
    let mut names = BTreeSet::new();
    for (at, field) in key.fields.iter().enumerate() {
        let name = &field.field_name[..];
        if name.is_empty() {
            return wrong(format!("Field #{at} has no field_name"));
        }
        if RESERVED.contains(&name) {
            return wrong(format!("The field_name {name} is reserved"));
        }
        if table.column_families.iter().any(|family| &family.name[..] == name.as_bytes()) {
            return wrong(format!("The field_name {name} is the name of a column family"));
        }
        if !names.insert(name) {
            return wrong(format!("The field_name {name} is there twice"));
        }
        if !field.r#type.as_ref().is_some_and(has_encoding) {
            return wrong(format!(
                "The type of the field {name} is not a scalar type with an encoding"
            ));
        }
    }
    let encoding = key.encoding.as_ref().and_then(|encoding| encoding.encoding.as_ref());
    match encoding {
        None => wrong("It has no encoding".to_owned()),
        Some(_) if key.fields.is_empty() => wrong("It has no fields".to_owned()),
        Some(StructEncodingKind::Singleton(_)) if key.fields.len() != 1 => {
            wrong(format!("A singleton has one field, and it has {}", key.fields.len()))
        }
        Some(StructEncodingKind::DelimitedBytes(by))
            if !(1..=DELIMITER_BYTES).contains(&by.delimiter.len()) =>
        {
            wrong(format!(
                "A delimiter has 1 to {DELIMITER_BYTES} bytes, and it has {}",
                by.delimiter.len()
            ))
        }
        Some(_) => Ok(()),
    }
}

/// Returns whether a type is one of a field of a row key, with its encoding.
fn has_encoding(of: &Type) -> bool {
    let has_int64 = |encoding: &Int64Encoding| encoding.encoding.is_some();
    match &of.kind {
        Some(TypeKind::BytesType(of)) => of
            .encoding
            .as_ref()
            .is_some_and(|e| matches!(e.encoding, Some(BytesEncodingKind::Raw(_)))),
        Some(TypeKind::StringType(of)) => of.encoding.is_some_and(|e| e.encoding.is_some()),
        Some(TypeKind::Int64Type(of)) => of.encoding.as_ref().is_some_and(has_int64),
        Some(TypeKind::TimestampType(of)) => of.encoding.as_ref().is_some_and(|encoding| {
            matches!(&encoding.encoding, Some(TimestampEncodingKind::UnixMicrosInt64(of)) if has_int64(of))
        }),
        _ => false,
    }
}
