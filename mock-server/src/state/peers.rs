//! The replication peers of a cluster.

use std::collections::BTreeMap;

use tallrow_wire::proto::ReplicationPeerDescription;

use super::kept::Recorded;
use crate::journal::{PeersRecord, Record, StateChange};

/// The replication peers, by id.
pub(crate) type Peers = BTreeMap<String, ReplicationPeerDescription>;

impl From<&Peers> for StateChange {
    fn from(peers: &Peers) -> Self {
        let record = PeersRecord { peers: peers.values().cloned().collect() };
        Self { peers: Some(record), ..Self::default() }
    }
}

impl From<PeersRecord> for Peers {
    fn from(record: PeersRecord) -> Self {
        record.peers.into_iter().map(|peer| (peer.id.clone(), peer)).collect()
    }
}

impl Recorded for Peers {
    fn take_record(&mut self) -> Option<Record> {
        Some(StateChange::from(&*self).into())
    }
}
