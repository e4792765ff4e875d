//! Opening a region on a server.

use super::meta::MetaUpdate;
use crate::regions::Region;
use crate::state::{Cluster, Server};

/// Opens a region on a server, or lets it wait for one if none is given. If its last server died, the new one replays the
/// log of that.
pub(crate) fn open_region(cluster: &Cluster, region: &Region, server: Option<&Server>) {
    let mut state = region.lock();
    let Some(server) = server else {
        state.server = None;
        return;
    };
    if let Some(lost) = state.lost_server.take()
        && let Some(lost) = cluster.server(lost)
    {
        lost.nonces().replay(&region.name, state.open_sequence_id, &mut server.nonces());
    }
    state.server = server.number();
    state.open_sequence_id = state.store.next_sequence_id();
    let sequence_id = state.open_sequence_id;
    drop(state);
    server.region_opened(&region.encoded);
    if region.name == cluster.meta.name {
        return;
    }
    MetaUpdate::new(cluster).opening(region, &server.name).write();
    MetaUpdate::new(cluster).opened(region, &server.name, sequence_id).write();
}
