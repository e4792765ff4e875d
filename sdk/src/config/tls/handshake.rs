//! The TLS handshake on a new connection, and the encrypted stream after it.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, PoisonError};
use std::task::{Context, Poll, ready};

use rustls_023::ClientConfig;
use rustls_023::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::files::{LoadedConfig, TlsFiles};
use super::refusal::{Peer, is_disconnect};
use super::settings::{Source, Tls};
use crate::config::connector::{BoxedConnection, Connector, connect_tcp_host};

impl Tls {
    /// Reads the files, so that an error in them is found before any connection is opened.
    pub(crate) async fn check_files(&self) -> Result<(), String> {
        match &self.source {
            Source::Files(files) => self.current(files).await.map(drop),
            Source::Given(_) => Ok(()),
        }
    }

    /// Returns a connector that opens connections as `connector` does, and encrypts them.
    pub(crate) fn wrap_connector(self, connector: Connector) -> Connector {
        self.speaking(None, connector)
    }

    /// Returns a connector that opens connections as `connector` does, and encrypts them. The
    /// server has to agree to `protocol` in the handshake (ALPN).
    #[cfg(feature = "bigtable")]
    pub(crate) fn wrap_connector_with_alpn(
        self,
        protocol: &'static str,
        connector: Connector,
    ) -> Connector {
        self.speaking(Some(protocol), connector)
    }

    fn speaking(self, protocol: Option<&'static str>, connector: Connector) -> Connector {
        Connector::new(move |host, port| {
            let (tls, connector) = (self.clone(), connector.clone());
            async move {
                // The future is on the heap, because a handshake has a large state and connections
                // are rarely opened.
                Box::pin(async move {
                    let stream: BoxedConnection = match connector.connect_host(&host, port) {
                        Some(connecting) => connecting.await?,
                        None => Box::new(connect_tcp_host(&host, port).await?),
                    };
                    tls.encrypt(stream, host, protocol).await
                })
                .await
            }
        })
    }

    async fn encrypt<S>(
        &self,
        stream: S,
        host: String,
        protocol: Option<&str>,
    ) -> io::Result<Encrypted<S>>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let (mut config, peer) = self.with_peer(host).await.map_err(refused)?;
        if let Some(protocol) = protocol {
            Arc::make_mut(&mut config).alpn_protocols = vec![protocol.into()];
        }
        let name = ServerName::try_from(peer.host.clone()).map_err(|_| {
            refused(format!("{} is no name that a certificate can have", peer.host))
        })?;
        match TlsConnector::from(config).connect(name, stream).await {
            Ok(stream) => {
                let agreed = stream.get_ref().1.alpn_protocol();
                match protocol.filter(|protocol| agreed != Some(protocol.as_bytes())) {
                    None => Ok(Encrypted { stream, peer, heard: false }),
                    Some(protocol) => {
                        let host = &peer.host;
                        Err(refused(format!("{host} does not agree to the protocol {protocol}")))
                    }
                }
            }
            Err(error) => Err(refused(peer.handshake_error(&error, protocol.is_some()))),
        }
    }

    /// Returns the configuration for a new connection, and the details for errors of this
    /// connection.
    async fn with_peer(&self, host: String) -> Result<(Arc<ClientConfig>, Peer), String> {
        match &self.source {
            Source::Given(config) => {
                let trusted = "those of the given configuration".into();
                let certificate = config.client_auth_cert_resolver.has_certs();
                let identity = certificate.then(|| "of the given configuration".into());
                Ok((
                    config.clone(),
                    Peer { host, trusted, identity, asked: None, reload_error: None },
                ))
            }
            Source::Files(files) => {
                let (loaded, unread) = self.current(files).await?;
                let identity =
                    files.identity.as_ref().map(|(store, _)| store.path.display().to_string());
                let asked = Some(loaded.certificate_requested.clone());
                let peer = Peer {
                    host,
                    trusted: files.authorities_text(),
                    identity,
                    asked,
                    reload_error: unread,
                };
                Ok((loaded.config.clone(), peer))
            }
        }
    }

    /// Returns what the files contain. If they have changed and cannot be read, returns what they
    /// contained before, and why they cannot be read.
    async fn current(
        &self,
        files: &TlsFiles,
    ) -> Result<(Arc<LoadedConfig>, Option<String>), String> {
        let (files, cached) = (files.clone(), self.loaded.clone());
        let read = move || {
            let earlier = cached.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let same = earlier.filter(|earlier| earlier.stamps == files.stamps());
            if let Some(same) = same {
                return Ok((same, None));
            }
            let mut cached = cached.lock().unwrap_or_else(PoisonError::into_inner);
            match (files.load(), &*cached) {
                (Ok(loaded), _) => {
                    let loaded = Arc::new(loaded);
                    *cached = Some(loaded.clone());
                    Ok((loaded, None))
                }
                (Err(why), Some(earlier)) => Ok((earlier.clone(), Some(why))),
                (Err(why), None) => Err(why),
            }
        };
        let joined = tokio::task::spawn_blocking(read).await;
        joined.unwrap_or_else(|e| Err(format!("reading the files failed: {e}")))
    }
}

/// Makes an error that means that the server accepted nothing that was sent.
fn refused(why: String) -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, format!("TLS: {why}"))
}

/// A connection with TLS. With TLS 1.3, the server verifies the client's certificate after the
/// client has ended its part of the handshake, so the first thing that the client reads can be a
/// refusal.
struct Encrypted<S> {
    stream: TlsStream<S>,
    peer: Peer,
    /// Whether the server has sent anything.
    heard: bool,
}

impl<S> Encrypted<S> {
    fn explained(&self, error: io::Error) -> io::Error {
        if self.heard {
            return error;
        }
        if let Some(why) = self.peer.refusal_after_handshake(&error) {
            return refused(why);
        }
        match self.peer.guess_close_reason() {
            Some(why) if is_disconnect(&error) => {
                io::Error::new(error.kind(), format!("TLS: {why}"))
            }
            _ => error,
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Encrypted<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        match ready!(Pin::new(&mut self.stream).poll_read(cx, buffer)) {
            Ok(()) if buffer.filled().len() == before && !self.heard => {
                Poll::Ready(match self.peer.guess_close_reason() {
                    Some(_) => Err(self.explained(io::ErrorKind::UnexpectedEof.into())),
                    None => Ok(()),
                })
            }
            Ok(()) => {
                self.heard = true;
                Poll::Ready(Ok(()))
            }
            Err(error) => Poll::Ready(Err(self.explained(error))),
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Encrypted<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = ready!(Pin::new(&mut self.stream).poll_write(cx, bytes));
        Poll::Ready(written.map_err(|error| self.why_not_written(cx, error)))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = ready!(Pin::new(&mut self.stream).poll_flush(cx));
        Poll::Ready(flushed.map_err(|error| self.why_not_written(cx, error)))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Encrypted<S> {
    /// Returns the error of a failed write. A server that refuses a certificate sends the reason
    /// and closes the connection, so the reason may still be unread when a write fails.
    fn why_not_written(&mut self, cx: &mut Context<'_>, error: io::Error) -> io::Error {
        if self.heard {
            return error;
        }
        let mut byte = [0];
        match Pin::new(&mut self.stream).poll_read(cx, &mut ReadBuf::new(&mut byte)) {
            Poll::Ready(Err(said)) => self.explained(said),
            _ => self.explained(error),
        }
    }
}
