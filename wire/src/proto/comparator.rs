//! `Comparator.proto`: what a condition or a filter compares with.

#[derive(Clone, PartialEq, prost::Message)]
pub struct Comparator {
    #[prost(string, required, tag = "1")]
    pub name: String,
    #[prost(bytes = "bytes", optional, tag = "2")]
    pub serialized_comparator: Option<bytes::Bytes>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ByteArrayComparable {
    #[prost(bytes = "bytes", optional, tag = "1")]
    pub value: Option<bytes::Bytes>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct BinaryComparator {
    #[prost(message, required, tag = "1")]
    pub comparable: ByteArrayComparable,
}
