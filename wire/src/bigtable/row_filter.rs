//! The filters that select and change the cells of a read.

use bytes::Bytes;

#[derive(Clone, PartialEq, prost::Message)]
pub struct RowFilter {
    #[prost(
        oneof = "Filter",
        tags = "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20"
    )]
    pub filter: Option<Filter>,
}

#[doc(alias = "RowFilter.filter")]
#[derive(Clone, PartialEq, prost::Oneof)]
pub enum Filter {
    #[prost(message, tag = "1")]
    Chain(Chain),
    #[prost(message, tag = "2")]
    Interleave(Interleave),
    #[prost(message, tag = "3")]
    Condition(Box<Condition>),
    #[prost(bytes = "bytes", tag = "4")]
    RowKeyRegexFilter(Bytes),
    #[prost(string, tag = "5")]
    FamilyNameRegexFilter(String),
    #[prost(bytes = "bytes", tag = "6")]
    ColumnQualifierRegexFilter(Bytes),
    #[prost(message, tag = "7")]
    ColumnRangeFilter(ColumnRange),
    #[prost(message, tag = "8")]
    TimestampRangeFilter(TimestampRange),
    #[prost(bytes = "bytes", tag = "9")]
    ValueRegexFilter(Bytes),
    #[prost(int32, tag = "10")]
    CellsPerRowOffsetFilter(i32),
    #[prost(int32, tag = "11")]
    CellsPerRowLimitFilter(i32),
    #[prost(int32, tag = "12")]
    CellsPerColumnLimitFilter(i32),
    #[prost(bool, tag = "13")]
    StripValueTransformer(bool),
    #[prost(double, tag = "14")]
    RowSampleFilter(f64),
    #[prost(message, tag = "15")]
    ValueRangeFilter(ValueRange),
    #[prost(bool, tag = "16")]
    Sink(bool),
    #[prost(bool, tag = "17")]
    PassAllFilter(bool),
    #[prost(bool, tag = "18")]
    BlockAllFilter(bool),
    #[prost(string, tag = "19")]
    ApplyLabelTransformer(String),
    #[prost(message, tag = "20")]
    ValueBitmaskFilter(ValueBitmask),
}

/// Filters that are applied in sequence, each to the output of the filter before.
#[doc(alias = "RowFilter.Chain")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct Chain {
    #[prost(message, repeated, tag = "1")]
    pub filters: Vec<RowFilter>,
}

/// Filters that are all applied to the same cells: their outputs together, duplicates included.
#[doc(alias = "RowFilter.Interleave")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct Interleave {
    #[prost(message, repeated, tag = "1")]
    pub filters: Vec<RowFilter>,
}

/// A choice between two filters: the first is applied if the predicate returns any cell, otherwise
/// the second. A filter that is not set returns no cells.
#[doc(alias = "RowFilter.Condition")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct Condition {
    #[prost(message, optional, boxed, tag = "1")]
    pub predicate_filter: Option<Box<RowFilter>>,
    #[prost(message, optional, boxed, tag = "2")]
    pub true_filter: Option<Box<RowFilter>>,
    #[prost(message, optional, boxed, tag = "3")]
    pub false_filter: Option<Box<RowFilter>>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ColumnRange {
    #[prost(string, tag = "1")]
    pub family_name: String,
    #[prost(oneof = "StartQualifier", tags = "2, 3")]
    pub start_qualifier: Option<StartQualifier>,
    #[prost(oneof = "EndQualifier", tags = "4, 5")]
    pub end_qualifier: Option<EndQualifier>,
}

#[doc(alias = "ColumnRange.start_qualifier")]
#[derive(Clone, PartialEq, Eq, prost::Oneof)]
pub enum StartQualifier {
    #[prost(bytes = "bytes", tag = "2")]
    StartQualifierClosed(Bytes),
    #[prost(bytes = "bytes", tag = "3")]
    StartQualifierOpen(Bytes),
}

#[doc(alias = "ColumnRange.end_qualifier")]
#[derive(Clone, PartialEq, Eq, prost::Oneof)]
pub enum EndQualifier {
    #[prost(bytes = "bytes", tag = "4")]
    EndQualifierClosed(Bytes),
    #[prost(bytes = "bytes", tag = "5")]
    EndQualifierOpen(Bytes),
}

/// The timestamps from the start up to, but not including, the end. An end of 0 means no end.
#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub struct TimestampRange {
    #[prost(int64, tag = "1")]
    pub start_timestamp_micros: i64,
    #[prost(int64, tag = "2")]
    pub end_timestamp_micros: i64,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ValueRange {
    #[prost(oneof = "StartValue", tags = "1, 2")]
    pub start_value: Option<StartValue>,
    #[prost(oneof = "EndValue", tags = "3, 4")]
    pub end_value: Option<EndValue>,
}

#[doc(alias = "ValueRange.start_value")]
#[derive(Clone, PartialEq, Eq, prost::Oneof)]
pub enum StartValue {
    #[prost(bytes = "bytes", tag = "1")]
    StartValueClosed(Bytes),
    #[prost(bytes = "bytes", tag = "2")]
    StartValueOpen(Bytes),
}

#[doc(alias = "ValueRange.end_value")]
#[derive(Clone, PartialEq, Eq, prost::Oneof)]
pub enum EndValue {
    #[prost(bytes = "bytes", tag = "3")]
    EndValueClosed(Bytes),
    #[prost(bytes = "bytes", tag = "4")]
    EndValueOpen(Bytes),
}

/// The values in which each bit of the mask is set. A value of another length than the mask is not
/// one of them.
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct ValueBitmask {
    #[prost(bytes = "bytes", tag = "1")]
    pub mask: Bytes,
}
