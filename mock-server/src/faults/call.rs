//! Builds faults on calls.

use std::time::Duration;

use bytes::Bytes;

use super::change::Change;
use super::effect::{Effect, HUGE_FRAME};
use super::fault::{CallFilter, Fault, FaultKind, Schedule};
use crate::base::remote_exception;
use crate::hbase;
use crate::state::Role;

impl Fault {
    /// Returns a builder for a fault on the calls of a method. `method` is the name on the wire:
    /// `"Get"`, `"Mutate"`, `"Multi"`, `"Scan"`, `"GetMetaRegionLocations"`, `"CreateTable"`,
    /// `"getProcedureResult"`, ..., and with the feature `bigtable` also `"ReadRows"`,
    /// `"MutateRow"`, ... The fault applies to all calls of the method unless the
    /// [`CallFaultBuilder`] selects some. Region lookups are calls of `"Scan"` on table
    /// `"hbase:meta"`.
    ///
    /// See [`Fault`] for an example.
    ///
    /// # Panics
    /// If no service of the mock has a method with this name, as the fault could never fire. The
    /// message lists similar names.
    #[track_caller]
    pub fn on(method: &str) -> CallFaultBuilder {
        #[expect(clippy::panic, reason = "a misspelt method is a bug of the test")]
        if let Err(similar) = check_method(method) {
            panic!(
                "inject a fault on {method}: no service has this method; similar names: {similar}"
            );
        }
        CallFaultBuilder::of_method(method)
    }
}

/// Checks that a service has a method with this name; otherwise returns similar names.
pub(super) fn check_method(method: &str) -> Result<(), String> {
    match hbase::method_exists(method) || other_names().contains(&method) {
        true => Ok(()),
        false => Err(hbase::similar_methods(method, &other_names()).join(", ")),
    }
}

/// Whether one of Bigtable's services has a method with this name.
#[cfg(all(feature = "bigtable", feature = "control"))]
pub(super) fn is_of_bigtable(method: &str) -> bool {
    other_names().contains(&method)
}

/// Returns the names of the methods of services other than HBase's.
fn other_names() -> Vec<&'static str> {
    #[cfg(feature = "bigtable")]
    return crate::bigtable::method_names().collect();
    #[cfg(not(feature = "bigtable"))]
    return Vec::new();
}

/// A builder of a fault on calls: it selects the calls, and then how they fail. Made by
/// [`Fault::on`].
///
/// ```
/// use std::time::Duration;
/// use tallrow_mock::Fault;
///
/// let faults = [
///     // Which calls:
///     Fault::on("Get").drop_request(),                          // every Get
///     Fault::on("Get").table("ns:t").server(0).close_before(),  // of one table, on one server
///     Fault::on("GetActiveMaster").master().drop_request(),     // only on the master
///     Fault::on("Scan").nth(3).truncate_reply(),                     // the third Scan
///     Fault::on("Scan").nth(3).times(2).close_after(),          // the third and the fourth
///     Fault::on("Multi").times(5).not_serving(),                // the first five
///     Fault::on("Multi").chance(0.1).drop_reply(),              // one in ten
///     // How else they can fail:
///     Fault::on("Mutate").delay_in_queue(Duration::from_secs(7)),
///     Fault::on("Mutate").pause_handler(Duration::from_secs(7)),
///     Fault::on("Mutate").limit_call_queue(10, Duration::from_millis(5)),
///     Fault::on("Mutate").trickle(Duration::from_secs(1)),
///     Fault::on("Mutate").garbage(&b"\0\0\0\x01?"[..]),
///     Fault::on("Mutate").huge_frame(),
///     Fault::on("Mutate").wrong_call_id(),
///     Fault::on("Mutate").throw("org.apache.hadoop.hbase.RegionTooBusyException", "busy"),
///     Fault::on("Mutate").throw_with_do_not_retry("java.io.IOException", "odd", true),
/// ];
/// assert_eq!(faults.len(), 16);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct CallFaultBuilder(pub(super) CallFilter);

impl CallFaultBuilder {
    /// Selects all calls of a method.
    pub(super) fn of_method(method: &str) -> Self {
        let (method, schedule) = (method.to_owned(), Schedule::always());
        Self(CallFilter { method, table: None, schedule })
    }

    /// Selects calls about this table, `"qualifier"` or `"namespace:qualifier"`. A Multi is about
    /// each table that it has an action for.
    ///
    /// See [`CallFaultBuilder`] for an example.
    pub fn table(mut self, table: &str) -> Self {
        self.0.table = Some(table.strip_prefix("default:").unwrap_or(table).to_owned());
        self
    }

    /// Selects calls to this region server.
    ///
    /// See [`CallFaultBuilder`] for an example.
    pub fn server(mut self, server: usize) -> Self {
        self.0.schedule.on(Role::RegionServer(server));
        self
    }

    /// Selects calls to the master.
    ///
    /// See [`CallFaultBuilder`] for an example.
    pub fn master(mut self) -> Self {
        self.0.schedule.on(Role::Master);
        self
    }

    /// Selects calls to Bigtable's services. Some of their methods, such as `CreateTable`, have the
    /// same name as a method of HBase.
    ///
    /// See [`CallFaultBuilder::fail`] for an example.
    #[cfg(feature = "bigtable")]
    pub fn bigtable(mut self) -> Self {
        self.0.schedule.on(Role::Bigtable);
        self
    }

    /// Selects the `n`th matching call after the injection of the fault, counted from 1. With
    /// [`CallFaultBuilder::times`], the calls after it are selected too.
    ///
    /// See [`CallFaultBuilder`] for an example.
    pub fn nth(mut self, n: u64) -> Self {
        self.0.schedule.nth(n);
        self
    }

    /// Selects at most `times` calls.
    ///
    /// See [`CallFaultBuilder`] for an example.
    pub fn times(mut self, times: u64) -> Self {
        self.0.schedule.times(times);
        self
    }

    /// Selects each matching call with this probability, 0.0 to 1.0. The decisions are derived from
    /// the seed of the cluster.
    ///
    /// See [`CallFaultBuilder`] for an example.
    pub fn chance(mut self, chance: f64) -> Self {
        self.0.schedule.chance(chance);
        self
    }

    /// The server throws an exception of this Java class and applies nothing. The class decides
    /// whether the client may retry, as on a real server.
    ///
    /// See [`CallFaultBuilder`] for an example.
    pub fn throw(self, class: &str, message: &str) -> Fault {
        self.with_effect(Effect::Throw(remote_exception(class, message)))
    }

    /// Like [`CallFaultBuilder::throw`], but with this `do_not_retry` flag, whatever the class
    /// implies.
    ///
    /// See [`CallFaultBuilder`] for an example.
    pub fn throw_with_do_not_retry(self, class: &str, message: &str, do_not_retry: bool) -> Fault {
        let mut exception = remote_exception(class, message);
        exception.do_not_retry = do_not_retry;
        self.with_effect(Effect::Throw(exception))
    }

    /// The server throws `NotServingRegionException`, or `RegionMovedException` if it knows where
    /// the region moved.
    ///
    /// See [`CallFaultBuilder`] for an example.
    pub fn not_serving(self) -> Fault {
        self.with_effect(Effect::NotServing)
    }

    /// The call waits for `delay` in the queue of the server before it is started. Other calls
    /// overtake it.
    ///
    /// A call that has waited is treated as by HBase's `CallRunner`. If more than its timeout has
    /// passed since it arrived (`RequestHeader.timeout`, at least 20 ms:
    /// `hbase.ipc.min.client.request.timeout`), it is dropped: it is neither applied nor answered,
    /// and [`MockCluster::dropped_call_count`] counts it. A call whose connection has closed in the
    /// meantime is also dropped, but not counted. Any other call is applied and answered; a call
    /// without a timeout never expires.
    ///
    /// See [`CallFaultBuilder`] for an example.
    ///
    /// [`MockCluster::dropped_call_count`]: crate::MockCluster::dropped_call_count
    pub fn delay_in_queue(self, delay: Duration) -> Fault {
        self.with_effect(Effect::DelayInQueue(delay))
    }

    /// The call is started at once, and its handler pauses for `pause` before it applies anything,
    /// as in a garbage collection. Other calls overtake it. A server checks the timeout only before
    /// it starts a call, so the call is applied and answered in any case, even if its client has
    /// disconnected.
    ///
    /// See [`CallFaultBuilder`] for an example.
    pub fn pause_handler(self, pause: Duration) -> Fault {
        self.with_effect(Effect::PauseHandler(pause))
    }

    /// The server applies these calls one after the other and takes `time_per_call` for each of
    /// them. While `capacity` of these calls are unfinished, it throws `CallQueueTooBigException`
    /// for each further call.
    ///
    /// See [`CallFaultBuilder`] for an example.
    pub fn limit_call_queue(self, capacity: usize, time_per_call: Duration) -> Fault {
        self.with_effect(Effect::LimitCallQueue { capacity, time_per_call })
    }

    /// The request is lost: it is neither applied nor answered.
    ///
    /// See [`CallFaultBuilder`] for an example.
    pub fn drop_request(self) -> Fault {
        self.with_effect(Effect::DropRequest)
    }

    /// The reply is lost: the call is applied but not answered.
    ///
    /// See [`CallFaultBuilder`] for an example.
    pub fn drop_reply(self) -> Fault {
        self.with_effect(Effect::DropReply)
    }

    /// The connection closes before the call is applied.
    ///
    /// See [`CallFaultBuilder`] for an example.
    pub fn close_before(self) -> Fault {
        self.with_effect(Effect::CloseBefore)
    }

    /// The connection closes after the call is applied, without a reply.
    ///
    /// See [`CallFaultBuilder`] for an example.
    pub fn close_after(self) -> Fault {
        self.with_effect(Effect::CloseAfter)
    }

    /// The call is applied, half of its reply is written, and the connection closes.
    ///
    /// See [`CallFaultBuilder`] for an example.
    pub fn truncate_reply(self) -> Fault {
        self.with_effect(Effect::TruncateReply)
    }

    /// The call is applied, and its reply is written a byte at a time, with this pause before each
    /// byte. Later calls on the connection are applied meanwhile; their replies follow this one.
    ///
    /// See [`CallFaultBuilder`] for an example.
    pub fn trickle(self, pause: Duration) -> Fault {
        self.with_effect(Effect::Trickle(pause))
    }

    /// The call is applied, and these bytes are written instead of its reply.
    ///
    /// See [`CallFaultBuilder`] for an example.
    pub fn garbage(self, bytes: impl Into<Bytes>) -> Fault {
        self.with_effect(Effect::Garbage(bytes.into()))
    }

    /// The call is applied, and only the length of a huge frame, 2^31 - 1 bytes, is written instead
    /// of its reply.
    ///
    /// See [`CallFaultBuilder`] for an example.
    pub fn huge_frame(self) -> Fault {
        self.garbage(HUGE_FRAME)
    }

    /// The call is applied, and its reply has the id of a call that was never made.
    ///
    /// See [`CallFaultBuilder`] for an example.
    pub fn wrong_call_id(self) -> Fault {
        self.with_effect(Effect::WrongCallId)
    }

    /// This change happens in the cluster before the call is served. The call is then served as
    /// usual by its region server, in the state in which the change leaves it. If the change killed
    /// the server, the call is not served at all. Other faults on the call fire too.
    ///
    /// See [`Change`] for an example.
    pub fn change(self, change: Change) -> Fault {
        Fault(FaultKind::Change(self.0, change))
    }

    pub(super) fn with_effect(self, effect: Effect) -> Fault {
        Fault(FaultKind::Call(self.0, effect))
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
            "inject a fault on GetProcedureResult: no service has this method; similar names: \
             getProcedureResult"
        );
        assert!(panic_of("Mutat").contains("similar names: Mutate, Multi, Get, "));
        assert!(panic_of("Put").contains("similar names: Get, "), "{}", panic_of("Put"));
        assert!(panic_of("").contains("similar names: Get, "), "{}", panic_of(""));
    }
}
