//! Columns, versions and times as filters.

use bytes::Bytes;

use crate::columns::{Columns, FamilyColumns, TimeRange};
use crate::wire::bigtable::{
    Chain, ColumnRange, EndQualifier, Filter, Interleave, RowFilter, StartQualifier, TimestampRange,
};
use crate::{Timestamp, show};

pub(super) fn filter(filter: Filter) -> RowFilter {
    RowFilter { filter: Some(filter) }
}

/// All of them, each on what the one before leaves; none if there are none.
pub(super) fn chain(mut filters: Vec<RowFilter>) -> Option<RowFilter> {
    match filters.len() {
        0 | 1 => filters.pop(),
        _ => Some(filter(Filter::Chain(Chain { filters }))),
    }
}

fn interleave(mut filters: Vec<RowFilter>) -> Option<RowFilter> {
    match filters.len() {
        0 | 1 => filters.pop(),
        _ => Some(filter(Filter::Interleave(Interleave { filters }))),
    }
}

/// The filters of what a read asks for: its columns, its times.
pub(super) fn of_columns(columns: &Columns) -> Result<Vec<RowFilter>, String> {
    let mut filters = Vec::new();
    let families: Result<Vec<_>, String> = columns.families.iter().map(of_family).collect();
    filters.extend(interleave(families?.into_iter().flatten().collect()));
    if let Some(range) = &columns.time_range {
        filters.push(of_times(range)?);
    }
    Ok(filters)
}

/// The newest so many of each column; none for all of them.
pub(super) fn of_versions(versions: u32) -> Option<RowFilter> {
    let most = i32::try_from(versions).ok().filter(|most| *most < i32::MAX)?;
    Some(filter(Filter::CellsPerColumnLimitFilter(most.max(1))))
}

fn of_family(columns: &FamilyColumns) -> Result<Vec<RowFilter>, String> {
    let family = family_name(&columns.family)?;
    if columns.qualifiers.is_empty() {
        return Ok(vec![filter(Filter::FamilyNameRegexFilter(regex_of(&family)))]);
    }
    let mut qualifiers: Vec<&Bytes> = columns.qualifiers.iter().collect();
    qualifiers.sort_unstable();
    // A column that is named twice would be returned twice.
    qualifiers.dedup();
    Ok(qualifiers.into_iter().map(|qualifier| of_column(&family, qualifier)).collect())
}

/// Exactly one column.
pub(super) fn of_column(family: &str, qualifier: &Bytes) -> RowFilter {
    filter(Filter::ColumnRangeFilter(ColumnRange {
        family_name: family.to_owned(),
        start_qualifier: Some(StartQualifier::StartQualifierClosed(qualifier.clone())),
        end_qualifier: Some(EndQualifier::EndQualifierClosed(qualifier.clone())),
    }))
}

pub(super) fn of_times(range: &TimeRange) -> Result<RowFilter, String> {
    let from = range.from.map(micros).transpose()?.unwrap_or(0);
    // What no time is before, and what is after all of them.
    let to = match range.to {
        Some(to) if to.as_millis() < i64::MAX as u64 / 1_000 => micros(to)?,
        _ => 0,
    };
    if range.to.is_some_and(|to| to.as_millis() == 0) {
        return Ok(filter(Filter::BlockAllFilter(true)));
    }
    Ok(filter(Filter::TimestampRangeFilter(TimestampRange {
        start_timestamp_micros: from,
        end_timestamp_micros: to,
    })))
}

pub(super) fn family_name(family: &[u8]) -> Result<String, String> {
    match std::str::from_utf8(family) {
        Ok(name) => Ok(name.to_owned()),
        Err(_) => {
            let family = show::column(family, b"");
            Err(format!("family {family} is not text, and Bigtable's families have names"))
        }
    }
}

/// A regular expression of exactly this name.
fn regex_of(name: &str) -> String {
    let mut regex = String::with_capacity(name.len());
    for c in name.chars() {
        if c.is_ascii_punctuation() && c != '_' {
            regex.push('\\');
        }
        regex.push(c);
    }
    regex
}

/// Milliseconds as Bigtable's microseconds.
pub(super) fn micros(time: Timestamp) -> Result<i64, String> {
    let millis = time.as_millis();
    let micros = i64::try_from(millis).ok().and_then(|millis| millis.checked_mul(1_000));
    micros.ok_or_else(|| {
        format!(
            "the time {millis} ms is later than Bigtable has, which counts microseconds in 63 bits"
        )
    })
}
