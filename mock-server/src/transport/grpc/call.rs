//! One call: its request is received, its method answers, its answers are sent, and the faults that happen meanwhile.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use bytes::Bytes;
use h2::server::SendResponse;
use h2::{RecvStream, SendStream};
use http::Request;
use http::request::Parts;
use tallrow_wire::bigtable::Status;
use tokio::sync::Notify;

use super::body::{self, Unreadable};
use super::{fault, metadata};
use crate::bigtable::{self, Replies, StatusCode, StatusResult};
use crate::faults::{CallTarget, Effect};
use crate::transport::RpcServer;

/// A call that has been received.
pub(super) struct Call {
    pub(super) rpc: RpcServer,
    pub(super) head: Parts,
    pub(super) message: Bytes,
    pub(super) respond: SendResponse<Bytes>,
    /// Closes the connection.
    pub(super) close: Arc<Notify>,
}

/// Receives a call and answers it.
pub(super) async fn answer(
    rpc: RpcServer,
    request: Request<RecvStream>,
    mut respond: SendResponse<Bytes>,
    close: Arc<Notify>,
) {
    let (head, mut body) = request.into_parts();
    if !metadata::is_grpc(&head.headers) {
        // An error means that the client has gone, here and below.
        let _ = respond.send_response(metadata::unsupported(), true);
        return;
    }
    let message = match body::receive(&mut body).await {
        Ok(message) => message,
        Err(Unreadable::Gone) => return,
        Err(Unreadable::Status(status)) => {
            let _ = respond.send_response(metadata::head_with(&status, None), true);
            return;
        }
    };
    let mut call = Call { rpc, head, message, respond, close };
    let method = bigtable::name(call.head.uri.path());
    call.rpc.calls.count_arrived(method);
    if let Some(trace) = metadata::trace(&call.head.headers) {
        call.rpc.calls.trace(method, &trace);
    }
    // As above.
    let _ = match call.fault() {
        None => call.finish().await,
        Some(effect) => fault::happen(&mut call, effect).await,
    };
}

impl Call {
    /// The fault that happens to the call.
    fn fault(&self) -> Option<Effect> {
        if !self.rpc.faults.any() {
            return None;
        }
        let path = self.head.uri.path();
        let tables = bigtable::tables_of(path, &self.message);
        let (method, role) = (bigtable::name(path), self.rpc.server.role);
        self.rpc.faults.of_call(&CallTarget { method, role, tables })
    }

    /// Applies the call and answers it.
    pub(super) async fn finish(&mut self) -> Result<(), h2::Error> {
        match self.apply() {
            Ok(replies) => {
                let stream = self.respond.send_response(metadata::head(), false)?;
                self.send(stream, replies).await
            }
            Err(status) => self.fail(&status, None),
        }
    }

    /// Applies the call.
    pub(super) fn apply(&self) -> StatusResult<Replies> {
        if !self.rpc.server.is_alive() {
            return Err(StatusCode::Unavailable.status("the server stops"));
        }
        let call = bigtable::Call {
            cluster: &self.rpc.cluster,
            features: metadata::features(&self.head.headers),
            message: self.message.clone(),
        };
        guarded(|| bigtable::run(self.head.uri.path(), &call))
    }

    /// The next message of an answer.
    pub(super) fn next(&self, replies: &mut Replies) -> StatusResult<Option<Bytes>> {
        guarded(|| replies.next(&self.rpc.cluster).transpose())
    }

    /// Sends the messages of an answer, then its status.
    pub(super) async fn send(
        &self,
        mut stream: SendStream<Bytes>,
        mut replies: Replies,
    ) -> Result<(), h2::Error> {
        loop {
            let status = match self.next(&mut replies) {
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

    /// Answers with a status alone.
    pub(super) fn fail(
        &mut self,
        status: &Status,
        cookie: Option<&(String, String)>,
    ) -> Result<(), h2::Error> {
        self.respond.send_response(metadata::head_with(status, cookie), true).map(drop)
    }
}

/// Turns a panic into a status.
fn guarded<R>(act: impl FnOnce() -> StatusResult<R>) -> StatusResult<R> {
    catch_unwind(AssertUnwindSafe(act)).unwrap_or_else(|panic| {
        let what = panic.downcast_ref::<String>().map(String::as_str);
        let what = what.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("?");
        Err(StatusCode::Internal.status(format!("the mock has a bug: {what}")))
    })
}
