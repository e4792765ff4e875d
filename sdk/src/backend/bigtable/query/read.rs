//! Reads the types and values of a result. No more is allocated than the bytes that arrived need.

use std::collections::HashMap;
use std::sync::Arc;

use bytes::Bytes;
use prost::Message;

use crate::model::query::{SqlDate, SqlField, SqlRow, SqlTimestamp, SqlType, SqlValue};
use crate::wire::bigtable::{
    Date, ExecuteQueryResponse, Fields, PrepareQueryResponse, ResultBatches, ResultSetMetadata,
    Timestamp, Type, TypeKind,
};

/// Reads the columns of a result.
pub(super) fn read_columns(metadata: Option<ResultSetMetadata>) -> Result<Arc<[SqlField]>, String> {
    let columns = metadata.and_then(|metadata| metadata.proto_schema).unwrap_or_default().columns;
    if columns.is_empty() {
        return Err("a prepared query without columns, and its columns cannot be empty".to_owned());
    }
    let read = columns.into_iter().map(|column| match read_type(column.r#type.as_ref()) {
        Ok(sql_type) => Ok(SqlField::new(column.name, sql_type)),
        Err(error) => Err(format!("column {:?}: {error}", column.name)),
    });
    read.collect()
}

fn read_type(message: Option<&Type>) -> Result<SqlType, String> {
    let unknown = || "an unrecognized response data type, which a newer client may know".to_owned();
    let boxed = |message: &Option<Box<Type>>| read_type(message.as_deref()).map(Box::new);
    Ok(match message.and_then(|message| message.kind.as_ref()).ok_or_else(unknown)? {
        TypeKind::BytesType(_) => SqlType::Bytes,
        TypeKind::StringType(_) => SqlType::String,
        TypeKind::Int64Type(_) => SqlType::Int64,
        TypeKind::Float32Type(_) => SqlType::Float32,
        TypeKind::Float64Type(_) => SqlType::Float64,
        TypeKind::BoolType(_) => SqlType::Bool,
        TypeKind::TimestampType(_) => SqlType::Timestamp,
        TypeKind::DateType(_) => SqlType::Date,
        TypeKind::ArrayType(array) => SqlType::Array(boxed(&array.element_type)?),
        TypeKind::MapType(map) => SqlType::Map(boxed(&map.key_type)?, boxed(&map.value_type)?),
        TypeKind::StructType(of) => {
            let fields = of.fields.iter().map(|field| {
                let sql_type = read_type(field.r#type.as_ref())?;
                Ok(SqlField::new(field.field_name.clone(), sql_type))
            });
            SqlType::Struct(fields.collect::<Result<_, String>>()?)
        }
        TypeKind::ProtoType(proto) => SqlType::Proto {
            schema_bundle: proto.schema_bundle_id.clone(),
            message: proto.message_name.clone(),
        },
        TypeKind::EnumType(of) => {
            SqlType::Enum { schema_bundle: of.schema_bundle_id.clone(), name: of.enum_name.clone() }
        }
        TypeKind::AggregateType(_) => return Err(unknown()),
    })
}

/// Reads a row from its encoded values.
pub(super) fn read_row(columns: &Arc<[SqlField]>, row: &[Bytes]) -> Result<SqlRow, String> {
    let values = columns.iter().zip(row).map(|(column, value)| {
        read_value(value, column.sql_type())
            .map_err(|error| format!("column {:?}: {error}", column.name()))
    });
    let values = values.collect::<Result<Vec<_>, _>>()?;
    SqlRow::new(columns.clone(), values).ok_or_else(|| {
        format!("incomplete row received: {} values for {} columns", row.len(), columns.len())
    })
}

/// The kind of an encoded value, which is a field of the message `Value`.
enum Kind<'m> {
    Null,
    Bytes(&'m [u8]),
    Text(&'m str),
    Int(i64),
    Bool(bool),
    Float(f64),
    Timestamp(&'m [u8]),
    Date(&'m [u8]),
    Array(&'m [u8]),
    /// Bytes or a timestamp of a cell without a type, which are in no result.
    Raw,
}

impl<'m> Kind<'m> {
    fn read(value: &'m [u8]) -> Result<Self, String> {
        let mut kind = Self::Null;
        let mut fields = Fields::of(value);
        let text = |error: crate::wire::WireError| error.to_string();
        while let Some(field) = fields.next_field().map_err(text)? {
            kind = match field.number {
                2 => Self::Bytes(field.bytes().map_err(text)?),
                3 => Self::Text(field.text().map_err(text)?),
                4 => Self::Array(field.bytes().map_err(text)?),
                6 => Self::Int(field.int64().map_err(text)?),
                8 | 9 => Self::Raw,
                10 => Self::Bool(field.int64().map_err(text)? != 0),
                11 => Self::Float(field.double().map_err(text)?),
                12 => Self::Timestamp(field.bytes().map_err(text)?),
                13 => Self::Date(field.bytes().map_err(text)?),
                _ => kind,
            };
        }
        Ok(kind)
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Null => "NULL",
            Self::Bytes(_) => "BYTES_VALUE",
            Self::Text(_) => "STRING_VALUE",
            Self::Int(_) => "INT_VALUE",
            Self::Bool(_) => "BOOL_VALUE",
            Self::Float(_) => "FLOAT_VALUE",
            Self::Timestamp(_) => "TIMESTAMP_VALUE",
            Self::Date(_) => "DATE_VALUE",
            Self::Array(_) => "ARRAY_VALUE",
            Self::Raw => "RAW_VALUE",
        }
    }
}

/// Returns the kind that values of this type have.
fn kind_of(sql_type: &SqlType) -> &'static str {
    match sql_type {
        SqlType::Bytes | SqlType::Proto { .. } => "BYTES_VALUE",
        SqlType::String => "STRING_VALUE",
        SqlType::Int64 | SqlType::Enum { .. } => "INT_VALUE",
        SqlType::Float32 | SqlType::Float64 => "FLOAT_VALUE",
        SqlType::Bool => "BOOL_VALUE",
        SqlType::Timestamp => "TIMESTAMP_VALUE",
        SqlType::Date => "DATE_VALUE",
        SqlType::Array(_) | SqlType::Struct(_) | SqlType::Map(..) => "ARRAY_VALUE",
    }
}

/// Reads an encoded value of this type.
fn read_value(value: &Bytes, sql_type: &SqlType) -> Result<SqlValue, String> {
    Ok(match (Kind::read(value)?, sql_type) {
        (Kind::Null, _) => SqlValue::Null,
        (Kind::Bytes(bytes), SqlType::Bytes | SqlType::Proto { .. }) => {
            SqlValue::Bytes(value.slice_ref(bytes))
        }
        (Kind::Text(text), SqlType::String) => SqlValue::String(text.to_owned()),
        (Kind::Int(number), SqlType::Int64 | SqlType::Enum { .. }) => SqlValue::Int64(number),
        (Kind::Bool(bool), SqlType::Bool) => SqlValue::Bool(bool),
        (Kind::Float(number), SqlType::Float64) => SqlValue::Float64(number),
        // Such a value was a `FLOAT32` before it was sent as a double.
        (Kind::Float(number), SqlType::Float32) => SqlValue::Float32(number as f32),
        (Kind::Timestamp(message), SqlType::Timestamp) => {
            let time = Timestamp::decode(message).map_err(|error| error.to_string())?;
            let nanos = u32::try_from(time.nanos).ok();
            let time = nanos.and_then(|nanos| SqlTimestamp::new(time.seconds, nanos));
            SqlValue::Timestamp(time.ok_or("a timestamp whose nanoseconds are none")?)
        }
        (Kind::Date(message), SqlType::Date) => {
            let day = Date::decode(message).map_err(|error| error.to_string())?;
            let parts = (u8::try_from(day.month).ok(), u8::try_from(day.day).ok());
            let read = match parts {
                (Some(month), Some(of_month)) => SqlDate::new(day.year, month, of_month),
                _ => None,
            };
            let Date { year, month, day } = day;
            let read = read.ok_or_else(|| format!("a date that is none: {year}-{month}-{day}"))?;
            SqlValue::Date(read)
        }
        (Kind::Array(array), SqlType::Array(element)) => {
            let values = elements(value, array).map(|value| read_value(&value?, element));
            SqlValue::Array(values.collect::<Result<_, _>>()?)
        }
        (Kind::Array(array), SqlType::Struct(fields)) => {
            let values = elements(value, array).collect::<Result<Vec<_>, _>>()?;
            if values.len() != fields.len() {
                return Err(format!(
                    "received STRUCT with {} values, but metadata has {} fields",
                    values.len(),
                    fields.len()
                ));
            }
            SqlValue::Struct(read_row(fields, &values)?)
        }
        (Kind::Array(array), SqlType::Map(key, of)) => {
            SqlValue::Map(read_map(value, array, (key, of))?)
        }
        (kind, sql_type) => {
            let (expected, found) = (kind_of(sql_type), kind.name());
            return Err(format!(
                "value kind must be {expected} for columns of type: {sql_type}, and it is {found}"
            ));
        }
    })
}

/// Reads the entries of a map. The last value of a key is kept.
fn read_map(
    value: &Bytes,
    array: &[u8],
    (of_keys, of_values): (&SqlType, &SqlType),
) -> Result<Vec<(SqlValue, SqlValue)>, String> {
    let mut entries: Vec<(SqlValue, SqlValue)> = Vec::new();
    // Keys are bytes, texts and integers, of which each has only one encoding.
    let mut places: HashMap<Bytes, usize> = HashMap::new();
    for entry in elements(value, array) {
        let entry = entry?;
        let Kind::Array(pair) = Kind::read(&entry)? else {
            return Err("an entry of a MAP that is no pair".to_owned());
        };
        let pair = elements(&entry, pair).collect::<Result<Vec<_>, _>>()?;
        let [key, of] = &pair[..] else {
            return Err(format!("an entry of a MAP with {} values", pair.len()));
        };
        let read = (read_value(key, of_keys)?, read_value(of, of_values)?);
        let known = places.get(key).and_then(|place| entries.get_mut(*place));
        match known {
            Some(known) => *known = read,
            None => {
                places.insert(key.clone(), entries.len());
                entries.push(read);
            }
        }
    }
    Ok(entries)
}

/// Returns the encoded elements of an encoded array, which is a part of `value`.
fn elements<'m>(
    value: &'m Bytes,
    array: &'m [u8],
) -> impl Iterator<Item = Result<Bytes, String>> + use<'m> {
    let mut fields = Fields::of(array);
    let mut is_over = false;
    std::iter::from_fn(move || {
        while !is_over {
            let element = match fields.next_field() {
                Ok(Some(field)) if field.number == 1 => field.bytes(),
                Ok(Some(_)) => continue,
                Ok(None) => break,
                Err(error) => Err(error),
            };
            is_over = element.is_err();
            return Some(element.map(|e| value.slice_ref(e)).map_err(|error| error.to_string()));
        }
        None
    })
}

/// Reads the answer to a PrepareQuery and the messages of a result, as a client does, for tests
/// that change such bytes. Returns whether all of it was accepted.
pub(crate) fn decode_results(prepared: Bytes, messages: &[Bytes]) -> bool {
    let read = || {
        let prepared = PrepareQueryResponse::decode(prepared).ok()?;
        let columns = read_columns(prepared.metadata).ok()?;
        let mut batches = ResultBatches::default();
        for message in messages {
            let response = ExecuteQueryResponse::decode(message.clone()).ok()?;
            batches.add(response.results?, columns.len()).ok()?;
            while let Some(row) = batches.next_row(columns.len()) {
                let row = read_row(&columns, &row).ok()?;
                assert_eq!(row.values().len(), columns.len());
            }
        }
        batches.finish().ok()
    };
    read().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::bigtable::query::lower::type_message;
    use crate::wire::bigtable::{ArrayValue, ColumnMetadata, ProtoSchema, Value, ValueKind};

    fn array(values: Vec<Value>) -> Value {
        Value { r#type: None, kind: Some(ValueKind::ArrayValue(ArrayValue { values })) }
    }

    fn text(text: &str) -> Value {
        Value { r#type: None, kind: Some(ValueKind::StringValue(text.into())) }
    }

    fn read(value: &Value, sql_type: &SqlType) -> Result<SqlValue, String> {
        read_value(&value.encode_to_vec().into(), sql_type)
    }

    #[test]
    fn a_type_is_the_same_both_ways() {
        let scalars = [
            SqlType::Bytes,
            SqlType::String,
            SqlType::Int64,
            SqlType::Float32,
            SqlType::Float64,
            SqlType::Bool,
            SqlType::Timestamp,
            SqlType::Date,
            SqlType::Proto { schema_bundle: "b".into(), message: "m".into() },
            SqlType::Enum { schema_bundle: "b".into(), name: "e".into() },
        ];
        let fields: Vec<_> =
            scalars.iter().map(|scalar| SqlField::new("same", scalar.clone())).collect();
        let of = SqlType::Struct(fields.into());
        let all = SqlType::Map(SqlType::Bytes.into(), SqlType::array(of).into());
        let columns = vec![ColumnMetadata { name: "c".into(), r#type: Some(type_message(&all)) }];
        let metadata = ResultSetMetadata { proto_schema: Some(ProtoSchema { columns }) };
        assert_eq!(read_columns(Some(metadata)).unwrap()[..], [SqlField::new("c", all)]);
    }

    #[test]
    fn the_last_value_of_a_key_is_kept() {
        let of = SqlType::Map(SqlType::String.into(), SqlType::Int64.into());
        let entry = |key: &str, value| array(vec![text(key), Value::int(value)]);
        let null = array(vec![Value::default(), Value::default()]);
        let map = array(vec![entry("a", 1), entry("b", 2), null, entry("a", 3)]);
        let of_text = |key: &str| SqlValue::String(key.to_owned());
        let expected = SqlValue::Map(vec![
            (of_text("a"), SqlValue::Int64(3)),
            (of_text("b"), SqlValue::Int64(2)),
            (SqlValue::Null, SqlValue::Null),
        ]);
        assert_eq!(read(&map, &of), Ok(expected));
    }

    #[test]
    fn what_does_not_match_its_type_is_an_error() {
        let of = |fields: &[SqlType]| {
            SqlType::Struct(fields.iter().map(|of| SqlField::new("", of.clone())).collect())
        };
        let map = SqlType::Map(SqlType::String.into(), SqlType::Int64.into());
        let (month, nanos) =
            (Date { year: 1, month: 300, day: 1 }, Timestamp { seconds: 0, nanos: -1 });
        let with = |kind| Value { r#type: None, kind: Some(kind) };
        let cases = [
            (
                Value::int(1),
                SqlType::String,
                "value kind must be STRING_VALUE for columns of type: STRING",
            ),
            (Value::raw("r"), SqlType::Bytes, "and it is RAW_VALUE"),
            (
                array(vec![text("a")]),
                of(&[SqlType::String, SqlType::Int64]),
                "received STRUCT with 1 values, but metadata has 2 fields",
            ),
            (
                array(vec![text("a"), text("b")]),
                of(&[SqlType::String, SqlType::Int64]),
                "value kind must be INT_VALUE",
            ),
            (array(vec![text("a")]), map.clone(), "an entry of a MAP that is no pair"),
            (array(vec![array(vec![text("a")])]), map, "an entry of a MAP with 1 values"),
            (
                array(vec![Value::int(1)]),
                SqlType::array(SqlType::Bool),
                "value kind must be BOOL_VALUE",
            ),
            (with(ValueKind::DateValue(month)), SqlType::Date, "a date that is none: 1-300-1"),
            (with(ValueKind::TimestampValue(nanos)), SqlType::Timestamp, "nanoseconds"),
        ];
        for (value, sql_type, expected) in cases {
            let error = read(&value, &sql_type).unwrap_err();
            assert!(error.contains(expected), "no {expected:?} in {error}");
        }
        for bad in [&b"\x1a\x01\xff"[..], b"\x1a\x05", b"\x22\x02\x0a\x05", b"\x59\0"] {
            assert!(
                read_value(&Bytes::from_static(bad), &SqlType::array(SqlType::String)).is_err()
            );
        }
    }
}
