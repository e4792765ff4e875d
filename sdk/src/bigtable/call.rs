//! One call, once: its headers, its deadline, its answer.

use std::sync::Arc;
use std::time::Duration;

use http::{HeaderMap, HeaderValue};
use prost::Message;
use tokio::time::{Instant, timeout_at};
use tonic::{Code, Status, Streaming};

use super::channel::{Pool, Sent};
use super::codec::{self, ToFrame};
use super::endpoint::Endpoint;
use super::failure::{Failure, Reached};
use super::headers::{CallHeaders, Cookies, of_calls};
use super::instance::Instance;
use super::reaction::{Reaction, unknown};
use crate::attempts::Attempts;
use crate::{ErrorKind, Result};

/// How long the answer of a server that ends a call at its deadline may be under way.
const GRACE: Duration = Duration::from_millis(250);

/// What an attempt of a call has besides its message.
pub(super) struct Sending<'a> {
    pub(super) instance: &'a Instance,
    pub(super) pool: &'a Arc<Pool>,
    pub(super) path: &'static str,
    /// Those that all calls of its kind have.
    pub(super) headers: &'a HeaderMap,
    pub(super) deadline: Instant,
    /// Whether the server is told the deadline.
    pub(super) limited: bool,
}

impl Sending<'_> {
    /// A call with one answer.
    pub(super) async fn unary<R>(
        &self,
        message: &impl ToFrame,
        attempts: &mut Attempts,
        cookies: &mut Cookies,
    ) -> Result<R, Failure>
    where
        R: Message + Default + 'static,
    {
        let begun = Instant::now();
        let (sent, token) = self.send(message, attempts, cookies).await?;
        let answer = attempts.traced(async { codec::message(sent.await?).await });
        match timeout_at(self.deadline + GRACE, answer).await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(status)) => Err(self.failed(&status, begun, cookies, token.as_ref())),
            Err(_) => Err(Failure::timed_out(begun.elapsed())),
        }
    }

    /// A call with a stream of answers, which has begun.
    pub(super) async fn streaming<R>(
        &self,
        message: &impl ToFrame,
        attempts: &mut Attempts,
        cookies: &mut Cookies,
    ) -> Result<Streaming<R>, Failure>
    where
        R: Message + Default + 'static,
    {
        let begun = Instant::now();
        let (sent, token) = self.send(message, attempts, cookies).await?;
        let answer = attempts.traced(async { codec::messages(sent.await?) });
        match timeout_at(self.deadline + GRACE, answer).await {
            Ok(Ok((headers, stream))) => {
                cookies.keep(&headers);
                cookies.accept();
                Ok(stream)
            }
            Ok(Err(status)) => Err(self.failed(&status, begun, cookies, token.as_ref())),
            Err(_) => Err(Failure::timed_out(begun.elapsed())),
        }
    }

    /// The failure of this call. A token that was refused is not used again, and another one is tried once.
    fn failed(
        &self,
        status: &Status,
        begun: Instant,
        cookies: &mut Cookies,
        token: Option<&HeaderValue>,
    ) -> Failure {
        let mut failure = failed_by(status, begun, self.deadline, cookies);
        if let (Code::Unauthenticated, Some(tokens), Some(token)) =
            (status.code(), &self.instance.endpoint.tokens, token)
        {
            tokens.refused(token);
            failure.renewable = cookies.refuse();
        }
        failure
    }

    /// The call on the connection that it gets, and the token that goes with it.
    async fn send(
        &self,
        message: &impl ToFrame,
        attempts: &mut Attempts,
        cookies: &Cookies,
    ) -> Result<(Sent, Option<HeaderValue>), Failure> {
        let connection = self.pool.connection(self.deadline).await?;
        attempts.sent_to(connection.server());
        let token = token(&self.instance.endpoint, self.deadline).await?;
        let left = self.deadline.saturating_duration_since(Instant::now());
        let headers = CallHeaders {
            of_all: self.headers,
            cookies,
            trace: attempts.trace_context(),
            token: token.as_ref(),
            timeout: self.limited.then_some(left),
        };
        Ok((connection.send(self.path, headers.map(), message.to_frame()?), token))
    }
}

/// An access token that is valid now, if the service wants one.
pub(super) async fn token(
    endpoint: &Endpoint,
    deadline: Instant,
) -> Result<Option<HeaderValue>, Failure> {
    let Some(tokens) = &endpoint.tokens else { return Ok(None) };
    tokens.bearer(deadline).await.map(Some).map_err(|error| {
        let text = format!("there is no access token: {error}");
        match error.kind() {
            ErrorKind::Unreachable | ErrorKind::Timeout => Failure::not_sent(text),
            _ => Failure::local(Code::Unauthenticated, text, Reached::Nothing),
        }
    })
}

/// The failure of a call, whose cookies are kept for the next attempt.
pub(super) fn failed(status: &Status, cookies: &mut Cookies) -> Failure {
    cookies.keep(status.metadata().as_ref());
    Failure::from(status)
}

/// The same of a call that had a deadline: a server may reset its stream then instead of answering.
fn failed_by(status: &Status, begun: Instant, deadline: Instant, cookies: &mut Cookies) -> Failure {
    match failed(status, cookies) {
        failure if failure.reached == Reached::Server && Instant::now() >= deadline => {
            Failure::timed_out(begun.elapsed())
        }
        failure => failure,
    }
}

/// The next answer of a stream; none at its end.
pub(super) async fn next<R: 'static>(
    stream: &mut Streaming<R>,
    deadline: Instant,
    cookies: &mut Cookies,
) -> Result<Option<R>, Failure> {
    let begun = Instant::now();
    match timeout_at(deadline + GRACE, stream.message()).await {
        Ok(Ok(message)) => Ok(message),
        Ok(Err(status)) => Err(failed_by(&status, begun, deadline, cookies)),
        Err(_) => Err(Failure::timed_out(begun.elapsed())),
    }
}

impl Instance {
    /// A call of the service for tables, tried again until its deadline passes if it may be sent twice. It is routed by
    /// this parameter and its value.
    pub(crate) async fn admin_call<R>(
        &self,
        path: &'static str,
        (parameter, value): (&str, &str),
        message: impl Message,
        repeatable: bool,
        attempts: &mut Attempts,
    ) -> Result<R>
    where
        R: Message + Default + 'static,
    {
        let headers = of_calls(&[(parameter, value)]);
        let mut cookies = Cookies::default();
        loop {
            attempts.begin_next();
            let sending = Sending {
                instance: self,
                pool: &self.admin,
                path,
                headers: &headers,
                deadline: attempts.deadline(),
                limited: true,
            };
            let answer = sending.unary(&message, attempts, &mut cookies).await;
            let failure = match answer {
                Ok(answer) => return Ok(answer),
                Err(failure) => failure,
            };
            match failure.reaction(&self.endpoint.admin) {
                Reaction::Fail(error) => return Err(error),
                Reaction::Again(error, _) if !repeatable && failure.may_have_happened() => {
                    return Err(unknown(error));
                }
                Reaction::Again(error, wait) => attempts.again(error, wait).await?,
            }
        }
    }
}
