//! Opening, closing, moving, splitting and merging regions, and what the death of a server does to them.

use std::sync::Arc;

use bytes::Bytes;
use tallrow_wire::exception::{self};
use tallrow_wire::proto::{RegionInfo, TableStateKind};

use crate::cluster::Cluster;
use crate::meta_rows::MetaChange;
use crate::region::{Region, show};
use crate::remote_exception::{RemoteResult, remote_exception};
use crate::server::{Role, Server};

impl Cluster {
    /// Writes a change into `hbase:meta`.
    pub(crate) fn write_meta(&self, change: MetaChange) {
        // The writes are made here, so they fit; a failure would show as a row that is missing.
        let _ = self.meta.lock().store.write(&change.into_writes());
    }

    /// Opens a region on a server, or leaves it waiting for one.
    pub(crate) fn open_region(&self, region: &Region, server: Option<&Server>) {
        let number = server.and_then(Server::number);
        let sequence_id = {
            let mut state = region.lock();
            state.server = number;
            state.open_sequence = state.store.next_sequence();
            state.open_sequence
        };
        if let Some(server) = server {
            server.came_back(&region.encoded);
        }
        if region.name == self.meta.name {
            return;
        }
        let change = MetaChange::at(self.unique_now());
        self.write_meta(match server {
            Some(server) => change.opened(region, &server.name, sequence_id),
            None => change.unassigned(region),
        });
    }

    /// Opens regions on the live servers in turn.
    pub(crate) fn open_regions(&self, regions: &[Arc<Region>]) {
        let live = self.live_servers();
        for region in regions {
            let server = match live.len() {
                0 => None,
                n => {
                    let mut catalog = self.catalog_mut();
                    catalog.next_server = catalog.next_server.wrapping_add(1);
                    live.get((catalog.next_server - 1) % n)
                }
            };
            self.open_region(region, server.map(Arc::as_ref));
        }
    }

    /// Closes a region, as disabling its table does.
    pub(crate) fn close_region(&self, region: &Region) {
        region.lock().server = None;
        self.write_meta(MetaChange::at(self.unique_now()).closed(region));
    }

    /// Moves a region to a server (to the next live one, when none is named). The server that had it says where it is.
    pub(crate) fn move_region(&self, region: &Region, to: Option<usize>) -> RemoteResult<()> {
        let refuse = |text: String| remote_exception(exception::HBASE_IO, text);
        let from = region.lock().server;
        let Some(from) = from.and_then(|n| self.server(n)) else {
            return Err(refuse(format!("{} is not open on any server", region.shown)));
        };
        let live = self.live_servers();
        let to = match to {
            Some(to) => live.iter().find(|s| s.number() == Some(to)),
            None => {
                let at = live.iter().position(|s| s.number() == from.number()).unwrap_or(0);
                live.get((at + 1) % live.len().max(1))
            }
        };
        let Some(to) = to else {
            return Err(refuse(format!("no live server to move {} to", region.shown)));
        };
        self.open_region(region, Some(to));
        if from.number() != to.number() {
            let sequence_id = region.lock().open_sequence;
            from.moved_away(&region.encoded, to.name.clone(), sequence_id, self.clock.now());
        }
        Ok(())
    }

    /// Splits an open region in two at a row; both halves stay on its server.
    pub(crate) fn split_region(&self, region: &Region, at: &[u8]) -> RemoteResult<()> {
        let refuse = |text: String| Err(remote_exception(exception::DO_NOT_RETRY, text));
        if region.name == self.meta.name {
            return refuse("hbase:meta cannot be split".into());
        }
        if at.is_empty() || at == region.start_key() || !region.contains(at) {
            return refuse(format!(
                "Requested row out of range for split on HRegion {}, row='{}'",
                region.shown,
                show(at)
            ));
        }
        let id = self.unique_now().max(region.info.region_id + 1);
        let at = Bytes::copy_from_slice(at);
        let half = |start: Option<Bytes>, end: Option<Bytes>| RegionInfo {
            region_id: id,
            start_key: start,
            end_key: end,
            ..region.info.clone()
        };
        let lower = half(region.info.start_key.clone(), Some(at.clone()));
        let upper = half(Some(at.clone()), region.info.end_key.clone());
        let mut catalog = self.catalog_mut();
        let (server, daughters) = {
            let mut state = region.lock();
            let Some(server) = state.server.take() else {
                return refuse(format!("{} is not open on any server", region.shown));
            };
            let schema = Arc::clone(&state.schema);
            let above = state.store.split_off(&at);
            let below = state.store.split_off(b"");
            let daughter = |info: RegionInfo, store| {
                Arc::new(Region::with_store(info, Arc::clone(&schema), Some(store)))
            };
            (server, [daughter(lower, below), daughter(upper, above)])
        };
        let table = region.info.table_name.clone();
        if let Some(parent) = catalog.regions.get(&region.name).cloned() {
            catalog.remove_regions(&table, &[parent]);
        }
        catalog.add_regions(&table, &daughters);
        drop(catalog);
        let [a, b] = &daughters;
        self.write_meta(MetaChange::at(self.unique_now()).split(region, [&a.info, &b.info]));
        let server = self.server(server);
        for daughter in &daughters {
            self.open_region(daughter, server.as_deref());
        }
        Ok(())
    }

    /// Merges neighbouring regions into one, on the server of the first.
    pub(crate) fn merge_regions(&self, regions: &[Arc<Region>]) -> RemoteResult<()> {
        let refuse = |text: String| Err(remote_exception(exception::DO_NOT_RETRY, text));
        let (Some(first), Some(last)) = (regions.first(), regions.last()) else {
            return refuse("no regions to merge".into());
        };
        for (a, b) in regions.iter().zip(regions.iter().skip(1)) {
            if a.info.table_name != b.info.table_name || a.end_key() != b.start_key() {
                return refuse(format!("{} and {} are not neighbours", a.shown, b.shown));
            }
        }
        let newest = regions.iter().map(|r| r.info.region_id).max().unwrap_or(0);
        let info = RegionInfo {
            region_id: self.unique_now().max(newest + 1),
            end_key: last.info.end_key.clone(),
            ..first.info.clone()
        };
        let table = info.table_name.clone();
        let mut catalog = self.catalog_mut();
        let mut server = None;
        let mut merged = None;
        for region in regions {
            let mut state = region.lock();
            server = server.or(state.server);
            state.server = None;
            let store = state.store.split_off(b"");
            match &mut merged {
                None => merged = Some((Arc::clone(&state.schema), store)),
                Some((_, whole)) => whole.absorb(store),
            }
        }
        let Some((schema, store)) = merged else { return refuse("no regions to merge".into()) };
        let region = Arc::new(Region::with_store(info, schema, Some(store)));
        catalog.remove_regions(&table, regions);
        catalog.add_regions(&table, &[Arc::clone(&region)]);
        drop(catalog);
        let parents: Vec<&RegionInfo> = regions.iter().map(|r| &r.info).collect();
        let mut change = MetaChange::at(self.unique_now()).merged(&region, &parents);
        for parent in regions {
            change = change.no_region(parent);
        }
        self.write_meta(change);
        self.open_region(&region, server.and_then(|n| self.server(n)).as_deref());
        Ok(())
    }

    /// Ends a region server. Its regions open on the others with everything that was acknowledged, and with the nonces
    /// its log would give back.
    pub(crate) fn kill_server(&self, server: &Server) {
        server.kill();
        let Some(number) = server.number() else { return };
        let mut orphans: Vec<Arc<Region>> = self.catalog().regions.values().cloned().collect();
        orphans.retain(|r| r.lock().server == Some(number));
        orphans.sort_by(|a, b| a.name.cmp(&b.name));
        // A call may be on its way through the dead server. First its regions close under it, then its log is complete,
        // and only then may another server be asked.
        orphans.iter().for_each(|r| r.lock().server = None);
        for heir in self.live_servers() {
            server.nonces().replay(&mut heir.nonces());
        }
        if self.meta.lock().server == Some(number) {
            let heir = self.live_servers().first().cloned();
            self.open_region(&self.meta, heir.as_deref());
        }
        self.open_regions(&orphans);
    }

    /// Gives the regions that wait for a server to the live ones.
    pub(crate) fn open_waiting_regions(&self) {
        if self.meta.lock().server.is_none() {
            let first = self.live_servers().first().cloned();
            self.open_region(&self.meta, first.as_deref());
        }
        let mut waiting = Vec::new();
        for table in self.catalog().tables.values() {
            if table.state == TableStateKind::Enabled {
                waiting.extend(table.regions.iter().filter(|r| r.lock().server.is_none()).cloned());
            }
        }
        self.open_regions(&waiting);
    }

    /// The numbers of every live region server, for error texts.
    pub(crate) fn live_numbers(&self) -> Vec<usize> {
        let live = self.live_servers();
        live.iter()
            .filter_map(|s| match s.role {
                Role::Region(number) => Some(number),
                Role::Master => None,
            })
            .collect()
    }
}
