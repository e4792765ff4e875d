//! The selection of a Get or a Scan in a row, and the read of the matching cells.

use std::borrow::Cow;
use std::ops::Range;

use bytes::Bytes;
use tallrow_wire::cell::LATEST_TIMESTAMP;
use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::{
    self, Column, ColumnFamilyTimeRange, Get, NameBytesPair, Scan, TimeRange,
};

use super::family_reader::{ContinueAt, FamilyReader, QueriedFamily};
use super::matcher::FamilyQuery;
use crate::base::{RemoteResult, remote_exception};
use crate::cells::{Cells, Cursor, Position, StoredCell};
use crate::filters::{self, Filter};
use crate::schema::{Family, RegionSchema};

/// The query for each row, checked against the schema.
#[derive(Debug)]
pub(crate) struct RowQuery {
    families: Vec<QueriedFamily>,
    store_limit: Option<u32>,
    store_offset: u32,
    filter: Option<Box<dyn Filter>>,
    reversed: bool,
    /// Whether the row that was read last has cells after its last matching cell.
    row_continues: bool,
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
    /// Makes the query of a Get.
    pub(crate) fn of_get(get: &Get, schema: &RegionSchema, region: &str) -> RemoteResult<Self> {
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

    /// Makes the query of a Scan.
    pub(crate) fn of_scan(scan: &Scan, schema: &RegionSchema, region: &str) -> RemoteResult<Self> {
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

    /// Makes a query for all columns, with every version that the schema keeps.
    #[cfg(feature = "bigtable")]
    pub(crate) fn all_versions(schema: &RegionSchema) -> Self {
        let queried = |family: &Family| {
            let max_versions = family.max_versions;
            let query = FamilyQuery {
                times: 0..u64::MAX,
                max_versions,
                wanted_versions: max_versions,
                raw: false,
            };
            QueriedFamily::new(family, None, query, max_versions)
        };
        Self::of_families(schema.families.iter().map(queried).collect())
    }

    /// Makes a query for the newest versions of one column, or of every column of a family.
    pub(crate) fn of_column(
        family: &Family,
        qualifier: Option<Bytes>,
        times: Range<u64>,
        versions: u32,
    ) -> Self {
        let (max_versions, wanted_versions) = (versions, versions);
        let query = FamilyQuery { times, max_versions, wanted_versions, raw: false };
        let qualifiers = qualifier.map(|q| vec![q]);
        Self::of_families(vec![QueriedFamily::new(family, qualifiers, query, versions)])
    }

    /// Makes a query without a filter for these families.
    fn of_families(families: Vec<QueriedFamily>) -> Self {
        Self {
            families,
            store_limit: None,
            store_offset: 0,
            filter: None,
            reversed: false,
            row_continues: false,
        }
    }

    fn of(parameters: &Parameters<'_>, schema: &RegionSchema, region: &str) -> RemoteResult<Self> {
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
            let mut times = all.clone();
            for own in parameters.family_time_ranges {
                if own.column_family == family.name {
                    times = time_range(Some(&own.time_range))?;
                }
            }
            let allowed = if raw { u32::MAX } else { family.max_versions };
            let versions = parameters.max_versions.min(allowed);
            let query = FamilyQuery {
                times,
                max_versions: if filter.is_some() { allowed } else { versions },
                wanted_versions: versions,
                raw,
            };
            let mut queried = QueriedFamily::new(family, qualifiers, query, versions);
            queried.on_demand = parameters.on_demand
                && filter.as_ref().is_some_and(|filter| !filter.is_family_essential(&family.name));
            Ok::<_, RemoteException>(queried)
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
        if parameters.reversed && families.iter().any(|family| family.on_demand) {
            let text = "Reverse scan with loading CFs on demand is not supported";
            return Err(remote_exception(exception::DO_NOT_RETRY, text));
        }
        Ok(Self {
            families,
            store_limit: parameters.store_limit.filter(|l| i32::try_from(*l).is_ok()),
            store_offset: parameters.store_offset.unwrap_or(0),
            filter,
            reversed: parameters.reversed,
            row_continues: false,
        })
    }

    /// Whether a row is read if it has this cell: the query selects the family, and neither has
    /// the filter excluded the rest of it, nor is it read on demand only.
    pub(crate) fn is_row_read_for(&self, cell: &StoredCell) -> bool {
        let family = self.families.iter().find(|f| &f.family.name[..] == cell.family());
        family.is_some_and(|f| !f.on_demand && !f.has_passed(cell.row(), self.reversed))
    }

    /// The last family in which a forward scan takes the row at which it starts for one that
    /// exists, whether it does or not. `is_pretended` says whether the files of a family do so, for
    /// a scan of these times.
    pub(crate) fn last_pretending(
        &self,
        is_pretended: impl Fn(&Family, &Range<u64>) -> bool,
    ) -> Option<Bytes> {
        let pretends = |queried: &&QueriedFamily| {
            let first = queried.qualifiers.as_ref().and_then(|asked| asked.first());
            !queried.on_demand
                && first.is_some_and(|first| !first.is_empty())
                && is_pretended(&queried.family, &queried.query.times)
        };
        self.families.iter().rev().find(pretends).map(|queried| queried.family.name.clone())
    }

    /// Whether the row that was read last has cells, matching or not, after its last matching cell.
    pub(crate) fn row_continues(&self) -> bool {
        self.row_continues
    }

    /// Whether there is a filter that decides about whole rows.
    pub(crate) fn has_row_filter(&self) -> bool {
        self.filter.as_ref().is_some_and(|f| f.has_filter_row())
    }

    /// Whether the filter excludes every further row.
    pub(crate) fn filters_all_remaining(&self) -> bool {
        self.filter.as_ref().is_some_and(|f| f.filter_all_remaining())
    }

    /// Returns the matching cells of one row at a read point.
    pub(crate) fn read_row<'c>(
        &mut self,
        cells: &'c Cells,
        row: &[u8],
        read_point: u64,
        now: u64,
    ) -> Vec<Cow<'c, StoredCell>> {
        let mut found = Vec::new();
        let time = ReadTime { read_point, now };
        let cursor = &mut cells.cursor_from_row(row);
        let row = Position::before_row(cells.order(), row);
        let Some(mut boxed) = self.filter.take() else {
            let take = |_: Option<&dyn Filter>, cell| found.push(Cow::Borrowed(cell));
            self.row_continues = self.collect(None, Phase::Filtering, cursor, row, time, take);
            return found;
        };
        let filter: &mut dyn Filter = boxed.as_mut();
        if filter.filter_row_key(row.row()) {
            // A forward scan of a real server (`RegionScannerImpl.nextRow`) reads the cells of the
            // row, too, so the filter sees them.
            if !self.reversed && !filter.filter_all_remaining() {
                self.collect(Some(&mut *filter), Phase::Filtering, cursor, row, time, |_, _| {});
            }
        } else {
            let take = |filter: Option<&dyn Filter>, cell| found.push(transformed(filter, cell));
            self.row_continues =
                self.collect(Some(&mut *filter), Phase::Filtering, cursor, row, time, take);
            if keeps_row(filter, &mut found) && self.families.iter().any(|family| family.on_demand)
            {
                let cursor = &mut cells.cursor_from_row(row.row());
                let take =
                    |filter: Option<&dyn Filter>, cell| found.push(transformed(filter, cell));
                self.collect(Some(&mut *filter), Phase::OnDemand, cursor, row, time, take);
                found.sort();
            }
        }
        // A real server resets the filter before it asks whether anything remains, so a filter that
        // counts the cells of a row, such as `ColumnCountGetFilter`, does not end the scan.
        boxed.reset();
        self.filter = Some(boxed);
        found
    }

    /// Appends the matching cells of the row at the cursor, without applying the filter, and leaves
    /// the cursor within the row or after it.
    #[cfg(feature = "bigtable")]
    pub(super) fn read_row_at<'c>(
        &mut self,
        cursor: &mut Cursor<'c>,
        row: Position<'_>,
        read_point: u64,
        now: u64,
        found: &mut Vec<&'c StoredCell>,
    ) {
        let take = |_: Option<&dyn Filter>, cell| found.push(cell);
        let time = ReadTime { read_point, now };
        self.collect(None, Phase::Filtering, cursor, row, time, take);
    }

    /// Reads one row. Returns whether the row has cells after its last matching cell. Those cells
    /// need not match: a real server, too, only sees that there are more cells.
    fn collect<'c>(
        &mut self,
        mut filter: Option<&mut dyn Filter>,
        phase: Phase,
        cursor: &mut Cursor<'c>,
        row: Position<'_>,
        time: ReadTime,
        mut found: impl FnMut(Option<&dyn Filter>, &'c StoredCell),
    ) -> bool {
        let mut at = 0;
        let mut current: Option<FamilyReader<'_>> = None;
        let mut ends = Vec::new();
        let mut left = false;
        // A filter that excludes all that remains ends the read of the current family, for all
        // rows. After a limit of cells, a real server does not ask it.
        let ended = |filter: Option<&dyn Filter>| filter.is_some_and(|f| f.filter_all_remaining());
        let end_of = |reader: FamilyReader<'_>, filter: Option<&dyn Filter>| ReadEnd {
            finished: !reader.is_full && ended(filter),
            continue_row: reader.continue_row,
        };
        while let Some(cell) = cursor.peek().filter(|cell| row.is_in_row(cell)) {
            cursor.next();
            if cell.sequence_id() > time.read_point {
                continue;
            }
            let same_family =
                current.as_ref().is_some_and(|c| c.queried.family.name == cell.family());
            if !same_family {
                if let Some(reader) = current.take() {
                    ends.push((at, end_of(reader, filter.as_deref())));
                }
                let before = |f: &QueriedFamily| &f.family.name[..] < cell.family();
                while self.families.get(at).is_some_and(before) {
                    at += 1;
                }
                match self.families.get(at) {
                    None => break,
                    Some(queried)
                        if queried.family.name != cell.family()
                            || queried.on_demand != matches!(phase, Phase::OnDemand)
                            || queried.has_passed(cell.row(), self.reversed) =>
                    {
                        current = None;
                        continue;
                    }
                    Some(queried) => {
                        current = Some(FamilyReader::new(queried, time.now, self.reversed));
                    }
                }
            }
            let Some(reader) = current.as_mut() else { continue };
            if reader.is_before_position(cell) {
                if let ContinueAt::AfterColumn(_) | ContinueAt::NextRow = reader.continue_at {
                    cursor.seek(Position::after_column(cell));
                }
                continue;
            }
            left = true;
            if ended(filter.as_deref()) {
                reader.continue_at = ContinueAt::NextRow;
                continue;
            }
            if reader.match_cell(cell, filter.as_deref_mut().map(|f| f as _)) {
                reader.matched_cells += 1;
                let offset = u64::from(self.store_offset);
                if reader.matched_cells > offset {
                    found(filter.as_deref(), cell);
                    left = reader.stays_at_cell;
                    if self
                        .store_limit
                        .is_some_and(|l| reader.matched_cells >= u64::from(l) + offset)
                    {
                        // The read goes on to the next row, wherever it would stay else.
                        left = false;
                        reader.is_full = true;
                        reader.continue_at = ContinueAt::NextRow;
                    }
                }
            }
        }
        if let Some(reader) = current {
            ends.push((at, end_of(reader, filter.as_deref())));
        }
        for (at, end) in ends {
            if let Some(family) = self.families.get_mut(at) {
                family.finished |= end.finished;
                family.continue_row = end.continue_row.or(family.continue_row.take());
            }
        }
        left
    }
}

/// The families of which a read reads the cells of a row.
#[derive(Clone, Copy, Debug)]
enum Phase {
    /// Those that the filter needs.
    Filtering,
    /// Those that are read on demand.
    OnDemand,
}

/// What a read sees of the writes, and when it is made.
#[derive(Clone, Copy, Debug)]
struct ReadTime {
    read_point: u64,
    now: u64,
}

/// The form of a matching cell that is returned.
fn transformed<'c>(filter: Option<&dyn Filter>, cell: &'c StoredCell) -> Cow<'c, StoredCell> {
    let cell = Cow::Borrowed(cell);
    match filter {
        Some(filter) => filter.transform_cell(cell),
        None => cell,
    }
}

/// Whether a filter keeps a row with these cells; removes the cells that it does not keep.
fn keeps_row(filter: &mut dyn Filter, found: &mut Vec<Cow<'_, StoredCell>>) -> bool {
    if found.is_empty() {
        return false;
    }
    if filter.has_filter_row() {
        filter.filter_row_cells(found);
    }
    let is_excluded = !found.is_empty() && filter.filter_row();
    if is_excluded {
        found.clear();
    }
    !is_excluded
}

/// How a read of a family in one row has ended.
struct ReadEnd {
    /// Whether the filter excludes all that remains.
    finished: bool,
    /// The row at which the read continues, after a hint of the filter.
    continue_row: Option<Bytes>,
}

/// Returns the family with this name, or the exception for a missing family.
pub(crate) fn family_of<'s>(
    schema: &'s RegionSchema,
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

/// Returns the timestamps of a time range.
pub(crate) fn time_range(range: Option<&TimeRange>) -> RemoteResult<Range<u64>> {
    let Some(range) = range else { return Ok(0..u64::MAX) };
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
    Ok(from..if to == LATEST_TIMESTAMP { u64::MAX } else { to })
}
