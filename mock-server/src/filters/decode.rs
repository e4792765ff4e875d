//! Reads filters from the wire: a Java class name and the message of that class.

use std::ops::Bound;

use bytes::Bytes;
use fastrand::Rng;
use prost::Message;
use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::{self, *};

use super::comparator::{Comparison, PACKAGE};
use super::{Filter, column, list, row, value, wrapper};
use crate::base::{RemoteResult, remote_exception};

/// How deeply filters may be nested.
const MAX_DEPTH: usize = 64;

/// Reads a filter for a scan in this direction.
pub(crate) fn decode(filter: &proto::Filter, reversed: bool) -> RemoteResult<Box<dyn Filter>> {
    decode_nested(filter, reversed, MAX_DEPTH)
}

fn decode_nested(
    filter: &proto::Filter,
    reversed: bool,
    depth: usize,
) -> RemoteResult<Box<dyn Filter>> {
    let depth =
        depth.checked_sub(1).ok_or_else(|| reject(filter, "filters are nested too deep"))?;
    let inner =
        |reversed| decode_nested(&message::<WrappedFilter>(filter)?.filter, reversed, depth);
    let compare = || comparison(&message::<CellPartFilter>(filter)?.compare_filter);
    Ok(match filter.name.strip_prefix(PACKAGE).unwrap_or_default() {
        "FilterList" => {
            let list: FilterList = message(filter)?;
            let members = list.filters.iter().map(|f| decode_nested(f, reversed, depth));
            let members = members.collect::<RemoteResult<Vec<_>>>()?;
            match FilterListOperator::try_from(list.operator) {
                Ok(FilterListOperator::MustPassAll) => Box::new(list::MustPassAll::new(members)),
                Ok(FilterListOperator::MustPassOne) => Box::new(list::MustPassOne::new(members)),
                Err(e) => return Err(reject(filter, &e.to_string())),
            }
        }
        "FilterWrapper" => inner(reversed)?,
        "SkipFilter" => Box::new(wrapper::Skip { inner: inner(false)?, out: false }),
        "WhileMatchFilter" => Box::new(wrapper::WhileMatch { inner: inner(false)?, done: false }),
        "PrefixFilter" => {
            let prefix = message::<PrefixFilter>(filter)?.prefix.unwrap_or_default();
            Box::new(row::Prefix { prefix, reversed, out: true, passed: false, before: false })
        }
        "InclusiveStopFilter" => {
            let stop = message::<InclusiveStopFilter>(filter)?.stop_row_key.unwrap_or_default();
            Box::new(row::InclusiveStop { stop, reversed, done: false })
        }
        "PageFilter" => {
            let size = message::<PageFilter>(filter)?.page_size;
            Box::new(row::Page { size, rows: 0 })
        }
        "RandomRowFilter" => {
            let chance = message::<RandomRowFilter>(filter)?.chance;
            Box::new(row::RandomRow { chance, random: Rng::with_seed(0), out: false })
        }
        "RowFilter" => Box::new(row::Row { comparison: compare()?, out: false }),
        "FamilyFilter" => Box::new(column::FamilyFilter(compare()?)),
        "QualifierFilter" => Box::new(column::Qualifier(compare()?)),
        "ValueFilter" => Box::new(value::Value(compare()?)),
        "FirstKeyOnlyFilter" => Box::new(column::FirstKeyOnly::default()),
        "FirstKeyValueMatchingQualifiersFilter" => {
            let asked: FirstKeyValueMatchingQualifiersFilter = message(filter)?;
            let qualifiers = asked.qualifiers.into_iter().collect();
            Box::new(column::FirstKeyMatching { qualifiers, found: false })
        }
        "KeyOnlyFilter" => {
            let length_as_value = message::<KeyOnlyFilter>(filter)?.len_as_val;
            Box::new(column::KeyOnly { length_as_value })
        }
        "ColumnPrefixFilter" => {
            Box::new(column::ColumnPrefix(message::<ColumnPrefixFilter>(filter)?.prefix))
        }
        "MultipleColumnPrefixFilter" => {
            let prefixes = message::<MultipleColumnPrefixFilter>(filter)?.sorted_prefixes;
            let prefixes = prefixes.into_iter().collect();
            Box::new(column::ColumnPrefixes { prefixes, sought: None })
        }
        "ColumnRangeFilter" => {
            let range: ColumnRangeFilter = message(filter)?;
            let bound = |key: Option<Bytes>, inclusive: Option<bool>| match (key, inclusive) {
                (None, _) => Bound::Unbounded,
                (Some(key), Some(true)) => Bound::Included(key),
                (Some(key), _) => Bound::Excluded(key),
            };
            Box::new(column::ColumnRange {
                min: bound(range.min_column, range.min_column_inclusive),
                max: bound(range.max_column, range.max_column_inclusive),
            })
        }
        "ColumnPaginationFilter" => {
            let page: ColumnPaginationFilter = message(filter)?;
            let (limit, offset) = (page.limit, page.offset.unwrap_or(0));
            Box::new(column::ColumnPage { limit, offset, first: page.column_offset, count: 0 })
        }
        "ColumnCountGetFilter" => {
            let limit = message::<ColumnCountGetFilter>(filter)?.limit;
            Box::new(column::ColumnCount { limit, count: 0 })
        }
        "TimestampsFilter" => {
            let asked: TimestampsFilter = message(filter)?;
            let timestamps = asked.timestamps.into_iter().filter_map(|t| t.try_into().ok());
            let can_hint = asked.can_hint.unwrap_or(false);
            Box::new(column::Timestamps { timestamps: timestamps.collect(), can_hint })
        }
        "SingleColumnValueFilter" => single_column_value(message(filter)?, false)?,
        "SingleColumnValueExcludeFilter" => {
            let excluding: SingleColumnValueExcludeFilter = message(filter)?;
            single_column_value(excluding.single_column_value_filter, true)?
        }
        "ColumnValueFilter" => {
            let f: ColumnValueFilter = message(filter)?;
            let comparison = Comparison::decode(f.compare_op, &f.comparator)?;
            let (family, qualifier) = (f.family, f.qualifier);
            Box::new(value::ColumnValue { family, qualifier, comparison, found: false })
        }
        "DependentColumnFilter" => {
            let f: DependentColumnFilter = message(filter)?;
            let comparator = f.compare_filter.comparator.as_ref();
            Box::new(value::DependentColumn {
                comparison: comparator.map(|_| comparison(&f.compare_filter)).transpose()?,
                family: f.column_family.unwrap_or_default(),
                qualifier: f.column_qualifier.unwrap_or_default(),
                drop_dependent_column: f.drop_dependent_column.unwrap_or(false),
                timestamps: Default::default(),
            })
        }
        "FuzzyRowFilter" => {
            let fuzzy: FuzzyRowFilter = message(filter)?;
            let v2 = fuzzy.is_mask_v2.unwrap_or(false);
            let key = |pair: BytesBytesPair| {
                let fixed = fixed_bytes(&pair.second, v2);
                row::FuzzyKey { key: pair.first, fixed }
            };
            Box::new(row::FuzzyRow(fuzzy.fuzzy_keys_data.into_iter().map(key).collect()))
        }
        "MultiRowRangeFilter" => {
            let ranges: MultiRowRangeFilter = message(filter)?;
            let range = |r: RowRange| row::RowRange {
                start: r.start_row.unwrap_or_default(),
                start_inclusive: r.start_row_inclusive.unwrap_or(false),
                stop: r.stop_row.unwrap_or_default(),
                stop_inclusive: r.stop_row_inclusive.unwrap_or(false),
            };
            Box::new(row::RowRanges(ranges.row_range_list.into_iter().map(range).collect()))
        }
        _ => {
            let text = format!("java.lang.ClassNotFoundException: {}", filter.name);
            return Err(remote_exception(exception::DO_NOT_RETRY, text));
        }
    })
}

/// Which bytes of a fuzzy key are fixed. HBase rewrites a mask of 0 and 1, for fixed and any, as -1
/// and what stands for any, which is 0 in the older form: an older mask of nothing but 0 and -1 is
/// taken for one that is rewritten already.
fn fixed_bytes(mask: &[u8], v2: bool) -> Vec<bool> {
    let any = if v2 { 2 } else { 0 };
    let rewritten = mask.iter().all(|byte| *byte == 0xFF || *byte == any);
    mask.iter().map(|byte| *byte == 0xFF || (*byte == 0 && !rewritten)).collect()
}

fn reject(filter: &proto::Filter, why: &str) -> RemoteException {
    remote_exception(exception::DO_NOT_RETRY, format!("{}: {why}", filter.name))
}

fn message<M: Message + Default>(filter: &proto::Filter) -> RemoteResult<M> {
    M::decode(filter.serialized_filter.clone().unwrap_or_default()).map_err(|e| {
        let class = "org.apache.hadoop.hbase.exceptions.DeserializationException";
        reject(filter, &format!("{class}: {e}"))
    })
}

fn comparison(filter: &CompareFilter) -> RemoteResult<Comparison> {
    let null = || proto::Comparator {
        name: exception::NULL_COMPARATOR.to_owned(),
        serialized_comparator: None,
    };
    let comparator = filter.comparator.clone().unwrap_or_else(null);
    Comparison::decode(filter.compare_op, &comparator)
}

fn single_column_value(
    filter: SingleColumnValueFilter,
    exclude: bool,
) -> RemoteResult<Box<dyn Filter>> {
    Ok(Box::new(value::SingleColumnValue {
        comparison: Comparison::decode(filter.compare_op, &filter.comparator)?,
        family: filter.column_family.unwrap_or_default(),
        qualifier: filter.column_qualifier.unwrap_or_default(),
        filter_if_missing: filter.filter_if_missing.unwrap_or(false),
        latest_version_only: filter.latest_version_only.unwrap_or(false),
        exclude,
        found: false,
        matched: false,
    }))
}
