//! The client on a faulty cluster: each test states the rule, the call, the outcome, and the number of calls that a
//! server got.
//!
//! Nearly all tests run on `mock:` in paused time: pauses and timeouts cost nothing, and what ends at a deadline ends
//! exactly then, however busy the machine is.

mod addresses;
mod bytes;
mod calls;
mod delivery;
mod ids;
mod index;
mod lists;
mod lookup;
mod masters;
mod reads;
mod rekey;
mod scans;
mod series;
mod servers;
mod writes;

use std::time::Duration;

use tallrow::{Client, Config, FamilyDescriptor, RawTable, TableDescriptor};
use tallrow_mock::MockCluster;
use tallrow_tests::in_memory;

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
    /// Another client of the same cluster.
    async fn connect(&self, config: Config) -> Client {
        let config = config.connector(in_memory(&self.mock));
        Client::connect_with(&self.mock.url(), config).await.unwrap()
    }
}

async fn site() -> Site {
    site_with(config(), &[]).await
}

async fn site_with(config: Config, splits: &[&str]) -> Site {
    let client = Client::connect_with("mock:", config).await.unwrap();
    let mock = client.mock_cluster().unwrap().clone();
    let descriptor = TableDescriptor::new("t").unwrap().family(FamilyDescriptor::new("f"));
    client.admin().create_table_with_splits(&descriptor, splits).await.unwrap();
    client.prefetch_regions("t").await.unwrap();
    let table = client.raw_table("t").unwrap();
    Site { mock, client, table }
}

const PACKAGE: &str = "org.apache.hadoop.hbase.";

fn class(name: &str) -> String {
    format!("{PACKAGE}{name}")
}
