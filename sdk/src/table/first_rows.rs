//! The first row of each of many ranges, such as the newest reading of each device.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::Stream;
use futures_util::TryStreamExt;

use super::{Table, TableScan, TypedTable};
use crate::Result;
use crate::key::RowRanges;
use crate::reading::{FirstRow, FirstRowsInScanOrder};
use crate::table::column::Condition;

/// A stream of the first row of each of many ranges, in the order of the ranges.
///
/// See [`TypedTable::first_of_each`] for an example of these functions.
#[must_use = "no row is read until it is requested"]
pub struct TableFirstRows<'r, T: Table> {
    /// The scan for all ranges, before a range is set.
    scan: TableScan<T>,
    #[allow(clippy::type_complexity, reason = "the next range as a scan")]
    more: Box<dyn FnMut(&mut TableScan<T>) -> Option<FirstRow> + Send + 'r>,
    rows: FirstRowsInScanOrder,
}

impl<T: Table> TypedTable<T> {
    /// Reads the first row of each of many ranges, in the order of the ranges: for example the
    /// newest reading of each of many devices, if the key sorts the newest first.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table};
    /// #[derive(RowKey)]
    /// struct ReadingKey {
    ///     device: u32,
    ///     #[key(rev_ts)]
    ///     at: u64,
    /// }
    /// # #[derive(Table)] #[table(name = "readings")] #[family("d")]
    /// # struct Reading { #[key] key: ReadingKey, #[cell("d:c")] celsius: f64 }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create::<Reading>().await?;
    /// # let readings = client.table::<Reading>();
    /// for (device, at, celsius) in [(7, 1_000, 20.5), (7, 2_000, 21.0), (9, 1_500, 4.0)] {
    ///     readings.put(&Reading { key: ReadingKey { device, at }, celsius }).await?;
    /// }
    /// let ranges = |devices: [u32; 3]| devices.map(|device| ReadingKey::scan().device(device));
    /// let newest: Vec<Option<Reading>> =
    ///     readings.first_of_each(ranges([9, 8, 7])).try_collect().await?;
    /// let celsius: Vec<_> =
    ///     newest.iter().map(|row| row.as_ref().map(|row| row.celsius)).collect();
    /// assert_eq!(celsius, [Some(4.0), None, Some(21.0)]);
    ///
    /// // The oldest ones, row by row, of those above 20 degrees.
    /// let mut oldest =
    ///     readings.first_of_each(ranges([9, 8, 7])).reversed().filter(Reading::CELSIUS.gt(20.0));
    /// while let Some(row) = oldest.next_row().await? {
    ///     assert!(row.is_none_or(|row| row.celsius == 20.5));
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Neither HBase nor Bigtable has a request for this, so each range is read by a scan of one
    /// call: the call returns one row, and the server closes the scan at once. If the key has a
    /// salt that the range does not determine, each bucket is scanned in this way, and the first of
    /// the rows found is returned. The next range is taken from the iterator when an earlier range
    /// is done. At most [`concurrency`](TableFirstRows::concurrency) ranges and their rows are in
    /// memory, so there may be any number of ranges.
    ///
    /// # Errors
    /// The stream returns a separate error for each range that fails: one of the errors of
    /// [`TableRows::next_row`](super::TableRows::next_row).
    pub fn first_of_each<'r, R, I>(&self, ranges: I) -> TableFirstRows<'r, T>
    where
        R: RowRanges<Key = T::Key>,
        I: IntoIterator<Item = R, IntoIter: Send + 'r>,
    {
        let mut ranges = ranges.into_iter();
        let more =
            move |scan: &mut TableScan<T>| Some(scan.with_ranges(ranges.next()?).first_row());
        TableFirstRows {
            scan: self.scan_without_ranges(),
            more: Box::new(more),
            rows: FirstRowsInScanOrder::new(),
        }
    }
}

impl<T: Table> TableFirstRows<'_, T> {
    /// Reads the last row of each range instead of the first.
    pub fn reversed(self) -> Self {
        Self { scan: self.scan.reversed(), ..self }
    }

    /// Reads, in each range, the first row for which this condition holds, as with
    /// [`TableScan::filter`].
    pub fn filter<U: Table<Key = T::Key>>(self, condition: Condition<U>) -> Self {
        Self { scan: self.scan.filter(condition), ..self }
    }

    /// Sets how many ranges are read concurrently. The default is 16.
    pub fn concurrency(self, ranges: usize) -> Self {
        Self { rows: self.rows.with_width(ranges), ..self }
    }

    /// Returns the first row of the next range: `Some(None)` if the range has no rows, `None` at
    /// the end.
    ///
    /// # Errors
    /// The error of this range, which does not affect the ranges after it.
    pub async fn next_row(&mut self) -> Result<Option<Option<T>>> {
        self.try_next().await
    }

    /// Collects the first row of each remaining range in a `Vec` or another collection.
    ///
    /// # Errors
    /// The error of the first range that fails.
    pub async fn try_collect<C: Default + Extend<Option<T>>>(self) -> Result<C> {
        TryStreamExt::try_collect(self).await
    }
}

impl<T: Table> Stream for TableFirstRows<'_, T> {
    type Item = Result<Option<T>>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Self { scan, more, rows } = self.get_mut();
        let row = ready!(rows.poll_next(cx, || more(scan)));
        Poll::Ready(row.map(|row| row?.map(|row| scan.read(&row)).transpose()))
    }
}

/// No field is structurally pinned.
impl<T: Table> Unpin for TableFirstRows<'_, T> {}

impl<T: Table> fmt::Debug for TableFirstRows<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableFirstRows").field("scan", &self.scan).finish_non_exhaustive()
    }
}
