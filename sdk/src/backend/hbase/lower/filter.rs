//! Converts filters to messages, each with the name of a Java class and the message of that class.

use std::ops::Bound;

use bytes::Bytes;
use prost::Message;

use super::comparator::{PACKAGE, comparator_message, compare_type};
use crate::key::RowRange;
use crate::request::filter::{
    CellFilter, Comparator, CompareOperator, DependentColumn, Filter, FuzzyRow, Kind, RowKeyFilter,
    SingleColumnValue,
};
use crate::wire::proto::{self, CompareType, FilterListOperator};

/// Returns the message of a valid filter.
pub(super) fn filter_message(filter: &Filter) -> proto::Filter {
    let message = match &filter.0 {
        Kind::Rows(rows) => of_rows(rows),
        Kind::Cells(cells) => of_cells(cells),
        Kind::All(filters) => list(FilterListOperator::MustPassAll, filters),
        Kind::Any(filters) => list(FilterListOperator::MustPassOne, filters),
        Kind::Skip(inner) | Kind::WhileMatch(inner) => {
            proto::WrappedFilter { filter: filter_message(inner) }.encode_to_vec()
        }
        Kind::Custom(class, bytes) => {
            return proto::Filter { name: class.clone(), serialized_filter: Some(bytes.clone()) };
        }
    };
    proto::Filter {
        name: [PACKAGE, filter.class_name()].concat(),
        serialized_filter: Some(message.into()),
    }
}

fn of_rows(filter: &RowKeyFilter) -> Vec<u8> {
    match filter {
        RowKeyFilter::Row(compare, comparator) => part(*compare, comparator),
        RowKeyFilter::Prefix(prefix) => {
            proto::PrefixFilter { prefix: Some(prefix.clone()) }.encode_to_vec()
        }
        RowKeyFilter::Page(rows) => {
            let page_size = i64::try_from(*rows).unwrap_or(i64::MAX);
            proto::PageFilter { page_size }.encode_to_vec()
        }
        RowKeyFilter::FuzzyRows(rows) => proto::FuzzyRowFilter {
            fuzzy_keys_data: rows.iter().map(fuzzy_key).collect(),
            is_mask_v2: Some(true),
        }
        .encode_to_vec(),
        RowKeyFilter::RowRanges(ranges) => {
            let row_range_list = ranges.iter().map(row_range).collect();
            proto::MultiRowRangeFilter { row_range_list }.encode_to_vec()
        }
        RowKeyFilter::InclusiveStop(row) => {
            proto::InclusiveStopFilter { stop_row_key: Some(row.clone()) }.encode_to_vec()
        }
        RowKeyFilter::RandomRow(chance) => {
            proto::RandomRowFilter { chance: *chance }.encode_to_vec()
        }
    }
}

fn of_cells(filter: &CellFilter) -> Vec<u8> {
    match filter {
        CellFilter::Family(compare, comparator)
        | CellFilter::Qualifier(compare, comparator)
        | CellFilter::Value(compare, comparator) => part(*compare, comparator),
        CellFilter::SingleColumnValue(test) => single_column_value(test),
        CellFilter::ColumnValue { family, qualifier, compare, comparator } => {
            proto::ColumnValueFilter {
                family: family.clone(),
                qualifier: qualifier.clone(),
                compare_op: compare_type(*compare) as i32,
                comparator: comparator_message(comparator),
            }
            .encode_to_vec()
        }
        CellFilter::Dependent(test) => dependent(test),
        CellFilter::ColumnPrefixes(prefixes) => match &prefixes[..] {
            [prefix] => proto::ColumnPrefixFilter { prefix: prefix.clone() }.encode_to_vec(),
            prefixes => proto::MultipleColumnPrefixFilter { sorted_prefixes: prefixes.to_vec() }
                .encode_to_vec(),
        },
        CellFilter::ColumnRange(from, to) => {
            let (min_column, min_inclusive) = bound(from);
            let (max_column, max_inclusive) = bound(to);
            proto::ColumnRangeFilter {
                min_column,
                min_column_inclusive: Some(min_inclusive),
                max_column,
                max_column_inclusive: Some(max_inclusive),
            }
            .encode_to_vec()
        }
        CellFilter::ColumnPagination { limit, offset } => {
            column_pagination(*limit, Some(int(*offset)), None)
        }
        CellFilter::ColumnPaginationFrom { limit, qualifier } => {
            column_pagination(*limit, None, Some(qualifier.clone()))
        }
        CellFilter::ColumnCount(limit) => {
            proto::ColumnCountGetFilter { limit: int(*limit) }.encode_to_vec()
        }
        CellFilter::FirstKeyOnly => Vec::new(),
        CellFilter::FirstKeyMatching(qualifiers) => {
            proto::FirstKeyValueMatchingQualifiersFilter { qualifiers: qualifiers.clone() }
                .encode_to_vec()
        }
        CellFilter::KeyOnly { len_as_val } => {
            proto::KeyOnlyFilter { len_as_val: *len_as_val }.encode_to_vec()
        }
        CellFilter::Timestamps { times, can_hint } => {
            let millis = times.iter().map(|t| i64::try_from(t.as_millis()));
            let timestamps = millis.map(|t| t.unwrap_or(i64::MAX)).collect();
            proto::TimestampsFilter { timestamps, can_hint: Some(*can_hint) }.encode_to_vec()
        }
    }
}

fn part(compare: CompareOperator, comparator: &Comparator) -> Vec<u8> {
    let compare_filter = proto::CompareFilter {
        compare_op: compare_type(compare) as i32,
        comparator: Some(comparator_message(comparator)),
    };
    proto::CellPartFilter { compare_filter }.encode_to_vec()
}

fn single_column_value(test: &SingleColumnValue) -> Vec<u8> {
    let filter = proto::SingleColumnValueFilter {
        column_family: Some(test.family.clone()),
        column_qualifier: Some(test.qualifier.clone()),
        compare_op: compare_type(test.compare) as i32,
        comparator: comparator_message(&test.comparator),
        filter_if_missing: Some(test.filter_if_missing),
        latest_version_only: Some(test.latest_version_only),
    };
    match test.exclude {
        false => filter.encode_to_vec(),
        true => proto::SingleColumnValueExcludeFilter { single_column_value_filter: filter }
            .encode_to_vec(),
    }
}

fn dependent(test: &DependentColumn) -> Vec<u8> {
    let (compare, comparator) = match &test.value {
        Some((compare, comparator)) => {
            (compare_type(*compare), Some(comparator_message(comparator)))
        }
        None => (CompareType::NoOp, None),
    };
    proto::DependentColumnFilter {
        compare_filter: proto::CompareFilter { compare_op: compare as i32, comparator },
        column_family: Some(test.family.clone()),
        column_qualifier: Some(test.qualifier.clone()),
        drop_dependent_column: Some(test.drop),
    }
    .encode_to_vec()
}

fn column_pagination(limit: u32, offset: Option<i32>, from: Option<Bytes>) -> Vec<u8> {
    proto::ColumnPaginationFilter { limit: int(limit), offset, column_offset: from }.encode_to_vec()
}

fn list(operator: FilterListOperator, filters: &[Filter]) -> Vec<u8> {
    let filters = filters.iter().map(filter_message).collect();
    proto::FilterList { operator: operator as i32, filters }.encode_to_vec()
}

fn bound(bound: &Bound<Bytes>) -> (Option<Bytes>, bool) {
    match bound {
        Bound::Included(qualifier) => (Some(qualifier.clone()), true),
        Bound::Excluded(qualifier) => (Some(qualifier.clone()), false),
        Bound::Unbounded => (None, false),
    }
}

fn int(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

fn fuzzy_key(row: &FuzzyRow) -> proto::BytesBytesPair {
    let part = |(key, mask): (&u8, &u8)| if *mask == 0 { *key } else { 0 };
    proto::BytesBytesPair {
        first: row.row.iter().zip(&row.mask).map(part).collect(),
        // The mask is in the form that the server uses internally, -1 for fixed bytes and 2 for
        // others; `is_mask_v2` indicates this form.
        second: row.mask.iter().map(|m| if *m == 0 { 0xFF } else { 2 }).collect(),
    }
}

fn row_range(range: &RowRange) -> proto::RowRange {
    let copy = |bytes: &[u8]| Some(Bytes::copy_from_slice(bytes));
    proto::RowRange {
        start_row: copy(range.start()),
        start_row_inclusive: Some(true),
        stop_row: copy(range.stop().unwrap_or_default()),
        stop_row_inclusive: Some(false),
    }
}
