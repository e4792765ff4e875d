//! The connections to servers: opened when first needed, replaced when broken.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use bytes::Bytes;
use prost::Message;
use tokio::time::{Instant, timeout_at};

use super::call::{Call, CallError, Service};
use super::connection::Connection;
use super::dial::{Dialed, dial};
use crate::wire::cell_block::CellBlock;
use crate::wire::exception::SERVER_NOT_RUNNING_YET;
use crate::wire::frame::Response;
use crate::wire::preamble::{self, Auth};
use crate::wire::proto::{GetServerInfoRequest, GetServerInfoResponse};
use crate::{Config, Connector};

/// After a failed attempt to connect, callers get the same error for this long.
const FAILED_FOR: Duration = Duration::from_millis(200);

/// All connections of a client.
pub(crate) struct Servers {
    connector: Connector,
    connect_timeout: Duration,
    calls_per_server: usize,
    user: String,
    slots: RwLock<Slots>,
}

type Slots = HashMap<(Arc<str>, Service), Arc<Slot>>;

#[derive(Default)]
struct Slot {
    connection: Mutex<Option<Arc<Connection>>>,
    /// Held while a task connects, with the last failure.
    connecting: tokio::sync::Mutex<Option<(Instant, CallError)>>,
}

impl Slot {
    fn open(&self) -> Option<Arc<Connection>> {
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        connection.as_ref().filter(|c| c.is_open()).cloned()
    }
}

impl Servers {
    pub(crate) fn new(config: &Config) -> Self {
        Self {
            connector: config.connector.clone(),
            connect_timeout: config.connect_timeout,
            calls_per_server: config.calls_per_server,
            user: config.user.clone(),
            slots: RwLock::default(),
        }
    }

    /// Sends one call to a server and decodes its answer, and the cells next to it.
    pub(crate) async fn call<P: Message, R: Message + Default>(
        &self,
        address: &Arc<str>,
        service: Service,
        call: Call<'_, P>,
    ) -> Result<(R, CellBlock), CallError> {
        let deadline = Instant::now() + call.timeout;
        let connection = self.connection(address, service, deadline).await?;
        let timeout = deadline.saturating_duration_since(Instant::now());
        let Response { message, cells, .. } = connection.call(Call { timeout, ..call }).await?;
        Ok((R::decode(message)?, CellBlock::new(cells)))
    }

    /// Whether the server that started at `start_code` still runs: not if nothing listens at its address, or another
    /// server does, even one that is still starting. An error if that is not known.
    pub(crate) async fn still_runs(
        &self,
        address: &Arc<str>,
        start_code: u64,
        timeout: Duration,
    ) -> Result<bool, CallError> {
        let call = Call {
            method: "GetServerInfo",
            param: &GetServerInfoRequest {},
            high_priority: true,
            timeout,
        };
        match self.call::<_, GetServerInfoResponse>(address, Service::Admin, call).await {
            Ok((info, _)) => Ok(info.server_info.server_name.start_code == Some(start_code)),
            Err(CallError::Unreachable { refused: true, .. }) => Ok(false),
            Err(CallError::Exception(e)) if e.class == SERVER_NOT_RUNNING_YET => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// An open connection to a service of a server.
    pub(crate) async fn connection(
        &self,
        address: &Arc<str>,
        service: Service,
        deadline: Instant,
    ) -> Result<Arc<Connection>, CallError> {
        let slot = self.slot(address, service);
        if let Some(connection) = slot.open() {
            return Ok(connection);
        }
        // On the heap, so that operations on open connections have small futures.
        match timeout_at(deadline, Box::pin(self.connect(&slot, address, service))).await {
            Ok(connected) => connected,
            Err(_) => {
                let why = format!("{address}: no connection until the deadline");
                Err(CallError::Unreachable { why, refused: false })
            }
        }
    }

    async fn connect(
        &self,
        slot: &Slot,
        address: &Arc<str>,
        service: Service,
    ) -> Result<Arc<Connection>, CallError> {
        let mut failed = slot.connecting.lock().await;
        if let Some(connection) = slot.open() {
            return Ok(connection);
        }
        if let Some((at, error)) = &*failed
            && at.elapsed() < FAILED_FOR
        {
            return Err(error.clone());
        }
        match dial(&self.connector, address, self.connect_timeout).await {
            Ok(dialed) => {
                let header = preamble::header(service.name(), &self.user);
                let opening: Bytes = preamble::encode_with_header(Auth::Simple, &header);
                let connection = Arc::new(match dialed {
                    Dialed::Tcp(tcp) => Connection::start(tcp, &opening, self.calls_per_server),
                    Dialed::Custom(stream) => {
                        Connection::start(stream, &opening, self.calls_per_server)
                    }
                });
                *failed = None;
                *slot.connection.lock().unwrap_or_else(PoisonError::into_inner) =
                    Some(connection.clone());
                Ok(connection)
            }
            Err(error) => {
                *failed = Some((Instant::now(), error.clone()));
                Err(error)
            }
        }
    }

    fn slot(&self, address: &Arc<str>, service: Service) -> Arc<Slot> {
        let key = (address.clone(), service);
        let slots = self.slots.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = slots.get(&key) {
            return slot.clone();
        }
        drop(slots);
        let mut slots = self.slots.write().unwrap_or_else(PoisonError::into_inner);
        // Servers come and go; broken connections that no task waits for are removed.
        slots.retain(|_, slot| Arc::strong_count(slot) > 1 || slot.open().is_some());
        slots.entry(key).or_default().clone()
    }
}
