//! What only the master does.

mod alter;
mod descriptor;
mod diff;
mod family;
mod key_layout;
mod known;
mod master;
mod options;
mod region;
mod shell;
mod step;
mod storage;

pub use descriptor::TableDescriptor;
pub use diff::SchemaDiff;
pub use family::{Bloom, Compression, DataBlockEncoding, Family, KeepDeletedCells};
pub use key_layout::KeyLayout;
pub use region::Region;
pub use step::{AlterStep, OptionChange};
pub use storage::CompactionState;

use std::fmt;
use std::sync::Arc;

use self::master::Procedure;
use crate::cluster::Cluster;
use crate::region::LocateError;
use crate::wire::meta::RegionRow;
use crate::wire::proto::{self, TableStateKind};
use crate::{Error, ErrorKind, Result, TableName};

/// Creates, describes, enables, disables and deletes tables; moves and splits regions.
///
/// What changes something returns when the master says that it is done
/// ([`admin_timeout`](crate::Config::admin_timeout)).
///
/// ```
/// use tallrow::{Client, Family, TableDescriptor};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = Client::connect("mock:").await?;
/// let admin = client.admin();
/// let books = TableDescriptor::new("books")?.family(Family::new("b").versions(3));
///
/// admin.create_table_with_splits(&books, ["h", "p"]).await?;
/// assert!(admin.table_exists("books").await?);
/// assert_eq!(admin.list_tables().await?, ["books".parse()?]);
/// assert_eq!(admin.describe("books").await?.families()[0].get("VERSIONS"), Some("3"));
/// assert_eq!(admin.regions("books").await?.len(), 3);
///
/// admin.disable_table("books").await?;
/// assert!(!admin.is_enabled("books").await?);
/// admin.enable_table("books").await?;
/// admin.disable_table("books").await?;
/// admin.delete_table("books").await?;
/// assert!(!admin.table_exists("books").await?);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Admin {
    cluster: Arc<Cluster>,
}

impl Admin {
    pub(crate) fn new(cluster: Arc<Cluster>) -> Self {
        Self { cluster }
    }

    /// Creates a table, with regions that meet at its [`split_keys`](TableDescriptor::split_keys).
    ///
    /// See [`Admin`] for an example of this and the other functions on tables.
    ///
    /// # Errors
    /// [`TableState`](ErrorKind::TableState) if it exists; [`DoNotRetry`](ErrorKind::DoNotRetry) if the master does not
    /// like the description; [`InvalidArgument`](ErrorKind::InvalidArgument) for no family, a family whose name is not
    /// one, and a family or split key that is given twice; no master, or no end of it, until the deadline.
    pub async fn create_table(&self, table: &TableDescriptor) -> Result<()> {
        const NAME: &str = "create table";
        let name = table.name();
        let invalid = |why: String| Error::invalid(why).during(NAME).on_table(name);
        let mut splits = table.split_keys().to_vec();
        splits.sort();
        if splits.first().is_some_and(bytes::Bytes::is_empty) {
            return Err(invalid("a split key must not be empty".into()));
        }
        if let Some(pair) = splits.windows(2).find(|pair| matches!(pair, [a, b] if a == b)) {
            let key = pair.first().map(|k| &k[..]).unwrap_or_default();
            return Err(invalid(format!("split key {} is given twice", crate::show::row_key(key))));
        }
        if table.families().is_empty() {
            return Err(invalid("a table needs at least one family".into()));
        }
        if let Some(problem) = table.problem() {
            return Err(invalid(problem));
        }
        let request = proto::CreateTableRequest {
            table_schema: table.to_proto(),
            split_keys: splits,
            nonce_group: Some(self.cluster.nonce_group),
            nonce: Some(self.cluster.random.nonce()),
        };
        self.cluster.locator.cache().evict_table(name);
        let procedure = Procedure::new(NAME, "CreateTable", Some(name));
        procedure.run(&self.cluster, &request, |r: &proto::CreateTableResponse| r.proc_id).await
    }

    /// Creates a table whose regions meet at these row keys, in place of its own.
    ///
    /// # Errors
    /// As [`create_table`](Admin::create_table).
    pub async fn create_table_with_splits<K: AsRef<[u8]>>(
        &self,
        table: &TableDescriptor,
        splits: impl IntoIterator<Item = K>,
    ) -> Result<()> {
        self.create_table(&table.clone().splits(splits)).await
    }

    /// The names of all tables, system tables left out.
    ///
    /// # Errors
    /// No master that answers until the deadline.
    pub async fn list_tables(&self) -> Result<Vec<TableName>> {
        let request = proto::GetTableNamesRequest::default();
        let procedure = Procedure::new("list tables", "GetTableNames", None);
        let response: proto::GetTableNamesResponse = procedure.ask(&self.cluster, &request).await?;
        response.table_names.iter().map(TableName::from_proto).collect()
    }

    /// Whether there is such a table, enabled or not.
    ///
    /// # Errors
    /// No answer until the deadline.
    pub async fn table_exists(&self, table: &str) -> Result<bool> {
        Ok(self.table_state("table exists", &table.parse()?).await?.is_some())
    }

    /// Whether the table is enabled.
    ///
    /// # Errors
    /// [`TableNotFound`](ErrorKind::TableNotFound), or no answer until the deadline.
    pub async fn is_enabled(&self, table: &str) -> Result<bool> {
        const NAME: &str = "table state";
        let table = table.parse()?;
        match self.table_state(NAME, &table).await? {
            Some(state) => Ok(state == TableStateKind::Enabled),
            None => Err(no_such_table().during(NAME).on_table(&table)),
        }
    }

    /// A table's families and their options, as the master has them.
    ///
    /// # Errors
    /// [`TableNotFound`](ErrorKind::TableNotFound), or no master that answers until the deadline.
    pub async fn describe(&self, table: &str) -> Result<TableDescriptor> {
        let schema = self.schema("describe", &table.parse()?).await?;
        TableDescriptor::from_proto(&schema)
    }

    /// The descriptor of a table as the master has it.
    async fn schema(
        &self,
        operation: &'static str,
        table: &TableName,
    ) -> Result<proto::TableSchema> {
        let request = proto::GetTableDescriptorsRequest {
            table_names: vec![table.to_proto()],
            include_sys_tables: Some(table.is_system()),
            ..Default::default()
        };
        let procedure = Procedure::new(operation, "GetTableDescriptors", Some(table));
        let response: proto::GetTableDescriptorsResponse =
            procedure.ask(&self.cluster, &request).await?;
        let found = response.table_schema.into_iter().next();
        found.ok_or_else(|| no_such_table().during(operation).on_table(table))
    }

    /// Takes a table out of service; it keeps its rows.
    ///
    /// # Errors
    /// [`TableNotFound`](ErrorKind::TableNotFound); [`TableState`](ErrorKind::TableState) if it is disabled already.
    pub async fn disable_table(&self, table: &str) -> Result<()> {
        let table: TableName = table.parse()?;
        let request = proto::DisableTableRequest {
            table_name: table.to_proto(),
            nonce_group: Some(self.cluster.nonce_group),
            nonce: Some(self.cluster.random.nonce()),
        };
        let procedure = Procedure::new("disable table", "DisableTable", Some(&table));
        procedure.run(&self.cluster, &request, |r: &proto::DisableTableResponse| r.proc_id).await?;
        self.cluster.locator.cache().evict_table(&table);
        Ok(())
    }

    /// Takes a disabled table back into service.
    ///
    /// # Errors
    /// [`TableNotFound`](ErrorKind::TableNotFound); [`TableState`](ErrorKind::TableState) if it is enabled already.
    pub async fn enable_table(&self, table: &str) -> Result<()> {
        let table: TableName = table.parse()?;
        let request = proto::EnableTableRequest {
            table_name: table.to_proto(),
            nonce_group: Some(self.cluster.nonce_group),
            nonce: Some(self.cluster.random.nonce()),
        };
        let procedure = Procedure::new("enable table", "EnableTable", Some(&table));
        procedure.run(&self.cluster, &request, |r: &proto::EnableTableResponse| r.proc_id).await
    }

    /// Deletes a disabled table, and all its rows.
    ///
    /// # Errors
    /// [`TableNotFound`](ErrorKind::TableNotFound); [`TableState`](ErrorKind::TableState) if it is enabled.
    pub async fn delete_table(&self, table: &str) -> Result<()> {
        let table: TableName = table.parse()?;
        let request = proto::DeleteTableRequest {
            table_name: table.to_proto(),
            nonce_group: Some(self.cluster.nonce_group),
            nonce: Some(self.cluster.random.nonce()),
        };
        let procedure = Procedure::new("delete table", "DeleteTable", Some(&table));
        procedure.run(&self.cluster, &request, |r: &proto::DeleteTableResponse| r.proc_id).await?;
        self.cluster.locator.cache().evict_table(&table);
        Ok(())
    }

    /// The regions of a table in the order of their keys, and the server of each.
    ///
    /// # Errors
    /// [`TableNotFound`](ErrorKind::TableNotFound), or no answer until the deadline.
    pub async fn regions(&self, table: &str) -> Result<Vec<Region>> {
        let rows = self.region_rows("regions", &table.parse()?).await?;
        Ok(rows.into_iter().map(Region::new).collect())
    }

    /// The live region servers, as `host,port,start code`.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// let client = tallrow::Client::connect("mock:").await?;
    /// assert_eq!(client.admin().region_servers().await?.len(), 2);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// No master that answers until the deadline.
    pub async fn region_servers(&self) -> Result<Vec<String>> {
        let options = vec![proto::ClusterOption::ServersName as i32];
        let request = proto::GetClusterStatusRequest { options };
        let procedure = Procedure::new("region servers", "GetClusterStatus", None);
        let response: proto::GetClusterStatusResponse =
            procedure.ask(&self.cluster, &request).await?;
        Ok(response.cluster_status.servers_name.iter().map(region::server_name).collect())
    }

    /// Asks the master to move a region to a region server, as [`region_servers`](Admin::region_servers) names it.
    ///
    /// ```
    /// # use tallrow::{Client, Family, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # let admin = client.admin();
    /// # admin.create_table(&TableDescriptor::new("t")?.family(Family::new("d"))).await?;
    /// let region = admin.regions("t").await?.remove(0);
    /// let servers = admin.region_servers().await?;
    /// let other = servers.iter().find(|s| Some(s.as_str()) != region.server()).unwrap();
    /// admin.move_region(&region, other).await?;
    /// assert_eq!(admin.regions("t").await?[0].server(), Some(other.as_str()));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// A server name that does not parse; [`DoNotRetry`](ErrorKind::DoNotRetry) if the master does not know the region.
    pub async fn move_region(&self, region: &Region, to: &str) -> Result<()> {
        const NAME: &str = "move region";
        let server = region::parse_server_name(to).ok_or_else(|| {
            let text = format!("{to:?} is not a server name; write \"host,port,start code\"");
            Error::invalid(text).during(NAME)
        })?;
        let request = proto::MoveRegionRequest {
            region: region.encoded_specifier(),
            dest_server_name: Some(server),
        };
        let procedure = Procedure::new(NAME, "MoveRegion", None);
        procedure.request::<_, proto::MoveRegionResponse>(&self.cluster, &request).await.map(drop)
    }

    /// Splits a region in two at this row key.
    ///
    /// ```
    /// # use tallrow::{Client, Family, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # let admin = client.admin();
    /// # admin.create_table(&TableDescriptor::new("t")?.family(Family::new("d"))).await?;
    /// let region = admin.regions("t").await?.remove(0);
    /// admin.split_region(&region, "m").await?;
    /// assert_eq!(admin.regions("t").await?[1].start_key(), b"m");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`DoNotRetry`](ErrorKind::DoNotRetry) if the key is not inside the region, or the master does not know the region.
    pub async fn split_region(&self, region: &Region, at: impl AsRef<[u8]>) -> Result<()> {
        let request = proto::SplitTableRegionRequest {
            region_info: region.info().clone(),
            split_row: Some(at.as_ref().to_vec().into()),
            nonce_group: Some(self.cluster.nonce_group),
            nonce: Some(self.cluster.random.nonce()),
        };
        let procedure = Procedure::new("split region", "SplitRegion", None);
        procedure
            .run(&self.cluster, &request, |r: &proto::SplitTableRegionResponse| r.proc_id)
            .await
    }

    pub(crate) async fn region_rows(
        &self,
        operation: &'static str,
        table: &TableName,
    ) -> Result<Vec<RegionRow>> {
        self.ask_meta(operation, table, || self.cluster.locator.regions(table)).await
    }

    async fn table_state(
        &self,
        operation: &'static str,
        table: &TableName,
    ) -> Result<Option<TableStateKind>> {
        self.ask_meta(operation, table, || self.cluster.locator.table_state(table)).await
    }

    /// A question to `hbase:meta`, asked until it is answered or the deadline passes.
    ///
    /// `ask` is no `AsyncFn`: that its future is `Send` could not be said of one, and callers could not be spawned.
    async fn ask_meta<T, F>(
        &self,
        operation: &'static str,
        table: &TableName,
        ask: impl Fn() -> F,
    ) -> Result<T>
    where
        F: Future<Output = Result<T, LocateError>>,
    {
        let mut attempts = self.cluster.attempts(operation, self.cluster.config.operation_timeout);
        loop {
            attempts.begin();
            let asked = tokio::time::timeout_at(attempts.deadline(), ask()).await;
            let again = match asked {
                Ok(Ok(answer)) => return Ok(answer),
                Ok(Err(error)) => crate::cluster::locate_error(error),
                Err(_) => Err(attempts.late(&self.cluster.locator.asked(), "hbase:meta")),
            };
            let failed = match again {
                Ok((error, wait)) => attempts.again(error, wait).await,
                Err(error) => Err(attempts.finish(error)),
            };
            failed.map_err(|e| e.on_table(table))?;
        }
    }
}

fn no_such_table() -> Error {
    Error::new(ErrorKind::TableNotFound, "the table does not exist; create it first")
}

impl fmt::Debug for Admin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Admin").finish_non_exhaustive()
    }
}
