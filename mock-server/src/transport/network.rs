//! The network by which the servers of a cluster are reached: TCP, or in memory only.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Arc, Mutex};

use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use crate::base::lock;
use crate::state::{Role, Server};

/// The port of the first master in memory: HBase's default. The other masters have the following
/// ports.
const MASTER_PORT: u16 = 16_000;

/// The port of region server 0 in memory: HBase's default. The other region servers have the
/// following ports.
const REGION_SERVER_PORT: u16 = 16_020;

/// The port of ZooKeeper in memory: its default.
const ZOOKEEPER_PORT: u16 = 2181;

/// The port of Bigtable's services in memory: the default of Google's emulator.
#[cfg(feature = "bigtable")]
const BIGTABLE_PORT: u16 = 8086;

/// The network between clients and servers.
#[derive(Debug)]
pub(crate) struct Network {
    /// The address to listen on; `None` if the servers are reached in memory only.
    ip: Option<IpAddr>,
    /// The number of masters that have an address in memory.
    masters: AtomicU16,
    accepting: Mutex<Vec<JoinHandle<()>>>,
}

/// The address of a server. It has a listener unless the server is reached in memory only.
#[derive(Debug)]
pub(crate) struct Endpoint {
    /// The address.
    pub(crate) address: SocketAddr,
    listener: Option<TcpListener>,
}

impl Network {
    /// Makes a network over TCP on this address.
    pub(crate) fn tcp(ip: IpAddr) -> Self {
        Self { ip: Some(ip), masters: AtomicU16::new(0), accepting: Mutex::default() }
    }

    /// Makes a network without sockets. The servers nevertheless have addresses, by which clients
    /// name them.
    pub(crate) fn in_memory() -> Self {
        Self { ip: None, masters: AtomicU16::new(0), accepting: Mutex::default() }
    }

    /// Whether the servers listen on ports of the system.
    pub(crate) fn has_sockets(&self) -> bool {
        self.ip.is_some()
    }

    /// Gives a server an address: over TCP with this port, or any free port if it is 0. Must be
    /// called inside a tokio runtime.
    pub(crate) fn bind(&self, role: Role, port: u16) -> io::Result<Endpoint> {
        let Some(ip) = self.ip else {
            let port = match role {
                Role::Master => {
                    let number = self.masters.fetch_add(1, Ordering::Relaxed);
                    MASTER_PORT.checked_add(number).filter(|port| *port < REGION_SERVER_PORT)
                }
                Role::ZooKeeper => Some(ZOOKEEPER_PORT),
                #[cfg(feature = "bigtable")]
                Role::Bigtable => Some(BIGTABLE_PORT),
                Role::RegionServer(number) => {
                    u16::try_from(number).ok().and_then(|n| REGION_SERVER_PORT.checked_add(n))
                }
            };
            let port =
                port.ok_or_else(|| io::Error::other("too many servers for the ports in memory"))?;
            let address = SocketAddr::new(Ipv4Addr::LOCALHOST.into(), port);
            return Ok(Endpoint { address, listener: None });
        };
        let listener = std::net::TcpListener::bind((ip, port))?;
        listener.set_nonblocking(true)?;
        let listener = TcpListener::from_std(listener)?;
        Ok(Endpoint { address: listener.local_addr()?, listener: Some(listener) })
    }

    /// Accepts connections at an endpoint until the server is killed. Calls `serve` with the stream
    /// of each connection and the address of its client.
    pub(crate) fn accept<F: Future<Output = ()> + Send + 'static>(
        &self,
        endpoint: Endpoint,
        server: Arc<Server>,
        serve: impl Fn(TcpStream, String) -> F + Send + Sync + 'static,
    ) {
        let Some(listener) = endpoint.listener else { return };
        let task = tokio::spawn(async move {
            tokio::select! {
                () = accept_all(listener, serve) => {}
                () = server.wait_until_killed() => {}
            }
        });
        lock(&self.accepting).push(task);
    }

    /// Waits until every listener is closed. All servers must have been killed.
    pub(crate) async fn wait_until_closed(&self) {
        let tasks = std::mem::take(&mut *lock(&self.accepting));
        for task in tasks {
            // The task fails only if the runtime shuts down, which closes the listener too.
            let _ = task.await;
        }
    }
}

async fn accept_all<F: Future<Output = ()> + Send + 'static>(
    listener: TcpListener,
    serve: impl Fn(TcpStream, String) -> F,
) {
    loop {
        // The connection may have broken before it was accepted, or there are no file descriptors
        // at the moment. In both cases the next connection is awaited.
        let Ok((stream, from)) = listener.accept().await else {
            tokio::task::yield_now().await;
            continue;
        };
        let _ = stream.set_nodelay(true);
        tokio::spawn(serve(stream, from.to_string()));
    }
}
