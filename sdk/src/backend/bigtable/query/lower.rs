//! Types and values of SQL as messages.

use crate::model::query::{SqlField, SqlType, SqlValue};
use crate::wire::bigtable::{
    ArrayType, ArrayValue, BytesType, Date, EnumType, Int64Type, MapType, Marker, ProtoType,
    StringType, StructField, StructType, Timestamp, TimestampType, Type, TypeKind, Value,
    ValueKind,
};

/// Converts a type to its message.
pub(super) fn type_message(sql_type: &SqlType) -> Type {
    let boxed = |sql_type| Some(Box::new(type_message(sql_type)));
    let kind = match sql_type {
        SqlType::Bytes => TypeKind::BytesType(BytesType::default()),
        SqlType::String => TypeKind::StringType(StringType::default()),
        SqlType::Int64 => TypeKind::Int64Type(Int64Type::default()),
        SqlType::Float32 => TypeKind::Float32Type(Marker {}),
        SqlType::Float64 => TypeKind::Float64Type(Marker {}),
        SqlType::Bool => TypeKind::BoolType(Marker {}),
        SqlType::Timestamp => TypeKind::TimestampType(TimestampType::default()),
        SqlType::Date => TypeKind::DateType(Marker {}),
        SqlType::Array(element) => TypeKind::ArrayType(ArrayType { element_type: boxed(element) }),
        SqlType::Struct(fields) => {
            let field = |field: &SqlField| StructField {
                field_name: field.name().to_owned(),
                r#type: Some(type_message(field.sql_type())),
            };
            let fields = fields.iter().map(field).collect();
            TypeKind::StructType(StructType { fields, encoding: None })
        }
        SqlType::Map(key, value) => {
            TypeKind::MapType(MapType { key_type: boxed(key), value_type: boxed(value) })
        }
        SqlType::Proto { schema_bundle, message } => TypeKind::ProtoType(ProtoType {
            schema_bundle_id: schema_bundle.clone(),
            message_name: message.clone(),
        }),
        SqlType::Enum { schema_bundle, name } => TypeKind::EnumType(EnumType {
            schema_bundle_id: schema_bundle.clone(),
            enum_name: name.clone(),
        }),
    };
    Type { kind: Some(kind) }
}

/// Converts the value of a parameter of this type to its message.
pub(super) fn parameter_message(value: SqlValue, sql_type: &SqlType) -> Value {
    Value { r#type: Some(type_message(sql_type)), ..value_message(value) }
}

/// Converts a value without its type. Structs and maps, which are no parameters, are null.
fn value_message(value: SqlValue) -> Value {
    let kind = match value {
        SqlValue::Null | SqlValue::Struct(_) | SqlValue::Map(_) => None,
        SqlValue::Bytes(bytes) => Some(ValueKind::BytesValue(bytes)),
        SqlValue::String(text) => Some(ValueKind::StringValue(text)),
        SqlValue::Int64(number) => Some(ValueKind::IntValue(number)),
        SqlValue::Float32(number) => Some(ValueKind::FloatValue(number.into())),
        SqlValue::Float64(number) => Some(ValueKind::FloatValue(number)),
        SqlValue::Bool(bool) => Some(ValueKind::BoolValue(bool)),
        SqlValue::Timestamp(time) => Some(ValueKind::TimestampValue(Timestamp {
            seconds: time.seconds(),
            nanos: time.nanos().cast_signed(),
        })),
        SqlValue::Date(day) => Some(ValueKind::DateValue(Date {
            year: day.year(),
            month: day.month().into(),
            day: day.day().into(),
        })),
        SqlValue::Array(values) => Some(ValueKind::ArrayValue(ArrayValue {
            values: values.into_iter().map(value_message).collect(),
        })),
    };
    Value { r#type: None, kind }
}
