//! Makes the Bigtable filter of a read from its columns, versions, time range and filter.

use std::time::Duration;

use prost::Message;

use super::build::{
    chain, column, first_cells, in_time_range, interleave, newest_versions, pass_all, row_filter,
    skip_cells,
};
use super::cells::names_pattern;
use super::kept::{FamilyLimit, FamilyLimits};
use super::lower::{ReadContext, families_filter, family_name, lower};
use crate::backend::bigtable::micros;
use crate::model::columns::{CellSelection, FamilyColumns, TimeRange};
use crate::wire::bigtable::{Filter as Proto, RowFilter};
use crate::{Error, ErrorKind, Filter, Result, Timestamp};

/// The maximum size in bytes of a filter that the service accepts.
const MAX_BYTES: usize = 20 << 10;

/// The deepest nesting of filters that the service accepts.
const MAX_DEPTH: usize = 20;

/// A read of one or of many rows.
#[derive(Clone, Debug)]
pub(crate) struct ReadSpec<'a> {
    pub(crate) columns: &'a CellSelection,
    pub(crate) filter: Option<&'a Filter>,
    pub(crate) reversed: bool,
    /// The maximum number of cells that are read of each family of a row, after the first
    /// `cell_offset` cells, which are skipped.
    pub(crate) cells_per_family: Option<u32>,
    pub(crate) cell_offset: u32,
    /// Whether only the row keys are needed.
    pub(crate) keys_only: bool,
}

impl<'a> ReadSpec<'a> {
    /// Makes a read of these columns, with the number of versions that `columns` requests, and
    /// without limits on cells.
    pub(crate) fn new(columns: &'a CellSelection, filter: Option<&'a Filter>) -> Self {
        Self {
            columns,
            filter,
            reversed: false,
            cells_per_family: None,
            cell_offset: 0,
            keys_only: false,
        }
    }
}

/// Returns the Bigtable filter of a read; `None` if the read needs no filter. If `kept` is known,
/// the answer is the same as on HBase; otherwise, all families are treated as if they kept
/// everything.
///
/// # Errors
/// [`Unsupported`](ErrorKind::Unsupported) for a filter if no Bigtable filter has the same answer;
/// [`NoSuchFamily`](ErrorKind::NoSuchFamily) for a family that the table does not have, if `kept`
/// is known; [`InvalidArgument`](ErrorKind::InvalidArgument) for a filter that is larger than the
/// service accepts.
pub(crate) fn lower_read(
    read: &ReadSpec<'_>,
    kept: Option<&FamilyLimits>,
    now: Timestamp,
) -> Result<Option<RowFilter>> {
    let versions = read.columns.versions;
    let groups = groups(read.columns, kept)?;
    let in_time = match read.columns.time_range.map_or(Some(pass_all()), time_range_filter) {
        Some(range) => range,
        None => return Ok(Some(super::build::block_all())),
    };
    let shown = Limits { versions: read.filter.map_or(Some(versions), |_| None), now };
    let mut filter = shown.of(&groups, in_time);
    if let Some(own) = read.filter {
        let most = most_versions(&groups);
        let names = groups.iter().map(|group| group.name).collect::<Option<Vec<_>>>();
        let scope = ReadContext {
            families: names.filter(|names| !names.is_empty()),
            versions,
            max_kept_versions: most,
            reversed: read.reversed,
        };
        filter = chain([filter, lower(own, &scope)?]);
        if most.is_none_or(|most| most > versions) {
            filter = chain([filter, newest_versions(versions)]);
        }
    }
    if read.cells_per_family.is_some() || read.cell_offset > 0 {
        filter = chain([filter, per_family(read, &groups)?]);
    }
    if read.keys_only {
        let strip = row_filter(Proto::StripValueTransformer(true));
        filter = chain([filter, first_cells(1), strip]);
    }
    check_size(&filter)?;
    Ok((filter != pass_all()).then_some(filter))
}

/// A family that is read, or all families of the table if their names are not known.
struct Group<'a> {
    name: Option<&'a str>,
    columns: Option<&'a FamilyColumns>,
    kept: Option<&'a FamilyLimit>,
}

impl Group<'_> {
    fn versions(&self) -> Option<u32> {
        self.kept.and_then(|kept| kept.versions)
    }

    fn time(&self) -> Option<Duration> {
        self.kept.and_then(|kept| kept.max_age)
    }
}

/// Returns the most versions that any of these families keeps; `None` if one of the families keeps
/// all versions.
fn most_versions(groups: &[Group<'_>]) -> Option<u32> {
    let kept = groups.iter().map(Group::versions).collect::<Option<Vec<_>>>()?;
    kept.into_iter().max()
}

fn groups<'a>(
    columns: &'a CellSelection,
    kept: Option<&'a FamilyLimits>,
) -> Result<Vec<Group<'a>>> {
    if columns.families.is_empty() {
        return Ok(match kept {
            Some(kept) => {
                let group = |kept: &'a FamilyLimit| Group {
                    name: Some(kept.name.as_str()),
                    columns: None,
                    kept: Some(kept),
                };
                kept.iter().map(group).collect()
            }
            None => vec![Group { name: None, columns: None, kept: None }],
        });
    }
    let mut groups = Vec::with_capacity(columns.families.len());
    for columns in &columns.families {
        let name = family_name(&columns.family)?;
        let family = kept.map(|kept| (kept, kept.get(name.as_bytes())));
        if let Some((kept, None)) = family {
            let text = format!("the table has no family {name:?}; it has {}", kept.names());
            return Err(Error::new(ErrorKind::NoSuchFamily, text));
        }
        let kept = family.and_then(|(_, family)| family);
        groups.push(Group { name: Some(name), columns: Some(columns), kept });
    }
    groups.sort_by_key(|group| group.name);
    Ok(groups)
}

/// How much of each column a filter sees or, if there is no filter, how much of each column is
/// returned.
struct Limits {
    /// The maximum number of versions; `None` if there is no limit.
    versions: Option<u32>,
    now: Timestamp,
}

impl Limits {
    fn of(&self, groups: &[Group<'_>], in_time: RowFilter) -> RowFilter {
        let of_group = |group: &Group<'_>| (smaller(group.versions(), self.versions), group.time());
        let mut all = groups.iter().map(of_group);
        let first = all.next();
        let same = all.all(|limits| Some(limits) == first);
        if let (true, Some(limits)) = (same, first) {
            return chain([columns(groups), in_time, self.limits(limits)]);
        }
        let parts = groups
            .iter()
            .map(|group| chain([family(group), in_time.clone(), self.limits(of_group(group))]));
        interleave(parts)
    }

    fn limits(&self, (versions, time): (Option<u32>, Option<Duration>)) -> RowFilter {
        let kept_from = time.and_then(|time| {
            let millis = u64::try_from(time.as_millis()).ok()?;
            self.now.as_millis().checked_sub(millis).filter(|from| *from > 0)
        });
        let alive = kept_from.and_then(|from| {
            time_range_filter(TimeRange { from: Some(Timestamp::from_millis(from)), to: None })
        });
        chain(alive.into_iter().chain(versions.map(newest_versions)))
    }
}

/// Returns the smaller of two limits; `None` means no limit.
fn smaller(a: Option<u32>, b: Option<u32>) -> Option<u32> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// Returns the filter that keeps the requested columns of all families that are read.
fn columns(groups: &[Group<'_>]) -> RowFilter {
    let asked: Vec<&Group<'_>> = groups.iter().filter(|group| group.columns.is_some()).collect();
    if asked.is_empty() {
        return pass_all();
    }
    let whole = |group: &&Group<'_>| group.columns.is_some_and(|c| c.qualifiers.is_empty());
    let (whole, some): (Vec<_>, Vec<_>) = asked.into_iter().partition(whole);
    let all_of = whole.iter().filter_map(|group| group.name).collect::<Vec<_>>();
    let all_of = (!all_of.is_empty()).then(|| families_filter(all_of));
    interleave(some.into_iter().map(family).chain(all_of))
}

/// Returns the filter that keeps the requested columns of a family.
fn family(group: &Group<'_>) -> RowFilter {
    let Some(name) = group.name else { return pass_all() };
    match group.columns.map(|columns| &columns.qualifiers[..]) {
        None | Some([]) => families_filter([name]),
        Some([only]) => column(name, only),
        Some(qualifiers) => {
            let qualifiers = names_pattern(qualifiers.iter().map(|qualifier| &qualifier[..]));
            chain([
                families_filter([name]),
                row_filter(Proto::ColumnQualifierRegexFilter(qualifiers.into())),
            ])
        }
    }
}

fn per_family(read: &ReadSpec<'_>, groups: &[Group<'_>]) -> Result<RowFilter> {
    let limits = || {
        let limit = read.cells_per_family.map_or_else(pass_all, first_cells);
        chain([skip_cells(read.cell_offset), limit])
    };
    if let [Group { name: Some(_), .. }] = groups {
        return Ok(limits());
    }
    let names = groups.iter().map(|group| group.name).collect::<Option<Vec<_>>>();
    let Some(names) = names else {
        let text = "a limit of cells of each family is not possible in Bigtable without the names of the families; name \
                    them in the read";
        return Err(Error::new(ErrorKind::Unsupported, text));
    };
    Ok(interleave(names.into_iter().map(|name| chain([families_filter([name]), limits()]))))
}

pub(super) fn time_range_filter(range: TimeRange) -> Option<RowFilter> {
    micros::time_range(range).map(in_time_range)
}

/// Fails for a filter that the service would refuse because it is too large or too deep.
pub(super) fn check_size(filter: &RowFilter) -> Result<()> {
    let bytes = filter.encoded_len();
    if bytes > MAX_BYTES {
        return Err(Error::invalid(format!(
            "the filter and the columns have {bytes} bytes as a filter of Bigtable, which takes {MAX_BYTES}; read fewer \
             columns by name, or divide the filter"
        )));
    }
    match depth(filter) {
        depth if depth > MAX_DEPTH => Err(Error::invalid(format!(
            "the filter is {depth} filters deep, of which Bigtable takes {MAX_DEPTH}; divide it"
        ))),
        _ => Ok(()),
    }
}

fn depth(filter: &RowFilter) -> usize {
    let deepest = |filters: &[RowFilter]| filters.iter().map(depth).max().unwrap_or_default();
    1 + match &filter.filter {
        Some(Proto::Chain(chain)) => deepest(&chain.filters),
        Some(Proto::Interleave(interleave)) => deepest(&interleave.filters),
        Some(Proto::Condition(condition)) => {
            let parts =
                [&condition.predicate_filter, &condition.true_filter, &condition.false_filter];
            parts.into_iter().flatten().map(|filter| depth(filter)).max().unwrap_or_default()
        }
        _ => 0,
    }
}
