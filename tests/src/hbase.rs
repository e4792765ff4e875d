use std::path::PathBuf;
use std::process::{Command, Stdio};

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
    /// Starts a cluster with this many region servers on loopback; `name` is part of its folder's name. Its first port
    /// is `port`, unless the environment variable `TALLROW_<NAME>_PORT` is set.
    ///
    /// # Panics
    /// If it does not start.
    pub fn up(name: &str, port: u16, region_servers: u16) -> Self {
        let variable = format!("TALLROW_{}_PORT", name.to_uppercase());
        let port = std::env::var(variable).map_or(port, |port| port.parse().unwrap());
        let dir = std::env::temp_dir().join(format!("tallrow-{name}-{port}"));
        let mut hbase = Self { port, dir, zookeeper: String::new(), servers: String::new() };
        // A run that was interrupted may have left a cluster.
        hbase.run(&["wipe"]);
        let exports = hbase.run(&["up", &region_servers.to_string()]);
        let value = |name: &str| {
            let line = exports.lines().find_map(|line| line.split_once(&format!("{name}=")));
            line.unwrap_or_else(|| panic!("no {name} in {exports:?}")).1.to_owned()
        };
        hbase.zookeeper = value("TALLROW_REAL_ZK");
        hbase.servers = value("TALLROW_REAL_RPC");
        hbase
    }

    /// Kills the region server of this name.
    ///
    /// # Panics
    /// If it does not end.
    pub fn kill(&self, server_name: &str) {
        self.run(&["kill", &self.process(server_name)]);
    }

    /// Stops the region server of this name without ending it: it keeps its connections, and answers nothing.
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

impl Drop for Hbase {
    fn drop(&mut self) {
        // After a failure the logs are kept.
        let last = if std::thread::panicking() { "down" } else { "wipe" };
        let mut command = Command::new(SCRIPT);
        command.arg(last).env("TALLROW_REAL_PORT", self.port.to_string());
        let ended = command.env("TALLROW_REAL_DIR", &self.dir).status();
        if std::thread::panicking() {
            eprintln!("the cluster's logs are in {}/log ({ended:?})", self.dir.display());
        }
    }
}
