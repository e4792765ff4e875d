//! The filters of a script as those of the client.

use std::ops::Bound;

use tallrow::Timestamp;
use tallrow::filter::{self, DependentColumn, FuzzyRow, SingleColumnValue};
use tallrow::key::{RowBuf, RowRange};

use crate::script::{Comparator, Comparison, Filter, Operator};

pub(crate) fn filter(of: &Filter) -> filter::Filter {
    type To = filter::Filter;
    match of {
        Filter::ColumnCount(limit) => To::column_count(*limit),
        Filter::ColumnPage { limit, offset } => To::column_pagination(*limit, *offset),
        Filter::ColumnPageFrom { limit, from } => To::column_pagination_from(*limit, from),
        Filter::ColumnPrefix(prefix) => To::column_prefix(prefix),
        Filter::ColumnPrefixes(prefixes) => To::column_prefixes(prefixes),
        Filter::ColumnRange { min, max } => To::column_range((bound(min), bound(max))),
        Filter::ColumnValue { family, qualifier, comparison } => {
            To::column_value(family, qualifier, operator(comparison), comparator(comparison))
        }
        Filter::DependentColumn { family, qualifier, drop, value } => {
            let mut dependent = DependentColumn::new(family, qualifier);
            if let Some(value) = value {
                dependent = dependent.value(operator(value), comparator(value));
            }
            if *drop { dependent.drop_column() } else { dependent }.into()
        }
        Filter::Family(of) => To::family(operator(of), comparator(of)),
        Filter::FirstKeyOnly => To::first_key_only(),
        Filter::FuzzyRows(patterns) => {
            To::fuzzy_rows(patterns.iter().map(|(row, mask)| FuzzyRow::new(row, mask)))
        }
        Filter::InclusiveStop(row) => To::inclusive_stop(row),
        Filter::KeyOnly(false) => To::key_only(),
        Filter::KeyOnly(true) => To::value_lengths(),
        Filter::Page(rows) => To::page(*rows),
        Filter::Prefix(prefix) => To::prefix(prefix),
        Filter::Qualifier(of) => To::qualifier(operator(of), comparator(of)),
        Filter::Row(of) => To::row(operator(of), comparator(of)),
        Filter::RowRanges(ranges) => {
            To::row_ranges(ranges.iter().map(|(from, first, to, last)| {
                let start = if *first { from.clone() } else { format!("{from}\0") };
                let stop = if *last { format!("{to}\0") } else { to.clone() };
                RowRange::new(
                    RowBuf::from_slice(start.as_bytes()),
                    Some(RowBuf::from_slice(stop.as_bytes())),
                )
            }))
        }
        Filter::SingleColumn {
            family,
            qualifier,
            comparison,
            if_missing,
            latest_only,
            exclude,
        } => {
            let (compare, with) = (operator(comparison), comparator(comparison));
            let single = SingleColumnValue::new(family, qualifier, compare, with)
                .filter_if_missing(*if_missing)
                .latest_version_only(*latest_only);
            if *exclude { single.exclude() } else { single }.into()
        }
        Filter::Timestamps { times, by_seeking } => {
            let times = times.iter().map(|time| Timestamp::from_millis(*time));
            if *by_seeking { To::timestamps_by_seeking(times) } else { To::timestamps(times) }
        }
        Filter::Value(of) => To::value(operator(of), comparator(of)),
        Filter::Skip(inner) => filter(inner).skip(),
        Filter::While(inner) => filter(inner).while_match(),
        Filter::All(members) => To::all(members.iter().map(filter)),
        Filter::Any(members) => To::any(members.iter().map(filter)),
    }
}

fn bound(of: &Option<(String, bool)>) -> Bound<String> {
    match of {
        None => Bound::Unbounded,
        Some((qualifier, true)) => Bound::Included(qualifier.clone()),
        Some((qualifier, false)) => Bound::Excluded(qualifier.clone()),
    }
}

fn operator(of: &Comparison) -> filter::CompareOperator {
    compare_operator(of.operator)
}

pub(crate) fn compare_operator(of: Operator) -> filter::CompareOperator {
    match of {
        Operator::Less => filter::CompareOperator::Less,
        Operator::LessOrEqual => filter::CompareOperator::LessOrEqual,
        Operator::Equal => filter::CompareOperator::Equal,
        Operator::NotEqual => filter::CompareOperator::NotEqual,
        Operator::GreaterOrEqual => filter::CompareOperator::GreaterOrEqual,
        Operator::Greater => filter::CompareOperator::Greater,
    }
}

fn comparator(of: &Comparison) -> filter::Comparator {
    match &of.comparator {
        Comparator::Binary(bytes) => filter::Comparator::binary(bytes),
        Comparator::Prefix(bytes) => filter::Comparator::binary_prefix(bytes),
        Comparator::Substring(text) => filter::Comparator::substring(text),
    }
}
