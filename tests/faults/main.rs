//! The client on a faulty cluster: each test states the rule, the call, the outcome, and the number of calls that a
//! server got.

mod addresses;
mod bytes;
mod calls;
mod delivery;
mod masters;
mod reads;
mod scans;
mod servers;
mod writes;

use std::future::ready;
use std::time::Duration;

use tallrow::{Client, Config, Connector, FamilyDescriptor, RawTable, TableDescriptor};
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
    site_on(MockCluster::start().await.unwrap(), config, splits).await
}

/// A site without sockets, for tests in paused time.
async fn site_in_memory(config: Config, splits: &[&str]) -> Site {
    let mock = MockCluster::builder().in_memory().start().await.unwrap();
    let servers = mock.clone();
    let connector = Connector::new(move |host, port| ready(servers.dial(&host, port)));
    site_on(mock, Config { connector, ..config }, splits).await
}

async fn site_on(mock: MockCluster, config: Config, splits: &[&str]) -> Site {
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
