//! Opens connections to an endpoint.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::timeout;

use super::connection::{About, Connection};
use crate::config::connector::{Connector, tcp};
use crate::observe::{ObservedConnection, Observers};

/// How connections to an endpoint are opened.
#[derive(Clone)]
pub(crate) struct Dial {
    pub(crate) about: About,
    pub(crate) connector: Connector,
    pub(crate) within: Duration,
    pub(crate) observers: Arc<Observers>,
}

impl Dial {
    /// Opens a connection, and waits until the server has answered on it. The error says why this
    /// failed.
    pub(super) async fn open(&self) -> Result<Arc<Connection>, String> {
        let observed = ObservedConnection::new(&self.observers, &self.about.server, "Bigtable");
        let opened = timeout(self.within, async {
            match self.connector.connect(&self.about.server) {
                Some(connecting) => {
                    let stream = connecting.await.map_err(|e| e.to_string())?;
                    self.greet(stream).await
                }
                None => {
                    let stream = tcp(&self.about.server).await.map_err(|e| e.to_string())?;
                    self.greet(stream).await
                }
            }
        });
        let begun = tokio::time::Instant::now();
        let opened = opened.await.unwrap_or_else(|_| {
            Err(format!("no answer within {:.1} s", self.within.as_secs_f64()))
        });
        match opened {
            Ok(connection) => {
                connection.report_to(observed.opened(begun.elapsed()));
                Ok(connection)
            }
            Err(why) => {
                observed.refused(&why);
                Err(why)
            }
        }
    }

    async fn greet<S>(&self, stream: S) -> Result<Arc<Connection>, String>
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        Connection::begin(stream, self.about.clone()).await
    }
}
