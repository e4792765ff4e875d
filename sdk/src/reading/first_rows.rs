//! The first row of each of many scans.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::Stream;
use futures_util::TryStreamExt;
use futures_util::stream::FuturesOrdered;

use crate::{Result, Row};

/// How many scans run concurrently by default.
const WIDTH: usize = 16;

/// The future of a scan that ends with its first row.
pub(crate) type FirstRow = Pin<Box<dyn Future<Output = Result<Option<Row>>> + Send>>;

/// The first rows of several scans, in the order of the scans. A limited number of scans run
/// concurrently.
pub(crate) struct FirstRowsInScanOrder {
    running: FuturesOrdered<FirstRow>,
    width: usize,
    ended: bool,
}

impl FirstRowsInScanOrder {
    pub(crate) fn new() -> Self {
        Self { running: FuturesOrdered::new(), width: WIDTH, ended: false }
    }

    pub(crate) fn with_width(self, scans: usize) -> Self {
        Self { width: scans.max(1), ..self }
    }

    /// Returns the row of the next scan, and starts the further scans that `more` returns.
    pub(crate) fn poll_next(
        &mut self,
        cx: &mut Context<'_>,
        mut more: impl FnMut() -> Option<FirstRow>,
    ) -> Poll<Option<Result<Option<Row>>>> {
        while !self.ended && self.running.len() < self.width {
            match more() {
                Some(scan) => self.running.push_back(scan),
                None => self.ended = true,
            }
        }
        Pin::new(&mut self.running).poll_next(cx)
    }
}

/// The first row of each of many scans, in the order of the scans. [`RawTable::first_of_each`]
/// returns it.
///
/// [`RawTable::first_of_each`]: crate::RawTable::first_of_each
#[must_use = "no row is read until it is requested"]
pub struct FirstRows<'s> {
    more: Box<dyn FnMut() -> Option<FirstRow> + Send + 's>,
    rows: FirstRowsInScanOrder,
}

impl<'s> FirstRows<'s> {
    pub(crate) fn new(more: impl FnMut() -> Option<FirstRow> + Send + 's) -> Self {
        Self { more: Box::new(more), rows: FirstRowsInScanOrder::new() }
    }

    /// Sets how many scans run concurrently; the default is 16.
    ///
    /// See [`RawTable::first_of_each`](crate::RawTable::first_of_each) for an example of this and
    /// the other functions.
    pub fn concurrency(self, scans: usize) -> Self {
        Self { rows: self.rows.with_width(scans), ..self }
    }

    /// Returns the first row of the next scan, `Some(None)` if this scan found no row, and `None`
    /// after the last scan.
    ///
    /// # Errors
    /// The errors of [`RowStream::next_row`](crate::reading::RowStream::next_row) for this scan. An
    /// error does not affect the scans after this one.
    pub async fn next_row(&mut self) -> Result<Option<Option<Row>>> {
        self.try_next().await
    }

    /// Returns the first row of each remaining scan, or `None` for a scan without rows, in a `Vec`
    /// or another collection.
    ///
    /// # Errors
    /// The error of the first scan that fails.
    pub async fn try_collect<C: Default + Extend<Option<Row>>>(self) -> Result<C> {
        TryStreamExt::try_collect(self).await
    }
}

impl Stream for FirstRows<'_> {
    type Item = Result<Option<Row>>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Self { more, rows } = self.get_mut();
        Poll::Ready(ready!(rows.poll_next(cx, more)))
    }
}

impl fmt::Debug for FirstRows<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FirstRows").field("concurrency", &self.rows.width).finish_non_exhaustive()
    }
}
