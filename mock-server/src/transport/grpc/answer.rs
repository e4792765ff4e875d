//! Receives a call and answers it, unless a fault prevents that.

use std::sync::Arc;

use bytes::Bytes;
use h2::RecvStream;
use h2::server::SendResponse;
use http::Request;
use tokio::sync::Notify;

use super::body::{self, Unreadable};
use super::call::ReceivedCall;
use super::{fault, metadata};
use crate::bigtable;
use crate::faults::{CallTarget, Effect};
use crate::transport::RpcServer;

/// Receives a call and answers it.
pub(super) async fn answer(
    rpc: RpcServer,
    request: Request<RecvStream>,
    mut respond: SendResponse<Bytes>,
    close: Arc<Notify>,
) {
    let (head, mut body) = request.into_parts();
    if !metadata::is_grpc(&head.headers) {
        // In this function, an error of a response means that the client has gone.
        let _ = respond.send_response(metadata::unsupported_media_type(), true);
        return;
    }
    let message = match body::receive(&mut body).await {
        Ok(message) => message,
        Err(Unreadable::Gone) => return,
        Err(Unreadable::Status(status)) => {
            let _ = respond.send_response(metadata::status_only_head(&status, None), true);
            return;
        }
    };
    let mut call = ReceivedCall { rpc, head, message, respond, close };
    let method = bigtable::method_name(call.head.uri.path());
    call.rpc.calls.count_arrived(method);
    if let Some(trace) = metadata::trace_headers(&call.head.headers) {
        call.rpc.calls.record_trace(method, &trace);
    }
    // An error means that the client has gone.
    let _ = match fault_of(&call) {
        None => call.apply_and_reply().await,
        // This is boxed because faults are rare, and otherwise every task would be as large as this
        // future.
        Some(effect) => Box::pin(fault::answer_with_fault(&mut call, effect)).await,
    };
}

/// Applies the changes that are to happen before the call, and returns the effect of the fault that
/// fires for it, if any.
fn fault_of(call: &ReceivedCall) -> Option<Effect> {
    if !call.rpc.faults.has_faults() {
        return None;
    }
    let (method, role) = (bigtable::method_name(call.head.uri.path()), call.rpc.server.role);
    call.rpc.effect_on_call(&CallTarget { method, role, tables: call.tables() })
}
