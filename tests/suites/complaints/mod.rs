//! What users of other clients have complained about, and that it does not happen here: a test for each complaint, with its
//! number. On `mock:`, in paused time wherever nothing has to be real.
//!
//! Not here, for these reasons:
//!
//! | complaints | reason |
//! |---|---|
//! | 11, 43 | about the chunks and channels of Bigtable, which there is no backend for yet |
//! | 41 | a comparison of speed: `bench/` |
//! | 54, 56 | about Kerberos and its tickets, which the client does not have yet |
//! | 61, 62 | rules for the tests themselves: `tests/suites/client` runs on the mock and on HBase, `tests/suites/faults` has each retry |

mod correctness;
mod ergonomics;
mod memory;
mod observing;
mod security;
mod speed;
mod waiting;

use std::time::Duration;

use tallrow::{Client, Config, FamilyDescriptor, Put, RawTable, Scan, TableDescriptor};
use tallrow_mock::{Fault, MockCluster};

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
