//! Where a cluster is registered, according to the properties of its files.

use std::collections::HashMap;

use super::report::Problem;
use crate::config::address::{HBaseUrl, Store};
use crate::model::hosts::parse_hosts_skipping_empty;

const IMPL: &str = "hbase.client.registry.impl";
const BOOTSTRAP: &str = "hbase.client.bootstrap.servers";
const MASTERS: &str = "hbase.masters";
const MASTER_PORT: &str = "hbase.master.port";
const MASTER_HOST: &str = "hbase.master.hostname";
const CLIENT_QUORUM: &str = "hbase.client.zookeeper.quorum";
const CLIENT_PORT: &str = "hbase.client.zookeeper.property.clientPort";
const QUORUM: &str = "hbase.zookeeper.quorum";
const PORT: &str = "hbase.zookeeper.property.clientPort";
const ZNODE: &str = "zookeeper.znode.parent";

/// Every property that says where a cluster is.
pub(super) const NAMES: [&str; 10] = [
    IMPL,
    BOOTSTRAP,
    MASTERS,
    MASTER_PORT,
    MASTER_HOST,
    CLIENT_QUORUM,
    CLIENT_PORT,
    QUORUM,
    PORT,
    ZNODE,
];

/// Where a cluster is registered, and the properties that say so.
#[derive(Debug, PartialEq)]
pub(super) struct ClusterLocation {
    pub(super) url: HBaseUrl,
    pub(super) by: Vec<&'static str>,
}

/// Returns the addresses under which a client finds the cluster: those of ZooKeeper or of the RPC
/// registry, whichever the properties name.
pub(super) fn find_cluster(properties: &HashMap<&str, String>) -> Result<ClusterLocation, Problem> {
    let mut by = Vec::new();
    let mut get = |name: &'static str| {
        let value = properties.get(name).map(String::as_str).filter(|value| !value.is_empty());
        if value.is_some() {
            by.push(name);
        }
        value
    };
    let class = get(IMPL).unwrap_or_else(|| by_default(properties));
    let url = match class.rsplit('.').next().unwrap_or_default() {
        "ZKConnectionRegistry" | "ZKAsyncRegistry" => {
            let (name, quorum, port_name) = match get(CLIENT_QUORUM) {
                Some(quorum) => (CLIENT_QUORUM, Some(quorum), CLIENT_PORT),
                None => (QUORUM, get(QUORUM), PORT),
            };
            let Some(quorum) = quorum else { return Err(nowhere(name)) };
            let port = port(port_name, get(port_name), 2181)?;
            let quorum = hosts(name, quorum, port)?;
            let znode = get(ZNODE).unwrap_or("/hbase");
            if !znode.starts_with('/') || (znode.len() > 1 && znode.ends_with('/')) {
                let why = "it is not a path of ZooKeeper, as /hbase is".into();
                return Err(Problem { name: ZNODE, why });
            }
            HBaseUrl::ZooKeeper { quorum, znode: znode.to_owned() }
        }
        "RpcConnectionRegistry" | "MasterRegistry" => {
            let bootstrap = if class.ends_with("MasterRegistry") { None } else { get(BOOTSTRAP) };
            let servers = match bootstrap {
                Some(servers) => hosts(BOOTSTRAP, servers, 16020)?,
                None => {
                    let masters = get(MASTERS);
                    let (name, masters) = match masters {
                        Some(masters) => (MASTERS, Some(masters)),
                        None => (MASTER_HOST, get(MASTER_HOST)),
                    };
                    let Some(masters) = masters else { return Err(nowhere(MASTERS)) };
                    let port = port(MASTER_PORT, get(MASTER_PORT), 16000)?;
                    hosts(name, masters, port)?
                }
            };
            HBaseUrl::Rpc { servers }
        }
        _ => {
            let why = "it is no registry of this client; use ZKConnectionRegistry or RpcConnectionRegistry";
            return Err(Problem { name: IMPL, why: why.into() });
        }
    };
    Ok(ClusterLocation { url, by })
}

/// Returns the registry that is used if the files do not choose one. It is that of HBase 3, the
/// servers of the cluster, if the files name these servers but none of ZooKeeper. Otherwise it is
/// that of HBase 2, ZooKeeper.
fn by_default(properties: &HashMap<&str, String>) -> &'static str {
    let has = |name: &&str| properties.get(name).is_some_and(|value| !value.is_empty());
    match ![QUORUM, CLIENT_QUORUM].iter().any(has) && [BOOTSTRAP, MASTERS].iter().any(has) {
        true => "RpcConnectionRegistry",
        false => "ZKConnectionRegistry",
    }
}

/// The problem that the files do not say where their cluster is. Java would look on this machine;
/// this client assumes that such a file is the wrong file.
fn nowhere(name: &'static str) -> Problem {
    let instead = match name {
        MASTERS => BOOTSTRAP,
        _ => "hbase.client.bootstrap.servers or hbase.masters, as clients of HBase 3 do",
    };
    let why = format!(
        "no file sets it, so it is not known where the cluster is; set it, or {instead}, or write \
         hbase+zk://host:port/znode as the address"
    );
    Problem { name, why }
}

fn port(name: &'static str, text: Option<&str>, default: u16) -> Result<u16, Problem> {
    let Some(text) = text else { return Ok(default) };
    let port = text.parse().ok().filter(|port| *port > 0);
    port.ok_or_else(|| Problem { name, why: "it is not a port between 1 and 65535".into() })
}

fn hosts(name: &'static str, text: &str, port: u16) -> Result<Vec<String>, Problem> {
    parse_hosts_skipping_empty(text, port).map_err(|why| Problem { name, why })
}

impl ClusterLocation {
    pub(super) fn into_store(self) -> Store {
        Store::HBase(self.url)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(properties: &[(&'static str, &str)]) -> Result<String, Problem> {
        let properties =
            properties.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        find_cluster(&properties).map(|found| format!("{} by {}", found.url, found.by.join(" ")))
    }

    #[test]
    fn a_quorum_and_a_port_are_an_address() {
        let port = ("hbase.zookeeper.property.clientPort", "2222");
        assert_eq!(of(&[(QUORUM, "a")]).unwrap(), format!("hbase+zk://a:2181/hbase by {QUORUM}"));
        assert_eq!(
            of(&[(QUORUM, "a, b:1,"), port, (ZNODE, "/x")]).unwrap(),
            format!("hbase+zk://a:2222,b:1/x by {QUORUM} {PORT} {ZNODE}")
        );
        assert_eq!(
            of(&[(QUORUM, "a"), port, (CLIENT_QUORUM, "c")]).unwrap(),
            format!("hbase+zk://c:2181/hbase by {CLIENT_QUORUM}")
        );
    }

    #[test]
    fn the_rpc_registry_takes_bootstrap_servers_or_masters() {
        let rpc = (IMPL, "org.apache.hadoop.hbase.client.RpcConnectionRegistry");
        assert_eq!(
            of(&[rpc, (BOOTSTRAP, "a:1,b"), (MASTERS, "m")]).unwrap(),
            format!("hbase+rpc://a:1,b:16020 by {IMPL} {BOOTSTRAP}")
        );
        assert_eq!(
            of(&[rpc, (MASTERS, "m,n:2"), (MASTER_PORT, "3")]).unwrap(),
            format!("hbase+rpc://m:3,n:2 by {IMPL} {MASTERS} {MASTER_PORT}")
        );
        let masters = (IMPL, "org.apache.hadoop.hbase.client.MasterRegistry");
        assert_eq!(
            of(&[masters, (BOOTSTRAP, "a:1"), (MASTER_HOST, "m")]).unwrap(),
            format!("hbase+rpc://m:16000 by {IMPL} {MASTER_HOST}")
        );
        assert_eq!(of(&[rpc, (QUORUM, "a")]).unwrap_err().name, MASTERS);
    }

    /// The default of HBase 2 is ZooKeeper, and the default of HBase 3 is the servers.
    #[test]
    fn the_registry_is_the_one_whose_hosts_the_files_have() {
        assert_eq!(
            of(&[(BOOTSTRAP, "a:1"), (MASTERS, "m")]).unwrap(),
            format!("hbase+rpc://a:1 by {BOOTSTRAP}")
        );
        assert_eq!(of(&[(MASTERS, "m")]).unwrap(), format!("hbase+rpc://m:16000 by {MASTERS}"));
        assert_eq!(
            of(&[(QUORUM, "a"), (MASTERS, "m")]).unwrap(),
            format!("hbase+zk://a:2181/hbase by {QUORUM}")
        );
        let zookeeper = (IMPL, "org.apache.hadoop.hbase.client.ZKConnectionRegistry");
        assert_eq!(of(&[zookeeper, (MASTERS, "m")]).unwrap_err().name, QUORUM);
    }

    #[test]
    fn what_names_no_place_is_an_error() {
        assert_eq!(of(&[]).unwrap_err().name, QUORUM);
        assert_eq!(of(&[(QUORUM, "a"), (PORT, "x")]).unwrap_err().name, PORT);
        assert_eq!(of(&[(QUORUM, "a b")]).unwrap_err().name, QUORUM);
        assert_eq!(of(&[(QUORUM, "a"), (ZNODE, "hbase")]).unwrap_err().name, ZNODE);
        assert_eq!(of(&[(QUORUM, "a"), (IMPL, "com.example.Own")]).unwrap_err().name, IMPL);
    }
}
