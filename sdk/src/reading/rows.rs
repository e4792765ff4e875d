//! `RowStream`, the rows of a scan as a stream.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;
use futures_util::TryStreamExt;

use super::{OrderedRows, ScanMetrics, ScanStep};
use crate::{Result, Row};

/// The rows of a scan, in order, fetched a little ahead of their reader.
///
/// Nothing is requested before the first row is. Dropping the stream ends the scan, on the server
/// too. After an error there are no more rows; what came before it is complete. A reader may take
/// any time: what it has not taken yet is at most two pages, and the scanner on the server is kept
/// open by renewing its lease.
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
    rows: OrderedRows,
}

impl RowStream {
    pub(crate) fn new(rows: OrderedRows) -> Self {
        Self { rows }
    }

    /// The next row; `None` at the end.
    ///
    /// See [`RowStream`] for an example. May be dropped before it is done; no row is lost by that.
    ///
    /// # Errors
    /// When a page did not come within [`page_timeout`](crate::Config::page_timeout), or no row
    /// within the timeout of its table, if it has one
    /// ([`with_timeout`](crate::RawTable::with_timeout)); or the server rejected it.
    pub async fn next_row(&mut self) -> Result<Option<Row>> {
        self.rows.next_row().await
    }

    /// All rows that are left, in a `Vec` or another collection.
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
    /// Of the first row that cannot be read, as [`next_row`](Self::next_row).
    pub async fn try_collect<C: Default + Extend<Row>>(self) -> Result<C> {
        TryStreamExt::try_collect(self).await
    }

    /// The next row, or a sign that the scan goes on, if it asks for
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

    /// What the scan has cost so far.
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
