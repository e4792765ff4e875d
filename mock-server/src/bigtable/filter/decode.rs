//! Decodes filters from messages, and refuses the filters that the service refuses.

use std::ops::Bound;

use bytes::Bytes;
use prost::Message;
use tallrow_wire::bigtable::{
    Chain, ColumnRange, Condition, EndQualifier, EndValue, Filter as Proto, Interleave, RowFilter,
    StartQualifier, StartValue, Status, ValueRange,
};

use super::CellFilter;
use super::pattern::Pattern;
use crate::bigtable::limits;
use crate::bigtable::names;
use crate::bigtable::status::{StatusResult, invalid};
use crate::bigtable::timestamp::TimeRange;

/// Decodes a filter.
pub(in crate::bigtable) fn decode(filter: &RowFilter) -> StatusResult<CellFilter> {
    let bytes = filter.encoded_len();
    if bytes > limits::FILTER_BYTES {
        return Err(invalid(format!(
            "Error in field 'filter' : The filter has {bytes} bytes, which exceeds the limit of {} \
             bytes",
            limits::FILTER_BYTES
        )));
    }
    nested(filter, 0, false)
}

/// Decodes a filter, which may be nested in other filters or within a condition.
fn nested(filter: &RowFilter, depth: usize, in_condition: bool) -> StatusResult<CellFilter> {
    if depth > limits::FILTER_DEPTH {
        return Err(invalid(format!("Filters are nested more than {} deep", limits::FILTER_DEPTH)));
    }
    let all = |filters: &[RowFilter]| {
        let parts = filters.iter().map(|filter| nested(filter, depth + 1, in_condition));
        parts.collect::<StatusResult<Vec<_>>>()
    };
    let Some(filter) = &filter.filter else {
        return Err(invalid("The filter is not set, or of a kind that the mock does not have"));
    };
    Ok(match filter {
        Proto::Chain(Chain { filters }) => {
            check_two("Chain", filters)?;
            let filters = all(filters)?;
            if filters.iter().filter(|filter| filter.labels()).count() > 1 {
                return Err(invalid(
                    "A chain may have at most one apply_label_transformer: a cell has one label",
                ));
            }
            CellFilter::Chain(filters)
        }
        Proto::Interleave(Interleave { filters }) => {
            check_two("Interleave", filters)?;
            CellFilter::Interleave(all(filters)?)
        }
        Proto::Condition(condition) => decode_condition(condition, depth)?,
        Proto::RowKeyRegexFilter(pattern) if pattern.is_empty() => {
            return Err(invalid(
                "Error in field 'row_key_regex_filter' : The pattern is empty, and so no row key \
                 matches it",
            ));
        }
        Proto::RowKeyRegexFilter(pattern) => {
            CellFilter::RowKey(Pattern::new("row_key_regex_filter", pattern)?)
        }
        Proto::FamilyNameRegexFilter(pattern) => {
            CellFilter::Family(Pattern::new("family_name_regex_filter", pattern.as_bytes())?)
        }
        Proto::ColumnQualifierRegexFilter(pattern) => {
            CellFilter::Qualifier(Pattern::new("column_qualifier_regex_filter", pattern)?)
        }
        Proto::ValueRegexFilter(pattern) => {
            CellFilter::Value(Pattern::new("value_regex_filter", pattern)?)
        }
        Proto::ColumnRangeFilter(range) => columns(range)?,
        Proto::TimestampRangeFilter(times) => {
            CellFilter::TimestampRange(TimeRange::from(times).checked_range_of_filter()?)
        }
        Proto::ValueRangeFilter(range) => values(range),
        Proto::ValueBitmaskFilter(bitmask) => match bitmask.mask.is_empty() {
            true => return Err(invalid("value_bitmask_filter must have a mask")),
            false => CellFilter::ValueBitmask(bitmask.mask.clone()),
        },
        Proto::CellsPerRowOffsetFilter(n) => {
            CellFilter::CellsPerRowOffset(count_at_least("cells_per_row_offset_filter", *n, 0)?)
        }
        Proto::CellsPerRowLimitFilter(n) => {
            CellFilter::CellsPerRowLimit(count_at_least("cells_per_row_limit_filter", *n, 1)?)
        }
        Proto::CellsPerColumnLimitFilter(n) => {
            CellFilter::CellsPerColumnLimit(count_at_least("cells_per_column_limit_filter", *n, 1)?)
        }
        Proto::RowSampleFilter(chance) => match *chance > 0.0 && *chance < 1.0 {
            true => CellFilter::Sample(*chance),
            false => {
                return Err(invalid("row_sample_filter argument must be between 0.0 and 1.0"));
            }
        },
        Proto::StripValueTransformer(on) => {
            switched("strip_value_transformer", *on, CellFilter::StripValue)?
        }
        Proto::Sink(_) if in_condition => {
            return Err(invalid("A sink cannot be used within a condition"));
        }
        Proto::Sink(on) => switched("sink", *on, CellFilter::Sink)?,
        Proto::PassAllFilter(on) => switched("pass_all_filter", *on, CellFilter::PassAll)?,
        Proto::BlockAllFilter(on) => switched("block_all_filter", *on, CellFilter::BlockAll)?,
        Proto::ApplyLabelTransformer(label) => {
            let legal = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
            match (1..=limits::LABEL_CHARS).contains(&label.len()) && label.bytes().all(legal) {
                true => CellFilter::Label(label.clone()),
                false => {
                    return Err(invalid(format!(
                        "apply_label_transformer must match [a-z0-9\\-]+ and have at most {} \
                         characters, but got \"{label}\"",
                        limits::LABEL_CHARS
                    )));
                }
            }
        }
    })
}

fn decode_condition(condition: &Condition, depth: usize) -> StatusResult<CellFilter> {
    let Some(predicate) = &condition.predicate_filter else {
        return Err(invalid("A condition must have a predicate_filter"));
    };
    let part = |filter: &RowFilter| nested(filter, depth + 1, true).map(Box::new);
    Ok(CellFilter::Condition {
        predicate: part(predicate)?,
        yes: condition.true_filter.as_deref().map(part).transpose()?,
        no: condition.false_filter.as_deref().map(part).transpose()?,
    })
}

fn columns(range: &ColumnRange) -> StatusResult<CellFilter> {
    names::check_family(&range.family_name).map_err(|status| {
        let message = format!("Error in field 'column_range_filter' : {}", status.message);
        Status { message, ..status }
    })?;
    let start = match &range.start_qualifier {
        None => Bound::Unbounded,
        Some(StartQualifier::StartQualifierClosed(at)) => Bound::Included(at.clone()),
        Some(StartQualifier::StartQualifierOpen(at)) => Bound::Excluded(at.clone()),
    };
    let end = match &range.end_qualifier {
        None => Bound::Unbounded,
        Some(EndQualifier::EndQualifierClosed(at)) => Bound::Included(at.clone()),
        Some(EndQualifier::EndQualifierOpen(at)) => Bound::Excluded(at.clone()),
    };
    let family = Bytes::copy_from_slice(range.family_name.as_bytes());
    Ok(CellFilter::Columns { family, qualifiers: (start, end) })
}

fn values(range: &ValueRange) -> CellFilter {
    let start = match &range.start_value {
        None => Bound::Unbounded,
        Some(StartValue::StartValueClosed(at)) => Bound::Included(at.clone()),
        Some(StartValue::StartValueOpen(at)) => Bound::Excluded(at.clone()),
    };
    let end = match &range.end_value {
        None => Bound::Unbounded,
        Some(EndValue::EndValueClosed(at)) => Bound::Included(at.clone()),
        Some(EndValue::EndValueOpen(at)) => Bound::Excluded(at.clone()),
    };
    CellFilter::Values(start, end)
}

fn check_two(kind: &str, filters: &[RowFilter]) -> StatusResult<()> {
    match filters.len() {
        0 | 1 => Err(invalid(format!("{kind} must contain at least two RowFilters"))),
        _ => Ok(()),
    }
}

fn count_at_least(field: &str, n: i32, least: usize) -> StatusResult<usize> {
    usize::try_from(n)
        .ok()
        .filter(|n| *n >= least)
        .ok_or_else(|| invalid(format!("{field} must be at least {least}, but got {n}")))
}

fn switched(field: &str, on: bool, filter: CellFilter) -> StatusResult<CellFilter> {
    match on {
        true => Ok(filter),
        false => Err(invalid(format!("{field} must be true"))),
    }
}

impl CellFilter {
    /// Returns whether the filter gives labels to the cells that it returns.
    fn labels(&self) -> bool {
        match self {
            Self::Label(_) => true,
            Self::Chain(filters) | Self::Interleave(filters) => filters.iter().any(Self::labels),
            Self::Condition { yes, no, .. } => {
                [yes, no].into_iter().flatten().any(|filter| filter.labels())
            }
            _ => false,
        }
    }
}
