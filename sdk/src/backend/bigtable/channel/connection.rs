//! One HTTP/2 connection, and calls on it.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;
use h2::client::{Builder, ResponseFuture, SendRequest};
use h2::{Ping, PingPong};
use http::{HeaderMap, Method, Request, Uri, Version};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::{AbortHandle, yield_now};
use tokio::time::{Instant, sleep, timeout};
use tonic::Status;

use super::load::{CallInProgress, Load};
use crate::backend::bigtable::failure::{CallProgress, incomplete_call_status, status_of_h2_error};
use crate::observe::ObservedConnection;
use crate::wire::bigtable::method;

/// The most calls at a time on a connection, unless the server allows fewer: as many as Google's
/// front ends allow.
pub(super) const MAX_CALLS: u32 = 100;
/// How often a server is pinged, and how soon it has to answer.
const PING_EVERY: Duration = Duration::from_secs(30);
const PONG_WITHIN: Duration = Duration::from_secs(10);

/// What a connection is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// All calls. Half of the calls at a time may be calls that last.
    AllCalls,
    /// Only calls that last.
    LastingCalls,
}

impl Purpose {
    /// How many bytes of one answer the server may send before the client has read them. There may
    /// be thousands of calls that last, so that each of their answers has less memory.
    fn stream_window(self) -> u32 {
        match self {
            Self::AllCalls => 1 << 20,
            Self::LastingCalls => 64 << 10,
        }
    }

    /// How many bytes of all answers of a connection the server may send before the client has read
    /// them. The number is large, so that answers that nobody reads do not hold back the others.
    fn connection_window(self) -> u32 {
        match self {
            Self::AllCalls => 1 << 30,
            Self::LastingCalls => self.stream_window() * MAX_CALLS,
        }
    }

    /// How many calls that last a connection has places for that takes `calls` calls at a time.
    fn places(self, calls: usize) -> usize {
        match self {
            Self::AllCalls => calls / 2,
            Self::LastingCalls => calls.max(1),
        }
    }
}

/// A connection that is open, or was open until it ended.
pub(crate) struct Connection {
    about: ServerUris,
    requests: SendRequest<Bytes>,
    load: Arc<Load>,
    /// The most calls at a time.
    max_calls: usize,
    /// The free places for calls that last.
    places: Arc<Semaphore>,
    opened: Instant,
    gone: Arc<Gone>,
    driver: AbortHandle,
}

/// The server at the other end of a connection, and the URIs of its methods.
#[derive(Clone)]
pub(crate) struct ServerUris {
    /// `host:port`.
    pub(crate) server: Arc<str>,
    /// The URI of each method.
    uris: Arc<[(&'static str, Uri)]>,
}

impl ServerUris {
    /// Describes a server; the URIs of its methods have this scheme.
    pub(crate) fn of(server: &Arc<str>, scheme: &str) -> Result<Self, http::Error> {
        // The zone of an IPv6 address has a meaning only on this machine, so it is left out of the
        // URIs.
        let authority = match (server.find('%'), server.find(']')) {
            (Some(zone), Some(end)) if zone < end => {
                format!("{}{}", server.split_at(zone).0, server.split_at(end).1)
            }
            _ => server.to_string(),
        };
        let uri = |path: &&'static str| {
            let uri = Uri::builder().scheme(scheme).authority(&*authority).path_and_query(*path);
            Ok((*path, uri.build()?))
        };
        let uris: Result<_, http::Error> = method::ALL.iter().map(uri).collect();
        Ok(Self { server: server.clone(), uris: uris? })
    }

    fn uri(&self, path: &str) -> Option<Uri> {
        self.uris.iter().find(|(known, _)| *known == path).map(|(_, uri)| uri.clone())
    }
}

/// Whether a connection has ended, and why.
#[derive(Default)]
struct Gone {
    yes: AtomicBool,
    why: OnceLock<String>,
}

impl Connection {
    /// Starts HTTP/2 on a stream, and waits for the answer to a ping, which shows that the server
    /// speaks HTTP/2 too.
    pub(super) async fn handshake<S>(
        stream: S,
        about: ServerUris,
        purpose: Purpose,
    ) -> Result<Arc<Self>, String>
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let mut settings = Builder::new();
        settings
            .initial_window_size(purpose.stream_window())
            .initial_connection_window_size(purpose.connection_window())
            .enable_push(false);
        let no_http2 = |why: String| format!("it does not speak gRPC (HTTP/2): {why}");
        let opening = settings.handshake::<_, Bytes>(stream).await;
        let (requests, mut connection) = opening.map_err(|e| no_http2(e.to_string()))?;
        let pings = connection.ping_pong();
        let gone = Arc::new(Gone::default());
        let ended = gone.clone();
        let (first_pong, answered) = tokio::sync::oneshot::channel();
        let driver = tokio::spawn(async move {
            let why = tokio::select! {
                ended = gathered(connection) => ended.err().map(|e| e.to_string()),
                () = no_pong(pings, first_pong) => Some("no answer to a ping".to_owned()),
            };
            if let Some(why) = why {
                let _ = ended.why.set(why);
            }
            ended.yes.store(true, Ordering::Release);
        });
        if answered.await.is_err() {
            let why = gone.why.get().cloned();
            return Err(no_http2(why.unwrap_or_else(|| "it closed the connection".into())));
        }
        // The server's settings have arrived before its answer to the ping.
        let max_calls = requests.current_max_send_streams().min(MAX_CALLS as usize);
        let places = purpose.places(max_calls);
        Ok(Arc::new(Self {
            about,
            requests,
            load: Arc::default(),
            max_calls,
            places: Arc::new(Semaphore::new(places)),
            opened: Instant::now(),
            gone,
            driver: driver.abort_handle(),
        }))
    }

    pub(super) fn report_to(&self, observed: ObservedConnection) {
        self.load.report_to(observed);
    }

    pub(crate) fn server(&self) -> &Arc<str> {
        &self.about.server
    }

    /// The number of calls that are under way on this connection.
    pub(super) fn call_count(&self) -> usize {
        self.load.calls()
    }

    /// Whether another call would wait for those that are under way.
    pub(super) fn is_full(&self) -> bool {
        self.call_count() >= self.max_calls
    }

    /// Why the connection ended, if that is known.
    pub(super) fn why_gone(&self) -> Option<String> {
        self.gone.why.get().cloned()
    }

    pub(super) fn is_open(&self) -> bool {
        !self.gone.yes.load(Ordering::Acquire)
    }

    /// When the connection was opened.
    pub(super) fn opened(&self) -> Instant {
        self.opened
    }

    pub(super) fn age(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.opened)
    }

    /// Takes a place for a call that lasts; returns `None` if no place is free.
    pub(super) fn take_place(self: &Arc<Self>) -> Option<Place> {
        let taken = self.places.clone().try_acquire_owned().ok();
        taken
            .filter(|_| self.is_open())
            .map(|taken| Place { connection: self.clone(), _taken: taken })
    }

    /// Ends the connection, and the calls on it.
    pub(super) fn abort(&self) {
        self.gone.yes.store(true, Ordering::Release);
        self.driver.abort();
    }

    /// Sends a call that begins at `now`, and returns its response. `path` is the path of the
    /// method, and `frame` contains the message as gRPC frames it.
    pub(super) fn begin_call(
        &self,
        path: &'static str,
        headers: HeaderMap,
        frame: Bytes,
        now: Instant,
    ) -> Result<(ResponseFuture, CallInProgress), Status> {
        if !self.is_open() {
            return Err(incomplete_call_status(
                "the connection has ended".into(),
                CallProgress::NotSent,
            ));
        }
        let mut request = Request::new(());
        let no_method =
            || incomplete_call_status(format!("there is no method {path}"), CallProgress::NotSent);
        *request.uri_mut() = self.about.uri(path).ok_or_else(no_method)?;
        *request.method_mut() = Method::POST;
        *request.version_mut() = Version::HTTP_2;
        *request.headers_mut() = headers;
        let underway = CallInProgress::begin(self.load.clone(), frame.len(), now);
        // A clone of the sender does not wait for the streams of other clones. If the server allows
        // no more concurrent streams, the request is queued.
        let sent = self.requests.clone().send_request(request, false);
        let (response, mut stream) = sent.map_err(|e| {
            // The server is ending the connection. The calls on it go on, maybe for long, and no
            // other call can be sent on it.
            if e.is_go_away() {
                let _ = self.gone.why.set(e.to_string());
                self.gone.yes.store(true, Ordering::Release);
            }
            status_of_h2_error(&e, CallProgress::NotSent)
        })?;
        // If the stream has already ended, the answer says why.
        let _ = stream.send_data(frame, true);
        Ok((response, underway))
    }
}

/// A place on a connection for a call that lasts. It is free again when this value is dropped.
pub(crate) struct Place {
    connection: Arc<Connection>,
    _taken: OwnedSemaphorePermit,
}

impl Place {
    pub(crate) fn connection(&self) -> &Arc<Connection> {
        &self.connection
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let why = self.gone.why.get().cloned();
        self.load.notify_observed(|observed| {
            if let Some(why) = why {
                observed.set_broken(why);
            }
        });
    }
}

/// Polls `future` one turn after it is woken, so that everything that other ready tasks send in the
/// meantime is written in one piece.
async fn gathered<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut yields = false;
    poll_fn(|cx| {
        yields = !yields;
        if yields {
            // This thread wakes the future again, after it has run the tasks that are ready.
            let _ = pin!(yield_now()).poll(cx);
            return Poll::Pending;
        }
        future.as_mut().poll(cx)
    })
    .await
}

/// Pings the server regularly, and returns when a ping is not answered in time. Notifies `first` of
/// the first answer.
async fn no_pong(pings: Option<PingPong>, first: tokio::sync::oneshot::Sender<()>) {
    let Some(mut pings) = pings else { return };
    if pings.ping(Ping::opaque()).await.is_err() {
        // The connection is ending, and itself reports why.
        return std::future::pending().await;
    }
    let _ = first.send(());
    loop {
        sleep(PING_EVERY).await;
        match timeout(PONG_WITHIN, pings.ping(Ping::opaque())).await {
            Ok(Ok(_)) => {}
            Ok(Err(_)) => return std::future::pending().await,
            Err(_) => return,
        }
    }
}
