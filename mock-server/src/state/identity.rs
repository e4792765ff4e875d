//! By what clients find a cluster: its id, and the ports on which its servers listen.

use std::collections::BTreeMap;
use std::fmt;

use super::kept::Recorded;
use crate::journal::{IdentityRecord, PortRecord, Record, StateChange};

/// A server of a cluster that keeps its data, which listens on another port than before: another
/// program has the old one.
///
/// Returned by [`MockCluster::changed_ports`](crate::MockCluster::changed_ports), with an example.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChangedPort {
    /// Which server: `master`, `server N` for a region server, `zookeeper`, `bigtable` or
    /// `control`.
    pub server: String,
    /// The port before.
    pub before: u16,
    /// The port now.
    pub now: u16,
}

impl fmt::Display for ChangedPort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { server, before, now } = self;
        write!(
            f,
            "{server} listens on port {now}, because another program has port {before}, on which \
             it was before; clients and configurations with that port do not find it"
        )
    }
}

/// The id of a cluster, and the ports of its servers.
#[derive(Debug, Default)]
pub(crate) struct Identity {
    cluster_id: String,
    ports: BTreeMap<String, u16>,
    changed: Vec<ChangedPort>,
    is_new: bool,
}

impl Identity {
    /// Returns the id, which is empty in a new file.
    pub(crate) fn cluster_id(&self) -> &str {
        &self.cluster_id
    }

    /// Returns the port on which a server listened last.
    pub(crate) fn port_of(&self, server: &str) -> Option<u16> {
        self.ports.get(server).copied()
    }

    /// Notes on which port a server listens. `could_stay` says whether it was to listen on the
    /// port before again.
    pub(crate) fn note_port(&mut self, server: &str, now: u16, could_stay: bool) {
        let before = self.ports.insert(server.to_owned(), now);
        self.is_new |= before != Some(now);
        if let Some(before) = before.filter(|before| could_stay && *before != now) {
            let server = server.to_owned();
            self.changed.push(ChangedPort { server, before, now });
        }
    }

    /// The servers whose ports were taken.
    pub(crate) fn changed_ports(&self) -> &[ChangedPort] {
        &self.changed
    }

    /// Sets the id of a cluster that is new.
    pub(crate) fn set_id(&mut self, cluster_id: &str) {
        self.cluster_id = cluster_id.to_owned();
        self.is_new = true;
    }
}

impl From<IdentityRecord> for Identity {
    fn from(record: IdentityRecord) -> Self {
        let port = |of: PortRecord| Some((of.server, u16::try_from(of.port).ok()?));
        Self {
            cluster_id: record.cluster_id,
            ports: record.ports.into_iter().filter_map(port).collect(),
            ..Self::default()
        }
    }
}

impl From<&Identity> for StateChange {
    fn from(identity: &Identity) -> Self {
        let port = |(server, port): (&String, &u16)| PortRecord {
            server: server.clone(),
            port: (*port).into(),
        };
        let ports = identity.ports.iter().map(port).collect();
        let record = IdentityRecord { cluster_id: identity.cluster_id.clone(), ports };
        Self { identity: Some(record), ..Self::default() }
    }
}

impl Recorded for Identity {
    fn take_record(&mut self) -> Option<Record> {
        std::mem::take(&mut self.is_new).then(|| StateChange::from(&*self).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_that_was_taken_is_said_and_one_that_was_asked_for_is_not() {
        let mut identity = Identity::default();
        identity.note_port("master", 1, true);
        identity.note_port("server 0", 2, true);
        assert!(identity.take_record().is_some());
        identity.note_port("master", 1, true);
        assert!(identity.take_record().is_none(), "nothing is new");
        identity.note_port("master", 3, true);
        identity.note_port("server 0", 4, false);
        let changed = ChangedPort { server: "master".into(), before: 1, now: 3 };
        assert_eq!(identity.changed_ports(), [changed]);
        let record = StateChange::from(&identity).identity.unwrap();
        let read = Identity::from(record);
        assert_eq!((read.port_of("master"), read.port_of("server 0")), (Some(3), Some(4)));
    }
}
