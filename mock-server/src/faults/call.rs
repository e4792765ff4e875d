//! Faults on calls.

use std::time::Duration;

use bytes::Bytes;

use super::effect::{Effect, HUGE_FRAME};
use super::fault::{CallFilter, Fault, Kind};
use super::schedule::Schedule;
use crate::remote_exception::remote_exception;
use crate::service;

impl Fault {
    /// A fault on calls of this method, by its name on the wire: `"Get"`, `"Mutate"`, `"Multi"`, `"Scan"`,
    /// `"GetMetaRegionLocations"`, `"CreateTable"`, `"getProcedureResult"`, ... On all of them, unless
    /// [`CallFaultBuilder`] narrows it. Lookups of regions are `"Scan"` of table `"hbase:meta"`.
    ///
    /// See [`Fault`] for an example.
    ///
    /// # Panics
    /// No service of the mock has a method of this name: the fault could never fire. The message lists similar names.
    #[track_caller]
    pub fn on(method: &str) -> CallFaultBuilder {
        #[expect(clippy::panic, reason = "a misspelt method is a bug of the test that asks for it")]
        if !service::exists(method) {
            let similar = service::similar(method).join(", ");
            panic!(
                "inject a fault on {method}: no service has this method; similar names: {similar}"
            );
        }
        let (method, schedule) = (method.to_owned(), Schedule::always());
        CallFaultBuilder(CallFilter { method, table: None, schedule })
    }
}

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
pub struct CallFaultBuilder(CallFilter);

impl CallFaultBuilder {
    /// Only calls about this table, `"qualifier"` or `"namespace:qualifier"`. A Multi is about every table it touches.
    ///
    /// See [`CallFaultBuilder`] for an example.
    pub fn table(mut self, table: &str) -> Self {
        self.0.table = Some(table.strip_prefix("default:").unwrap_or(table).to_owned());
        self
    }

    /// Only calls to this region server, by its number.
    ///
    /// See [`CallFaultBuilder`] for an example.
    pub fn server(mut self, server: usize) -> Self {
        self.0.schedule.on_server(server);
        self
    }

    /// Only calls to the master.
    ///
    /// See [`CallFaultBuilder`] for an example.
    pub fn master(mut self) -> Self {
        self.0.schedule.on_master();
        self
    }

    /// Only the `n`th such call from now on, counted from 1; with [`CallFaultBuilder::times`], that one and those after it.
    ///
    /// See [`CallFaultBuilder`] for an example.
    pub fn nth(mut self, n: u64) -> Self {
        self.0.schedule.nth(n);
        self
    }

    /// At most this many calls.
    ///
    /// See [`CallFaultBuilder`] for an example.
    pub fn times(mut self, times: u64) -> Self {
        self.0.schedule.times(times);
        self
    }

    /// Each such call with this probability, 0.0 to 1.0, decided by the cluster's seed.
    ///
    /// See [`CallFaultBuilder`] for an example.
    pub fn chance(mut self, chance: f64) -> Self {
        self.0.schedule.chance(chance);
        self
    }

    /// The server throws this exception, by its Java class, and applies nothing. Whether a client may try again follows
    /// from the class, as on a real server.
    ///
    /// See [`CallFaultBuilder`] for an example.
    pub fn throw(self, class: &str, message: &str) -> Fault {
        self.does(Effect::Throw(remote_exception(class, message)))
    }

    /// As [`CallFaultBuilder::throw`], with the exception's `do_not_retry` flag given.
    ///
    /// See [`CallFaultBuilder`] for an example.
    pub fn throw_with(self, class: &str, message: &str, do_not_retry: bool) -> Fault {
        let mut exception = remote_exception(class, message);
        exception.do_not_retry = do_not_retry;
        self.does(Effect::Throw(exception))
    }

    /// The server answers that it does not have the region.
    ///
    /// See [`CallFaultBuilder`] for an example.
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
    /// See [`CallFaultBuilder`] for an example.
    ///
    /// [`MockCluster::dropped_calls`]: crate::MockCluster::dropped_calls
    pub fn delay_in_queue(self, delay: Duration) -> Fault {
        self.does(Effect::DelayInQueue(delay))
    }

    /// The call is begun at once, and its handler pauses this long before it applies anything, as in a garbage
    /// collection; other calls overtake it. A server looks at a call's timeout only before it begins, so the call is
    /// applied and answered however late that is, also after its client has gone.
    ///
    /// See [`CallFaultBuilder`] for an example.
    pub fn pause_handler(self, pause: Duration) -> Fault {
        self.does(Effect::PauseHandler(pause))
    }

    /// The request is lost: not applied, never answered.
    ///
    /// See [`CallFaultBuilder`] for an example.
    pub fn drop_request(self) -> Fault {
        self.does(Effect::DropRequest)
    }

    /// The reply is lost: applied, never answered.
    ///
    /// See [`CallFaultBuilder`] for an example.
    pub fn lose_reply(self) -> Fault {
        self.does(Effect::DropReply)
    }

    /// The connection closes before the call is applied.
    ///
    /// See [`CallFaultBuilder`] for an example.
    pub fn close_before(self) -> Fault {
        self.does(Effect::CloseBefore)
    }

    /// The connection closes after the call is applied, without an answer.
    ///
    /// See [`CallFaultBuilder`] for an example.
    pub fn close_after(self) -> Fault {
        self.does(Effect::CloseAfter)
    }

    /// The call is applied, half of its answer is written, and the connection closes.
    ///
    /// See [`CallFaultBuilder`] for an example.
    pub fn cut_frame(self) -> Fault {
        self.does(Effect::TruncateReply)
    }

    /// The call is applied, and its answer is written a byte at a time, with this pause before each byte. Later calls on
    /// the connection are carried out meanwhile; their answers come after this one.
    ///
    /// See [`CallFaultBuilder`] for an example.
    pub fn trickle(self, pause: Duration) -> Fault {
        self.does(Effect::Trickle(pause))
    }

    /// The call is applied, and these bytes are written instead of its answer.
    ///
    /// See [`CallFaultBuilder`] for an example.
    pub fn garbage(self, bytes: impl Into<Bytes>) -> Fault {
        self.does(Effect::Garbage(bytes.into()))
    }

    /// The call is applied, and instead of its answer comes the beginning of a frame of 2 GiB: its length, 2^31 - 1,
    /// and nothing else.
    ///
    /// See [`CallFaultBuilder`] for an example.
    pub fn huge_frame(self) -> Fault {
        self.garbage(HUGE_FRAME)
    }

    /// The call is applied, and its answer carries the id of a call that was never made. The call itself gets none.
    ///
    /// See [`CallFaultBuilder`] for an example.
    pub fn answer_unknown_call(self) -> Fault {
        self.does(Effect::WrongCallId)
    }

    fn does(self, effect: Effect) -> Fault {
        Fault(Kind::Call(self.0, effect))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panic_of(method: &'static str) -> String {
        let panic = std::panic::catch_unwind(|| Fault::on(method)).unwrap_err();
        panic.downcast_ref::<String>().unwrap().clone()
    }

    #[test]
    fn a_misspelt_method_is_refused_with_near_names() {
        assert_eq!(
            panic_of("GetProcedureResult"),
            "inject a fault on GetProcedureResult: no service has this method; similar names: getProcedureResult"
        );
        assert!(panic_of("Mutat").ends_with("similar names: Mutate, Multi, Get, Scan"));
        assert!(panic_of("Put").contains("similar names: Get, "), "{}", panic_of("Put"));
        assert!(panic_of("").contains("similar names: Get, "), "{}", panic_of(""));
    }
}
