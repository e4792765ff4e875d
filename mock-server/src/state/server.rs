//! A server: its name, whether it is alive, and its nonces, scanners and moved regions.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};

use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::ServerName;
use tokio::sync::watch;

use super::{Nonces, Scanners};
use crate::base::{limits, lock, remote_exception};

/// The role of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A master, active or not.
    Master,
    /// A region server, by its number.
    RegionServer(usize),
    /// The server of ZooKeeper.
    ZooKeeper,
    /// The endpoint of Bigtable's services.
    #[cfg(feature = "bigtable")]
    Bigtable,
}

impl std::fmt::Display for Role {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Master => f.write_str("master"),
            Self::RegionServer(number) => write!(f, "server {number}"),
            Self::ZooKeeper => f.write_str("zookeeper"),
            #[cfg(feature = "bigtable")]
            Self::Bigtable => f.write_str("bigtable"),
        }
    }
}

/// A server of the cluster.
#[derive(Debug)]
pub(crate) struct Server {
    /// The role of the server.
    pub(crate) role: Role,
    /// The host, port and start code.
    pub(crate) name: ServerName,
    /// The address on which the server listens.
    pub(crate) address: SocketAddr,
    alive: watch::Sender<bool>,
    forgotten: AtomicBool,
    moved: Mutex<HashMap<String, Moved>>,
    nonces: Mutex<Nonces>,
    scanners: Mutex<Scanners>,
}

/// The server to which a region moved.
#[derive(Clone, Debug)]
struct Moved {
    to: ServerName,
    sequence_id: u64,
    at: u64,
}

impl Server {
    /// Makes a live server.
    pub(crate) fn new(role: Role, address: SocketAddr, start_code: u64) -> Self {
        let number = match role {
            Role::RegionServer(number) => number as u64 + 1,
            _ => 0,
        };
        Self {
            role,
            name: ServerName {
                host_name: address.ip().to_string(),
                port: Some(u32::from(address.port())),
                start_code: Some(start_code),
            },
            address,
            alive: watch::Sender::new(true),
            forgotten: AtomicBool::new(false),
            moved: Mutex::default(),
            nonces: Mutex::default(),
            scanners: Mutex::new(Scanners::new(start_code.rotate_left(32) ^ number)),
        }
    }

    /// The number of the server, if it is a region server.
    pub(crate) fn number(&self) -> Option<usize> {
        match self.role {
            Role::RegionServer(number) => Some(number),
            _ => None,
        }
    }

    /// Whether the server is alive.
    pub(crate) fn is_alive(&self) -> bool {
        *self.alive.borrow()
    }

    /// Waits until the server is killed.
    pub(crate) async fn wait_until_killed(&self) {
        // An error would mean that the server does not exist any more.
        let _ = self.alive.subscribe().wait_for(|alive| !alive).await;
    }

    /// Kills the server: it answers no calls from now on, and its connections close.
    pub(crate) fn kill(&self) {
        self.alive.send_replace(false);
    }

    /// Removes a dead server from the list of dead servers; returns whether it was there.
    pub(crate) fn forget(&self) -> bool {
        !self.forgotten.swap(true, Ordering::Relaxed)
    }

    /// Whether the server is in the list of dead servers.
    pub(crate) fn is_listed_as_dead(&self) -> bool {
        !self.is_alive() && !self.forgotten.load(Ordering::Relaxed)
    }

    /// Locks the nonces that the server remembers.
    pub(crate) fn nonces(&self) -> MutexGuard<'_, Nonces> {
        lock(&self.nonces)
    }

    /// Locks the open scanners of the server.
    pub(crate) fn scanners(&self) -> MutexGuard<'_, Scanners> {
        lock(&self.scanners)
    }

    /// Remembers where a region moved.
    pub(crate) fn remember_region_move(
        &self,
        encoded: &str,
        to: ServerName,
        sequence_id: u64,
        now: u64,
    ) {
        let mut moved = lock(&self.moved);
        moved.retain(|_, m| now < m.at + limits::MOVED_REGION_TTL_MS);
        moved.insert(encoded.to_owned(), Moved { to, sequence_id, at: now });
    }

    /// Forgets where a region moved, because it is open here again.
    pub(crate) fn forget_region_move(&self, encoded: &str) {
        lock(&self.moved).remove(encoded);
    }

    /// Makes the exception for a region that is not open here: `RegionMovedException` if the server
    /// knows where the region moved, else `NotServingRegionException`.
    pub(crate) fn not_serving_or_moved(
        &self,
        encoded: &str,
        display_name: &str,
        now: u64,
    ) -> RemoteException {
        let moved = lock(&self.moved)
            .get(encoded)
            .filter(|m| now < m.at + limits::MOVED_REGION_TTL_MS)
            .cloned();
        let Some(moved) = moved else {
            let text = format!("{display_name} is not online on {}", server_text(&self.name));
            return remote_exception(exception::NOT_SERVING_REGION, text);
        };
        let port = moved.to.port.unwrap_or(0);
        let mut exception = remote_exception(
            exception::REGION_MOVED,
            format!(
                "Region moved to: hostname={} port={port} startCode={}. As of locationSeqNum={}.",
                moved.to.host_name,
                moved.to.start_code.unwrap_or(0),
                moved.sequence_id
            ),
        );
        exception.moved_to = u16::try_from(port).ok().map(|port| (moved.to.host_name, port));
        exception
    }
}

/// Formats a server name: host, port and start code, separated by commas.
pub(crate) fn server_text(name: &ServerName) -> String {
    format!("{},{},{}", name.host_name, name.port.unwrap_or(0), name.start_code.unwrap_or(0))
}
