//! What Bigtable's service answers to a query, for the reader of `tallrow::fuzz`: the prepared query
//! and the messages of the result, each with its length before it.

use prost::Message;
use tallrow_wire::bigtable::{
    ArrayType, ArrayValue, BytesType, ColumnMetadata, Date, ExecuteQueryResponse, Int64Type,
    MapType, Marker, PartialResultSet, PrepareQueryResponse, ProtoRows, ProtoRowsBatch,
    ProtoSchema, ResultSetMetadata, StringType, StructField, StructType, Timestamp, TimestampType,
    Type, TypeKind, Value, ValueKind, crc32c,
};

fn of(kind: TypeKind) -> Option<Type> {
    Some(Type { kind: Some(kind) })
}

fn boxed(kind: TypeKind) -> Option<Box<Type>> {
    of(kind).map(Box::new)
}

/// A column of each type.
fn prepared() -> PrepareQueryResponse {
    let fields = [
        ("timestamp", TypeKind::TimestampType(TimestampType::default())),
        ("value", TypeKind::BytesType(BytesType::default())),
    ];
    let fields =
        fields.map(|(name, kind)| StructField { field_name: name.into(), r#type: of(kind) });
    let cells = ArrayType {
        element_type: boxed(TypeKind::StructType(StructType {
            fields: fields.into(),
            encoding: None,
        })),
    };
    let map = MapType {
        key_type: boxed(TypeKind::BytesType(BytesType::default())),
        value_type: boxed(TypeKind::ArrayType(cells)),
    };
    let kinds = [
        TypeKind::StringType(StringType::default()),
        TypeKind::Int64Type(Int64Type::default()),
        TypeKind::Float64Type(Marker {}),
        TypeKind::BoolType(Marker {}),
        TypeKind::DateType(Marker {}),
        TypeKind::MapType(map),
    ];
    let columns = kinds.map(|kind| ColumnMetadata { name: "c".into(), r#type: of(kind) });
    let proto_schema = Some(ProtoSchema { columns: columns.into() });
    PrepareQueryResponse {
        metadata: Some(ResultSetMetadata { proto_schema }),
        prepared_query: "plan".into(),
        valid_until: Some(Timestamp { seconds: 1, nanos: 0 }),
    }
}

fn array(values: impl Into<Vec<Value>>) -> ValueKind {
    ValueKind::ArrayValue(ArrayValue { values: values.into() })
}

fn value(kind: ValueKind) -> Value {
    Value { r#type: None, kind: Some(kind) }
}

fn row() -> Vec<Value> {
    let cell = array([
        value(ValueKind::TimestampValue(Timestamp { seconds: 5, nanos: 6 })),
        value(ValueKind::BytesValue("v".into())),
    ]);
    let entry = array([value(ValueKind::BytesValue("q".into())), value(array([value(cell)]))]);
    vec![
        value(ValueKind::StringValue("text".into())),
        value(ValueKind::IntValue(-1)),
        value(ValueKind::FloatValue(0.5)),
        value(ValueKind::BoolValue(true)),
        value(ValueKind::DateValue(Date { year: 2024, month: 2, day: 29 })),
        value(array([
            value(entry.clone()),
            value(entry),
            value(array([Value::default(), Value::default()])),
        ])),
    ]
}

/// A result with batches in this many parts.
fn messages(parts: usize) -> Vec<Vec<u8>> {
    let batch = ProtoRows { values: [row(), row(), vec![Value::default(); 6]].concat() };
    let data = batch.encode_to_vec();
    let pieces: Vec<_> = data.chunks(data.len().div_ceil(parts)).collect();
    let count = pieces.len();
    let parts = pieces.into_iter().enumerate().map(|(at, piece)| {
        let is_last = at + 1 == count;
        let results = PartialResultSet {
            proto_rows_batch: Some(ProtoRowsBatch { batch_data: piece.to_vec().into() }),
            batch_checksum: is_last.then(|| crc32c(&data)),
            resume_token: if is_last { "token".into() } else { "".into() },
            reset: at == 0,
            estimated_batch_size: i32::MAX,
        };
        ExecuteQueryResponse { metadata: None, results: Some(results) }.encode_to_vec()
    });
    let token = PartialResultSet { resume_token: "end".into(), ..PartialResultSet::default() };
    let end = ExecuteQueryResponse { metadata: None, results: Some(token) }.encode_to_vec();
    [prepared().encode_to_vec()].into_iter().chain(parts).chain([end]).collect()
}

/// Puts the length of each message before it.
pub(crate) fn framed(messages: &[Vec<u8>]) -> Vec<u8> {
    let framed = messages.iter().map(|message| {
        let length = u16::try_from(message.len()).unwrap();
        [&length.to_be_bytes()[..], message].concat()
    });
    framed.collect::<Vec<_>>().concat()
}

pub(crate) fn results() -> Vec<Vec<u8>> {
    let no_rows = framed(&messages(1)[..1]);
    [1, 2, 5].into_iter().map(|parts| framed(&messages(parts))).chain([no_rows]).collect()
}

/// A result that ends before its resume token, and one that repeats its columns.
pub(crate) fn refused_results() -> Vec<Vec<u8>> {
    let metadata = prepared().metadata;
    let columns = ExecuteQueryResponse { metadata, results: None }.encode_to_vec();
    vec![framed(&messages(5)[..3]), framed(&[prepared().encode_to_vec(), columns])]
}
