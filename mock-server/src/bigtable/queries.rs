//! PrepareQuery and ExecuteQuery, for the queries that a test has scripted.

use std::sync::Arc;

use bytes::Bytes;
use fastrand::Rng;
use prost::Message;
use tallrow_wire::bigtable::{
    Any, ArrayType, ArrayValue, BytesType, ColumnMetadata, Date, EnumType, ExecuteQueryRequest,
    ExecuteQueryResponse, Int64Type, MapType, Marker, PartialResultSet, PreconditionFailure,
    PreconditionViolation, PrepareQueryRequest, PrepareQueryResponse, ProtoRows, ProtoRowsBatch,
    ProtoSchema, ProtoType, ResultSetMetadata, Status, StringType, StructField, StructType,
    Timestamp, TimestampType, Type, TypeKind, Value, ValueKind, crc32c,
};

use super::call::{GrpcCall, ReplyMessages, Stream, frame};
use super::names::check_instance;
use super::status::{StatusCode, StatusResult, invalid};
use crate::state::{Cluster, MockQuery, MockSqlType, MockSqlValue};

/// How long a prepared query is valid, in ms.
const VALID_MS: u64 = 60 * 60 * 1_000;
/// The number of rows in a batch, unless batches are torn.
const BATCH_ROWS: usize = 100;
/// The maximum number of rows in a batch, and of parts of a batch, if batches are torn.
const TORN: usize = 4;

/// A prepared query, as the client keeps it.
#[derive(Clone, PartialEq, prost::Message)]
struct Prepared {
    #[prost(string, tag = "1")]
    text: String,
    #[prost(uint64, tag = "2")]
    generation: u64,
    #[prost(uint64, tag = "3")]
    valid_until_ms: u64,
}

/// Answers a PrepareQuery.
pub(super) fn prepare_query(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request: PrepareQueryRequest = call.decode()?;
    check_instance(call.cluster, &request.instance_name)?;
    let queries = call.cluster.queries.with_text(&request.query);
    if queries.is_empty() {
        return Err(not_scripted(&format!("no query has the text {:?}", request.query)));
    }
    let has_parameters = |query: &&Arc<MockQuery>| {
        let of = |(name, of, _): &(String, MockSqlType, MockSqlValue)| (name.clone(), message(of));
        query.parameters.iter().map(of).collect::<std::collections::BTreeMap<_, _>>()
            == request.param_types
    };
    let Some(query) = queries.iter().find(has_parameters) else {
        return Err(invalid(format!(
            "The parameters of the query have other names or types: {:?}",
            request.query
        )));
    };
    let valid_until_ms = call.cluster.clock.now() + VALID_MS;
    let generation = call.cluster.queries.generation();
    let prepared = Prepared { text: request.query, generation, valid_until_ms };
    let column = |(name, of): &(String, MockSqlType)| ColumnMetadata {
        name: name.clone(),
        r#type: Some(message(of)),
    };
    let columns = query.columns.iter().map(column).collect();
    let seconds = i64::try_from(valid_until_ms / 1_000).unwrap_or(i64::MAX);
    Ok(ReplyMessages::one(&PrepareQueryResponse {
        metadata: Some(ResultSetMetadata { proto_schema: Some(ProtoSchema { columns }) }),
        prepared_query: prepared.encode_to_vec().into(),
        valid_until: Some(Timestamp { seconds, nanos: 0 }),
    }))
}

/// Answers an ExecuteQuery.
pub(super) fn execute_query(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request: ExecuteQueryRequest = call.decode()?;
    check_instance(call.cluster, &request.instance_name)?;
    if request.prepared_query.is_empty() {
        return Err(invalid("The mock executes only queries that were prepared"));
    }
    let prepared = Prepared::decode(request.prepared_query.clone())
        .map_err(|error| invalid(format!("The prepared query cannot be decoded: {error}")))?;
    let is_old = prepared.generation != call.cluster.queries.generation()
        || prepared.valid_until_ms <= call.cluster.clock.now();
    // Results that have begun can be resumed.
    if is_old && request.resume_token.is_empty() {
        return Err(expired());
    }
    let has_values = |query: &&Arc<MockQuery>| {
        query.parameters.len() == request.params.len()
            && query.parameters.iter().all(|(name, _, of)| {
                request.params.get(name).is_some_and(|given| given.kind == value(of).kind)
            })
    };
    let queries = call.cluster.queries.with_text(&prepared.text);
    let query = queries.iter().find(has_values).cloned().ok_or_else(|| {
        not_scripted(&format!(
            "no query with the text {:?} has the parameters {:?}",
            prepared.text, request.params
        ))
    })?;
    let sent = match &request.resume_token[..] {
        [] => 0,
        token => std::str::from_utf8(token)
            .ok()
            .and_then(|token| token.parse::<usize>().ok())
            .filter(|sent| *sent <= query.rows.len())
            .ok_or_else(|| invalid("The resume token is none of this query"))?,
    };
    let torn = call.cluster.torn_reply_rng();
    Ok(ReplyMessages::stream(Results { query, sent, torn, parts: Vec::new(), is_over: false }))
}

/// The results that are still to be sent.
#[derive(Debug)]
struct Results {
    query: Arc<MockQuery>,
    /// The number of rows that have been sent, or are in `parts`.
    sent: usize,
    /// The random numbers that decide how batches are torn, if they are.
    torn: Option<Rng>,
    /// The parts of the current batch, the last one first.
    parts: Vec<PartialResultSet>,
    is_over: bool,
}

impl Stream for Results {
    fn next(&mut self, _: &Cluster) -> StatusResult<Option<Bytes>> {
        if self.parts.is_empty() && !self.is_over {
            self.add_batch();
        }
        let results = self.parts.pop();
        Ok(results.map(|part| frame(&ExecuteQueryResponse { metadata: None, results: Some(part) })))
    }
}

impl Results {
    /// Makes the parts of the next batch. A query without rows has one batch, which is empty.
    fn add_batch(&mut self) {
        let rows = match &mut self.torn {
            Some(random) => random.usize(1..=TORN),
            None => BATCH_ROWS,
        };
        let rest = self.query.rows.get(self.sent..).unwrap_or_default();
        let rows = rest.get(..rows).unwrap_or(rest);
        let is_last = rows.len() == rest.len();
        let batch = ProtoRows { values: rows.iter().flatten().map(value).collect() };
        let mut data = Bytes::from(batch.encode_to_vec());
        let checksum = (!rows.is_empty()).then(|| crc32c(&data));
        // If batches are torn, some end without a resume token.
        let has_token = is_last || self.torn.as_mut().is_none_or(Rng::bool);
        let pieces = self.torn.as_mut().map_or(1, |random| random.usize(1..=TORN));
        self.sent += rows.len();
        self.is_over = is_last;
        let estimated_batch_size = i32::try_from(data.len()).unwrap_or(i32::MAX);
        let size = data.len().div_ceil(pieces).max(1);
        let mut parts = Vec::new();
        while !data.is_empty() {
            let batch_data = data.split_to(size.min(data.len()));
            parts.push(PartialResultSet {
                proto_rows_batch: Some(ProtoRowsBatch { batch_data }),
                ..PartialResultSet::default()
            });
        }
        if parts.is_empty() {
            parts.push(PartialResultSet::default());
        }
        if let Some(first) = parts.first_mut() {
            first.estimated_batch_size = estimated_batch_size;
        }
        if let Some(last) = parts.last_mut() {
            last.batch_checksum = checksum;
            if has_token {
                last.resume_token = self.sent.to_string().into();
            }
        }
        parts.reverse();
        self.parts = parts;
    }
}

/// The status for a query that is not among the scripted ones.
fn not_scripted(why: &str) -> Status {
    StatusCode::Unimplemented.status(format!(
        "The mock has no SQL. It answers the queries that were scripted with \
         MockCluster::answer_query, of which {why}"
    ))
}

fn expired() -> Status {
    let description = "The prepared query has expired. Prepare it again".to_owned();
    let failure = PreconditionFailure {
        violations: vec![PreconditionViolation {
            r#type: "PREPARED_QUERY_EXPIRED".to_owned(),
            description: description.clone(),
        }],
    };
    let detail = Any {
        type_url: PreconditionFailure::TYPE_URL.to_owned(),
        value: failure.encode_to_vec().into(),
    };
    Status { details: vec![detail], ..StatusCode::FailedPrecondition.status(description) }
}

fn message(of: &MockSqlType) -> Type {
    let boxed = |of: &MockSqlType| Some(Box::new(message(of)));
    let kind = match of {
        MockSqlType::Bytes => TypeKind::BytesType(BytesType::default()),
        MockSqlType::String => TypeKind::StringType(StringType::default()),
        MockSqlType::Int64 => TypeKind::Int64Type(Int64Type::default()),
        MockSqlType::Float32 => TypeKind::Float32Type(Marker {}),
        MockSqlType::Float64 => TypeKind::Float64Type(Marker {}),
        MockSqlType::Bool => TypeKind::BoolType(Marker {}),
        MockSqlType::Timestamp => TypeKind::TimestampType(TimestampType::default()),
        MockSqlType::Date => TypeKind::DateType(Marker {}),
        MockSqlType::Array(of) => TypeKind::ArrayType(ArrayType { element_type: boxed(of) }),
        MockSqlType::Map(key, value) => {
            TypeKind::MapType(MapType { key_type: boxed(key), value_type: boxed(value) })
        }
        MockSqlType::Struct(fields) => {
            let field = |(name, of): &(String, MockSqlType)| StructField {
                field_name: name.clone(),
                r#type: Some(message(of)),
            };
            let fields = fields.iter().map(field).collect();
            TypeKind::StructType(StructType { fields, encoding: None })
        }
        MockSqlType::Proto { schema_bundle, message } => TypeKind::ProtoType(ProtoType {
            schema_bundle_id: schema_bundle.clone(),
            message_name: message.clone(),
        }),
        MockSqlType::Enum { schema_bundle, name } => TypeKind::EnumType(EnumType {
            schema_bundle_id: schema_bundle.clone(),
            enum_name: name.clone(),
        }),
    };
    Type { kind: Some(kind) }
}

fn value(of: &MockSqlValue) -> Value {
    let kind = match of {
        MockSqlValue::Null => None,
        MockSqlValue::Bytes(bytes) => Some(ValueKind::BytesValue(bytes.clone().into())),
        MockSqlValue::String(text) => Some(ValueKind::StringValue(text.clone())),
        MockSqlValue::Int64(number) => Some(ValueKind::IntValue(*number)),
        MockSqlValue::Float64(number) => Some(ValueKind::FloatValue(*number)),
        MockSqlValue::Bool(bool) => Some(ValueKind::BoolValue(*bool)),
        &MockSqlValue::Timestamp { seconds, nanos } => {
            Some(ValueKind::TimestampValue(Timestamp { seconds, nanos }))
        }
        &MockSqlValue::Date { year, month, day } => {
            Some(ValueKind::DateValue(Date { year, month, day }))
        }
        MockSqlValue::Array(values) => {
            Some(ValueKind::ArrayValue(ArrayValue { values: values.iter().map(value).collect() }))
        }
    };
    Value { r#type: None, kind }
}
