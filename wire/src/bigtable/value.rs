//! Values with their kinds: the parts of changes of aggregates.

use bytes::Bytes;

use super::Type;

/// A value. It is null if it has no kind; so is a value whose kind is not used here.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Value {
    /// The type, if it does not follow from the schema.
    #[prost(message, optional, tag = "7")]
    pub r#type: Option<Type>,
    #[prost(oneof = "ValueKind", tags = "8, 9, 2, 3, 6")]
    pub kind: Option<ValueKind>,
}

#[doc(alias = "Value.kind")]
#[derive(Clone, PartialEq, Eq, prost::Oneof)]
pub enum ValueKind {
    /// Bytes that the store takes as they are, such as a qualifier or the state of an aggregate.
    #[prost(bytes = "bytes", tag = "8")]
    RawValue(Bytes),
    /// The timestamp of a cell.
    #[prost(int64, tag = "9")]
    RawTimestampMicros(i64),
    #[prost(bytes = "bytes", tag = "2")]
    BytesValue(Bytes),
    #[prost(string, tag = "3")]
    StringValue(String),
    #[prost(int64, tag = "6")]
    IntValue(i64),
}

impl Value {
    /// Bytes that the store takes as they are.
    ///
    /// ```
    /// use prost::Message;
    /// use tallrow_wire::bigtable::Value;
    ///
    /// assert_eq!(Value::raw("q").encode_to_vec(), b"\x42\x01q");
    /// ```
    pub fn raw(bytes: impl Into<Bytes>) -> Self {
        Self::of(ValueKind::RawValue(bytes.into()))
    }

    /// The timestamp of a cell, in microseconds.
    ///
    /// ```
    /// use prost::Message;
    /// use tallrow_wire::bigtable::Value;
    ///
    /// assert_eq!(Value::timestamp(0).encode_to_vec(), b"\x48\0");
    /// ```
    pub fn timestamp(micros: i64) -> Self {
        Self::of(ValueKind::RawTimestampMicros(micros))
    }

    /// An integer.
    ///
    /// ```
    /// use prost::Message;
    /// use tallrow_wire::bigtable::Value;
    ///
    /// assert_eq!(Value::int(5).encode_to_vec(), b"\x30\x05");
    /// ```
    pub fn int(value: i64) -> Self {
        Self::of(ValueKind::IntValue(value))
    }

    fn of(kind: ValueKind) -> Self {
        Self { r#type: None, kind: Some(kind) }
    }
}
