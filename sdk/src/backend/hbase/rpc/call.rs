//! One call to a server: the encoding of its request, and the errors with which the call can fail.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use bytes::BytesMut;
use prost::Message;

use crate::backend::core::CLOSED;
use crate::backend::hbase::reaction;
use crate::observe::TraceContext;
use crate::wire::WireError;
use crate::wire::exception::{self as class, RemoteException};
use crate::wire::frame;
use crate::wire::proto::{RPCTInfo, RequestHeader};

/// The priority of calls for tables of namespace `hbase`, and of calls that close a scanner.
pub(crate) const HIGH_PRIORITY: u32 = 200;

/// The service of a server that a connection is opened for. Each connection carries calls to only
/// one service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Service {
    Client,
    Admin,
    Master,
    Registry,
}

impl Service {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Client => "ClientService",
            Self::Admin => "AdminService",
            Self::Master => "MasterService",
            Self::Registry => "ClientMetaService",
        }
    }
}

/// One call: a method, its parameter message and how long to wait for the answer.
pub(crate) struct Call<'a, P> {
    pub(crate) method: &'static str,
    pub(crate) param: &'a P,
    pub(crate) high_priority: bool,
    pub(crate) timeout: Duration,
}

impl<P: Message> Call<'_, P> {
    pub(crate) fn encode(
        &self,
        call_id: u32,
        cells: &[u8],
        priority: u32,
        trace: Option<&TraceContext>,
    ) -> BytesMut {
        let header = RequestHeader {
            call_id: Some(call_id),
            trace_info: trace.map(trace_info),
            method_name: Some(self.method.to_owned()),
            priority: Some(priority.max(if self.high_priority { HIGH_PRIORITY } else { 0 })),
            timeout: Some(millis(self.timeout)),
            ..Default::default()
        };
        let mut out = BytesMut::new();
        frame::encode_request(header, self.param, cells, &mut out);
        out
    }
}

/// Returns a timeout in ms, as request headers contain it. The result is at least 1, because 0
/// would mean that there is no timeout.
pub(crate) fn millis(timeout: Duration) -> u32 {
    u32::try_from(timeout.as_millis()).unwrap_or(u32::MAX).max(1)
}

/// The reason why a call failed.
#[derive(Clone, Debug)]
pub(crate) enum CallError {
    /// The server threw an exception.
    Exception(RemoteException),
    /// No connection could be opened; nothing was sent. `refused` is true if the host exists and
    /// nothing listens on the port.
    Unreachable { why: String, refused: bool },
    /// The registry answered that `hbase:meta` is on no server: it is moving, or the cluster is
    /// still starting.
    MetaNotOpen { why: String },
    /// The connection broke; `sent` is false only if no byte of this call can have reached the
    /// server.
    Broken { why: String, sent: bool },
    /// An answer arrived that is not valid in the protocol.
    Protocol(WireError),
    /// The client or the server could not prove its identity to the other; nothing was sent.
    Unauthenticated { why: String },
    /// The client was closed; nothing was sent.
    Closed,
    /// No answer arrived within the timeout; `sent` is false only if the call was still waiting in
    /// the client.
    TimedOut { after: Duration, sent: bool },
    /// The connection accepts no more operations now, and the options of the operation forbid
    /// waiting.
    Full,
}

impl CallError {
    /// Adds the address of the server to the error; a timeout becomes
    /// [`Unreachable`](Self::Unreachable).
    pub(crate) fn with_address(self, address: &str) -> Self {
        match self {
            Self::Broken { why, sent } if !why.contains(address) => {
                Self::Broken { why: format!("{address}: {why}"), sent }
            }
            Self::Protocol(e) => {
                Self::Protocol(WireError::new("answer of a server", format!("{address}: {e}")))
            }
            Self::TimedOut { after, .. } => {
                let why = format!("{address}: no answer within {:.1} s", after.as_secs_f64());
                Self::Unreachable { why, refused: false }
            }
            other => other,
        }
    }

    /// Whether the server, or this client for it, refuses all calls of this client.
    pub(crate) fn refuses_client(&self) -> bool {
        match self {
            Self::Unauthenticated { .. } => true,
            Self::Exception(exception) => {
                matches!(&*exception.class, class::ACCESS_DENIED | class::BAD_AUTH)
            }
            _ => false,
        }
    }

    /// Whether the server may have executed the call, although it did not report a result.
    pub(crate) fn may_have_happened(&self) -> bool {
        match self {
            Self::Broken { sent, .. } | Self::TimedOut { sent, .. } => *sent,
            Self::Protocol(_) => true,
            Self::Exception(exception) => reaction::may_have_happened(exception),
            Self::Unreachable { .. }
            | Self::MetaNotOpen { .. }
            | Self::Unauthenticated { .. }
            | Self::Full
            | Self::Closed => false,
        }
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exception(e) => write!(f, "{} ({})", e.message, e.simple_name()),
            Self::Unreachable { why, .. } => write!(f, "no connection: {why}"),
            Self::MetaNotOpen { why } | Self::Unauthenticated { why } => f.write_str(why),
            Self::Broken { why, sent: true } => {
                write!(f, "the connection broke after the request was sent: {why}")
            }
            Self::Broken { why, sent: false } => write!(f, "the connection broke: {why}"),
            Self::Full => f.write_str(
                "it was not sent, and not to wait: as many operations as fit wait for its server; start fewer at a time",
            ),
            Self::Protocol(e) => write!(f, "the answer is not HBase's: {e}"),
            Self::Closed => write!(f, "{CLOSED}"),
            Self::TimedOut { after, sent: true } => {
                write!(f, "no answer within {:.1} s", after.as_secs_f64())
            }
            Self::TimedOut { after, sent: false } => write!(
                f,
                "it could not be sent within {:.1} s, because the connection was still busy with earlier calls",
                after.as_secs_f64()
            ),
        }
    }
}

impl std::error::Error for CallError {}

impl From<WireError> for CallError {
    fn from(error: WireError) -> Self {
        Self::Protocol(error)
    }
}

impl From<prost::DecodeError> for CallError {
    fn from(error: prost::DecodeError) -> Self {
        Self::Protocol(WireError::new("response message", error.to_string()))
    }
}

/// Converts the trace context of a call for the request header.
pub(super) fn trace_info(trace: &TraceContext) -> RPCTInfo {
    let mut headers = BTreeMap::new();
    headers.insert("traceparent".to_owned(), trace.traceparent().to_owned());
    if !trace.tracestate().is_empty() {
        headers.insert("tracestate".to_owned(), trace.tracestate().to_owned());
    }
    RPCTInfo { headers }
}
