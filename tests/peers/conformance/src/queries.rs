//! Queries in SQL by the client.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tallrow::query::{IntoSqlValue, SqlDate, SqlField, SqlRow, SqlTimestamp, SqlType, SqlValue};
use tallrow::{Client, Error};
use tallrow_wire::bigtable::{
    ArrayType, ArrayValue, BytesType, ColumnMetadata, Date, EnumType, Int64Type, MapType, Marker,
    ProtoType, StringType, StructField, StructType, Timestamp, TimestampType, Type, TypeKind,
    Value, ValueKind,
};

use crate::code;
use crate::messages::{Columns, ExecuteQuery, QueryResult, SqlRow as RowMessage};

pub(crate) async fn execute(client: &Client, request: ExecuteQuery) -> QueryResult {
    let mut result = QueryResult::default();
    let executed = run(client, request, &mut result).await;
    result.status = Some(code::status(&executed));
    result
}

/// Prepares the query, executes it, and reads all rows.
async fn run(
    client: &Client,
    request: ExecuteQuery,
    result: &mut QueryResult,
) -> Result<(), Error> {
    let request = request.request.unwrap_or_default();
    let types = request.params.iter().map(|(name, value)| {
        Ok((name.as_str(), sql_type(value.r#type.as_ref().unwrap_or(&Type::default()))?))
    });
    let types = types.collect::<Result<Vec<_>, Error>>()?;
    let query = client.prepare(request.query, types).await?;
    let mut parameters = request.params.iter();
    let mut rows = match parameters.next() {
        None => query.execute::<SqlRow>()?,
        Some((name, value)) => {
            let bound = query.bind(name, parameter(value));
            let bound = parameters.fold(bound, |bound, (name, v)| bound.bind(name, parameter(v)));
            bound.execute()?
        }
    };
    while let Some(row) = rows.next_row().await? {
        result.rows.push(RowMessage { values: row.values().iter().map(value).collect() });
    }
    let column = |column: &SqlField| ColumnMetadata {
        name: column.name().to_owned(),
        r#type: Some(type_message(column.sql_type())),
    };
    result.metadata = Some(Columns { columns: rows.columns().iter().map(column).collect() });
    Ok(())
}

fn sql_type(message: &Type) -> Result<SqlType, Error> {
    Ok(match &message.kind {
        Some(TypeKind::BytesType(_)) => SqlType::Bytes,
        Some(TypeKind::StringType(_)) => SqlType::String,
        Some(TypeKind::Int64Type(_)) => SqlType::Int64,
        Some(TypeKind::Float32Type(_)) => SqlType::Float32,
        Some(TypeKind::Float64Type(_)) => SqlType::Float64,
        Some(TypeKind::BoolType(_)) => SqlType::Bool,
        Some(TypeKind::TimestampType(_)) => SqlType::Timestamp,
        Some(TypeKind::DateType(_)) => SqlType::Date,
        Some(TypeKind::ArrayType(ArrayType { element_type: Some(element) })) => {
            SqlType::array(sql_type(element)?)
        }
        other => {
            let text = format!("the proxy has no parameters of this type: {other:?}");
            return Err(Error::invalid_argument(text));
        }
    })
}

/// A parameter, whose type says what kind of number it is.
fn parameter(message: &Value) -> SqlValue {
    let is_float32 =
        |of: Option<&Type>| of.is_some_and(|of| matches!(of.kind, Some(TypeKind::Float32Type(_))));
    let element = match message.r#type.as_ref().and_then(|of| of.kind.as_ref()) {
        Some(TypeKind::ArrayType(array)) => array.element_type.as_deref(),
        _ => None,
    };
    let is_float32 = is_float32(message.r#type.as_ref()) || is_float32(element);
    value_of_parameter(message, is_float32)
}

fn value_of_parameter(message: &Value, is_float32: bool) -> SqlValue {
    match &message.kind {
        None => SqlValue::Null,
        Some(ValueKind::BytesValue(bytes)) => bytes.clone().into_sql_value(),
        Some(ValueKind::StringValue(text)) => text.as_str().into_sql_value(),
        Some(ValueKind::IntValue(number)) => (*number).into_sql_value(),
        Some(ValueKind::BoolValue(bool)) => (*bool).into_sql_value(),
        Some(ValueKind::FloatValue(number)) if is_float32 => (*number as f32).into_sql_value(),
        Some(ValueKind::FloatValue(number)) => (*number).into_sql_value(),
        Some(ValueKind::TimestampValue(time)) => {
            let (seconds, nanos) = (time.seconds.unsigned_abs(), time.nanos.unsigned_abs());
            SystemTime::into_sql_value(UNIX_EPOCH + Duration::new(seconds, nanos))
        }
        Some(ValueKind::DateValue(day)) => {
            let (month, of_month) = (day.month.unsigned_abs() as u8, day.day.unsigned_abs() as u8);
            SqlDate::new(day.year, month, of_month).into_sql_value()
        }
        Some(ValueKind::ArrayValue(array)) => {
            let values = array.values.iter().map(|value| value_of_parameter(value, is_float32));
            values.collect::<Vec<_>>().into_sql_value()
        }
        Some(ValueKind::RawValue(_) | ValueKind::RawTimestampMicros(_)) => SqlValue::Null,
    }
}

fn type_message(of: &SqlType) -> Type {
    let boxed = |of: &SqlType| Some(Box::new(type_message(of)));
    let kind = match of {
        SqlType::Bytes => TypeKind::BytesType(BytesType::default()),
        SqlType::String => TypeKind::StringType(StringType::default()),
        SqlType::Int64 => TypeKind::Int64Type(Int64Type::default()),
        SqlType::Float32 => TypeKind::Float32Type(Marker {}),
        SqlType::Float64 => TypeKind::Float64Type(Marker {}),
        SqlType::Bool => TypeKind::BoolType(Marker {}),
        SqlType::Timestamp => TypeKind::TimestampType(TimestampType::default()),
        SqlType::Date => TypeKind::DateType(Marker {}),
        SqlType::Array(element) => TypeKind::ArrayType(ArrayType { element_type: boxed(element) }),
        SqlType::Map(key, value) => {
            TypeKind::MapType(MapType { key_type: boxed(key), value_type: boxed(value) })
        }
        SqlType::Struct(fields) => {
            let field = |field: &SqlField| StructField {
                field_name: field.name().to_owned(),
                r#type: Some(type_message(field.sql_type())),
            };
            let fields = fields.iter().map(field).collect();
            TypeKind::StructType(StructType { fields, encoding: None })
        }
        SqlType::Proto { schema_bundle, message } => TypeKind::ProtoType(ProtoType {
            schema_bundle_id: schema_bundle.clone(),
            message_name: message.clone(),
        }),
        SqlType::Enum { schema_bundle, name } => TypeKind::EnumType(EnumType {
            schema_bundle_id: schema_bundle.clone(),
            enum_name: name.clone(),
        }),
        _ => return Type::default(),
    };
    Type { kind: Some(kind) }
}

fn value(of: &SqlValue) -> Value {
    let kind =
        match of {
            SqlValue::Null => None,
            SqlValue::Bytes(bytes) => Some(ValueKind::BytesValue(bytes.clone())),
            SqlValue::String(text) => Some(ValueKind::StringValue(text.clone())),
            SqlValue::Int64(number) => Some(ValueKind::IntValue(*number)),
            SqlValue::Float32(number) => Some(ValueKind::FloatValue((*number).into())),
            SqlValue::Float64(number) => Some(ValueKind::FloatValue(*number)),
            SqlValue::Bool(bool) => Some(ValueKind::BoolValue(*bool)),
            SqlValue::Timestamp(time) => Some(ValueKind::TimestampValue(timestamp(*time))),
            SqlValue::Date(day) => Some(ValueKind::DateValue(Date {
                year: day.year(),
                month: day.month().into(),
                day: day.day().into(),
            })),
            SqlValue::Array(values) => Some(array(values.iter().map(value))),
            SqlValue::Struct(row) => Some(array(row.values().iter().map(value))),
            SqlValue::Map(entries) => Some(array(entries.iter().map(|(key, of)| Value {
                r#type: None,
                kind: Some(array([value(key), value(of)])),
            }))),
            _ => None,
        };
    Value { r#type: None, kind }
}

fn array(values: impl IntoIterator<Item = Value>) -> ValueKind {
    ValueKind::ArrayValue(ArrayValue { values: values.into_iter().collect() })
}

fn timestamp(time: SqlTimestamp) -> Timestamp {
    Timestamp { seconds: time.seconds(), nanos: time.nanos().cast_signed() }
}
