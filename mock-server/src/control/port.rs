//! Serves the control port: HTTP/1.1 over any byte stream.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response, StatusCode, header};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite, DuplexStream};
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::timeout;

use super::routes::{self, Call};
use crate::mock_cluster::{MockCluster, bind_again};

/// The size of the buffer of a connection, which also limits the headers of a request.
const BUFFER_BYTES: usize = 64 << 10;

/// How long a request may take to arrive.
const ARRIVAL_TIME: Duration = Duration::from_secs(30);

/// The maximum number of connections; further ones wait.
const CONNECTIONS: usize = 100;

/// The number of bytes that a connection in memory holds in each direction.
const PIPE_BYTES: usize = 64 << 10;

/// The control port of a cluster, which is closed when this is dropped. As long as it is open, it
/// keeps the cluster alive.
///
/// ```
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// use tallrow_mock::MockCluster;
///
/// let cluster = MockCluster::start().await.unwrap();
/// let control = cluster.serve_control(([127, 0, 0, 1], 0).into()).await.unwrap();
/// assert_eq!(control.url(), format!("http://{}", control.address()));
/// # });
/// ```
#[derive(Debug)]
#[must_use]
pub struct ControlPort {
    address: SocketAddr,
    accepting: JoinHandle<()>,
}

impl ControlPort {
    /// The address on which the port listens.
    ///
    /// See [`ControlPort`] for an example.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The URL of the port, `http://host:port`, for a browser or a client of HTTP.
    ///
    /// See [`ControlPort`] for an example.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for ControlPort {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let listener = std::net::TcpListener::bind(address)?;
    listener.set_nonblocking(true)?;
    TcpListener::from_std(listener)
}

impl MockCluster {
    /// Opens a control port on this address (on any free port, if the port is 0), and records the
    /// transcript from now on. Whoever reaches the port controls the cluster.
    ///
    /// See [`ControlPort`] for an example.
    ///
    /// # Errors
    /// The port cannot be bound.
    pub async fn serve_control(&self, address: SocketAddr) -> io::Result<ControlPort> {
        let listener = match self.cluster().journal {
            None => listen(address)?,
            Some(_) => bind_again(
                &self.cluster().identity,
                "control",
                address.port(),
                |port| listen(SocketAddr::new(address.ip(), port)),
                |listener| Ok(listener.local_addr()?.port()),
            )?,
        };
        let address = listener.local_addr()?;
        self.record_transcript();
        let accepting = tokio::spawn(accept(self.clone(), listener));
        Ok(ControlPort { address, accepting })
    }

    /// Opens a connection to a control port in memory, for tests in paused time. Must be called
    /// inside a tokio runtime.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// use tallrow_mock::MockCluster;
    /// use tokio::io::{AsyncReadExt, AsyncWriteExt};
    ///
    /// let cluster = MockCluster::builder().in_memory().clock_start_ms(7_000).start().await.unwrap();
    /// let mut stream = cluster.dial_control();
    /// stream.write_all(b"GET /faults HTTP/1.1\r\nConnection: close\r\n\r\n").await.unwrap();
    /// let mut answer = String::new();
    /// stream.read_to_string(&mut answer).await.unwrap();
    /// assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"));
    /// assert!(answer.ends_with("\r\n\r\n[]\n"));
    /// # });
    /// ```
    pub fn dial_control(&self) -> DuplexStream {
        self.record_transcript();
        let (client, stream) = tokio::io::duplex(PIPE_BYTES);
        tokio::spawn(serve(self.clone(), stream));
        client
    }
}

/// Accepts connections until the task is aborted, which also ends the connections.
async fn accept(cluster: MockCluster, listener: TcpListener) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept(), if connections.len() < CONNECTIONS => match accepted {
                Ok((stream, _)) => drop(connections.spawn(serve(cluster.clone(), stream))),
                // The connection may have broken before it was accepted, or there are no file
                // descriptors at the moment.
                Err(_) => tokio::task::yield_now().await,
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

/// Serves a connection until the client closes it or breaks the protocol.
async fn serve<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(
    cluster: MockCluster,
    stream: S,
) {
    let service = service_fn(move |request| {
        let cluster = cluster.clone();
        async move { Ok::<_, Infallible>(answer(&cluster, request).await) }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(ARRIVAL_TIME).max_buf_size(BUFFER_BYTES);
    // An error ends the connection, and there is no caller to report it to.
    let _ = http.serve_connection(TokioIo::new(stream), service).await;
}

/// Receives the body of a request, and answers it.
async fn answer(cluster: &MockCluster, request: Request<Incoming>) -> Response<Full<Bytes>> {
    let (head, body) = request.into_parts();
    let limit = routes::body_limit(head.uri.path());
    let body = match timeout(ARRIVAL_TIME, Limited::new(body, limit).collect()).await {
        Ok(Ok(body)) => body.to_bytes(),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            let text = format!("the body is too large, expected at most {limit} bytes");
            return routes::failure(StatusCode::PAYLOAD_TOO_LARGE, &text);
        }
        Ok(Err(error)) => {
            let text = format!("the body did not arrive: {error}");
            return routes::failure(StatusCode::BAD_REQUEST, &text);
        }
        Err(_) => {
            let text = format!("the body did not arrive within {} s", ARRIVAL_TIME.as_secs());
            return routes::failure(StatusCode::REQUEST_TIMEOUT, &text);
        }
    };
    let accept = head.headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    let call = Call {
        method: &head.method,
        path: head.uri.path(),
        wants_html: accept.is_some_and(|accept| accept.contains("text/html")),
        body: &body,
    };
    routes::answer(cluster, &call)
}
