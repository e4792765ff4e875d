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

/// How a client opens connections to servers: TCP, unless
/// [`Config::connector`](crate::Config::connector) specifies otherwise.
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

type Connect = dyn Fn(String, u16) -> BoxFuture<'static, io::Result<Stream>> + Send + Sync;

/// A connection that a custom connector opened.
pub(crate) type Stream = Box<dyn ReadWrite>;

/// What a connection is: bytes in both directions.
pub(crate) trait ReadWrite: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> ReadWrite for S {}

impl Connector {
    /// Opens TCP connections, without Nagle's algorithm and with keepalive.
    ///
    /// ```
    /// use tallrow::{Config, Connector};
    ///
    /// assert_eq!(Config::new().connector(Connector::tcp()), Config::new());
    /// ```
    pub fn tcp() -> Self {
        Self(None)
    }

    /// Calls `connect` with the host and the port of a server for each connection.
    ///
    /// It is given [`connect_timeout`](crate::Config::connect_timeout), then dropped.
    ///
    /// See [`Connector`] for an example.
    pub fn new<F, S>(connect: impl Fn(String, u16) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = io::Result<S>> + Send + 'static,
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        Self(Some(Arc::new(move |host, port| {
            let connecting = connect(host, port);
            Box::pin(async move { connecting.await.map(|stream| Box::new(stream) as Stream) })
        })))
    }

    /// A connection to `host:port`; `None` for TCP.
    pub(crate) fn connect(&self, address: &str) -> Option<BoxFuture<'static, io::Result<Stream>>> {
        self.0.as_ref()?;
        match host_of(address) {
            Ok((host, port)) => self.open(host, port),
            Err(error) => Some(Box::pin(async { Err(error) })),
        }
    }

    /// A connection to this port of a host; `None` for TCP.
    pub(crate) fn open(
        &self,
        host: &str,
        port: u16,
    ) -> Option<BoxFuture<'static, io::Result<Stream>>> {
        self.0.as_ref().map(|connect| connect(host.to_owned(), port))
    }
}

/// The host, without brackets, and the port of `host:port`.
fn host_of(address: &str) -> io::Result<(&str, u16)> {
    let (host, port) = split(address);
    let no_port = || io::Error::new(io::ErrorKind::InvalidInput, "the address has no port");
    port.ok_or_else(no_port).map(|port| (host, port))
}

/// A connection to `host:port`, as [`tcp_at`] opens it.
pub(crate) async fn tcp(address: &str) -> io::Result<TcpStream> {
    let (host, port) = host_of(address)?;
    tcp_at(host, port).await
}

/// Sends small writes at once, and notices a host that vanished although nothing is being sent.
///
/// The host has no brackets: the resolver of the system, which knows the zone in `fe80::1%eth0`,
/// takes none.
pub(crate) async fn tcp_at(host: &str, port: u16) -> io::Result<TcpStream> {
    let stream = TcpStream::connect((host, port)).await?;
    stream.set_nodelay(true)?;
    let keepalive = TcpKeepalive::new()
        .with_time(Duration::from_secs(30))
        .with_interval(Duration::from_secs(10));
    SockRef::from(&stream).set_tcp_keepalive(&keepalive)?;
    Ok(stream)
}

/// Clones of a connector are equal.
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
