//! Tests that valid and invalid lists of hosts are read in the same way at every place that accepts
//! hosts.

use super::registry_hosts;
use super::resolve::resolve;
use crate::config::address::Url;
use crate::config::host_overrides::HostOverrides;
use crate::{Config, Error};

/// A place that accepts a host, or a list of hosts.
struct Place {
    name: &'static str,
    takes_lists: bool,
    /// The default port of the hosts.
    port: u16,
    /// Parses hosts, and returns each as `host:port`; fails with the text that says what is wrong.
    read: fn(&str) -> Result<Vec<String>, String>,
}

fn said(error: Error) -> String {
    assert_eq!(error.kind(), crate::ErrorKind::InvalidArgument);
    error.to_string()
}

/// Parses an address as the client does, and returns its hosts.
fn address(text: &str) -> Result<Vec<String>, String> {
    registry_hosts(text).map_err(said)
}

/// Reads a file with this property and with the properties in `more`. Returns the hosts of the
/// cluster.
fn property(name: &str, value: &str, more: &str) -> Result<Vec<String>, String> {
    let text = format!(
        "<configuration>{more}<property><name>{name}</name><value>{value}</value></property></configuration>"
    );
    let mut config = Config::new();
    config.site.read_text("site.xml", &text).unwrap();
    let url: Url = "hbase-site:".parse().unwrap();
    let resolved = resolve(config, Some(url));
    resolved.check().map_err(said)?;
    let address = resolved.report.address().unwrap().to_owned();
    registry_hosts(&address).map_err(said)
}

const RPC: &str = "<property><name>hbase.client.registry.impl</name><value>RpcConnectionRegistry</value></property>";
const MASTERS: &str =
    "<property><name>hbase.client.registry.impl</name><value>MasterRegistry</value></property>";

#[cfg(feature = "bigtable")]
fn bigtable(endpoint: Option<&str>, emulator: Option<&str>) -> Result<Vec<String>, String> {
    use crate::config::address::bigtable::BigtableUrl;
    let mut settings: Vec<(String, String)> =
        endpoint.map(|host| ("endpoint".to_owned(), host.to_owned())).into_iter().collect();
    let url = BigtableUrl::parse("pro-ject/instance", &mut settings, emulator)?;
    Ok(vec![url.location.data_address().to_owned()])
}

fn places() -> Vec<Place> {
    let place = |name, takes_lists, port, read| Place { name, takes_lists, port, read };
    vec![
        place("hbase+zk://", true, 2181, |text| address(&format!("hbase+zk://{text}/hbase"))),
        place("hbase+zk:// without a znode", true, 2181, |text| {
            address(&format!("hbase+zk://{text}"))
        }),
        place("hbase+rpc://", true, 16000, |text| address(&format!("hbase+rpc://{text}"))),
        place("hbase.zookeeper.quorum", true, 2181, |text| {
            property("hbase.zookeeper.quorum", text, "")
        }),
        place("hbase.client.zookeeper.quorum", true, 2181, |text| {
            property("hbase.client.zookeeper.quorum", text, "")
        }),
        place("hbase.client.bootstrap.servers", true, 16020, |text| {
            property("hbase.client.bootstrap.servers", text, RPC)
        }),
        place("hbase.masters", true, 16000, |text| property("hbase.masters", text, RPC)),
        place("hbase.master.hostname", true, 16000, |text| {
            property("hbase.master.hostname", text, MASTERS)
        }),
        #[cfg(feature = "bigtable")]
        place("endpoint", false, 8086, |text| bigtable(Some(text), None)),
        #[cfg(feature = "bigtable")]
        place("endpoint with TLS", false, 443, |text| {
            bigtable(Some(&format!("https://{text}")), None)
        }),
        #[cfg(feature = "bigtable")]
        place("BIGTABLE_EMULATOR_HOST", false, 8086, |text| bigtable(None, Some(text))),
        // Without a port, the override has the server's own port.
        place("host_override", false, 7, |text| {
            let overrides: HostOverrides = format!("server={text}").parse()?;
            let (host, port) = overrides.address_for("server", 7).unwrap();
            Ok(vec![crate::model::hosts::join(host, port)])
        }),
        place("a host that is overridden", false, 7, |text| {
            let overrides: HostOverrides = format!("{text}=other:9").parse()?;
            let (host, port) = crate::model::hosts::split(text);
            let host = if text.starts_with("::") || text.starts_with("fe80") { text } else { host };
            assert_eq!(
                overrides.address_for(host, port.unwrap_or(7)),
                Some(("other", 9)),
                "{text}"
            );
            Ok(vec![crate::model::hosts::join(host, port.unwrap_or(7))])
        }),
    ]
}

/// Every property that contains hosts is among the places above.
#[test]
fn no_property_of_hosts_is_left_out() {
    let of_hosts = |name: &&str| {
        ["quorum", "servers", "masters", "hostname"].iter().any(|end| name.ends_with(end))
    };
    let names: Vec<_> = super::registry::NAMES.into_iter().filter(of_hosts).collect();
    assert_eq!(names.len(), 5);
    for name in names {
        assert!(places().iter().any(|place| place.name == name), "{name}");
    }
}

#[test]
fn good_hosts_are_the_same_everywhere() {
    for place in places() {
        let port = place.port;
        for (text, expected) in [
            ("a", format!("a:{port}")),
            ("rs-1.example_2.com:5", "rs-1.example_2.com:5".into()),
            ("10.0.0.1:5", "10.0.0.1:5".into()),
            ("[::1]", format!("[::1]:{port}")),
            ("[::1]:5", "[::1]:5".into()),
            ("[fe80::1%lo]:5", "[fe80::1%lo]:5".into()),
            ("::1", format!("[::1]:{port}")),
            ("fe80::1%eth0", format!("[fe80::1%eth0]:{port}")),
        ] {
            let found = (place.read)(text);
            assert_eq!(found, Ok(vec![expected]), "{text} at {}", place.name);
        }
        if place.takes_lists {
            let found = (place.read)("a, [::1]:5 ,b:7");
            let expected = [format!("a:{port}"), "[::1]:5".into(), "b:7".into()];
            assert_eq!(found, Ok(expected.to_vec()), "{}", place.name);
        }
    }
}

#[test]
fn what_is_no_host_is_refused_everywhere() {
    for place in places() {
        for (text, why) in [
            ("[::1", "its bracket is not closed"),
            ("[::1:5", "its bracket is not closed"),
            ("[]:5", "what is in brackets is no IPv6 address"),
            ("[a]:5", "what is in brackets is no IPv6 address"),
            ("[fe80::1%]:5", "what is in brackets is no IPv6 address"),
            ("[::1]x:5", "only a port can follow the bracket"),
            ("[::1]5", "only a port can follow the bracket"),
            ("::1]:5", "the host before the port is missing"),
            ("a:b:5", "is in brackets"),
            ("a:", "has no port between 1 and 65535"),
            ("a:0", "has no port between 1 and 65535"),
            ("a:+5", "has no port between 1 and 65535"),
            ("a:65536", "has no port between 1 and 65535"),
            ("[::1]:x", "has no port between 1 and 65535"),
            (":5", "the host before the port is missing"),
            ("a b", "' ' is not allowed in a host"),
            ("a;b", "';' is not allowed in a host"),
            ("user@a", "'@' is not allowed in a host"),
        ] {
            let Err(found) = (place.read)(text) else { panic!("{text} at {}", place.name) };
            // The errors for a host in brackets differ from those for a host without brackets.
            assert!(found.contains(why), "{text} at {}: {found}", place.name);
        }
        if place.takes_lists {
            for (text, at) in [("a,b c,d", 3), ("a, [::1,b", 4), ("ä:5,b:0", 5)] {
                let Err(found) = (place.read)(text) else { panic!("{text} at {}", place.name) };
                let spaces = text.replace(' ', "");
                let at = [format!("at character {at} of"), format!("of {spaces:?}")];
                assert!(
                    at.iter().any(|at| found.contains(at)),
                    "{text} at {}: {found}",
                    place.name
                );
            }
        }
    }
}

#[test]
fn what_follows_the_hosts_is_no_host() {
    for (text, why) in [
        ("hbase+zk://a/x,b/y", "hosts are all before the first '/'; is it hbase+zk://a,b/y?"),
        ("hbase+zk://a/x//y", "has an empty part"),
        ("hbase+rpc://a/x,b", "nothing may follow the servers"),
        ("hbase+zk://a,,b", "a host is missing (at character 3 of \"a,,b\")"),
        ("hbase+zk:zk1", "`//` is missing after `hbase+zk:`; is it hbase+zk://zk1?"),
        ("hbase+rpc:/m:16000", "`//` is missing after `hbase+rpc:`; is it hbase+rpc://m:16000?"),
        ("bigtable:p/i", "`//` is missing after `bigtable:`; is it bigtable://p/i?"),
        ("zk1:2181", "it has no scheme; is it hbase+zk://zk1:2181?"),
        ("m1:16000,m2:16000", "it has no scheme; is it hbase+rpc://m1:16000,m2:16000?"),
    ] {
        let found = address(text).unwrap_err();
        assert!(found.contains(why), "{found}");
    }
    for name in ["hbase.zookeeper.quorum", "hbase.client.zookeeper.quorum"] {
        let found = property(name, "zk1,zk2/a", "").unwrap_err();
        let expected = format!("{name} is \"zk1,zk2/a\": \"zk2/a\": '/' is not allowed in a host");
        assert!(found.contains(&expected), "{found}");
    }
}

#[test]
fn a_name_that_is_misspelt_in_a_file_is_named_with_its_line() {
    let wrong = "<property><name>hbase.zookeper.quorum</name><value>zk1</value></property>\n";
    let found = property("hbase.rootdir", "/x", wrong).unwrap_err();
    assert!(
        found.contains(
            "hbase.zookeeper.quorum: no file sets it; site.xml:1 has hbase.zookeper.quorum: unknown; is it \
             hbase.zookeeper.quorum?"
        ),
        "{found}"
    );
}

#[test]
fn a_compression_has_a_short_name_or_the_name_of_a_class() {
    use super::table::Setting;
    use crate::Compression;

    let read = |text: &str| {
        let mut config = Config::new();
        let setting = Setting::find("compression").unwrap();
        setting.set_from_text(&mut config, text, false).map(|()| config.compression)
    };
    for (name, compression) in [
        ("gzip", Compression::Gzip),
        ("SNAPPY", Compression::Snappy),
        ("lz4", Compression::Lz4),
        ("zstd", Compression::Zstd),
    ] {
        assert_eq!(read(name), Ok(Some(compression.class().to_owned())));
        let (name, class) = (name.to_lowercase(), compression.class());
        let off = Compression::why_unusable(class, &[(class, &format!("compression-{name}"))]);
        let needs = format!("needs the feature \"compression-{name}\" of tallrow");
        assert!(off.starts_with(&format!("compression {name} (")) && off.contains(&needs), "{off}");
    }
    assert_eq!(read("org.x.Codec"), Ok(Some("org.x.Codec".into())));
    let wrong = read("snapy").unwrap_err();
    assert!(wrong.contains("gzip, lz4, snappy or zstd"), "{wrong}");
}
