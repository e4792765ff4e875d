//! The mock in a process of its own, which keeps its data, and its addresses for clients, when it
//! is started again.
//!
//! It is on an address of this process alone: on 127.0.0.1, another mock could take the port of a
//! region server while this one is dead, and its `hbase:meta` would lead clients that ask there to
//! the tables with the same names. No client of HBase notices that, since servers have no call that
//! says to which cluster a client wants to talk.

use std::fs::File;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::time::Duration;

use tallrow_mock::MockCluster;
use tallrow_tests::{Process, Store, free_ports, patience, task, tell};
use tokio::time::{sleep, timeout};

/// The test that is the process.
const TEST: &str = "kills::server::the_mock_in_a_process_of_its_own";

/// The process.
pub(super) struct Server {
    task: String,
    ip: Ipv4Addr,
    ports: [u16; 2],
    /// Where the standard error of processes goes.
    folder: PathBuf,
    life: Option<Life>,
    starts: u64,
    dropped: u64,
}

impl Server {
    /// Starts it at this address, which no other server has, with its data in a directory below
    /// this one.
    pub(super) fn start(ip: Ipv4Addr, folder: PathBuf) -> Self {
        let ports = free_ports(ip);
        let data = folder.join("data");
        let task = format!("{ip} {} {} {}", ports[0], ports[1], data.display());
        let mut server = Self { task, ip, ports, folder, life: None, starts: 0, dropped: 0 };
        server.start_again();
        server
    }

    /// Its address for clients of a store.
    pub(super) fn url(&self, store: Store) -> String {
        let (ip, [hbase, bigtable]) = (self.ip, self.ports);
        match store {
            Store::HBase => format!("hbase+rpc://{ip}:{hbase}"),
            Store::Bigtable => format!("bigtable://p/i?endpoint={ip}:{bigtable}"),
        }
    }

    fn begin(&mut self) -> Life {
        self.starts += 1;
        Life::begin(&self.task, self.folder.join(format!("errors-{}", self.starts)))
    }

    /// Kills it.
    ///
    /// # Panics
    /// If it has panicked before.
    pub(super) fn kill(&mut self) {
        if let Some(life) = self.life.take() {
            life.end();
        }
    }

    /// Starts it, and kills it after some time, in which it has read its data or not.
    ///
    /// # Panics
    /// If it has panicked before.
    pub(super) async fn start_and_kill(&mut self, after: Duration) {
        let life = self.begin();
        sleep(after).await;
        life.end();
    }

    /// Starts it, and waits until it is there.
    pub(super) fn start_again(&mut self) {
        let mut life = self.begin();
        let Some(told) = life.process.as_mut().unwrap().told() else {
            life.end();
            panic!("the mock has ended without a word");
        };
        self.dropped += u64::from(told == "ready, dropped a record");
        self.life = Some(life);
    }

    /// How many starts have found a record that was not written to its end.
    pub(super) fn dropped(&self) -> u64 {
        self.dropped
    }
}

/// A process from its start until it is killed.
struct Life {
    /// None when it was killed.
    process: Option<Process>,
    /// The file of its standard error.
    errors: PathBuf,
}

impl Life {
    fn begin(task: &str, errors: PathBuf) -> Self {
        let file = File::create(&errors).unwrap();
        let process = Process::start_by(TEST, task, |command| command.stderr(file));
        Self { process: Some(process), errors }
    }

    /// Kills the process, which has written nothing to its standard error: a call that panics is
    /// answered by an exception, which a client may well repeat, and a task that panics is gone
    /// without a word.
    fn end(mut self) {
        drop(self.process.take());
        let text = self.text();
        assert!(text.is_empty(), "the mock has written to its standard error:\n{text}");
        std::fs::remove_file(&self.errors).unwrap();
    }

    /// What the process has written to its standard error.
    fn text(&self) -> String {
        let bytes = std::fs::read(&self.errors).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

impl Drop for Life {
    fn drop(&mut self) {
        // What the mock says is why the test fails, if it says anything.
        let is_failing = self.process.take().is_some() && std::thread::panicking();
        if is_failing && !self.text().is_empty() {
            eprintln!("the mock has written to its standard error:\n{}", self.text());
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_mock_in_a_process_of_its_own() {
    let Some(task) = task() else { return };
    let parts: Vec<&str> = task.splitn(4, ' ').collect();
    let ip: IpAddr = parts[0].parse().unwrap();
    let [hbase, bigtable] = [parts[1], parts[2]].map(|port| port.parse().unwrap());
    let builder = MockCluster::builder().listen(ip).rpc_port(hbase).bigtable_port(bigtable);
    let started = timeout(patience(), builder.data(parts[3]).start()).await;
    let cluster = started.expect("it starts in time").unwrap();
    assert_eq!(cluster.changed_ports(), [], "nobody else has ports of this address");
    tell(if cluster.dropped_data().is_some() { "ready, dropped a record" } else { "ready" });
    // Until it is killed.
    let failure = cluster.wait_for_data_failure().await;
    panic!("{failure}");
}
