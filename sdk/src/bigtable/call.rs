//! One call, once: its headers, its deadline, its answer.

use std::sync::Arc;
use std::time::Duration;

use http::HeaderValue;
use http::uri::PathAndQuery;
use prost::Message;
use tokio::time::{Instant, timeout_at};
use tonic::client::Grpc;
use tonic::metadata::AsciiMetadataValue;
use tonic::{Code, Status, Streaming};

use super::channel::{Connection, Lane, Pool};
use super::codec::MessageCodec;
use super::endpoint::Endpoint;
use super::failure::{Failure, Reached};
use super::headers::{CallHeaders, Cookies, routing};
use super::instance::Instance;
use super::reaction::{Reaction, unknown};
use crate::attempts::Attempts;
use crate::{ErrorKind, Result};

/// How long the answer of a server that ends a call at its deadline may be under way.
const GRACE: Duration = Duration::from_millis(250);
/// A message has at most a row, and what goes with it.
const MAX_MESSAGE: usize = 300 << 20;

/// What an attempt of a call has besides its message.
pub(super) struct Sending<'a> {
    pub(super) instance: &'a Instance,
    pub(super) pool: &'a Arc<Pool>,
    pub(super) path: &'static str,
    pub(super) routing: Option<&'a AsciiMetadataValue>,
    pub(super) deadline: Instant,
    /// Whether the server is told the deadline.
    pub(super) limited: bool,
}

impl Sending<'_> {
    /// A call with one answer.
    pub(super) async fn unary<M, R>(
        &self,
        message: impl Into<Arc<M>>,
        attempts: &mut Attempts,
        cookies: &mut Cookies,
    ) -> Result<R, Failure>
    where
        M: Message + 'static,
        R: Message + Default + 'static,
    {
        let begun = Instant::now();
        let (mut grpc, request, token) = self.prepare(message.into(), attempts, cookies).await?;
        let codec = MessageCodec::<M, R>::of(request.get_ref());
        let answer = grpc.unary(request, self.path(), codec);
        let answer = attempts.traced(answer);
        match timeout_at(self.deadline + GRACE, answer).await {
            Ok(Ok(answer)) => Ok(answer.into_inner()),
            Ok(Err(status)) => Err(self.failed(&status, begun, cookies, token.as_ref())),
            Err(_) => Err(Failure::timed_out(begun.elapsed())),
        }
    }

    /// A call with a stream of answers, which has begun.
    pub(super) async fn streaming<M, R>(
        &self,
        message: impl Into<Arc<M>>,
        attempts: &mut Attempts,
        cookies: &mut Cookies,
    ) -> Result<Streaming<R>, Failure>
    where
        M: Message + 'static,
        R: Message + Default + 'static,
    {
        let begun = Instant::now();
        let (mut grpc, request, token) = self.prepare(message.into(), attempts, cookies).await?;
        let codec = MessageCodec::<M, R>::of(request.get_ref());
        let answer = grpc.server_streaming(request, self.path(), codec);
        let answer = attempts.traced(answer);
        match timeout_at(self.deadline + GRACE, answer).await {
            Ok(Ok(answer)) => {
                cookies.keep(answer.metadata());
                cookies.accept();
                Ok(answer.into_inner())
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

    fn path(&self) -> PathAndQuery {
        PathAndQuery::from_static(self.path)
    }

    async fn prepare<M>(
        &self,
        message: Arc<M>,
        attempts: &mut Attempts,
        cookies: &Cookies,
    ) -> Result<(Grpc<Lane>, tonic::Request<Arc<M>>, Option<HeaderValue>), Failure> {
        let connection = self.pool.connection(self.deadline).await?;
        attempts.sent_to(connection.server());
        let token = token(&self.instance.endpoint, self.deadline).await?;
        let left = self.deadline.saturating_duration_since(Instant::now());
        let headers = CallHeaders {
            routing: self.routing,
            cookies,
            trace: attempts.trace_context(),
            token: token.clone(),
            timeout: self.limited.then_some(left),
        };
        Ok((on(connection), headers.request(message), token))
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

/// gRPC on a connection.
pub(super) fn on(connection: Arc<Connection>) -> Grpc<Lane> {
    let origin = connection.origin().clone();
    Grpc::with_origin(Lane(connection), origin).max_decoding_message_size(MAX_MESSAGE)
}

/// The failure of a call, whose cookies are kept for the next attempt.
pub(super) fn failed(status: &Status, cookies: &mut Cookies) -> Failure {
    cookies.keep(status.metadata());
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
    pub(crate) async fn admin_call<M, R>(
        &self,
        path: &'static str,
        (parameter, value): (&str, &str),
        message: M,
        repeatable: bool,
        attempts: &mut Attempts,
    ) -> Result<R>
    where
        M: Message + 'static,
        R: Message + Default + 'static,
    {
        let message = Arc::new(message);
        let routing = routing(&[(parameter, value)]);
        let mut cookies = Cookies::default();
        loop {
            attempts.begin_next();
            let sending = Sending {
                instance: self,
                pool: &self.admin,
                path,
                routing: routing.as_ref(),
                deadline: attempts.deadline(),
                limited: true,
            };
            let answer = sending.unary::<M, _>(message.clone(), attempts, &mut cookies).await;
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
