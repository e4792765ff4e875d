//! The address of a cluster or an instance, and how it is parsed.

#[cfg(feature = "bigtable")]
pub(crate) mod bigtable;
mod suggestion;

use std::fmt;
use std::str::FromStr;

#[cfg(feature = "bigtable")]
use self::bigtable::{BigtableUrl, EMULATOR_HOST};
use self::suggestion::suggested_address;
use super::site::is_secret;
use crate::model::hosts;
use crate::{Error, Result};

/// A parsed address: a store, and settings of its clients.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Url {
    pub(crate) store: Store,
    /// Names and values, as they are written.
    pub(crate) settings: Vec<(String, String)>,
}

/// The store that an address names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Store {
    HBase(HBaseUrl),
    /// `bigtable://project/instance`
    #[cfg(feature = "bigtable")]
    Bigtable(BigtableUrl),
    /// `hbase-site:file,directory`: the cluster that HBase's own files describe
    Site(Vec<String>),
    /// `mock:`: a cluster in this process
    Mock(MockUrl),
}

/// How the cluster of `mock:` starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MockUrl {
    /// The seed of everything that is random.
    pub(crate) seed: Option<u64>,
    /// Whether its client finds the servers through ZooKeeper.
    pub(crate) zookeeper: bool,
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
     hbase+rpc://host:port,host:port for masters or region servers, hbase-site:directory for where hbase-site.xml says, \
     bigtable://project/instance for Cloud Bigtable, or mock: for a cluster in this process";

impl fmt::Display for HBaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ZooKeeper { quorum, znode } => {
                write!(f, "hbase+zk://{}{znode}", quorum.join(","))
            }
            Self::Rpc { servers } => write!(f, "hbase+rpc://{}", servers.join(",")),
        }
    }
}

impl fmt::Display for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::HBase(url) => write!(f, "{url}"),
            #[cfg(feature = "bigtable")]
            Self::Bigtable(url) => write!(f, "{url}"),
            Self::Site(files) => write!(f, "hbase-site:{}", files.join(",")),
            Self::Mock(mock) => write!(f, "{mock}"),
        }
    }
}

impl fmt::Display for MockUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seed = self.seed.map(|seed| format!("seed={seed}"));
        let registry = self.zookeeper.then(|| "registry=zookeeper".to_owned());
        let settings: Vec<String> = seed.into_iter().chain(registry).collect();
        let mark = if settings.is_empty() { "" } else { "?" };
        write!(f, "mock:{mark}{}", settings.join("&"))
    }
}

impl FromStr for Url {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let wrong = |why: &str| {
            let text = without_secrets(text);
            // If it is known what was meant, the forms of all addresses are not needed.
            let forms = if why.ends_with('?') { String::new() } else { format!("; {SCHEMES}") };
            Error::invalid(format!("address {text:?}: {why}{forms}"))
                .with_operation_if_unset("connect")
        };
        let misread = |why: &str| match suggested_address(text, |text| text.parse::<Self>().is_ok())
        {
            Some(meant) => wrong(&format!("{why}; is it {}?", without_secrets(&meant))),
            None => wrong(why),
        };
        let (address, settings) = text.split_once('?').unwrap_or((text, ""));
        let settings = settings.split('&').filter(|s| !s.is_empty()).map(|setting| {
            let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
            (name.to_owned(), value.to_owned())
        });
        let mut settings: Vec<(String, String)> = settings.collect();
        if let Some(path) = address.strip_prefix("bigtable://") {
            let store = bigtable(path, &mut settings).map_err(|why| misread(&why))?;
            return Ok(Self { store, settings });
        }
        let mut store = Store::parse(address).map_err(|why| misread(&why))?;
        if let Store::Mock(mock) = &mut store {
            mock.read(&mut settings).map_err(|why| wrong(&why))?;
        }
        Ok(Self { store, settings })
    }
}

impl Store {
    fn parse(text: &str) -> Result<Self, String> {
        if text == "mock:" || text == "mock://" {
            return Ok(Self::Mock(MockUrl::default()));
        }
        if text.starts_with("mock:") {
            return Err("only settings follow `mock:`, as in `mock:?namespace=dev`".into());
        }
        if let Some(files) = text.strip_prefix("hbase-site:") {
            let files = files.split(',').filter(|file| !file.is_empty());
            return Ok(Self::Site(files.map(str::to_owned).collect()));
        }
        let (scheme, rest) = text.split_once("://").ok_or_else(|| no_scheme(text))?;
        let (list, path) = match rest.find('/') {
            Some(at) => rest.split_at(at),
            None => (rest, ""),
        };
        match scheme {
            "hbase+zk" => {
                let quorum = hosts::parse_hosts(list, 2181)?;
                let znode = znode(path, list)?;
                Ok(Self::HBase(HBaseUrl::ZooKeeper { quorum, znode }))
            }
            "hbase+rpc" if path.is_empty() || path == "/" => {
                Ok(Self::HBase(HBaseUrl::Rpc { servers: hosts::parse_hosts(list, 16000)? }))
            }
            "hbase+rpc" => Err(format!(
                "nothing may follow the servers, found {path:?}; a znode is of hbase+zk:// alone"
            )),
            "http" | "https" => Err(format!(
                "unknown scheme {scheme:?}, that of web pages and REST servers, which have other ports"
            )),
            _ => Err(format!("unknown scheme {scheme:?}")),
        }
    }
}

impl MockUrl {
    /// Takes the settings of the cluster from those of an address.
    fn read(&mut self, settings: &mut Vec<(String, String)>) -> Result<(), String> {
        for (_, text) in settings.extract_if(.., |(name, _)| name == "seed") {
            if self.seed.is_some() {
                return Err("the seed is given twice".into());
            }
            let number = text.parse().map_err(|_| {
                format!("the seed {text:?} is not a number between 0 and 18446744073709551615")
            })?;
            self.seed = Some(number);
        }
        for (_, text) in settings.extract_if(.., |(name, _)| name == "registry") {
            self.zookeeper = match text.as_str() {
                "zookeeper" => true,
                "rpc" => false,
                _ => return Err(format!("the registry {text:?} is neither zookeeper nor rpc")),
            };
        }
        Ok(())
    }
}

/// Parses the znode after a list of hosts.
fn znode(path: &str, list: &str) -> Result<String, String> {
    if let Some(at) = path.find(',') {
        let others = path.get(at..).unwrap_or_default();
        return Err(format!(
            "the znode {path:?} has a ',', and hosts are all before the first '/'; is it \
             hbase+zk://{list}{others}?"
        ));
    }
    match path.trim_end_matches('/') {
        "" => Ok("/hbase".to_owned()),
        path if path.contains("//") => Err(format!("the znode {path:?} has an empty part")),
        path if path.contains(['&', '#', '=']) => {
            let at = path.find(['&', '#', '=']).unwrap_or_default();
            let (znode, rest) = path.split_at(at);
            let rest = rest.trim_start_matches(['&', '#', '=']);
            Err(format!(
                "the znode {path:?} has a {:?}, and settings begin with '?'; is it \
                 hbase+zk://{list}{znode}?{rest}?",
                path.get(at..).and_then(|rest| rest.chars().next()).unwrap_or('&')
            ))
        }
        path => Ok(path.to_owned()),
    }
}

/// Returns why an address without `://` is not valid.
fn no_scheme(text: &str) -> String {
    let known = ["hbase+zk:", "hbase+rpc:", "bigtable:"];
    if let Some(scheme) = known.into_iter().find(|scheme| text.starts_with(scheme)) {
        return format!("`//` is missing after `{scheme}`");
    }
    "it has no scheme".to_owned()
}

/// Returns the hosts of the registry in the address of an HBase cluster, each as `host:port`, in
/// order. An address of another kind has no registry, so its list is empty.
///
/// ```
/// use tallrow::settings::registry_hosts;
///
/// assert_eq!(
///     registry_hosts("hbase+zk://zk1,[fe80::1%eth0]:2182/hbase")?,
///     ["zk1:2181", "[fe80::1%eth0]:2182"]
/// );
/// assert_eq!(registry_hosts("mock:")?, [] as [&str; 0]);
/// let error = registry_hosts("hbase+zk://zk1/hbase,zk2").unwrap_err();
/// assert!(error.to_string().contains("hosts are all before the first '/'"));
/// # Ok::<(), tallrow::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an address that a client refuses to
/// connect to.
pub fn registry_hosts(address: &str) -> Result<Vec<String>> {
    let url: Url = address.parse()?;
    Ok(match url.store {
        Store::HBase(
            HBaseUrl::ZooKeeper { quorum: hosts, .. } | HBaseUrl::Rpc { servers: hosts },
        ) => hosts,
        _ => Vec::new(),
    })
}

#[cfg(feature = "bigtable")]
fn bigtable(path: &str, settings: &mut Vec<(String, String)>) -> Result<Store, String> {
    let emulator = std::env::var(EMULATOR_HOST).ok();
    BigtableUrl::parse(path, settings, emulator.as_deref()).map(Store::Bigtable)
}

#[cfg(not(feature = "bigtable"))]
fn bigtable(_: &str, _: &mut Vec<(String, String)>) -> Result<Store, String> {
    Err("it needs the feature \"bigtable\" of tallrow; add it to Cargo.toml".into())
}

/// Returns an address in the form that errors show, with its passwords hidden.
pub(crate) fn without_secrets(address: &str) -> String {
    let (place, settings) = match address.split_once('?') {
        Some((place, settings)) => (place, Some(settings)),
        None => (address, None),
    };
    let place = match place.split_once("//") {
        Some((scheme, hosts)) => format!("{scheme}//{}", hosts::without_password(hosts)),
        None => place.to_owned(),
    };
    let Some(settings) = settings else { return place };
    let settings = settings.split('&').map(|setting| match setting.split_once('=') {
        Some((name, _)) if is_secret(name) => format!("{name}=(hidden)"),
        _ => setting.to_owned(),
    });
    format!("{place}?{}", settings.collect::<Vec<_>>().join("&"))
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
    fn an_address_may_contain_settings() {
        let url: Url = "hbase+zk://a/x?namespace=dev&table_prefix=a_&pause".parse().unwrap();
        assert_eq!(url.store.to_string(), "hbase+zk://a:2181/x");
        let settings = [("namespace", "dev"), ("table_prefix", "a_"), ("pause", "")];
        assert_eq!(url.settings, settings.map(|(n, v)| (n.to_owned(), v.to_owned())));
        let url: Url = "mock:?table_prefix=".parse().unwrap();
        assert_eq!((url.store, url.settings.len()), (Store::Mock(MockUrl::default()), 1));
        let url: Url = "mock:?pause=5&seed=7".parse().unwrap();
        assert_eq!((url.store.to_string(), url.settings.len()), ("mock:?seed=7".into(), 1));
        let url: Url = "mock:?registry=zookeeper&pause=5&seed=7".parse().unwrap();
        let shown = "mock:?seed=7&registry=zookeeper";
        assert_eq!((url.store.to_string(), url.settings.len()), (shown.into(), 1));
        let error = "mock:?registry=zk".parse::<Url>().unwrap_err().to_string();
        assert!(error.contains("the registry \"zk\" is neither zookeeper nor rpc"), "{error}");
        for wrong in ["mock:?seed=x", "mock:?seed=", "mock:?seed=-1", "mock:?seed=1&seed=2"] {
            assert!(wrong.parse::<Url>().unwrap_err().to_string().contains("the seed"), "{wrong}");
        }
    }

    #[test]
    #[cfg(feature = "bigtable")]
    fn an_address_may_be_of_an_instance() {
        let url: Url = "bigtable://p/i?endpoint=h:1&pause=5ms".parse().unwrap();
        assert_eq!(url.store.to_string(), "bigtable://p/i?endpoint=h:1");
        assert_eq!(url.settings, [("pause".to_owned(), "5ms".to_owned())]);
        let error = "bigtable://p".parse::<Url>().unwrap_err().to_string();
        assert!(error.contains("\"p\" has no instance"), "{error}");
        assert!(error.contains("bigtable://project/instance"), "{error}");
    }

    #[test]
    #[cfg(not(feature = "bigtable"))]
    fn an_address_of_an_instance_needs_the_feature() {
        let error = "bigtable://p/i".parse::<Url>().unwrap_err().to_string();
        assert!(error.contains("needs the feature \"bigtable\" of tallrow"), "{error}");
    }

    #[test]
    fn errors_show_no_password_of_an_address() {
        let text = "http://a?pause=1&hbase.rpc.tls.keystore.password=hunter2&user=ada";
        let error = text.parse::<Url>().unwrap_err().to_string();
        assert!(
            !error.contains("hunter2") && error.contains("password=(hidden)&user=ada"),
            "{error}"
        );
    }

    #[test]
    fn errors_show_no_password_before_a_host_either() {
        let error = "hbase+zk://zk1,ada:hunter2@zk2/x".parse::<Url>().unwrap_err().to_string();
        assert!(!error.contains("hunter2") && error.contains("zk1,ada:(hidden)@zk2/x"), "{error}");
    }

    #[test]
    fn what_was_meant_is_in_the_error_and_not_all_forms() {
        for (text, why) in [
            ("mock", "it has no scheme; is it mock:?"),
            ("HBASE+ZK://zk1", "unknown scheme \"HBASE+ZK\"; is it hbase+zk://zk1?"),
            (
                "hbase+rpc://m/hbase",
                "nothing may follow the servers, found \"/hbase\"; a znode is of hbase+zk:// alone; \
                 is it hbase+rpc://m?",
            ),
            (
                "hbase+zk://zk1/hbase&pause=5ms",
                "the znode \"/hbase&pause=5ms\" has a '&', and settings begin with '?'; is it \
                 hbase+zk://zk1/hbase?pause=5ms?",
            ),
        ] {
            let error = text.parse::<Url>().unwrap_err().to_string();
            assert_eq!(error, format!("connect: address {text:?}: {why}"));
        }
    }

    #[test]
    fn an_address_may_name_files() {
        let files = |text: &str| text.parse::<Url>().unwrap().store;
        assert_eq!(files("hbase-site:"), Store::Site(Vec::new()));
        assert_eq!(
            files("hbase-site:/etc/hbase/conf,x.xml?pause=1"),
            Store::Site(vec!["/etc/hbase/conf".into(), "x.xml".into()])
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
            "hbase+rpc://a,,b",
            "hbase+rpc://a;b",
            "hbase+zk://user@a",
            "hbase+zk://a b",
        ] {
            let error = bad.parse::<Url>().unwrap_err();
            assert_eq!(error.kind(), crate::ErrorKind::InvalidArgument);
            assert!(error.to_string().contains("hbase+zk://"), "{error}");
        }
    }
}
