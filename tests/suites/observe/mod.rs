//! What a client tells about itself: its metrics and events, exactly as often as the mock cluster
//! was asked.
//!
//! Paused time, on pipes in memory: a pause or a timeout takes exactly as long as it says.

mod errors;
mod events;
mod metrics;
mod opentelemetry;
mod pressure;
mod prometheus;
mod spans;
mod state;
mod traces;

use std::time::Duration;

use tallrow::{Client, Config, FamilyDescriptor, RawTable, TableDescriptor};
use tallrow_mock::MockCluster;
use tallrow_tests::in_memory;

/// A mock cluster, a client of it, and a table `t` with family `f`.
struct Site {
    mock: MockCluster,
    client: Client,
    table: RawTable,
}

fn config() -> Config {
    Config::new().attempt_timeout(Duration::from_millis(300)).pause(Duration::from_millis(2))
}

async fn site() -> Site {
    site_with(config(), &[]).await
}

async fn site_with(config: Config, splits: &[&str]) -> Site {
    let client = Client::connect_with("mock:", config).await.unwrap();
    let mock = client.mock_cluster().unwrap().clone();
    site_of(mock, client, splits).await
}

/// A client of a mock cluster by Bigtable's protocol.
async fn bigtable_site_with(config: Config) -> Site {
    let builder = MockCluster::builder().in_memory().servers(1).bigtable_port(0);
    let mock = builder.start().await.unwrap();
    let config = config.connector(in_memory(&mock));
    let client = Client::connect_with(&mock.bigtable_url().unwrap(), config).await.unwrap();
    site_of(mock, client, &[]).await
}

async fn site_of(mock: MockCluster, client: Client, splits: &[&str]) -> Site {
    let descriptor = TableDescriptor::new("t").unwrap().family(FamilyDescriptor::new("f"));
    client.admin().create_table_with_splits(&descriptor, splits).await.unwrap();
    let table = client.raw_table("t").unwrap();
    Site { mock, client, table }
}

fn class(name: &str) -> String {
    format!("org.apache.hadoop.hbase.{name}")
}
