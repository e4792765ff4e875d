//! One call: its request is received, its method answers, its answers are sent.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use bytes::Bytes;
use h2::server::SendResponse;
use h2::{RecvStream, SendStream};
use http::Request;
use tallrow_wire::bigtable::{FeatureFlags, Status};
use tokio::sync::Notify;

use super::body::{self, Unreadable};
use super::metadata;
use crate::bigtable::{self, Call, Replies, StatusCode, StatusResult};
use crate::transport::RpcServer;

/// Answers a call.
pub(super) async fn answer(
    rpc: RpcServer,
    request: Request<RecvStream>,
    mut respond: SendResponse<Bytes>,
    _close: Arc<Notify>,
) {
    let (head, mut body) = request.into_parts();
    if !metadata::is_grpc(&head.headers) {
        // An error means that the client has gone, here and below.
        let _ = respond.send_response(metadata::unsupported(), true);
        return;
    }
    let path = head.uri.path();
    let message = match body::receive(&mut body).await {
        Ok(message) => message,
        Err(Unreadable::Gone) => return,
        Err(Unreadable::Status(status)) => return fail(respond, &status),
    };
    rpc.calls.count_arrived(bigtable::name(path));
    let features = metadata::features(&head.headers);
    match run(&rpc, path, features, message) {
        Ok(replies) => {
            let Ok(stream) = respond.send_response(metadata::head(), false) else { return };
            let _ = send_all(&rpc, stream, replies).await;
        }
        Err(status) => fail(respond, &status),
    }
}

/// Answers with a status alone.
fn fail(mut respond: SendResponse<Bytes>, status: &Status) {
    let mut head = metadata::head();
    head.headers_mut().extend(metadata::trailers(status));
    let _ = respond.send_response(head, true);
}

/// Sends the messages of an answer, then its status.
async fn send_all(
    rpc: &RpcServer,
    mut stream: SendStream<Bytes>,
    mut replies: Replies,
) -> Result<(), h2::Error> {
    loop {
        let status = match guarded(|| replies.next(&rpc.cluster).transpose()) {
            Ok(Some(frame)) => {
                body::send(&mut stream, frame).await?;
                continue;
            }
            Ok(None) => Status::default(),
            Err(status) => status,
        };
        return stream.send_trailers(metadata::trailers(&status));
    }
}

/// Calls the method of a request.
fn run(
    rpc: &RpcServer,
    path: &str,
    features: FeatureFlags,
    message: Bytes,
) -> StatusResult<Replies> {
    let call = Call { cluster: &rpc.cluster, features, message };
    guarded(|| bigtable::run(path, &call))
}

/// Turns a panic into a status.
fn guarded<R>(act: impl FnOnce() -> StatusResult<R>) -> StatusResult<R> {
    catch_unwind(AssertUnwindSafe(act)).unwrap_or_else(|panic| {
        let what = panic.downcast_ref::<String>().map(String::as_str);
        let what = what.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("?");
        Err(StatusCode::Internal.status(format!("the mock has a bug: {what}")))
    })
}
