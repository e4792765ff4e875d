//! The regions of a table: how they are listed, moved, split, merged, opened, closed and emptied.

use std::fmt;

use super::handle::HBaseAdmin;
use super::meta::region_rows;
use super::methods::{
    AssignRegion, MergeTableRegions, MoveRegion, SplitRegion, TruncateRegion, UnassignRegion,
};
use crate::backend::hbase::location::{address, parse_server_name_for, server_name};
use crate::backend::hbase::table_name::from_message;
use crate::wire::meta::RegionRow;
use crate::wire::proto::{self, RegionInfo, RegionSpecifier, RegionSpecifierType};
use crate::wire::region;
use crate::{Error, Result, TableName, TableRef};

/// A region of a table: a range of row keys, and the region server that holds these rows.
///
/// ```
/// use tallrow::{Client, FamilyDescriptor, TableDescriptor};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = Client::connect("mock:").await?;
/// let books =
///     TableDescriptor::new("books")?.family(FamilyDescriptor::new("b")).splits(["h", "p"]);
/// client.admin().create_table(&books).await?;
///
/// let regions = client.admin().hbase()?.regions("books").await?;
/// let bounds: Vec<_> =
///     regions.iter().map(|region| (region.start_key(), region.end_key())).collect();
/// assert_eq!(bounds, [(&b""[..], &b"h"[..]), (b"h", b"p"), (b"p", b"")]);
/// assert_eq!(regions[0].encoded_name().len(), 32);
/// assert!(regions.iter().all(|region| region.server().is_some()));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq)]
pub struct Region {
    row: RegionRow,
    server: Option<String>,
}

impl Region {
    pub(super) fn new(row: RegionRow) -> Self {
        let server = row.server.as_ref().map(server_name);
        Self { row, server }
    }

    pub(super) fn row(&self) -> &RegionRow {
        &self.row
    }

    pub(super) fn info(&self) -> &RegionInfo {
        &self.row.info
    }

    pub(super) fn encoded_specifier(&self) -> RegionSpecifier {
        RegionSpecifier {
            r#type: RegionSpecifierType::EncodedRegionName as i32,
            value: self.encoded_name().into(),
        }
    }

    pub(super) fn specifier(&self) -> RegionSpecifier {
        RegionSpecifier {
            r#type: RegionSpecifierType::RegionName as i32,
            value: region::name(&self.row.info).into(),
        }
    }

    pub(super) fn table(&self) -> Result<TableName> {
        from_message(&self.row.info.table_name)
    }

    /// The encoded name of the region: the hash at the end of its full name, which web pages, logs
    /// and the shell show.
    pub fn encoded_name(&self) -> String {
        region::encoded_name_of(&self.row.info)
    }

    /// The first row key of the region; empty for the first region.
    pub fn start_key(&self) -> &[u8] {
        self.row.info.start_key.as_deref().unwrap_or_default()
    }

    /// The end of the region's row keys, exclusive; empty for the last region.
    pub fn end_key(&self) -> &[u8] {
        self.row.info.end_key.as_deref().unwrap_or_default()
    }

    /// The server name of the region's server, as `host,port,start code`; `None` while the region
    /// moves.
    pub fn server(&self) -> Option<&str> {
        self.server.as_deref()
    }
}

impl fmt::Debug for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "[{}, {}) {} on {}",
            crate::model::show::row_key(self.start_key()),
            crate::model::show::row_key(self.end_key()),
            self.encoded_name(),
            self.row.server.as_ref().map_or_else(|| "no server".into(), address)
        )
    }
}

impl HBaseAdmin {
    /// Returns the regions of a table in key order, each with its server. `hbase:meta` has one
    /// region, which the registry of the cluster locates.
    ///
    /// # Errors
    /// [`TableNotFound`](crate::ErrorKind::TableNotFound). Also fails if no answer arrives by the
    /// deadline.
    pub async fn regions(&self, table: impl Into<TableRef<'_>>) -> Result<Vec<Region>> {
        let rows = region_rows(&self.cluster, "regions", &self.naming.resolve(table)?).await?;
        Ok(rows.into_iter().map(Region::new).collect())
    }

    /// Asks the master to move a region to the region server `to`, a name that
    /// [`region_servers`](HBaseAdmin::region_servers) returned.
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
    /// Fails if the server name is invalid, and with [`DoNotRetry`](crate::ErrorKind::DoNotRetry)
    /// if the master does not know the region.
    pub async fn move_region(&self, region: &Region, to: &str) -> Result<()> {
        const NAME: &str = "move region";
        let request = proto::MoveRegionRequest {
            region: region.encoded_specifier(),
            dest_server_name: Some(parse_server_name_for(NAME, to)?),
        };
        self.call::<MoveRegion>(NAME, None, request).await.map(drop)
    }

    /// Splits a region in two at the row key `at`.
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
    /// [`DoNotRetry`](crate::ErrorKind::DoNotRetry) if the key is not inside the region, or if the
    /// master does not know the region.
    pub async fn split_region(&self, region: &Region, at: impl AsRef<[u8]>) -> Result<()> {
        let request = proto::SplitTableRegionRequest {
            region_info: region.info().clone(),
            split_row: Some(at.as_ref().to_vec().into()),
            ..Default::default()
        };
        self.call::<SplitRegion>("split region", None, request).await.map(drop)
    }

    /// Merges adjacent regions of a table into one, and returns when the merged region is open. The
    /// regions can be given in any order.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # let admin = client.admin();
    /// # let hbase = admin.hbase()?;
    /// # let table = TableDescriptor::new("t")?.family(FamilyDescriptor::new("d")).splits(["h", "p"]);
    /// # admin.create_table(&table).await?;
    /// let regions = hbase.regions("t").await?;
    /// hbase.merge_regions(&regions[..2]).await?;
    /// let regions = hbase.regions("t").await?;
    /// assert_eq!(regions.len(), 2);
    /// assert_eq!(regions[0].end_key(), b"p");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for fewer than two regions;
    /// [`DoNotRetry`](crate::ErrorKind::DoNotRetry) if the regions are not adjacent, belong to
    /// different tables, are not open or are not known to the master, or if merges are switched
    /// off. Also fails if the merge is not complete by the deadline
    /// ([`admin_timeout`](crate::Config::admin_timeout)).
    pub async fn merge_regions(&self, regions: &[Region]) -> Result<()> {
        const NAME: &str = "merge regions";
        let [first, _, ..] = regions else {
            let text = format!("a merge is of two or more regions, not {}", regions.len());
            return Err(Error::invalid(text).with_operation_if_unset(NAME));
        };
        let table = first.table()?;
        let request = proto::MergeTableRegionsRequest {
            region: regions.iter().map(Region::encoded_specifier).collect(),
            forcible: Some(false),
            ..Default::default()
        };
        let merged = self.call::<MergeTableRegions>(NAME, Some(&table), request).await;
        self.cluster.locator.cache().evict_table(&table);
        merged.map(drop)
    }

    /// Opens a closed region on a server that the master chooses, and returns when it is open.
    ///
    /// See [`unassign_region`](HBaseAdmin::unassign_region) for an example.
    ///
    /// # Errors
    /// [`DoNotRetry`](crate::ErrorKind::DoNotRetry) if the master does not know the region, or if
    /// the region is open already; [`OutcomeUnknown`](crate::ErrorKind::OutcomeUnknown) if the
    /// region is open already, but an earlier attempt without an answer may have opened it. Also
    /// fails if no answer arrives by the deadline.
    pub async fn assign_region(&self, region: &Region) -> Result<()> {
        let table = region.table()?;
        let request = proto::AssignRegionRequest { region: region.specifier() };
        self.call::<AssignRegion>("assign region", Some(&table), request).await.map(drop)
    }

    /// Closes a region, and returns when it is closed. The region stays closed until
    /// [`assign_region`](HBaseAdmin::assign_region) opens it; until then, reads and writes of its
    /// rows wait until their deadline.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use tallrow::{Client, ErrorKind, FamilyDescriptor, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # let admin = client.admin();
    /// # let hbase = admin.hbase()?;
    /// # admin.create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// let region = hbase.regions("t").await?.remove(0);
    /// let table = client.raw_table("t")?.with_timeout(Duration::from_millis(300));
    /// hbase.unassign_region(&region).await?;
    /// assert_eq!(table.get("r").await.unwrap_err().kind(), ErrorKind::Timeout);
    /// hbase.assign_region(&region).await?;
    /// assert_eq!(table.get("r").await?, None);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`DoNotRetry`](crate::ErrorKind::DoNotRetry) if the master does not know the region, or if
    /// the region is closed already; [`OutcomeUnknown`](crate::ErrorKind::OutcomeUnknown) if the
    /// region is closed already, but an earlier attempt without an answer may have closed it. Also
    /// fails if no answer arrives by the deadline.
    pub async fn unassign_region(&self, region: &Region) -> Result<()> {
        let table = region.table()?;
        let request = proto::AssignRegionRequest { region: region.specifier() };
        self.call::<UnassignRegion>("unassign region", Some(&table), request).await.map(drop)
    }

    /// Deletes all rows of a region. The region keeps its start and end keys. This needs HBase 2.6
    /// or later.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Put, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # let admin = client.admin();
    /// # let hbase = admin.hbase()?;
    /// # let table = TableDescriptor::new("t")?.family(FamilyDescriptor::new("d")).splits(["m"]);
    /// # admin.create_table(&table).await?;
    /// let table = client.raw_table("t")?;
    /// table.put(Put::new("a").cell("d", "q", "v")).await?;
    /// table.put(Put::new("x").cell("d", "q", "v")).await?;
    /// hbase.truncate_region(&hbase.regions("t").await?[0]).await?;
    /// assert!(!table.exists("a").await?);
    /// assert!(table.exists("x").await?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Unsupported`](crate::ErrorKind::Unsupported) before HBase 2.6;
    /// [`DoNotRetry`](crate::ErrorKind::DoNotRetry) if the master does not know the region. Also
    /// fails if the region is not truncated by the deadline.
    pub async fn truncate_region(&self, region: &Region) -> Result<()> {
        let table = region.table()?;
        let request = proto::TruncateRegionRequest {
            region_info: region.info().clone(),
            ..Default::default()
        };
        match self.call::<TruncateRegion>("truncate region", Some(&table), request).await {
            Ok(_) => Ok(()),
            Err(error) => Err(self.or_unsupported(error, "2.6").await),
        }
    }
}
