//! The address of a cluster.

use std::str::FromStr;

use crate::{Error, Result};

/// An address: a store, and how the tables in it are named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Url {
    pub(crate) store: Store,
    pub(crate) namespace: Option<String>,
    pub(crate) table_prefix: Option<String>,
}

/// Which store an address is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Store {
    HBase(HBaseUrl),
    /// `mock:`
    Mock,
}

/// Where an HBase cluster is registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HBaseUrl {
    /// `hbase+zk://host:port,host:port/znode`
    ZooKeeper { quorum: Vec<String>, znode: String },
    /// `hbase+rpc://host:port,host:port`
    Rpc { servers: Vec<String> },
}

const SCHEMES: &str = "write hbase+zk://host:port,host:port/znode for ZooKeeper, \
     hbase+rpc://host:port,host:port for masters or region servers, or mock: for a cluster in this process";

impl FromStr for Url {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let wrong = |why: &str| {
            Error::invalid(format!("address {text:?}: {why}; {SCHEMES}")).during("connect")
        };
        let (address, settings) = text.split_once('?').unwrap_or((text, ""));
        let (mut namespace, mut table_prefix) = (None, None);
        for setting in settings.split('&').filter(|s| !s.is_empty()) {
            let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
            let place = match name {
                "namespace" => &mut namespace,
                "table_prefix" => &mut table_prefix,
                _ => {
                    let why = format!("unknown setting {name:?}; use namespace or table_prefix");
                    return Err(wrong(&why));
                }
            };
            if place.replace(value.to_owned()).is_some() {
                return Err(wrong(&format!("{name} is given twice")));
            }
        }
        let store = Store::parse(address).map_err(|why| wrong(&why))?;
        Ok(Self { store, namespace, table_prefix })
    }
}

impl Store {
    fn parse(text: &str) -> Result<Self, String> {
        if text == "mock:" || text == "mock://" {
            return Ok(Self::Mock);
        }
        if text.starts_with("mock:") {
            return Err("only settings follow `mock:`, as in `mock:?namespace=dev`".into());
        }
        let (scheme, rest) = text.split_once("://").ok_or("it has no scheme")?;
        let (hosts, path) = match rest.find('/') {
            Some(at) => rest.split_at(at),
            None => (rest, ""),
        };
        let addresses = |default_port: u16| -> Result<Vec<String>, String> {
            hosts.split(',').map(|host| address(host.trim(), default_port)).collect()
        };
        match scheme {
            "hbase+zk" => {
                let znode = match path {
                    "" | "/" => "/hbase",
                    path => path.trim_end_matches('/'),
                };
                let (quorum, znode) = (addresses(2181)?, znode.to_owned());
                Ok(Self::HBase(HBaseUrl::ZooKeeper { quorum, znode }))
            }
            "hbase+rpc" if path.is_empty() || path == "/" => {
                Ok(Self::HBase(HBaseUrl::Rpc { servers: addresses(16000)? }))
            }
            "hbase+rpc" => Err(format!("nothing may follow the servers, found {path:?}")),
            _ => Err(format!("unknown scheme {scheme:?}")),
        }
    }
}

/// `host`, `host:port` or `[v6]:port`, as `host:port`.
fn address(text: &str, default_port: u16) -> Result<String, String> {
    let (host, port) = match text.rsplit_once(':') {
        Some((host, port)) if !host.contains(':') || host.ends_with(']') => (host, Some(port)),
        _ => (text, None),
    };
    if host.is_empty() {
        return Err(format!("a host is missing in {text:?}"));
    }
    if let Some(c) = host.chars().find(|c| c.is_whitespace() || "@;|\\".contains(*c)) {
        return Err(format!("{c:?} is not allowed in a host; hosts are separated by ','"));
    }
    match port.map(str::parse::<u16>) {
        None => Ok(format!("{host}:{default_port}")),
        Some(Ok(port)) if port > 0 => Ok(format!("{host}:{port}")),
        _ => Err(format!("{text:?} has no port between 1 and 65535")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_get_the_default_port_of_their_scheme() {
        let Url { store, .. } = "hbase+zk://a,b:1,[::1]:2/x/y/".parse().unwrap();
        let quorum = ["a:2181", "b:1", "[::1]:2"].map(String::from).to_vec();
        assert_eq!(store, Store::HBase(HBaseUrl::ZooKeeper { quorum, znode: "/x/y".into() }));
        let Url { store, .. } = "hbase+rpc://m".parse().unwrap();
        assert_eq!(store, Store::HBase(HBaseUrl::Rpc { servers: vec!["m:16000".into()] }));
        assert_eq!(
            "hbase+zk://a".parse::<Url>().unwrap(),
            "hbase+zk://a:2181/hbase".parse().unwrap()
        );
    }

    #[test]
    fn an_address_may_contain_how_tables_are_named() {
        let url: Url = "hbase+zk://a/x?namespace=dev&table_prefix=a_".parse().unwrap();
        assert_eq!(url.store, "hbase+zk://a/x".parse::<Url>().unwrap().store);
        assert_eq!(
            (url.namespace.as_deref(), url.table_prefix.as_deref()),
            (Some("dev"), Some("a_"))
        );
        let url: Url = "mock:?table_prefix=".parse().unwrap();
        assert_eq!(
            (url.store, url.namespace, url.table_prefix),
            (Store::Mock, None, Some(String::new()))
        );
    }

    #[test]
    fn the_error_of_a_bad_address_names_the_schemes() {
        for bad in [
            "",
            "localhost:2181",
            "http://a",
            "hbase+zk://",
            "hbase+zk://a:0",
            "hbase+zk://a:x",
            "hbase+rpc://a/b",
            "mock:?prefix=a",
            "mock:?namespace=a&namespace=b",
            "hbase+rpc://a,,b",
            "hbase+rpc://a;b",
            "hbase+zk://user@a",
            "hbase+zk://a b",
        ] {
            let error = bad.parse::<Url>().unwrap_err();
            assert_eq!(error.kind(), crate::ErrorKind::InvalidArgument);
            assert!(error.to_string().contains("hbase+zk://host:port"), "{error}");
        }
    }
}
