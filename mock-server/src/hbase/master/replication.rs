//! Replication peers. They are stored, but nothing is sent to them.

use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::*;

use super::peer_config::{check_peer_config, check_peer_update, refused, update_peer_config};
use super::procedure_calls::{FailureReport, run_procedure};
use super::switches::{is_on, set_switch};
use super::tables::pattern;
use crate::base::{RemoteResult, remote_exception};
use crate::hbase::call::{Call, Method, answer_with_message};

/// The methods about replication peers.
pub(super) const METHODS: &[Method] = &[
    ("ListReplicationPeers", |c, r| answer_with_message(c, r, &[], list)),
    ("AddReplicationPeer", |c, r| answer_with_message(c, r, &[1, 2, 3], add)),
    ("UpdateReplicationPeerConfig", |c, r| answer_with_message(c, r, &[1, 2], update)),
    ("GetReplicationPeerConfig", |c, r| {
        answer_with_message(c, r, &[1], |call, PeerIdRequest { peer_id }| {
            let found = call.cluster.peers.lock().get(&peer_id).map(|p| p.config.clone());
            let peer_config = found.ok_or_else(|| peer_not_found(&peer_id))?;
            Ok(GetReplicationPeerConfigResponse { peer_id, peer_config })
        })
    }),
    ("IsReplicationPeerEnabled", |c, r| {
        answer_with_message(c, r, &[1], |call, PeerIdRequest { peer_id }| {
            let state = call.cluster.peers.lock().get(&peer_id).map(|peer| peer.state.state());
            let on = state == Some(ReplicationStateKind::Enabled);
            match state {
                Some(_) => Ok(SwitchResponse { on }),
                None => {
                    let text = format!("Replication Peer of {peer_id} does not exist.");
                    Err(remote_exception(REPLICATION, text))
                }
            }
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
            modify(call, || {
                let removed = call.cluster.peers_mut().remove(&r.peer_id);
                removed.map(drop).ok_or_else(|| peer_not_found(&r.peer_id))
            })
        })
    }),
    ("ReplicationPeerModificationSwitch", |c, r| set_switch(c, r, |s| &mut s.peer_modification)),
    ("IsReplicationPeerModificationEnabled", |c, r| is_on(c, r, |s| &mut s.peer_modification)),
    // No such procedure runs when the call is answered.
    ("GetReplicationPeerModificationProcedures", |c, r| {
        answer_with_message(c, r, &[], |_, _: Empty| Ok(Empty {}))
    }),
];

/// The class of the exception for a peer whose state is asked and that does not exist.
const REPLICATION: &str = "org.apache.hadoop.hbase.replication.ReplicationException";

fn peer_not_found(id: &str) -> RemoteException {
    remote_exception(exception::REPLICATION_PEER_NOT_FOUND, id)
}

fn list(
    call: &Call<'_>,
    r: ListReplicationPeersRequest,
) -> RemoteResult<ListReplicationPeersResponse> {
    let pattern = r.regex.as_deref().map(pattern).transpose()?;
    let mut peer_desc: Vec<_> = call.cluster.peers.lock().values().cloned().collect();
    peer_desc.retain(|peer| pattern.as_ref().is_none_or(|p| p.is_match(&peer.id)));
    Ok(ListReplicationPeersResponse { peer_desc })
}

/// Runs a procedure that changes peers, unless such changes are switched off. A client learns of any
/// other refusal when it polls.
fn modify(
    call: &Call<'_>,
    work: impl FnOnce() -> RemoteResult<()>,
) -> RemoteResult<ProcIdResponse> {
    if !call.cluster.switches.lock().peer_modification {
        return Err(remote_exception(exception::IO, "Replication peer modification disabled"));
    }
    run_procedure(call, None, FailureReport::WhenPolled, |_| work())
}

/// Changes a peer in a procedure.
fn change(
    call: &Call<'_>,
    id: &str,
    change: impl FnOnce(&mut ReplicationPeerDescription) -> RemoteResult<()>,
) -> RemoteResult<ProcIdResponse> {
    modify(call, || {
        let mut peers = call.cluster.peers_mut();
        change(peers.get_mut(id).ok_or_else(|| peer_not_found(id))?)
    })
}

fn add(call: &Call<'_>, r: AddReplicationPeerRequest) -> RemoteResult<ProcIdResponse> {
    modify(call, || {
        let id = r.peer_id;
        if id.contains('-') {
            return Err(refused(format!("Found invalid peer name: {id}")));
        }
        check_peer_config(call.cluster, &r.peer_config)?;
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
        check_peer_config(call.cluster, &r.peer_config)?;
        check_peer_update(&peer.id, &peer.config, &r.peer_config)?;
        update_peer_config(&mut peer.config, r.peer_config);
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
