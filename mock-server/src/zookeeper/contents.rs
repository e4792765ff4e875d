//! The znodes of a cluster, with the contents that HBase 2.6 gives them.

use std::collections::BTreeMap;

use bytes::Bytes;
use prost::Message;
use tallrow_wire::proto::{
    ClusterId, ClusterUp, DeprecatedTableState, Master, MetaRegionServer, RegionServerInfo,
    RegionStateKind, TableStateKind, VersionInfo,
};
use tallrow_wire::region;

use super::znode_tree::ZnodeContent;
use crate::base::{HBASE_VERSION, lock};
use crate::state::{Cluster, server_text};

/// The version of the RPC of the servers.
const RPC_VERSION: u32 = 0;

/// The znodes that are only places for others, or that HBase only watches.
const EMPTY: [&str; 20] = [
    "/",
    "/zookeeper",
    "/zookeeper/config",
    "/zookeeper/quota",
    "/hbase",
    "/hbase/backup-masters",
    "/hbase/draining",
    "/hbase/flush-table-proc",
    "/hbase/flush-table-proc/abort",
    "/hbase/flush-table-proc/acquired",
    "/hbase/flush-table-proc/reached",
    "/hbase/master-maintenance",
    "/hbase/namespace",
    "/hbase/online-snapshot",
    "/hbase/online-snapshot/abort",
    "/hbase/online-snapshot/acquired",
    "/hbase/online-snapshot/reached",
    "/hbase/rs",
    "/hbase/splitWAL",
    "/hbase/table",
];

/// Returns the znodes of a cluster.
pub(super) fn znodes_of(cluster: &Cluster) -> BTreeMap<String, ZnodeContent> {
    let masters = cluster.live_masters();
    let mut znodes = Znodes {
        writer: format!("master:{}", cluster.bootstrap_master().address.port()),
        all: BTreeMap::new(),
    };
    for path in EMPTY {
        znodes.add_empty(path.to_owned());
    }
    znodes.add("/hbase/hbaseid", &ClusterId { cluster_id: cluster.id.clone() });
    let started = cluster.masters().first().and_then(|master| master.name.start_code);
    let start_date = format!("{} ms since 1970", started.unwrap_or(0));
    znodes.add("/hbase/running", &ClusterUp { start_date });
    add_meta(&mut znodes, cluster);
    for (n, master) in masters.iter().enumerate() {
        let path = match n {
            0 => "/hbase/master".to_owned(),
            _ => format!("/hbase/backup-masters/{}", server_text(&master.name)),
        };
        // The port of a web page, which there is none.
        let info_port = Some(u32::MAX);
        let rpc_version = Some(RPC_VERSION);
        let message = Master { master: master.name.clone(), rpc_version, info_port };
        let writer = format!("master:{}", master.address.port());
        znodes.add_ephemeral(path, writer, &message);
    }
    add_region_servers(&mut znodes, cluster);
    add_catalog(&mut znodes, cluster);
    add_replication(&mut znodes, cluster);
    znodes.all
}

/// Adds where the replicas of `hbase:meta` are. While no server has the primary replica, its znode
/// stays as it is.
fn add_meta(znodes: &mut Znodes, cluster: &Cluster) {
    for (replica, server) in cluster.meta_locations() {
        let is_open = replica.lock().server.is_some();
        let (path, state) = match replica.replica_id() {
            0 => ("/hbase/meta-region-server".to_owned(), RegionStateKind::Open),
            id if is_open => (format!("/hbase/meta-region-server-{id}"), RegionStateKind::Open),
            // The state that a master writes last.
            id => (format!("/hbase/meta-region-server-{id}"), RegionStateKind::Closing),
        };
        let (rpc_version, state) = (Some(RPC_VERSION), Some(state as i32));
        znodes.add(&path, &MetaRegionServer { server, rpc_version, state });
    }
}

fn add_region_servers(znodes: &mut Znodes, cluster: &Cluster) {
    let draining = lock(&cluster.decommissioned).clone();
    for server in cluster.live_servers() {
        let (name, writer) =
            (server_text(&server.name), format!("regionserver:{}", server.address.port()));
        let version_info = Some(VersionInfo {
            version: HBASE_VERSION.to_owned(),
            version_major: Some(2),
            version_minor: Some(6),
            ..Default::default()
        });
        let message = RegionServerInfo { info_port: Some(-1), version_info };
        znodes.add_ephemeral(format!("/hbase/rs/{name}"), writer, &message);
        if draining.contains(&server.name) {
            znodes.add_empty(format!("/hbase/draining/{name}"));
        }
    }
}

/// Adds the states of tables, and the namespaces, for programs that were written for HBase 1.
fn add_catalog(znodes: &mut Znodes, cluster: &Cluster) {
    let enabled = DeprecatedTableState { state: TableStateKind::Enabled as i32 };
    znodes.add("/hbase/table/hbase:meta", &enabled);
    let catalog = cluster.catalog();
    for table in catalog.tables.values() {
        let name = region::format_table_name(&table.name);
        let path = format!("/hbase/table/{}", String::from_utf8_lossy(&name));
        znodes.add(&path, &DeprecatedTableState { state: table.state as i32 });
    }
    for (name, namespace) in &catalog.namespaces {
        // This message alone has no `PBUF` before it.
        let message = namespace.encode_to_vec().into();
        let writer = znodes.writer.clone();
        let content = ZnodeContent { writer, message, ephemeral: false };
        znodes.all.insert(format!("/hbase/namespace/{name}"), content);
    }
}

/// Adds the peers, and for each region server a queue for each peer. The queues are empty, because
/// no server writes a log.
fn add_replication(znodes: &mut Znodes, cluster: &Cluster) {
    let peers = cluster.peers.lock().clone();
    if peers.is_empty() {
        return;
    }
    for path in ["/hbase/replication", "/hbase/replication/peers", "/hbase/replication/rs"] {
        znodes.add_empty(path.to_owned());
    }
    for (id, peer) in &peers {
        let path = format!("/hbase/replication/peers/{id}");
        znodes.add(&path, &peer.config);
        znodes.add(&format!("{path}/peer-state"), &peer.state);
    }
    for server in cluster.live_servers() {
        let queues = format!("/hbase/replication/rs/{}", server_text(&server.name));
        peers.keys().for_each(|id| znodes.add_empty(format!("{queues}/{id}")));
        znodes.add_empty(queues);
    }
}

/// The znodes so far.
struct Znodes {
    /// The server that writes those that are not ephemeral.
    writer: String,
    all: BTreeMap<String, ZnodeContent>,
}

impl Znodes {
    fn add_empty(&mut self, path: String) {
        self.all.insert(path, ZnodeContent::default());
    }

    fn add(&mut self, path: &str, message: &impl Message) {
        let (writer, message) = (self.writer.clone(), with_magic(message));
        self.all.insert(path.to_owned(), ZnodeContent { writer, message, ephemeral: false });
    }

    fn add_ephemeral(&mut self, path: String, writer: String, message: &impl Message) {
        let message = with_magic(message);
        self.all.insert(path, ZnodeContent { writer, message, ephemeral: true });
    }
}

/// Encodes a message after the four letters that HBase puts before it.
fn with_magic(message: &impl Message) -> Bytes {
    let mut out = b"PBUF".to_vec();
    out.extend(message.encode_to_vec());
    out.into()
}
