//! The injected faults of a cluster. Decides which of them fires for a call or a connection.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use fastrand::Rng;
use tallrow_wire::exception::CALL_QUEUE_TOO_BIG;
use tokio::time::Instant;

use super::change::Change;
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
    applier: OnceLock<Applier>,
}

/// The function that applies changes to the cluster, which is in a module above this one.
struct Applier(Box<dyn Fn(&Change) + Send + Sync>);

impl std::fmt::Debug for Applier {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Applier")
    }
}

/// A fault that was injected, with its counts so far; listed by
/// [`MockCluster::injected_faults`](crate::MockCluster::injected_faults).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct InjectedFault {
    /// The number of the fault, from 1 on in the order of the injections.
    pub id: u64,
    /// The fault.
    pub fault: Fault,
    /// The number of calls or connections that the fault matched, whether or not it fired.
    pub matched: u64,
    /// How many times it fired.
    pub fired: u64,
}

#[derive(Debug)]
struct Rules {
    rules: Vec<Rule>,
    /// The number of the fault that was injected last.
    last_id: u64,
    random: Rng,
}

#[derive(Debug)]
struct Rule {
    id: u64,
    fault: Fault,
    matched: u64,
    fired: u64,
    /// The times at which the calls of a queue will be finished.
    finished: VecDeque<Instant>,
}

impl FaultInjector {
    /// Makes an injector without faults.
    pub(crate) fn new(seed: u64) -> Self {
        let rules = Rules { rules: Vec::new(), last_id: 0, random: Rng::with_seed(seed) };
        Self { any: AtomicBool::new(false), rules: Mutex::new(rules), applier: OnceLock::new() }
    }

    /// Whether there are any faults.
    pub(crate) fn has_faults(&self) -> bool {
        self.any.load(Ordering::Acquire)
    }

    /// Adds a fault, and returns its number.
    pub(crate) fn add(&self, fault: Fault) -> u64 {
        let mut rules = lock(&self.rules);
        rules.last_id += 1;
        let id = rules.last_id;
        rules.rules.push(Rule { id, fault, matched: 0, fired: 0, finished: VecDeque::new() });
        self.any.store(true, Ordering::Release);
        id
    }

    /// Removes the fault with this number; returns whether there was one.
    pub(crate) fn remove(&self, id: u64) -> bool {
        let mut rules = lock(&self.rules);
        let before = rules.rules.len();
        rules.rules.retain(|rule| rule.id != id);
        self.any.store(!rules.rules.is_empty(), Ordering::Release);
        rules.rules.len() < before
    }

    /// Removes all faults.
    pub(crate) fn clear(&self) {
        let mut rules = lock(&self.rules);
        rules.rules.clear();
        self.any.store(false, Ordering::Release);
    }

    /// The injected faults, in the order of their injection.
    pub(crate) fn injected(&self) -> Vec<InjectedFault> {
        let rules = lock(&self.rules);
        let of = |r: &Rule| InjectedFault {
            id: r.id,
            fault: r.fault.clone(),
            matched: r.matched,
            fired: r.fired,
        };
        rules.rules.iter().map(of).collect()
    }

    /// Sets the function that applies changes to the cluster.
    pub(crate) fn set_applier(&self, apply: impl Fn(&Change) + Send + Sync + 'static) {
        // A second function could only come from a second cluster with the same faults.
        let _ = self.applier.set(Applier(Box::new(apply)));
    }

    /// Applies the changes that are to happen before a call.
    pub(crate) fn apply_changes_before(&self, target: &CallTarget<'_>) {
        // No lock is held while a change is applied.
        for change in self.changes_before(target) {
            if let Some(Applier(apply)) = self.applier.get() {
                apply(&change);
            }
        }
    }

    /// Returns the changes that are to happen before a call, in the order of their injection.
    fn changes_before(&self, target: &CallTarget<'_>) -> Vec<Change> {
        let mut rules = lock(&self.rules);
        let Rules { rules, random, .. } = &mut *rules;
        let mut changes = Vec::new();
        for Rule { fault, matched, fired, .. } in rules {
            let FaultKind::Change(filter, change) = &fault.0 else { continue };
            if !filter.matches(target) {
                continue;
            }
            *matched += 1;
            if filter.schedule.fires(*matched, *fired, random) {
                *fired += 1;
                changes.push(change.clone());
            }
        }
        changes
    }

    /// The faults that have not fired.
    pub(crate) fn unfired(&self) -> Vec<Fault> {
        let rules = lock(&self.rules);
        rules.rules.iter().filter(|r| r.fired == 0).map(|r| r.fault.clone()).collect()
    }

    /// Returns the effect on a call: the effect of the first fault that fires. Every fault that
    /// matches the call counts it.
    pub(crate) fn effect_on_call(&self, target: &CallTarget<'_>) -> Option<Effect> {
        let matching = |fault: &Fault| match &fault.0 {
            FaultKind::Call(filter, effect) if filter.matches(target) => {
                Some((filter.schedule.clone(), effect.clone()))
            }
            _ => None,
        };
        self.evaluate(matching, |effect, finished| match effect {
            Effect::LimitCallQueue { capacity, time_per_call } => {
                queued(finished, capacity, time_per_call)
            }
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
        let Rules { rules, random, .. } = &mut *rules;
        let mut fired_effect = None;
        for Rule { fault, matched, fired, finished, .. } in rules {
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

/// Adds a call to a queue, and returns the effect: the call pauses until its turn is over, or fails
/// if the queue is full.
fn queued(finished: &mut VecDeque<Instant>, capacity: usize, time_per_call: Duration) -> Effect {
    let now = Instant::now();
    finished.retain(|at| *at > now);
    if finished.len() >= capacity {
        let text = format!("Call queue is full, {capacity} calls");
        return Effect::Throw(remote_exception(CALL_QUEUE_TOO_BIG, text));
    }
    let at = finished.back().map_or(now, |last| *last) + time_per_call;
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
        assert_eq!(fired(&faults, "Get", &[b"u".to_vec()], 3), [0; 0]);
        assert_eq!(fired(&faults, "Mutate", &[b"t".to_vec()], 3), [0; 0]);
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
        assert_eq!(fired(&faults, "Get", &[], 3), [0; 0]);
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
        assert_eq!(fired(&faults, "Get", &[], 3), [0; 0]);
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

    #[test]
    fn every_change_that_is_due_happens_in_order_and_hides_no_fault() {
        let faults = FaultInjector::new(0);
        let (done, seen) = std::sync::mpsc::channel();
        faults.set_applier(move |change| done.send(change.to_string()).unwrap());
        faults.add(Fault::on("Get").nth(2).change(Change::StartServer));
        faults.add(Fault::on("Get").nth(2).times(2).change(Change::KillMaster));
        faults.add(Fault::on("Get").nth(2).drop_reply());
        let target = CallTarget { method: "Get", role: Role::RegionServer(0), tables: vec![] };
        for expected in [0, 2, 1, 0] {
            faults.apply_changes_before(&target);
            assert_eq!(seen.try_iter().count(), expected);
            assert_eq!(faults.effect_on_call(&target).is_some(), expected == 2);
        }
        let counts = faults.injected().iter().map(|f| (f.matched, f.fired)).collect::<Vec<_>>();
        assert_eq!(counts, [(4, 1), (4, 2), (4, 1)]);
    }
}
