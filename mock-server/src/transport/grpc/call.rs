//! Runs the method of a received call, and sends the replies.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use bytes::Bytes;
use h2::SendStream;
use h2::server::SendResponse;
use http::header::AUTHORIZATION;
use http::request::Parts;
use tallrow_wire::bigtable::Status;
use tokio::sync::Notify;

use super::{body, metadata};
use crate::base::{lock, panic_text};
use crate::bigtable::{self, ReplyMessages, StatusCode, StatusResult};
use crate::transport::RpcServer;

/// A call that has been received.
pub(super) struct ReceivedCall {
    pub(super) rpc: RpcServer,
    pub(super) head: Parts,
    pub(super) message: Bytes,
    pub(super) respond: SendResponse<Bytes>,
    /// Closes the connection.
    pub(super) close: Arc<Notify>,
}

impl ReceivedCall {
    /// Applies the call and answers it.
    pub(super) async fn apply_and_reply(&mut self) -> Result<(), h2::Error> {
        match self.apply() {
            Ok(replies) => {
                let stream = self.respond.send_response(metadata::reply_head(), false)?;
                self.send(stream, replies).await
            }
            Err(status) => {
                self.record(&status);
                self.fail(&status, None)
            }
        }
    }

    /// The ids of the tables that the call is about.
    pub(super) fn tables(&self) -> Vec<Vec<u8>> {
        bigtable::table_ids_of_request(self.head.uri.path(), &self.message)
    }

    /// Records in the transcript what came of the call.
    fn record(&self, status: &Status) {
        if !self.rpc.calls.transcript.is_recording() {
            return;
        }
        let (method, tables) = (bigtable::method_name(self.head.uri.path()), self.tables());
        match status.code {
            0 => self.rpc.record_call(method, &tables, "answered"),
            code => {
                let name = StatusCode::name_of(code);
                self.rpc.record_call(method, &tables, format_args!("failed with {name}"));
            }
        }
    }

    /// Applies the call.
    pub(super) fn apply(&self) -> StatusResult<ReplyMessages> {
        if !self.rpc.server.is_alive() {
            return Err(StatusCode::Unavailable.status("the server stops"));
        }
        self.check_token()?;
        let call = bigtable::GrpcCall {
            cluster: &self.rpc.cluster,
            features: &|| metadata::features(&self.head.headers),
            needs_whole_rows: metadata::needs_whole_rows(&self.head.headers),
            message: self.message.clone(),
        };
        let replies = guarded(|| bigtable::run_method(self.head.uri.path(), &call));
        self.rpc.follow_up();
        self.check_data()?;
        replies
    }

    /// Rejects a call whose changes could not be kept: it must not be acknowledged.
    fn check_data(&self) -> StatusResult<()> {
        match self.rpc.cluster.data_failure() {
            None => Ok(()),
            Some(error) => {
                let text = format!("the mock cannot keep its data: {error}");
                Err(StatusCode::Unavailable.status(text))
            }
        }
    }

    /// Rejects a call without the access token that the cluster requires.
    fn check_token(&self) -> StatusResult<()> {
        let wanted = lock(&self.rpc.cluster.bigtable_token);
        let Some(wanted) = &*wanted else { return Ok(()) };
        let expected =
            "Expected OAuth 2 access token, login cookie or other valid authentication credential.";
        let given = self.head.headers.get(AUTHORIZATION);
        match given.map(|value| value.as_bytes().strip_prefix(b"Bearer ")) {
            Some(Some(token)) if token == wanted.as_bytes() => Ok(()),
            Some(_) => Err(StatusCode::Unauthenticated
                .status(format!("Request had invalid authentication credentials. {expected}"))),
            None => Err(StatusCode::Unauthenticated.status(format!(
                "Request is missing required authentication credential. {expected}"
            ))),
        }
    }

    /// Returns the next reply message.
    pub(super) fn next(&self, replies: &mut ReplyMessages) -> StatusResult<Option<Bytes>> {
        let next = guarded(|| replies.next(&self.rpc.cluster).transpose());
        self.check_data()?;
        next
    }

    /// Sends the reply messages, then the status.
    pub(super) async fn send(
        &self,
        mut stream: SendStream<Bytes>,
        mut replies: ReplyMessages,
    ) -> Result<(), h2::Error> {
        let status = loop {
            match self.next(&mut replies) {
                Ok(Some(frame)) => body::send(&mut stream, frame).await?,
                Ok(None) => match replies.wait(&self.rpc.cluster) {
                    None => break Status::default(),
                    Some(waiting) => tokio::select! {
                        biased;
                        // The client has given up, or has gone.
                        reset = poll_fn(|cx| stream.poll_reset(cx)) => return reset.map(drop),
                        () = waiting => {}
                    },
                },
                Err(status) => break status,
            }
        };
        self.record(&status);
        stream.send_trailers(metadata::trailers(&status))
    }

    /// Answers with a status alone.
    pub(super) fn fail(
        &mut self,
        status: &Status,
        cookie: Option<&(String, String)>,
    ) -> Result<(), h2::Error> {
        self.respond.send_response(metadata::status_only_head(status, cookie), true).map(drop)
    }
}

/// Turns a panic into a status.
fn guarded<R>(act: impl FnOnce() -> StatusResult<R>) -> StatusResult<R> {
    catch_unwind(AssertUnwindSafe(act)).unwrap_or_else(|panic| {
        let text = format!("the mock has a bug: {}", panic_text(&*panic));
        Err(StatusCode::Internal.status(text))
    })
}
