//! The connections to servers: opened when first needed, replaced when broken.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use std::time::Duration;

use futures_util::FutureExt;
use prost::Message;
use rustc_hash::FxHashMap;
use tokio::time::{Instant, timeout_at};

use super::call::{Call, CallError, Service};
use super::command::unsent;
use super::compressed::CellCompression;
use super::connection::Connection;
use super::dial::{DialedStream, OpenedStream, authenticate_stream, dial};
use super::driver::ConnectionSettings;
use super::window::Window;
use crate::authentication::{Authentication, Protection};
use crate::config::dialing::{ReopenNotifier, SharedDialer};
use crate::observe::{ObservedConnection, Observers};
use crate::wire::cell_block::CellBlock;
use crate::wire::exception::SERVER_NOT_RUNNING_YET;
use crate::wire::frame::Response;
use crate::wire::preamble::{self, Auth};
use crate::wire::proto::{ConnectionHeader, GetServerInfoRequest, GetServerInfoResponse};
use crate::{Config, Connector};

/// All connections of a client.
pub(crate) struct Connections {
    connector: Connector,
    connect_timeout: Duration,
    /// The shortest timeout of an attempt in the client's configuration.
    silence: Duration,
    calls_per_server: usize,
    max_calls_per_server: Option<usize>,
    adaptive_window: bool,
    /// The minimum time from one attempt to connect to a server to the next.
    min_dial_interval: Duration,
    reopened: Arc<ReopenNotifier>,
    nonce_group: u64,
    user: String,
    authentication: Option<Authentication>,
    compression: Option<CellCompression>,
    observers: Arc<Observers>,
    slots: RwLock<Slots>,
    is_closed: AtomicBool,
}

/// The slots of each server, by its address.
type Slots = FxHashMap<Arc<str>, Vec<(Service, Arc<Slot>)>>;

fn of_service(slots: &[(Service, Arc<Slot>)], service: Service) -> Option<&Arc<Slot>> {
    slots.iter().find(|(of, _)| *of == service).map(|(_, slot)| slot)
}

/// A connection as the report of the client's state lists it.
pub(crate) struct ListedConnection {
    pub(crate) server: Arc<str>,
    pub(crate) service: &'static str,
    pub(crate) is_open: bool,
    /// The protection of the messages, if both sides have proved their identities.
    pub(crate) protection: Option<Protection>,
    /// How many operations and other commands the task of the connection has not taken yet.
    pub(crate) queued: usize,
}

struct Slot {
    connection: Mutex<Option<Arc<Connection>>>,
    /// The window of the server, which is kept when the connection is replaced.
    window: OnceLock<Arc<Window>>,
    dialing: SharedDialer<CallError>,
}

/// How long the slot of a server without a connection is kept after the server was dialed.
const KEPT: Duration = Duration::from_secs(10 * 60);

impl Slot {
    fn open(&self) -> Option<Arc<Connection>> {
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        connection.as_ref().filter(|c| c.is_open()).cloned()
    }

    fn abort(&self) {
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner).take();
        connection.iter().for_each(|connection| connection.abort());
        self.dialing.wake_waiters();
    }

    fn is_kept(&self) -> bool {
        self.open().is_some()
            || self.dialing.last_attempt_at().is_some_and(|begun| begun.elapsed() < KEPT)
    }
}

impl Connections {
    pub(crate) fn new(
        config: &Config,
        nonce_group: u64,
        compression: Option<CellCompression>,
        observers: Arc<Observers>,
        reopened: Arc<ReopenNotifier>,
    ) -> Self {
        let connector = config.host_overrides.wrap(config.connector.clone());
        #[cfg(feature = "rustls-023")]
        let connector = match &config.tls {
            Some(tls) => tls.clone().wrap_connector(connector),
            None => connector,
        };
        Self {
            connector,
            connect_timeout: config.connect_timeout,
            silence: config.shortest_attempt_timeout(),
            calls_per_server: config.calls_per_server,
            max_calls_per_server: config.max_calls_per_server,
            adaptive_window: config.adaptive_window,
            min_dial_interval: config.failed_server_expiry,
            reopened,
            nonce_group,
            user: config.user.clone(),
            authentication: config.authentication.clone(),
            compression,
            observers,
            slots: RwLock::default(),
            is_closed: AtomicBool::new(false),
        }
    }

    /// Sends one call to a server, and decodes the answer and the cells that follow it. The call
    /// belongs to the trace of the current task; `Attempts::traced` makes this the trace of an
    /// attempt.
    pub(crate) async fn call<P: Message, R: Message + Default>(
        self: &Arc<Self>,
        address: &Arc<str>,
        service: Service,
        call: Call<'_, P>,
    ) -> Result<(R, CellBlock), CallError> {
        self.call_with_min_priority(address, service, call, 0).await
    }

    /// Sends one call like [`call`](Self::call), but with a priority of at least `min_priority`.
    pub(crate) async fn call_with_min_priority<P: Message, R: Message + Default>(
        self: &Arc<Self>,
        address: &Arc<str>,
        service: Service,
        call: Call<'_, P>,
        min_priority: u32,
    ) -> Result<(R, CellBlock), CallError> {
        let trace = self.observers.trace_context();
        let deadline = Instant::now() + call.timeout;
        let connection = self.connection(address, service, deadline).await?;
        let timeout = deadline.saturating_duration_since(Instant::now());
        let Response { message, cells, .. } =
            connection.call(Call { timeout, ..call }, min_priority, trace.as_ref()).await?;
        Ok((R::decode(message)?, CellBlock::new(cells)))
    }

    /// Returns a possible reason why a call has no answer, in addition to the text of its error.
    pub(crate) fn suspected_cause(&self) -> Option<String> {
        self.compression.as_ref().and_then(CellCompression::suspected_cause)
    }

    /// Whether the server that started at `start_code` still runs. It does not run if nothing
    /// listens at its address, or if another server listens there, even if that other server is
    /// still starting. Fails if it cannot be determined whether the server runs.
    pub(crate) async fn still_runs(
        self: &Arc<Self>,
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

    /// Returns an open connection to a service of a server; opens one if there is none.
    pub(crate) async fn connection(
        self: &Arc<Self>,
        address: &Arc<str>,
        service: Service,
        deadline: Instant,
    ) -> Result<Arc<Connection>, CallError> {
        if let Some(connection) = self.open(address, service) {
            return Ok(connection);
        }
        let slot = self.slot(address, service);
        if self.is_closed.load(Ordering::Acquire) {
            return Err(CallError::Closed);
        }
        // The future is boxed as a trait object, so that operations on open connections have small
        // futures.
        match timeout_at(deadline, self.connect(&slot, address, service).boxed()).await {
            Ok(connected) => connected,
            Err(_) => {
                let why = format!("{address}: no connection until the deadline");
                Err(CallError::Unreachable { why, refused: false })
            }
        }
    }

    /// Waits for a connection that one task opens for all waiting callers.
    async fn connect(
        self: &Arc<Self>,
        slot: &Arc<Slot>,
        address: &Arc<str>,
        service: Service,
    ) -> Result<Arc<Connection>, CallError> {
        let find = || match slot.open() {
            Some(connection) => Some(Ok(connection)),
            None => self.is_closed.load(Ordering::Acquire).then_some(Err(CallError::Closed)),
        };
        let start = |task| {
            let (servers, slot, address) = (self.clone(), slot.clone(), address.clone());
            tokio::spawn(async move {
                let dial = || servers.dial(&slot, &address, service);
                let is_final =
                    |error: &CallError| matches!(error, CallError::Unauthenticated { .. });
                slot.dialing.run(task, &servers.reopened, is_final, dial).await;
            });
        };
        let lost = || {
            let last = slot.connection.lock().unwrap_or_else(PoisonError::into_inner);
            match last.as_ref().and_then(|connection| connection.close_reason()) {
                Some(error) => unsent(&error),
                None => {
                    let why = format!("{address} ended the connection as soon as it was open");
                    CallError::Broken { why, sent: false }
                }
            }
        };
        slot.dialing.get_or_dial(find, lost, start).await
    }

    /// Opens a connection, and puts it into the slot.
    async fn dial(
        &self,
        slot: &Slot,
        address: &Arc<str>,
        service: Service,
    ) -> Result<(), CallError> {
        if self.is_closed.load(Ordering::Acquire) {
            return Err(CallError::Closed);
        }
        let observed = ObservedConnection::new(&self.observers, address, service.name());
        let started = Instant::now();
        let mut header = preamble::header(service.name(), &self.user);
        // The other services send no cells.
        let compression = self.compression.clone().filter(|_| service == Service::Client);
        header.cell_block_compressor_class = compression.as_ref().map(|c| c.class().to_owned());
        match self.open_stream(address, service, &header).await {
            Ok(OpenedStream { stream, opening, protection }) => {
                let settings = ConnectionSettings {
                    calls_at_once: self.calls_per_server.max(1),
                    flushes: matches!(stream, DialedStream::Custom(_)),
                    nonce_group: self.nonce_group,
                    compression,
                    silence: self.silence,
                    protection,
                };
                let observed = observed.report_opened(started.elapsed());
                let window = slot.window.get_or_init(|| {
                    let (max, adapts) = (self.max_calls_per_server, self.adaptive_window);
                    let of_server =
                        ObservedConnection::new(&self.observers, address, service.name());
                    Arc::new(Window::new(max, adapts, of_server))
                });
                let connection = Arc::new(match stream {
                    DialedStream::Tcp(tcp) => {
                        Connection::start(tcp, &opening, settings, window, observed)
                    }
                    DialedStream::Custom(stream) => {
                        Connection::start(stream, &opening, settings, window, observed)
                    }
                });
                *slot.connection.lock().unwrap_or_else(PoisonError::into_inner) = Some(connection);
                // `close` may have looked at the slot before the connection was in it.
                if self.is_closed.load(Ordering::Acquire) {
                    slot.abort();
                }
                Ok(())
            }
            Err(error) => {
                observed.report_refused(&error.to_string());
                Err(error)
            }
        }
    }

    /// Opens a connection, and authenticates the client on it if authentication is configured.
    async fn open_stream(
        &self,
        address: &Arc<str>,
        service: Service,
        header: &ConnectionHeader,
    ) -> Result<OpenedStream, CallError> {
        let dialed = || dial(&self.connector, address, self.connect_timeout);
        let stream = dialed().await?;
        let Some(authentication) = &self.authentication else {
            let opening = preamble::encode_with_header(Auth::Simple, header);
            return Ok(OpenedStream { stream, opening, protection: None });
        };
        let opened_as = async |stream, is_master| {
            let within = self.connect_timeout;
            authenticate_stream(authentication, stream, address, header, is_master, within).await
        };
        match service {
            Service::Client | Service::Admin => opened_as(stream, false).await,
            Service::Master => opened_as(stream, true).await,
            // The host may be a master or a region server: both provide the registry.
            Service::Registry => match opened_as(stream, true).await {
                Err(CallError::Unauthenticated { why }) if authentication.masters_differ() => {
                    let as_region_server = opened_as(dialed().await?, false).await;
                    as_region_server.map_err(|error| match error {
                        CallError::Unauthenticated { why: then } => CallError::Unauthenticated {
                            why: format!("{why}; and as a region server: {then}"),
                        },
                        error => error,
                    })
                }
                opened => opened,
            },
        }
    }

    /// Returns all connections, sorted by server and service.
    pub(crate) fn connections(&self) -> Vec<ListedConnection> {
        let slots = self.slots.read().unwrap_or_else(PoisonError::into_inner);
        let mut all = Vec::new();
        for (server, of_server) in slots.iter() {
            for (service, slot) in of_server {
                all.push((server.clone(), *service, slot.open()));
            }
        }
        drop(slots);
        all.sort_by(|(a, of_a, _), (b, of_b, _)| (a, of_a.name()).cmp(&(b, of_b.name())));
        let listed = all.into_iter().map(|(server, service, open)| ListedConnection {
            server,
            service: service.name(),
            is_open: open.is_some(),
            protection: open.as_ref().and_then(|connection| connection.protection()),
            queued: open.map_or(0, |connection| connection.queued()),
        });
        listed.collect()
    }

    /// Closes all connections; callers that wait on them get the error of a broken connection. No
    /// further connection is opened.
    pub(crate) fn abort_connections(&self) {
        self.is_closed.store(true, Ordering::Release);
        let slots =
            std::mem::take(&mut *self.slots.write().unwrap_or_else(PoisonError::into_inner));
        slots.values().flatten().for_each(|(_, slot)| slot.abort());
    }

    /// The number of servers with a slot for the client service: those that hold regions.
    pub(crate) fn region_server_count(&self) -> usize {
        let slots = self.slots.read().unwrap_or_else(PoisonError::into_inner);
        slots.values().flatten().filter(|(service, _)| *service == Service::Client).count()
    }

    /// Returns the connection to a service of a server, if it is open. Every operation calls this.
    fn open(&self, address: &str, service: Service) -> Option<Arc<Connection>> {
        let slots = self.slots.read().unwrap_or_else(PoisonError::into_inner);
        of_service(slots.get(address)?, service)?.open()
    }

    fn slot(&self, address: &Arc<str>, service: Service) -> Arc<Slot> {
        let mut slots = self.slots.write().unwrap_or_else(PoisonError::into_inner);
        let of_server = slots.get(address);
        if let Some(slot) = of_server.and_then(|of_server| of_service(of_server, service)) {
            return slot.clone();
        }
        // Servers come and go, so slots that are neither used nor kept are removed.
        slots.retain(|_, of_server| {
            of_server.retain(|(_, slot)| Arc::strong_count(slot) > 1 || slot.is_kept());
            !of_server.is_empty()
        });
        let slot = Arc::new(Slot {
            connection: Mutex::default(),
            window: OnceLock::new(),
            dialing: SharedDialer::new(self.min_dial_interval, self.connect_timeout),
        });
        slots.entry(address.clone()).or_default().push((service, slot.clone()));
        slot
    }
}
