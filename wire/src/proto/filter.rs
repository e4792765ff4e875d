//! `Filter.proto`: filters. A filter is sent as the name of its Java class and the encoded bytes of
//! one of these messages.
use super::{BytesBytesPair, Comparator, CompareType, Filter};

#[derive(Clone, PartialEq, prost::Message)]
pub struct ColumnCountGetFilter {
    #[prost(int32, required, tag = "1")]
    pub limit: i32,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ColumnPaginationFilter {
    #[prost(int32, required, tag = "1")]
    pub limit: i32,
    #[prost(int32, optional, tag = "2")]
    pub offset: Option<i32>,
    #[prost(bytes = "bytes", optional, tag = "3")]
    pub column_offset: Option<bytes::Bytes>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ColumnPrefixFilter {
    #[prost(bytes = "bytes", required, tag = "1")]
    pub prefix: bytes::Bytes,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ColumnRangeFilter {
    #[prost(bytes = "bytes", optional, tag = "1")]
    pub min_column: Option<bytes::Bytes>,
    #[prost(bool, optional, tag = "2")]
    pub min_column_inclusive: Option<bool>,
    #[prost(bytes = "bytes", optional, tag = "3")]
    pub max_column: Option<bytes::Bytes>,
    #[prost(bool, optional, tag = "4")]
    pub max_column_inclusive: Option<bool>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct CompareFilter {
    #[prost(enumeration = "CompareType", required, tag = "1")]
    pub compare_op: i32,
    #[prost(message, optional, tag = "2")]
    pub comparator: Option<Comparator>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct DependentColumnFilter {
    #[prost(message, required, tag = "1")]
    pub compare_filter: CompareFilter,
    #[prost(bytes = "bytes", optional, tag = "2")]
    pub column_family: Option<bytes::Bytes>,
    #[prost(bytes = "bytes", optional, tag = "3")]
    pub column_qualifier: Option<bytes::Bytes>,
    #[prost(bool, optional, tag = "4")]
    pub drop_dependent_column: Option<bool>,
}

/// The message of four filters that have the same field.
#[doc(alias("FamilyFilter", "QualifierFilter", "RowFilter", "ValueFilter"))]
#[derive(Clone, PartialEq, prost::Message)]
pub struct CellPartFilter {
    #[prost(message, required, tag = "1")]
    pub compare_filter: CompareFilter,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct FilterList {
    #[prost(enumeration = "FilterListOperator", required, tag = "1")]
    pub operator: i32,
    #[prost(message, repeated, tag = "2")]
    pub filters: Vec<Filter>,
}

/// Three messages that contain another filter.
#[doc(alias("FilterWrapper", "SkipFilter", "WhileMatchFilter"))]
#[derive(Clone, PartialEq, prost::Message)]
pub struct WrappedFilter {
    #[prost(message, required, tag = "1")]
    pub filter: Filter,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct FirstKeyValueMatchingQualifiersFilter {
    #[prost(bytes = "bytes", repeated, tag = "1")]
    pub qualifiers: Vec<bytes::Bytes>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct FuzzyRowFilter {
    #[prost(message, repeated, tag = "1")]
    pub fuzzy_keys_data: Vec<BytesBytesPair>,
    #[prost(bool, optional, tag = "2")]
    pub is_mask_v2: Option<bool>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct InclusiveStopFilter {
    #[prost(bytes = "bytes", optional, tag = "1")]
    pub stop_row_key: Option<bytes::Bytes>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct KeyOnlyFilter {
    #[prost(bool, required, tag = "1")]
    pub len_as_val: bool,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct MultipleColumnPrefixFilter {
    #[prost(bytes = "bytes", repeated, tag = "1")]
    pub sorted_prefixes: Vec<bytes::Bytes>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct PageFilter {
    #[prost(int64, required, tag = "1")]
    pub page_size: i64,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct PrefixFilter {
    #[prost(bytes = "bytes", optional, tag = "1")]
    pub prefix: Option<bytes::Bytes>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct RandomRowFilter {
    #[prost(float, required, tag = "1")]
    pub chance: f32,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct SingleColumnValueFilter {
    #[prost(bytes = "bytes", optional, tag = "1")]
    pub column_family: Option<bytes::Bytes>,
    #[prost(bytes = "bytes", optional, tag = "2")]
    pub column_qualifier: Option<bytes::Bytes>,
    #[prost(enumeration = "CompareType", required, tag = "3")]
    pub compare_op: i32,
    #[prost(message, required, tag = "4")]
    pub comparator: Comparator,
    #[prost(bool, optional, tag = "5")]
    pub filter_if_missing: Option<bool>,
    #[prost(bool, optional, tag = "6")]
    pub latest_version_only: Option<bool>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct SingleColumnValueExcludeFilter {
    #[prost(message, required, tag = "1")]
    pub single_column_value_filter: SingleColumnValueFilter,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct TimestampsFilter {
    #[prost(int64, repeated, tag = "1")]
    pub timestamps: Vec<i64>,
    #[prost(bool, optional, tag = "2")]
    pub can_hint: Option<bool>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct RowRange {
    #[prost(bytes = "bytes", optional, tag = "1")]
    pub start_row: Option<bytes::Bytes>,
    #[prost(bool, optional, tag = "2")]
    pub start_row_inclusive: Option<bool>,
    #[prost(bytes = "bytes", optional, tag = "3")]
    pub stop_row: Option<bytes::Bytes>,
    #[prost(bool, optional, tag = "4")]
    pub stop_row_inclusive: Option<bool>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct MultiRowRangeFilter {
    #[prost(message, repeated, tag = "1")]
    pub row_range_list: Vec<RowRange>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ColumnValueFilter {
    #[prost(bytes = "bytes", required, tag = "1")]
    pub family: bytes::Bytes,
    #[prost(bytes = "bytes", required, tag = "2")]
    pub qualifier: bytes::Bytes,
    #[prost(enumeration = "CompareType", required, tag = "3")]
    pub compare_op: i32,
    #[prost(message, required, tag = "4")]
    pub comparator: Comparator,
}

#[doc(alias = "FilterList.Operator")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum FilterListOperator {
    MustPassAll = 1,
    MustPassOne = 2,
}
