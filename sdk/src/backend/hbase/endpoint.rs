//! Calls of coprocessor endpoints, which are services of a region; the region is found by a row
//! key.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::time::{Instant, timeout_at};

use super::cluster::Cluster;
use super::location::Location;
use super::reaction;
use super::region::LookupTarget;
use super::retry::{Attempts, CacheInvalidation, RetryDecision, Wait, answer_or_pause, classify};
use super::rpc::{Call, CallError, Service, region_specifier};
use super::table_name;
use crate::wire::exception::RemoteException;
use crate::wire::proto::{
    CoprocessorServiceCall, CoprocessorServiceRequest, CoprocessorServiceResponse,
};
use crate::{ErrorKind, Result, TableName};

/// A call of a method of a coprocessor's service, with the message that is sent to the method.
pub(crate) struct ServiceCall<'a> {
    /// The name of the service, without `hbase.pb.` in front.
    pub(crate) service: &'a str,
    pub(crate) method: &'a str,
    /// The encoded parameter message.
    pub(crate) request: Bytes,
    /// Whether the call may be sent again although an earlier attempt may have been executed.
    pub(crate) repeatable: bool,
    /// Whether the call is known to change something: then the outcome of an unanswered attempt is
    /// unknown, even if the call is repeatable.
    pub(crate) writes: bool,
    /// The time that one attempt may take.
    pub(crate) attempt_timeout: Duration,
    pub(crate) priority: u32,
    /// Finds an answer that the service gives while it is not ready.
    pub(crate) not_ready: NotReady,
}

/// Returns the exception in an answer with which a service says that it is not ready yet and has
/// done nothing; `None` for all other answers. Some services do not throw this exception.
pub(crate) type NotReady = fn(&Bytes) -> Option<RemoteException>;

/// Calls the service of the region that holds a row, and returns the location of the region and the
/// encoded answer.
pub(crate) async fn exec_service(
    cluster: &Cluster,
    table: &TableName,
    row: &[u8],
    service: &ServiceCall<'_>,
    attempts: &mut Attempts,
) -> Result<(Arc<Location>, Bytes)> {
    let mut failed: Option<Arc<Location>> = None;
    let mut lost = false;
    let answer = async {
        loop {
            attempts.begin_attempt();
            let attempt = async {
                let location = loop {
                    let wanted = LookupTarget::Containing(row);
                    match cluster
                        .locate_or_pause(table, wanted, failed.as_deref(), attempts)
                        .await?
                    {
                        Some(location) => break location,
                        None => attempts.begin_attempt(),
                    }
                };
                let error = match send_once(cluster, table, row, service, &location, attempts).await
                {
                    Ok(answer) => match (service.not_ready)(&answer) {
                        None => return Ok((location, answer)),
                        // Nothing was done, so even a call that is not repeatable is sent again.
                        Some(exception) => {
                            let error = reaction::error(ErrorKind::ServerError, &exception)
                                .on_server(location.server_address())
                                .in_region(&location.name_bytes());
                            let stale = CacheInvalidation::Nothing;
                            return Err(RetryDecision::Again(error, Wait::RegionMoved, stale));
                        }
                    },
                    Err(error) => error,
                };
                lost |= error.may_have_happened() && (service.writes || !service.repeatable);
                let thrown = matches!(error, CallError::Exception(_));
                match classify(error, location.server_address()).in_region(&location.name_bytes()) {
                    RetryDecision::Again(error, _, _) if lost && !service.repeatable => {
                        Err(error.into())
                    }
                    RetryDecision::Again(error, wait, stale) => {
                        cluster.apply_invalidation(table, &location, &stale);
                        failed = (thrown && stale == CacheInvalidation::Region).then_some(location);
                        Err(RetryDecision::Again(error, wait, stale))
                    }
                    fail => Err(fail),
                }
            };
            let attempt = attempt.await;
            if let Some(answer) = answer_or_pause(attempt, attempts).await? {
                return Ok(answer);
            }
        }
    };
    let answer: Result<_> = answer.await;
    answer.map_err(|error| match lost {
        true => error.into_unknown("no answer says whether it was executed; it may or may not be"),
        false => error,
    })
}

async fn send_once(
    cluster: &Cluster,
    table: &TableName,
    row: &[u8],
    service: &ServiceCall<'_>,
    location: &Location,
    attempts: &mut Attempts,
) -> Result<Bytes, CallError> {
    attempts.record_server(location.server_address());
    let timeout = attempts.left(service.attempt_timeout);
    let request = CoprocessorServiceRequest {
        region: region_specifier(&location.name_bytes()),
        call: CoprocessorServiceCall {
            row: Bytes::copy_from_slice(row),
            service_name: service.service.to_owned(),
            method_name: service.method.to_owned(),
            request: service.request.clone(),
        },
    };
    let call = Call {
        method: "ExecService",
        param: &request,
        high_priority: table_name::is_system(table),
        timeout,
    };
    let server = location.server_address();
    let answer =
        cluster.servers.call_with_min_priority(server, Service::Client, call, service.priority);
    match timeout_at(Instant::now() + timeout, attempts.traced(answer)).await {
        Ok(answer) => {
            let (response, _): (CoprocessorServiceResponse, _) = answer?;
            Ok(response.value.value.unwrap_or_default())
        }
        Err(_) => Err(CallError::TimedOut { after: timeout, sent: true }),
    }
}
