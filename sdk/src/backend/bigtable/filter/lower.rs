//! Converts filters to Bigtable's filters.

use super::build::{
    block_all, chain, column, condition, first_cells, interleave, newest_versions, pass_all,
    row_filter, rows_with, rows_without, skip_cells,
};
use super::byte_ranges::{ByteRanges, bound};
use super::cells::{CellPart, CellSet, names_pattern};
use super::comparison;
use super::passed_over::first_filter_skipping_decisive_cells;
use super::pattern::{ANY, StringSet, any_of, quote};
use crate::backend::bigtable::micros;
use crate::request::filter::{
    CellFilter, Comparator, CompareOperator, FuzzyRow, Kind, RowKeyFilter, SingleColumnValue,
};
use crate::wire::bigtable::{Filter as Proto, RowFilter};
use crate::{Error, ErrorKind, Filter, Result};

/// The read that a filter is a part of.
pub(super) struct ReadContext<'a> {
    /// The families that are read, sorted; `None` if they are not known.
    pub(super) families: Option<Vec<&'a str>>,
    /// How many versions of a column are read.
    pub(super) versions: u32,
    /// The largest number of versions that a family of the read keeps; `None` if one of the
    /// families keeps all versions, or if that is not known.
    pub(super) max_kept_versions: Option<u32>,
    pub(super) reversed: bool,
}

/// A Bigtable filter, by how it decides about the cells of a row.
pub(super) enum LoweredFilter {
    /// The filter keeps exactly these cells.
    Cells(CellSet),
    /// The filter keeps either all cells of a row or none.
    Rows(RowFilter),
    /// Whether the filter keeps a cell depends on the other cells of the row.
    Other(RowFilter),
}

/// Lowers a filter to a Bigtable filter with the same answers.
pub(super) fn lower(filter: &Filter, scope: &ReadContext<'_>) -> Result<RowFilter> {
    let (filter, strips) = without_strip(filter);
    let lowered = match &filter {
        Some(filter) => {
            scope.lower(filter)?.to_row_filter().ok_or_else(|| unsupported(filter, NO_SUCH))?
        }
        None => pass_all(),
    };
    Ok(chain(
        [lowered].into_iter().chain(strips.then(|| row_filter(Proto::StripValueTransformer(true)))),
    ))
}

const NO_SUCH: &str = "Bigtable's filters have nothing that leaves the same cells";
const ONE_FAMILY: &str =
    "it counts cells over families, whose order Bigtable does not define; read a single family";

/// Returns the error for a filter if no Bigtable filter has the same answers; `why` is the reason.
pub(super) fn unsupported(filter: &Filter, why: &str) -> Error {
    Error::new(ErrorKind::Unsupported, format!("{filter:?} is not possible in Bigtable: {why}"))
}

/// Removes the filters that drop values from `filter`, which may be a list of filters. Returns the
/// filters that are left, and whether any filter was removed: values are dropped after every other
/// filter has seen them.
fn without_strip(filter: &Filter) -> (Option<Filter>, bool) {
    match &filter.0 {
        Kind::Cells(CellFilter::KeyOnly { len_as_val: false }) => (None, true),
        Kind::All(filters) => {
            let parts: Vec<_> = filters.iter().map(without_strip).collect();
            let strips = parts.iter().any(|(_, strips)| *strips);
            let left: Vec<Filter> = parts.into_iter().filter_map(|(filter, _)| filter).collect();
            ((!left.is_empty()).then(|| Filter::all(left)), strips)
        }
        _ => (Some(filter.clone()), false),
    }
}

impl LoweredFilter {
    /// Returns the Bigtable filter; `None` if no Bigtable filter keeps exactly these cells.
    pub(super) fn to_row_filter(&self) -> Option<RowFilter> {
        match self {
            Self::Cells(cells) => cells.to_row_filter(),
            Self::Rows(filter) | Self::Other(filter) => Some(filter.clone()),
        }
    }

    /// Returns the filter if it decides about whole rows by their cells; `None` otherwise. The
    /// result is `None` for a filter by row key too. Combined by "or" with a filter that decides by
    /// a cell, a filter by row key would let cells pass that HBase shows before that cell.
    fn rows(&self) -> Option<RowFilter> {
        match self {
            Self::Rows(filter) => Some(filter.clone()),
            Self::Cells(_) | Self::Other(_) => None,
        }
    }
}

impl ReadContext<'_> {
    /// Whether a filter sees only one version of each column, because the families keep only one.
    fn is_single(&self) -> bool {
        self.max_kept_versions == Some(1)
    }

    fn newest_one(&self) -> RowFilter {
        if self.is_single() { pass_all() } else { newest_versions(1) }
    }

    /// Whether a single family is read.
    fn has_one_family(&self) -> bool {
        self.families.as_ref().is_some_and(|families| families.len() == 1)
    }

    pub(super) fn lower(&self, filter: &Filter) -> Result<LoweredFilter> {
        let no = |why: &str| Err(unsupported(filter, why));
        match &filter.0 {
            Kind::Rows(rows) => self.lower_rows(filter, rows),
            Kind::Cells(cells) => self.lower_cells(filter, cells),
            Kind::All(filters) => self.all(filter, filters),
            Kind::Any(filters) => self.any(filter, filters),
            Kind::Skip(inner) => {
                let LoweredFilter::Cells(cells) = self.lower(inner)? else { return no(NO_SUCH) };
                if has_rows(&cells) {
                    return no("what it skips is no cell");
                }
                let dropped = cells.complement().and_then(|dropped| dropped.to_row_filter());
                let dropped = dropped.ok_or_else(|| unsupported(filter, NO_SUCH))?;
                Ok(LoweredFilter::Rows(rows_without(chain([self.seen(), dropped]))))
            }
            Kind::WhileMatch(_) => {
                no("it ends the scan of a region; end the range of the scan, or stop reading")
            }
            Kind::Custom(..) => no("a class of your own is of HBase's servers"),
        }
    }

    fn lower_rows(&self, filter: &Filter, rows: &RowKeyFilter) -> Result<LoweredFilter> {
        match rows {
            RowKeyFilter::Row(compare, comparator) => {
                of_part(filter, CellPart::Row, *compare, comparator)
            }
            RowKeyFilter::Prefix(prefix) => ranges(CellPart::Row, ByteRanges::prefix(prefix)),
            RowKeyFilter::FuzzyRows(rows) => {
                let pattern = StringSet::regex(any_of(rows.iter().map(fuzzy)));
                Ok(LoweredFilter::Cells(CellSet::Matching(CellPart::Row, pattern)))
            }
            RowKeyFilter::RowRanges(rows) => {
                ranges(CellPart::Row, ByteRanges::from_row_ranges(rows))
            }
            RowKeyFilter::InclusiveStop(row) => {
                let compare = if self.reversed {
                    CompareOperator::GreaterOrEqual
                } else {
                    CompareOperator::LessOrEqual
                };
                ranges(CellPart::Row, ByteRanges::where_compare(compare, row))
            }
            RowKeyFilter::RandomRow(chance) => match f64::from(*chance) {
                chance if chance > 0.0 && chance < 1.0 => {
                    Ok(LoweredFilter::Cells(CellSet::Sample(chance)))
                }
                chance if chance >= 1.0 => ranges(CellPart::Row, ByteRanges::all()),
                _ => ranges(CellPart::Row, ByteRanges::empty()),
            },
            RowKeyFilter::Page(_) => Err(unsupported(
                filter,
                "its rows are counted by region; use the limit of the scan",
            )),
        }
    }

    fn lower_cells(&self, filter: &Filter, cells: &CellFilter) -> Result<LoweredFilter> {
        let no = |why: &str| Err(unsupported(filter, why));
        match cells {
            CellFilter::Family(compare, comparator) => {
                of_part(filter, CellPart::Family, *compare, comparator)
            }
            CellFilter::Qualifier(compare, comparator) => {
                of_part(filter, CellPart::Qualifier, *compare, comparator)
            }
            CellFilter::Value(compare, comparator) => {
                of_part(filter, CellPart::Value, *compare, comparator)
            }
            CellFilter::SingleColumnValue(test) => self.single_column_value(filter, test),
            CellFilter::ColumnValue { family, qualifier, compare, comparator } => {
                let LoweredFilter::Cells(value) =
                    of_part(filter, CellPart::Value, *compare, comparator)?
                else {
                    return no(NO_SUCH);
                };
                Ok(LoweredFilter::Cells(CellSet::Intersection(vec![
                    CellSet::column(family, qualifier),
                    value,
                ])))
            }
            CellFilter::ColumnPrefixes(prefixes) => {
                let all = prefixes.iter().map(|prefix| ByteRanges::prefix(prefix));
                ranges(CellPart::Qualifier, ByteRanges::union_of(all))
            }
            CellFilter::ColumnRange(from, to) => {
                ranges(CellPart::Qualifier, ByteRanges::between(bound(from), bound(to)))
            }
            CellFilter::ColumnPagination { limit, offset } => match self.has_one_family() {
                true => Ok(LoweredFilter::Other(chain([
                    self.newest_one(),
                    skip_cells(*offset),
                    first_cells(*limit),
                ]))),
                false => no(ONE_FAMILY),
            },
            CellFilter::ColumnPaginationFrom { limit, qualifier } => {
                if !self.has_one_family() {
                    return no(ONE_FAMILY);
                }
                let from = ByteRanges::where_compare(CompareOperator::GreaterOrEqual, qualifier);
                let from =
                    CellSet::Matching(CellPart::Qualifier, StringSet::Ranges(from)).to_row_filter();
                let from = from.ok_or_else(|| unsupported(filter, NO_SUCH))?;
                Ok(LoweredFilter::Other(chain([from, self.newest_one(), first_cells(*limit)])))
            }
            CellFilter::ColumnCount(limit) => match self.has_one_family() {
                true => Ok(LoweredFilter::Other(chain([self.newest_one(), first_cells(*limit)]))),
                false => no(ONE_FAMILY),
            },
            CellFilter::FirstKeyOnly => self.first_key_only(filter).map(LoweredFilter::Other),
            // `can_hint` is not sent: the service itself decides how it finds the timestamps.
            CellFilter::Timestamps { times, can_hint: _ } => {
                let mut times: Vec<i64> =
                    times.iter().filter_map(|time| micros::micros(*time).ok()).collect();
                times.sort_unstable();
                times.dedup();
                let mut ranges: Vec<(i64, i64)> = Vec::new();
                for start in times {
                    let end = start.saturating_add(1_000);
                    match ranges.last_mut() {
                        Some((_, last)) if *last == start => *last = end,
                        _ => ranges.push((start, end)),
                    }
                }
                Ok(LoweredFilter::Cells(CellSet::InTimeRanges(ranges)))
            }
            CellFilter::KeyOnly { len_as_val: true } => {
                no("it cannot replace values by their lengths")
            }
            CellFilter::KeyOnly { len_as_val: false } => {
                no("values can be left out of the whole answer only, not within another filter")
            }
            CellFilter::Dependent(_) => no("it cannot compare the times of two columns"),
            CellFilter::FirstKeyMatching(_) => no(NO_SUCH),
        }
    }

    /// Returns the Bigtable filter for the versions that HBase shows to a filter that excludes none
    /// of them: one version more than is requested, because HBase ends a column with the version
    /// after the last requested version.
    fn seen(&self) -> RowFilter {
        if self.sees_all() { pass_all() } else { newest_versions(self.versions.saturating_add(1)) }
    }

    fn sees_all(&self) -> bool {
        self.max_kept_versions.is_some_and(|kept| kept <= self.versions.saturating_add(1))
    }

    fn single_column_value(
        &self,
        filter: &Filter,
        test: &SingleColumnValue,
    ) -> Result<LoweredFilter> {
        let no = |why: &str| Err(unsupported(filter, why));
        let pattern = comparison::matching_strings(test.compare, &test.comparator)
            .ok_or_else(|| unsupported(filter, "it has no such comparison"))?;
        let column = column(family_name(&test.family)?, &test.qualifier);
        let newest_only = test.latest_version_only || self.is_single();
        let seen = match (newest_only, self.is_single()) {
            (_, true) => pass_all(),
            (true, false) => newest_versions(1),
            (false, false) => self.seen(),
        };
        let of = |pattern: StringSet| CellSet::Matching(CellPart::Value, pattern).to_row_filter();
        let with = |value: RowFilter| chain([column.clone(), seen.clone(), value]);
        let differs = of(pattern.clone().complement());
        let rows = match (of(pattern), differs) {
            (Some(_), Some(differs)) if newest_only && !test.filter_if_missing => {
                rows_without(with(differs))
            }
            (Some(matches), _) if test.filter_if_missing => rows_with(with(matches)),
            (Some(matches), _) => {
                let missing = rows_without(column.clone());
                condition(with(matches), Some(pass_all()), Some(missing))
            }
            (None, Some(differs)) if newest_only && test.filter_if_missing => {
                condition(with(differs), None, Some(rows_with(column.clone())))
            }
            (None, Some(differs)) if newest_only => rows_without(with(differs)),
            _ => return no(NO_SUCH),
        };
        if !test.exclude {
            return Ok(LoweredFilter::Rows(rows));
        }
        let others = CellSet::column(&test.family, &test.qualifier).complement();
        let others = others.and_then(|others| others.to_row_filter());
        let others = others.ok_or_else(|| unsupported(filter, NO_SUCH))?;
        Ok(LoweredFilter::Other(chain([rows, others])))
    }

    /// Lowers a filter for the first cell of each row. This cell is in the row's first family in
    /// the order of the names.
    fn first_key_only(&self, filter: &Filter) -> Result<RowFilter> {
        match self.families.as_deref() {
            Some([_]) => Ok(first_cells(1)),
            Some(families @ [_, _, ..]) if families.len() <= 6 => {
                let of_family =
                    |name: &&str| row_filter(Proto::FamilyNameRegexFilter(quote(name.as_bytes())));
                Ok(families.iter().rev().fold(block_all(), |rest, name| {
                    let here = chain([of_family(name), first_cells(1)]);
                    match rest == block_all() {
                        true => here,
                        false => condition(of_family(name), Some(here), Some(rest)),
                    }
                }))
            }
            _ => Err(unsupported(filter, ONE_FAMILY)),
        }
    }

    fn all(&self, filter: &Filter, filters: &[Filter]) -> Result<LoweredFilter> {
        // If a later filter drops some versions, HBase shows more versions to a filter that looks
        // at all of them.
        let counts = |filter: &Filter| match &filter.0 {
            Kind::Skip(_) => true,
            Kind::Cells(CellFilter::SingleColumnValue(test)) => !test.latest_version_only,
            _ => false,
        };
        if !self.sees_all() && filters.iter().rev().skip(1).any(counts) {
            let why = "a filter that looks at all versions must be the last one, or the family keep no more than are read";
            return Err(unsupported(filter, why));
        }
        if let Some(later) = first_filter_skipping_decisive_cells(filters) {
            let why = format!(
                "HBase passes over columns for {later:?}, maybe over one that an earlier filter of the list decides by; Filter::qualifier passes over none"
            );
            return Err(unsupported(filter, &why));
        }
        // HBase removes the column that decides at the end of the row, after every other filter has
        // seen that column.
        let excludes = |filter: &&Filter| match &filter.0 {
            Kind::Cells(CellFilter::SingleColumnValue(test)) => test.exclude,
            _ => false,
        };
        if filters.len() > 1 && filters.iter().any(|filter| excludes(&filter)) {
            let mut excluded = Vec::new();
            let deciding = filters.iter().map(|filter| match &filter.0 {
                Kind::Cells(CellFilter::SingleColumnValue(test)) if test.exclude => {
                    excluded.push(CellSet::column(&test.family, &test.qualifier).complement());
                    Filter::from(SingleColumnValue { exclude: false, ..test.clone() })
                }
                _ => filter.clone(),
            });
            let deciding: Vec<Filter> = deciding.collect();
            let rest = self.all(filter, &deciding)?.to_row_filter();
            let left =
                excluded.into_iter().map(|cells| cells.and_then(|cells| cells.to_row_filter()));
            let parts = [rest].into_iter().chain(left).collect::<Option<Vec<_>>>();
            let parts = parts.ok_or_else(|| unsupported(filter, NO_SUCH))?;
            return Ok(LoweredFilter::Other(chain(parts)));
        }
        let parts = filters.iter().map(|part| self.lower(part)).collect::<Result<Vec<_>>>()?;
        if let Some(cells) = all_cells(&parts) {
            return Ok(LoweredFilter::Cells(CellSet::Intersection(cells)));
        }
        if let Some(rows) = parts.iter().map(LoweredFilter::rows).collect::<Option<Vec<_>>>() {
            return Ok(LoweredFilter::Rows(chain(rows)));
        }
        let parts = parts.iter().zip(filters);
        let parts =
            parts.map(|(part, f)| part.to_row_filter().ok_or_else(|| unsupported(f, NO_SUCH)));
        Ok(LoweredFilter::Other(chain(parts.collect::<Result<Vec<_>>>()?)))
    }

    fn any(&self, filter: &Filter, filters: &[Filter]) -> Result<LoweredFilter> {
        let parts = filters.iter().map(|part| self.lower(part)).collect::<Result<Vec<_>>>()?;
        if let Some(cells) = all_cells(&parts) {
            return Ok(LoweredFilter::Cells(CellSet::Union(cells)));
        }
        match parts.iter().map(LoweredFilter::rows).collect::<Option<Vec<_>>>() {
            Some(rows) => Ok(LoweredFilter::Rows(rows_with(interleave(rows)))),
            None => Err(unsupported(
                filter,
                "filters that decide about rows by a cell cannot be alternatives of others",
            )),
        }
    }
}

/// Returns the cells for which `part <compare> comparator` holds.
fn of_part(
    filter: &Filter,
    part: CellPart,
    compare: CompareOperator,
    comparator: &Comparator,
) -> Result<LoweredFilter> {
    comparison::matching_strings(compare, comparator)
        .map(|pattern| LoweredFilter::Cells(CellSet::Matching(part, pattern)))
        .ok_or_else(|| unsupported(filter, "it has no such comparison"))
}

/// Returns the cells whose `part` is in these ranges.
fn ranges(part: CellPart, ranges: ByteRanges) -> Result<LoweredFilter> {
    Ok(LoweredFilter::Cells(CellSet::Matching(part, StringSet::Ranges(ranges))))
}

fn all_cells(parts: &[LoweredFilter]) -> Option<Vec<CellSet>> {
    let cells = parts.iter().map(|part| match part {
        LoweredFilter::Cells(cells) => Some(cells.clone()),
        _ => None,
    });
    cells.collect()
}

/// Whether the row key plays a part in the decision whether a cell is in this set.
fn has_rows(cells: &CellSet) -> bool {
    match cells {
        CellSet::Matching(part, _) => *part == CellPart::Row,
        CellSet::Sample(_) => true,
        CellSet::InTimeRanges(_) => false,
        CellSet::Intersection(parts) | CellSet::Union(parts) => parts.iter().any(has_rows),
    }
}

/// Returns the name of a family as text; fails if the name is not allowed in Bigtable.
pub(super) fn family_name(family: &[u8]) -> Result<&str> {
    let legal = |b: &u8| b.is_ascii_alphanumeric() || b"_-.".contains(b);
    std::str::from_utf8(family)
        .ok()
        .filter(|name| !name.is_empty() && name.bytes().all(|b| legal(&b)))
        .ok_or_else(|| {
            Error::invalid(format!(
                "{:?} cannot be the name of a family in Bigtable: letters, digits, '_', '-' and '.'",
                family.escape_ascii().to_string()
            ))
        })
}

/// Returns the pattern of the row keys that have the bytes of a fuzzy row at the positions where
/// its mask is 0. As on HBase, a shorter key is compared with the beginning of the fuzzy row.
fn fuzzy(row: &FuzzyRow) -> String {
    let parts = row.row.iter().zip(&row.mask);
    let part = |(byte, mask): (&u8, &u8)| if *mask == 0 { quote(&[*byte]) } else { "\\C".into() };
    let parts: Vec<String> = parts.map(part).collect();
    parts.into_iter().rev().enumerate().fold(ANY.to_owned(), |rest, (at, part)| match at {
        0 => part + &rest,
        _ => format!("{part}(?:{rest})?"),
    })
}

/// Returns the filter that keeps the families with these names.
pub(super) fn families_filter<'n>(of_names: impl IntoIterator<Item = &'n str>) -> RowFilter {
    row_filter(Proto::FamilyNameRegexFilter(names_pattern(of_names.into_iter().map(str::as_bytes))))
}
