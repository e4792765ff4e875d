//! Converts row key schemas to the service's messages, and back.

use bytes::Bytes;

use crate::key::schema::{
    BigtableColumn, BigtableInteger, BigtableJoin, BigtableKey, BigtableType, Schema,
};
use crate::model::descriptor::{KeyLayout, TableDescriptor};
use crate::wire::bigtable::{
    BigEndianBytes, BytesEncoding, BytesEncodingKind, BytesType, DelimitedBytes, Int64Encoding,
    Int64EncodingKind, Int64Type, Marker, StringEncoding, StringEncodingKind, StringType,
    StructEncoding, StructEncodingKind, StructField, StructType, TimestampEncoding,
    TimestampEncodingKind, TimestampType, Type, TypeKind,
};

/// Returns the row key schema that a new table gets: that of the layout which its definition
/// records. A table gets none if the layout cannot be said in one, or if a field has the name of a
/// family, which the service refuses.
pub(super) fn key_schema_of(table: &TableDescriptor) -> Option<StructType> {
    let key = only_schema(&KeyLayout::of_table(table)?)?.bigtable_key().ok()?;
    let is_family = |name: &str| table.families().iter().any(|family| family.name() == name);
    let collides = key.columns().iter().any(|column| is_family(&column.name));
    (!collides).then(|| struct_type(&key))
}

/// Returns the layout that the definition of a table records, as far as a row key schema can hold
/// it: what is compared with the row key schema of a live table.
pub(super) fn comparable_layout(table: &TableDescriptor) -> Option<KeyLayout> {
    let layout = KeyLayout::of_table(table)?;
    let of_service = |schema: Schema| KeyLayout::of_schema(&schema.round_trip_through_bigtable());
    Some(only_schema(&layout).map_or(layout, of_service))
}

/// Returns the layout that a live table records: the one whose bytes its row key schema reads, if
/// there is one.
pub(super) fn live_layout(table: &str, schema: Option<&StructType>) -> Option<KeyLayout> {
    let key = bigtable_key(schema?).ok()?;
    let schema = Schema::from_bigtable_key(&type_name(table), &key).ok()?;
    Some(KeyLayout::of_schema(&schema))
}

fn only_schema(layout: &KeyLayout) -> Option<Schema> {
    let mut all = Schema::parse_layouts(layout.schema()).ok()?.into_iter();
    all.next().filter(|_| all.next().is_none())
}

/// Returns a name for the type of the row keys of a table: `DailyVisitsKey` for `daily-visits`.
fn type_name(table: &str) -> String {
    let mut name = String::with_capacity(table.len() + 3);
    for word in table.split(|c: char| !c.is_alphanumeric()) {
        let mut letters = word.chars();
        name.extend(letters.next().into_iter().flat_map(char::to_uppercase));
        name.push_str(letters.as_str());
    }
    if !name.starts_with(char::is_alphabetic) {
        name.insert(0, 'T');
    }
    name.push_str("Key");
    name
}

/// Converts a row key schema to the service's message.
pub(super) fn struct_type(key: &BigtableKey) -> StructType {
    let field = |column: &BigtableColumn| StructField {
        field_name: column.name.clone(),
        r#type: type_message(column.ty),
    };
    let encoding = match key.join() {
        BigtableJoin::Singleton => Some(StructEncodingKind::Singleton(Marker {})),
        BigtableJoin::Delimited(delimiter) => {
            let delimiter = Bytes::copy_from_slice(delimiter);
            Some(StructEncodingKind::DelimitedBytes(DelimitedBytes { delimiter }))
        }
        BigtableJoin::OrderedCode => Some(StructEncodingKind::OrderedCodeBytes(Marker {})),
        _ => None,
    };
    StructType {
        fields: key.columns().iter().map(field).collect(),
        encoding: Some(StructEncoding { encoding }),
    }
}

fn type_message(ty: BigtableType) -> Option<Type> {
    let kind = match ty {
        BigtableType::Text => {
            let encoding = Some(StringEncodingKind::Utf8Bytes(Marker {}));
            TypeKind::StringType(StringType { encoding: Some(StringEncoding { encoding }) })
        }
        BigtableType::Bytes => {
            let encoding = Some(BytesEncodingKind::Raw(Marker {}));
            TypeKind::BytesType(BytesType { encoding: Some(BytesEncoding { encoding }) })
        }
        BigtableType::Int64(encoding) => {
            TypeKind::Int64Type(Int64Type { encoding: Some(integer(encoding)?) })
        }
        BigtableType::Timestamp(encoding) => {
            let encoding = Some(TimestampEncodingKind::UnixMicrosInt64(integer(encoding)?));
            TypeKind::TimestampType(TimestampType {
                encoding: Some(TimestampEncoding { encoding }),
            })
        }
        _ => return None,
    };
    Some(Type { kind: Some(kind) })
}

fn integer(encoding: BigtableInteger) -> Option<Int64Encoding> {
    let encoding = match encoding {
        BigtableInteger::BigEndian => Int64EncodingKind::BigEndianBytes(BigEndianBytes::default()),
        BigtableInteger::OrderedCode => Int64EncodingKind::OrderedCodeBytes(Marker {}),
        _ => return None,
    };
    Some(Int64Encoding { encoding: Some(encoding) })
}

/// Converts the service's message to a row key schema; fails with the reason if it has something
/// that this client does not know.
pub(super) fn bigtable_key(message: &StructType) -> Result<BigtableKey, String> {
    let column = |field: &StructField| {
        let name = field.field_name.clone();
        match field.r#type.as_ref().and_then(column_type) {
            Some(ty) => Ok(BigtableColumn { name, ty }),
            None => Err(format!("field {name} has a type or an encoding that is not known here")),
        }
    };
    let columns = message.fields.iter().map(column).collect::<Result<Vec<_>, _>>()?;
    let encoding = message.encoding.as_ref().and_then(|encoding| encoding.encoding.as_ref());
    let join = match encoding {
        Some(StructEncodingKind::Singleton(_)) => BigtableJoin::Singleton,
        Some(StructEncodingKind::DelimitedBytes(by)) => {
            BigtableJoin::Delimited(by.delimiter.to_vec())
        }
        Some(StructEncodingKind::OrderedCodeBytes(_)) => BigtableJoin::OrderedCode,
        None => return Err("its fields are joined in a way that is not known here".into()),
    };
    Ok(BigtableKey::new(columns, join))
}

fn column_type(message: &Type) -> Option<BigtableType> {
    Some(match message.kind.as_ref()? {
        TypeKind::StringType(of) => match of.encoding?.encoding? {
            StringEncodingKind::Utf8Raw(_) | StringEncodingKind::Utf8Bytes(_) => BigtableType::Text,
        },
        TypeKind::BytesType(of) => match of.encoding.as_ref()?.encoding.as_ref()? {
            BytesEncodingKind::Raw(_) => BigtableType::Bytes,
        },
        TypeKind::Int64Type(of) => BigtableType::Int64(integer_type(of.encoding.as_ref()?)?),
        TypeKind::TimestampType(of) => match of.encoding.as_ref()?.encoding.as_ref()? {
            TimestampEncodingKind::UnixMicrosInt64(encoding) => {
                BigtableType::Timestamp(integer_type(encoding)?)
            }
        },
        _ => return None,
    })
}

fn integer_type(encoding: &Int64Encoding) -> Option<BigtableInteger> {
    Some(match encoding.encoding.as_ref()? {
        Int64EncodingKind::BigEndianBytes(_) => BigtableInteger::BigEndian,
        Int64EncodingKind::OrderedCodeBytes(_) => BigtableInteger::OrderedCode,
    })
}

#[cfg(test)]
mod tests {
    use prost::Message;

    use super::*;

    #[test]
    fn a_row_key_schema_is_its_message() {
        use BigtableInteger::{BigEndian, OrderedCode};
        let types = [
            BigtableType::Text,
            BigtableType::Bytes,
            BigtableType::Int64(BigEndian),
            BigtableType::Int64(OrderedCode),
            BigtableType::Timestamp(BigEndian),
            BigtableType::Timestamp(OrderedCode),
        ];
        let column = |ty| BigtableColumn { name: "f".into(), ty };
        for join in [
            BigtableJoin::Singleton,
            BigtableJoin::Delimited(b"#".to_vec()),
            BigtableJoin::OrderedCode,
        ] {
            let key = BigtableKey::new(types.map(column), join);
            let bytes = struct_type(&key).encode_to_vec();
            let read = StructType::decode(&bytes[..]).unwrap();
            assert_eq!(bigtable_key(&read).unwrap(), key);
        }
        let id = BigtableKey::new([column(BigtableType::Text)], BigtableJoin::Singleton);
        let bytes = struct_type(&id).encode_to_vec();
        assert_eq!(bytes, b"\x0a\x0b\x0a\x01f\x12\x06\x12\x04\x0a\x02\x12\0\x12\x02\x0a\0");
        let unknown = StructType::decode(&b"\x0a\x07\x0a\x01f\x12\x02\x42\0\x12\x02\x0a\0"[..]);
        let error = bigtable_key(&unknown.unwrap()).unwrap_err();
        assert!(error.starts_with("field f has a type"), "{error}");
    }

    #[test]
    fn the_type_of_a_key_is_named_after_its_table() {
        for (table, name) in
            [("visits", "VisitsKey"), ("daily-visits.v2", "DailyVisitsV2Key"), ("7_x", "T7XKey")]
        {
            assert_eq!(type_name(table), name);
        }
    }
}
