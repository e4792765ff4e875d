use std::process::Command;
use std::time::Duration;

use tallrow_bench::cpu_time_of;

/// The script that starts and describes the cluster.
const SCRIPT: &str = "tests/hbase/cluster";

/// The running cluster.
#[derive(Debug)]
pub(crate) struct Cluster {
    /// The address of its ZooKeeper.
    pub(crate) quorum: String,
    region_servers: Vec<u32>,
}

impl Cluster {
    /// Asks the script.
    pub(crate) fn find() -> Result<Self, String> {
        let url = std::env::var("TALLROW_REAL_ZK").map_err(|_| {
            format!("TALLROW_REAL_ZK is not set; start a cluster: eval \"$({SCRIPT} up 2)\"")
        })?;
        let quorum = url
            .strip_prefix("hbase+zk://")
            .and_then(|rest| rest.split('/').next())
            .ok_or_else(|| format!("TALLROW_REAL_ZK is {url:?}, not hbase+zk://HOST:PORT"))?;
        let status = script("status")?;
        let region_servers: Vec<u32> = status
            .lines()
            .filter(|line| line.starts_with("rs"))
            .filter_map(|line| line.split_whitespace().last()?.parse().ok())
            .collect();
        if region_servers.is_empty() {
            return Err(format!(
                "{SCRIPT} status names no region server; is TALLROW_REAL_PORT set as for its `up`?"
            ));
        }
        Ok(Self { quorum: quorum.to_owned(), region_servers })
    }

    /// The CPU time that the region servers have used so far.
    pub(crate) fn cpu_time(&self) -> Duration {
        self.region_servers.iter().map(|process| cpu_time_of(*process)).sum()
    }
}

/// What the script prints.
pub(crate) fn script(command: &str) -> Result<String, String> {
    let output = Command::new(SCRIPT).arg(command).output();
    let output =
        output.map_err(|e| format!("{SCRIPT} {command}: {e}; run this in the top folder"))?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{SCRIPT} {command}: {}: {why}", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
