//! Filters as messages: the name of a Java class, and the message of that class.

use std::ops::Bound;

use bytes::Bytes;
use prost::Message;

use super::comparator::{PACKAGE, comparator_message, compare_type};
use crate::key::RowRange;
use crate::request::filter::{
    Comparator, Compare, DependentColumn, Filter, FuzzyRow, Kind, SingleColumnValue,
};
use crate::wire::proto::{self, CompareType, FilterListOperator};

/// The message of a filter that is valid.
pub(super) fn filter_message(filter: &Filter) -> proto::Filter {
    match &filter.0 {
        Kind::Row(compare, comparator) => part("RowFilter", *compare, comparator),
        Kind::Family(compare, comparator) => part("FamilyFilter", *compare, comparator),
        Kind::Qualifier(compare, comparator) => part("QualifierFilter", *compare, comparator),
        Kind::Value(compare, comparator) => part("ValueFilter", *compare, comparator),
        Kind::SingleColumnValue(test) => single_column_value(test),
        Kind::ColumnValue { family, qualifier, compare, comparator } => message(
            "ColumnValueFilter",
            &proto::ColumnValueFilter {
                family: family.clone(),
                qualifier: qualifier.clone(),
                compare_op: compare_type(*compare) as i32,
                comparator: comparator_message(comparator),
            },
        ),
        Kind::Dependent(test) => dependent(test),
        Kind::Prefix(prefix) => {
            message("PrefixFilter", &proto::PrefixFilter { prefix: Some(prefix.clone()) })
        }
        Kind::ColumnPrefixes(prefixes) => match &prefixes[..] {
            [prefix] => {
                message("ColumnPrefixFilter", &proto::ColumnPrefixFilter { prefix: prefix.clone() })
            }
            prefixes => message(
                "MultipleColumnPrefixFilter",
                &proto::MultipleColumnPrefixFilter { sorted_prefixes: prefixes.to_vec() },
            ),
        },
        Kind::ColumnRange(from, to) => {
            let (min_column, min_inclusive) = bound(from);
            let (max_column, max_inclusive) = bound(to);
            let range = proto::ColumnRangeFilter {
                min_column,
                min_column_inclusive: Some(min_inclusive),
                max_column,
                max_column_inclusive: Some(max_inclusive),
            };
            message("ColumnRangeFilter", &range)
        }
        Kind::ColumnPagination { limit, offset } => {
            column_pagination(*limit, Some(int(*offset)), None)
        }
        Kind::ColumnPaginationFrom { limit, qualifier } => {
            column_pagination(*limit, None, Some(qualifier.clone()))
        }
        Kind::ColumnCount(limit) => {
            message("ColumnCountGetFilter", &proto::ColumnCountGetFilter { limit: int(*limit) })
        }
        Kind::FirstKeyOnly => named("FirstKeyOnlyFilter", Bytes::new()),
        Kind::FirstKeyMatching(qualifiers) => message(
            "FirstKeyValueMatchingQualifiersFilter",
            &proto::FirstKeyValueMatchingQualifiersFilter { qualifiers: qualifiers.clone() },
        ),
        Kind::Custom(class, bytes) => {
            proto::Filter { name: class.clone(), serialized_filter: Some(bytes.clone()) }
        }
        Kind::KeyOnly { len_as_val } => {
            message("KeyOnlyFilter", &proto::KeyOnlyFilter { len_as_val: *len_as_val })
        }
        Kind::Page(rows) => {
            let page_size = i64::try_from(*rows).unwrap_or(i64::MAX);
            message("PageFilter", &proto::PageFilter { page_size })
        }
        Kind::FuzzyRows(rows) => message(
            "FuzzyRowFilter",
            &proto::FuzzyRowFilter {
                fuzzy_keys_data: rows.iter().map(fuzzy_key).collect(),
                is_mask_v2: Some(true),
            },
        ),
        Kind::RowRanges(ranges) => {
            let row_range_list = ranges.iter().map(row_range).collect();
            message("MultiRowRangeFilter", &proto::MultiRowRangeFilter { row_range_list })
        }
        Kind::InclusiveStop(row) => message(
            "InclusiveStopFilter",
            &proto::InclusiveStopFilter { stop_row_key: Some(row.clone()) },
        ),
        Kind::RandomRow(chance) => {
            message("RandomRowFilter", &proto::RandomRowFilter { chance: *chance })
        }
        Kind::Timestamps(timestamps) => {
            let millis = timestamps.iter().map(|t| i64::try_from(t.as_millis()));
            let timestamps = millis.map(|t| t.unwrap_or(i64::MAX)).collect();
            // Hints may skip the deletes that hide a version.
            let can_hint = Some(false);
            message("TimestampsFilter", &proto::TimestampsFilter { timestamps, can_hint })
        }
        Kind::All(filters) => list(FilterListOperator::MustPassAll, filters),
        Kind::Any(filters) => list(FilterListOperator::MustPassOne, filters),
        Kind::Skip(filter) => {
            message("SkipFilter", &proto::WrappedFilter { filter: filter_message(filter) })
        }
        Kind::WhileMatch(filter) => {
            message("WhileMatchFilter", &proto::WrappedFilter { filter: filter_message(filter) })
        }
    }
}

fn named(class: &str, bytes: Bytes) -> proto::Filter {
    proto::Filter { name: [PACKAGE, class].concat(), serialized_filter: Some(bytes) }
}

fn message(class: &str, message: &impl Message) -> proto::Filter {
    named(class, message.encode_to_vec().into())
}

fn part(class: &str, compare: Compare, comparator: &Comparator) -> proto::Filter {
    let compare_filter = proto::CompareFilter {
        compare_op: compare_type(compare) as i32,
        comparator: Some(comparator_message(comparator)),
    };
    message(class, &proto::CellPartFilter { compare_filter })
}

fn single_column_value(test: &SingleColumnValue) -> proto::Filter {
    let filter = proto::SingleColumnValueFilter {
        column_family: Some(test.family.clone()),
        column_qualifier: Some(test.qualifier.clone()),
        compare_op: compare_type(test.compare) as i32,
        comparator: comparator_message(&test.comparator),
        filter_if_missing: Some(test.filter_if_missing),
        latest_version_only: Some(test.latest_version_only),
    };
    match test.exclude {
        false => message(test.class(), &filter),
        true => message(
            test.class(),
            &proto::SingleColumnValueExcludeFilter { single_column_value_filter: filter },
        ),
    }
}

fn dependent(test: &DependentColumn) -> proto::Filter {
    let (compare, comparator) = match &test.value {
        Some((compare, comparator)) => {
            (compare_type(*compare), Some(comparator_message(comparator)))
        }
        None => (CompareType::NoOp, None),
    };
    let filter = proto::DependentColumnFilter {
        compare_filter: proto::CompareFilter { compare_op: compare as i32, comparator },
        column_family: Some(test.family.clone()),
        column_qualifier: Some(test.qualifier.clone()),
        drop_dependent_column: Some(test.drop),
    };
    message("DependentColumnFilter", &filter)
}

fn column_pagination(limit: u32, offset: Option<i32>, from: Option<Bytes>) -> proto::Filter {
    let filter = proto::ColumnPaginationFilter { limit: int(limit), offset, column_offset: from };
    message("ColumnPaginationFilter", &filter)
}

fn list(operator: FilterListOperator, filters: &[Filter]) -> proto::Filter {
    let filters = filters.iter().map(filter_message).collect();
    message("FilterList", &proto::FilterList { operator: operator as i32, filters })
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
        // The mask as the server itself uses it, -1 for fixed and 2 for not, as `is_mask_v2` indicates.
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
