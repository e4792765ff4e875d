//! Reads the answer of a call as it arrives.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use h2::RecvStream;
use h2::client::ResponseFuture;
use http::{HeaderMap, HeaderName, StatusCode};
use tokio::time::Instant;
use tonic::{Code, Status};

use super::connection::{Connection, Place};
use super::frames::Frames;
use super::load::CallInProgress;
use crate::backend::bigtable::failure::{
    CallProgress, incomplete_call_status, status_of_h2_error, unreadable_answer_status,
};

/// The most messages that are read of a stream after its deadline has passed.
const LATE_MESSAGES: u32 = 64;

const STATUS: HeaderName = HeaderName::from_static("grpc-status");

/// A call that was sent and whose answer has not begun. If this value is dropped, the call is
/// cancelled.
pub(crate) struct SentCall {
    response: ResponseFuture,
    underway: Option<CallInProgress>,
    place: Option<Place>,
}

impl Connection {
    /// Sends a call that begins at `now`. `path` is the path of the method, and `frame` contains
    /// the message as gRPC frames it.
    pub(crate) fn send(
        &self,
        path: &'static str,
        headers: HeaderMap,
        frame: Bytes,
        now: Instant,
    ) -> Result<SentCall, Status> {
        let (response, underway) = self.begin_call(path, headers, frame, now)?;
        Ok(SentCall { response, underway: Some(underway), place: None })
    }
}

impl SentCall {
    /// Keeps the place of a call that lasts until the call ends.
    pub(crate) fn with_place(self, place: Option<Place>) -> Self {
        Self { place, ..self }
    }
}

impl Future for SentCall {
    /// The headers of the answer and the messages that follow, or the status of the failed call.
    type Output = Result<(HeaderMap, AnswerStream), Status>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let response = ready!(Pin::new(&mut self.response).poll(cx));
        let (head, stream) =
            response.map_err(|e| status_of_h2_error(&e, CallProgress::Unanswered))?.into_parts();
        let (underway, place) = (self.underway.take(), self.place.take());
        let frames = Frames::default();
        let mut answer =
            AnswerStream { stream, underway, _place: place, frames, ended: false, late: 0 };
        if head.headers.contains_key(STATUS) {
            answer.end();
            ended_by(&head.headers)?;
        } else if head.status != StatusCode::OK {
            answer.end();
            return Poll::Ready(Err(of_http(head.status)));
        }
        Poll::Ready(Ok((head.headers, answer)))
    }
}

/// A call whose answer has exactly one message. If this value is dropped, the call is cancelled.
pub(crate) struct UnaryAnswer {
    sent: SentCall,
    begun: Option<(HeaderMap, AnswerStream)>,
    message: Option<Bytes>,
}

impl SentCall {
    /// Returns a future that waits for the only message of the answer.
    pub(crate) fn single_message(self) -> UnaryAnswer {
        UnaryAnswer { sent: self, begun: None, message: None }
    }
}

impl Future for UnaryAnswer {
    type Output = Result<Bytes, Status>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let Self { sent, begun, message } = &mut *self;
        let (headers, answer) = match begun {
            Some(begun) => begun,
            None => begun.insert(ready!(Pin::new(sent).poll(cx))?),
        };
        let wrong = |text: &str| Poll::Ready(Err(unreadable_answer_status(text)));
        loop {
            match ready!(answer.poll_next(cx)) {
                Ok(Some(next)) => match message.replace(next) {
                    None => {}
                    Some(_) => return wrong("the answer has more than one message"),
                },
                Ok(None) => match message.take() {
                    Some(message) => return Poll::Ready(Ok(message)),
                    None => return wrong("the answer has no message"),
                },
                Err(mut status) => {
                    status.metadata_mut().as_mut().extend(std::mem::take(headers));
                    return Poll::Ready(Err(status));
                }
            }
        }
    }
}

/// The messages that follow the headers of an answer. If this value is dropped before the end of
/// the answer, the call is cancelled.
pub(crate) struct AnswerStream {
    stream: RecvStream,
    underway: Option<CallInProgress>,
    _place: Option<Place>,
    frames: Frames,
    ended: bool,
    /// How many messages have been read since the deadline has passed.
    late: u32,
}

impl AnswerStream {
    /// Whether the next message may be read. After the deadline, some messages may, because they
    /// may have arrived in time at a program that was not running; but not all, because a server
    /// may have another message ready for ever.
    pub(crate) fn may_be_read(&mut self, is_late: bool) -> bool {
        self.late = if is_late { self.late + 1 } else { 0 };
        self.late <= LATE_MESSAGES
    }

    /// Returns the next message; `None` after the last one. If the future is dropped before it is
    /// ready, no data is lost.
    pub(crate) async fn next(&mut self) -> Result<Option<Bytes>, Status> {
        poll_fn(|cx| self.poll_next(cx)).await
    }

    fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Result<Option<Bytes>, Status>> {
        loop {
            if self.ended {
                return Poll::Ready(Ok(None));
            }
            match self.frames.next() {
                Ok(Some(message)) => return Poll::Ready(Ok(Some(message))),
                Ok(None) => {}
                Err(status) => {
                    self.ended = true;
                    return Poll::Ready(Err(status));
                }
            }
            match ready!(self.stream.poll_data(cx)) {
                Some(Ok(data)) => {
                    if let Some(underway) = &mut self.underway {
                        underway.add_received_bytes(data.len());
                    }
                    // An error that occurs here is returned again by the next read.
                    let _ = self.stream.flow_control().release_capacity(data.len());
                    self.frames.push(data);
                }
                // After its answer, a server may end the stream with a reset whose reason is
                // `NO_ERROR`.
                Some(Err(e)) if e.reason() != Some(h2::Reason::NO_ERROR) || !e.is_reset() => {
                    self.ended = true;
                    return Poll::Ready(Err(status_of_h2_error(&e, CallProgress::Unanswered)));
                }
                Some(Err(_)) | None => {
                    let trailers = ready!(self.stream.poll_trailers(cx));
                    return Poll::Ready(self.ended_with(trailers).map(|()| None));
                }
            }
        }
    }

    /// Ends the answer with these trailers; fails if the call has not succeeded.
    fn ended_with(&mut self, trailers: Result<Option<HeaderMap>, h2::Error>) -> Result<(), Status> {
        self.ended = true;
        let trailers = trailers.map_err(|e| status_of_h2_error(&e, CallProgress::Unanswered))?;
        self.end();
        ended_by(&trailers.unwrap_or_default())?;
        match self.frames.is_empty() {
            true => Ok(()),
            false => Err(unreadable_answer_status("the answer ended within a message")),
        }
    }

    /// Notes that the whole answer has arrived.
    fn end(&mut self) {
        self.ended = true;
        if let Some(underway) = &mut self.underway {
            underway.mark_answered();
        }
    }
}

/// Reads the status of a call from the headers or trailers that contain it; fails if the call has
/// not succeeded.
fn ended_by(headers: &HeaderMap) -> Result<(), Status> {
    if headers.get(STATUS).is_some_and(|code| code == "0") {
        return Ok(());
    }
    let unknown = || {
        incomplete_call_status("the answer ended without a status".into(), CallProgress::Unanswered)
    };
    let status = Status::from_header_map(headers).ok_or_else(unknown)?;
    if status.code() == Code::Ok { Ok(()) } else { Err(status) }
}

/// Returns the status for an HTTP answer that has no gRPC status, as gRPC's document "HTTP to gRPC
/// Status Code Mapping" defines it.
fn of_http(code: StatusCode) -> Status {
    let text = format!("an answer of HTTP status {code} without a gRPC status");
    let code = match code {
        StatusCode::BAD_REQUEST => Code::Internal,
        StatusCode::UNAUTHORIZED => Code::Unauthenticated,
        StatusCode::FORBIDDEN => Code::PermissionDenied,
        StatusCode::NOT_FOUND => Code::Unimplemented,
        StatusCode::TOO_MANY_REQUESTS
        | StatusCode::BAD_GATEWAY
        | StatusCode::SERVICE_UNAVAILABLE
        | StatusCode::GATEWAY_TIMEOUT => Code::Unavailable,
        _ => Code::Unknown,
    };
    Status::new(code, text)
}
