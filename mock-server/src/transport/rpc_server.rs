//! The state that the connections of a server share, with the counts and traces of calls.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};

use tallrow_wire::proto::RPCTInfo;

use crate::base::{limits, lock};
use crate::faults::FaultInjector;
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

/// The numbers of calls of each method that arrived and that were dropped, and the traces of calls.
#[derive(Debug, Default)]
pub(crate) struct RecordedCalls {
    methods: Mutex<BTreeMap<String, Counts>>,
    /// The method and the headers of the latest calls that belonged to a trace.
    traced: Mutex<VecDeque<(String, BTreeMap<String, String>)>>,
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

    /// Counts a call that arrived before and expired before it was started.
    pub(super) fn count_dropped(&self, method: &str) {
        if let Some(counts) = lock(&self.methods).get_mut(method) {
            counts.dropped += 1;
        }
    }

    /// The number of calls of a method that arrived.
    pub(crate) fn arrived_count(&self, method: &str) -> u64 {
        lock(&self.methods).get(method).map_or(0, |c| c.arrived)
    }

    /// The number of calls of a method that were dropped.
    pub(crate) fn dropped_count(&self, method: &str) -> u64 {
        lock(&self.methods).get(method).map_or(0, |c| c.dropped)
    }
}
