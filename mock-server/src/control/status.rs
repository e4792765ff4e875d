//! The status of a cluster as JSON.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::base::to_string_binary;
use crate::faults::InjectedFault;
use crate::mock_cluster::{MockCluster, MockRegion};
use crate::state::Server;

/// Returns the status: addresses, servers, tables with their regions, calls, faults, changes.
pub(super) fn status(cluster: &MockCluster) -> Value {
    json!({
        "clock_ms": cluster.clock_ms(),
        "addresses": addresses(cluster),
        "masters": masters(cluster),
        "servers": servers(cluster),
        "tables": tables(cluster),
        "calls": calls(cluster),
        "open_scanners": cluster.open_scanner_count(),
        "faults": faults(cluster),
        "changes": changes(cluster),
    })
}

/// The addresses of the protocols that are served.
pub(super) fn addresses(cluster: &MockCluster) -> Value {
    let mut addresses = Map::new();
    addresses.insert("hbase_rpc".to_owned(), json!(cluster.rpc_address().to_string()));
    if let Some(at) = cluster.zookeeper_address() {
        addresses.insert("hbase_zk".to_owned(), json!(at.to_string()));
    }
    #[cfg(feature = "bigtable")]
    if let Some(at) = cluster.bigtable_address() {
        addresses.insert("bigtable".to_owned(), json!(at.to_string()));
    }
    Value::Object(addresses)
}

/// The masters in the order in which they were started.
fn masters(cluster: &MockCluster) -> Value {
    let state = cluster.cluster();
    let active = state.active_master().map(|master| master.address);
    let master = |master: &Arc<Server>| {
        json!({
            "address": master.address.to_string(),
            "alive": master.is_alive(),
            "active": Some(master.address) == active && master.is_alive(),
        })
    };
    state.masters().iter().map(master).collect()
}

/// The region servers, in the order of their numbers. The number of a server is its index in the
/// array.
pub(super) fn servers(cluster: &MockCluster) -> Value {
    let mut regions = BTreeMap::<usize, u64>::new();
    for table in cluster.tables() {
        for server in cluster.regions(&table).iter().filter_map(|region| region.server) {
            *regions.entry(server).or_default() += 1;
        }
    }
    let server = |server: &Arc<Server>| {
        let number = server.number().unwrap_or_default();
        json!({
            "server": number,
            "address": server.address.to_string(),
            "alive": server.is_alive(),
            "regions": regions.get(&number).copied().unwrap_or(0),
        })
    };
    cluster.cluster().servers().iter().map(server).collect()
}

/// The tables in the order of their names, with their regions in the order of their keys.
pub(super) fn tables(cluster: &MockCluster) -> Value {
    let table = |name: String| {
        let regions: Vec<_> = cluster.regions(&name).iter().map(region).collect();
        json!({"table": name, "regions": regions})
    };
    cluster.tables().into_iter().map(table).collect()
}

fn region(region: &MockRegion) -> Value {
    json!({
        "name": to_string_binary(&region.name),
        "start_key": to_string_binary(&region.start_key),
        "end_key": to_string_binary(&region.end_key),
        "server": region.server,
        "cells": region.cells,
    })
}

/// The number of calls by method.
pub(super) fn calls(cluster: &MockCluster) -> Value {
    let call = |(method, arrived): (String, u64)| {
        let dropped = cluster.dropped_call_count(&method);
        (to_string_binary(method.as_bytes()), json!({"arrived": arrived, "dropped": dropped}))
    };
    cluster.call_counts().into_iter().map(call).collect::<Map<_, _>>().into()
}

/// The injected faults, with the number of times that each matched and fired.
pub(super) fn faults(cluster: &MockCluster) -> Value {
    let injected = cluster.injected_faults().into_iter();
    injected.filter(|f| !f.fault.is_change()).map(|f| with_counts("fault", &f)).collect()
}

/// The changes that are planned for calls, and the errors of those that failed.
pub(super) fn changes(cluster: &MockCluster) -> Value {
    let injected = cluster.injected_faults().into_iter();
    let planned: Vec<_> =
        injected.filter(|f| f.fault.is_change()).map(|f| with_counts("change", &f)).collect();
    let failed = cluster.failed_changes();
    let failed: Vec<_> = failed.iter().map(ToString::to_string).collect();
    json!({"planned": planned, "failed": failed})
}

fn with_counts(name: &str, injected: &InjectedFault) -> Value {
    json!({
        "id": injected.id,
        name: injected.fault.to_json(),
        "matched": injected.matched,
        "fired": injected.fired,
    })
}
