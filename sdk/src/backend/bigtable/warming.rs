//! Warms connections: asks the service to make a connection ready for an instance.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use super::call::access_token;
use super::channel::{Connection, Warmer};
use super::codec::{self, ToFrame};
use super::endpoint::Endpoint;
use super::failure::Failure;
use super::headers::{CallHeaders, RoutingState, SharedHeaders};
use super::instance::Instance;
use super::reaction::Reaction;
use crate::wire::bigtable::{PingAndWarmRequest, PingAndWarmResponse, method};
use crate::{Config, Error, ErrorKind, Result};

/// Makes sure that the service answers: opens a connection, and warms it if it uses TLS, as
/// connections to the real service do.
pub(super) async fn check_connection(instance: &Instance, deadline: Instant) -> Result<()> {
    let endpoint = &instance.endpoint;
    let error = |failure: Failure| match failure.message.contains("does not speak gRPC") {
        true => Error::new(ErrorKind::Protocol, failure.message).on_server(&endpoint.data),
        false => match failure.reaction(&endpoint.data) {
            Reaction::Fail(error) | Reaction::Again(error, _) => error,
        },
    };
    let connection = instance.data.connection(Instant::now(), deadline).await.map_err(error)?;
    match endpoint.plaintext {
        true => Ok(()),
        false => warm(connection, endpoint, deadline).await.map_err(error),
    }
}

/// Returns a function that warms a new connection. A connection that could not be warmed is used
/// nevertheless: the calls on it report what is wrong.
pub(super) fn warmer(endpoint: Endpoint, config: &Config) -> Warmer {
    let within: Duration = config.connect_timeout;
    Arc::new(move |connection| {
        let endpoint = endpoint.clone();
        Box::pin(async move {
            warm(connection, &endpoint, Instant::now() + within).await.ok();
        })
    })
}

async fn warm(
    connection: Arc<Connection>,
    endpoint: &Endpoint,
    deadline: Instant,
) -> Result<(), Failure> {
    let begun = Instant::now();
    let name = endpoint.instance_name();
    let app_profile_id = endpoint.app_profile.clone();
    let token = access_token(endpoint, deadline).await?;
    let routing = [("name", &*name), ("app_profile_id", &*app_profile_id)];
    let left = deadline.saturating_duration_since(begun);
    let headers = CallHeaders {
        shared_headers: &SharedHeaders::new(&routing, left),
        cookies: &RoutingState::default(),
        trace: None,
        token: token.as_ref(),
        timeout: Some(left),
    };
    let frame = PingAndWarmRequest { name, app_profile_id }.to_frame()?;
    let sent = connection.send(method::PING_AND_WARM, headers.to_header_map(), frame, begun);
    let answer = async { codec::decode::<PingAndWarmResponse>(sent?.single_message().await?) };
    match timeout_at(deadline, answer).await {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(status)) => Err(Failure::from(&status)),
        Err(_) => Err(Failure::timed_out(begun.elapsed())),
    }
}
