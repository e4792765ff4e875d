//! The rows that are called, in small sets one after the other: the checker cannot order many calls
//! on one row.

use std::collections::HashMap;
use std::sync::Mutex;

use tallrow_tests::Random;

/// The number of calls on a set of rows before the next set replaces it, small enough for the
/// checker to order them.
pub(crate) const CALLS: u64 = 1000;
const REGISTERS: u64 = 5;
const COUNTERS: u64 = 2;

/// The rows of a run, in consecutive sets: registers, counters, and a counter from which ids are
/// drawn.
#[derive(Default)]
pub(crate) struct Rows {
    /// The last known value of each register, so that checks often expect the right one.
    seen: Mutex<HashMap<String, Option<String>>>,
}

impl Rows {
    /// A register of the set for this call.
    pub(crate) fn register(call: u64, random: &mut Random) -> String {
        register(call / CALLS, random.below(REGISTERS))
    }

    /// A counter of that set.
    pub(crate) fn counter(call: u64, random: &mut Random) -> String {
        counter(call / CALLS, random.below(COUNTERS))
    }

    /// The counter of that set from which ids are drawn.
    pub(crate) fn ids(call: u64) -> String {
        ids(call / CALLS)
    }

    /// All registers that this many calls use.
    pub(crate) fn registers(calls: u64) -> impl Iterator<Item = String> {
        (0..calls.div_ceil(CALLS)).flat_map(|set| (0..REGISTERS).map(move |n| register(set, n)))
    }

    /// All counters that this many calls use.
    pub(crate) fn counters(calls: u64) -> impl Iterator<Item = String> {
        let of_a_set = |set| (0..COUNTERS).map(move |n| counter(set, n)).chain([ids(set)]);
        (0..calls.div_ceil(CALLS)).flat_map(of_a_set)
    }

    /// The initial split keys of the table.
    pub(crate) fn splits() -> Vec<String> {
        ["c1", "i", "r1", "r3"].map(str::to_owned).to_vec()
    }

    pub(crate) fn saw(&self, row: &str, value: Option<String>) {
        let mut seen = self.seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        seen.insert(row.to_owned(), value);
    }

    pub(crate) fn seen(&self, row: &str) -> Option<String> {
        let seen = self.seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        seen.get(row).cloned().flatten()
    }
}

fn register(set: u64, n: u64) -> String {
    format!("r{n}-{set:05}")
}

fn counter(set: u64, n: u64) -> String {
    format!("c{n}-{set:05}")
}

fn ids(set: u64) -> String {
    format!("i-{set:05}")
}
