//! What is used of `google.protobuf`.

use bytes::Bytes;

/// A span of time; a negative one has both parts negative.
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

/// A message with its type: `type.googleapis.com/google.rpc.RetryInfo`.
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
