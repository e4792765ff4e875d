//! `RegionLocator`, the handle by which a program finds the regions of a table or makes the client
//! forget them.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use crate::backend::Backend;
use crate::key::RowRange;
use crate::model::region_location::RegionLocation;
use crate::{Result, TableName};

/// Finds the regions of a table, and the servers that hold them, like `AsyncTableRegionLocator` in
/// the Java client.
///
/// [`Client::region_locator`](crate::Client::region_locator) and
/// [`RawTable::region_locator`](crate::RawTable::region_locator) return it. A locator and the
/// operations of its client share the known locations: an operation need not look up a region that
/// the locator has found, and has to look up a region that the locator has cleared.
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
/// let locator = client.region_locator("books")?;
/// assert!(locator.cached_regions().is_empty());
/// assert_eq!(locator.locate("k").await?.start_key(), b"h");
/// assert_eq!(locator.all_regions().await?.len(), 3);
/// assert_eq!(locator.cached_regions().len(), 3);
///
/// // Its two servers have them all.
/// let by_server = locator.regions_by_server_name().await?;
/// assert_eq!(by_server.values().map(Vec::len).sum::<usize>(), 3);
///
/// locator.clear_cache_of_row("k");
/// assert_eq!(locator.cached_regions().len(), 2);
/// locator.clear_cache();
/// assert!(locator.cached_regions().is_empty());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct RegionLocator {
    backend: Backend,
    table: TableName,
    timeout: Option<Duration>,
}

impl RegionLocator {
    pub(crate) fn new(backend: Backend, table: TableName, timeout: Option<Duration>) -> Self {
        Self { backend, table, timeout }
    }

    /// The name of the table.
    pub fn table(&self) -> &TableName {
        &self.table
    }

    /// Returns the region that holds a row, from the locations that the client knows, or else from
    /// `hbase:meta`. The row need not exist.
    ///
    /// If the region is being moved to another server, the call waits until the region is open
    /// there, at most until the deadline of an operation. Whether the table is enabled is not
    /// checked if its regions have servers.
    ///
    /// # Errors
    /// [`TableNotFound`](crate::ErrorKind::TableNotFound); or until the deadline, no answer
    /// arrives, or the region has no server.
    pub async fn locate(&self, row: impl AsRef<[u8]>) -> Result<RegionLocation> {
        self.backend.locate("locate", &self.table, row.as_ref(), self.timeout, false).await
    }

    /// Returns the region that holds a row, always from `hbase:meta`, even if the client already
    /// knows a location. The client remembers the location that was found. On Bigtable, the client
    /// asks the service for samples of the table's row keys, and remembers all regions into which
    /// they divide the table.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # let books = TableDescriptor::new("books")?.family(FamilyDescriptor::new("b"));
    /// # client.admin().create_table(&books).await?;
    /// let locator = client.region_locator("books")?;
    /// assert_eq!(locator.locate("k").await?.end_key(), b"");
    /// let hbase = client.admin().hbase()?;
    /// hbase.split_region(&hbase.regions("books").await?[0], "m").await?;
    /// assert_eq!(locator.locate("k").await?.end_key(), b"", "nobody has told the client");
    /// assert_eq!(locator.reload("k").await?.end_key(), b"m");
    /// assert_eq!(locator.locate("k").await?.end_key(), b"m");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`locate`](RegionLocator::locate).
    pub async fn reload(&self, row: impl AsRef<[u8]>) -> Result<RegionLocation> {
        self.backend.locate("locate", &self.table, row.as_ref(), self.timeout, true).await
    }

    /// Returns the regions that cover a range of row keys, in the order of their keys; regions that
    /// are not known are looked up.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, TableDescriptor, key::{RowBuf, RowRange}};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # let books = TableDescriptor::new("books")?.family(FamilyDescriptor::new("b")).splits(["h", "p"]);
    /// # client.admin().create_table(&books).await?;
    /// let from_a_to_k = RowRange::new(RowBuf::from_slice(b"a"), Some(RowBuf::from_slice(b"k")));
    /// let regions = client.region_locator("books")?.locate_range(&from_a_to_k).await?;
    /// assert_eq!(regions.iter().map(|r| r.start_key()).collect::<Vec<_>>(), [&b""[..], b"h"]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`locate`](RegionLocator::locate).
    pub async fn locate_range(&self, range: &RowRange) -> Result<Vec<RegionLocation>> {
        self.backend.regions_in("locate", &self.table, range, self.timeout).await
    }

    /// Returns all regions of the table from `hbase:meta`, in the order of their keys, with one
    /// call for each 1,000 regions. The client remembers their locations, as after
    /// [`Client::prefetch_regions`](crate::Client::prefetch_regions). If a region is being moved to
    /// another server, the call waits until the region is open there.
    ///
    /// # Errors
    /// The errors of [`locate`](RegionLocator::locate).
    pub async fn all_regions(&self) -> Result<Vec<RegionLocation>> {
        self.backend.all_regions(&self.table, self.timeout).await
    }

    /// Returns all regions of the table, as [`all_regions`](RegionLocator::all_regions) does,
    /// grouped by server. The keys of the map are server names, `host,port,start code`.
    ///
    /// # Errors
    /// The errors of [`locate`](RegionLocator::locate).
    pub async fn regions_by_server_name(&self) -> Result<BTreeMap<String, Vec<RegionLocation>>> {
        let mut servers = BTreeMap::<String, Vec<RegionLocation>>::new();
        for region in self.all_regions().await? {
            servers.entry(region.server_name()).or_default().push(region);
        }
        Ok(servers)
    }

    /// Returns the regions of the table that the client knows now, in the order of their keys,
    /// without a call.
    pub fn cached_regions(&self) -> Vec<RegionLocation> {
        self.backend.known_regions(&self.table)
    }

    /// Forgets the region of a row: the next operation on the row looks the region up again.
    pub fn clear_cache_of_row(&self, row: impl AsRef<[u8]>) {
        self.backend.forget_regions(&self.table, Some(row.as_ref()));
    }

    /// Forgets all regions of the table.
    /// [`Client::clear_region_cache`](crate::Client::clear_region_cache) forgets the regions of all
    /// tables.
    pub fn clear_cache(&self) {
        self.backend.forget_regions(&self.table, None);
    }
}

impl fmt::Debug for RegionLocator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RegionLocator({})", self.table)
    }
}
