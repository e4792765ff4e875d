//! The servers of a cluster, which a test kills and starts.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use super::cluster::MockCluster;
use super::error::MockClusterError;
use super::ports::bind;
use crate::procedures;
use crate::state::{Role, Server};
use crate::transport::Endpoint;

impl MockCluster {
    /// The numbers of the live region servers.
    ///
    /// See [`MockClusterBuilder`](crate::MockClusterBuilder) for an example.
    pub fn live_servers(&self) -> Vec<usize> {
        self.cluster().live_server_numbers()
    }

    /// The address of a region server, which may have been killed; none if there is no region
    /// server with this number.
    ///
    /// See [`MockClusterBuilder::in_memory`](crate::MockClusterBuilder::in_memory) for an example.
    pub fn server_address(&self, server: usize) -> Option<SocketAddr> {
        self.cluster().server(server).map(|s| s.address)
    }

    /// Kills a region server: its listener and connections close at once. Its regions open on the
    /// other servers, with every acknowledged write and every nonce; if there is no other server,
    /// they wait for [`MockCluster::start_server`].
    ///
    /// See [`MockClusterError`] for an example.
    ///
    /// # Errors
    /// There is no live region server with this number.
    pub fn kill_server(&self, server: usize) -> Result<(), MockClusterError> {
        let cluster = self.cluster().lock_admin();
        let live = cluster.server(server).filter(|s| s.is_alive());
        let Some(server) = live else {
            let reason = format!("no such live region server; there are {:?}", self.live_servers());
            return Err(MockClusterError::new(&format!("kill region server {server}"), &reason));
        };
        procedures::kill_server(&cluster, &server);
        Ok(())
    }

    /// Starts another region server and returns its number. Regions that wait for a server open on
    /// the new one. Must be called inside a tokio runtime.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// let cluster = tallrow_mock::MockCluster::start().await.unwrap();
    /// cluster.kill_server(0).unwrap();
    /// assert_eq!(cluster.start_server().unwrap(), 2);
    /// assert_eq!(cluster.live_servers(), [1, 2]);
    /// # });
    /// ```
    ///
    /// # Errors
    /// No port can be bound.
    pub fn start_server(&self) -> io::Result<usize> {
        let cluster = self.cluster().lock_admin();
        let number = cluster.servers().len();
        let (endpoint, server) = self.add_server()?;
        self.accept_rpc(endpoint, server);
        procedures::open_waiting_regions(&cluster);
        Ok(number)
    }

    /// Adds a region server, which accepts no connections yet.
    pub(super) fn add_server(&self) -> io::Result<(Endpoint, Arc<Server>)> {
        let cluster = self.cluster();
        let role = Role::RegionServer(cluster.servers().len());
        let of = (role, &*role.to_string());
        let endpoint = bind(&self.handle.network, &cluster.identity, of, 0)?;
        let server = Arc::new(Server::new(role, endpoint.address, cluster.unique_now()));
        cluster.add_server(Arc::clone(&server));
        Ok((endpoint, server))
    }

    /// Kills the active master: its listener and connections close at once. The backup master that
    /// was started first becomes active, with the procedures of the old one; if there is no backup,
    /// nothing can be administered until [`MockCluster::start_master`].
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// let cluster = tallrow_mock::MockCluster::start().await.unwrap();
    /// let backup = cluster.start_master().unwrap();
    /// cluster.kill_master().unwrap();
    /// assert_eq!(cluster.rpc_address(), backup);
    /// cluster.kill_master().unwrap();
    /// assert!(cluster.kill_master().is_err());
    /// # });
    /// ```
    ///
    /// # Errors
    /// There is no live master.
    pub fn kill_master(&self) -> Result<(), MockClusterError> {
        let cluster = self.cluster().lock_admin();
        let Some(master) = cluster.active_master() else {
            return Err(MockClusterError::new("kill the active master", "no master is alive"));
        };
        procedures::kill_server(&cluster, &master);
        Ok(())
    }

    /// Starts another master on a free port, and returns its address. It is a backup of the active
    /// master; if there is none, it becomes active. Must be called inside a tokio runtime.
    ///
    /// See [`MockCluster::kill_master`] for an example.
    ///
    /// # Errors
    /// No port can be bound.
    pub fn start_master(&self) -> io::Result<SocketAddr> {
        let cluster = self.cluster().lock_admin();
        let name = format!("master {}", cluster.masters().len());
        let of = (Role::Master, &*name);
        let endpoint = bind(&self.handle.network, &cluster.identity, of, 0)?;
        let address = endpoint.address;
        let master = Arc::new(Server::new(Role::Master, address, cluster.unique_now()));
        self.accept_rpc(endpoint, Arc::clone(&master));
        cluster.add_master(master);
        Ok(address)
    }
}
