//! `RegionLocator`, the handle by which a program finds the regions of a table or makes the client
//! forget them.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use crate::backend::Backend;
use crate::key::RowRange;
use crate::model::region_location::RegionLocation;
use crate::{Result, TableName};

/// Finds the regions of a table, and the servers that hold them: the Java client's
/// `AsyncTableRegionLocator`.
///
/// [`Client::region_locator`](crate::Client::region_locator) and
/// [`RawTable::region_locator`](crate::RawTable::region_locator) return it. It shares what the
/// client knows: a region that was located here need not be looked up by an operation, and one that
/// is cleared here is looked up again.
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
/// assert!(locator.known().is_empty());
/// assert_eq!(locator.locate("k").await?.start_key(), b"h");
/// assert_eq!(locator.all().await?.len(), 3);
/// assert_eq!(locator.known().len(), 3);
///
/// // Its two servers have them all.
/// let by_server = locator.by_server().await?;
/// assert_eq!(by_server.values().map(Vec::len).sum::<usize>(), 3);
///
/// locator.clear_row("k");
/// assert_eq!(locator.known().len(), 2);
/// locator.clear();
/// assert!(locator.known().is_empty());
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

    /// The region that holds a row: the one that is known, or else as `hbase:meta` has it now. The
    /// row need not exist.
    ///
    /// A region that is on its way to another server is waited for, until the deadline of an
    /// operation. Whether the table is enabled is not checked if its regions have servers.
    ///
    /// # Errors
    /// [`TableNotFound`](crate::ErrorKind::TableNotFound); no answer, or no server of the region,
    /// by the deadline.
    pub async fn locate(&self, row: impl AsRef<[u8]>) -> Result<RegionLocation> {
        self.backend.locate("locate", &self.table, row.as_ref(), self.timeout, false).await
    }

    /// The region that holds a row as `hbase:meta` has it now, whatever was known; it is what is
    /// known from then on.
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

    /// The regions with the rows of a range, in the order of their keys; those that are not known
    /// are looked up.
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

    /// All regions as `hbase:meta` has them now, in the order of their keys, with a call for each
    /// 1,000. They are known from then on, as after
    /// [`Client::prefetch_regions`](crate::Client::prefetch_regions); those that are on their way
    /// to another server are waited for.
    ///
    /// # Errors
    /// The errors of [`locate`](RegionLocator::locate).
    pub async fn all(&self) -> Result<Vec<RegionLocation>> {
        self.backend.all_regions(&self.table, self.timeout).await
    }

    /// [`All`](RegionLocator::all) regions by their servers, which are named
    /// `host,port,start code`.
    ///
    /// # Errors
    /// The errors of [`locate`](RegionLocator::locate).
    pub async fn by_server(&self) -> Result<BTreeMap<String, Vec<RegionLocation>>> {
        let mut servers = BTreeMap::<String, Vec<RegionLocation>>::new();
        for region in self.all().await? {
            servers.entry(region.server_name()).or_default().push(region);
        }
        Ok(servers)
    }

    /// The regions that the client knows now, in the order of their keys. Nothing is asked for.
    pub fn known(&self) -> Vec<RegionLocation> {
        self.backend.known_regions(&self.table)
    }

    /// Forgets the region of a row: the next operation on it looks it up.
    pub fn clear_row(&self, row: impl AsRef<[u8]>) {
        self.backend.forget_regions(&self.table, Some(row.as_ref()));
    }

    /// Forgets all regions of the table. [`Client::clear_regions`](crate::Client::clear_regions)
    /// forgets those of all tables.
    pub fn clear(&self) {
        self.backend.forget_regions(&self.table, None);
    }
}

impl fmt::Debug for RegionLocator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RegionLocator({})", self.table)
    }
}
