//! Groups the operations of a batch into calls, and limits how many of these calls are under way at
//! the same time.

use std::collections::VecDeque;
use std::mem;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::entry::Entry;
use crate::backend::hbase::rpc::{FirstSeenNumbers, MULTI_BYTES, MULTI_OPS};

/// The entries of one call, in which the entries of the same region are adjacent.
pub(super) struct ServerCall<'a> {
    pub(super) server: Arc<str>,
    pub(super) entries: Vec<Entry<'a>>,
    /// How many of the bytes in flight the entries account for.
    bytes: usize,
}

/// Decides which calls of a batch may be sent: at most `calls_per_server` concurrent calls to a
/// server, and at most `max_bytes_in_flight` bytes in all concurrent calls.
pub(super) struct CallQueues<'a> {
    calls_per_server: usize,
    max_bytes_in_flight: usize,
    bytes: usize,
    servers: FxHashMap<Arc<str>, Queue<'a>>,
    /// The servers that may have a call that can be sent now. A server is added when a call to it
    /// is added or is over, so it may be in the list more than once.
    ready: VecDeque<Arc<str>>,
}

/// Adjacent entries that are sent in one call; `start` is the position of the first of them.
struct Part {
    server: Arc<str>,
    start: usize,
    bytes: usize,
}

#[derive(Default)]
struct Queue<'a> {
    outstanding: usize,
    waiting: VecDeque<ServerCall<'a>>,
}

impl<'a> CallQueues<'a> {
    pub(super) fn new(calls_per_server: usize, max_bytes_in_flight: usize) -> Self {
        let (servers, held) = (FxHashMap::default(), VecDeque::new());
        Self {
            calls_per_server: calls_per_server.max(1),
            max_bytes_in_flight,
            bytes: 0,
            servers,
            ready: held,
        }
    }

    /// Groups located entries into calls: one call for each server, or several calls if one call
    /// would be too large.
    pub(super) fn group_into_calls(&self, mut entries: Vec<Entry<'a>>) -> Vec<ServerCall<'a>> {
        let max_bytes = MULTI_BYTES.min(self.max_bytes_in_flight);
        let (mut servers, mut regions) = (FirstSeenNumbers::default(), FirstSeenNumbers::default());
        let mut place = |entry: &Entry<'_>| {
            let location = entry.location.as_ref()?;
            let server = servers.number(Arc::as_ptr(location.server_address()).cast::<u8>());
            Some((server, regions.number(Arc::as_ptr(location)), entry.op.is_atomic()))
        };
        if !entries.iter().map(&mut place).is_sorted() {
            entries.sort_by_cached_key(place);
        }
        let mut parts: Vec<Part> = Vec::new();
        for (at, entry) in entries.iter().enumerate() {
            let Some(location) = &entry.location else { continue };
            let bytes = entry.bytes();
            match parts.last_mut() {
                Some(part)
                    if part.server == *location.server_address()
                        && part.bytes + bytes <= max_bytes
                        && at - part.start < MULTI_OPS =>
                {
                    part.bytes += bytes;
                }
                _ => {
                    parts.push(Part { server: location.server_address().clone(), start: at, bytes })
                }
            }
        }
        // From the last part to the first, so that an entry is moved at most once, and the entries
        // of the first call are not moved.
        let calls = parts.into_iter().rev().map(|Part { server, start, bytes }| {
            let of_call = match start {
                0 => mem::take(&mut entries),
                _ => entries.split_off(start),
            };
            ServerCall { server, entries: of_call, bytes }
        });
        let mut calls: Vec<_> = calls.collect();
        calls.reverse();
        calls
    }

    /// Adds a call that is to be sent.
    pub(super) fn push(&mut self, call: ServerCall<'a>) {
        let server = call.server.clone();
        self.servers.entry(server.clone()).or_default().waiting.push_back(call);
        self.ready.push_back(server);
    }

    /// Notes that a call is over.
    pub(super) fn finish_call(&mut self, call: &ServerCall<'_>) {
        self.bytes = self.bytes.saturating_sub(call.bytes);
        if let Some(queue) = self.servers.get_mut(&call.server) {
            queue.outstanding = queue.outstanding.saturating_sub(1);
            if !queue.waiting.is_empty() {
                self.ready.push_back(call.server.clone());
            }
        }
    }

    /// Removes and returns the next call that may be sent now, if there is one.
    pub(super) fn next(&mut self) -> Option<ServerCall<'a>> {
        loop {
            let server = self.ready.front()?;
            let queue =
                self.servers.get_mut(server).filter(|q| q.outstanding < self.calls_per_server);
            let Some((queue, call)) = queue.and_then(|q| q.waiting.pop_front().map(|c| (q, c)))
            else {
                // The server is added again when one of its calls is over.
                self.ready.pop_front();
                continue;
            };
            if self.bytes > 0 && self.bytes + call.bytes > self.max_bytes_in_flight {
                queue.waiting.push_front(call);
                return None;
            }
            self.ready.pop_front();
            queue.outstanding += 1;
            self.bytes += call.bytes;
            return Some(call);
        }
    }

    /// Removes and returns the entries of all calls that were not sent.
    pub(super) fn take_all(&mut self) -> impl Iterator<Item = Entry<'a>> + use<'a> {
        self.ready.clear();
        let waiting = self.servers.values_mut().map(|queue| mem::take(&mut queue.waiting));
        let waiting: Vec<_> = waiting.collect();
        waiting.into_iter().flatten().flat_map(|call| call.entries)
    }
}
