//! The cluster that commands connect to: `tallrow mock` in another process, or a real one.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};

use serde_json::Value;

use crate::program::{Run, command, tallrow};

/// A cluster for one test: a mock in another process, or the real one of the environment.
pub(crate) struct Cluster {
    pub(crate) url: String,
    /// Its address through ZooKeeper.
    pub(crate) zookeeper: String,
    /// Its address as an instance of Bigtable, if it is a mock.
    pub(crate) bigtable: String,
    mock: Option<Child>,
}

impl Cluster {
    /// Starts `tallrow mock`.
    pub(crate) fn mock() -> Self {
        let mut mock = command();
        let mock = mock.args(["mock", "--zk-port", "0", "--bigtable-port", "0"]);
        let mut mock = mock.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(mock.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let ready: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(ready["ready"], true);
        let url = |name: &str| ready[name].as_str().unwrap().to_owned();
        let (zookeeper, bigtable) = (url("zookeeper_url"), url("bigtable_url"));
        Self { url: url("url"), zookeeper, bigtable, mock: Some(mock) }
    }

    /// The real cluster, if there is one.
    pub(crate) fn real() -> Option<Self> {
        let url = tallrow_tests::real("TALLROW_REAL_ZK")?;
        Some(Self { zookeeper: url.clone(), url, bigtable: String::new(), mock: None })
    }

    /// Drops a table that an earlier run left.
    pub(crate) fn without(&self, table: &str) {
        if self.run(&["table", "describe", table]).code == Some(0) {
            self.run(&["table", "drop", table, "--yes"]).done();
        }
    }

    /// Runs the program with this cluster as `--url`.
    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        let mut all = arguments.to_vec();
        all.extend(["--url", &self.url]);
        let patience = tallrow_tests::patience().as_secs().to_string();
        if self.mock.is_none() {
            all.extend(["--timeout", &patience]);
        }
        tallrow(&all)
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if let Some(mock) = &mut self.mock {
            // It may have ended already.
            let _ = mock.kill();
            let _ = mock.wait();
        }
    }
}
