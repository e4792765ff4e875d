//! The sending side of a connection's task: it decides what is sent next, and in which call.

use std::time::Duration;

use tokio::time::Instant;

use super::pending::{PendingCall, Waiter};
use super::{Driver, free_if_large};
use crate::backend::hbase::rpc::call::{millis, trace_info};
use crate::backend::hbase::rpc::command::{EncodedOps, QueuedOp, next_id};
use crate::backend::hbase::rpc::first_seen::FirstSeenNumbers;
use crate::backend::hbase::rpc::multi;
use crate::backend::hbase::rpc::op::Routed;
use crate::observe::TraceContext;
use crate::wire::frame;
use crate::wire::proto::RequestHeader;

/// The maximum number of operations in one `Multi`.
pub(crate) const MULTI_OPS: usize = 1000;
/// The maximum number of bytes of operations in one `Multi` with several operations.
pub(crate) const MULTI_BYTES: usize = 2 << 20;
/// A call without an answer for this long no longer holds back other calls: a slow region must not
/// block other regions.
const SLOW: Duration = Duration::from_millis(10);

impl Driver {
    pub(super) fn send_call(&mut self, ops: EncodedOps) {
        if !ops.reply.is_closed() && ops.ticket.content.mark_sent() {
            let call_id = next_id(&self.next_call);
            let now = Instant::now();
            let at = (now, ops.deadline.saturating_duration_since(now));
            let EncodedOps { method, body, param_len, priority, trace, operations, .. } = ops;
            let call = OpsCall { method, param_len, priority, trace, operations };
            self.write(call_id, &call, &body, at, Waiter::Call(ops.reply));
        }
    }

    /// Appends a call for operations to the output buffer; `at` contains the time of the call and
    /// its timeout.
    fn write(
        &mut self,
        call_id: u32,
        call: &OpsCall,
        body: &[u8],
        at: (Instant, Duration),
        waiter: Waiter,
    ) {
        let header = RequestHeader {
            call_id: Some(call_id),
            trace_info: call.trace.as_ref().map(trace_info),
            method_name: Some(call.method.to_owned()),
            priority: Some(call.priority),
            timeout: Some(millis(at.1)),
            ..Default::default()
        };
        let before = self.out.len();
        let cells = body.len().saturating_sub(call.param_len);
        frame::put_request_head(header, call.param_len, cells, &mut self.out);
        self.out.extend_from_slice(body);
        self.register_call(call_id, (self.out.len() - before, call.operations), at, waiter);
    }

    /// Registers the waiter for the answer to a call that is put into `out`. The frame of the call
    /// has `bytes` bytes, and the call has `operations` operations.
    pub(super) fn register_call(
        &mut self,
        call_id: u32,
        (bytes, operations): (usize, usize),
        (since, timeout): (Instant, Duration),
        waiter: Waiter,
    ) {
        self.observed.report_call(operations, bytes);
        if operations > 0 {
            self.window.record_sent();
            self.outstanding += 1;
        }
        let (offset, bytes_read_before) = (self.queued, self.read);
        let pending = PendingCall { waiter, offset, bytes_read_before, since, timeout, operations };
        self.pending.insert(call_id, pending);
        self.queued += bytes as u64;
    }

    /// Sends the waiting calls and operations, as far as the window allows. If not all of them were
    /// sent, returns the time at which to try again.
    pub(super) fn send_ops(&mut self) -> Option<Instant> {
        if !self.window.is_limited() && self.calls.is_empty() {
            while !self.queue.is_empty() {
                if let Some(at) = self.send_queued() {
                    return Some(at);
                }
            }
            return None;
        }
        let held = self.send_within();
        let in_calls: usize = self.calls.iter().map(|call| call.operations).sum();
        self.window.set_waiting(self.queue.len() + in_calls);
        held
    }

    /// Sends the waiting calls and operations in turn, while the window is limited. If not all of
    /// them could be sent, returns the time at which to try again.
    fn send_within(&mut self) -> Option<Instant> {
        let mut turn_of_calls = true;
        while self.has_waiting() {
            let now = Instant::now();
            if let Some(at) = self.window.closed_until(now) {
                return Some(at);
            }
            if turn_of_calls || self.queue.is_empty() {
                self.calls.pop_front().into_iter().for_each(|call| self.send_call(call));
            } else if let Some(at) = self.send_queued() {
                return Some(at);
            }
            turn_of_calls = !turn_of_calls;
        }
        None
    }

    /// Sends queued operations in one call, if few enough calls with operations are outstanding;
    /// otherwise returns the time at which to try again.
    fn send_queued(&mut self) -> Option<Instant> {
        let now = Instant::now();
        if let Some(at) = self.held_until(now) {
            return Some(at);
        }
        let mut batch = std::mem::take(&mut self.batch);
        let mut bytes = 0;
        while let Some(op) = self.queue.pop_front() {
            if op.waiting.is_over() {
                continue;
            }
            bytes += op.region.len() + op.op().size();
            let full = bytes > MULTI_BYTES || batch.len() >= MULTI_OPS;
            if batch.first().is_some_and(|first| full || !may_share(first, &op, now)) {
                self.queue.push_front(op);
                break;
            }
            batch.push(op);
        }
        let deadlines = || batch.iter().map(|op| op.waiting.deadline);
        let (Some(first), Some(deadline)) = (deadlines().min(), deadlines().max()) else {
            self.batch = batch;
            return None;
        };
        let timeout = deadline.saturating_duration_since(now);
        let call_id = next_id(&self.next_call);
        if batch.len() > 1 {
            let mut regions = FirstSeenNumbers::default();
            batch
                .sort_by_cached_key(|op| (regions.number(op.region.as_ptr()), op.op().is_atomic()));
        }
        let mut body = std::mem::take(&mut self.body);
        let compression = self.settings.compression.as_ref();
        let (param_len, layout) =
            multi::encode(&batch, self.settings.nonce_group, compression, &mut body);
        self.op_calls.push((call_id, now));
        let priority = batch.iter().map(|op| op.priority).max().unwrap_or(0);
        let trace = TraceContext::choose(batch.iter().filter_map(|op| op.trace.as_ref()));
        let call = OpsCall {
            method: layout.method(),
            param_len,
            priority,
            trace: trace.cloned(),
            operations: batch.len(),
        };
        let mut callers = Vec::with_capacity(batch.len());
        callers.extend(batch.drain(..).map(|op| op.waiting));
        self.batch = batch;
        let waiter = Waiter::Ops { callers, layout, first };
        self.write(call_id, &call, &body, (now, timeout), waiter);
        body.clear();
        free_if_large(&mut body);
        self.body = body;
        None
    }

    /// Returns `None` if a call may be sent now. Otherwise too many outstanding calls are not slow
    /// yet, and the result is the time at which the first of these becomes slow.
    fn held_until(&self, now: Instant) -> Option<Instant> {
        if self.op_calls.len() < self.settings.calls_at_once {
            return None;
        }
        let fresh = || self.op_calls.iter().map(|(_, since)| *since + SLOW).filter(|at| *at > now);
        if fresh().count() < self.settings.calls_at_once { None } else { fresh().min() }
    }
}

/// Whether two operations may be sent in one call. The header of the call contains one priority for
/// both operations. It also contains one timeout: the time until the later deadline. The server may
/// start the call at any time within the timeout, so the timeout must not be much longer than the
/// other caller waits.
fn may_share(a: &QueuedOp, b: &QueuedOp, now: Instant) -> bool {
    let (a_until, b_until) = (a.waiting.deadline, b.waiting.deadline);
    let (left, other) = (a_until.duration_since(now), b_until.duration_since(now));
    a.priority == b.priority && left.max(other) <= left.min(other) * 2
}

/// The values for the header of a call for operations.
struct OpsCall {
    method: &'static str,
    /// The length of the parameter message.
    param_len: usize,
    priority: u32,
    trace: Option<TraceContext>,
    /// How many operations on rows the call has.
    operations: usize,
}
