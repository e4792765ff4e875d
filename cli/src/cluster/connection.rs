//! The flags that name the cluster of a command, and the connection to that cluster.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use tallrow::authentication::Authentication;
use tallrow::settings::ConfigReport;
use tallrow::{Client, Config, ErrorKind};
use tokio::runtime::Runtime;

use crate::failure::{Failure, Result};

/// The default timeout of an operation in seconds, which is used if neither the command line nor
/// the address nor a file sets one.
const TIMEOUT: u64 = 20;

/// The heading of the flags that name a cluster. A help text shows these flags last, because many
/// commands have them.
const CONNECTION: &str = "Connection";

/// The flags that name a cluster.
#[derive(Args, Clone, Debug)]
pub(crate) struct ConnectionArguments {
    /// The cluster: hbase+zk://host:port/znode, hbase+rpc://host:port, bigtable://project/instance,
    /// or mock:
    #[arg(long, env = "TALLROW_URL", hide_env_values = true, help_heading = CONNECTION)]
    url: Option<String>,

    /// hbase-site.xml, or its directory: the settings, and the cluster if there is no URL; without
    /// both, that of HBASE_CONF_DIR
    #[arg(long, value_name = "PATH", help_heading = CONNECTION)]
    config: Option<PathBuf>,

    /// Seconds that an operation may take, retries included; 20 unless a file or the URL says
    /// otherwise
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = CONNECTION)]
    timeout: Option<u64>,
}

/// Parses a number of seconds from 1 to 86400, with or without the unit `s`.
fn seconds(text: &str) -> std::result::Result<u64, String> {
    let number = text.strip_suffix('s').unwrap_or(text).trim().parse::<u64>().ok();
    number
        .filter(|seconds| (1..=86_400).contains(seconds))
        .ok_or_else(|| "it is not a number of seconds between 1 and 86400, as 20".into())
}

/// The address of a cluster, and the settings of its client.
#[derive(Debug)]
pub(crate) struct ClusterSettings {
    /// The address as it was given, or `hbase-site:` if the address is in hbase-site.xml files.
    address: String,
    config: Config,
}

/// Returns the value of the setting `name` in an address, as it is written after the `?`.
pub(crate) fn setting<'a>(address: &'a str, name: &str) -> Option<&'a str> {
    let (_, settings) = address.split_once('?')?;
    let mut settings = settings.split('&').filter_map(|one| one.split_once('='));
    settings.find(|(known, _)| *known == name).map(|(_, value)| value)
}

impl ConnectionArguments {
    /// Returns flags for the cluster at `url`, with the same timeout and without `--config`.
    pub(crate) fn for_url(&self, url: &str) -> Self {
        Self { url: Some(url.to_owned()), config: None, timeout: self.timeout }
    }

    /// Returns the flags with `settings` added to the URL, if it is a `bigtable://` URL. A setting
    /// that the URL already contains keeps its value.
    pub(crate) fn with_bigtable_settings(&self, settings: &[(&str, &str)]) -> Self {
        let mut all = self.clone();
        if let Some(url) = all.url.as_mut().filter(|url| url.starts_with("bigtable://")) {
            for (name, value) in settings {
                if setting(url, name).is_none() {
                    let between = if url.contains('?') { '&' } else { '?' };
                    *url = format!("{url}{between}{name}={value}");
                }
            }
        }
        all
    }

    /// Whether a cluster is given by a URL, by `--config` or by HBASE_CONF_DIR.
    pub(crate) fn is_given(&self) -> bool {
        self.url.as_deref().is_some_and(|url| !url.is_empty())
            || self.config.is_some()
            || has_conf_dir()
    }

    /// Reads the configuration files, and returns the address of the cluster and the settings of
    /// its client.
    pub(crate) fn cluster_settings(&self) -> Result<ClusterSettings> {
        let config = match &self.config {
            Some(path) => Config::new().hbase_site(path)?,
            None => Config::new(),
        };
        let (address, config) =
            match self.url.as_deref().map(str::trim).filter(|url| !url.is_empty()) {
                Some(url) => (url.to_owned(), config),
                None if self.config.is_some() => ("hbase-site:".to_owned(), config),
                None if has_conf_dir() => ("hbase-site:".to_owned(), config.hbase_site_from_env()?),
                None => {
                    return Err(Failure::usage("no cluster is given").advise(
                        "give --url URL or set TALLROW_URL: hbase+zk://host:2181 for ZooKeeper, \
                         hbase+rpc://host:16000 for a master; or give --config PATH or set \
                         HBASE_CONF_DIR for hbase-site.xml",
                    ));
                }
            };
        let report = config.config_report();
        let by_default = |name: &str, java: &str| {
            let in_a_file = report.entries().iter().any(|entry| entry.name() == java);
            !in_a_file && [name, java].iter().all(|name| setting(&address, name).is_none())
        };
        let timeout = Duration::from_secs(self.timeout.unwrap_or(TIMEOUT));
        let is_given = self.timeout.is_some();
        let (operation, attempt) = (
            is_given || by_default("operation_timeout", "hbase.client.operation.timeout"),
            is_given || by_default("attempt_timeout", "hbase.rpc.timeout"),
        );
        let config = if operation { config.operation_timeout(timeout) } else { config };
        let config = if attempt { config.attempt_timeout(timeout / 2) } else { config };
        Ok(ClusterSettings { address, config })
    }

    /// Connects to the cluster.
    pub(crate) async fn connect(&self) -> Result<Client> {
        let target = self.cluster_settings()?;
        target.connect().await.map_err(|error| {
            let flags = match &self.config {
                Some(path) => format!("--config {}", path.display()),
                None if target.is_of_files() => String::new(),
                None => format!("--url {}", target.address),
            };
            let advice = format!(
                "`{}` looks at each step of a connection",
                format!("tallrow doctor {flags}").trim()
            );
            let is_usage = error.kind() == ErrorKind::InvalidArgument;
            let lacks_credentials = error.to_string().contains("google-credentials");
            let failure = Failure::from(error);
            match (is_usage, lacks_credentials) {
                (true, true) => failure.advise(
                    "`cargo install tallrow-cli --features tls` builds a program that has it",
                ),
                (true, false) => failure,
                (false, _) => failure.advise(advice),
            }
        })
    }
}

impl ClusterSettings {
    pub(crate) async fn connect(&self) -> tallrow::Result<Client> {
        Client::connect_with(&self.address, self.config.clone()).await
    }

    /// The address as it was given, or, if none was given, the address in the hbase-site.xml files.
    pub(crate) fn address(&self) -> String {
        match self.config.config_report().address().filter(|_| self.is_of_files()) {
            Some(address) => address.to_owned(),
            None => self.address.clone(),
        }
    }

    /// Returns how the client proves its identity; `None` if it does not.
    pub(crate) fn authentication(&self) -> tallrow::Result<Option<Authentication>> {
        self.config.authentication_for(&self.address)
    }

    /// Returns the settings in files and on the command line, and whether each was applied.
    pub(crate) fn report(&self) -> ConfigReport {
        self.config.config_report()
    }

    fn is_of_files(&self) -> bool {
        self.address.starts_with("hbase-site:")
    }
}

/// Whether the environment variable HBASE_CONF_DIR, the directory of HBase's configuration files,
/// is set.
fn has_conf_dir() -> bool {
    std::env::var_os("HBASE_CONF_DIR").is_some_and(|dir| !dir.is_empty())
}

/// Runs `work`, which talks to a cluster, in a new runtime, and returns the result of the work.
pub(crate) fn block_on<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    let runtime = Runtime::new()
        .map_err(|error| Failure::new("start the threads of the client").caused_by(error))?;
    runtime.block_on(work)
}

#[cfg(test)]
mod tests {
    use super::setting;

    #[test]
    fn a_setting_of_an_address_has_the_whole_name() {
        let address = "hbase+zk://attempt_timeout:2181?read_attempt_timeout=5s&user=a";
        assert_eq!(setting(address, "read_attempt_timeout"), Some("5s"));
        assert_eq!(setting(address, "user"), Some("a"));
        assert_eq!(setting(address, "attempt_timeout"), None);
        assert_eq!(setting("bigtable://p/i", "user"), None);
    }
}
