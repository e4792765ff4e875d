//! The cluster that a command works on.

use std::time::Duration;

use clap::Args;
use tallrow::{Client, Config, ErrorKind};
use tokio::runtime::Runtime;

use crate::failure::{Failure, Result};

/// The flags that name a cluster.
#[derive(Args, Clone, Debug)]
pub(crate) struct Connection {
    /// The cluster: hbase+zk://host:port/znode, hbase+rpc://host:port, or mock:
    #[arg(long, env = "TALLROW_URL", hide_env_values = true)]
    url: Option<String>,

    /// Seconds that an operation may take, retries included
    #[arg(long, value_name = "SECONDS", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    timeout: u64,
}

impl Connection {
    /// Returns the URL.
    pub(crate) fn url(&self) -> Result<&str> {
        self.url.as_deref().filter(|url| !url.is_empty()).ok_or_else(|| {
            Failure::usage("no cluster is given").advise(
                "give --url URL or set TALLROW_URL: hbase+zk://host:2181 for ZooKeeper, hbase+rpc://host:16000 for a master",
            )
        })
    }

    /// Connects.
    pub(crate) async fn connect(&self) -> Result<Client> {
        let url = self.url()?;
        self.try_connect(url).await.map_err(|error| {
            let advice = format!("tallrow doctor --url {url} looks at each step of a connection");
            let is_usage = error.kind() == ErrorKind::InvalidArgument;
            let failure = Failure::from(error);
            if is_usage { failure } else { failure.advise(advice) }
        })
    }

    /// Connects to this URL.
    pub(crate) async fn try_connect(&self, url: &str) -> tallrow::Result<Client> {
        let timeout = Duration::from_secs(self.timeout);
        let config = Config::new().operation_timeout(timeout).attempt_timeout(timeout / 2);
        Client::connect_with(url, config).await
    }
}

/// Runs a command that talks to a cluster.
pub(crate) fn block_on<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    let runtime = Runtime::new()
        .map_err(|error| Failure::new("start the threads of the client").caused_by(error))?;
    runtime.block_on(work)
}
