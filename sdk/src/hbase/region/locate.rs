//! Looking up regions in `hbase:meta`, one lookup at a time for each table.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use prost::Message;

use super::cache::Cache;
use crate::TableName;
use crate::hbase::location::Location;
use crate::hbase::registry::Registry;
use crate::hbase::rpc::{Call, CallError, Servers, Service, cells_of, region_specifier};
use crate::hbase::table_name::{is_meta, meta_table};
use crate::wire::cell::{Cell, MAX_ROW_LEN};
use crate::wire::cell_block::CellBlock;
use crate::wire::meta::{self, RegionRow};
use crate::wire::proto::{
    Column, Get, GetRequest, GetResponse, ReadType, RegionSpecifier, Scan, ScanRequest,
    ScanResponse, TableState, TableStateKind,
};
use crate::wire::region;

/// Larger than any region id, as text.
const LAST_ID: &[u8] = b",99999999999999";
/// Smaller than any region id, as text.
const FIRST_ID: &[u8] = b",00000000000000";
/// How many region rows one call for a whole table returns.
const PAGE_ROWS: u32 = 1000;

/// Which region is wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Lookup<'a> {
    /// The one that holds this row.
    Containing(&'a [u8]),
    /// The one with the rows right before this row; the last one if it is empty.
    Preceding(&'a [u8]),
}

/// Why a region could not be located.
#[derive(Clone, Debug)]
pub(crate) enum LocateError {
    NoSuchTable,
    Disabled,
    /// No region holds the row right now, or the one that does has no server, as the server of `hbase:meta` reports.
    NotNow {
        server: Arc<str>,
        why: String,
    },
    /// `hbase:meta` or the registry did not answer: the server, or the hosts, that were asked.
    Call {
        server: Arc<str>,
        error: CallError,
    },
}

/// Finds regions: in the cache, or in `hbase:meta`.
pub(crate) struct Locator {
    cache: Cache,
    registry: Registry,
    servers: Arc<Servers>,
    attempt_timeout: Duration,
    /// Held while a region of the table is looked up, so that other callers wait for the answer instead of asking too.
    asking: Mutex<HashMap<TableName, Arc<tokio::sync::Mutex<()>>>>,
}

impl Locator {
    pub(crate) fn new(
        registry: Registry,
        servers: Arc<Servers>,
        attempt_timeout: Duration,
    ) -> Self {
        Self {
            cache: Cache::default(),
            registry,
            servers,
            attempt_timeout,
            asking: Mutex::default(),
        }
    }

    pub(crate) fn cache(&self) -> &Cache {
        &self.cache
    }

    pub(crate) fn registry(&self) -> &Registry {
        &self.registry
    }

    pub(crate) async fn locate(
        &self,
        table: &TableName,
        wanted: Lookup<'_>,
    ) -> Result<Arc<Location>, LocateError> {
        if let Some(location) = self.known(table, wanted) {
            return Ok(location);
        }
        let asking = self.asking(table);
        let _asking = asking.lock().await;
        if let Some(location) = self.known(table, wanted) {
            return Ok(location);
        }
        if is_meta(table) {
            let location = self.registry.meta_location(&self.servers).await;
            let location = location.map_err(|error| {
                let server = self.registry.hosts();
                LocateError::Call { server, error }
            })?;
            return Ok(self.cache.insert(table, location));
        }
        let row = self.ask(table, wanted).await?;
        let Some(location) = Location::from_row(&row) else {
            self.check_enabled(table).await?;
            let name = region::name(&row.info);
            let why = format!("region {} has no server", name.escape_ascii());
            return Err(LocateError::NotNow { server: self.asked(), why });
        };
        Ok(self.cache.insert(table, location))
    }

    /// The server that is asked for regions, or the hosts that are asked for that server.
    pub(crate) fn asked(&self) -> Arc<str> {
        let meta = self.known(&meta_table(), Lookup::Containing(b""));
        meta.map_or_else(|| self.registry.hosts(), |location| location.server.clone())
    }

    /// An invalid answer of `hbase:meta`.
    fn bad(&self, error: impl Into<CallError>) -> LocateError {
        LocateError::Call { server: self.asked(), error: error.into() }
    }

    pub(crate) fn known(&self, table: &TableName, wanted: Lookup<'_>) -> Option<Arc<Location>> {
        match wanted {
            Lookup::Containing(row) => self.cache.get(table, row),
            Lookup::Preceding(row) => self.cache.get_before(table, row),
        }
    }

    fn asking(&self, table: &TableName) -> Arc<tokio::sync::Mutex<()>> {
        let mut asking = self.asking.lock().unwrap_or_else(PoisonError::into_inner);
        asking.retain(|name, lock| Arc::strong_count(lock) > 1 || name == table);
        asking.entry(table.clone()).or_default().clone()
    }

    /// All regions of a table as `hbase:meta` has them now, in the order of their keys, split parents left out.
    pub(crate) async fn regions(&self, table: &TableName) -> Result<Vec<RegionRow>, LocateError> {
        let name = table.as_str().as_bytes();
        let mut start = Bytes::from([name, b",,"].concat());
        let stop = Bytes::from([name, b" ,,"].concat());
        let mut regions = Vec::new();
        loop {
            let scan = Scan {
                start_row: Some(start.clone()),
                stop_row: Some(stop.clone()),
                ..meta_scan()
            };
            let rows = self.scan_meta(scan, PAGE_ROWS).await?;
            let last = rows.last().and_then(|cells| cells.first()).map(|c| c.row().to_vec());
            for cells in &rows {
                let row = RegionRow::from_cells(cells).map_err(|e| self.bad(e))?;
                regions.extend(row.filter(|r| !is_gone(r) && is_of(r, table)));
            }
            match last {
                Some(last) if rows.len() as u32 >= PAGE_ROWS => {
                    start = [&last[..], b"\0"].concat().into()
                }
                _ => break,
            }
        }
        if regions.is_empty() && self.table_state(table).await?.is_none() {
            return Err(LocateError::NoSuchTable);
        }
        Ok(regions)
    }

    /// The state of a table; `None` if there is no such table.
    pub(crate) async fn table_state(
        &self,
        table: &TableName,
    ) -> Result<Option<TableStateKind>, LocateError> {
        if is_meta(table) {
            return Ok(Some(TableStateKind::Enabled));
        }
        let get = Get {
            row: table.as_str().as_bytes().to_vec().into(),
            column: vec![Column {
                family: meta::TABLE_FAMILY.into(),
                qualifier: vec![meta::TABLE_STATE.into()],
            }],
            ..Default::default()
        };
        let param = GetRequest { region: meta_region(), get };
        let (message, mut block) = self.call_meta::<_, GetResponse>("Get", &param).await?;
        let cells = cells_of(&message.result.unwrap_or_default(), &mut block);
        let cells = cells.map_err(|e| self.bad(e))?;
        let Some(cell) = cells.first() else { return Ok(None) };
        let state = TableState::decode(cell.value()).map_err(|e| self.bad(e))?;
        Ok(TableStateKind::try_from(state.state).ok())
    }

    /// Fails if the table does not exist, or is disabled.
    pub(crate) async fn check_enabled(&self, table: &TableName) -> Result<(), LocateError> {
        match self.table_state(table).await? {
            None => Err(LocateError::NoSuchTable),
            Some(TableStateKind::Disabled | TableStateKind::Disabling) => {
                Err(LocateError::Disabled)
            }
            Some(_) => Ok(()),
        }
    }

    /// The row of `hbase:meta` for the wanted region.
    async fn ask(&self, table: &TableName, wanted: Lookup<'_>) -> Result<RegionRow, LocateError> {
        let name = table.as_str().as_bytes();
        let (row, id) = match wanted {
            Lookup::Containing(row) => (row, LAST_ID),
            Lookup::Preceding(row) => (row, FIRST_ID),
        };
        let start = match wanted {
            // Sorts after every region of the table.
            Lookup::Preceding([]) => [name, b"\0"].concat(),
            _ => [name, b",", row, id].concat(),
        };
        if start.len() > MAX_ROW_LEN {
            return self.ask_for_long_row(table, wanted).await;
        }
        let mut scan = Scan {
            start_row: Some(start.into()),
            stop_row: Some([name, b",,"].concat().into()),
            include_stop_row: Some(true),
            reversed: Some(true),
            ..meta_scan()
        };
        // Parents of a split stay in `hbase:meta` for a while, next to their daughters.
        loop {
            let rows = self.scan_meta(scan.clone(), 1).await?;
            let Some(cells) = rows.first() else { break };
            match RegionRow::from_cells(cells).map_err(|e| self.bad(e))? {
                Some(region) if is_of(&region, table) && !is_gone(&region) => {
                    return match holds(&region, wanted) {
                        true => Ok(region),
                        false => Err(self.hole(table, wanted)),
                    };
                }
                _ => {
                    let Some(cell) = cells.first() else { break };
                    scan.start_row = Some(cell.share(cell.row()));
                    scan.include_start_row = Some(false);
                }
            }
        }
        match self.table_state(table).await? {
            None => Err(LocateError::NoSuchTable),
            Some(_) => Err(self.hole(table, wanted)),
        }
    }

    /// The key of a lookup is longer than the row it is for, and may be too long for a row key.
    async fn ask_for_long_row(
        &self,
        table: &TableName,
        wanted: Lookup<'_>,
    ) -> Result<RegionRow, LocateError> {
        let regions = self.regions(table).await?;
        regions.into_iter().find(|r| holds(r, wanted)).ok_or_else(|| self.hole(table, wanted))
    }

    fn hole(&self, table: &TableName, wanted: Lookup<'_>) -> LocateError {
        let (Lookup::Containing(row) | Lookup::Preceding(row)) = wanted;
        let why = format!(
            "no region of {table} covers row {} in hbase:meta; if this persists, check the table with hbck",
            crate::show::row_key(row)
        );
        LocateError::NotNow { server: self.asked(), why }
    }

    /// One call for at most `rows` rows of `hbase:meta`; the scanner is closed with it.
    async fn scan_meta(&self, scan: Scan, rows: u32) -> Result<Vec<Vec<Cell>>, LocateError> {
        let param = ScanRequest {
            region: Some(meta_region()),
            scan: Some(Scan { caching: Some(rows), ..scan }),
            number_of_rows: Some(rows),
            limit_of_rows: Some(rows),
            close_scanner: Some(true),
            ..Default::default()
        };
        let (message, mut block) = self.call_meta::<_, ScanResponse>("Scan", &param).await?;
        let mut found = Vec::new();
        for count in &message.cells_per_result {
            found.push(block.cells(*count as usize).map_err(|e| self.bad(e))?);
        }
        for result in &message.results {
            found.push(cells_of(result, &mut block).map_err(|e| self.bad(e))?);
        }
        block.finish().map_err(|e| self.bad(e))?;
        Ok(found)
    }

    async fn call_meta<P: Message, R: Message + Default>(
        &self,
        method: &'static str,
        param: &P,
    ) -> Result<(R, CellBlock), LocateError> {
        let meta = meta_table();
        let location = Box::pin(self.locate(&meta, Lookup::Containing(b""))).await?;
        let call = Call { method, param, high_priority: true, timeout: self.attempt_timeout };
        let answer = self.servers.call(&location.server, Service::Client, call).await;
        if answer.is_err() {
            // Whatever the error was, the next attempt asks the registry.
            self.cache.evict(&meta, &location);
        }
        answer.map_err(|error| LocateError::Call { server: location.server.clone(), error })
    }
}

fn meta_scan() -> Scan {
    Scan {
        column: vec![Column { family: meta::FAMILY.into(), qualifier: Vec::new() }],
        read_type: Some(ReadType::Pread as i32),
        ..Default::default()
    }
}

fn meta_region() -> RegionSpecifier {
    region_specifier(&Bytes::from_static(region::META_REGION))
}

fn is_gone(row: &RegionRow) -> bool {
    row.info.split == Some(true) || row.info.offline == Some(true)
}

fn is_of(row: &RegionRow, table: &TableName) -> bool {
    region::format_table_name(&row.info.table_name) == table.as_str().as_bytes()
}

fn holds(row: &RegionRow, wanted: Lookup<'_>) -> bool {
    let start = row.info.start_key.as_deref().unwrap_or_default();
    let end = row.info.end_key.as_deref().unwrap_or_default();
    match wanted {
        Lookup::Containing(key) => start <= key && (end.is_empty() || key < end),
        Lookup::Preceding([]) => end.is_empty(),
        Lookup::Preceding(key) => start < key && (end.is_empty() || key <= end),
    }
}
