//! Finds the region that holds a row: in the cache, or else in `hbase:meta`.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use prost::Message;

use super::cache::Cache;
use super::history;
use super::lookup_target::{LocateError, LookupTarget};
use super::lookups::{MOST_ROWS, StartedLookup};
use super::meta::MetaTable;
use crate::TableName;
use crate::backend::hbase::location::Location;
use crate::backend::hbase::registry::Registry;
use crate::backend::hbase::rpc::Connections;
use crate::backend::hbase::table_name::is_meta;
use crate::observe::Observers;
use crate::wire::WireError;
use crate::wire::cell::{Cell, MAX_ROW_LEN};
use crate::wire::meta::{self, RegionRow};
use crate::wire::proto::{Column, Get, Scan, TableState, TableStateKind};
use crate::wire::region;

/// Larger than any region id, as text.
const LAST_ID: &[u8] = b",99999999999999";
/// Smaller than any region id, as text.
const FIRST_ID: &[u8] = b",00000000000000";
/// How many region rows one call returns at most when all regions of a table are read.
const PAGE_ROWS: u32 = 1000;
/// How many versions of each column `hbase:meta` keeps.
const HISTORY: u32 = 3;
/// How many lookups a caller waits for in turn, if the runtime of each ends before it has a result.
const ENDED: usize = 3;

/// The locator of regions, which reads the cache and, for unknown regions, `hbase:meta`.
pub(crate) struct Locator {
    meta: Arc<MetaTable>,
}

impl Locator {
    pub(crate) fn new(
        registry: Registry,
        servers: Arc<Connections>,
        attempt_timeout: Duration,
        observers: Arc<Observers>,
    ) -> Self {
        Self { meta: MetaTable::new(registry, servers, attempt_timeout, observers) }
    }

    pub(crate) fn cache(&self) -> &Cache {
        &self.meta.cache
    }

    pub(crate) fn registry(&self) -> &Registry {
        &self.meta.registry
    }

    /// Returns the location of the wanted region: the known location, unless that is `failed`, at
    /// which a call has just failed; otherwise the location from `hbase:meta`.
    ///
    /// Different regions are looked up concurrently. All callers that want the same region share
    /// one lookup.
    pub(crate) async fn locate(
        &self,
        table: &TableName,
        wanted: LookupTarget<'_>,
        failed: Option<&Location>,
    ) -> Result<Arc<Location>, LocateError> {
        if is_meta(table) {
            return self.meta.locate(failed).await;
        }
        for _ in 0..ENDED {
            let known = self.cached(table, wanted).filter(|known| failed != Some(&**known));
            if let Some(location) = known {
                return Ok(location);
            }
            let separates =
                |a: &[u8], b: &[u8]| self.meta.cache.has_region_start_between(table, a, b);
            let (found, started) = self.meta.lookups.join(table, wanted.to_owned(), separates);
            if let Some(started) = started {
                tokio::spawn(find(self.meta.clone(), started));
            }
            if let Ok(found) = found.await {
                return found;
            }
        }
        Err(self.meta.runtime_ended())
    }

    /// Looks up the region of a row in the background, for later operations.
    pub(crate) fn refresh(&self, table: &TableName, row: &[u8]) {
        if is_meta(table) {
            return self.meta.refresh();
        }
        let wanted = LookupTarget::Containing(row).to_owned();
        let separates = |a: &[u8], b: &[u8]| self.meta.cache.has_region_start_between(table, a, b);
        if let (_, Some(started)) = self.meta.lookups.join(table, wanted, separates) {
            tokio::spawn(find(self.meta.clone(), started));
        }
    }

    /// The address of the server of `hbase:meta`, to which region lookups are sent; if that server
    /// is not known, the hosts of the registry.
    pub(crate) fn meta_server(&self) -> Arc<str> {
        self.meta.server_address()
    }

    pub(crate) fn cached(
        &self,
        table: &TableName,
        wanted: LookupTarget<'_>,
    ) -> Option<Arc<Location>> {
        match wanted {
            LookupTarget::Containing(row) => self.meta.cache.get(table, row),
            LookupTarget::Preceding(row) => self.meta.cache.get_before(table, row),
        }
    }

    /// The known regions of a table, in the order of their keys.
    pub(crate) fn cached_regions(&self, table: &TableName) -> Vec<Arc<Location>> {
        match is_meta(table) {
            true => self.cached(table, LookupTarget::Containing(b"")).into_iter().collect(),
            false => self.meta.cache.of_table(table),
        }
    }

    /// Whether the server of `lost` died, and the server of `now` recovered the region directly
    /// from the log of the dead server.
    pub(crate) async fn is_recovered(
        &self,
        lost: &Location,
        now: &Location,
    ) -> Result<bool, LocateError> {
        if lost.name() != now.name() {
            return Ok(false);
        }
        let get = Get {
            row: lost.name_bytes(),
            column: vec![Column { family: meta::FAMILY.into(), qualifier: Vec::new() }],
            max_versions: Some(HISTORY),
            ..Default::default()
        };
        Ok(history::is_recovered(&self.meta.get(get).await?, lost, now))
    }

    /// Reads all current regions of a table from `hbase:meta`, in the order of their keys, without
    /// regions that are split or offline. The only region of `hbase:meta` itself comes from the
    /// registry.
    pub(crate) async fn regions(&self, table: &TableName) -> Result<Vec<RegionRow>, LocateError> {
        match is_meta(table) {
            true => Ok(vec![self.meta.region().await?]),
            false => regions(&self.meta, table).await,
        }
    }

    /// Reads the state of a table; returns `None` if there is no such table.
    pub(crate) async fn table_state(
        &self,
        table: &TableName,
    ) -> Result<Option<TableStateKind>, LocateError> {
        table_state(&self.meta, table).await
    }

    /// Fails if the table does not exist, or is disabled.
    pub(crate) async fn check_enabled(&self, table: &TableName) -> Result<(), LocateError> {
        check_enabled(&self.meta, table).await
    }
}

/// Performs a lookup, and then the queued lookups that may be started when it has ended. The future
/// is boxed, because the function spawns itself.
fn find(meta: Arc<MetaTable>, started: StartedLookup) -> BoxFuture<'static, ()> {
    Box::pin(async move {
        let mut next = Some(started);
        while let Some(started) = next {
            let found = page(&meta, &started).await;
            let table = started.table.clone();
            let separates = |a: &[u8], b: &[u8]| meta.cache.has_region_start_between(&table, a, b);
            let mut following = started.finish(found, separates).into_iter();
            next = following.next();
            following.for_each(|started| drop(tokio::spawn(find(meta.clone(), started))));
        }
    })
}

/// Reads the wanted region and some regions near it, caches their locations, and returns these
/// locations.
async fn page(
    meta: &Arc<MetaTable>,
    started: &StartedLookup,
) -> Result<Vec<Arc<Location>>, LocateError> {
    let StartedLookup { table, wanted, rows, .. } = started;
    let found = ask(meta, table, wanted.borrow(), *rows).await?;
    let wanted_row = found.iter().find(|row| holds(row, wanted.borrow()));
    if let Some(row) = wanted_row.filter(|row| row.server.is_none()) {
        check_enabled(meta, table).await?;
        let why = format!("region {} has no server", row.name.escape_ascii());
        return Err(LocateError::NotNow { server: meta.server_address(), why });
    }
    let locations = found.iter().filter_map(Location::from_row).collect();
    Ok(meta.cache.insert_all(table, locations))
}

/// Reads the wanted region and some adjacent regions from `hbase:meta`. If the region that contains
/// a row is wanted, and the row is the start of the table or the end of a known region, reads the
/// wanted region and the regions after it, because a scan of the table will need them next.
/// Otherwise reads the wanted region and the regions before it, because a reversed scan of
/// `hbase:meta` finds the wanted region.
async fn ask(
    meta: &Arc<MetaTable>,
    table: &TableName,
    wanted: LookupTarget<'_>,
    rows: u32,
) -> Result<Vec<RegionRow>, LocateError> {
    let follows = |row: &[u8]| meta.cache.get_before(table, row).is_some_and(|l| l.end() == row);
    if let LookupTarget::Containing(row) = wanted
        && (row.is_empty() || follows(row))
    {
        let rows = if row.is_empty() { rows } else { MOST_ROWS };
        let following = following(meta, table, row, rows).await?;
        if following.iter().any(|found| holds(found, wanted)) {
            return Ok(following);
        }
    }
    preceding(meta, table, wanted, rows).await
}

/// Reads the first `rows` regions that start at or after `row`.
async fn following(
    meta: &Arc<MetaTable>,
    table: &TableName,
    row: &[u8],
    rows: u32,
) -> Result<Vec<RegionRow>, LocateError> {
    let name = table.as_str().as_bytes();
    let start = [name, b",", row, b","].concat();
    if start.len() > MAX_ROW_LEN {
        return Ok(Vec::new());
    }
    let scan = Scan {
        start_row: Some(start.into()),
        stop_row: Some([name, b" ,,"].concat().into()),
        ..Default::default()
    };
    let found = meta.scan(scan, rows).await?;
    region_rows(meta, table, &found)
}

/// Reads the wanted region and the regions before it, in reverse order.
async fn preceding(
    meta: &Arc<MetaTable>,
    table: &TableName,
    wanted: LookupTarget<'_>,
    rows: u32,
) -> Result<Vec<RegionRow>, LocateError> {
    let name = table.as_str().as_bytes();
    let (row, id) = match wanted {
        LookupTarget::Containing(row) => (row, LAST_ID),
        LookupTarget::Preceding(row) => (row, FIRST_ID),
    };
    let start = match wanted {
        // Sorts after every region of the table.
        LookupTarget::Preceding([]) => [name, b"\0"].concat(),
        _ => [name, b",", row, id].concat(),
    };
    if start.len() > MAX_ROW_LEN {
        return holding_long_row(meta, table, wanted).await;
    }
    let mut scan = Scan {
        start_row: Some(start.into()),
        stop_row: Some([name, b",,"].concat().into()),
        include_stop_row: Some(true),
        reversed: Some(true),
        ..Default::default()
    };
    // Parents of a split stay in `hbase:meta` for a while, next to their daughters.
    loop {
        let found = meta.scan(scan.clone(), rows).await?;
        let regions = region_rows(meta, table, &found)?;
        if let Some(first) = regions.first() {
            return match holds(first, wanted) {
                true => Ok(regions),
                false => Err(hole(meta, table, wanted)),
            };
        }
        let Some(cell) = found.last().and_then(|cells| cells.first()) else { break };
        scan.start_row = Some(cell.slice_ref(cell.row()));
        scan.include_start_row = Some(false);
    }
    match table_state(meta, table).await? {
        None => Err(LocateError::NoSuchTable),
        Some(_) => Err(hole(meta, table, wanted)),
    }
}

/// Reads all regions of a table. This is used when the wanted row is so long that the start row of
/// a scan of `hbase:meta`, which contains the wanted row, would be too long for a row key.
async fn holding_long_row(
    meta: &Arc<MetaTable>,
    table: &TableName,
    wanted: LookupTarget<'_>,
) -> Result<Vec<RegionRow>, LocateError> {
    let regions = regions(meta, table).await?;
    match regions.iter().any(|region| holds(region, wanted)) {
        true => Ok(regions),
        false => Err(hole(meta, table, wanted)),
    }
}

async fn regions(meta: &Arc<MetaTable>, table: &TableName) -> Result<Vec<RegionRow>, LocateError> {
    let name = table.as_str().as_bytes();
    let mut start = Bytes::from([name, b",,"].concat());
    let stop = Bytes::from([name, b" ,,"].concat());
    let mut regions = Vec::new();
    loop {
        let scan = Scan {
            start_row: Some(start.clone()),
            stop_row: Some(stop.clone()),
            ..Default::default()
        };
        let rows = meta.scan(scan, PAGE_ROWS).await?;
        let last = rows.last().and_then(|cells| cells.first()).map(|c| c.row().to_vec());
        regions.extend(region_rows(meta, table, &rows)?);
        match last {
            Some(last) if rows.len() as u32 >= PAGE_ROWS => {
                start = [&last[..], b"\0"].concat().into()
            }
            _ => break,
        }
    }
    if regions.is_empty() && table_state(meta, table).await?.is_none() {
        return Err(LocateError::NoSuchTable);
    }
    Ok(regions)
}

async fn table_state(
    meta: &Arc<MetaTable>,
    table: &TableName,
) -> Result<Option<TableStateKind>, LocateError> {
    if is_meta(table) {
        return Ok(Some(TableStateKind::Enabled));
    }
    let get = Get {
        row: table.as_str().as_bytes().to_vec().into(),
        column: vec![Column {
            family: meta::TABLE_FAMILY.into(),
            qualifier: vec![meta::TABLE_STATE_QUALIFIER.into()],
        }],
        ..Default::default()
    };
    let cells = meta.get(get).await?;
    let Some(cell) = cells.first() else { return Ok(None) };
    let state = TableState::decode(cell.value()).map_err(|e| meta.invalid_answer(e))?;
    let unknown =
        |number| meta.invalid_answer(WireError::new("state of a table", format!("{number:?}")));
    TableStateKind::try_from(state.state).map(Some).map_err(unknown)
}

async fn check_enabled(meta: &Arc<MetaTable>, table: &TableName) -> Result<(), LocateError> {
    match table_state(meta, table).await? {
        None => Err(LocateError::NoSuchTable),
        Some(TableStateKind::Disabled | TableStateKind::Disabling) => Err(LocateError::Disabled),
        Some(_) => Ok(()),
    }
}

/// Decodes the regions in these rows that belong to the table and are neither split nor offline.
fn region_rows(
    meta: &MetaTable,
    table: &TableName,
    rows: &[Vec<Cell>],
) -> Result<Vec<RegionRow>, LocateError> {
    let mut regions = Vec::with_capacity(rows.len());
    for cells in rows {
        let region = RegionRow::from_cells(cells).map_err(|e| meta.invalid_answer(e))?;
        let is_gone = |r: &RegionRow| r.info.split == Some(true) || r.info.offline == Some(true);
        regions.extend(region.filter(|region| !is_gone(region) && is_of(region, table)));
    }
    Ok(regions)
}

fn hole(meta: &MetaTable, table: &TableName, wanted: LookupTarget<'_>) -> LocateError {
    let (LookupTarget::Containing(row) | LookupTarget::Preceding(row)) = wanted;
    let why = format!(
        "no region of {table} covers row {} in hbase:meta; if this persists, check the table with hbck",
        crate::model::show::row_key(row)
    );
    LocateError::NotNow { server: meta.server_address(), why }
}

fn is_of(row: &RegionRow, table: &TableName) -> bool {
    region::format_table_name(&row.info.table_name) == table.as_str().as_bytes()
}

fn holds(row: &RegionRow, wanted: LookupTarget<'_>) -> bool {
    let start = row.info.start_key.as_deref().unwrap_or_default();
    let end = row.info.end_key.as_deref().unwrap_or_default();
    match wanted {
        LookupTarget::Containing(key) => start <= key && (end.is_empty() || key < end),
        LookupTarget::Preceding([]) => end.is_empty(),
        LookupTarget::Preceding(key) => start < key && (end.is_empty() || key <= end),
    }
}
