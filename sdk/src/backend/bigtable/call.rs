//! One attempt of a call: its headers, its deadline and its answer.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt;
use http::HeaderValue;
use prost::Message;
use tokio::time::{Instant, timeout_at};
use tonic::{Code, Status};

use super::channel::{AnswerStream, Pool, SentCall};
use super::codec::{self, ToFrame};
use super::endpoint::Endpoint;
use super::failure::{CallProgress, Failure};
use super::headers::{CallHeaders, RoutingState, SharedHeaders};
use super::instance::Instance;
use super::retry::RetryState;
use crate::backend::attempts::Attempts;
use crate::backend::repeat::Idempotency;
use crate::{ErrorKind, Result};

/// How long the client still waits for an answer after the deadline of an attempt: a server that
/// ends the attempt at its deadline needs some time to send this answer.
const GRACE: Duration = Duration::from_millis(250);

/// The deadline of an attempt, and the instant until which the client waits for its answer.
#[derive(Clone, Copy)]
pub(super) struct AttemptDeadline {
    /// The deadline that is sent to the server.
    pub(super) deadline: Instant,
    wait_until: Instant,
    set_at: Instant,
}

impl AttemptDeadline {
    /// Returns the limit of waiting that begins now. The wait may take at most `max`, and never
    /// lasts beyond the deadline of the operation, even if an answer is on its way.
    pub(super) fn of(attempts: &Attempts, max: Duration) -> Self {
        Self::since(Instant::now(), attempts, max)
    }

    /// Returns the limit of the latest attempt, like [`of`](Self::of). Since it is counted from the
    /// beginning of the attempt, most attempts have the same timeout.
    pub(super) fn of_attempt(attempts: &Attempts, max: Duration) -> Self {
        Self::since(attempts.attempt_started_at(), attempts, max)
    }

    fn since(begun: Instant, attempts: &Attempts, max: Duration) -> Self {
        let deadline = attempts.attempt_deadline(begun, max);
        let wait_until = (deadline + GRACE).min(attempts.deadline());
        Self { deadline, wait_until, set_at: begun }
    }

    /// Returns the limit of waiting for a message of a stream that belongs to no attempt.
    pub(super) fn within(max: Duration) -> Self {
        let set_at = Instant::now();
        Self { deadline: set_at + max, wait_until: set_at + max, set_at }
    }
}

/// What an attempt of a call needs in addition to its message.
pub(super) struct AttemptContext<'a> {
    pub(super) instance: &'a Instance,
    pub(super) pool: &'a Arc<Pool>,
    pub(super) path: &'static str,
    /// The headers that all calls with the same routing parameters have.
    pub(super) headers: &'a SharedHeaders,
    pub(super) limit: AttemptDeadline,
    /// Whether the call lasts as long as its reader reads it. The deadline is then not sent to the
    /// server, and the call takes one of the places for such calls.
    pub(super) lasts: bool,
}

impl AttemptContext<'_> {
    /// Makes a call whose answer is a single message, and decodes this message with `read`.
    pub(super) async fn unary<T>(
        &self,
        message: &impl ToFrame,
        attempts: &mut Attempts,
        cookies: &mut RoutingState,
        read: fn(Bytes) -> Result<T, Status>,
    ) -> Result<T, Failure> {
        let begun = attempts.attempt_started_at();
        let (sent, token) = self.send(message, attempts, cookies).await?;
        match timeout_at(self.limit.wait_until, attempts.traced(sent.single_message())).await {
            Ok(Ok(answer)) => read(answer).map_err(|status| Failure::from(&status)),
            Ok(Err(status)) => Err(self.failed(&status, begun, cookies, token.as_ref())),
            Err(_) => Err(Failure::timed_out(begun.elapsed())),
        }
    }

    /// Makes a call whose answer has several messages, and returns the answer as soon as it has
    /// begun.
    pub(super) async fn streaming(
        &self,
        message: &impl ToFrame,
        attempts: &mut Attempts,
        cookies: &mut RoutingState,
    ) -> Result<AnswerStream, Failure> {
        let begun = attempts.attempt_started_at();
        let (sent, token) = self.send(message, attempts, cookies).await?;
        match timeout_at(self.limit.wait_until, attempts.traced(sent)).await {
            Ok(Ok((headers, answer))) => {
                cookies.keep(&headers);
                cookies.note_token_accepted();
                Ok(answer)
            }
            Ok(Err(status)) => Err(self.failed(&status, begun, cookies, token.as_ref())),
            Err(_) => Err(Failure::timed_out(begun.elapsed())),
        }
    }

    /// Converts the status of this failed call to a failure. If the service has refused the token,
    /// that token is not used again, and another token is tried once.
    fn failed(
        &self,
        status: &Status,
        begun: Instant,
        cookies: &mut RoutingState,
        token: Option<&HeaderValue>,
    ) -> Failure {
        let mut failure = failed_by(status, begun, self.limit.deadline, cookies);
        if let (Code::Unauthenticated, Some(tokens), Some(token)) =
            (status.code(), &self.instance.endpoint.tokens, token)
        {
            tokens.forget(token);
            failure.token_refused_once = cookies.note_token_refused();
        }
        failure
    }

    /// Sends the call on a connection of the pool. Returns the sent call, and the token that was
    /// sent with it.
    async fn send(
        &self,
        message: &impl ToFrame,
        attempts: &mut Attempts,
        cookies: &RoutingState,
    ) -> Result<(SentCall, Option<HeaderValue>), Failure> {
        let begun = attempts.attempt_started_at();
        let deadline = self.limit.deadline;
        let (connection, place) = match self.lasts {
            false => (self.pool.connection(begun, deadline).await?, None),
            true => {
                let place = self.pool.place(begun, deadline).await?;
                (place.connection().clone(), Some(place))
            }
        };
        attempts.record_server(connection.server());
        let token = access_token(&self.instance.endpoint, deadline).await?;
        let left = deadline.saturating_duration_since(begun);
        let headers = CallHeaders {
            shared_headers: self.headers,
            cookies,
            trace: attempts.trace_context(),
            token: token.as_ref(),
            timeout: (!self.lasts).then_some(left),
        };
        let sent = connection.send(self.path, headers.to_header_map(), message.to_frame()?, begun);
        let sent = sent.map_err(|status| Failure::from(&status))?;
        Ok((sent.with_place(place), token))
    }
}

/// Returns an access token that is valid now; `None` if the service needs no token.
pub(super) async fn access_token(
    endpoint: &Endpoint,
    deadline: Instant,
) -> Result<Option<HeaderValue>, Failure> {
    let Some(tokens) = &endpoint.tokens else { return Ok(None) };
    tokens.authorization_header(deadline).await.map(Some).map_err(|error| {
        let text = format!("there is no access token: {error}");
        match error.kind() {
            ErrorKind::Unreachable | ErrorKind::Timeout => Failure::not_sent(text),
            _ => Failure::new(Code::Unauthenticated, text, CallProgress::NotSent),
        }
    })
}

/// Converts the status of a failed call into a failure, and keeps the routing cookies for the next
/// attempt.
fn failure_of_status(status: &Status, cookies: &mut RoutingState) -> Failure {
    cookies.keep(status.metadata().as_ref());
    Failure::from(status)
}

/// Converts the status of a call that had a deadline into a failure. After the deadline, a server
/// may reset the stream instead of answering; such a failure is treated as a timeout.
fn failed_by(
    status: &Status,
    begun: Instant,
    deadline: Instant,
    cookies: &mut RoutingState,
) -> Failure {
    match failure_of_status(status, cookies) {
        failure if failure.reached == CallProgress::Unanswered && Instant::now() >= deadline => {
            Failure::timed_out(begun.elapsed())
        }
        failure => failure,
    }
}

/// Returns the next message of an answer; `None` at its end.
pub(super) async fn next_message(
    answer: &mut AnswerStream,
    limit: AttemptDeadline,
    cookies: &mut RoutingState,
) -> Result<Option<Bytes>, Failure> {
    let begun = Instant::now();
    // `timeout_at` looks at the clock only if no message is ready.
    if !answer.may_be_read(begun >= limit.wait_until) {
        return Err(Failure::unfinished(begun - limit.set_at));
    }
    match timeout_at(limit.wait_until, answer.next()).await {
        Ok(Ok(message)) => Ok(message),
        Ok(Err(status)) => Err(failed_by(&status, begun, limit.deadline, cookies)),
        Err(_) => Err(Failure::timed_out(begun.elapsed())),
    }
}

/// Returns the next message of an answer like [`next_message`] if it has already arrived and the
/// deadline has not passed.
pub(super) fn arrived_message(
    answer: &mut AnswerStream,
    limit: AttemptDeadline,
    cookies: &mut RoutingState,
) -> Option<Result<Option<Bytes>, Failure>> {
    if !answer.may_be_read(Instant::now() >= limit.wait_until) {
        return None;
    }
    let message = answer.next().now_or_never()?;
    Some(message.map_err(|status| failure_of_status(&status, cookies)))
}

impl Instance {
    /// Returns how long a stream may be silent before another stream is opened; `own` is the
    /// attempt timeout set in the options of the operation, if any. At first, this is as long as an
    /// attempt of a read may take. It doubles for each of the `silent_streams` before this stream,
    /// because a server may look at many rows before it finds one.
    pub(super) fn stream_silence_limit(
        &self,
        own_timeout: Option<Duration>,
        silent_streams: u32,
    ) -> Duration {
        self.attempt_timeout(Idempotency::Read, own_timeout)
            .saturating_mul(1 << silent_streams.min(16))
    }

    /// Makes a call to the service for tables, and tries again after temporary failures until the
    /// deadline passes. The service routes the call by `parameter` and its `value`.
    pub(crate) async fn admin_call<R>(
        &self,
        path: &'static str,
        (parameter, value): (&str, &str),
        message: impl Message,
        idempotency: Idempotency,
        attempts: &mut Attempts,
    ) -> Result<R>
    where
        R: Message + Default,
    {
        let headers = SharedHeaders::new(&[(parameter, value)], self.config.attempt_timeout);
        let mut cookies = RoutingState::default();
        let mut retry = RetryState::new(idempotency);
        loop {
            attempts.begin_attempt_keeping_first_start();
            let sending = AttemptContext {
                instance: self,
                pool: &self.admin,
                path,
                headers: &headers,
                limit: AttemptDeadline::of(attempts, Duration::MAX),
                lasts: false,
            };
            let answer = sending.unary(&message, attempts, &mut cookies, codec::decode).await;
            match answer {
                Ok(answer) => return Ok(answer),
                Err(failure) => retry.pause(&failure, &self.endpoint.admin, attempts).await?,
            }
        }
    }
}
