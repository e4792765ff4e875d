//! `HBaseAdmin`, the handle of what only HBase has, with its methods for the state of tables, for
//! regions and for servers.

use std::fmt;
use std::sync::Arc;

use super::master::{Procedure, is_unknown_method};
use super::meta::{region_rows, table_state};
use super::progress::OnProgress;
use super::region::{Region, parse_server_name, server_name};
use super::tables::no_such_table;
use crate::backend::hbase::cluster::Cluster;
use crate::backend::hbase::nonce::nonce;
use crate::backend::hbase::table_name::to_message;
use crate::model::naming::Naming;
use crate::wire::proto::{self, TableStateKind};
use crate::{Error, ErrorKind, Result, TableName, TableRef};

/// Operations that only HBase has: namespaces, regions and their servers, tables that are disabled and enabled, flushes
/// and compactions.
///
/// [`Admin::hbase`](crate::Admin::hbase) returns it.
///
/// ```
/// use tallrow::{Client, FamilyDescriptor, TableDescriptor};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = Client::connect("mock:").await?;
/// let admin = client.admin();
/// admin.create_table(&TableDescriptor::new("books")?.family(FamilyDescriptor::new("b")).splits(["h", "p"])).await?;
///
/// let hbase = admin.hbase()?;
/// assert_eq!(hbase.regions("books").await?.len(), 3);
/// hbase.disable_table("books").await?;
/// assert!(!hbase.is_enabled("books").await?);
/// hbase.enable_table("books").await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct HBaseAdmin {
    pub(super) cluster: Arc<Cluster>,
    pub(super) naming: Naming,
    pub(super) progress: Option<OnProgress>,
}

impl HBaseAdmin {
    pub(crate) fn new(cluster: Arc<Cluster>, naming: Naming) -> Self {
        Self { cluster, naming, progress: None }
    }

    /// An operation of the master that reports its progress as this handle wants it.
    pub(super) fn start<'a>(
        &'a self,
        operation: &'static str,
        method: &'static str,
        table: Option<&'a TableName>,
    ) -> Procedure<'a> {
        Procedure::new(operation, method, table).reporting_to(self.progress.as_ref())
    }

    /// The error of a method that masters before this version do not have, with the version of this one.
    pub(super) async fn or_unsupported(&self, error: Error, needed: &str) -> Error {
        if !is_unknown_method(&error) {
            return error;
        }
        let version = self.version().await.ok().flatten();
        let version = version.unwrap_or_else(|| "an unknown version".into());
        let text = format!(
            "the cluster runs HBase {version}, which cannot do this; it needs HBase {needed} or later"
        );
        error.of_kind(ErrorKind::Unsupported, text)
    }

    /// Takes a table out of service; it keeps its rows.
    ///
    /// # Errors
    /// [`TableNotFound`](crate::ErrorKind::TableNotFound); [`TableState`](crate::ErrorKind::TableState) if it is
    /// disabled already.
    pub async fn disable_table(&self, table: impl Into<TableRef<'_>>) -> Result<()> {
        let table = self.naming.resolve(table)?;
        let request = proto::DisableTableRequest {
            table_name: to_message(&table),
            nonce_group: Some(self.cluster.nonce_group),
            nonce: Some(nonce()),
        };
        let procedure = self.start("disable table", "DisableTable", Some(&table));
        procedure.run(&self.cluster, &request, |r: &proto::DisableTableResponse| r.proc_id).await?;
        self.cluster.locator.cache().evict_table(&table);
        Ok(())
    }

    /// Takes a disabled table back into service.
    ///
    /// # Errors
    /// [`TableNotFound`](crate::ErrorKind::TableNotFound); [`TableState`](crate::ErrorKind::TableState) if it is
    /// enabled already.
    pub async fn enable_table(&self, table: impl Into<TableRef<'_>>) -> Result<()> {
        let table = self.naming.resolve(table)?;
        let request = proto::EnableTableRequest {
            table_name: to_message(&table),
            nonce_group: Some(self.cluster.nonce_group),
            nonce: Some(nonce()),
        };
        let procedure = self.start("enable table", "EnableTable", Some(&table));
        procedure.run(&self.cluster, &request, |r: &proto::EnableTableResponse| r.proc_id).await
    }

    /// Whether the table is enabled.
    ///
    /// # Errors
    /// [`TableNotFound`](crate::ErrorKind::TableNotFound), or no answer by the deadline.
    pub async fn is_enabled(&self, table: impl Into<TableRef<'_>>) -> Result<bool> {
        const NAME: &str = "table state";
        let table = self.naming.resolve(table)?;
        match table_state(&self.cluster, NAME, &table).await? {
            Some(state) => Ok(state == TableStateKind::Enabled),
            None => Err(no_such_table().during(NAME).on_table(&table)),
        }
    }

    /// The regions of a table in the order of their keys, and the server of each.
    ///
    /// # Errors
    /// [`TableNotFound`](crate::ErrorKind::TableNotFound), or no answer by the deadline.
    pub async fn regions(&self, table: impl Into<TableRef<'_>>) -> Result<Vec<Region>> {
        let rows = region_rows(&self.cluster, "regions", &self.naming.resolve(table)?).await?;
        Ok(rows.into_iter().map(Region::new).collect())
    }

    /// The live region servers, as `host,port,start code`.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// let client = tallrow::Client::connect("mock:").await?;
    /// assert_eq!(client.admin().hbase()?.region_servers().await?.len(), 2);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// No master that answers by the deadline.
    pub async fn region_servers(&self) -> Result<Vec<String>> {
        let status = self.status("region servers", proto::ClusterOption::ServersName).await?;
        Ok(status.servers_name.iter().map(server_name).collect())
    }

    /// The version of HBase that the master runs; `None` if it does not say.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// let client = tallrow::Client::connect("mock:").await?;
    /// assert!(client.admin().hbase()?.version().await?.unwrap().starts_with("2."));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// No master that answers by the deadline.
    pub async fn version(&self) -> Result<Option<String>> {
        let status = self.status("version", proto::ClusterOption::HbaseVersion).await?;
        Ok(status.hbase_version.map(|content| content.version))
    }

    async fn status(
        &self,
        called: &'static str,
        option: proto::ClusterOption,
    ) -> Result<proto::ClusterStatus> {
        let request = proto::GetClusterStatusRequest { options: vec![option as i32] };
        let procedure = self.start(called, "GetClusterStatus", None);
        let response: proto::GetClusterStatusResponse =
            procedure.ask(&self.cluster, &request).await?;
        Ok(response.cluster_status)
    }

    /// Asks the master to move a region to a region server, as [`region_servers`](HBaseAdmin::region_servers) names it.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # let admin = client.admin();
    /// # let hbase = admin.hbase()?;
    /// # admin.create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// let region = hbase.regions("t").await?.remove(0);
    /// let servers = hbase.region_servers().await?;
    /// let other = servers.iter().find(|s| Some(s.as_str()) != region.server()).unwrap();
    /// hbase.move_region(&region, other).await?;
    /// assert_eq!(hbase.regions("t").await?[0].server(), Some(other.as_str()));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// A server name that does not parse; [`DoNotRetry`](crate::ErrorKind::DoNotRetry) if the master does not know the
    /// region.
    pub async fn move_region(&self, region: &Region, to: &str) -> Result<()> {
        const NAME: &str = "move region";
        let server = parse_server_name(to).ok_or_else(|| {
            let text = format!("{to:?} is not a server name; write \"host,port,start code\"");
            Error::invalid(text).during(NAME)
        })?;
        let request = proto::MoveRegionRequest {
            region: region.encoded_specifier(),
            dest_server_name: Some(server),
        };
        let procedure = self.start(NAME, "MoveRegion", None);
        procedure.request::<_, proto::MoveRegionResponse>(&self.cluster, &request).await.map(drop)
    }

    /// Splits a region in two at this row key.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # let admin = client.admin();
    /// # let hbase = admin.hbase()?;
    /// # admin.create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// let region = hbase.regions("t").await?.remove(0);
    /// hbase.split_region(&region, "m").await?;
    /// assert_eq!(hbase.regions("t").await?[1].start_key(), b"m");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`DoNotRetry`](crate::ErrorKind::DoNotRetry) if the key is not inside the region, or the master does not know
    /// the region.
    pub async fn split_region(&self, region: &Region, at: impl AsRef<[u8]>) -> Result<()> {
        let request = proto::SplitTableRegionRequest {
            region_info: region.info().clone(),
            split_row: Some(at.as_ref().to_vec().into()),
            nonce_group: Some(self.cluster.nonce_group),
            nonce: Some(nonce()),
        };
        let procedure = self.start("split region", "SplitRegion", None);
        procedure
            .run(&self.cluster, &request, |r: &proto::SplitTableRegionResponse| r.proc_id)
            .await
    }
}

impl fmt::Debug for HBaseAdmin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HBaseAdmin").finish_non_exhaustive()
    }
}
