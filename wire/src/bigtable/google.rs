//! The messages of `google.protobuf` and `google.rpc` that are used here: values that many messages
//! share, and the status of a call with its details.

use bytes::Bytes;

/// A span of time. In a negative span, both parts are negative.
#[doc(alias = "google.protobuf.Duration")]
#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub struct Duration {
    #[prost(int64, tag = "1")]
    pub seconds: i64,
    #[prost(int32, tag = "2")]
    pub nanos: i32,
}

#[doc(alias = "google.protobuf.Timestamp")]
#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub struct Timestamp {
    #[prost(int64, tag = "1")]
    pub seconds: i64,
    #[prost(int32, tag = "2")]
    pub nanos: i32,
}

/// A message with its type, for example `type.googleapis.com/google.rpc.RetryInfo`.
#[doc(alias = "google.protobuf.Any")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct Any {
    #[prost(string, tag = "1")]
    pub type_url: String,
    #[prost(bytes = "bytes", tag = "2")]
    pub value: Bytes,
}

#[doc(alias = "google.protobuf.Empty")]
#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub struct Empty {}

/// Names of fields.
#[doc(alias = "google.protobuf.FieldMask")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct FieldMask {
    #[prost(string, repeated, tag = "1")]
    pub paths: Vec<String>,
}

/// A gRPC status code with its text and its details.
#[doc(alias = "google.rpc.Status")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct Status {
    #[prost(int32, tag = "1")]
    pub code: i32,
    #[prost(string, tag = "2")]
    pub message: String,
    #[prost(message, repeated, tag = "3")]
    pub details: Vec<Any>,
}

/// Tells the client, in the details of a status, not to retry before the delay has passed.
#[doc(alias = "google.rpc.RetryInfo")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct RetryInfo {
    #[prost(message, optional, tag = "1")]
    pub retry_delay: Option<Duration>,
}

impl RetryInfo {
    /// The type of this message in an [`Any`].
    pub const TYPE_URL: &str = "type.googleapis.com/google.rpc.RetryInfo";
}

/// Says, in the details of a status, which preconditions of the call were not met.
#[doc(alias = "google.rpc.PreconditionFailure")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct PreconditionFailure {
    #[prost(message, repeated, tag = "1")]
    pub violations: Vec<PreconditionViolation>,
}

#[doc(alias = "google.rpc.PreconditionFailure.Violation")]
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct PreconditionViolation {
    /// For example `PREPARED_QUERY_EXPIRED`.
    #[prost(string, tag = "1")]
    pub r#type: String,
    #[prost(string, tag = "3")]
    pub description: String,
}

impl PreconditionFailure {
    /// The type of this message in an [`Any`].
    pub const TYPE_URL: &str = "type.googleapis.com/google.rpc.PreconditionFailure";
}
