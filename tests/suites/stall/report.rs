//! The outcomes of all calls, as a table.

use std::collections::BTreeMap;
use std::fmt;
use std::net::SocketAddr;
use std::time::Duration;

use tallrow::Error;

use crate::stall::DEADLINE;
use crate::stall::calls::Errors;
use crate::stall::place::Timeouts;
use crate::stall::stalls::{How, Stall, Step};

/// The outcome of one call.
pub(crate) struct Outcome {
    pub(crate) call: &'static str,
    pub(crate) stall: Stall,
    pub(crate) timeouts: Timeouts,
    /// None if it did not end.
    pub(crate) errors: Option<Errors>,
    pub(crate) took: Duration,
}

impl Outcome {
    fn late(&self) -> Duration {
        self.took.saturating_sub(DEADLINE)
    }

    /// What is wrong with the outcome.
    fn complaints(&self) -> Vec<String> {
        let Self { call, stall: Stall { step, how }, timeouts, errors, took } = self;
        let case = format!("{call}, {how:?} at {step:?}, timeout {timeouts:?}");
        let mut complaints = Vec::new();
        if !self.late().is_zero() {
            complaints.push(format!("{case}: late, {took:.2?}"));
        }
        match errors {
            None => complaints.push(format!("{case}: no end")),
            Some(errors) => complaints.extend(errors.iter().filter_map(|error| match error {
                None => Some(format!("{case}: succeeded")),
                Some(e) if named(e) => None,
                Some(e) => Some(format!("{case}: names no server: {e:?}")),
            })),
        }
        complaints
    }
}

/// Whether an error names a server by its address, or each of several.
fn named(error: &Error) -> bool {
    let is_address = |server: &str| server.parse::<SocketAddr>().is_ok();
    error.server().is_some_and(|servers| servers.split(',').all(is_address))
}

#[derive(Default)]
pub(crate) struct Report {
    outcomes: Vec<Outcome>,
}

/// A line of the table.
#[derive(Default)]
struct Line {
    calls: usize,
    errors: usize,
    named: usize,
    late: usize,
    worst: Duration,
}

impl Line {
    fn add(&mut self, outcome: &Outcome) {
        let errors = outcome.errors.iter().flatten().flatten();
        self.calls += 1;
        self.errors += errors.clone().count();
        self.named += errors.filter(|e| named(e)).count();
        self.late += usize::from(!outcome.late().is_zero());
        self.worst = self.worst.max(outcome.late());
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { calls, errors, named, late, worst } = self;
        let share = 100.0 * *named as f64 / (*errors).max(1) as f64;
        let worst = worst.as_millis();
        write!(f, "{calls:>6} {errors:>7} {share:>8.1} % {late:>6} {worst:>9} ms")
    }
}

impl Report {
    pub(crate) fn extend(&mut self, outcomes: Vec<Outcome>) {
        self.outcomes.extend(outcomes);
    }

    fn lines<K: Ord>(&self, key: impl Fn(&Outcome) -> K) -> BTreeMap<K, Line> {
        let mut lines = BTreeMap::<K, Line>::new();
        self.outcomes.iter().for_each(|o| lines.entry(key(o)).or_default().add(o));
        lines
    }

    /// Asserts that every call failed, in time, and named a server.
    pub(crate) fn assert(&self) {
        let complaints: Vec<_> = self.outcomes.iter().flat_map(Outcome::complaints).collect();
        assert!(
            complaints.is_empty(),
            "{} of {} calls:\n{}",
            complaints.len(),
            self.outcomes.len(),
            complaints.join("\n")
        );
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<30} {:>6} {:>7} {:>10} {:>6} {:>12}",
            "the server ... at ...", "calls", "errors", "named", "late", "worst by"
        )?;
        for ((step, how), line) in self.lines::<(Step, How)>(|o| (o.stall.step, o.stall.how)) {
            writeln!(f, "{:<30} {line}", format!("{how:?} at {step:?}"))?;
        }
        for (timeouts, line) in self.lines(|o| o.timeouts) {
            writeln!(f, "{:<30} {line}", format!("timeout {timeouts:?}"))?;
        }
        Ok(())
    }
}
