//! The hosts in the address of a cluster.

/// What should answer at the hosts of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    ZooKeeper,
    HBase,
}

/// The parts of an address.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) store: &'static str,
    pub(super) expected: Expected,
    /// `host:port`
    pub(super) hosts: Vec<String>,
}

impl Address {
    /// Returns the hosts of an address; none for `mock:`.
    pub(super) fn read(url: &str) -> Result<Option<Self>, String> {
        if url.starts_with("mock:") {
            return Ok(None);
        }
        let (scheme, rest) = url.split_once("://").ok_or("it has no scheme")?;
        let (store, expected, port) = match scheme {
            "hbase+zk" => ("the ZooKeeper of a cluster at", Expected::ZooKeeper, 2181),
            "hbase+rpc" => ("servers of a cluster at", Expected::HBase, 16000),
            _ => return Err(format!("unknown scheme {scheme:?}")),
        };
        let hosts = rest.split(['/', '?']).next().unwrap_or_default();
        let host = |host: &str| {
            let host = host.trim();
            let has_port = host
                .rsplit_once(':')
                .is_some_and(|(name, _)| !name.contains(':') || name.ends_with(']'));
            if has_port { host.to_owned() } else { format!("{host}:{port}") }
        };
        if hosts.split(',').any(|host| host.trim().is_empty()) {
            return Err(format!("a host is missing in {hosts:?}"));
        }
        Ok(Some(Self { store, expected, hosts: hosts.split(',').map(host).collect() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_get_the_default_port_of_their_scheme() {
        let hosts = |url| Address::read(url).unwrap().unwrap().hosts;
        assert_eq!(hosts("hbase+zk://a,b:1/hbase?namespace=x"), ["a:2181", "b:1"]);
        assert_eq!(hosts("hbase+rpc://[::1],[::1]:7"), ["[::1]:16000", "[::1]:7"]);
        assert_eq!(Address::read("mock:"), Ok(None));
        assert_eq!(Address::read("hbase+zk://a,,b").unwrap_err(), "a host is missing in \"a,,b\"");
        assert_eq!(Address::read("http://a").unwrap_err(), "unknown scheme \"http\"");
    }
}
