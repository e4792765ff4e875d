//! `Cell.proto`: a cell inside a message, where no cell block is used.

#[derive(Clone, PartialEq, prost::Message)]
pub struct ProtoCell {
    #[prost(bytes = "bytes", optional, tag = "1")]
    pub row: Option<bytes::Bytes>,
    #[prost(bytes = "bytes", optional, tag = "2")]
    pub family: Option<bytes::Bytes>,
    #[prost(bytes = "bytes", optional, tag = "3")]
    pub qualifier: Option<bytes::Bytes>,
    #[prost(uint64, optional, tag = "4")]
    pub timestamp: Option<u64>,
    #[prost(int32, optional, tag = "5")]
    pub cell_type: Option<i32>,
    #[prost(bytes = "bytes", optional, tag = "6")]
    pub value: Option<bytes::Bytes>,
    #[prost(bytes = "bytes", optional, tag = "7")]
    pub tags: Option<bytes::Bytes>,
}
