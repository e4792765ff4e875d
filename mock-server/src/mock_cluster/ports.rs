//! The ports of servers, which a cluster that keeps its data has again after a restart.

use std::io;

use super::cluster::MockCluster;
use crate::state::{ChangedPort, Identity, Kept, Role};
use crate::transport::{Endpoint, Network};

impl MockCluster {
    /// The servers that listen on another port than before the last restart, because another
    /// program has the old one. Clients and configurations with the old address do not find them,
    /// or find that program. Always empty without [`data`](crate::MockClusterBuilder::data).
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// use tallrow_mock::MockCluster;
    ///
    /// let folder = std::env::temp_dir().join(format!("tallrow-ports-{}", std::process::id()));
    /// let cluster = MockCluster::builder().data(&folder).start().await.unwrap();
    /// let before = cluster.rpc_address();
    /// cluster.shutdown().await;
    ///
    /// let taken = std::net::TcpListener::bind(before); // Or somebody else has it.
    /// let again = MockCluster::builder().data(&folder).start().await.unwrap();
    /// let changed = &again.changed_ports()[0];
    /// assert_eq!((&*changed.server, changed.before), ("master", before.port()));
    /// assert_eq!(changed.now, again.rpc_address().port());
    /// # drop(taken);
    /// # again.shutdown().await;
    /// # std::fs::remove_dir_all(&folder).unwrap();
    /// # });
    /// ```
    pub fn changed_ports(&self) -> Vec<ChangedPort> {
        self.cluster().identity.lock().changed_ports().to_vec()
    }
}

/// Gives a server of this name an address, with the port that it had before if it may choose one.
pub(super) fn bind(
    network: &Network,
    identity: &Kept<Identity>,
    (role, name): (Role, &str),
    port: u16,
) -> io::Result<Endpoint> {
    match network.has_sockets() {
        false => network.bind(role, port),
        true => {
            let port_of = |endpoint: &Endpoint| Ok(endpoint.address.port());
            bind_again(identity, name, port, |port| network.bind(role, port), port_of)
        }
    }
}

/// Binds a port: this one, or if it is 0, the one that the server had before, or any free port.
/// `port_of` tells the port of what was bound.
pub(crate) fn bind_again<B>(
    identity: &Kept<Identity>,
    server: &str,
    port: u16,
    bind: impl Fn(u16) -> io::Result<B>,
    port_of: impl Fn(&B) -> io::Result<u16>,
) -> io::Result<B> {
    let is_free_choice = port == 0;
    let before = identity.lock().port_of(server).filter(|_| is_free_choice);
    // Whatever the reason is, another port may do; if none does, the error says why.
    let bound = match before.and_then(|before| bind(before).ok()) {
        Some(bound) => bound,
        None => bind(port)?,
    };
    let now = port_of(&bound)?;
    identity.lock().note_port(server, now, is_free_choice);
    Ok(bound)
}
