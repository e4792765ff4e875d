//! A server of the cluster as the others know it: its name, whether it lives, and what it remembers.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::ServerName;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::limits;
use crate::nonce::Nonces;
use crate::remote_exception::remote_exception;
use crate::scanner::Scanners;

/// What a server is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The active master.
    Master,
    /// A region server, by its number.
    Region(usize),
}

/// One server.
#[derive(Debug)]
pub(crate) struct Server {
    /// What it is.
    pub(crate) role: Role,
    /// Host, port, start code.
    pub(crate) name: ServerName,
    /// Where it listens.
    pub(crate) address: SocketAddr,
    alive: watch::Sender<bool>,
    listener: Mutex<Option<JoinHandle<()>>>,
    moved: Mutex<HashMap<String, Moved>>,
    nonces: Mutex<Nonces>,
    scanners: Mutex<Scanners>,
}

/// Where a region went.
#[derive(Clone, Debug)]
struct Moved {
    to: ServerName,
    sequence_id: u64,
    at: u64,
}

impl Server {
    /// A server that lives and listens nowhere yet.
    pub(crate) fn new(role: Role, address: SocketAddr, start_code: u64) -> Self {
        let number = match role {
            Role::Master => 0,
            Role::Region(number) => number as u64 + 1,
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
            listener: Mutex::default(),
            moved: Mutex::default(),
            nonces: Mutex::default(),
            scanners: Mutex::new(Scanners::new(start_code.rotate_left(32) ^ number)),
        }
    }

    /// Its number, if it is a region server.
    pub(crate) fn number(&self) -> Option<usize> {
        match self.role {
            Role::Master => None,
            Role::Region(number) => Some(number),
        }
    }

    /// Whether it lives.
    pub(crate) fn is_alive(&self) -> bool {
        *self.alive.borrow()
    }

    /// Waits for its end.
    pub(crate) async fn killed(&self) {
        // An error would mean that the server is gone altogether, which is an end as well.
        let _ = self.alive.subscribe().wait_for(|alive| !alive).await;
    }

    /// Gives it the task that listens, which ends with it.
    pub(crate) fn listens_with(&self, listener: JoinHandle<()>) {
        *lock(&self.listener) = Some(listener);
    }

    /// Ends it: nothing is answered from now on, and its connections close.
    pub(crate) fn kill(&self) {
        self.alive.send_replace(false);
        if let Some(listener) = &*lock(&self.listener) {
            listener.abort();
        }
    }

    /// Waits until a killed server has let go of its port.
    pub(crate) async fn port_released(&self) {
        let listener = lock(&self.listener).take();
        if let Some(listener) = listener {
            // It was aborted, which is the only error there is.
            let _ = listener.await;
        }
    }

    /// The operations it remembers.
    pub(crate) fn nonces(&self) -> MutexGuard<'_, Nonces> {
        lock(&self.nonces)
    }

    /// The scanners open on it.
    pub(crate) fn scanners(&self) -> MutexGuard<'_, Scanners> {
        lock(&self.scanners)
    }

    /// Remembers where a region went.
    pub(crate) fn moved_away(&self, encoded: &str, to: ServerName, sequence_id: u64, now: u64) {
        let mut moved = lock(&self.moved);
        moved.retain(|_, m| now < m.at + limits::MOVED_MS);
        moved.insert(encoded.to_owned(), Moved { to, sequence_id, at: now });
    }

    /// Forgets where a region went, because it is back.
    pub(crate) fn came_back(&self, encoded: &str) {
        lock(&self.moved).remove(encoded);
    }

    /// The exception for a region that is not open here.
    pub(crate) fn not_serving(&self, encoded: &str, shown: &str, now: u64) -> RemoteException {
        let moved =
            lock(&self.moved).get(encoded).filter(|m| now < m.at + limits::MOVED_MS).cloned();
        let Some(moved) = moved else {
            let text = format!("{shown} is not online on {}", server_text(&self.name));
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

/// A server name in text: host, port and start code with commas between.
pub(crate) fn server_text(name: &ServerName) -> String {
    format!("{},{},{}", name.host_name, name.port.unwrap_or(0), name.start_code.unwrap_or(0))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
