//! The checks with which the task of a connection finds operations that are not answered in time,
//! and servers that are dead.
//!
//! # Invariants
//!
//! - A server that restarts, and accepts connections before it answers, does not hold back reads.
//!   Tests: `tests/suites/faults/reads.rs::a_read_leaves_a_server_that_has_answered_nothing_yet`,
//!   `tests/suites/faults/reads.rs::a_read_whose_answer_is_slow_is_sent_again_once`.

use std::time::Duration;

use tokio::time::Instant;

use super::pending::{PendingCall, UnansweredCall, Waiter};
use super::{Driver, broken};
use crate::backend::hbase::rpc::call::CallError;
use crate::observe::WindowCause;

/// A server that sends fewer bytes than this, and no whole frame, counts as silent.
const TRICKLE_BYTES: u64 = 4 << 10;

/// A server that has answered nothing on a new connection for this long may still be starting.
const FIRST_ANSWER: Duration = Duration::from_millis(400);

impl Driver {
    /// If the first answer on this connection is late, reports a timeout to the callers of all
    /// outstanding reads and lookups, but only once. A server that was killed and restarts accepts
    /// connections long before it answers; by then, the regions may be open on other servers.
    pub(super) fn time_out_reads_without_first_answer(&mut self) {
        let now = Instant::now();
        let is_late = |p: &PendingCall| now >= p.since + FIRST_ANSWER.min(p.timeout);
        if self.answered || self.told_late || !self.pending.values().any(is_late) {
            return;
        }
        self.told_late = true;
        for pending in self.pending.values_mut() {
            if let Waiter::Ops { callers, .. } = &mut pending.waiter {
                callers.iter_mut().for_each(|caller| caller.time_out_if_read(now));
            }
        }
        let lookups = self.pending.extract_if(|_, p| matches!(p.waiter, Waiter::Lookup(_)));
        for (_, lookup) in lookups {
            let after = now.saturating_duration_since(lookup.since);
            lookup.waiter.fail(&CallError::TimedOut { after, sent: true });
        }
    }

    /// Reports a timeout to the callers of operations whose deadline has passed.
    pub(super) fn time_out_late_ops(&mut self) {
        let now = Instant::now();
        for mut op in self.ops.take_late(now) {
            op.waiting.time_out_if_late(now, false);
        }
        if self.first.is_none_or(|first| now < first) {
            return;
        }
        self.queue.retain_mut(|op| {
            op.waiting.time_out_if_late(now, false);
            !op.waiting.is_over()
        });
        let mut next = self.queue.iter().map(|op| op.waiting.deadline).min();
        for pending in self.pending.values_mut() {
            let Waiter::Ops { callers, first, .. } = &mut pending.waiter else { continue };
            if *first <= now {
                callers.iter_mut().for_each(|caller| caller.time_out_if_late(now, true));
                let left = callers.iter().filter(|caller| !caller.is_over());
                let Some(earliest) = left.map(|caller| caller.deadline).min() else { continue };
                *first = earliest;
            }
            next = next.into_iter().chain([*first]).min();
        }
        self.first = next;
    }

    /// Returns an error if the server is dead: if it has answered nothing since a call was sent,
    /// although both the timeout of this call and the shortest timeout of any call have passed.
    /// Fewer than `TRICKLE_BYTES` bytes are not an answer.
    pub(super) fn stall_error(&self) -> Option<CallError> {
        let now = Instant::now();
        let silence = self.settings.silence;
        let pending = self.pending.values().map(|p| UnansweredCall::new(p, silence));
        let mut calls = pending.chain(self.given_up);
        let call = calls.find(|call| now >= call.due && self.is_unanswered(call))?;
        let waited = call.due - call.since;
        Some(broken(format!("the server sent no answer for {:.1} s", waited.as_secs_f64())))
    }

    /// Whether no frame, and fewer than `TRICKLE_BYTES` bytes, have arrived since the call was
    /// sent.
    fn is_unanswered(&self, call: &UnansweredCall) -> bool {
        self.last_frame <= call.since && self.read - call.bytes_read_before < TRICKLE_BYTES
    }

    /// Frees the memory of operations and calls whose callers no longer wait. Late answers to these
    /// calls are dropped.
    pub(super) fn drop_abandoned_calls(&mut self) {
        let now = Instant::now();
        self.queue.retain(|op| !op.waiting.is_over());
        self.calls.retain(|call| !call.reply.is_closed());
        let pending = self.pending.len();
        let (mut calls, mut since) = (0, now);
        let mut gone: Vec<UnansweredCall> = self.given_up.into_iter().collect();
        let silence = self.settings.silence;
        self.pending.retain(|_, p| {
            let kept = now < p.since + p.timeout || !p.waiter.is_closed();
            if !kept {
                gone.push(UnansweredCall::new(p, silence));
            }
            if !kept && p.operations > 0 {
                (calls, since) = (calls + 1, since.min(p.since));
            }
            kept
        });
        gone.retain(|call| self.is_unanswered(call));
        self.given_up = gone.into_iter().min_by_key(|call| call.due);
        self.record_ended_calls(calls);
        self.window.record_refused(calls as f64, WindowCause::NoAnswer, since);
        self.observed.report_abandoned_calls(pending - self.pending.len());
        self.op_calls.retain(|(id, _)| self.pending.contains_key(id));
    }

    /// Notes that `calls` calls are no longer outstanding.
    pub(super) fn record_ended_calls(&mut self, calls: usize) {
        self.outstanding -= calls;
        self.window.record_ended(calls);
    }
}
