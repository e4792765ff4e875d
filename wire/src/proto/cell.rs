//! `Cell.proto`: a cell inside a message, for peers that do not use cell blocks.

/// A cell of a message. It is not named `Cell` because [`cell::Cell`](crate::cell::Cell) is the
/// type to work with.
#[doc(alias = "Cell")]
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
    #[prost(enumeration = "ProtoCellType", optional, tag = "5")]
    pub cell_type: Option<i32>,
    #[prost(bytes = "bytes", optional, tag = "6")]
    pub value: Option<bytes::Bytes>,
    #[prost(bytes = "bytes", optional, tag = "7")]
    pub tags: Option<bytes::Bytes>,
}

/// The type of a cell; [`cell::CellType`](crate::cell::CellType) has the types that are stored.
#[doc(alias = "CellType")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum ProtoCellType {
    Minimum = 0,
    Put = 4,
    Delete = 8,
    DeleteFamilyVersion = 10,
    DeleteColumn = 12,
    DeleteFamily = 14,
    Maximum = 255,
}
