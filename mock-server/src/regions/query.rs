//! What a Get or a Scan selects from a row, and the cells of the row that match.

use std::borrow::Cow;

use bytes::Bytes;
use tallrow_wire::cell::LATEST_TIMESTAMP;
use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::{
    self, Column, ColumnFamilyTimeRange, Get, NameBytesPair, Scan, TimeRange,
};

use super::matcher::{ColumnMatcher, FamilyQuery, MatchCode};
use crate::cell::{Cells, Cursor, Position, StoredCell};
use crate::filters::{self, Filter, Seek};
use crate::remote_exception::{RemoteResult, remote_exception};
use crate::schema::{Family, Schema};

/// The query for each row, checked against the schema.
#[derive(Debug)]
pub(crate) struct RowQuery {
    families: Vec<QueriedFamily>,
    store_limit: Option<u32>,
    store_offset: u32,
    filter: Option<Box<dyn Filter>>,
}

#[derive(Clone, Debug)]
struct QueriedFamily {
    family: Family,
    /// The selected qualifiers, sorted; none for all.
    qualifiers: Option<Vec<Bytes>>,
    query: FamilyQuery,
    /// The maximum number of versions of a column, counted after the filter.
    versions_after_filter: u32,
}

/// The parameters that Get and Scan have in common.
struct Parameters<'a> {
    columns: &'a [Column],
    attributes: &'a [NameBytesPair],
    filter: Option<&'a proto::Filter>,
    reversed: bool,
    /// Whether families that the filter does not need are read only for rows that pass it.
    on_demand: bool,
    time_range: Option<&'a TimeRange>,
    family_time_ranges: &'a [ColumnFamilyTimeRange],
    max_versions: u32,
    store_limit: Option<u32>,
    store_offset: Option<u32>,
}

impl RowQuery {
    /// The query of a Get.
    pub(crate) fn of_get(get: &Get, schema: &Schema, region: &str) -> RemoteResult<Self> {
        let parameters = Parameters {
            columns: &get.column,
            attributes: &[],
            filter: get.filter.as_ref(),
            reversed: false,
            on_demand: get.load_column_families_on_demand.unwrap_or(true),
            time_range: get.time_range.as_ref(),
            family_time_ranges: &get.cf_time_range,
            max_versions: get.max_versions.unwrap_or(1),
            store_limit: get.store_limit,
            store_offset: get.store_offset,
        };
        Self::of(&parameters, schema, region)
    }

    /// The query of a Scan.
    pub(crate) fn of_scan(scan: &Scan, schema: &Schema, region: &str) -> RemoteResult<Self> {
        let parameters = Parameters {
            columns: &scan.column,
            attributes: &scan.attribute,
            filter: scan.filter.as_ref(),
            reversed: scan.reversed.unwrap_or(false),
            on_demand: scan.load_column_families_on_demand.unwrap_or(true),
            time_range: scan.time_range.as_ref(),
            family_time_ranges: &scan.cf_time_range,
            max_versions: scan.max_versions.unwrap_or(1),
            store_limit: scan.store_limit,
            store_offset: scan.store_offset,
        };
        Self::of(&parameters, schema, region)
    }

    /// A query for every version that the schema keeps, of all columns.
    #[cfg(feature = "bigtable")]
    pub(crate) fn all_versions(schema: &Schema) -> Self {
        let queried = |family: &Family| QueriedFamily {
            family: family.clone(),
            qualifiers: None,
            query: FamilyQuery {
                from: 0,
                to: u64::MAX,
                max_versions: family.max_versions,
                raw: false,
            },
            versions_after_filter: family.max_versions,
        };
        Self {
            families: schema.families.iter().map(queried).collect(),
            store_limit: None,
            store_offset: 0,
            filter: None,
        }
    }

    /// A query for the newest versions of one column, or of every column of a family.
    pub(crate) fn of_column(
        family: &Family,
        qualifier: Option<Bytes>,
        (from, to): (u64, u64),
        versions: u32,
    ) -> Self {
        Self {
            families: vec![QueriedFamily {
                family: family.clone(),
                qualifiers: qualifier.map(|q| vec![q]),
                query: FamilyQuery { from, to, max_versions: versions, raw: false },
                versions_after_filter: versions,
            }],
            store_limit: None,
            store_offset: 0,
            filter: None,
        }
    }

    fn of(parameters: &Parameters<'_>, schema: &Schema, region: &str) -> RemoteResult<Self> {
        let raw = parameters.attributes.iter().any(|a| {
            a.name == "_raw_"
                && a.value.as_ref().is_some_and(|v| v.first().is_some_and(|b| *b != 0))
        });
        if parameters.max_versions == 0 {
            return Err(remote_exception(exception::IO, "versions must be positive"));
        }
        if raw && parameters.columns.iter().any(|c| !c.qualifier.is_empty()) {
            let text = "Cannot specify any column for a raw scan";
            return Err(remote_exception(exception::DO_NOT_RETRY, text));
        }
        let all = time_range(parameters.time_range)?;
        let filter =
            parameters.filter.map(|f| filters::decode(f, parameters.reversed)).transpose()?;
        let mut families = Vec::with_capacity(schema.families.len());
        let queried = |family: &Family, qualifiers| {
            let mut range = all;
            for own in parameters.family_time_ranges {
                if own.column_family == family.name {
                    range = time_range(Some(&own.time_range))?;
                }
            }
            let allowed = if raw { u32::MAX } else { family.max_versions };
            let versions = parameters.max_versions.min(allowed);
            Ok::<_, RemoteException>(QueriedFamily {
                family: family.clone(),
                qualifiers,
                query: FamilyQuery {
                    from: range.0,
                    to: range.1,
                    max_versions: if filter.is_some() { allowed } else { versions },
                    raw,
                },
                versions_after_filter: versions,
            })
        };
        if parameters.columns.is_empty() {
            for family in &schema.families {
                families.push(queried(family, None)?);
            }
        } else {
            for name in parameters.columns.iter().map(|c| &c.family) {
                family_of(schema, name, region)?;
            }
            for family in &schema.families {
                let asked = parameters.columns.iter().filter(|c| c.family == family.name);
                let mut qualifiers = Vec::new();
                let (mut any, mut whole) = (false, false);
                for column in asked {
                    any = true;
                    whole |= column.qualifier.is_empty();
                    qualifiers.extend(column.qualifier.iter().cloned());
                }
                qualifiers.sort();
                qualifiers.dedup();
                if any {
                    families.push(queried(
                        family,
                        (!whole || !qualifiers.is_empty()).then_some(qualifiers),
                    )?);
                }
            }
        }
        let on_demand = |f: &QueriedFamily| {
            filter.as_ref().is_some_and(|filter| !filter.is_family_essential(&f.family.name))
        };
        if parameters.reversed && parameters.on_demand && families.iter().any(on_demand) {
            let text = "Reverse scan with loading CFs on demand is not supported";
            return Err(remote_exception(exception::DO_NOT_RETRY, text));
        }
        Ok(Self {
            families,
            store_limit: parameters.store_limit.filter(|l| i32::try_from(*l).is_ok()),
            store_offset: parameters.store_offset.unwrap_or(0),
            filter,
        })
    }

    /// Whether it selects cells of this family.
    pub(crate) fn includes_family(&self, family: &[u8]) -> bool {
        self.families.iter().any(|f| &f.family.name[..] == family)
    }

    /// Whether there is a filter that decides about whole rows.
    pub(crate) fn has_row_filter(&self) -> bool {
        self.filter.as_ref().is_some_and(|f| f.has_filter_row())
    }

    /// Whether the filter excludes every further row.
    pub(crate) fn filters_all_remaining(&self) -> bool {
        self.filter.as_ref().is_some_and(|f| f.filter_all_remaining())
    }

    /// The matching cells of one row at a read point.
    pub(crate) fn read_row<'c>(
        &mut self,
        cells: &'c Cells,
        row: &[u8],
        read_point: u64,
        now: u64,
    ) -> Vec<Cow<'c, StoredCell>> {
        let mut found = Vec::new();
        let cursor = &mut cells.row(row);
        let row = Position::before_row(cells.order(), row);
        let Some(mut filter) = self.filter.take() else {
            self.collect(None, cursor, row, read_point, now, |_, cell| {
                found.push(Cow::Borrowed(cell));
            });
            return found;
        };
        filter.reset();
        if !filter.filter_all_remaining() && !filter.filter_row_key(row.row()) {
            let filter = filter.as_mut();
            self.collect(Some(filter), cursor, row, read_point, now, |filter, cell| {
                let cell = Cow::Borrowed(cell);
                found.push(match filter {
                    Some(filter) => filter.transform_cell(cell),
                    None => cell,
                });
            });
            if !found.is_empty() && filter.has_filter_row() {
                filter.filter_row_cells(&mut found);
                if !found.is_empty() && filter.filter_row() {
                    found.clear();
                }
            }
        }
        self.filter = Some(filter);
        found
    }

    /// Appends the matching cells of the row that a cursor is at, whatever the filter, and leaves the cursor within the row
    /// or after it.
    #[cfg(feature = "bigtable")]
    pub(super) fn read_row_at<'c>(
        &self,
        cursor: &mut Cursor<'c>,
        row: Position<'_>,
        read_point: u64,
        now: u64,
        found: &mut Vec<&'c StoredCell>,
    ) {
        self.collect(None, cursor, row, read_point, now, |_, cell| found.push(cell));
    }

    fn collect<'c>(
        &self,
        mut filter: Option<&mut dyn Filter>,
        cursor: &mut Cursor<'c>,
        row: Position<'_>,
        read_point: u64,
        now: u64,
        mut found: impl FnMut(Option<&dyn Filter>, &'c StoredCell),
    ) {
        let mut families = self.families.iter();
        let mut current: Option<FamilyReader<'_>> = None;
        let mut qualifier: &[u8] = &[];
        while let Some(cell) = cursor.peek().filter(|cell| row.is_in_row(cell)) {
            cursor.next();
            if cell.sequence_id() > read_point {
                continue;
            }
            if filter.as_deref().is_some_and(|f| f.filter_all_remaining()) {
                break;
            }
            let same_family =
                current.as_ref().is_some_and(|c| c.queried.family.name == cell.family());
            if !same_family {
                let before = |f: &QueriedFamily| &f.family.name[..] < cell.family();
                while families.as_slice().first().is_some_and(before) {
                    families.next();
                }
                match families.as_slice().first() {
                    None => break,
                    Some(queried) if queried.family.name != cell.family() => {
                        current = None;
                        continue;
                    }
                    Some(queried) => current = Some(FamilyReader::new(queried, now)),
                }
            }
            let Some(reader) = current.as_mut() else { continue };
            if !same_family || cell.qualifier() != qualifier {
                qualifier = cell.qualifier();
                reader.next_column(qualifier);
            }
            if reader.full {
                continue;
            }
            if reader.matches(cell, filter.as_deref_mut().map(|f| f as _)) {
                reader.count += 1;
                let offset = u64::from(self.store_offset);
                if reader.count > offset {
                    found(filter.as_deref(), cell);
                }
                reader.full |=
                    self.store_limit.is_some_and(|l| reader.count >= u64::from(l) + offset);
            }
            if reader.matcher.column_done() && !qualifier.is_empty() {
                cursor.seek(Position::after_column(cell));
            }
        }
    }
}

/// Reads one family of one row.
struct FamilyReader<'a> {
    queried: &'a QueriedFamily,
    matcher: ColumnMatcher<'a>,
    selected: bool,
    /// The number of versions of the current column that passed the filter.
    versions: u32,
    count: u64,
    full: bool,
}

impl<'a> FamilyReader<'a> {
    fn new(queried: &'a QueriedFamily, now: u64) -> Self {
        let matcher = ColumnMatcher::new(&queried.family, now, queried.query.raw);
        Self { queried, matcher, selected: true, versions: 0, count: 0, full: false }
    }

    fn next_column(&mut self, qualifier: &[u8]) {
        self.matcher.next_column();
        self.versions = 0;
        self.selected = match &self.queried.qualifiers {
            None => true,
            Some(asked) => asked.binary_search_by(|q| q[..].cmp(qualifier)).is_ok(),
        };
    }

    /// Whether the cell matches.
    fn matches(&mut self, cell: &StoredCell, filter: Option<&mut dyn Filter>) -> bool {
        if self.matcher.read(cell, &self.queried.query, self.selected) != MatchCode::Include {
            return false;
        }
        let Some(filter) = filter else { return true };
        let code = filter.filter_cell(cell);
        match code.seek {
            Seek::Cell => {}
            Seek::Column => self.matcher.finish_column(),
            Seek::Row => self.full = true,
        }
        if !code.include {
            return false;
        }
        self.versions += 1;
        if self.versions > self.queried.versions_after_filter {
            self.matcher.finish_column();
            return false;
        }
        true
    }
}

/// The family of this name, or the exception for one that does not exist.
pub(crate) fn family_of<'s>(
    schema: &'s Schema,
    name: &[u8],
    region: &str,
) -> RemoteResult<&'s Family> {
    schema.family(name).ok_or_else(|| {
        remote_exception(
            exception::NO_SUCH_COLUMN_FAMILY,
            format!(
                "Column family {} does not exist in region {region} in table {}",
                String::from_utf8_lossy(name),
                schema.text
            ),
        )
    })
}

/// The bounds of a time range, `[from, to)`.
pub(crate) fn time_range(range: Option<&TimeRange>) -> RemoteResult<(u64, u64)> {
    let Some(range) = range else { return Ok((0, u64::MAX)) };
    let from = range.from.unwrap_or(0);
    let to = range.to.unwrap_or(LATEST_TIMESTAMP);
    if from > LATEST_TIMESTAMP || to > LATEST_TIMESTAMP {
        let text = format!(
            "Timestamp cannot be negative. minStamp:{}, maxStamp:{}",
            from as i64, to as i64
        );
        return Err(remote_exception(exception::IO, text));
    }
    if from > to {
        return Err(remote_exception(exception::IO, "maxStamp is smaller than minStamp"));
    }
    // 2^63 - 1 means that there is no upper bound: cells at that timestamp are included.
    Ok((from, if to == LATEST_TIMESTAMP { u64::MAX } else { to }))
}
