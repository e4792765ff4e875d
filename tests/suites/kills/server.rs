//! The mock in a process of its own, which keeps its data, and its addresses for clients, when it
//! is started again.
//!
//! It is on an address of this process alone: on 127.0.0.1, another mock could take the port of a
//! region server while this one is dead, and its `hbase:meta` would lead clients that ask there to
//! the tables with the same names. No client of HBase notices that, since servers have no call that
//! says to which cluster a client wants to talk.

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
    process: Option<Process>,
    dropped: u64,
}

impl Server {
    /// Starts it at this address, which no other server has, with the data of a directory.
    pub(super) fn start(ip: Ipv4Addr, folder: PathBuf) -> Self {
        let ports = free_ports(ip);
        let task = format!("{ip} {} {} {}", ports[0], ports[1], folder.display());
        let mut server = Self { task, ip, ports, process: None, dropped: 0 };
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

    /// Kills it.
    pub(super) fn kill(&mut self) {
        if let Some(process) = self.process.take() {
            process.kill();
        }
    }

    /// Starts it, and kills it after some time, in which it has read its data or not.
    pub(super) async fn start_and_kill(&mut self, after: Duration) {
        let process = Process::start(TEST, &self.task);
        sleep(after).await;
        process.kill();
    }

    /// Starts it, and waits until it is there.
    pub(super) fn start_again(&mut self) {
        let mut process = Process::start(TEST, &self.task);
        let told = process.told().expect("the mock starts; its standard error says why it did not");
        self.dropped += u64::from(told == "ready, dropped a record");
        self.process = Some(process);
    }

    /// How many starts have found a record that was not written to its end.
    pub(super) fn dropped(&self) -> u64 {
        self.dropped
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
