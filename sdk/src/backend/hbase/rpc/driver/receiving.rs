//! The receiving side of a connection's task: it decodes the answers of the server, and passes them
//! to the callers.

use std::io;
use std::sync::atomic::Ordering;

use bytes::Bytes;
use tokio::time::Instant;

use super::pending::Waiter;
use super::{Driver, broken, free_if_large, lost};
use crate::backend::hbase::rpc::call::CallError;
use crate::backend::hbase::rpc::multi;
use crate::backend::hbase::rpc::window::Refusals;
use crate::wire::WireError;
use crate::wire::exception::RemoteException;
use crate::wire::frame::{self, Response};
use crate::wire::preamble::NO_CALL;

/// An answer can belong only to one of this many latest calls. Call ids start again at 0 after
/// twice this number of calls.
const MOST_CALLS: u32 = 1 << 30;

/// Frames up to this size are copied into a buffer of their own, so that a small row that is kept
/// for long does not keep a large buffer in memory.
const SMALL_FRAME: usize = 16 << 10;

/// The first bytes that a server with TLS sends to a client without TLS.
const TLS_ALERT: &[u8] = &[0x15, 3];
const WANTS_TLS: &str = "the server has TLS and this client has not; configure it \
     (Config::tls, hbase.client.netty.tls.enabled)";

impl Driver {
    /// Handles bytes that were read from the server, or the end of the stream.
    pub(super) fn handle_read(&mut self, read: &io::Result<usize>) -> Result<(), CallError> {
        match read {
            Ok(0) => Err(self.end_of_stream()),
            Ok(n) => {
                self.read += *n as u64;
                if !self.answered && self.inbox.starts_with(TLS_ALERT) {
                    return Err(CallError::Broken { why: WANTS_TLS.into(), sent: false });
                }
                self.take_frames()
            }
            Err(e) => Err(lost(e)),
        }
    }

    fn take_frames(&mut self) -> Result<(), CallError> {
        while let Some(bytes) = frame::split(&mut self.inbox, frame::DEFAULT_MAX_LEN)? {
            let size = bytes.len();
            let bytes =
                if bytes.len() <= SMALL_FRAME { Bytes::copy_from_slice(&bytes) } else { bytes };
            let mut response = Response::decode(bytes)?;
            if let Some(compressed) = &self.settings.compression {
                response.cells = compressed.decompress(&response.cells)?;
            }
            self.answered = true;
            self.last_frame = Instant::now();
            let call_id = response.header.call_id.unwrap_or(NO_CALL);
            if let Some(exception) = &response.header.exception {
                let exception = RemoteException::from_response(exception);
                if call_id == NO_CALL || exception.class.ends_with("FatalConnectionException") {
                    return Err(CallError::Exception(exception));
                }
            }
            // An answer without a waiter belongs to a call that was given up. If no such call was
            // ever made, the answer is an error.
            let ahead =
                self.next_call.load(Ordering::Relaxed).wrapping_sub(call_id) & i32::MAX as u32;
            if ahead == 0 || ahead > MOST_CALLS {
                let why = format!("an answer to call {call_id}, which was not made");
                return Err(WireError::new("answer of a server", why).into());
            }
            if let Some(pending) = self.pending.remove(&call_id) {
                self.op_calls.retain(|(id, _)| *id != call_id);
                let elapsed = self.last_frame.saturating_duration_since(pending.since);
                self.observed.report_answer(size, elapsed, response.header.exception.is_some());
                let (operations, since) = (pending.operations, pending.since);
                if operations > 0 {
                    self.outstanding -= 1;
                    self.window.record_answer(since, response.header.exception.is_some());
                    if let Some(times) = self.usual_time.record_and_rate_if_late(elapsed) {
                        self.window.record_late_answer(times, since);
                    }
                }
                self.told += pending.waiter.caller_count();
                let refused = deliver(pending.waiter, response, operations)?;
                refused.report_to(&self.window, operations, since);
            }
        }
        free_if_large(&mut self.inbox);
        Ok(())
    }

    fn end_of_stream(&self) -> CallError {
        broken(match self.answered {
            true => "the server closed it",
            false => {
                "the server closed it without an answer; does a region server or master listen there, \
                 of a cluster without authentication? if it has TLS, configure it (Config::tls, hbase.client.netty.tls.enabled)"
            }
        })
    }
}

/// Passes a response to the callers of a call with `operations` operations, and returns how many
/// operations the server refused.
fn deliver(waiter: Waiter, response: Response, operations: usize) -> Result<Refusals, CallError> {
    let mut refused = Refusals::default();
    if let Some(exception) = &response.header.exception {
        let error = CallError::Exception(RemoteException::from_response(exception));
        refused.add(&error, operations);
        waiter.fail(&error);
        return Ok(refused);
    }
    match waiter {
        Waiter::Call(reply) | Waiter::Lookup(reply) => drop(reply.send(Ok(response))),
        Waiter::Ops { callers, layout, first } => {
            match multi::decode(response, &layout, callers.len()) {
                Ok(answers) => {
                    for (mut caller, answer) in callers.into_iter().zip(answers) {
                        if let Err(error) = &answer {
                            refused.add(error, 1);
                        }
                        caller.send_answer(answer);
                    }
                }
                Err(error) => {
                    Waiter::Ops { callers, layout, first }.fail(&error);
                    return Err(error);
                }
            }
        }
    }
    Ok(refused)
}
