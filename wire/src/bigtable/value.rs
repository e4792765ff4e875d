//! Values with their kinds: parts of the changes to aggregates, and the parameters and results of
//! queries.

use bytes::Bytes;

use super::{Timestamp, Type};

/// A value. It is null if it has no kind.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Value {
    /// The type, if it does not follow from the schema.
    #[prost(message, optional, tag = "7")]
    pub r#type: Option<Type>,
    #[prost(oneof = "ValueKind", tags = "8, 9, 2, 3, 6, 10, 11, 12, 13, 4")]
    pub kind: Option<ValueKind>,
}

#[doc(alias = "Value.kind")]
#[derive(Clone, PartialEq, prost::Oneof)]
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
    #[prost(bool, tag = "10")]
    BoolValue(bool),
    /// Neither a NaN nor infinite.
    #[prost(double, tag = "11")]
    FloatValue(f64),
    #[prost(message, tag = "12")]
    TimestampValue(Timestamp),
    #[prost(message, tag = "13")]
    DateValue(Date),
    /// The elements of an array, the fields of a struct, or the entries of a map, each of which is
    /// an array of a key and a value.
    #[prost(message, tag = "4")]
    ArrayValue(ArrayValue),
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ArrayValue {
    #[prost(message, repeated, tag = "1")]
    pub values: Vec<Value>,
}

/// A day of the Gregorian calendar.
#[doc(alias = "google.type.Date")]
#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub struct Date {
    #[prost(int32, tag = "1")]
    pub year: i32,
    #[prost(int32, tag = "2")]
    pub month: i32,
    #[prost(int32, tag = "3")]
    pub day: i32,
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
