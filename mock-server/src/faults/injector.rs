//! The injected faults of a cluster, and the decision which of them fires for a call or a
//! connection.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use fastrand::Rng;
use tallrow_wire::exception::CALL_QUEUE_TOO_BIG;
use tokio::time::Instant;

use super::effect::{ConnectionEffect, Effect};
use super::fault::{Fault, FaultKind, Schedule};
use super::target::CallTarget;
use crate::base::{lock, remote_exception};
use crate::state::Role;

/// The injected faults of a cluster.
#[derive(Debug)]
pub(crate) struct FaultInjector {
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
    matched: u64,
    fired: u64,
    /// The times at which the calls of a queue will be finished.
    finished: VecDeque<Instant>,
}

impl FaultInjector {
    /// Makes an injector without faults.
    pub(crate) fn new(seed: u64) -> Self {
        let rules = Rules { rules: Vec::new(), random: Rng::with_seed(seed) };
        Self { any: AtomicBool::new(false), rules: Mutex::new(rules) }
    }

    /// Whether there are any faults.
    pub(crate) fn has_faults(&self) -> bool {
        self.any.load(Ordering::Acquire)
    }

    /// Adds a fault.
    pub(crate) fn add(&self, fault: Fault) {
        lock(&self.rules).rules.push(Rule {
            fault,
            matched: 0,
            fired: 0,
            finished: VecDeque::new(),
        });
        self.any.store(true, Ordering::Release);
    }

    /// Removes all faults.
    pub(crate) fn clear(&self) {
        lock(&self.rules).rules.clear();
        self.any.store(false, Ordering::Release);
    }

    /// The faults that have not fired.
    pub(crate) fn unfired(&self) -> Vec<Fault> {
        let rules = lock(&self.rules);
        rules.rules.iter().filter(|r| r.fired == 0).map(|r| r.fault.clone()).collect()
    }

    /// Returns the effect on a call: the effect of the first fault that fires. Every matching fault
    /// counts the call.
    pub(crate) fn effect_on_call(&self, target: &CallTarget<'_>) -> Option<Effect> {
        let matching = |fault: &Fault| match &fault.0 {
            FaultKind::Call(filter, effect) if filter.matches(target) => {
                Some((filter.schedule.clone(), effect.clone()))
            }
            _ => None,
        };
        self.evaluate(matching, |effect, finished| match effect {
            Effect::Queue { calls, each } => queued(finished, calls, each),
            effect => effect,
        })
    }

    /// Returns the effect on a new connection to a server.
    pub(crate) fn effect_on_connection(&self, role: Role) -> Option<ConnectionEffect> {
        let matching = |fault: &Fault| match &fault.0 {
            FaultKind::Connection(schedule, effect) if schedule.covers(role) => {
                Some((schedule.clone(), effect.clone()))
            }
            _ => None,
        };
        self.evaluate(matching, |effect, _| effect)
    }

    fn evaluate<E>(
        &self,
        matching: impl Fn(&Fault) -> Option<(Schedule, E)>,
        fire: impl Fn(E, &mut VecDeque<Instant>) -> E,
    ) -> Option<E> {
        if !self.has_faults() {
            return None;
        }
        let mut rules = lock(&self.rules);
        let Rules { rules, random } = &mut *rules;
        let mut fired_effect = None;
        for Rule { fault, matched, fired, finished } in rules {
            let Some((schedule, effect)) = matching(fault) else { continue };
            *matched += 1;
            if schedule.fires(*matched, *fired, random) && fired_effect.is_none() {
                *fired += 1;
                fired_effect = Some(fire(effect, finished));
            }
        }
        fired_effect
    }
}

/// Adds a call to a queue, and returns the effect: the call pauses until the queue has finished it,
/// or fails if the queue is full.
fn queued(finished: &mut VecDeque<Instant>, calls: usize, each: Duration) -> Effect {
    let now = Instant::now();
    finished.retain(|at| *at > now);
    if finished.len() >= calls {
        let text = format!("Call queue is full, {calls} calls");
        return Effect::Throw(remote_exception(CALL_QUEUE_TOO_BIG, text));
    }
    let at = finished.back().map_or(now, |last| *last) + each;
    finished.push_back(at);
    Effect::PauseHandler(at - now)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fired(faults: &FaultInjector, method: &str, tables: &[Vec<u8>], calls: usize) -> Vec<usize> {
        let target = CallTarget { method, role: Role::RegionServer(0), tables: tables.to_vec() };
        (1..=calls).filter(|_| faults.effect_on_call(&target).is_some()).collect()
    }

    #[test]
    fn nth_and_times_count_matching_calls_only() {
        let faults = FaultInjector::new(0);
        faults.add(Fault::on("Get").table("t").nth(2).times(2).drop_reply());
        assert_eq!(fired(&faults, "Get", &[b"u".to_vec()], 3), []);
        assert_eq!(fired(&faults, "Mutate", &[b"t".to_vec()], 3), []);
        assert_eq!(fired(&faults, "Get", &[b"u".to_vec(), b"t".to_vec()], 5), [2, 3]);
    }

    #[test]
    fn a_fault_fires_always_unless_limited_and_never_on_another_server() {
        let faults = FaultInjector::new(0);
        faults.add(Fault::on("Get").drop_request());
        assert_eq!(fired(&faults, "Get", &[], 3), [1, 2, 3]);
        faults.clear();
        assert!(!faults.has_faults());
        faults.add(Fault::on("Get").server(1).drop_request());
        faults.add(Fault::on("Get").master().drop_request());
        assert_eq!(fired(&faults, "Get", &[], 3), []);
        assert_eq!(
            faults.effect_on_call(&CallTarget {
                method: "Get",
                role: Role::Master,
                tables: vec![]
            }),
            Some(Effect::DropRequest)
        );
    }

    #[test]
    fn chance_follows_from_the_seed() {
        let run = |seed| {
            let faults = FaultInjector::new(seed);
            faults.add(Fault::on("Get").chance(0.3).close_before());
            fired(&faults, "Get", &[], 100)
        };
        assert_eq!(run(1), run(1));
        assert_ne!(run(1), run(2));
        assert!((10..60).contains(&run(3).len()));
    }

    #[test]
    fn connections_and_calls_are_counted_separately() {
        let faults = FaultInjector::new(0);
        faults.add(Fault::on_connect().nth(2).close());
        assert_eq!(fired(&faults, "Get", &[], 3), []);
        let fired: Vec<_> =
            (1..=3).filter(|_| faults.effect_on_connection(Role::Master).is_some()).collect();
        assert_eq!(fired, [2]);
    }

    #[test]
    fn unfired_faults_are_those_that_never_fired() {
        let faults = FaultInjector::new(0);
        let (first, hidden) = (Fault::on("Get").drop_reply(), Fault::on("Get").drop_request());
        let late = Fault::on_connect().nth(9).close();
        for fault in [&first, &hidden, &late] {
            faults.add(fault.clone());
        }
        assert_eq!(faults.unfired(), [first, hidden.clone(), late.clone()]);
        assert_eq!(fired(&faults, "Get", &[], 1), [1]);
        assert_eq!(faults.unfired(), [hidden, late]);
    }
}
