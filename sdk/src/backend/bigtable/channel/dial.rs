//! Opens connections to an endpoint.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::timeout;

use super::connection::{Connection, Purpose, ServerUris};
use crate::config::connector::{Connector, connect_tcp};
use crate::observe::{ObservedConnection, Observers};

/// How connections to an endpoint are opened.
#[derive(Clone)]
pub(crate) struct Dialer {
    pub(crate) about: ServerUris,
    pub(crate) connector: Connector,
    pub(crate) timeout: Duration,
    pub(crate) observers: Arc<Observers>,
}

impl Dialer {
    /// Opens a connection, and waits until the server has answered on it. The error says why this
    /// failed.
    pub(super) async fn open(&self, purpose: Purpose) -> Result<Arc<Connection>, String> {
        let observed = ObservedConnection::new(&self.observers, &self.about.server, "Bigtable");
        let opened = timeout(self.timeout, async {
            match self.connector.connect(&self.about.server) {
                Some(connecting) => {
                    let stream = connecting.await.map_err(|e| e.to_string())?;
                    self.greet(stream, purpose).await
                }
                None => {
                    let stream =
                        connect_tcp(&self.about.server).await.map_err(|e| e.to_string())?;
                    self.greet(stream, purpose).await
                }
            }
        });
        let begun = tokio::time::Instant::now();
        let opened = opened.await.unwrap_or_else(|_| {
            Err(format!("no answer within {:.1} s", self.timeout.as_secs_f64()))
        });
        match opened {
            Ok(connection) => {
                connection.report_to(observed.report_opened(begun.elapsed()));
                Ok(connection)
            }
            Err(why) => {
                observed.report_refused(&why);
                Err(why)
            }
        }
    }

    async fn greet<S>(&self, stream: S, purpose: Purpose) -> Result<Arc<Connection>, String>
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        Connection::handshake(stream, self.about.clone(), purpose).await
    }
}
