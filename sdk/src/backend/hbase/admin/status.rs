//! The status of the cluster, its servers and its regions.

use std::time::SystemTime;

use bytes::Bytes;

use super::handle::HBaseAdmin;
use super::master::millis_to_time;
use super::methods::{GetClusterStatus, GetRegionLoad};
use crate::backend::hbase::location::server_name;
use crate::backend::hbase::table_name::{from_message, to_message};
use crate::wire::proto::{self, ClusterOption};
use crate::{Result, TableName, TableRef};

/// The state of a cluster as its master sees it (`ClusterMetrics` of the Java client).
///
/// See [`HBaseAdmin::cluster_status`] for an example.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ClusterStatus {
    /// The version of HBase that the master runs.
    pub version: Option<String>,
    /// The id of the cluster, a UUID.
    pub cluster_id: Option<String>,
    /// The active master, as `host,port,start code`.
    pub master: Option<String>,
    /// The masters that wait to become active.
    pub backup_masters: Vec<String>,
    /// The live region servers, in the order of their names.
    pub servers: Vec<ServerMetrics>,
    /// The region servers that are known to be dead.
    pub dead_servers: Vec<String>,
    /// The encoded names of the regions that are in transition.
    pub regions_in_transition: Vec<String>,
    /// Whether the balancer is on.
    pub balancer_enabled: Option<bool>,
    /// How many regions each table has, HBase's own tables included.
    pub tables: Vec<TableRegionCounts>,
}

/// The numbers of regions of a table, by their state.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TableRegionCounts {
    /// The table.
    pub table: TableName,
    /// The number of open regions.
    pub open: u32,
    /// The number of closed regions.
    pub closed: u32,
    /// The number of regions that were split, and are not removed yet.
    pub split: u32,
    /// The number of regions that are opening, closing or moving.
    pub in_transition: u32,
    /// The number of all regions.
    pub total: u32,
}

/// The load of a region server, as the server last reported it to the master.
///
/// See [`HBaseAdmin::cluster_status`] for an example.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ServerMetrics {
    /// The server, as `host,port,start code`.
    pub name: String,
    /// The number of requests in the second before the report.
    pub requests_per_second: u64,
    /// The number of requests since the server started.
    pub requests: u64,
    /// The heap in use, in MB.
    pub used_heap_mb: u32,
    /// The largest heap, in MB.
    pub max_heap_mb: u32,
    /// When the server last reported.
    pub reported: Option<SystemTime>,
    /// The regions that the server holds.
    pub regions: Vec<RegionMetrics>,
}

/// The size and the load of a region.
///
/// See [`HBaseAdmin::region_metrics`] for an example.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RegionMetrics {
    /// The full name of the region, such as
    /// `t,row1,1732222222222.0123456789abcdef0123456789abcdef.`
    pub name: Bytes,
    /// The number of families.
    pub stores: u32,
    /// The number of store files.
    pub store_files: u32,
    /// The size of the store files, in MB.
    pub store_file_mb: u32,
    /// The size of the data in memory, in MB.
    pub memstore_mb: u32,
    /// The number of rows and gets that were read since the region was opened.
    pub read_requests: u64,
    /// The number of rows that a filter rejected.
    pub filtered_read_requests: u64,
    /// The number of writes since the region was opened.
    pub write_requests: u64,
    /// The share, from 0 to 1, of the region's blocks that are on the disks of its server.
    pub locality: f32,
    /// When the last major compaction of the region was; `None` if there was none.
    pub last_major_compaction: Option<SystemTime>,
}

impl RegionMetrics {
    fn from_message(load: &proto::RegionLoad) -> Self {
        Self {
            name: load.region_specifier.value.clone(),
            stores: load.stores.unwrap_or(0),
            store_files: load.storefiles.unwrap_or(0),
            store_file_mb: load.storefile_size_mb.unwrap_or(0),
            memstore_mb: load.mem_store_size_mb.unwrap_or(0),
            read_requests: load.read_requests_count.unwrap_or(0),
            filtered_read_requests: load.filtered_read_requests_count.unwrap_or(0),
            write_requests: load.write_requests_count.unwrap_or(0),
            locality: load.data_locality.unwrap_or(0.0),
            last_major_compaction: millis_to_time(load.last_major_compaction_ts.unwrap_or(0)),
        }
    }
}

impl ServerMetrics {
    fn from_message(info: &proto::LiveServerInfo) -> Self {
        let load = &info.server_load;
        Self {
            name: server_name(&info.server),
            requests_per_second: load.number_of_requests.unwrap_or(0),
            requests: load.total_number_of_requests.unwrap_or(0),
            used_heap_mb: load.used_heap_mb.unwrap_or(0),
            max_heap_mb: load.max_heap_mb.unwrap_or(0),
            reported: millis_to_time(load.report_end_time.unwrap_or(0)),
            regions: load.region_loads.iter().map(RegionMetrics::from_message).collect(),
        }
    }
}

impl ClusterStatus {
    fn from_message(status: &proto::ClusterStatus) -> Result<Self> {
        let names = |servers: &[proto::ServerName]| servers.iter().map(server_name).collect();
        let mut servers: Vec<_> =
            status.live_servers.iter().map(ServerMetrics::from_message).collect();
        servers.sort_by(|a, b| a.name.cmp(&b.name));
        let mut tables = Vec::new();
        for table in &status.table_region_states_count {
            let count = &table.region_states_count;
            tables.push(TableRegionCounts {
                table: from_message(&table.table_name)?,
                open: count.open_regions,
                closed: count.closed_regions,
                split: count.split_regions,
                in_transition: count.regions_in_transition,
                total: count.total_regions,
            });
        }
        let encoded = |r: &proto::RegionInTransition| {
            crate::wire::region::encoded_name_of(&r.region_state.region_info)
        };
        Ok(Self {
            version: status.hbase_version.as_ref().map(|v| v.version.clone()),
            cluster_id: status.cluster_id.as_ref().map(|id| id.cluster_id.clone()),
            master: status.master.as_ref().map(server_name),
            backup_masters: names(&status.backup_masters),
            servers,
            dead_servers: names(&status.dead_servers),
            regions_in_transition: status.regions_in_transition.iter().map(encoded).collect(),
            balancer_enabled: status.balancer_on,
            tables,
        })
    }
}

impl HBaseAdmin {
    /// Returns the master, servers, tables and regions of the cluster, with their load as each
    /// server last reported it. Servers report every 3 seconds by default
    /// (`hbase.regionserver.msginterval`).
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Put, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # let table = TableDescriptor::new("t")?.family(FamilyDescriptor::new("d")).splits(["m"]);
    /// # client.admin().create_table(&table).await?;
    /// # client.raw_table("t")?.put(Put::new("a").cell("d", "q", "v")).await?;
    /// let status = client.admin().hbase()?.cluster_status().await?;
    /// assert_eq!(status.servers.len(), 2);
    /// assert!(status.dead_servers.is_empty() && status.regions_in_transition.is_empty());
    /// assert!(status.servers.iter().map(|server| server.requests).sum::<u64>() > 0);
    /// let table = status.tables.iter().find(|counts| counts.table.as_str() == "t").unwrap();
    /// assert_eq!((table.open, table.total), (2, 2));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Fails if no master answers by the deadline
    /// ([`operation_timeout`](crate::Config::operation_timeout)).
    pub async fn cluster_status(&self) -> Result<ClusterStatus> {
        let options = [
            ClusterOption::HbaseVersion,
            ClusterOption::ClusterId,
            ClusterOption::LiveServers,
            ClusterOption::DeadServers,
            ClusterOption::Master,
            ClusterOption::BackupMasters,
            ClusterOption::RegionsInTransition,
            ClusterOption::BalancerOn,
            ClusterOption::TableToRegionsCount,
        ];
        let options = options.iter().map(|o| *o as i32).collect();
        let request = proto::GetClusterStatusRequest { options };
        let answer = self.call::<GetClusterStatus>("cluster status", None, request).await?;
        ClusterStatus::from_message(&answer.cluster_status)
    }

    /// Returns the current size and load of the regions of a table that a server holds, sorted by
    /// region name.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Put, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # client.raw_table("t")?.put(Put::new("a").cell("d", "q", "v")).await?;
    /// let hbase = client.admin().hbase()?;
    /// let region = hbase.regions("t").await?.remove(0);
    /// let metrics = hbase.region_metrics(region.server().unwrap(), "t").await?;
    /// assert_eq!((metrics.len(), metrics[0].write_requests), (1, 1));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an invalid server name. Also
    /// fails if the server does not answer by the deadline.
    pub async fn region_metrics(
        &self,
        server: &str,
        table: impl Into<TableRef<'_>>,
    ) -> Result<Vec<RegionMetrics>> {
        const NAME: &str = "region metrics";
        let table = Some(to_message(&self.naming.resolve(table)?));
        let request = proto::GetRegionLoadRequest { table_name: table };
        let answer = self.ask_server::<GetRegionLoad>(NAME, server, request).await?;
        let mut metrics: Vec<_> =
            answer.region_loads.iter().map(RegionMetrics::from_message).collect();
        metrics.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(metrics)
    }

    /// Returns the version of HBase that the master runs; `None` if the master does not report it.
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
    /// Fails if no master answers by the deadline.
    pub async fn version(&self) -> Result<Option<String>> {
        let status = self.status("version", proto::ClusterOption::HbaseVersion).await?;
        Ok(status.hbase_version.map(|content| content.version))
    }

    pub(super) async fn status(
        &self,
        operation_name: &'static str,
        option: proto::ClusterOption,
    ) -> Result<proto::ClusterStatus> {
        let request = proto::GetClusterStatusRequest { options: vec![option as i32] };
        let response = self.call::<GetClusterStatus>(operation_name, None, request).await?;
        Ok(response.cluster_status)
    }
}
