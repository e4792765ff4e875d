//! Reads from `hbase:meta`. The registry locates the region of `hbase:meta` itself.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use prost::Message;
use tokio::time::Instant;

use super::cache::Cache;
use super::lookup_target::{LocateError, LookupTarget};
use super::lookups::{Lookups, StartedLookup};
use crate::backend::hbase::location::{Location, meta_region_row};
use crate::backend::hbase::registry::Registry;
use crate::backend::hbase::rpc::{
    Call, CallError, Connections, Service, cells_of, region_specifier,
};
use crate::backend::hbase::table_name::meta_table;
use crate::observe::Observers;
use crate::wire::cell::Cell;
use crate::wire::cell_block::CellBlock;
use crate::wire::meta::{self, RegionRow};
use crate::wire::proto::{
    Column, Get, GetRequest, GetResponse, ReadType, RegionSpecifier, Scan, ScanRequest,
    ScanResponse,
};
use crate::wire::region;

/// How many lookups a caller waits for in turn, if the runtime of each ends before it has a result.
const ENDED: usize = 3;

/// The access to the table `hbase:meta`, with the cache of all known region locations.
pub(super) struct MetaTable {
    pub(super) cache: Cache,
    pub(super) lookups: Arc<Lookups>,
    pub(super) registry: Registry,
    servers: Arc<Connections>,
    attempt_timeout: Duration,
    observers: Arc<Observers>,
}

impl MetaTable {
    pub(super) fn new(
        registry: Registry,
        servers: Arc<Connections>,
        attempt_timeout: Duration,
        observers: Arc<Observers>,
    ) -> Arc<Self> {
        let (cache, lookups) = (Cache::default(), Arc::default());
        Arc::new(Self { cache, lookups, registry, servers, attempt_timeout, observers })
    }

    /// Returns the location of the region of `hbase:meta`: the known location, unless that is
    /// `failed`; otherwise the location from the registry.
    pub(super) async fn locate(
        self: &Arc<Self>,
        failed: Option<&Location>,
    ) -> Result<Arc<Location>, LocateError> {
        let table = meta_table();
        for _ in 0..ENDED {
            if let Some(location) = self.known().filter(|known| failed != Some(&**known)) {
                return Ok(location);
            }
            let wanted = LookupTarget::Containing(b"").to_owned();
            let (found, started) = self.lookups.join(&table, wanted, |_, _| false);
            if let Some(started) = started {
                tokio::spawn(self.clone().find(started));
            }
            if let Ok(found) = found.await {
                return found;
            }
        }
        Err(self.runtime_ended())
    }

    /// Asks the registry for the region of `hbase:meta`, which is in no row of `hbase:meta`.
    pub(super) async fn region(self: &Arc<Self>) -> Result<RegionRow, LocateError> {
        // The known location may be old, as if a call to it had failed.
        let known = self.known();
        let location = self.locate(known.as_deref()).await?;
        let replicas = location.replicas().iter().map(|r| (r.id, r.server.name()));
        Ok(meta_region_row(location.server_name(), replicas))
    }

    /// Asks the registry in the background for the region of `hbase:meta`, for later operations.
    pub(super) fn refresh(self: &Arc<Self>) {
        let wanted = LookupTarget::Containing(b"").to_owned();
        if let (_, Some(started)) = self.lookups.join(&meta_table(), wanted, |_, _| false) {
            tokio::spawn(self.clone().find(started));
        }
    }

    async fn find(self: Arc<Self>, started: StartedLookup) {
        // All callers want the same region, so another lookup follows only if a lookup was late.
        let mut next = vec![started];
        while let Some(started) = next.pop() {
            let location = self.registry.meta_location(&self.servers).await;
            let found = match location {
                Ok(location) => Ok(vec![self.cache.insert(&meta_table(), location)]),
                Err(error) => Err(LocateError::Call { server: self.registry.host_list(), error }),
            };
            next.extend(started.finish(found, |_, _| false));
        }
    }

    fn known(&self) -> Option<Arc<Location>> {
        self.cache.get(&meta_table(), b"")
    }

    /// The address of the server of `hbase:meta`, to which region lookups are sent; if that server
    /// is not known, the hosts of the registry.
    pub(super) fn server_address(&self) -> Arc<str> {
        self.known()
            .map_or_else(|| self.registry.host_list(), |location| location.server_address().clone())
    }

    /// Returns the error of a lookup that got an invalid answer.
    pub(super) fn invalid_answer(&self, error: impl Into<CallError>) -> LocateError {
        LocateError::Call { server: self.server_address(), error: error.into() }
    }

    /// Returns the error of a lookup whose runtime has ended.
    pub(super) fn runtime_ended(&self) -> LocateError {
        self.invalid_answer(CallError::Broken {
            why: "the runtime of the lookup ended".into(),
            sent: false,
        })
    }

    /// Reads at most `rows` rows of `hbase:meta` in one call, which also closes the scanner.
    pub(super) async fn scan(
        self: &Arc<Self>,
        scan: Scan,
        rows: u32,
    ) -> Result<Vec<Vec<Cell>>, LocateError> {
        let param = ScanRequest {
            region: Some(meta_region()),
            scan: Some(Scan {
                column: vec![Column { family: meta::FAMILY.into(), qualifier: Vec::new() }],
                read_type: Some(ReadType::Pread as i32),
                caching: Some(rows),
                ..scan
            }),
            number_of_rows: Some(rows),
            limit_of_rows: Some(rows),
            close_scanner: Some(true),
            ..Default::default()
        };
        let (message, mut block) = self.call::<_, ScanResponse>("Scan", &param).await?;
        let mut found = Vec::new();
        for count in &message.cells_per_result {
            found.push(block.cells(*count as usize).map_err(|e| self.invalid_answer(e))?);
        }
        for result in &message.results {
            found.push(cells_of(result, &mut block).map_err(|e| self.invalid_answer(e))?);
        }
        block.finish().map_err(|e| self.invalid_answer(e))?;
        Ok(found)
    }

    /// Reads cells of one row of `hbase:meta`.
    pub(super) async fn get(self: &Arc<Self>, get: Get) -> Result<Vec<Cell>, LocateError> {
        let param = GetRequest { region: meta_region(), get };
        let (message, mut block) = self.call::<_, GetResponse>("Get", &param).await?;
        let cells = cells_of(&message.result.unwrap_or_default(), &mut block);
        let cells = cells.map_err(|e| self.invalid_answer(e))?;
        block.finish().map_err(|e| self.invalid_answer(e))?;
        Ok(cells)
    }

    async fn call<P: Message, R: Message + Default>(
        self: &Arc<Self>,
        method: &'static str,
        param: &P,
    ) -> Result<(R, CellBlock), LocateError> {
        let location = self.locate(None).await?;
        let call = Call { method, param, high_priority: true, timeout: self.attempt_timeout };
        let started = Instant::now();
        let answer = self.servers.call(location.server_address(), Service::Client, call).await;
        self.observers.report_meta_lookup(
            location.server_address(),
            started.elapsed(),
            answer.is_err(),
        );
        match answer.is_ok() {
            true => self.registry.note_success(&self.servers),
            // Whatever the error was, the next attempt asks the registry for the location.
            false => self.cache.evict(&meta_table(), &location),
        }
        answer
            .map_err(|error| LocateError::Call { server: location.server_address().clone(), error })
    }
}

fn meta_region() -> RegionSpecifier {
    region_specifier(&Bytes::from_static(region::META_REGION_NAME))
}
