//! Parses the address of a cluster into the kind of the cluster and its hosts.

use tallrow::settings::registry_hosts;

/// The kind of server that should answer at the hosts of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExpectedServer {
    ZooKeeper,
    HBase,
}

/// The kind and the hosts of the cluster that an address names.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Address {
    Hosts {
        store: &'static str,
        expected: ExpectedServer,
        /// `host:port`
        hosts: Vec<String>,
    },
    /// An instance of Bigtable, which has no registry.
    Bigtable,
    /// The address `mock:`, a cluster in this process.
    Mock,
}

impl Address {
    /// Parses an address in the same way as the client.
    pub(super) fn read(url: &str) -> tallrow::Result<Self> {
        let hosts = registry_hosts(url)?;
        let hosts_of = |store, expected| Self::Hosts { store, expected, hosts };
        Ok(match url.split(':').next() {
            Some("mock") => Self::Mock,
            Some("bigtable") => Self::Bigtable,
            Some("hbase+rpc") => hosts_of("servers of a cluster at", ExpectedServer::HBase),
            _ => hosts_of("the ZooKeeper of a cluster at", ExpectedServer::ZooKeeper),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_those_that_the_client_asks() {
        let hosts = |url| match Address::read(url) {
            Ok(Address::Hosts { hosts, expected, .. }) => (hosts, expected),
            other => panic!("{other:?}"),
        };
        let (of_quorum, expected) = hosts("hbase+zk://a,b:1/hbase?namespace=x");
        assert_eq!(
            (&of_quorum[..], expected),
            (&["a:2181".into(), "b:1".into()][..], ExpectedServer::ZooKeeper)
        );
        let (servers, expected) = hosts("hbase+rpc://[::1],[fe80::1%lo]:7");
        assert_eq!(servers, ["[::1]:16000", "[fe80::1%lo]:7"]);
        assert_eq!(expected, ExpectedServer::HBase);
        assert_eq!(Address::read("mock:").unwrap(), Address::Mock);
        assert_eq!(Address::read("bigtable://pro-ject/instance").unwrap(), Address::Bigtable);
        for wrong in ["hbase+zk://a,,b", "http://a", "hbase+zk://a/x,b"] {
            assert!(Address::read(wrong).is_err(), "{wrong}");
        }
    }
}
