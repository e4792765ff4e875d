//! A client and tables for one test, on a mock, a real HBase or Google's emulator of Bigtable.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::{in_memory, patience, thorough, with_credentials};
use tallrow::{
    Admin, Client, Config, FamilyDescriptor, RawTable, Scan, Table, TableDescriptor, TypedTable,
};
use tallrow_mock::MockCluster;

/// How to give the suites a real cluster.
const REAL: &str = "TALLROW_REAL_ZK";
const HOW: &str = "eval \"$(tests/servers/hbase/cluster up 2)\" starts a real HBase and sets it";
/// How to give the suite Google's emulator of Bigtable.
const EMULATOR: &str = "TALLROW_REAL_BIGTABLE";
const HOW_EMULATOR: &str =
    "`tests/peers/bigtable/run --suite` starts Google's emulator and sets it";
/// Versions beyond those of a family are not read, as in HBase.
const AS_HBASE: &str = "exclude_garbage=true";
/// If this environment variable is set, nothing may be skipped.
pub const MUST: &str = "TALLROW_SKIP_NOTHING";

/// A configuration for a real cluster on a busy machine: its times only end what never would.
pub fn patient() -> Config {
    Config::new()
        .operation_timeout(patience())
        .page_timeout(patience())
        .admin_timeout(patience() * 2)
        .attempt_timeout(patience() / 5)
        .connect_timeout(patience() / 10)
}

/// A client and the tables of one test.
pub struct Place {
    /// The client.
    pub client: Client,
    /// What it is connected to, if that is not the client's.
    _cluster: Option<MockCluster>,
    address: String,
    prefix: String,
    tables: AtomicU32,
}

impl Place {
    /// A new mock cluster.
    pub async fn mock() -> Self {
        Self::new("mock:", "m").await
    }

    /// A cluster by its URL; the names of the tables start with `prefix`.
    pub async fn new(address: &str, prefix: &str) -> Self {
        let config = with_credentials(address, patient());
        let client =
            Client::connect_with(address, config).await.unwrap_or_else(|e| panic!("{e:?}"));
        let address = address.to_owned();
        let (prefix, tables) = (prefix.to_owned(), AtomicU32::new(0));
        Self { client, _cluster: None, address, prefix, tables }
    }

    /// A new mock cluster, by Bigtable's protocol.
    ///
    /// # Panics
    /// If it does not start.
    pub async fn bigtable() -> Self {
        let cluster = MockCluster::builder().bigtable_port(0).start().await.unwrap();
        let url = format!("{}&{AS_HBASE}", cluster.bigtable_url().unwrap());
        Self { _cluster: Some(cluster), ..Self::new(&url, "b").await }
    }

    /// The mock, if the client is one of a mock by Bigtable's protocol.
    pub fn bigtable_mock(&self) -> Option<&MockCluster> {
        self._cluster.as_ref()
    }

    /// The emulator of the environment, if there is one.
    pub async fn emulator(test: &str) -> Option<Self> {
        let url = emulator()?;
        // Names of tables have up to 50 characters.
        let mut hasher = DefaultHasher::new();
        test.hash(&mut hasher);
        Some(Self::new(&url, &format!("t_{:x}", hasher.finish())).await)
    }

    /// Whether a case has its full size: what only takes longer on a mock is smaller there, unless
    /// all is to be tried.
    pub fn is_thorough(&self) -> bool {
        thorough() || (self.client.mock_cluster().is_none() && self._cluster.is_none())
    }

    /// Whether tables keep the split keys that they are created with; Google's emulator forgets
    /// them.
    pub fn keeps_splits(&self) -> bool {
        !self.address.starts_with("bigtable:") || self._cluster.is_some()
    }

    /// Whether deletes leave markers, as HBase's do.
    pub fn has_delete_markers(&self) -> bool {
        !self.address.starts_with("bigtable:")
    }

    /// Another client of the same cluster, whose tables are named like this.
    pub async fn client_with(&self, namespace: &str, table_prefix: &str) -> Client {
        self.client_of(patient().namespace(namespace).table_prefix(table_prefix)).await
    }

    /// Another client of the same cluster, with this configuration and its connector.
    pub async fn client_by(&self, config: Config) -> Client {
        let client = match self.client.mock_cluster() {
            Some(mock) => Client::connect_with(&mock.url(), config).await,
            None => {
                Client::connect_with(&self.address, with_credentials(&self.address, config)).await
            }
        };
        client.unwrap_or_else(|e| panic!("{e:?}"))
    }

    /// Another client of the same cluster, with this configuration.
    pub async fn client_of(&self, config: Config) -> Client {
        let client = match self.client.mock_cluster() {
            Some(mock) => {
                Client::connect_with(&mock.url(), config.connector(in_memory(mock))).await
            }
            None => {
                Client::connect_with(&self.address, with_credentials(&self.address, config)).await
            }
        };
        client.unwrap_or_else(|e| panic!("{e:?}"))
    }

    /// The name of another table of this test, which does not exist yet.
    pub async fn table_name(&self) -> String {
        let name = format!("{}_{}", self.prefix, self.tables.fetch_add(1, Ordering::Relaxed));
        self.drop_table(&name).await;
        name
    }

    /// A new table with family `f` (5 versions) and family `g` (1 version), split at these keys.
    pub async fn table(&self, splits: &[&str]) -> RawTable {
        let table = TableDescriptor::new(&self.table_name().await).unwrap();
        let table = table.family(FamilyDescriptor::new("f").versions(5));
        self.create(&table.family(FamilyDescriptor::new("g")).splits(splits)).await
    }

    /// A new table for a row type, with a name of this test, as other tests may have tables of the
    /// same type.
    pub async fn typed<T: Table>(&self) -> TypedTable<T> {
        self.typed_by(TableDescriptor::of::<T>().unwrap()).await
    }

    /// The same, split at these keys.
    pub async fn typed_split<T: Table>(&self, splits: &[impl AsRef<[u8]>]) -> TypedTable<T> {
        self.typed_by(TableDescriptor::of::<T>().unwrap().splits(splits)).await
    }

    async fn typed_by<T: Table>(&self, table: TableDescriptor) -> TypedTable<T> {
        let name = self.table_name().await;
        self.create(&table.with_name(&name).unwrap()).await;
        self.client.table_named(&name).unwrap()
    }

    /// The table of another row type, such as a projection, with some of its columns.
    pub fn same<T: Table, U: Table>(&self, table: &TypedTable<U>) -> TypedTable<T> {
        self.client.table_named(table.raw().unwrap().name()).unwrap()
    }

    /// A new table, in place of one that an earlier run left.
    pub async fn create(&self, table: &TableDescriptor) -> RawTable {
        self.drop_table(table.name().as_str()).await;
        self.client.admin().create_table(table).await.unwrap();
        self.client.raw_table(table.name()).unwrap()
    }

    /// Deletes a table if it exists.
    pub async fn drop_table(&self, name: &str) {
        drop_table(&self.client.admin(), name).await;
    }
}

/// Deletes a table if it exists, also one that a stopped run has disabled.
///
/// # Panics
/// If the cluster refuses it.
pub async fn drop_table(admin: &Admin, name: &str) {
    if admin.table_exists(name).await.unwrap() {
        if let Ok(hbase) = admin.hbase()
            && hbase.is_table_enabled(name).await.unwrap()
        {
            hbase.disable_table(name).await.unwrap();
        }
        admin.delete_table(name).await.unwrap();
    }
}

/// Prints what is skipped and how to run it, once per program and not captured by the test harness.
pub fn say_skipped(why: &str) {
    static SAID: Once = Once::new();
    SAID.call_once(|| {
        // If standard error is closed, this cannot be reported.
        let _ = writeln!(std::io::stderr(), "skipped: {why}");
    });
}

/// The URL of the real cluster in this environment variable; none if the run is to be skipped.
///
/// # Panics
/// If the variable is not set and nothing may be skipped.
pub fn real(variable: &str) -> Option<String> {
    named(variable, HOW)
}

/// The URL of Google's emulator of the environment, if there is one.
pub(crate) fn emulator() -> Option<String> {
    let endpoint = named(EMULATOR, HOW_EMULATOR)?;
    Some(format!("bigtable://project/instance?endpoint={endpoint}&{AS_HBASE}"))
}

fn named(variable: &str, how: &str) -> Option<String> {
    match std::env::var(variable) {
        Ok(address) if !address.is_empty() => Some(address),
        _ if std::env::var_os(MUST).is_some() => {
            panic!("{variable} is not set, and {MUST} is; {how}")
        }
        _ => {
            say_skipped(&format!("{variable} is not set; {how}"));
            None
        }
    }
}

impl Place {
    /// The real cluster of the environment, if there is one.
    pub async fn real(test: &str) -> Option<Self> {
        let address = real(REAL)?;
        Some(Self::new(&address, &format!("t_{test}")).await)
    }

    /// The keys of all rows of a scan.
    pub async fn keys(table: &RawTable, scan: Scan) -> Vec<String> {
        let mut rows = table.scan(scan).unwrap();
        let mut keys = Vec::new();
        while let Some(row) = rows.next_row().await.unwrap() {
            keys.push(String::from_utf8_lossy(row.key()).into_owned());
        }
        keys
    }
}
