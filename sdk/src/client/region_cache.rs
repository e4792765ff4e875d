//! The locations of regions that a client knows: looked up in advance, forgotten, and kept for
//! another run of the program.

use super::Client;
use crate::raw_table::regions::RegionLocator;
use crate::{Result, TableRef};

impl Client {
    /// Looks up the locations of all regions of a table at once, so that the first operations need
    /// no lookup.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// client.prefetch_regions("t").await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The table does not exist, or the cluster does not answer by the deadline.
    pub async fn prefetch_regions(&self, table: impl Into<TableRef<'_>>) -> Result<()> {
        self.backend.prefetch_regions(&self.naming.resolve(table)?).await
    }

    /// Returns a locator, which finds the regions of a table and the servers that hold them.
    ///
    /// See [`RegionLocator`] for an example.
    ///
    /// # Errors
    /// An illegal name.
    pub fn region_locator<'a>(&self, table: impl Into<TableRef<'a>>) -> Result<RegionLocator> {
        Ok(self.raw_table(table)?.region_locator())
    }

    /// Forgets the locations of all regions of all tables: a region is looked up again when it is
    /// needed. This corresponds to `clearRegionLocationCache` in the Java client.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// client.prefetch_regions("t").await?;
    /// client.clear_region_cache();
    /// assert!(client.region_locator("t")?.cached_regions().is_empty());
    /// # Ok(())
    /// # }
    /// ```
    pub fn clear_region_cache(&self) {
        self.backend.forget_all_regions();
    }

    /// Forgets the locations of all regions on a server, as if the server had failed. The server is
    /// given as `host:port`. If it may have been restarted since, it can also be given as
    /// `host,port,start code`: then only the regions of the server with this start code are
    /// forgotten. It is not an error if no location in the cache is on this server.
    ///
    /// ```
    /// # use tallrow::{Client, ErrorKind, FamilyDescriptor, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// let locator = client.region_locator("t")?;
    /// let region = locator.locate("r").await?;
    /// client.clear_region_cache_of(region.server())?;
    /// assert!(locator.cached_regions().is_empty());
    /// assert_eq!(
    ///     client.clear_region_cache_of("nowhere").unwrap_err().kind(),
    ///     ErrorKind::InvalidArgument
    /// );
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// `server` has neither of these forms.
    pub fn clear_region_cache_of(&self, server: &str) -> Result<()> {
        self.backend.forget_server(server)
    }

    /// Returns the locations of the regions that the client knows, as the bytes of a file with
    /// which another run of the program can be [warmed](Client::import_region_locations) up.
    ///
    /// This sends a single call, which asks the registry for the id of the cluster. See
    /// [`regions`](crate::regions) for an example and for the format.
    ///
    /// # Errors
    /// The registry does not answer by the deadline.
    pub async fn export_region_locations(&self) -> Result<Vec<u8>> {
        self.backend.export_regions().await
    }

    /// Adds the regions of a file that [`export_region_locations`](Client::export_region_locations)
    /// made to the regions that the client knows, and returns how many were added. A region that is
    /// known already keeps its location. The file may be old: a wrong location is noticed and
    /// replaced like any other.
    ///
    /// This sends a single call, which asks the registry for the id of the cluster.
    ///
    /// ```
    /// # use tallrow::{Client, ErrorKind};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// let error = client.import_region_locations(b"PK\x03\x04 an archive").await.unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    /// assert!(error.to_string().contains("these bytes are no regions"), "{error}");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The bytes are not such a file, or the file has another version, is cut off, damaged, or from
    /// another cluster; nothing is added then. Also if the registry does not answer by the
    /// deadline.
    pub async fn import_region_locations(&self, exported: &[u8]) -> Result<usize> {
        self.backend.import_regions(exported).await
    }
}
