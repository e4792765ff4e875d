//! The servers on which the clients are measured: an HBase cluster that already runs, or a mock or
//! emulator that is started here.

use std::process::Command;
use std::time::Duration;

use tallrow_bench::{Program, cpu_time_of};

use crate::build::go_build;
use crate::layer::{Layer, USER};

/// The scripts that start and describe a cluster.
pub(crate) const CLUSTER: &str = "tests/servers/hbase/cluster";
const SECURED: &str = "tests/servers/hbase/secured";

/// A server to which the clients connect.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) name: String,
    pub(crate) address: Address,
    processes: Vec<u32>,
    /// The server, which ends with this value, if this program started it.
    _started: Option<Program>,
}

#[derive(Debug)]
pub(crate) enum Address {
    /// `host:port` of a cluster of HBase
    ZooKeeper(String),
    /// `host:port` of a cluster that is secured, and the protection to ask for
    Secured(String, Layer),
    /// `host:port` of a mock or an emulator
    Bigtable(String),
}

impl Address {
    pub(crate) fn url(&self) -> String {
        match self {
            Self::ZooKeeper(quorum) => format!("hbase+zk://{quorum}"),
            Self::Secured(quorum, layer) => {
                let set = |(name, value)| format!("&{name}={value}");
                let properties: String = layer.properties().into_iter().map(set).collect();
                format!("hbase+zk://{quorum}?user={USER}{properties}")
            }
            Self::Bigtable(endpoint) => format!("bigtable://project/instance?endpoint={endpoint}"),
        }
    }
}

impl Server {
    /// Finds the running cluster, or starts another kind of server.
    pub(crate) fn find(name: &str) -> Result<Self, String> {
        let folder = std::env::current_exe().map_err(|e| format!("where this program is: {e}"))?;
        let folder = folder.parent().ok_or("this program is in no folder")?;
        match name {
            "hbase" => cluster(name, CLUSTER, Address::ZooKeeper),
            "mock" => {
                let mut mock = Command::new(folder.join("tallrow-mock"));
                started(name, mock.args(["--bigtable-port", "0"]), "bigtable", Address::Bigtable)
            }
            "hbase-mock" => {
                let mut mock = Command::new(folder.join("tallrow-mock"));
                mock.args(["--zk-port", "0", "--servers", "2"]);
                started(name, &mut mock, "hbase_zk", Address::ZooKeeper)
            }
            "emulator" => {
                let program = folder.join("bigtable-emulator");
                go_build("tests/servers/emulator", ".", &program)?;
                started(name, &mut Command::new(program), "bigtable", Address::Bigtable)
            }
            other => match Layer::parse(other) {
                Some(layer) => cluster(name, SECURED, |quorum| Address::Secured(quorum, layer)),
                None => Err(format!("there is no server {other:?}; see --help")),
            },
        }
    }

    /// The CPU time that the server has used so far.
    pub(crate) fn cpu_time(&self) -> Duration {
        self.processes.iter().map(|process| cpu_time_of(*process)).sum()
    }
}

/// Returns the running cluster, as its script describes it.
fn cluster(
    name: &str,
    program: &str,
    address: impl FnOnce(String) -> Address,
) -> Result<Server, String> {
    let url = std::env::var("TALLROW_REAL_ZK").map_err(|_| {
        format!("TALLROW_REAL_ZK is not set; {program} starts a cluster, as --help shows")
    })?;
    let quorum = url
        .strip_prefix("hbase+zk://")
        .and_then(|rest| rest.split('/').next())
        .ok_or_else(|| format!("TALLROW_REAL_ZK is {url:?}, not hbase+zk://HOST:PORT"))?;
    let status = script(program, "status")?;
    let processes: Vec<u32> = status
        .lines()
        .filter(|line| line.starts_with("rs"))
        .filter_map(|line| line.split_whitespace().last()?.parse().ok())
        .collect();
    if processes.is_empty() {
        return Err(format!(
            "{program} status names no region server; is TALLROW_REAL_PORT set as for its `up`?"
        ));
    }
    let address = address(quorum.to_owned());
    Ok(Server { name: name.to_owned(), address, processes, _started: None })
}

/// Starts a program whose ready line has its address in the field `field`.
fn started(
    name: &str,
    command: &mut Command,
    field: &str,
    address: impl FnOnce(String) -> Address,
) -> Result<Server, String> {
    let program = Program::start(command, field)?;
    let address = address(program.address().to_owned());
    let processes = vec![program.id()];
    Ok(Server { name: name.to_owned(), address, processes, _started: Some(program) })
}

/// Runs a script, and returns what it prints.
pub(crate) fn script(program: &str, command: &str) -> Result<String, String> {
    let output = Command::new(program).arg(command).output();
    let output =
        output.map_err(|e| format!("{program} {command}: {e}; run this in the top folder"))?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{program} {command}: {}: {why}", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
