//! From a request frame to the handler of its method, and from there to what is written back.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use prost::Message;
use tallrow_wire::exception;
use tallrow_wire::frame::Request;
use tallrow_wire::proto::{MultiRequest, RegionSpecifier, RequestHeader, ScanRequest, TableName};
use tallrow_wire::region;

use crate::call::{Call, Peer, Reply, Service};
use crate::cluster::{Cluster, lock};
use crate::fault::{self, Effect, FaultCall};
use crate::remote_exception::remote_exception;
use crate::server::{Role, Server};
use crate::{limits, methods};

/// What is added to a call's id to have one that was never given.
const UNKNOWN_CALL: u32 = 1 << 30;

/// What a connection does after a call.
#[derive(Debug)]
pub(crate) enum After {
    /// It writes what was appended, if anything, and goes on.
    GoOn,
    /// It writes what was appended and closes.
    Close,
    /// It goes on, and begins the call later.
    Queued(Duration, Request),
    /// It goes on, and carries out the call, which has begun, later.
    Paused(Duration, Request),
    /// It writes what was appended byte by byte, with this pause before each.
    Trickle(Duration),
}

/// Answers one request: appends a response frame to `out`, or does what a fault says.
pub(crate) fn answer(
    cluster: &Cluster,
    server: &Server,
    peer: &Peer,
    mut request: Request,
    out: &mut BytesMut,
) -> After {
    let method = request.header.method_name.clone().unwrap_or_default();
    lock(&cluster.calls).arrived(&method);
    let effect = match cluster.faults.any() {
        true => {
            let tables = tables_of(server, peer, &method, &request.param);
            let call = FaultCall { method: &method, server: server.number(), tables: &tables };
            cluster.faults.of_call(&call)
        }
        false => None,
    };
    let call_id = request.header.call_id.unwrap_or(0);
    let at = out.len();
    match effect {
        None => respond(cluster, server, peer, request, out),
        Some(Effect::DelayInQueue(delay)) => return After::Queued(delay, request),
        Some(Effect::PauseHandler(pause)) => return After::Paused(pause, request),
        Some(Effect::DropRequest) => {}
        Some(Effect::CloseBefore) => return After::Close,
        Some(Effect::Throw(exception)) => Reply { call_id, out }.fail(&exception),
        Some(Effect::NotServing) => {
            let region = region_of(server, peer, &method, &request.param);
            let encoded = region::encoded_name(&region).unwrap_or_default();
            let shown = crate::region::show(&region);
            let exception = server.not_serving(&encoded, &shown, cluster.clock.now());
            Reply { call_id, out }.fail(&exception);
        }
        Some(Effect::LoseReply) => {
            respond(cluster, server, peer, request, out);
            out.truncate(at);
        }
        Some(Effect::CloseAfter) => {
            respond(cluster, server, peer, request, out);
            out.truncate(at);
            return After::Close;
        }
        Some(Effect::CutFrame) => {
            respond(cluster, server, peer, request, out);
            out.truncate(at + (out.len() - at) / 2);
            return After::Close;
        }
        Some(Effect::Garbage(bytes)) => {
            respond(cluster, server, peer, request, out);
            out.truncate(at);
            out.extend_from_slice(&bytes);
        }
        Some(Effect::Trickle(pause)) => {
            respond(cluster, server, peer, request, out);
            return After::Trickle(pause);
        }
        Some(Effect::AnswerUnknownCall) => {
            request.header.call_id = Some(call_id.wrapping_add(UNKNOWN_CALL));
            respond(cluster, server, peer, request, out);
        }
    }
    After::GoOn
}

/// Whether a call that is begun so long after it arrived is to be dropped.
pub(crate) fn is_expired(header: &RequestHeader, waited: Duration) -> bool {
    let timeout = header.timeout.filter(|ms| *ms > 0);
    timeout.is_some_and(|ms| {
        waited > Duration::from_millis(ms.max(limits::MIN_CALL_TIMEOUT_MS).into())
    })
}

/// Answers one request, faults aside. A handler that panics is answered as an exception.
pub(crate) fn respond(
    cluster: &Cluster,
    server: &Server,
    peer: &Peer,
    request: Request,
    out: &mut BytesMut,
) {
    let RequestHeader { call_id, method_name, request_param, .. } = &request.header;
    let method = method_name.clone().unwrap_or_default();
    let at = out.len();
    let mut reply = Reply { call_id: call_id.unwrap_or(0), out };
    if *request_param != Some(true) {
        let text = format!("Invalid request header: {method}, should have param set in it");
        reply.fail(&remote_exception(exception::DO_NOT_RETRY, text));
        return;
    }
    let call =
        Call { cluster, server, peer, method: &method, param: request.param, cells: request.cells };
    let outcome = catch_unwind(AssertUnwindSafe(|| methods::run(&call, &mut reply)));
    let exception = match outcome {
        Ok(Ok(())) => return,
        Ok(Err(exception)) => exception,
        Err(panic) => {
            let what = panic.downcast_ref::<String>().map(String::as_str);
            let what = what.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("?");
            fault::of_a_bug(&method, what)
        }
    };
    reply.out.truncate(at);
    reply.fail(&exception);
}

/// The tables a call is about.
fn tables_of(server: &Server, peer: &Peer, method: &str, param: &Bytes) -> Vec<Vec<u8>> {
    let of_region = |name: &[u8]| name.split(|b| *b == b',').next().unwrap_or_default().to_vec();
    match (peer.service, method) {
        (Service::Client, "Multi") => {
            let request = MultiRequest::decode(param.clone()).unwrap_or_default();
            request.region_action.iter().map(|a| of_region(&a.region.value)).collect()
        }
        (Service::Client | Service::Admin, _) => {
            vec![of_region(&region_of(server, peer, method, param))]
        }
        (Service::Master, _) => match FirstTable::decode(param.clone()) {
            Ok(FirstTable { table: Some(name) }) => vec![region::table_text(&name)],
            _ => Vec::new(),
        },
        (Service::Registry, _) => Vec::new(),
    }
}

/// The name of the region a call is about; of a batch, the first one.
fn region_of(server: &Server, peer: &Peer, method: &str, param: &Bytes) -> Bytes {
    if !matches!(peer.service, Service::Client | Service::Admin) || server.role == Role::Master {
        return Bytes::new();
    }
    match method {
        "Scan" => {
            let request = ScanRequest::decode(param.clone()).unwrap_or_default();
            match (request.region, request.scanner_id) {
                (Some(region), _) => region.value,
                (None, Some(id)) => {
                    server.scanners().region_of(id).map(|r| r.name.clone()).unwrap_or_default()
                }
                (None, None) => Bytes::new(),
            }
        }
        "Multi" => {
            let request = MultiRequest::decode(param.clone()).unwrap_or_default();
            request.region_action.first().map(|a| a.region.value.clone()).unwrap_or_default()
        }
        _ => FirstRegion::decode(param.clone()).unwrap_or_default().region.value,
    }
}

/// Most requests to a region server start with the region.
#[derive(Clone, PartialEq, prost::Message)]
struct FirstRegion {
    #[prost(message, required, tag = "1")]
    region: RegionSpecifier,
}

/// Most requests about a table start with its name, or with its schema, which starts with its name.
#[derive(Clone, PartialEq, prost::Message)]
struct FirstTable {
    #[prost(message, optional, tag = "1")]
    table: Option<TableName>,
}
