//! Reading filters from the wire: a Java class name and the message of that class.

use bytes::Bytes;
use prost::Message;
use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::{self, *};

use super::{ColumnTest, Dependent, Filter, Range};
use crate::comparator::{Comparison, PACKAGE};
use crate::filter::list::{All, Any};
use crate::random::Random;
use crate::remote_exception::{RemoteResult, remote_exception};

/// How deep filters may hold filters.
const DEPTH: usize = 64;

impl Filter {
    /// Reads a filter; `reversed` tells the direction of the scan it is for.
    pub(crate) fn decode(filter: &proto::Filter, reversed: bool) -> RemoteResult<Self> {
        decode(filter, reversed, DEPTH)
    }
}

fn refuse(filter: &proto::Filter, why: &str) -> RemoteException {
    remote_exception(exception::DO_NOT_RETRY, format!("{}: {why}", filter.name))
}

fn message<M: Message + Default>(filter: &proto::Filter) -> RemoteResult<M> {
    M::decode(filter.serialized_filter.clone().unwrap_or_default()).map_err(|e| {
        let class = "org.apache.hadoop.hbase.exceptions.DeserializationException";
        refuse(filter, &format!("{class}: {e}"))
    })
}

fn decode(filter: &proto::Filter, reversed: bool, depth: usize) -> RemoteResult<Filter> {
    let depth =
        depth.checked_sub(1).ok_or_else(|| refuse(filter, "filters are nested too deep"))?;
    let inner = |of: &proto::Filter| decode(of, reversed, depth).map(Box::new);
    let comparison = || compared(&message::<PartFilter>(filter)?.compare_filter);
    Ok(match filter.name.strip_prefix(PACKAGE).unwrap_or_default() {
        "FilterList" => {
            let list: FilterList = message(filter)?;
            let members = list.filters.iter().map(|f| decode(f, reversed, depth));
            let members = members.collect::<RemoteResult<Vec<_>>>()?;
            match FilterListOperator::try_from(list.operator) {
                Ok(FilterListOperator::MustPassAll) => Filter::All(All::new(members)),
                Ok(FilterListOperator::MustPassOne) => Filter::Any(Any::new(members)),
                Err(e) => return Err(refuse(filter, &e.to_string())),
            }
        }
        "FilterWrapper" => *inner(&message::<OneFilter>(filter)?.filter)?,
        "SkipFilter" => {
            Filter::Skip { inner: inner(&message::<OneFilter>(filter)?.filter)?, out: false }
        }
        "WhileMatchFilter" => {
            Filter::WhileMatch { inner: inner(&message::<OneFilter>(filter)?.filter)?, done: false }
        }
        "PrefixFilter" => {
            let prefix = message::<PrefixFilter>(filter)?.prefix.unwrap_or_default();
            Filter::Prefix { prefix, reversed, out: false, passed: false }
        }
        "InclusiveStopFilter" => {
            let stop = message::<InclusiveStopFilter>(filter)?.stop_row_key.unwrap_or_default();
            Filter::InclusiveStop { stop, reversed, done: false }
        }
        "PageFilter" => Filter::Page { size: message::<PageFilter>(filter)?.page_size, seen: 0 },
        "RandomRowFilter" => {
            let chance = message::<RandomRowFilter>(filter)?.chance;
            Filter::RandomRow { chance, random: Random::new(0), out: false }
        }
        "RowFilter" => Filter::Row { comparison: comparison()?, out: false },
        "FamilyFilter" => Filter::Family(comparison()?),
        "QualifierFilter" => Filter::Qualifier(comparison()?),
        "ValueFilter" => Filter::Value(comparison()?),
        "FirstKeyOnlyFilter" => Filter::FirstKeyOnly { found: false },
        "FirstKeyValueMatchingQualifiersFilter" => {
            let asked: FirstKeyValueMatchingQualifiersFilter = message(filter)?;
            let qualifiers = asked.qualifiers.into_iter().collect();
            Filter::FirstKeyMatching { qualifiers, found: false }
        }
        "KeyOnlyFilter" => Filter::KeyOnly { length: message::<KeyOnlyFilter>(filter)?.len_as_val },
        "ColumnPrefixFilter" => Filter::ColumnPrefix(message::<ColumnPrefixFilter>(filter)?.prefix),
        "MultipleColumnPrefixFilter" => {
            Filter::ColumnPrefixes(message::<MultipleColumnPrefixFilter>(filter)?.sorted_prefixes)
        }
        "ColumnRangeFilter" => {
            let range: ColumnRangeFilter = message(filter)?;
            let bound = |key: Option<Bytes>, inclusive: Option<bool>| {
                key.map(|key| (key, inclusive.unwrap_or(false)))
            };
            Filter::ColumnRange {
                min: bound(range.min_column, range.min_column_inclusive),
                max: bound(range.max_column, range.max_column_inclusive),
            }
        }
        "ColumnPaginationFilter" => {
            let page: ColumnPaginationFilter = message(filter)?;
            let (limit, offset) = (page.limit, page.offset.unwrap_or(0));
            Filter::ColumnPage { limit, offset, from: page.column_offset, count: 0 }
        }
        "ColumnCountGetFilter" => {
            let limit = message::<ColumnCountGetFilter>(filter)?.limit;
            Filter::ColumnCount { limit, count: 0 }
        }
        "TimestampsFilter" => {
            let timestamps = message::<TimestampsFilter>(filter)?.timestamps;
            Filter::Timestamps(timestamps.into_iter().filter_map(|t| t.try_into().ok()).collect())
        }
        "SingleColumnValueFilter" => column_test(message(filter)?, false)?,
        "SingleColumnValueExcludeFilter" => {
            let excluding: SingleColumnValueExcludeFilter = message(filter)?;
            column_test(excluding.single_column_value_filter, true)?
        }
        "ColumnValueFilter" => {
            let f: ColumnValueFilter = message(filter)?;
            let comparison = Comparison::decode(f.compare_op, &f.comparator)?;
            let (family, qualifier) = (f.family, f.qualifier);
            Filter::ColumnValue { family, qualifier, comparison, found: false }
        }
        "DependentColumnFilter" => {
            let f: DependentColumnFilter = message(filter)?;
            let comparator = f.compare_filter.comparator.as_ref();
            let compare = comparator.map(|_| compared(&f.compare_filter)).transpose()?;
            Filter::Dependent(Dependent {
                family: f.column_family.unwrap_or_default(),
                qualifier: f.column_qualifier.unwrap_or_default(),
                comparison: compare,
                drop: f.drop_dependent_column.unwrap_or(false),
                timestamps: Default::default(),
            })
        }
        "FuzzyRowFilter" => {
            let fuzzy: FuzzyRowFilter = message(filter)?;
            let v2 = fuzzy.is_mask_v2.unwrap_or(false);
            // In the first form of the mask 0 and -1 are both "fixed" once it was rewritten, so nothing but its 1s counts.
            let fixed = |mask: &u8| matches!((v2, mask), (true, 0 | 0xFF) | (false, 0));
            let key = |pair: BytesBytesPair| {
                let mask = pair.second.iter().map(fixed).collect();
                (pair.first, mask)
            };
            Filter::Fuzzy(fuzzy.fuzzy_keys_data.into_iter().map(key).collect())
        }
        "MultiRowRangeFilter" => {
            let ranges: MultiRowRangeFilter = message(filter)?;
            let range = |r: RowRange| Range {
                start: r.start_row.unwrap_or_default(),
                start_inclusive: r.start_row_inclusive.unwrap_or(false),
                stop: r.stop_row.unwrap_or_default(),
                stop_inclusive: r.stop_row_inclusive.unwrap_or(false),
            };
            Filter::Ranges(ranges.row_range_list.into_iter().map(range).collect())
        }
        _ => {
            let text = format!("java.lang.ClassNotFoundException: {}", filter.name);
            return Err(remote_exception(exception::DO_NOT_RETRY, text));
        }
    })
}

fn compared(filter: &CompareFilter) -> RemoteResult<Comparison> {
    let null = || proto::Comparator {
        name: exception::NULL_COMPARATOR.to_owned(),
        serialized_comparator: None,
    };
    let comparator = filter.comparator.clone().unwrap_or_else(null);
    Comparison::decode(filter.compare_op, &comparator)
}

fn column_test(filter: SingleColumnValueFilter, exclude: bool) -> RemoteResult<Filter> {
    Ok(Filter::Column(ColumnTest {
        comparison: Comparison::decode(filter.compare_op, &filter.comparator)?,
        family: filter.column_family.unwrap_or_default(),
        qualifier: filter.column_qualifier.unwrap_or_default(),
        if_missing: filter.filter_if_missing.unwrap_or(false),
        latest_only: filter.latest_version_only.unwrap_or(false),
        exclude,
        found: false,
        matched: false,
    }))
}
