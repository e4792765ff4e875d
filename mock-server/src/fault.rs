//! Faults as data: when which call is to go wrong, and how. Seeded, so that a run can be repeated.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use tallrow_wire::exception::{self, RemoteException};

use crate::cluster::lock;
use crate::random::Random;
use crate::thrown::thrown;

/// Which calls a fault is for: made by [`Fault::on`], ended by saying what goes wrong.
///
/// ```
/// use std::time::Duration;
/// use tallrow_mock::Fault;
///
/// let faults = [
///     // Who, which and how often:
///     Fault::on("Get").drop_request(),                          // every Get
///     Fault::on("Get").table("ns:t").server(0).close_before(),  // of one table, on one server
///     Fault::on("Scan").nth(3).cut_frame(),                     // the third Scan
///     Fault::on("Scan").nth(3).times(2).close_after(),          // the third and the fourth
///     Fault::on("Multi").times(5).not_serving(),                // the first five
///     Fault::on("Multi").chance(0.1).lose_reply(),              // one in ten
///     // What else can go wrong:
///     Fault::on("Mutate").delay(Duration::from_secs(7)),
///     Fault::on("Mutate").garbage(&b"\0\0\0\x01?"[..]),
///     Fault::on("Mutate").throw("org.apache.hadoop.hbase.RegionTooBusyException", "busy"),
///     Fault::on("Mutate").throw_with("java.io.IOException", "odd", true),
/// ];
/// assert_eq!(faults.len(), 10);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct FaultPoint {
    method: String,
    table: Option<String>,
    server: Option<usize>,
    nth: u64,
    times: Option<u64>,
    chance: Option<f64>,
}

/// A fault: some calls, and what goes wrong with them.
///
/// ```
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// use tallrow_mock::{Fault, MockCluster};
///
/// let cluster = MockCluster::start().await.unwrap();
/// // The third Mutate of table t is applied, and its answer never arrives.
/// cluster.inject(Fault::on("Mutate").table("t").nth(3).lose_reply());
/// // One Get in ten finds the call queue full, for ever.
/// cluster.inject(Fault::on("Get").chance(0.1).throw("org.apache.hadoop.hbase.CallQueueTooBigException", "full"));
/// cluster.clear_faults();
/// # cluster.shutdown().await;
/// # });
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    point: FaultPoint,
    effect: Effect,
}

/// What goes wrong.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Effect {
    /// An exception instead of an answer; nothing is applied.
    Throw(RemoteException),
    /// `NotServingRegionException`, or `RegionMovedException` if the server knows better.
    NotServing,
    /// The call is answered later.
    Delay(Duration),
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
    /// These bytes are written instead of the answer.
    Garbage(Bytes),
}

impl Fault {
    /// A fault on calls of this method, by its name on the wire: `"Get"`, `"Mutate"`, `"Multi"`, `"Scan"`,
    /// `"getProcedureResult"`, ... Without a further word, on all of them.
    ///
    /// See [`Fault`] for an example.
    pub fn on(method: &str) -> FaultPoint {
        FaultPoint {
            method: method.to_owned(),
            table: None,
            server: None,
            nth: 1,
            times: None,
            chance: None,
        }
    }
}

impl FaultPoint {
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
        self.server = Some(server);
        self
    }

    /// Only the `n`th such call from now on, counted from 1; with [`FaultPoint::times`], that one and those after it.
    ///
    /// See [`FaultPoint`] for an example.
    pub fn nth(mut self, n: u64) -> Self {
        self.nth = n.max(1);
        self.times = self.times.or(Some(1));
        self
    }

    /// Only so many calls, then no more.
    ///
    /// See [`FaultPoint`] for an example.
    pub fn times(mut self, times: u64) -> Self {
        self.times = Some(times);
        self
    }

    /// Each such call with this probability, 0.0 to 1.0, decided by the cluster's seed.
    ///
    /// See [`FaultPoint`] for an example.
    pub fn chance(mut self, chance: f64) -> Self {
        self.chance = Some(chance);
        self
    }

    /// The server throws this exception, by its Java class, and applies nothing. Whether a client may try again follows
    /// from the class, as on a real server.
    ///
    /// See [`FaultPoint`] for an example.
    pub fn throw(self, class: &str, message: &str) -> Fault {
        self.does(Effect::Throw(thrown(class, message)))
    }

    /// As [`FaultPoint::throw`], with the word about trying again given.
    ///
    /// See [`FaultPoint`] for an example.
    pub fn throw_with(self, class: &str, message: &str, do_not_retry: bool) -> Fault {
        let mut exception = thrown(class, message);
        exception.do_not_retry = do_not_retry;
        self.does(Effect::Throw(exception))
    }

    /// The server answers that it does not have the region.
    ///
    /// See [`FaultPoint`] for an example.
    pub fn not_serving(self) -> Fault {
        self.does(Effect::NotServing)
    }

    /// The call is carried out and answered so much later; other calls on its connection pass it.
    ///
    /// See [`FaultPoint`] for an example.
    pub fn delay(self, delay: Duration) -> Fault {
        self.does(Effect::Delay(delay))
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

    /// These bytes are written instead of the answer of an applied call.
    ///
    /// See [`FaultPoint`] for an example.
    pub fn garbage(self, bytes: impl Into<Bytes>) -> Fault {
        self.does(Effect::Garbage(bytes.into()))
    }

    fn does(self, effect: Effect) -> Fault {
        Fault { point: self, effect }
    }

    fn covers(&self, call: &FaultCall<'_>) -> bool {
        self.method == call.method
            && self.server.is_none_or(|s| Some(s) == call.server)
            && self.table.as_ref().is_none_or(|t| call.tables.iter().any(|c| c == t.as_bytes()))
    }
}

/// What a rule may look at.
pub(crate) struct FaultCall<'a> {
    /// The method.
    pub(crate) method: &'a str,
    /// The number of the region server.
    pub(crate) server: Option<usize>,
    /// The tables the call is about.
    pub(crate) tables: &'a [Vec<u8>],
}

/// The faults of a cluster.
#[derive(Debug)]
pub(crate) struct Faults {
    any: AtomicBool,
    rules: Mutex<Rules>,
}

#[derive(Debug)]
struct Rules {
    rules: Vec<Rule>,
    random: Random,
}

#[derive(Debug)]
struct Rule {
    fault: Fault,
    seen: u64,
    fired: u64,
}

impl Faults {
    /// No faults yet.
    pub(crate) fn new(seed: u64) -> Self {
        let rules = Rules { rules: Vec::new(), random: Random::new(seed) };
        Self { any: AtomicBool::new(false), rules: Mutex::new(rules) }
    }

    /// Whether there are any.
    pub(crate) fn any(&self) -> bool {
        self.any.load(Ordering::Acquire)
    }

    /// Adds a fault.
    pub(crate) fn add(&self, fault: Fault) {
        lock(&self.rules).rules.push(Rule { fault, seen: 0, fired: 0 });
        self.any.store(true, Ordering::Release);
    }

    /// Removes all faults.
    pub(crate) fn clear(&self) {
        lock(&self.rules).rules.clear();
        self.any.store(false, Ordering::Release);
    }

    /// What goes wrong with this call: the first fault that is for it and due decides. Every fault counts it.
    pub(crate) fn strike(&self, call: &FaultCall<'_>) -> Option<Effect> {
        let mut rules = lock(&self.rules);
        let Rules { rules, random } = &mut *rules;
        let mut effect = None;
        for rule in rules.iter_mut().filter(|r| r.fault.point.covers(call)) {
            let point = &rule.fault.point;
            rule.seen += 1;
            let due = rule.seen >= point.nth
                && point.times.is_none_or(|times| rule.fired < times)
                && point.chance.is_none_or(|chance| random.next_f64() < chance);
            if due && effect.is_none() {
                rule.fired += 1;
                effect = Some(rule.fault.effect.clone());
            }
        }
        effect
    }
}

/// The class of the exception of a call that panicked: it says whose fault it is.
pub(crate) fn of_a_bug(method: &str, what: &str) -> RemoteException {
    thrown(exception::DO_NOT_RETRY, format!("the mock has a bug: {method} panicked: {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strikes(faults: &Faults, method: &str, tables: &[Vec<u8>], calls: usize) -> Vec<usize> {
        let call = FaultCall { method, server: Some(0), tables };
        (1..=calls).filter(|_| faults.strike(&call).is_some()).collect()
    }

    #[test]
    fn nth_and_times_count_matching_calls_only() {
        let faults = Faults::new(0);
        faults.add(Fault::on("Get").table("t").nth(2).times(2).lose_reply());
        assert_eq!(strikes(&faults, "Get", &[b"u".to_vec()], 3), []);
        assert_eq!(strikes(&faults, "Mutate", &[b"t".to_vec()], 3), []);
        assert_eq!(strikes(&faults, "Get", &[b"u".to_vec(), b"t".to_vec()], 5), [2, 3]);
    }

    #[test]
    fn a_fault_without_more_words_strikes_always_and_another_server_never() {
        let faults = Faults::new(0);
        faults.add(Fault::on("Get").drop_request());
        assert_eq!(strikes(&faults, "Get", &[], 3), [1, 2, 3]);
        faults.clear();
        assert!(!faults.any());
        faults.add(Fault::on("Get").server(1).drop_request());
        assert_eq!(strikes(&faults, "Get", &[], 3), []);
    }

    #[test]
    fn chance_is_the_seeds() {
        let run = |seed| {
            let faults = Faults::new(seed);
            faults.add(Fault::on("Get").chance(0.3).close_before());
            strikes(&faults, "Get", &[], 100)
        };
        assert_eq!(run(1), run(1));
        assert_ne!(run(1), run(2));
        assert!((10..60).contains(&run(3).len()));
    }
}
