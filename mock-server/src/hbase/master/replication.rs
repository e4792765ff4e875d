//! Replication peers, which are remembered; nothing is sent to them.

use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::*;

use super::procedure_calls;
use crate::base::{RemoteResult, lock, remote_exception};
use crate::hbase::call::Call;

fn refused(text: String) -> RemoteException {
    remote_exception(exception::DO_NOT_RETRY, text)
}

/// Changes a peer in a procedure.
fn change(
    call: &Call<'_>,
    id: &str,
    change: impl FnOnce(&mut ReplicationPeerDescription) -> RemoteResult<()>,
) -> RemoteResult<ProcIdResponse> {
    let proc_id = procedure_calls::run(call, (None, None), || {
        let mut peers = lock(&call.cluster.peers);
        let missing = || remote_exception(exception::REPLICATION_PEER_NOT_FOUND, id);
        change(peers.get_mut(id).ok_or_else(missing)?)
    })?;
    Ok(ProcIdResponse { proc_id })
}

pub(crate) fn add(call: &Call<'_>, r: AddReplicationPeerRequest) -> RemoteResult<ProcIdResponse> {
    let proc_id = procedure_calls::run(call, (None, None), || {
        let id = r.peer_id;
        if id.contains('-') {
            return Err(refused(format!("Found invalid peer name: {id}")));
        }
        let key = r.peer_config.clusterkey();
        let own_endpoint = r.peer_config.replication_endpoint_impl.is_none();
        if own_endpoint && key.split(':').count() != 3 {
            let text = format!("Invalid cluster key: {key}, should not replicate to itself");
            return Err(refused(text));
        }
        let mut peers = lock(&call.cluster.peers);
        if peers.contains_key(&id) {
            return Err(refused(format!("Replication peer {id} already exists")));
        }
        let peer = ReplicationPeerDescription {
            id: id.clone(),
            state: r.peer_state,
            config: r.peer_config,
        };
        peers.insert(id, peer);
        Ok(())
    })?;
    Ok(ProcIdResponse { proc_id })
}

pub(crate) fn update(
    call: &Call<'_>,
    r: UpdateReplicationPeerConfigRequest,
) -> RemoteResult<ProcIdResponse> {
    change(call, &r.peer_id, |peer| {
        if peer.config.clusterkey() != r.peer_config.clusterkey() {
            return Err(refused(format!(
                "Changing the cluster key on an existing peer is not allowed. Existing key '{}' for peer {} does not match new key '{}'",
                peer.config.clusterkey(),
                peer.id,
                r.peer_config.clusterkey()
            )));
        }
        peer.config = r.peer_config.clone();
        Ok(())
    })
}

pub(crate) fn enable(call: &Call<'_>, r: PeerIdRequest) -> RemoteResult<ProcIdResponse> {
    switch(call, &r.peer_id, ReplicationStateKind::Enabled, "enabled")
}

pub(crate) fn disable(call: &Call<'_>, r: PeerIdRequest) -> RemoteResult<ProcIdResponse> {
    switch(call, &r.peer_id, ReplicationStateKind::Disabled, "disabled")
}

fn switch(
    call: &Call<'_>,
    id: &str,
    to: ReplicationStateKind,
    shown: &str,
) -> RemoteResult<ProcIdResponse> {
    change(call, id, |peer| {
        if peer.state.state() == to {
            return Err(refused(format!("Replication peer {id} has already been {shown}")));
        }
        peer.state.state = to as i32;
        Ok(())
    })
}

pub(crate) fn remove(call: &Call<'_>, r: PeerIdRequest) -> RemoteResult<ProcIdResponse> {
    let proc_id = procedure_calls::run(call, (None, None), || {
        let missing = || remote_exception(exception::REPLICATION_PEER_NOT_FOUND, &r.peer_id[..]);
        lock(&call.cluster.peers).remove(&r.peer_id).map(drop).ok_or_else(missing)
    })?;
    Ok(ProcIdResponse { proc_id })
}

pub(crate) fn config(
    call: &Call<'_>,
    r: PeerIdRequest,
) -> RemoteResult<GetReplicationPeerConfigResponse> {
    let found = lock(&call.cluster.peers).get(&r.peer_id).map(|p| p.config.clone());
    let missing = || remote_exception(exception::REPLICATION_PEER_NOT_FOUND, &r.peer_id[..]);
    let peer_config = found.ok_or_else(missing)?;
    Ok(GetReplicationPeerConfigResponse { peer_id: r.peer_id, peer_config })
}

pub(crate) fn list(
    call: &Call<'_>,
    _: ListReplicationPeersRequest,
) -> RemoteResult<ListReplicationPeersResponse> {
    let peer_desc = lock(&call.cluster.peers).values().cloned().collect();
    Ok(ListReplicationPeersResponse { peer_desc })
}
