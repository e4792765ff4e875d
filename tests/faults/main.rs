//! What the client makes of a cluster on which things go wrong: each test states the rule, the call, the outcome, and
//! how often a server was asked.

mod addresses;
mod bytes;
mod calls;
mod delivery;
mod masters;
mod reads;
mod scans;
mod servers;
mod writes;

use std::time::Duration;

use tallrow::{Client, Config, FamilyDescriptor, RawTable, TableDescriptor};
use tallrow_mock::MockCluster;

/// A mock cluster, a client of it whose attempts are short, and a table `t` with family `f`.
struct Site {
    mock: MockCluster,
    client: Client,
    table: RawTable,
}

fn config() -> Config {
    Config {
        attempt_timeout: Duration::from_millis(300),
        operation_timeout: Duration::from_secs(20),
        page_timeout: Duration::from_secs(5),
        pause: Duration::from_millis(2),
        ..Config::default()
    }
}

async fn site() -> Site {
    site_with(config(), &[]).await
}

async fn site_with(config: Config, splits: &[&str]) -> Site {
    let mock = MockCluster::start().await.unwrap();
    let client = Client::connect_with(&mock.url(), config).await.unwrap();
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
