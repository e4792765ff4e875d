//! The types of values: what the cells of an aggregate family contain, and what queries take and
//! return, and the fields of row keys.

use bytes::Bytes;

/// A type of values. It has no kind if its kind is not used here.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Type {
    #[prost(oneof = "TypeKind", tags = "1, 2, 5, 12, 9, 8, 10, 11, 6, 7, 3, 4, 13, 14")]
    pub kind: Option<TypeKind>,
}

#[doc(alias = "Type.kind")]
#[derive(Clone, PartialEq, prost::Oneof)]
pub enum TypeKind {
    #[prost(message, tag = "1")]
    BytesType(BytesType),
    #[prost(message, tag = "2")]
    StringType(StringType),
    #[prost(message, tag = "5")]
    Int64Type(Int64Type),
    #[prost(message, tag = "12")]
    Float32Type(Marker),
    #[prost(message, tag = "9")]
    Float64Type(Marker),
    #[prost(message, tag = "8")]
    BoolType(Marker),
    #[prost(message, tag = "10")]
    TimestampType(TimestampType),
    #[prost(message, tag = "11")]
    DateType(Marker),
    #[prost(message, tag = "6")]
    AggregateType(Box<Aggregate>),
    #[prost(message, tag = "7")]
    StructType(StructType),
    #[prost(message, tag = "3")]
    ArrayType(ArrayType),
    #[prost(message, tag = "4")]
    MapType(MapType),
    #[prost(message, tag = "13")]
    ProtoType(ProtoType),
    #[prost(message, tag = "14")]
    EnumType(EnumType),
}

#[doc(alias = "Type.Bytes")]
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct BytesType {
    #[prost(message, optional, tag = "1")]
    pub encoding: Option<BytesEncoding>,
}

#[doc(alias = "Type.Bytes.Encoding")]
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct BytesEncoding {
    #[prost(oneof = "BytesEncodingKind", tags = "1")]
    pub encoding: Option<BytesEncodingKind>,
}

#[doc(alias = "Type.Bytes.Encoding.encoding")]
#[derive(Clone, PartialEq, Eq, prost::Oneof)]
pub enum BytesEncodingKind {
    #[prost(message, tag = "1")]
    Raw(Marker),
}

#[doc(alias = "Type.String")]
#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub struct StringType {
    #[prost(message, optional, tag = "1")]
    pub encoding: Option<StringEncoding>,
}

#[doc(alias = "Type.String.Encoding")]
#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub struct StringEncoding {
    #[prost(oneof = "StringEncodingKind", tags = "1, 2")]
    pub encoding: Option<StringEncodingKind>,
}

#[doc(alias = "Type.String.Encoding.encoding")]
#[derive(Clone, Copy, PartialEq, Eq, prost::Oneof)]
pub enum StringEncodingKind {
    /// The same as `Utf8Bytes`, by an older name.
    #[prost(message, tag = "1")]
    Utf8Raw(Marker),
    #[prost(message, tag = "2")]
    Utf8Bytes(Marker),
}

#[doc(alias = "Type.Int64")]
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct Int64Type {
    #[prost(message, optional, tag = "1")]
    pub encoding: Option<Int64Encoding>,
}

#[doc(alias = "Type.Int64.Encoding")]
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct Int64Encoding {
    #[prost(oneof = "Int64EncodingKind", tags = "1, 2")]
    pub encoding: Option<Int64EncodingKind>,
}

#[doc(alias = "Type.Int64.Encoding.encoding")]
#[derive(Clone, PartialEq, Eq, prost::Oneof)]
pub enum Int64EncodingKind {
    #[prost(message, tag = "1")]
    BigEndianBytes(BigEndianBytes),
    #[prost(message, tag = "2")]
    OrderedCodeBytes(Marker),
}

/// Eight bytes, the highest first.
#[doc(alias = "Type.Int64.Encoding.BigEndianBytes")]
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct BigEndianBytes {
    /// No longer used by the service, which still returns it.
    #[prost(message, optional, tag = "1")]
    pub bytes_type: Option<BytesType>,
}

#[doc(alias = "Type.Timestamp")]
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct TimestampType {
    #[prost(message, optional, tag = "1")]
    pub encoding: Option<TimestampEncoding>,
}

#[doc(alias = "Type.Timestamp.Encoding")]
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct TimestampEncoding {
    #[prost(oneof = "TimestampEncodingKind", tags = "1")]
    pub encoding: Option<TimestampEncodingKind>,
}

#[doc(alias = "Type.Timestamp.Encoding.encoding")]
#[derive(Clone, PartialEq, Eq, prost::Oneof)]
pub enum TimestampEncodingKind {
    /// The microseconds since 1970.
    #[prost(message, tag = "1")]
    UnixMicrosInt64(Int64Encoding),
}

/// Values of several types, each with a name.
#[doc(alias = "Type.Struct")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct StructType {
    #[prost(message, repeated, tag = "1")]
    pub fields: Vec<StructField>,
    /// How the fields are joined; set in a row key schema.
    #[prost(message, optional, tag = "2")]
    pub encoding: Option<StructEncoding>,
}

#[doc(alias = "Type.Struct.Encoding")]
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct StructEncoding {
    #[prost(oneof = "StructEncodingKind", tags = "1, 2, 3")]
    pub encoding: Option<StructEncodingKind>,
}

#[doc(alias = "Type.Struct.Encoding.encoding")]
#[derive(Clone, PartialEq, Eq, prost::Oneof)]
pub enum StructEncodingKind {
    /// The bytes of the only field.
    #[prost(message, tag = "1")]
    Singleton(Marker),
    #[prost(message, tag = "2")]
    DelimitedBytes(DelimitedBytes),
    #[prost(message, tag = "3")]
    OrderedCodeBytes(Marker),
}

/// The fields with a delimiter between each two of them.
#[doc(alias = "Type.Struct.Encoding.DelimitedBytes")]
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct DelimitedBytes {
    /// 1 to 50 bytes. A field has only bytes above the first of them.
    #[prost(bytes = "bytes", tag = "1")]
    pub delimiter: Bytes,
}

#[doc(alias = "Type.Struct.Field")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct StructField {
    /// The name; fields may have the same name, or none.
    #[prost(string, tag = "1")]
    pub field_name: String,
    #[prost(message, optional, tag = "2")]
    pub r#type: Option<Type>,
}

#[doc(alias = "Type.Array")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct ArrayType {
    #[prost(message, optional, boxed, tag = "1")]
    pub element_type: Option<Box<Type>>,
}

#[doc(alias = "Type.Map")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct MapType {
    #[prost(message, optional, boxed, tag = "1")]
    pub key_type: Option<Box<Type>>,
    #[prost(message, optional, boxed, tag = "2")]
    pub value_type: Option<Box<Type>>,
}

/// Messages of Protocol Buffers, whose definition is in a schema bundle of the table.
#[doc(alias = "Type.Proto")]
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct ProtoType {
    #[prost(string, tag = "1")]
    pub schema_bundle_id: String,
    #[prost(string, tag = "2")]
    pub message_name: String,
}

/// Values of an enum of Protocol Buffers, whose definition is in a schema bundle of the table.
#[doc(alias = "Type.Enum")]
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct EnumType {
    #[prost(string, tag = "1")]
    pub schema_bundle_id: String,
    #[prost(string, tag = "2")]
    pub enum_name: String,
}

/// A type whose cells combine what is added to them into one value.
#[doc(alias = "Type.Aggregate")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct Aggregate {
    /// The type of what is added.
    #[prost(message, optional, boxed, tag = "1")]
    pub input_type: Option<Box<Type>>,
    /// The type of the value that a cell contains and a read returns; set by the service.
    #[prost(message, optional, boxed, tag = "2")]
    pub state_type: Option<Box<Type>>,
    #[prost(oneof = "Aggregator", tags = "4, 5, 6, 7")]
    pub aggregator: Option<Aggregator>,
}

#[doc(alias = "Type.Aggregate.aggregator")]
#[derive(Clone, Copy, PartialEq, Eq, prost::Oneof)]
pub enum Aggregator {
    #[prost(message, tag = "4")]
    Sum(Marker),
    #[prost(message, tag = "5")]
    HllppUniqueCount(Marker),
    #[prost(message, tag = "6")]
    Max(Marker),
    #[prost(message, tag = "7")]
    Min(Marker),
}

/// A message without fields. Only its presence has a meaning.
#[doc(alias(
    "Type.Aggregate.HyperLogLogPlusPlusUniqueCount",
    "Type.Aggregate.Max",
    "Type.Aggregate.Min",
    "Type.Aggregate.Sum",
    "Type.Bool",
    "Type.Bytes.Encoding.Raw",
    "Type.Date",
    "Type.Float32",
    "Type.Float64",
    "Type.Int64.Encoding.OrderedCodeBytes",
    "Type.String.Encoding.Utf8Bytes",
    "Type.String.Encoding.Utf8Raw",
    "Type.Struct.Encoding.OrderedCodeBytes",
    "Type.Struct.Encoding.Singleton"
))]
#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub struct Marker {}

impl Type {
    /// Integers of eight bytes, the highest first.
    ///
    /// ```
    /// use prost::Message;
    /// use tallrow_wire::bigtable::Type;
    ///
    /// assert_eq!(Type::big_endian_int64().encode_to_vec(), b"\x2a\x04\x0a\x02\x0a\0");
    /// ```
    pub fn big_endian_int64() -> Self {
        let big_endian = Int64EncodingKind::BigEndianBytes(BigEndianBytes::default());
        let encoding = Some(Int64Encoding { encoding: Some(big_endian) });
        Self { kind: Some(TypeKind::Int64Type(Int64Type { encoding })) }
    }

    /// Bytes as they are.
    ///
    /// ```
    /// use prost::Message;
    /// use tallrow_wire::bigtable::Type;
    ///
    /// assert_eq!(Type::raw_bytes().encode_to_vec(), b"\x0a\x04\x0a\x02\x0a\0");
    /// ```
    pub fn raw_bytes() -> Self {
        let raw = BytesEncodingKind::Raw(Marker {});
        let encoding = Some(BytesEncoding { encoding: Some(raw) });
        Self { kind: Some(TypeKind::BytesType(BytesType { encoding })) }
    }

    /// An aggregate of values of this type, without a state type, as it is when a family is
    /// created.
    ///
    /// ```
    /// use prost::Message;
    /// use tallrow_wire::bigtable::{Aggregator, Marker, Type};
    ///
    /// let sum = Type::aggregate(Type::big_endian_int64(), Aggregator::Sum(Marker {}));
    /// assert_eq!(sum.encode_to_vec(), b"\x32\x0a\x0a\x06\x2a\x04\x0a\x02\x0a\0\x22\0");
    /// ```
    pub fn aggregate(input: Self, aggregator: Aggregator) -> Self {
        let input_type = Some(Box::new(input));
        let aggregate = Aggregate { input_type, state_type: None, aggregator: Some(aggregator) };
        Self { kind: Some(TypeKind::AggregateType(Box::new(aggregate))) }
    }
}
