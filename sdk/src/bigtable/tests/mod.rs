//! The backend on the mock, over real sockets.

mod administration;
mod answers;
mod bad_input;
mod batches;
mod faults;
mod rows;
mod scans;
mod scripted;

use std::time::Duration;

use tallrow_mock::{MockCluster, MockClusterBuilder};

use super::Endpoint;
use crate::backend::Backend;
use crate::{Client, Config, FamilyDescriptor, RawTable, Result, TableDescriptor, TableName};

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

fn name(text: &str) -> TableName {
    TableName::parse(text).unwrap()
}

impl Fixture {
    async fn start() -> Self {
        Self::of(MockCluster::builder(), quick(), &[]).await
    }

    async fn of(builder: MockClusterBuilder, config: Config, splits: &[&str]) -> Self {
        let cluster = builder.servers(1).bigtable_port(0).start().await.unwrap();
        let hbase = Client::connect(&cluster.url()).await.unwrap();
        let table = TableDescriptor::new("t").unwrap().splits(splits);
        let table = table.family(FamilyDescriptor::new("f").versions(5));
        let table = table.family(FamilyDescriptor::new("g"));
        hbase.admin().create_table(&table).await.unwrap();
        let at = cluster.bigtable_endpoint().unwrap().to_string();
        let table = RawTable::new(connect(&at, config).await.unwrap(), name("t"));
        Self { cluster, table }
    }
}
