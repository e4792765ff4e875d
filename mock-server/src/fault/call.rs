//! Faults on calls.

use std::time::Duration;

use bytes::Bytes;
use tallrow_wire::exception::RemoteException;

use super::schedule::Schedule;
use super::{Fault, HUGE_FRAME, Kind};
use crate::remote_exception::remote_exception;

/// Which calls a fault is for: made by [`Fault::on`], finished by saying what goes wrong.
///
/// ```
/// use std::time::Duration;
/// use tallrow_mock::Fault;
///
/// let faults = [
///     // Who, which and how often:
///     Fault::on("Get").drop_request(),                          // every Get
///     Fault::on("Get").table("ns:t").server(0).close_before(),  // of one table, on one server
///     Fault::on("GetActiveMaster").master().drop_request(),     // asked of the master itself
///     Fault::on("Scan").nth(3).cut_frame(),                     // the third Scan
///     Fault::on("Scan").nth(3).times(2).close_after(),          // the third and the fourth
///     Fault::on("Multi").times(5).not_serving(),                // the first five
///     Fault::on("Multi").chance(0.1).lose_reply(),              // one in ten
///     // What else can go wrong:
///     Fault::on("Mutate").delay_in_queue(Duration::from_secs(7)),
///     Fault::on("Mutate").pause_handler(Duration::from_secs(7)),
///     Fault::on("Mutate").trickle(Duration::from_secs(1)),
///     Fault::on("Mutate").garbage(&b"\0\0\0\x01?"[..]),
///     Fault::on("Mutate").huge_frame(),
///     Fault::on("Mutate").answer_unknown_call(),
///     Fault::on("Mutate").throw("org.apache.hadoop.hbase.RegionTooBusyException", "busy"),
///     Fault::on("Mutate").throw_with("java.io.IOException", "odd", true),
/// ];
/// assert_eq!(faults.len(), 15);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct FaultPoint {
    method: String,
    table: Option<String>,
    schedule: Schedule,
}

/// What goes wrong with a call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Effect {
    /// An exception instead of an answer; nothing is applied.
    Throw(RemoteException),
    /// `NotServingRegionException`, or `RegionMovedException` if the server knows better.
    NotServing,
    /// The call waits before it is begun.
    DelayInQueue(Duration),
    /// The call is begun, and applied later.
    PauseHandler(Duration),
    /// The call is forgotten before it is applied.
    DropRequest,
    /// The call is applied and its answer forgotten.
    LoseReply,
    /// The connection closes before the call is applied.
    CloseBefore,
    /// The connection closes after the call is applied, without an answer.
    CloseAfter,
    /// Half of the answer is written, then the connection closes.
    CutFrame,
    /// The answer is written byte by byte, with this pause before each.
    Trickle(Duration),
    /// These bytes are written instead of the answer.
    Garbage(Bytes),
    /// The answer goes to a call that was never made.
    AnswerUnknownCall,
}

impl FaultPoint {
    pub(super) fn new(method: &str) -> Self {
        Self { method: method.to_owned(), table: None, schedule: Schedule::always() }
    }

    /// Only calls about this table, `"qualifier"` or `"namespace:qualifier"`. A Multi is about every table it touches.
    ///
    /// See [`FaultPoint`] for an example.
    pub fn table(mut self, table: &str) -> Self {
        self.table = Some(table.strip_prefix("default:").unwrap_or(table).to_owned());
        self
    }

    /// Only calls to this region server, by its number.
    ///
    /// See [`FaultPoint`] for an example.
    pub fn server(mut self, server: usize) -> Self {
        self.schedule.on_server(server);
        self
    }

    /// Only calls to the master.
    ///
    /// See [`FaultPoint`] for an example.
    pub fn master(mut self) -> Self {
        self.schedule.on_master();
        self
    }

    /// Only the `n`th such call from now on, counted from 1; with [`FaultPoint::times`], that one and those after it.
    ///
    /// See [`FaultPoint`] for an example.
    pub fn nth(mut self, n: u64) -> Self {
        self.schedule.nth(n);
        self
    }

    /// At most this many calls.
    ///
    /// See [`FaultPoint`] for an example.
    pub fn times(mut self, times: u64) -> Self {
        self.schedule.times(times);
        self
    }

    /// Each such call with this probability, 0.0 to 1.0, decided by the cluster's seed.
    ///
    /// See [`FaultPoint`] for an example.
    pub fn chance(mut self, chance: f64) -> Self {
        self.schedule.chance(chance);
        self
    }

    /// The server throws this exception, by its Java class, and applies nothing. Whether a client may try again follows
    /// from the class, as on a real server.
    ///
    /// See [`FaultPoint`] for an example.
    pub fn throw(self, class: &str, message: &str) -> Fault {
        self.does(Effect::Throw(remote_exception(class, message)))
    }

    /// As [`FaultPoint::throw`], with the exception's `do_not_retry` flag given.
    ///
    /// See [`FaultPoint`] for an example.
    pub fn throw_with(self, class: &str, message: &str, do_not_retry: bool) -> Fault {
        let mut exception = remote_exception(class, message);
        exception.do_not_retry = do_not_retry;
        self.does(Effect::Throw(exception))
    }

    /// The server answers that it does not have the region.
    ///
    /// See [`FaultPoint`] for an example.
    pub fn not_serving(self) -> Fault {
        self.does(Effect::NotServing)
    }

    /// The call waits this long in the server's queue before it is begun; other calls overtake it.
    ///
    /// What HBase's `CallRunner` does with a call that waited is done here too. A call that is begun later than its
    /// timeout after it arrived (`RequestHeader.timeout`, at least 20 ms: `hbase.ipc.min.client.request.timeout`) is
    /// dropped: not applied, never answered, and counted by [`MockCluster::dropped_calls`]. So is, without being
    /// counted, one whose connection has closed meanwhile. Any other is applied and answered; one without a timeout
    /// never expires.
    ///
    /// See [`FaultPoint`] for an example.
    ///
    /// [`MockCluster::dropped_calls`]: crate::MockCluster::dropped_calls
    pub fn delay_in_queue(self, delay: Duration) -> Fault {
        self.does(Effect::DelayInQueue(delay))
    }

    /// The call is begun at once, and its handler pauses this long before it applies anything, as in a garbage
    /// collection; other calls overtake it. A server looks at a call's timeout only before it begins, so the call is
    /// applied and answered however late that is, also after its client has gone.
    ///
    /// See [`FaultPoint`] for an example.
    pub fn pause_handler(self, pause: Duration) -> Fault {
        self.does(Effect::PauseHandler(pause))
    }

    /// The request is lost: not applied, never answered.
    ///
    /// See [`FaultPoint`] for an example.
    pub fn drop_request(self) -> Fault {
        self.does(Effect::DropRequest)
    }

    /// The reply is lost: applied, never answered.
    ///
    /// See [`FaultPoint`] for an example.
    pub fn lose_reply(self) -> Fault {
        self.does(Effect::LoseReply)
    }

    /// The connection closes before the call is applied.
    ///
    /// See [`FaultPoint`] for an example.
    pub fn close_before(self) -> Fault {
        self.does(Effect::CloseBefore)
    }

    /// The connection closes after the call is applied, without an answer.
    ///
    /// See [`FaultPoint`] for an example.
    pub fn close_after(self) -> Fault {
        self.does(Effect::CloseAfter)
    }

    /// The call is applied, half of its answer is written, and the connection closes.
    ///
    /// See [`FaultPoint`] for an example.
    pub fn cut_frame(self) -> Fault {
        self.does(Effect::CutFrame)
    }

    /// The call is applied, and its answer is written a byte at a time, with this pause before each byte. Later calls on
    /// the connection are carried out meanwhile; their answers come after this one.
    ///
    /// See [`FaultPoint`] for an example.
    pub fn trickle(self, pause: Duration) -> Fault {
        self.does(Effect::Trickle(pause))
    }

    /// The call is applied, and these bytes are written instead of its answer.
    ///
    /// See [`FaultPoint`] for an example.
    pub fn garbage(self, bytes: impl Into<Bytes>) -> Fault {
        self.does(Effect::Garbage(bytes.into()))
    }

    /// The call is applied, and instead of its answer comes the beginning of a frame of 2 GiB: its length, 2^31 - 1,
    /// and nothing else.
    ///
    /// See [`FaultPoint`] for an example.
    pub fn huge_frame(self) -> Fault {
        self.garbage(HUGE_FRAME)
    }

    /// The call is applied, and its answer carries the id of a call that was never made. The call itself gets none.
    ///
    /// See [`FaultPoint`] for an example.
    pub fn answer_unknown_call(self) -> Fault {
        self.does(Effect::AnswerUnknownCall)
    }

    fn does(self, effect: Effect) -> Fault {
        Fault(Kind::Call(self, effect))
    }

    pub(super) fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    pub(super) fn covers(&self, call: &FaultCall<'_>) -> bool {
        self.method == call.method
            && self.schedule.covers(call.server)
            && self.table.as_ref().is_none_or(|t| call.tables.iter().any(|c| c == t.as_bytes()))
    }
}

/// What decides whether a fault is for a call.
pub(crate) struct FaultCall<'a> {
    /// The method.
    pub(crate) method: &'a str,
    /// The number of the region server; none for the master.
    pub(crate) server: Option<usize>,
    /// The tables the call is about.
    pub(crate) tables: &'a [Vec<u8>],
}
