//! The first row of each of many ranges, such as the newest reading of each device.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::Stream;
use futures_util::TryStreamExt;

use super::{Table, TableScan, TypedTable};
use crate::Result;
use crate::key::RowRanges;
use crate::reading::{FirstRow, InOrder};
use crate::table::column::Condition;

/// The first row of each of many ranges, in the order of the ranges.
///
/// See [`TypedTable::first_of_each`] for an example of its functions.
#[must_use = "no row is read until it is requested"]
pub struct TableFirstRows<'r, T: Table> {
    /// The scan of each range, without ranges.
    scan: TableScan<T>,
    #[allow(clippy::type_complexity, reason = "the next range as a scan")]
    more: Box<dyn FnMut(&mut TableScan<T>) -> Option<FirstRow> + Send + 'r>,
    rows: InOrder,
}

impl<T: Table> TypedTable<T> {
    /// The first row of each of many ranges, in the order of the ranges: such as the newest reading
    /// of each of many devices, where the key is newest first.
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
    /// while let Some(row) = oldest.next_first().await? {
    ///     assert!(row.is_none_or(|row| row.celsius == 20.5));
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// No store has a request for this, so each range is a scan of one call, which returns one row
    /// and is closed by the server at once; with a salt that the range does not fix, one for each
    /// bucket, of which the first row counts. Ranges are taken from the iterator as others are
    /// done, and at most [`concurrency`](TableFirstRows::concurrency) of them, and their rows, are
    /// in memory: any number can be given.
    ///
    /// # Errors
    /// Each range has its own, as [`TableRows::next_row`](super::TableRows::next_row).
    pub fn first_of_each<'r, R, I>(&self, ranges: I) -> TableFirstRows<'r, T>
    where
        R: RowRanges<Key = T::Key>,
        I: IntoIterator<Item = R, IntoIter: Send + 'r>,
    {
        let mut ranges = ranges.into_iter();
        let more = move |scan: &mut TableScan<T>| Some(scan.of(ranges.next()?).first());
        TableFirstRows { scan: self.scan_of_none(), more: Box::new(more), rows: InOrder::new() }
    }
}

impl<T: Table> TableFirstRows<'_, T> {
    /// The last row of each range instead.
    pub fn reversed(self) -> Self {
        Self { scan: self.scan.reversed(), ..self }
    }

    /// The first row of each range of which this holds, as [`TableScan::filter`].
    pub fn filter<U: Table<Key = T::Key>>(self, condition: Condition<U>) -> Self {
        Self { scan: self.scan.filter(condition), ..self }
    }

    /// How many ranges are read at a time: 16.
    pub fn concurrency(self, ranges: usize) -> Self {
        Self { rows: self.rows.with_width(ranges), ..self }
    }

    /// The first row of the next range, if it has any; `None` at the end.
    ///
    /// # Errors
    /// Of this range. Those after it are not affected.
    pub async fn next_first(&mut self) -> Result<Option<Option<T>>> {
        self.try_next().await
    }

    /// The first row of each range that is left, in a `Vec` or another collection.
    ///
    /// # Errors
    /// Of the first range that fails.
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

/// Nothing in it is pinned where it is.
impl<T: Table> Unpin for TableFirstRows<'_, T> {}

impl<T: Table> fmt::Debug for TableFirstRows<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableFirstRows").field("scan", &self.scan).finish_non_exhaustive()
    }
}
