//! What users of other clients have complained about, and that it does not happen here: a test for
//! each complaint, with its number. On `mock:`, in paused time wherever nothing has to be real.
//!
//! Not here, for these reasons:
//!
//! | complaints | reason |
//! |---|---|
//! | 41 | a comparison of speed: `bench/` |
//! | 54, 56 | about Kerberos and its tickets, which the client does not have yet |
//! | 61, 62 | rules for the tests themselves: `tests/suites/client` runs on the mock and on HBase, `tests/suites/faults` has each retry |

mod bigtable;
mod correctness;
mod ergonomics;
mod keys;
mod memory;
mod observing;
mod scans;
mod security;
mod speed;
mod waiting;
mod writes;

use std::time::Duration;

use tallrow::{Client, Config, FamilyDescriptor, Put, RawTable, Scan, TableDescriptor};
use tallrow_mock::{Fault, MockCluster, MockClusterBuilder};
use tallrow_tests::in_memory;

/// A mock cluster, a client of it, and a table `t` with family `f`.
struct Site {
    mock: MockCluster,
    client: Client,
    table: RawTable,
}

/// Short attempts, and time for many of them.
fn config() -> Config {
    Config::new()
        .attempt_timeout(Duration::from_millis(500))
        .operation_timeout(Duration::from_secs(20))
        .page_timeout(Duration::from_secs(20))
        .pause(Duration::from_millis(5))
}

async fn site() -> Site {
    site_with(config(), &[]).await
}

/// With a table that is split at these keys.
async fn site_with(config: Config, splits: &[&str]) -> Site {
    let client = Client::connect_with("mock:", config).await.unwrap();
    let mock = client.mock_cluster().unwrap().clone();
    let descriptor = TableDescriptor::new("t").unwrap().family(FamilyDescriptor::new("f"));
    client.admin().create_table_with_splits(&descriptor, splits).await.unwrap();
    client.prefetch_regions("t").await.unwrap();
    let table = client.raw_table("t").unwrap();
    Site { mock, client, table }
}

/// The same with Bigtable's protocol; its table keeps five versions.
async fn bigtable(splits: &[&str]) -> Site {
    bigtable_of(MockCluster::builder(), splits).await
}

/// The same of a cluster that is made like this.
async fn bigtable_of(cluster: MockClusterBuilder, splits: &[&str]) -> Site {
    let mock = cluster.in_memory().bigtable_port(0).start().await.unwrap();
    let config = config().connector(in_memory(&mock));
    let client = Client::connect_with(&mock.bigtable_url().unwrap(), config).await.unwrap();
    let family = FamilyDescriptor::new("f").versions(5);
    let descriptor = TableDescriptor::new("t").unwrap().family(family).splits(splits);
    client.admin().create_table(&descriptor).await.unwrap();
    let table = client.raw_table("t").unwrap();
    Site { mock, client, table }
}

/// One of each protocol.
async fn both(splits: &[&str]) -> [Site; 2] {
    [site_with(config(), splits).await, bigtable(splits).await]
}

/// Another table, whose family keeps five versions.
async fn table_of_versions(site: &Site) -> RawTable {
    let family = FamilyDescriptor::new("f").versions(5);
    let table = TableDescriptor::new("versions").unwrap().family(family);
    site.client.admin().create_table(&table).await.unwrap();
    site.client.raw_table("versions").unwrap()
}

impl Site {
    /// Writes rows `r00`, `r01`, and so on.
    async fn fill(&self, rows: usize, bytes: usize) {
        let puts = (0..rows).map(|n| Put::new(format!("r{n:02}")).cell("f", "q", vec![7; bytes]));
        self.table.put_all(puts).await.into_result().unwrap();
    }

    fn inject(&self, fault: Fault) {
        self.mock.inject(fault);
    }

    /// How many calls of tables there were.
    fn calls(&self) -> u64 {
        ["Get", "Mutate", "Multi", "Scan"].iter().map(|method| self.mock.call_count(method)).sum()
    }
}

/// A put of row `r` and column `f:q`.
fn put(value: &str) -> Put {
    Put::new("r").cell("f", "q", value)
}

async fn keys(table: &RawTable, scan: Scan) -> Vec<String> {
    tallrow_tests::Place::keys(table, scan).await
}

fn class(name: &str) -> String {
    format!("org.apache.hadoop.hbase.{name}")
}
