//! Connects a client to an instance.

use std::sync::Arc;

use tokio::time::Instant;

use super::channel::{Dialer, Pool, ServerUris};
use super::endpoint::Endpoint;
use super::instance::Instance;
use super::warming::{check_connection, warmer};
use crate::observe::Observers;
use crate::{Config, Error, ErrorKind, Result};

/// The name of Bigtable in OpenTelemetry's attribute `db.system.name`. OpenTelemetry has registered
/// no name for Bigtable; this one is like `gcp.spanner`, the name of another database of Google.
const SYSTEM: &str = "gcp.bigtable";
/// The number of connections to the service for rows.
const CONNECTIONS: usize = 4;

impl Instance {
    /// Connects to the instance at this endpoint, and makes sure that its service answers.
    pub(crate) async fn connect(address: &str, endpoint: Endpoint, config: Config) -> Result<Self> {
        let observers = Arc::new(Observers::new(config.observation.clone(), SYSTEM));
        let connector =
            match (endpoint.plaintext, config.host_overrides.wrap(config.connector.clone())) {
                (true, connector) => connector,
                (false, connector) => {
                    let tls = config.tls.clone().unwrap_or_default();
                    let read = tls.check_files().await;
                    read.map_err(|why| {
                        Error::invalid(format!("TLS: {why}")).with_operation_if_unset("connect")
                    })?;
                    tls.wrap_connector_with_alpn("h2", connector)
                }
            };
        let dial = |server: &Arc<str>| -> Result<Dialer> {
            let scheme = if endpoint.plaintext { "http" } else { "https" };
            let about = ServerUris::of(server, scheme).map_err(|_| {
                Error::invalid(format!("{server:?} is not a host and a port"))
                    .with_operation_if_unset("connect")
            })?;
            Ok(Dialer {
                about,
                connector: connector.clone(),
                timeout: config.connect_timeout,
                observers: observers.clone(),
            })
        };
        let (data, admin) = (dial(&endpoint.data)?, dial(&endpoint.admin)?);
        let min_dial_interval = config.failed_server_expiry;
        let data = match endpoint.plaintext {
            true => Pool::new(data, CONNECTIONS, min_dial_interval),
            false => Pool::new(data, CONNECTIONS, min_dial_interval)
                .with_warmer(warmer(endpoint.clone(), &config)),
        };
        let pools = (data, Pool::new(admin, 1, min_dial_interval));
        let instance = Self::new(endpoint, config, observers, pools);
        let deadline = Instant::now() + instance.config.connect_timeout;
        match check_connection(&instance, deadline).await {
            Ok(()) => Ok(instance),
            Err(error) => {
                if matches!(error.kind(), ErrorKind::InstanceNotFound | ErrorKind::PermissionDenied)
                {
                    return Err(error
                        .with_operation_if_unset("connect")
                        .on_server(&instance.endpoint.data));
                }
                let advice = match instance.endpoint.plaintext {
                    true => "is the emulator running there, and does it speak gRPC without TLS?",
                    false => "check the address, the credentials and the network",
                };
                let text = format!("{address} does not answer as Bigtable does: {error}; {advice}");
                let error = Error::new(error.kind(), text).caused_by(error);
                Err(error.with_operation_if_unset("connect").on_server(&instance.endpoint.data))
            }
        }
    }
}
