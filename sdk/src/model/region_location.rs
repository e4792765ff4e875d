//! The location of a region as the public API returns it: its table, its keys and its server.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;

use super::hosts::split;
use crate::TableName;
use crate::key::{RowBuf, RowRange};

/// A region of a table, and the server that holds it: the Java client's `HRegionLocation`.
///
/// It is what the client knew at a moment; the region may have moved since, or been split.
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

    /// The hash at the end of the name, as web pages, logs and the shell show it.
    pub fn encoded_name(&self) -> &str {
        &self.encoded_name
    }

    /// The first row key of the region; empty for the first region.
    pub fn start_key(&self) -> &[u8] {
        &self.start
    }

    /// The row key after its last; empty for the last region.
    pub fn end_key(&self) -> &[u8] {
        &self.end
    }

    /// Whether a row is in the region.
    pub fn contains(&self, row: &[u8]) -> bool {
        *self.start <= *row && (self.end.is_empty() || *row < *self.end)
    }

    /// The address of its server, `host:port`.
    pub fn server(&self) -> &str {
        &self.server
    }

    /// When its server started, in ms since 1970: another server at the same address has another
    /// one.
    pub fn start_code(&self) -> u64 {
        self.start_code
    }

    /// The server of the region as `host,port,start code`, as
    /// [`HBaseAdmin`](crate::admin::HBaseAdmin) names servers.
    pub fn server_name(&self) -> String {
        let (host, port) = split(&self.server);
        format!("{host},{},{}", port.unwrap_or(0), self.start_code)
    }

    /// The sequence number of the region when it was opened there: of two locations of a region,
    /// the higher is the newer.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// The rows of a range that are in this region; `None` if there can be none.
    pub(crate) fn part_of(&self, range: &RowRange) -> Option<RowRange> {
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
        let shown = self.table.row_keys();
        let (start, end) = (shown.of(&self.start), shown.of(&self.end));
        write!(f, "{} [{start}, {end}) on {}", self.table, self.server_name())
    }
}
