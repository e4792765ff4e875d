//! Suggestions for an address that is not valid because its scheme is misspelt, missing, or a
//! scheme of another program.

/// Returns the address that was probably meant by `text`, which is not a valid address. The
/// function `parses` checks the returned address, because a suggestion that is not valid either
/// would be of no use.
pub(crate) fn suggested_address(text: &str, parses: impl Fn(&str) -> bool) -> Option<String> {
    let (address, settings) = text.split_at(text.find('?').unwrap_or(text.len()));
    let meant = without_settings(address).filter(|meant| meant != address)?;
    Some(format!("{meant}{settings}")).filter(|meant| parses(meant))
}

fn without_settings(address: &str) -> Option<String> {
    let lower = address.to_ascii_lowercase();
    let after = |start: &&str| match lower.starts_with(start) {
        true => address.get(start.len()..),
        false => None,
    };
    if ["mock", "mock:", "mock://"].contains(&lower.as_str()) {
        return Some("mock:".into());
    }
    if lower.starts_with("bigtable:") || lower.starts_with("projects/") {
        return instance(after(&"bigtable:").unwrap_or(address));
    }
    if let Some(files) = ["hbase-site:", "file://"].iter().find_map(after) {
        return Some(format!("hbase-site:{files}"));
    }
    if address.starts_with(['/', '.']) || lower.ends_with(".xml") {
        return Some(format!("hbase-site:{address}"));
    }
    if let Some(rest) = after(&"jdbc:phoenix:") {
        return Some(of_phoenix(rest));
    }
    let zookeeper = ["hbase+zk:", "hbase-zk:", "hbase+zookeeper:", "zookeeper://", "zk://"];
    if let Some(rest) = zookeeper.iter().find_map(after) {
        return Some(format!("hbase+zk://{}", without_slashes(rest)));
    }
    let servers = ["hbase+rpc:", "hbase-rpc:", "rpc://"];
    if let Some(rest) = servers.iter().find_map(after) {
        return Some(format!("hbase+rpc://{}", hosts(without_slashes(rest))));
    }
    let of_hbase = after(&"hbase://");
    let rest = of_hbase.or_else(|| (!address.contains("://")).then_some(address))?;
    let first = hosts(rest).split(',').next().unwrap_or_default();
    match first.rsplit_once(':').map(|(_, port)| port) {
        Some("16000" | "16020") => Some(format!("hbase+rpc://{}", hosts(rest))),
        Some("2181") => Some(format!("hbase+zk://{rest}")),
        None if of_hbase.is_some() => Some(format!("hbase+zk://{rest}")),
        _ => None,
    }
}

/// Returns the text before the first `/`.
fn hosts(rest: &str) -> &str {
    rest.split('/').next().unwrap_or_default()
}

fn without_slashes(rest: &str) -> &str {
    rest.strip_prefix("//").or_else(|| rest.strip_prefix('/')).unwrap_or(rest)
}

/// Returns the address of the instance that a path of Google's tools names; names after the
/// instance are ignored.
fn instance(path: &str) -> Option<String> {
    let names: Vec<&str> = path.split('/').filter(|name| !name.is_empty()).collect();
    match *names.as_slice() {
        ["projects", project, "instances", instance, ..] | [project, instance, ..] => {
            Some(format!("bigtable://{project}/{instance}"))
        }
        _ => None,
    }
}

/// Returns the address of the cluster in a URL of Phoenix, `host,host:port:/znode`. All hosts have
/// this port.
fn of_phoenix(rest: &str) -> String {
    let mut parts = rest.split([':', ';']);
    let hosts = parts.next().unwrap_or_default();
    let (mut port, mut znode) = (None, "");
    for part in parts {
        match part.parse::<u16>() {
            Ok(number) => port = Some(number),
            Err(_) if part.starts_with('/') => znode = part,
            Err(_) => {}
        }
    }
    let host = |host: &str| port.map_or_else(|| host.into(), |port| format!("{host}:{port}"));
    let hosts: Vec<String> = hosts.split(',').map(host).collect();
    format!("hbase+zk://{}{znode}", hosts.join(","))
}

#[cfg(test)]
mod tests {
    fn meant(text: &str) -> Option<String> {
        super::suggested_address(text, |_| true)
    }

    #[test]
    fn what_was_probably_meant_is_an_address() {
        for (text, expected) in [
            ("mock", "mock:"),
            ("Mock:?seed=7", "mock:?seed=7"),
            ("hbase+ZK://zk1,zk2/x", "hbase+zk://zk1,zk2/x"),
            ("zookeeper://zk1:2181/hbase", "hbase+zk://zk1:2181/hbase"),
            ("hbase://zk1", "hbase+zk://zk1"),
            ("hbase://m1:16000,m2:16000/hbase", "hbase+rpc://m1:16000,m2:16000"),
            ("hbase+rpc://m1/hbase", "hbase+rpc://m1"),
            ("hbase+zk:zk1", "hbase+zk://zk1"),
            ("zk1:2181/hbase", "hbase+zk://zk1:2181/hbase"),
            ("zk:2181?pause=5ms", "hbase+zk://zk:2181?pause=5ms"),
            ("rs1:16020", "hbase+rpc://rs1:16020"),
            ("/etc/hbase/conf", "hbase-site:/etc/hbase/conf"),
            ("hbase-site.xml", "hbase-site:hbase-site.xml"),
            ("file:///etc/hbase/conf", "hbase-site:/etc/hbase/conf"),
            ("jdbc:phoenix:zk1,zk2:2181:/hbase", "hbase+zk://zk1:2181,zk2:2181/hbase"),
            ("jdbc:phoenix:zk1;user=ada", "hbase+zk://zk1"),
        ] {
            assert_eq!(meant(text).as_deref(), Some(expected), "{text}");
        }
        for text in ["", "localhost", "thrift://x:9090", "hbase+zk:///hbase", "hbase+zk://a b"] {
            assert_eq!(meant(text), None, "{text}");
        }
        assert_eq!(super::suggested_address("zk://a b", |_| false), None);
    }

    #[test]
    fn an_instance_may_be_written_as_google_writes_it() {
        for text in [
            "bigtable:p/i",
            "projects/p/instances/i",
            "bigtable://projects/p/instances/i/tables/t",
            "bigtable://p/i/t",
        ] {
            assert_eq!(meant(text).as_deref(), Some("bigtable://p/i"), "{text}");
        }
    }
}
