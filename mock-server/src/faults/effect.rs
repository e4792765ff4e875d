//! The effects of faults on calls and connections.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use tallrow_wire::exception::RemoteException;
use tallrow_wire::frame;
use tallrow_wire::proto::Empty;

/// The id of a response that no call waits for: clients number their calls from 0 upwards.
const UNKNOWN_CALL: u32 = 0x7FFF_0000;

/// The length prefix of a frame of 2^31 - 1 bytes, the largest length that a Java client reads as
/// positive.
pub(super) const HUGE_FRAME: Bytes = Bytes::from_static(&[0x7F, 0xFF, 0xFF, 0xFF]);

/// The effect of a fault on a call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Effect {
    /// The server throws an exception and applies nothing.
    Throw(RemoteException),
    /// The server throws `NotServingRegionException`, or `RegionMovedException` if it knows where
    /// the region moved.
    NotServing,
    /// The call waits in the queue.
    DelayInQueue(Duration),
    /// The call is started, and applied later.
    PauseHandler(Duration),
    /// The calls are applied one after the other, each after the time `time_per_call`. While
    /// `capacity` of these calls are unfinished, the server throws an exception for each further
    /// call.
    LimitCallQueue { capacity: usize, time_per_call: Duration },
    /// The call is not applied, and gets no response.
    DropRequest,
    /// The call is applied, and gets no response.
    DropReply,
    /// The connection closes before the call is applied.
    CloseBefore,
    /// The connection closes after the call is applied, without a response.
    CloseAfter,
    /// Half of the response is written, then the connection closes.
    TruncateReply,
    /// The response is written byte by byte, with this pause before each byte.
    Trickle(Duration),
    /// These bytes are written instead of the response.
    Garbage(Bytes),
    /// The response has the id of a call that was never made.
    WrongCallId,
    /// An effect that only calls of Bigtable's services can have.
    #[cfg(feature = "bigtable")]
    Grpc(GrpcEffect),
}

impl Effect {
    /// The name of the function of [`CallFaultBuilder`](crate::CallFaultBuilder) for this effect.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Throw(_) => "throw",
            Self::NotServing => "not_serving",
            Self::DelayInQueue(_) => "delay_in_queue",
            Self::PauseHandler(_) => "pause_handler",
            Self::LimitCallQueue { .. } => "limit_call_queue",
            Self::DropRequest => "drop_request",
            Self::DropReply => "drop_reply",
            Self::CloseBefore => "close_before",
            Self::CloseAfter => "close_after",
            Self::TruncateReply => "truncate_reply",
            Self::Trickle(_) => "trickle",
            Self::Garbage(bytes) if *bytes == HUGE_FRAME => "huge_frame",
            Self::Garbage(_) => "garbage",
            Self::WrongCallId => "wrong_call_id",
            #[cfg(feature = "bigtable")]
            Self::Grpc(effect) => effect.name(),
        }
    }
}

/// The effect of a fault on a call of Bigtable's services.
#[cfg(feature = "bigtable")]
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum GrpcEffect {
    /// The call fails, and nothing is applied.
    Fail(Failure),
    /// The call is applied and fails.
    FailAfter(Failure),
    /// The call is applied, half of the first reply message is sent, and the call fails.
    FailMidway(Failure),
    /// The call is applied, half of the first reply message is sent, and the stream of the call is
    /// reset.
    Reset,
    /// The response ends within a row.
    TornRow,
    /// The rows of the response are in the wrong order.
    RowsOutOfOrder,
    /// The response has no outcome for the last entry.
    MissingEntry,
}

#[cfg(feature = "bigtable")]
impl GrpcEffect {
    fn name(&self) -> &'static str {
        match self {
            Self::Fail(Failure { cookie: Some(_), .. }) => "fail_with_cookie",
            Self::Fail(Failure { status, .. }) if !status.details.is_empty() => {
                "fail_with_retry_info"
            }
            Self::Fail(_) => "fail",
            Self::FailAfter(_) => "fail_after",
            Self::FailMidway(_) => "fail_midway",
            Self::Reset => "reset_stream",
            Self::TornRow => "torn_row",
            Self::RowsOutOfOrder => "rows_out_of_order",
            Self::MissingEntry => "missing_entry",
        }
    }
}

/// The status with which a call fails, and a header.
#[cfg(feature = "bigtable")]
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Failure {
    /// The status of the call.
    pub(crate) status: tallrow_wire::bigtable::Status,
    /// The name and value of a header in the trailers.
    pub(crate) cookie: Option<(String, String)>,
}

/// The effect of a fault on a connection.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ConnectionEffect {
    /// The connection closes.
    Close,
    /// These bytes are written; what is received is ignored.
    Write(Bytes),
    /// Everything is written byte by byte, with this pause before each byte.
    Trickle(Duration),
}

impl ConnectionEffect {
    /// The name of the function of [`ConnectionFaultBuilder`](crate::ConnectionFaultBuilder) for
    /// this effect.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Close => "close",
            Self::Trickle(_) => "trickle",
            Self::Write(bytes) if bytes.is_empty() => "never_reply",
            Self::Write(bytes) if *bytes == HUGE_FRAME => "huge_frame",
            Self::Write(bytes) if *bytes == unsolicited_reply() => "unsolicited_reply",
            Self::Write(_) => "garbage",
        }
    }
}

/// Makes the reply to a call that was never made.
pub(super) fn unsolicited_reply() -> Bytes {
    let mut answer = BytesMut::new();
    frame::encode_response(UNKNOWN_CALL, &Empty {}, b"", &mut answer);
    answer.freeze()
}
