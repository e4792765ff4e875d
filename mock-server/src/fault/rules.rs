//! The faults of a cluster, and which of them strikes now.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use fastrand::Rng;
use tallrow_wire::exception::{self, RemoteException};

use super::schedule::Schedule;
use super::{ConnectionEffect, Effect, Fault, FaultCall, Kind};
use crate::cluster::lock;
use crate::remote_exception::remote_exception;

/// The faults of a cluster.
#[derive(Debug)]
pub(crate) struct Faults {
    any: AtomicBool,
    rules: Mutex<Rules>,
}

#[derive(Debug)]
struct Rules {
    rules: Vec<Rule>,
    random: Rng,
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
        let rules = Rules { rules: Vec::new(), random: Rng::with_seed(seed) };
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

    /// The faults that never struck.
    pub(crate) fn unfired(&self) -> Vec<Fault> {
        let rules = lock(&self.rules);
        rules.rules.iter().filter(|r| r.fired == 0).map(|r| r.fault.clone()).collect()
    }

    /// What goes wrong with this call: the first fault that is for it and due decides. Every fault counts it.
    pub(crate) fn of_call(&self, call: &FaultCall<'_>) -> Option<Effect> {
        self.evaluate(|fault| match &fault.0 {
            Kind::Call(point, effect) if point.covers(call) => Some((point.schedule(), effect)),
            _ => None,
        })
    }

    /// What goes wrong with a new connection to a region server by its number, or to the master.
    pub(crate) fn of_connection(&self, server: Option<usize>) -> Option<ConnectionEffect> {
        self.evaluate(|fault| match &fault.0 {
            Kind::Connection(point, effect) if point.schedule().covers(server) => {
                Some((point.schedule(), effect))
            }
            _ => None,
        })
    }

    fn evaluate<E: Clone>(&self, is_for: impl Fn(&Fault) -> Option<(&Schedule, &E)>) -> Option<E> {
        if !self.any() {
            return None;
        }
        let mut rules = lock(&self.rules);
        let Rules { rules, random } = &mut *rules;
        let mut struck = None;
        for Rule { fault, seen, fired } in rules {
            let Some((schedule, effect)) = is_for(fault) else { continue };
            *seen += 1;
            if schedule.is_due(*seen, *fired, random) && struck.is_none() {
                *fired += 1;
                struck = Some(effect.clone());
            }
        }
        struck
    }
}

/// The exception of a call that panicked: it says whose fault it is.
pub(crate) fn of_a_bug(method: &str, what: &str) -> RemoteException {
    remote_exception(
        exception::DO_NOT_RETRY,
        format!("the mock has a bug: {method} panicked: {what}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strikes(faults: &Faults, method: &str, tables: &[Vec<u8>], calls: usize) -> Vec<usize> {
        let call = FaultCall { method, server: Some(0), tables };
        (1..=calls).filter(|_| faults.of_call(&call).is_some()).collect()
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
        faults.add(Fault::on("Get").master().drop_request());
        assert_eq!(strikes(&faults, "Get", &[], 3), []);
        assert_eq!(
            faults.of_call(&FaultCall { method: "Get", server: None, tables: &[] }),
            Some(Effect::DropRequest)
        );
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

    #[test]
    fn connections_and_calls_are_counted_apart() {
        let faults = Faults::new(0);
        faults.add(Fault::on_connect().nth(2).close());
        assert_eq!(strikes(&faults, "Get", &[], 3), []);
        let struck: Vec<_> = (1..=3).filter(|_| faults.of_connection(None).is_some()).collect();
        assert_eq!(struck, [2]);
    }

    #[test]
    fn unfired_faults_are_those_that_never_struck() {
        let faults = Faults::new(0);
        let (struck, hidden) = (Fault::on("Get").lose_reply(), Fault::on("Get").drop_request());
        let late = Fault::on_connect().nth(9).close();
        for fault in [&struck, &hidden, &late] {
            faults.add(fault.clone());
        }
        assert_eq!(faults.unfired(), [struck, hidden.clone(), late.clone()]);
        assert_eq!(strikes(&faults, "Get", &[], 1), [1]);
        assert_eq!(faults.unfired(), [hidden, late]);
    }
}
