//! `Comparator.proto`: the comparators with which conditions and filters compare values.

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

/// `BinaryComparator`, and also `BinaryPrefixComparator` and `LongComparator`, which have the same
/// field.
#[doc(alias("BinaryPrefixComparator", "LongComparator"))]
#[derive(Clone, PartialEq, prost::Message)]
pub struct BinaryComparator {
    #[prost(message, required, tag = "1")]
    pub comparable: ByteArrayComparable,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct BitComparator {
    #[prost(message, required, tag = "1")]
    pub comparable: ByteArrayComparable,
    #[prost(enumeration = "BitwiseOp", required, tag = "2")]
    pub bitwise_op: i32,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct RegexStringComparator {
    #[prost(string, required, tag = "1")]
    pub pattern: String,
    #[prost(int32, required, tag = "2")]
    pub pattern_flags: i32,
    #[prost(string, required, tag = "3")]
    pub charset: String,
    #[prost(string, optional, tag = "4")]
    pub engine: Option<String>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct SubstringComparator {
    #[prost(string, required, tag = "1")]
    pub substr: String,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct BinaryComponentComparator {
    #[prost(bytes = "bytes", required, tag = "1")]
    pub value: bytes::Bytes,
    #[prost(uint32, required, tag = "2")]
    pub offset: u32,
}

#[doc(alias = "BitComparator.BitwiseOp")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum BitwiseOp {
    And = 1,
    Or = 2,
    Xor = 3,
}
