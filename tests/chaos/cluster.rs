use std::path::PathBuf;
use std::process::{Command, Stdio};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/hbase/cluster");
/// The first of its ports, unless this says otherwise.
const PORT: (&str, u16) = ("TALLROW_CHAOS_PORT", 26181);

/// A real cluster of this test's own; dropped, its processes and tables are gone.
pub(crate) struct Cluster {
    port: u16,
    dir: PathBuf,
    /// Its address by ZooKeeper.
    pub(crate) zookeeper: String,
    /// Its address by its servers.
    pub(crate) servers: String,
}

impl Cluster {
    /// Starts it with so many region servers.
    pub(crate) fn up(region_servers: u16) -> Self {
        let port = std::env::var(PORT.0).map_or(PORT.1, |port| port.parse().unwrap());
        let dir = std::env::temp_dir().join(format!("tallrow-chaos-{port}"));
        let mut cluster = Self { port, dir, zookeeper: String::new(), servers: String::new() };
        // What a run that was cut short left behind.
        cluster.run(&["wipe"]);
        let exports = cluster.run(&["up", &region_servers.to_string()]);
        let value = |name: &str| {
            let line = exports.lines().find_map(|line| line.split_once(&format!("{name}=")));
            line.unwrap_or_else(|| panic!("no {name} in {exports:?}")).1.to_owned()
        };
        cluster.zookeeper = value("TALLROW_REAL_ZK");
        cluster.servers = value("TALLROW_REAL_RPC");
        cluster
    }

    /// Ends the region server of this name at once.
    pub(crate) fn kill(&self, server_name: &str) {
        self.run(&["kill", &self.process(server_name)]);
    }

    /// Starts it again on its port, and waits until it serves.
    pub(crate) fn start(&self, server_name: &str) {
        self.run(&["start", &self.process(server_name)]);
    }

    /// What the script calls the region server `host,port,start code`.
    fn process(&self, server_name: &str) -> String {
        let port: u16 = server_name.split(',').nth(1).and_then(|port| port.parse().ok()).unwrap();
        format!("rs{}", port - self.port - 1)
    }

    fn run(&self, arguments: &[&str]) -> String {
        let mut command = Command::new(SCRIPT);
        command.args(arguments).stderr(Stdio::inherit());
        command.env("TALLROW_REAL_PORT", self.port.to_string()).env("TALLROW_REAL_DIR", &self.dir);
        if std::env::var_os("TALLROW_REAL_HEAP").is_none() {
            command.env("TALLROW_REAL_HEAP", "512m");
        }
        let out = command.output().unwrap();
        assert!(out.status.success(), "{SCRIPT} {}: {}", arguments.join(" "), out.status);
        String::from_utf8(out.stdout).unwrap()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // Its logs are worth more than its memory when the test has failed.
        let last = if std::thread::panicking() { "down" } else { "wipe" };
        let mut command = Command::new(SCRIPT);
        command.arg(last).env("TALLROW_REAL_PORT", self.port.to_string());
        let ended = command.env("TALLROW_REAL_DIR", &self.dir).status();
        if std::thread::panicking() {
            eprintln!("the cluster's logs are in {}/log ({ended:?})", self.dir.display());
        }
    }
}
