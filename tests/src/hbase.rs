//! A real HBase cluster that one test controls: it can kill, freeze and start region servers.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::patience;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/servers/hbase/cluster");

/// A real cluster for one test. Dropping it stops its processes and deletes its tables.
pub struct Hbase {
    port: u16,
    dir: PathBuf,
    /// Its URL with ZooKeeper.
    pub zookeeper: String,
    /// Its URL with its servers.
    pub servers: String,
}

impl Hbase {
    /// Starts a cluster with this many region servers on loopback. `name` is part of its folder's
    /// name, with the id of this process. Its ports are free ones, unless the environment variable
    /// `TALLROW_<NAME>_PORT` has the first one.
    ///
    /// A server is dead for the others after a minute without a sign of life.
    ///
    /// # Panics
    /// If it does not start.
    pub fn up(name: &str, region_servers: u16) -> Self {
        Self::up_for(name, region_servers, Duration::from_secs(60))
    }

    /// The same with another time after which a server is dead.
    ///
    /// # Panics
    /// If it does not start.
    pub fn up_for(name: &str, region_servers: u16, session: Duration) -> Self {
        wipe_what_others_left(name);
        let variable = format!("TALLROW_{}_PORT", name.to_uppercase());
        let port = std::env::var(variable).unwrap_or("free".into());
        let dir = std::env::temp_dir().join(format!("tallrow-{name}-{}", std::process::id()));
        let mut up = script(&dir, &["up", &region_servers.to_string()]);
        up.env("TALLROW_REAL_PORT", port);
        up.env("TALLROW_REAL_SESSION", session.as_secs().to_string());
        let exports = output(up);
        let value = |name: &str| {
            let line = exports.lines().find_map(|line| line.split_once(&format!("{name}=")));
            line.unwrap_or_else(|| panic!("no {name} in {exports:?}")).1.to_owned()
        };
        patience::seen_to_take(value("TALLROW_REAL_PATIENCE").parse().unwrap());
        let zookeeper = value("TALLROW_REAL_ZK");
        let port = zookeeper.split([':', '/']).find_map(|part| part.parse().ok());
        let port = port.unwrap_or_else(|| panic!("no port in {zookeeper}"));
        Self { port, dir, zookeeper, servers: value("TALLROW_REAL_RPC") }
    }

    /// The folder of its tables and logs, which commands of the script need.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Kills the region server of this name.
    ///
    /// # Panics
    /// If it does not end.
    pub fn kill(&self, server_name: &str) {
        self.run(&["kill", &self.process(server_name)]);
    }

    /// Stops the region server of this name without ending it: it keeps its connections, and
    /// answers nothing.
    ///
    /// # Panics
    /// If it does not run.
    pub fn freeze(&self, server_name: &str) {
        self.run(&["freeze", &self.process(server_name)]);
    }

    /// Lets a region server go on that was [frozen](Self::freeze).
    ///
    /// # Panics
    /// If it does not run.
    pub fn thaw(&self, server_name: &str) {
        self.run(&["thaw", &self.process(server_name)]);
    }

    /// Starts a region server again on its port, and waits until it serves.
    ///
    /// # Panics
    /// If it does not start.
    pub fn start(&self, server_name: &str) {
        self.run(&["start", &self.process(server_name)]);
    }

    /// The name in the script of the region server `host,port,start code`.
    fn process(&self, server_name: &str) -> String {
        let port: u16 = server_name.split(',').nth(1).and_then(|port| port.parse().ok()).unwrap();
        format!("rs{}", port - self.port - 1)
    }

    fn run(&self, arguments: &[&str]) -> String {
        output(script(&self.dir, arguments))
    }
}

/// A command of the script for the cluster in this folder.
fn script(dir: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(SCRIPT);
    command.args(arguments).stderr(Stdio::inherit());
    command.env("TALLROW_REAL_DIR", dir).env_remove("TALLROW_REAL_PORT");
    if std::env::var_os("TALLROW_REAL_HEAP").is_none() {
        command.env("TALLROW_REAL_HEAP", "512m");
    }
    command
}

fn output(mut command: Command) -> String {
    let out = command.output().unwrap();
    assert!(out.status.success(), "{command:?}: {}", out.status);
    String::from_utf8(out.stdout).unwrap()
}

/// A process that was interrupted may have left a cluster of this name.
fn wipe_what_others_left(name: &str) {
    let prefix = format!("tallrow-{name}-");
    for entry in std::fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten() {
        let found = entry.file_name();
        let id = found.to_str().and_then(|found| found.strip_prefix(&prefix));
        let Some(id) = id.filter(|id| id.parse::<u32>().is_ok()) else { continue };
        let alive = Command::new("ps").args(["-p", id]).stdout(Stdio::null()).status();
        if entry.path().is_dir() && !alive.is_ok_and(|ps| ps.success()) {
            output(script(&entry.path(), &["wipe"]));
        }
    }
}

impl Drop for Hbase {
    fn drop(&mut self) {
        // After a failure the logs are kept.
        let last = if std::thread::panicking() { "down" } else { "wipe" };
        let ended = script(&self.dir, &[last]).status();
        if std::thread::panicking() {
            eprintln!("the cluster's logs are in {}/log ({ended:?})", self.dir.display());
        }
    }
}
