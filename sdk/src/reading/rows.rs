//! `RowStream`, the rows of a scan as a stream.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;
use futures_util::TryStreamExt;

use super::{ScanMetrics, ScanRows, ScanStep};
use crate::{Result, Row};

/// The rows of a scan, in order, fetched a little ahead of their reader.
///
/// Nothing is requested from the servers before the first row is requested from the stream.
/// Dropping the stream ends the scan, on the server too. After an error the stream returns no more
/// rows; the rows before the error are complete. A reader may be slow for any length of time: at
/// most two pages wait for it, and the client keeps the scanner on the server open by renewing its
/// lease.
///
/// ```
/// # use tallrow::{Client, FamilyDescriptor, Put, Scan, TableDescriptor};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// # let client = Client::connect("mock:").await?;
/// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
/// # let table = client.raw_table("t")?;
/// # for row in ["a", "b", "c"] { table.put(Put::new(row).cell("d", "q", "v")).await?; }
/// let mut rows = table.scan(Scan::range("b"..))?;
/// let mut keys = Vec::new();
/// while let Some(row) = rows.next_row().await? {
///     keys.push(row.key().to_vec());
/// }
/// assert_eq!(keys, [b"b", b"c"]);
/// # Ok(())
/// # }
/// ```
#[must_use = "no row is read until it is requested"]
pub struct RowStream {
    rows: ScanRows,
}

impl RowStream {
    pub(crate) fn new(rows: ScanRows) -> Self {
        Self { rows }
    }

    /// Returns the next row; `None` at the end.
    ///
    /// See [`RowStream`] for an example. If the future is dropped before it is done, no row is
    /// lost.
    ///
    /// # Errors
    /// A page does not arrive within [`page_timeout`](crate::Config::page_timeout); or the server
    /// rejects the scan; or the table handle has a timeout
    /// ([`with_timeout`](crate::RawTable::with_timeout)), and no row arrives within it.
    pub async fn next_row(&mut self) -> Result<Option<Row>> {
        self.rows.next_row().await
    }

    /// Returns all remaining rows, in a `Vec` or another collection.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Put, Row, Scan, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// # for row in ["a", "b", "c"] { table.put(Put::new(row).cell("d", "q", "v")).await?; }
    /// let rows: Vec<Row> = table.scan(Scan::range("b"..))?.try_collect().await?;
    /// assert_eq!(rows.len(), 2);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The error of the first row that cannot be read, as in [`next_row`](Self::next_row).
    pub async fn try_collect<C: Default + Extend<Row>>(self) -> Result<C> {
        TryStreamExt::try_collect(self).await
    }

    /// Returns the next row, or a cursor that shows the progress of the scan, if the scan requests
    /// [cursors](crate::Scan::cursors); `None` at the end.
    ///
    /// See [`Scan::cursors`](crate::Scan::cursors) for an example. A scan that is read [in
    /// parallel](crate::Scan::parallel) has no cursors.
    ///
    /// # Errors
    /// The errors of [`next_row`](Self::next_row).
    pub async fn next_step(&mut self) -> Result<Option<ScanStep>> {
        std::future::poll_fn(|cx| self.rows.poll_step(cx)).await.transpose()
    }

    /// Returns what the scan has cost so far.
    ///
    /// See [`ScanMetrics`] for an example.
    pub fn metrics(&self) -> ScanMetrics {
        self.rows.metrics()
    }
}

impl Stream for RowStream {
    type Item = Result<Row>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.rows.poll_row(cx)
    }
}
