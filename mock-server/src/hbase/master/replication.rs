//! Replication peers. They are stored, but nothing is sent to them.

use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::*;

use super::procedure_calls::{FailureReport, run_procedure};
use crate::base::{RemoteResult, remote_exception};
use crate::hbase::call::{Call, Method, answer_with_message};

/// The methods about replication peers.
pub(super) const METHODS: &[Method] = &[
    ("ListReplicationPeers", |c, r| {
        answer_with_message(c, r, &[], |call, _: Empty| {
            let peer_desc = call.cluster.peers.lock().values().cloned().collect();
            Ok(ListReplicationPeersResponse { peer_desc })
        })
    }),
    ("AddReplicationPeer", |c, r| answer_with_message(c, r, &[1, 2, 3], add)),
    ("UpdateReplicationPeerConfig", |c, r| answer_with_message(c, r, &[1, 2], update)),
    ("GetReplicationPeerConfig", |c, r| {
        answer_with_message(c, r, &[1], |call, PeerIdRequest { peer_id }| {
            let found = call.cluster.peers.lock().get(&peer_id).map(|p| p.config.clone());
            let peer_config = found.ok_or_else(|| peer_not_found(&peer_id))?;
            Ok(GetReplicationPeerConfigResponse { peer_id, peer_config })
        })
    }),
    ("EnableReplicationPeer", |c, r| {
        answer_with_message(c, r, &[1], |call, r: PeerIdRequest| {
            switch(call, &r.peer_id, ReplicationStateKind::Enabled, "enabled")
        })
    }),
    ("DisableReplicationPeer", |c, r| {
        answer_with_message(c, r, &[1], |call, r: PeerIdRequest| {
            switch(call, &r.peer_id, ReplicationStateKind::Disabled, "disabled")
        })
    }),
    ("RemoveReplicationPeer", |c, r| {
        answer_with_message(c, r, &[1], |call, r: PeerIdRequest| {
            run_procedure(call, None, FailureReport::AtOnce, || {
                let removed = call.cluster.peers_mut().remove(&r.peer_id);
                removed.map(drop).ok_or_else(|| peer_not_found(&r.peer_id))
            })
        })
    }),
];

fn peer_not_found(id: &str) -> RemoteException {
    remote_exception(exception::REPLICATION_PEER_NOT_FOUND, id)
}

fn refused(text: String) -> RemoteException {
    remote_exception(exception::DO_NOT_RETRY, text)
}

/// Changes a peer in a procedure.
fn change(
    call: &Call<'_>,
    id: &str,
    change: impl FnOnce(&mut ReplicationPeerDescription) -> RemoteResult<()>,
) -> RemoteResult<ProcIdResponse> {
    run_procedure(call, None, FailureReport::AtOnce, || {
        let mut peers = call.cluster.peers_mut();
        change(peers.get_mut(id).ok_or_else(|| peer_not_found(id))?)
    })
}

fn add(call: &Call<'_>, r: AddReplicationPeerRequest) -> RemoteResult<ProcIdResponse> {
    run_procedure(call, None, FailureReport::AtOnce, || {
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
        let mut peers = call.cluster.peers_mut();
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
    })
}

fn update(call: &Call<'_>, r: UpdateReplicationPeerConfigRequest) -> RemoteResult<ProcIdResponse> {
    change(call, &r.peer_id, |peer| {
        if peer.config.clusterkey() != r.peer_config.clusterkey() {
            return Err(refused(format!(
                "Changing the cluster key on an existing peer is not allowed. Existing key '{}' \
                 for peer {} does not match new key '{}'",
                peer.config.clusterkey(),
                peer.id,
                r.peer_config.clusterkey()
            )));
        }
        peer.config = r.peer_config.clone();
        Ok(())
    })
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
