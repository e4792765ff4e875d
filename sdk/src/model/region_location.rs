//! The location of a region as the public API returns it: its table, its keys and its server.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;

use super::hosts::split;
use crate::TableName;
use crate::key::{RowBuf, RowRange};

/// A region of a table, and the server that holds the region, like the Java client's
/// `HRegionLocation`.
///
/// The location is what the client knew at one moment; the region may have been moved or split
/// since then.
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
/// let region = client.region_locator("books")?.locate("k").await?;
/// assert_eq!((region.start_key(), region.end_key()), (&b"h"[..], &b"p"[..]));
/// assert!(region.contains(b"k") && !region.contains(b"p"));
/// assert!(region.name().starts_with(b"books,h,"));
/// assert_eq!(region.encoded_name().len(), 32);
/// // The same server, as other functions name it.
/// assert_eq!(region.server().split(':').count(), 2);
/// assert!(client.admin().hbase()?.region_servers().await?.contains(&region.server_name()));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct RegionLocation {
    pub(crate) table: TableName,
    pub(crate) name: Bytes,
    pub(crate) encoded_name: String,
    pub(crate) start: Bytes,
    pub(crate) end: Bytes,
    pub(crate) server: Arc<str>,
    pub(crate) start_code: u64,
    pub(crate) sequence: u64,
}

impl RegionLocation {
    /// The table.
    pub fn table(&self) -> &TableName {
        &self.table
    }

    /// The full name of the region: `table,start key,id.hash.`
    pub fn name(&self) -> &[u8] {
        &self.name
    }

    /// The hash at the end of the name, which HBase's web pages, logs and shell show.
    pub fn encoded_name(&self) -> &str {
        &self.encoded_name
    }

    /// The first row key of the region; empty for the first region.
    pub fn start_key(&self) -> &[u8] {
        &self.start
    }

    /// The end of the region, which is the first row key after it; empty for the last region.
    pub fn end_key(&self) -> &[u8] {
        &self.end
    }

    /// Whether a row is in the region.
    pub fn contains(&self, row: &[u8]) -> bool {
        *self.start <= *row && (self.end.is_empty() || *row < *self.end)
    }

    /// The address of the region's server, `host:port`.
    pub fn server(&self) -> &str {
        &self.server
    }

    /// When the region's server started, in ms since 1970: another server at the same address has
    /// another start code.
    pub fn start_code(&self) -> u64 {
        self.start_code
    }

    /// The server of the region as `host,port,start code`, the form of server names in
    /// [`HBaseAdmin`](crate::admin::HBaseAdmin).
    pub fn server_name(&self) -> String {
        let (host, port) = split(&self.server);
        format!("{host},{},{}", port.unwrap_or(0), self.start_code)
    }

    /// The sequence number of the region when its server opened it: of two locations of a region,
    /// the one with the higher number is newer.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// Returns the part of a row range that is in this region; `None` if no row can be in that
    /// part.
    pub(crate) fn intersection(&self, range: &RowRange) -> Option<RowRange> {
        let start = range.start().max(&self.start);
        let end = Some(&self.end[..]).filter(|end| !end.is_empty());
        let stop = match (range.stop(), end) {
            (Some(stop), Some(end)) => Some(stop.min(end)),
            (stop, end) => stop.or(end),
        };
        let part = RowRange::new(RowBuf::from_slice(start), stop.map(RowBuf::from_slice));
        (!part.is_empty()).then_some(part)
    }
}

impl fmt::Debug for RegionLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.table.row_key_display();
        let (start, end) = (shown.display(&self.start), shown.display(&self.end));
        write!(f, "{} [{start}, {end}) on {}", self.table, self.server_name())
    }
}
