//! What lookups of regions cost: calls to `hbase:meta`, counted on a mock cluster in paused time.
//!
//! A run without `TALLROW_THOROUGH` takes a fifth of the size, or less.

mod calls;

use tallrow::{Client, Config, FamilyDescriptor, TableDescriptor};
use tallrow_mock::MockCluster;
use tallrow_tests::{in_memory, thorough};

/// The full size, or a fifth of it.
fn size(full: usize) -> usize {
    if thorough() { full } else { full / 5 }
}

/// The row at which region `at` starts.
fn row(at: usize) -> String {
    format!("row{at:07}")
}

/// A cluster with a table `t` of this many regions.
async fn cluster(servers: usize, regions: usize) -> MockCluster {
    // Seeds the pauses of the clients of this thread, so that each run makes the same calls.
    Client::connect("mock:?seed=1").await.unwrap();
    let mock = MockCluster::builder().in_memory().servers(servers).start().await.unwrap();
    let table = TableDescriptor::new("t").unwrap().family(FamilyDescriptor::new("f"));
    let splits: Vec<String> = (1..regions).map(row).collect();
    let admin = client(&mock).await.admin();
    admin.create_table_with_splits(&table, &splits).await.unwrap();
    mock
}

async fn client(mock: &MockCluster) -> Client {
    let config = Config::new().connector(in_memory(mock));
    Client::connect_with(&mock.url(), config).await.unwrap()
}
