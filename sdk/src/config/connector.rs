//! How a client opens connections to servers: by TCP, or by a function of the program.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use socket2::{SockRef, TcpKeepalive};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

use crate::model::hosts::split;

/// The way in which a client opens connections to servers: by TCP, unless
/// [`Config::connector`](crate::Config::connector) sets another connector.
///
/// A custom connector can use a proxy or a tunnel, or connect to servers in the same process.
///
/// ```
/// use tallrow::{Client, Config, Connector, ErrorKind};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let tunnel = Connector::new(|host, port| async move {
///     assert_eq!((host.as_str(), port), ("master1", 16000));
///     Err::<tokio::net::TcpStream, _>(std::io::Error::other("the tunnel is closed"))
/// });
/// let config = Config::new().connector(tunnel);
/// let error = Client::connect_with("hbase+rpc://master1", config).await.unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Unreachable);
/// assert!(error.to_string().contains("the tunnel is closed"));
/// # }
/// ```
#[derive(Clone, Default)]
pub struct Connector(Option<Arc<Connect>>);

type Connect = dyn Fn(String, u16) -> BoxFuture<'static, io::Result<BoxedConnection>> + Send + Sync;

/// A connection that a custom connector opened.
pub(crate) type BoxedConnection = Box<dyn ReadWrite>;

/// A connection: a stream of bytes in both directions.
pub(crate) trait ReadWrite: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> ReadWrite for S {}

impl Connector {
    /// Creates a connector that opens TCP connections, without Nagle's algorithm and with
    /// keepalive.
    ///
    /// ```
    /// use tallrow::{Config, Connector};
    ///
    /// assert_eq!(Config::new().connector(Connector::tcp()), Config::new());
    /// ```
    pub fn tcp() -> Self {
        Self(None)
    }

    /// Creates a connector that opens each connection by a call of `connect` with the host and the
    /// port of the server.
    ///
    /// The future that `connect` returns is dropped if it takes longer than
    /// [`connect_timeout`](crate::Config::connect_timeout).
    ///
    /// See [`Connector`] for an example.
    pub fn new<F, S>(connect: impl Fn(String, u16) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = io::Result<S>> + Send + 'static,
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        Self(Some(Arc::new(move |host, port| {
            let connecting = connect(host, port);
            Box::pin(
                async move { connecting.await.map(|stream| Box::new(stream) as BoxedConnection) },
            )
        })))
    }

    /// Opens a connection to `host:port` with the custom function; returns `None` for TCP.
    pub(crate) fn connect(
        &self,
        address: &str,
    ) -> Option<BoxFuture<'static, io::Result<BoxedConnection>>> {
        self.0.as_ref()?;
        match host_of(address) {
            Ok((host, port)) => self.connect_host(host, port),
            Err(error) => Some(Box::pin(async { Err(error) })),
        }
    }

    /// Opens a connection to this port of a host with the custom function; returns `None` for TCP.
    pub(crate) fn connect_host(
        &self,
        host: &str,
        port: u16,
    ) -> Option<BoxFuture<'static, io::Result<BoxedConnection>>> {
        self.0.as_ref().map(|connect| connect(host.to_owned(), port))
    }
}

/// Splits `host:port` into the host, without brackets, and the port.
fn host_of(address: &str) -> io::Result<(&str, u16)> {
    let (host, port) = split(address);
    let no_port = || io::Error::new(io::ErrorKind::InvalidInput, "the address has no port");
    port.ok_or_else(no_port).map(|port| (host, port))
}

/// Opens a TCP connection to `host:port`, as [`connect_tcp_host`] does.
pub(crate) async fn connect_tcp(address: &str) -> io::Result<TcpStream> {
    let (host, port) = host_of(address)?;
    connect_tcp_host(host, port).await
}

/// Opens a TCP connection that sends small writes at once, and that notices a vanished host even
/// while nothing is being sent.
///
/// `host` has no brackets: the system's resolver accepts the zone in `fe80::1%eth0`, but no
/// brackets.
pub(crate) async fn connect_tcp_host(host: &str, port: u16) -> io::Result<TcpStream> {
    let stream = TcpStream::connect((host, port)).await?;
    stream.set_nodelay(true)?;
    let keepalive = TcpKeepalive::new()
        .with_time(Duration::from_secs(30))
        .with_interval(Duration::from_secs(10));
    SockRef::from(&stream).set_tcp_keepalive(&keepalive)?;
    Ok(stream)
}

/// A connector is equal to its clones, and two TCP connectors are equal.
impl PartialEq for Connector {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }
}

impl fmt::Debug for Connector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Connector(custom)" } else { "Connector(TCP)" })
    }
}
