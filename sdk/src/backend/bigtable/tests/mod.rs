//! The backend on the mock, over pipes and in paused time; `mock-server/tests/bigtable` has
//! sockets.

mod administration;
mod aggregates;
mod answers;
mod asked_for;
mod backups;
mod bad_input;
mod batches;
mod bundles;
mod changes;
mod connections;
mod deadlines;
mod faults;
mod queries;
mod rows;
mod scans;
mod scripted;
mod views;

use std::future::ready;
use std::time::Duration;

use tallrow_mock::{MockCluster, MockClusterBuilder};

use super::Endpoint;
use crate::backend::Backend;
use crate::{
    Client, Config, Connector, FamilyDescriptor, RawTable, Result, TableDescriptor, TableName,
};

/// A cluster with table `t`, made through HBase, and the table through Bigtable.
struct Fixture {
    cluster: MockCluster,
    table: RawTable,
}

fn endpoint(at: &str) -> Endpoint {
    Endpoint {
        project: "p".into(),
        instance: "i".into(),
        app_profile: String::new(),
        data: at.into(),
        admin: at.into(),
        plaintext: true,
        exclude_garbage: false,
        tokens: None,
    }
}

/// A configuration whose retries come soon.
fn quick() -> Config {
    Config::new().pause(Duration::from_millis(2)).operation_timeout(Duration::from_secs(20))
}

async fn connect(at: &str, config: Config) -> Result<Backend> {
    Backend::bigtable("bigtable://p/i", endpoint(at), config).await
}

/// The configuration with pipes to this cluster.
fn piped(cluster: &MockCluster, config: Config) -> Config {
    let cluster = cluster.clone();
    config.connector(Connector::new(move |host, port| ready(cluster.dial(&host, port))))
}

/// The Bigtable of a cluster.
async fn connect_to(cluster: &MockCluster, config: Config) -> Result<Backend> {
    let at = cluster.bigtable_address().unwrap().to_string();
    connect(&at, piped(cluster, config)).await
}

/// Whether all cases are tried.
pub(crate) fn thorough() -> bool {
    std::env::var_os("TALLROW_THOROUGH").is_some()
}

fn name(text: &str) -> TableName {
    TableName::parse(text).unwrap()
}

impl Fixture {
    async fn start() -> Self {
        Self::of(MockCluster::builder(), quick(), &[]).await
    }

    async fn of(builder: MockClusterBuilder, config: Config, splits: &[&str]) -> Self {
        let cluster = builder.in_memory().servers(1).bigtable_port(0).start().await.unwrap();
        let config_of_hbase = piped(&cluster, Config::new());
        let hbase = Client::connect_with(&cluster.url(), config_of_hbase).await.unwrap();
        let table = TableDescriptor::new("t").unwrap().splits(splits);
        let table = table.family(FamilyDescriptor::new("f").versions(5));
        let table = table.family(FamilyDescriptor::new("g"));
        hbase.admin().create_table(&table).await.unwrap();
        let table = RawTable::new(connect_to(&cluster, config).await.unwrap(), name("t"));
        Self { cluster, table }
    }
}
