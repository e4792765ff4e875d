//! Refuses the configurations of replication peers that a master refuses. The checks are those of
//! HBase's `ReplicationPeerManager`, in the same order.

use std::net::SocketAddr;

use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::{NameStringPair, ReplicationPeer, TableCf};

use crate::base::{RemoteResult, remote_exception};
use crate::schema::table_text;
use crate::state::Cluster;

/// The endpoint that replicates to another cluster, which a peer without an endpoint has.
const TO_CLUSTER: &str =
    "org.apache.hadoop.hbase.replication.regionserver.HBaseInterClusterReplicationEndpoint";

/// The root of HBase's znodes.
const ROOT: &str = "/hbase";

/// Rejects a configuration with which no peer can be added or updated.
pub(super) fn check_peer_config(cluster: &Cluster, config: &ReplicationPeer) -> RemoteResult<()> {
    let endpoint = config.replication_endpoint_impl().trim();
    // The mock has no classes. One without a package does not exist in HBase either.
    if !endpoint.is_empty() && !endpoint.contains('.') {
        let text = format!("Can not instantiate configured replication endpoint class={endpoint}");
        return Err(refused(text));
    }
    if endpoint.is_empty() || endpoint == TO_CLUSTER {
        check_cluster_key(cluster, config.clusterkey())?;
    }
    let (chosen, excluded) = (
        (&config.namespaces, &config.table_cfs),
        (&config.exclude_namespaces, &config.exclude_table_cfs),
    );
    let is_empty = |(namespaces, tables): (&Vec<bytes::Bytes>, &Vec<TableCf>)| {
        namespaces.is_empty() && tables.is_empty()
    };
    if config.replicate_all.unwrap_or(true) {
        if !is_empty(chosen) {
            let text = "Need clean namespaces or table-cfs config firstly when you want replicate \
                        all cluster";
            return Err(refused(text.to_owned()));
        }
        check_conflicts(excluded)
    } else {
        if !is_empty(excluded) {
            let text = "Need clean exclude-namespaces or exclude-table-cfs config firstly when \
                        replicate_all flag is false";
            return Err(refused(text.to_owned()));
        }
        check_conflicts(chosen)
    }
}

/// Rejects a change of what a peer cannot change.
pub(super) fn check_peer_update(
    id: &str,
    old: &ReplicationPeer,
    new: &ReplicationPeer,
) -> RemoteResult<()> {
    for (what, kind, old, new) in [
        ("cluster key", "key", old.clusterkey(), new.clusterkey()),
        (
            "replication endpoint implementation class",
            "class",
            old.replication_endpoint_impl(),
            new.replication_endpoint_impl(),
        ),
    ] {
        if old.trim() != new.trim() {
            return Err(refused(format!(
                "Changing the {what} on an existing peer is not allowed. Existing {kind} '{old}' \
                 for peer {id} does not match new {kind} '{new}'"
            )));
        }
    }
    Ok(())
}

/// Replaces the configuration of a peer. Settings that the new one does not name are kept.
pub(super) fn update_peer_config(old: &mut ReplicationPeer, new: ReplicationPeer) {
    let named = |name: &str| new.configuration.iter().any(|pair| pair.name == name);
    let kept: Vec<NameStringPair> =
        old.configuration.iter().filter(|pair| !named(&pair.name)).cloned().collect();
    *old = new;
    old.configuration.extend(kept);
}

pub(super) fn refused(text: String) -> RemoteException {
    remote_exception(exception::DO_NOT_RETRY, text)
}

/// Rejects a table whose namespace is named too.
fn check_conflicts((namespaces, tables): (&Vec<bytes::Bytes>, &Vec<TableCf>)) -> RemoteResult<()> {
    let mut tables = tables.iter().filter_map(|table| table.table_name.as_ref());
    match tables.find(|table| namespaces.contains(&table.namespace)) {
        None => Ok(()),
        Some(table) => Err(refused(format!(
            "Table-cfs {} is conflict with namespaces {} in peer config",
            table_text(table),
            String::from_utf8_lossy(&table.namespace)
        ))),
    }
}

fn check_cluster_key(cluster: &Cluster, key: &str) -> RemoteResult<()> {
    let Some((servers, port, root)) = split_cluster_key(key) else {
        return Err(refused(format!("Invalid cluster key: {key}")));
    };
    let own = cluster.zookeeper.as_ref().map(|server| server.address);
    let is_own = |server: &str| own.is_some_and(|own| is_address(server, port, own));
    match root == ROOT && servers.split(',').any(is_own) {
        false => Ok(()),
        true => Err(refused(format!(
            "Invalid cluster key: {key}, should not replicate to itself for \
             HBaseInterClusterReplicationEndpoint"
        ))),
    }
}

/// Splits `servers:port:znode`, where the servers are separated by commas and may have ports of
/// their own.
fn split_cluster_key(key: &str) -> Option<(&str, u16, &str)> {
    let (rest, root) = key.rsplit_once(':')?;
    let (servers, port) = rest.rsplit_once(':')?;
    let port = port.parse().ok()?;
    let is_root = root.len() > 1 && root.starts_with('/') && !root.ends_with('/');
    is_root.then_some((servers, port, root))
}

/// Whether a server of a cluster key, with this port if it names none, is at an address.
fn is_address(server: &str, port: u16, address: SocketAddr) -> bool {
    let (host, port) = match server.rsplit_once(':') {
        Some((host, own)) => (host, own.parse().unwrap_or(port)),
        None => (server, port),
    };
    let same_host = host == address.ip().to_string()
        || host.eq_ignore_ascii_case("localhost") && address.ip().is_loopback();
    same_host && port == address.port()
}
