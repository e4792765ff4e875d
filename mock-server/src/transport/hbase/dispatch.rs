//! Dispatches a request to its method, and appends the response.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use tallrow_wire::exception;
use tallrow_wire::frame::Request;
use tallrow_wire::proto::RequestHeader;
use tallrow_wire::region;

use crate::base::{limits, panic_text, remote_exception, to_string_binary};
use crate::faults::{CallTarget, Effect, region_name_of};
use crate::hbase::{self, Call, ClientInfo, Reply, Service};
use crate::state::server_text;
use crate::transport::RpcServer;

/// The number that is added to the id of a call to get an id that no call has.
const UNKNOWN_CALL: u32 = 1 << 30;

/// What a connection does after a request.
#[derive(Debug)]
pub(super) enum AfterRequest {
    /// The connection writes what was appended, if anything, and continues.
    Continue,
    /// The connection writes what was appended and closes.
    Close,
    /// The connection writes what was appended, and the server stops.
    Stop,
    /// The connection continues, and starts the call later.
    StartLater(Duration, Request),
    /// The connection continues. The call has started, and is finished later.
    FinishLater(Duration, Request),
    /// The connection writes what was appended byte by byte, with this pause before each byte.
    Trickle(Duration),
}

/// Handles a request: appends the response to `out`, or applies a fault.
pub(super) fn handle(
    rpc: &RpcServer,
    peer: &ClientInfo,
    mut request: Request,
    out: &mut BytesMut,
) -> AfterRequest {
    let method = request.header.method_name.clone().unwrap_or_default();
    rpc.calls.count_arrived(&method);
    if let Some(info) = &request.header.trace_info {
        rpc.calls.record_trace(&method, info);
    }
    let target =
        rpc.needs_call_target().then(|| CallTarget::of(&rpc.server, peer, &method, &request.param));
    let effect = target.as_ref().and_then(|target| rpc.effect_on_call(target));
    if !rpc.server.is_alive() {
        // A change that was planned for this call has killed the server.
        return AfterRequest::Close;
    }
    let call_id = request.header.call_id.unwrap_or(0);
    let at = out.len();
    match effect {
        None => {
            let outcome = respond(rpc, peer, request, out);
            let is_kept = !matches!(outcome, Outcome::NotKept);
            let stops = method == hbase::STOP_SERVER && matches!(outcome, Outcome::Answered);
            if let Some(target) = target {
                rpc.record_call(target.method, &target.tables, outcome);
            }
            if !is_kept {
                return AfterRequest::Close;
            }
            if stops {
                return AfterRequest::Stop;
            }
        }
        Some(Effect::DelayInQueue(delay)) => return AfterRequest::StartLater(delay, request),
        Some(Effect::PauseHandler(pause)) => return AfterRequest::FinishLater(pause, request),
        // The injector turns a queue into an exception or a pause.
        Some(Effect::LimitCallQueue { .. } | Effect::DropRequest) => {}
        Some(Effect::CloseBefore) => return AfterRequest::Close,
        Some(Effect::Throw(exception)) => {
            Reply { call_id, out, compression: None }.fail(&exception)
        }
        Some(Effect::NotServing) => {
            let region = region_name_of(&rpc.server, peer, &method, &request.param);
            let encoded = region::encoded_name(&region).unwrap_or_default();
            let (shown, now) = (to_string_binary(&region), rpc.cluster.clock.now());
            Reply { call_id, out, compression: None }
                .fail(&rpc.server.not_serving_or_moved(&encoded, &shown, now));
        }
        Some(Effect::DropReply) => {
            respond(rpc, peer, request, out);
            out.truncate(at);
        }
        Some(Effect::CloseAfter) => {
            respond(rpc, peer, request, out);
            out.truncate(at);
            return AfterRequest::Close;
        }
        Some(Effect::TruncateReply) => {
            respond(rpc, peer, request, out);
            out.truncate(at + (out.len() - at) / 2);
            return AfterRequest::Close;
        }
        Some(Effect::Garbage(bytes)) => {
            respond(rpc, peer, request, out);
            out.truncate(at);
            out.extend_from_slice(&bytes);
        }
        Some(Effect::Trickle(pause)) => {
            respond(rpc, peer, request, out);
            return AfterRequest::Trickle(pause);
        }
        // HBase's protocol has nothing like this effect.
        #[cfg(feature = "bigtable")]
        Some(Effect::Grpc(_)) => drop(respond(rpc, peer, request, out)),
        Some(Effect::WrongCallId) => {
            request.header.call_id = Some(call_id.wrapping_add(UNKNOWN_CALL));
            respond(rpc, peer, request, out);
        }
    }
    AfterRequest::Continue
}

/// What came of a call.
#[derive(Debug)]
pub(super) enum Outcome {
    /// It was answered.
    Answered,
    /// It was answered by an exception of this class.
    Threw(String),
    /// What it has changed could not be kept, so it was not answered.
    NotKept,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Answered => f.write_str("answered"),
            Self::Threw(class) => write!(f, "threw {class}"),
            Self::NotKept => f.write_str("not answered: the data cannot be kept"),
        }
    }
}

/// Whether a call has expired because it waited for the time `waited` before it was started.
pub(super) fn is_expired(header: &RequestHeader, waited: Duration) -> bool {
    let timeout = header.timeout.filter(|ms| *ms > 0);
    timeout.is_some_and(|ms| {
        waited > Duration::from_millis(ms.max(limits::MIN_CALL_TIMEOUT_MS).into())
    })
}

/// Calls the method of a request and appends the response. If the method panics, the response is an
/// exception.
pub(super) fn respond(
    rpc: &RpcServer,
    peer: &ClientInfo,
    request: Request,
    out: &mut BytesMut,
) -> Outcome {
    let RequestHeader { call_id, method_name, request_param, .. } = &request.header;
    let method = method_name.clone().unwrap_or_default();
    let at = out.len();
    let mut reply = Reply { call_id: call_id.unwrap_or(0), out, compression: peer.compression };
    if *request_param != Some(true) {
        let text = format!("Invalid request header: {method}, should have param set in it");
        reply.fail(&remote_exception(exception::DO_NOT_RETRY, text));
        return Outcome::Threw(exception::DO_NOT_RETRY.to_owned());
    }
    let cell_block = match peer.compression {
        None => request.cells,
        Some(codec) => match codec.decompress(&request.cells, limits::REQUEST_BYTES) {
            Ok(cells) => cells,
            Err(e) => {
                let (server, client) = (server_text(&rpc.server.name), &peer.address);
                let text =
                    format!("{server} is unable to read call parameter from client {client}; {e}");
                reply.fail(&remote_exception(exception::IO, text));
                return Outcome::Threw(exception::IO.to_owned());
            }
        },
    };
    let param = match (peer.service, &method[..]) {
        // What a master is told is small, and much of it is kept: names, schemas, the keys of
        // regions; and a scanner keeps what it was opened with. As parts of the connection's
        // buffer, they would keep all of that buffer.
        (Service::Master, _) | (_, "Scan") => Bytes::copy_from_slice(&request.param),
        _ => request.param,
    };
    let call = Call {
        cluster: &rpc.cluster,
        server: &rpc.server,
        peer,
        method: &method,
        param,
        cell_block,
    };
    let outcome = catch_unwind(AssertUnwindSafe(|| hbase::run_method(&call, &mut reply)));
    rpc.follow_up();
    if rpc.cluster.data_failure().is_some() {
        reply.out.truncate(at);
        return Outcome::NotKept;
    }
    let exception = match outcome {
        Ok(Ok(())) => return Outcome::Answered,
        Ok(Err(exception)) => exception,
        Err(panic) => {
            let text = format!("the mock has a bug: {method} panicked: {}", panic_text(&*panic));
            remote_exception(exception::DO_NOT_RETRY, text)
        }
    };
    reply.out.truncate(at);
    reply.fail(&exception);
    Outcome::Threw(exception.class)
}
