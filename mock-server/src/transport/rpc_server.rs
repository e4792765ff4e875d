//! The state that the connections of a server share, with the counts and traces of calls.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Display;
use std::sync::{Arc, Mutex};

use tallrow_wire::proto::RPCTInfo;
use tallrow_wire::region;

use super::transcript::Transcript;
use crate::base::{limits, lock, to_string_binary};
use crate::faults::{CallTarget, ConnectionEffect, Effect, FaultInjector};
use crate::procedures;
use crate::recovery;
use crate::state::{Cluster, Server};

/// The RPC server of one server of the cluster.
#[derive(Clone, Debug)]
pub(crate) struct RpcServer {
    /// The cluster.
    pub(crate) cluster: Arc<Cluster>,
    /// The server.
    pub(crate) server: Arc<Server>,
    /// The faults of the cluster.
    pub(crate) faults: Arc<FaultInjector>,
    /// The counts and traces of the cluster's calls.
    pub(crate) calls: Arc<RecordedCalls>,
}

impl RpcServer {
    /// Whether anybody wants to know what a call is about.
    pub(super) fn needs_call_target(&self) -> bool {
        self.faults.has_faults() || self.calls.transcript.is_recording()
    }

    /// Applies the changes that are to happen before a call, and returns the effect of the fault
    /// that fires for it, if any.
    pub(super) fn effect_on_call(&self, target: &CallTarget<'_>) -> Option<Effect> {
        if !self.faults.has_faults() {
            return None;
        }
        self.faults.apply_changes_before(target);
        let effect = self.faults.effect_on_call(target);
        if let Some(effect) = &effect {
            self.record_call(
                target.method,
                &target.tables,
                format_args!("fault {}", effect.name()),
            );
        }
        effect
    }

    /// Returns the effect of the fault that fires for a new connection, if any.
    pub(super) fn effect_on_connection(&self) -> Option<ConnectionEffect> {
        let role = self.server.role;
        let effect = self.faults.effect_on_connection(role)?;
        let name = effect.name();
        self.calls.transcript.record(format_args!("{role}: a connection: fault {name}"));
        Some(effect)
    }

    /// Does what follows from a call: splits the regions that it has let grow too large, and writes
    /// a checkpoint if the log has grown too large.
    pub(super) fn follow_up(&self) {
        self.split_grown_regions();
        if self.cluster.journal.as_ref().is_some_and(|journal| journal.is_large()) {
            // If this fails, the log remains as it is and is as good, only larger.
            let _ = recovery::write_checkpoint(&self.cluster);
        }
    }

    fn split_grown_regions(&self) {
        for (table, at) in procedures::split_grown_regions(&self.cluster) {
            let table = region::format_table_name(&table);
            let (table, at) = (to_string_binary(&table), to_string_binary(&at));
            let event = format_args!("split by size: {table} at row \"{at}\"");
            self.calls.transcript.record(event);
        }
    }

    /// Records in the transcript what came of a call.
    pub(super) fn record_call(&self, method: &str, tables: &[Vec<u8>], outcome: impl Display) {
        if !self.calls.transcript.is_recording() {
            return;
        }
        let (role, method) = (self.server.role, to_string_binary(method.as_bytes()));
        let mut tables: Vec<_> = tables.iter().filter(|table| !table.is_empty()).collect();
        tables.dedup();
        let tables: Vec<_> = tables.into_iter().map(|table| to_string_binary(table)).collect();
        match &tables[..] {
            [] => self.calls.transcript.record(format_args!("{role}: {method}: {outcome}")),
            tables => {
                let of = tables.join(", ");
                self.calls.transcript.record(format_args!("{role}: {method} of {of}: {outcome}"));
            }
        }
    }
}

/// The number of calls of each method that arrived and that were dropped, and the traces of calls.
#[derive(Debug, Default)]
pub(crate) struct RecordedCalls {
    methods: Mutex<BTreeMap<String, Counts>>,
    /// The method and the headers of the latest calls that belonged to a trace.
    traced: Mutex<VecDeque<(String, BTreeMap<String, String>)>>,
    /// The events, if they are recorded.
    pub(crate) transcript: Transcript,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    arrived: u64,
    dropped: u64,
}

impl RecordedCalls {
    /// Counts a call that arrived.
    pub(super) fn count_arrived(&self, method: &str) {
        let mut methods = lock(&self.methods);
        if let Some(counts) = methods.get_mut(method) {
            counts.arrived += 1;
        } else if methods.len() < limits::COUNTED_METHODS {
            methods.insert(method.to_owned(), Counts { arrived: 1, dropped: 0 });
        }
    }

    /// Remembers the trace of a call that arrived.
    pub(super) fn record_trace(&self, method: &str, info: &RPCTInfo) {
        let mut traced = lock(&self.traced);
        if traced.len() == limits::TRACED_CALLS {
            traced.pop_front();
        }
        traced.push_back((method.to_owned(), info.headers.clone()));
    }

    /// Returns the headers of the remembered calls of a method.
    pub(crate) fn traces(&self, method: &str) -> Vec<BTreeMap<String, String>> {
        let traced = lock(&self.traced);
        traced.iter().filter(|(of, _)| of == method).map(|(_, headers)| headers.clone()).collect()
    }

    /// Counts a call that expired before it was started. It was counted when it arrived too.
    pub(super) fn count_dropped(&self, method: &str) {
        if let Some(counts) = lock(&self.methods).get_mut(method) {
            counts.dropped += 1;
        }
    }

    /// The number of calls of a method that arrived.
    pub(crate) fn arrived_count(&self, method: &str) -> u64 {
        lock(&self.methods).get(method).map_or(0, |c| c.arrived)
    }

    /// The numbers of calls that arrived, by method.
    pub(crate) fn arrived_counts(&self) -> BTreeMap<String, u64> {
        lock(&self.methods).iter().map(|(method, c)| (method.clone(), c.arrived)).collect()
    }

    /// The number of calls of a method that were dropped.
    pub(crate) fn dropped_count(&self, method: &str) -> u64 {
        lock(&self.methods).get(method).map_or(0, |c| c.dropped)
    }
}
