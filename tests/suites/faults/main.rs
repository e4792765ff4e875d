//! The client on a faulty cluster: each test states the rule, the call, the outcome, and the number
//! of calls that a server got.
//!
//! Nearly all tests run on `mock:` in paused time: pauses and timeouts cost nothing, and what ends
//! at a deadline ends exactly then, however busy the machine is.

mod addresses;
mod asked_for;
mod batches;
mod bytes;
mod calls;
mod delivery;
mod dials;
mod explained;
mod ids;
mod index;
mod lists;
mod lookup;
mod masters;
mod meta_replicas;
mod mutate_rows;
mod options;
mod reads;
mod region_changes;
mod rekey;
mod replicas;
mod scans;
mod seeds;
mod series;
mod servers;
mod typed_batches;
mod window;
mod writer;
mod writes;
mod zookeeper;

use std::time::Duration;

use tallrow::{Client, Config, FamilyDescriptor, RawTable, TableDescriptor};
use tallrow_mock::{CallFaultBuilder, Fault, MockCluster};
use tallrow_tests::in_memory;
use tokio::task::JoinHandle;

/// A mock cluster, a client of it whose attempts are short, and a table `t` with family `f`.
struct Site {
    mock: MockCluster,
    client: Client,
    table: RawTable,
}

const ATTEMPT_TIMEOUT: Duration = Duration::from_millis(300);

fn config() -> Config {
    Config::new()
        .attempt_timeout(ATTEMPT_TIMEOUT)
        .operation_timeout(Duration::from_secs(20))
        .page_timeout(Duration::from_secs(5))
        .pause(Duration::from_millis(2))
}

/// For tests in real time: nothing times out, however busy the machine is.
fn patient() -> Config {
    let minute = Duration::from_secs(60);
    config().attempt_timeout(minute).operation_timeout(minute).page_timeout(minute)
}

impl Site {
    /// With a new table `t`, split at these keys.
    async fn new(mock: MockCluster, client: Client, splits: &[&str]) -> Self {
        let descriptor = TableDescriptor::new("t").unwrap().family(FamilyDescriptor::new("f"));
        client.admin().create_table_with_splits(&descriptor, splits).await.unwrap();
        client.prefetch_regions("t").await.unwrap();
        let table = client.raw_table("t").unwrap();
        Self { mock, client, table }
    }

    /// Another client of the same cluster.
    async fn connect(&self, config: Config) -> Client {
        let config = config.connector(in_memory(&self.mock));
        Client::connect_with(&self.mock.url(), config).await.unwrap()
    }
}

async fn site() -> Site {
    site_with(config(), &[]).await
}

/// The clients of a thread draw their pauses, and the order of replicas, from one generator. With
/// its seed a test on one thread and in paused time has one history.
async fn seed() {
    Client::connect("mock:?seed=1").await.unwrap();
}

async fn site_with(config: Config, splits: &[&str]) -> Site {
    seed().await;
    let client = Client::connect_with("mock:", config).await.unwrap();
    let mock = client.mock_cluster().unwrap().clone();
    Site::new(mock, client, splits).await
}

const PACKAGE: &str = "org.apache.hadoop.hbase.";

fn class(name: &str) -> String {
    format!("{PACKAGE}{name}")
}

type Effect = fn(CallFaultBuilder) -> Fault;

/// What loses the reply of a call that is applied, or of one that is not; with and without a sign
/// of it.
const LOST: [Effect; 4] = [
    CallFaultBuilder::drop_reply,
    CallFaultBuilder::close_after,
    CallFaultBuilder::drop_request,
    CallFaultBuilder::close_before,
];
/// Those without a sign: the caller waits until its timeout.
const SILENT: [Effect; 2] = [CallFaultBuilder::drop_reply, CallFaultBuilder::drop_request];

/// How often `Get`, `Mutate`, `Multi` and `Scan` have been called.
type Calls = [u64; 4];

fn calls(mock: &MockCluster) -> Calls {
    ["Get", "Mutate", "Multi", "Scan"].map(|method| mock.call_count(method))
}

/// The calls after these.
fn since(mock: &MockCluster, before: Calls) -> Calls {
    let now = calls(mock);
    std::array::from_fn(|method| now[method] - before[method])
}

fn total_since(mock: &MockCluster, before: Calls) -> u64 {
    since(mock, before).iter().sum()
}

/// Waits until a method has been called this many times.
async fn called(mock: &MockCluster, method: &str, times: u64) {
    while mock.call_count(method) < times {
        tokio::task::yield_now().await;
    }
}

/// Drops the future of a task, which must not have ended.
async fn cancel<T: std::fmt::Debug>(task: JoinHandle<T>) {
    task.abort();
    assert!(task.await.unwrap_err().is_cancelled());
}
