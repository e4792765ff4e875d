//! Opening, closing and moving regions. A region has as many secondary replicas as the schema asks
//! for, each on a different server if there are enough servers.

use std::sync::Arc;

use tallrow_wire::exception;
use tallrow_wire::proto::{RegionInfo, TableStateKind};

use super::meta::MetaUpdate;
use crate::base::{RemoteResult, remote_exception};
use crate::regions::Region;
use crate::state::{AdminGuard, Cluster, Server};

/// Opens regions on the assignable servers in turn.
pub(crate) fn open_regions(cluster: &AdminGuard<'_>, regions: &[Arc<Region>]) {
    let live = cluster.assignable_servers();
    for region in regions {
        let server = match live.len() {
            0 => None,
            n => {
                let mut catalog = cluster.catalog_mut();
                catalog.next_server = catalog.next_server.wrapping_add(1);
                live.get((catalog.next_server - 1) % n)
            }
        };
        open_region(cluster, region, server.map(Arc::as_ref));
    }
    regions.iter().for_each(|region| open_replicas(cluster, region));
}

/// Closes a region. If it is a primary replica, the secondary ones stay open.
pub(crate) fn close_region(cluster: &AdminGuard<'_>, region: &Region) {
    region.lock().server = None;
    match region.is_meta() {
        true => cluster.note_registry_change(),
        false => MetaUpdate::new(cluster).closed(region).write(),
    }
}

/// Moves a region to a server, or to the next live server if none is given. The old server
/// remembers where the region moved.
pub(crate) fn move_region(
    cluster: &AdminGuard<'_>,
    region: &Region,
    to: Option<usize>,
) -> RemoteResult<()> {
    let reject = |text: String| remote_exception(exception::HBASE_IO, text);
    let from = region.lock().server;
    let Some(from) = from.and_then(|n| cluster.server(n)) else {
        return Err(reject(format!("{} is not open on any server", region.display_name)));
    };
    let live = cluster.live_servers();
    let to = match to {
        Some(to) => live.iter().find(|s| s.number() == Some(to)),
        None => {
            let at = live.iter().position(|s| s.number() == from.number()).unwrap_or(0);
            live.get((at + 1) % live.len().max(1))
        }
    };
    let Some(to) = to else {
        return Err(reject(format!("no live server to move {} to", region.display_name)));
    };
    if !region.is_meta() {
        MetaUpdate::new(cluster).closed(region).write();
    }
    open_region(cluster, region, Some(to));
    if from.number() != to.number() {
        let sequence_id = region.lock().open_sequence_id;
        from.remember_region_move(
            &region.encoded,
            to.name.clone(),
            sequence_id,
            cluster.clock.now(),
        );
    }
    Ok(())
}

/// Moves a region to a server without a trace: `hbase:meta` keeps the old server, and the old server
/// does not know where the region moved.
pub(crate) fn move_region_unannounced(
    cluster: &AdminGuard<'_>,
    region: &Region,
    to: usize,
) -> RemoteResult<()> {
    let reject = |text: String| Err(remote_exception(exception::HBASE_IO, text));
    if region.is_meta() {
        return reject("the server of hbase:meta is not listed in hbase:meta".into());
    }
    if region.lock().server.is_none() {
        return reject(format!("{} is not open on any server", region.display_name));
    }
    let Some(to) = cluster.server(to).filter(|server| server.is_alive()) else {
        return reject(format!("no live server to move {} to", region.display_name));
    };
    take_over(cluster, region, &to);
    Ok(())
}

/// Writes to `hbase:meta` on which server a region is open, if it is.
pub(crate) fn announce_region(cluster: &AdminGuard<'_>, region: &Region) {
    let (number, sequence_id) = {
        let state = region.lock();
        (state.server, state.open_sequence_id)
    };
    let exists = cluster.catalog().regions.contains_key(&region.name);
    if let Some(server) = number.and_then(|n| cluster.server(n)).filter(|_| exists) {
        announce(cluster, region, &server, sequence_id);
    }
}

/// Closes a region, as the first half of opening it again on the same server, and returns the
/// number of that server. [`finish_reopening`] is the second half.
pub(crate) fn start_reopening(cluster: &AdminGuard<'_>, region: &Region) -> RemoteResult<usize> {
    let server = region.lock().server.take().and_then(|n| cluster.server(n));
    let Some((server, number)) = server.and_then(|s| s.number().map(|number| (s, number))) else {
        let text = format!("{} is not open on any server", region.display_name);
        return Err(remote_exception(exception::HBASE_IO, text));
    };
    match region.is_meta() {
        true => cluster.note_registry_change(),
        false => MetaUpdate::new(cluster).opening(region, &server.name).write(),
    }
    Ok(number)
}

/// Opens a region after [`start_reopening`]: on this server or, if this server has died, on another
/// one. A region that is already open, or that should no longer be opened, is left alone.
pub(crate) fn finish_reopening(cluster: &AdminGuard<'_>, region: &Region, server: usize) {
    let is_wanted = region.is_meta() || {
        let catalog = cluster.catalog();
        let table = catalog.table(&region.info.table_name);
        catalog.regions.contains_key(&region.name)
            && table.is_some_and(|table| table.state == TableStateKind::Enabled)
    };
    if !is_wanted || region.lock().server.is_some() {
        return;
    }
    let same = cluster.server(server).filter(|server| server.is_alive());
    let server = same.or_else(|| cluster.assignable_servers().into_iter().next());
    open_region(cluster, region, server.as_deref());
}

/// Opens a region on a server; without a server, the region waits for one. If the last server of
/// the region died, the new server replays the log of the dead server.
pub(crate) fn open_region(cluster: &AdminGuard<'_>, region: &Region, server: Option<&Server>) {
    let Some(server) = server else {
        region.lock().server = None;
        return;
    };
    let sequence_id = take_over(cluster, region, server);
    match region.is_meta() {
        true => cluster.note_meta_server(region, &server.name),
        false => announce(cluster, region, server, sequence_id),
    }
}

/// Opens a region on a server without telling anybody. Returns the sequence id at which it was
/// opened.
fn take_over(cluster: &Cluster, region: &Region, server: &Server) -> u64 {
    let mut state = region.lock();
    if let Some(lost) = state.lost_server.take()
        && let Some(lost) = cluster.server(lost)
    {
        lost.nonces().replay(&region.name, state.open_sequence_id, &mut server.nonces());
    }
    state.server = server.number();
    state.open_sequence_id = state.store.next_sequence_id();
    let sequence_id = state.open_sequence_id;
    drop(state);
    server.forget_region_move(&region.encoded);
    sequence_id
}

/// Writes to `hbase:meta` that a region is open on a server.
fn announce(cluster: &Cluster, region: &Region, server: &Server, sequence_id: u64) {
    MetaUpdate::new(cluster).opening(region, &server.name).write();
    MetaUpdate::new(cluster).opened(region, &server.name, sequence_id).write();
}

/// Gives a primary region the secondary replicas that its schema asks for, if any, and opens the
/// closed replicas.
pub(super) fn open_replicas(cluster: &AdminGuard<'_>, primary: &Region) {
    let wanted = primary.lock().schema.region_replication;
    if wanted > 1 && primary.replica_id() == 0 {
        apply_region_replication(cluster, primary);
    }
}

/// Gives a primary region the secondary replicas that its schema asks for, removes all other
/// replicas, and opens the closed replicas.
pub(super) fn apply_region_replication(cluster: &AdminGuard<'_>, primary: &Region) {
    let schema = Arc::clone(&primary.lock().schema);
    let wanted = schema.region_replication.saturating_sub(1);
    let (kept, gone) = {
        let mut catalog = cluster.catalog_mut();
        let mut replicas = catalog.replicas_of(primary);
        let gone = replicas.split_off(replicas.len().min(wanted.into()));
        for replica in &gone {
            catalog.regions.remove(&replica.name);
        }
        let next = u16::try_from(replicas.len()).unwrap_or(wanted);
        for id in next..wanted {
            let replica_id = Some(i32::from(id) + 1);
            let info = RegionInfo { replica_id, ..primary.info.clone() };
            let replica = Arc::new(Region::new(info, Arc::clone(&schema)));
            catalog.regions.insert(replica.name.clone(), Arc::clone(&replica));
            replicas.push(replica);
        }
        (replicas, gone)
    };
    for replica in &gone {
        replica.lock().server = None;
        if !replica.is_meta() {
            MetaUpdate::new(cluster).delete_replica(replica).write();
        }
    }
    for replica in &kept {
        replica.lock().schema = Arc::clone(&schema);
        open_replica(cluster, primary, replica);
    }
}

/// Opens a closed replica. In the list of assignable servers, replica `n` opens on the `n`th server
/// after the server of the primary replica.
fn open_replica(cluster: &AdminGuard<'_>, primary: &Region, replica: &Region) {
    if replica.lock().server.is_some() {
        return;
    }
    let of_primary = primary.lock().server;
    let live = cluster.assignable_servers();
    let at = live.iter().position(|server| server.number() == of_primary).unwrap_or(0);
    let server = live.get((at + usize::from(replica.replica_id())) % live.len().max(1));
    open_region(cluster, replica, server.map(Arc::as_ref) as Option<&Server>);
}
