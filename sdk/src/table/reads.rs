//! The methods of `TypedTable` that read rows by key, start scans, and locate rows.

use std::collections::HashSet;

use bytes::Bytes;

use super::hook::read_row;
use super::{Table, TableScan, TypedTable};
use crate::key::{RowRange, RowRanges};
use crate::model::region_location::RegionLocation;
use crate::request::op::{BatchResults, TimelineRead};
use crate::runtime::tasks::run_concurrently;
use crate::{Error, Get, Result, Row};

impl<T: Table> TypedTable<T> {
    /// Reads a row; returns `None` if the row has none of the row type's cells.
    ///
    /// See [`TypedTable`](crate::TypedTable) for an example.
    ///
    /// # Errors
    /// The errors of [`RawTable::get`](crate::RawTable::get); and
    /// [`Decode`](crate::ErrorKind::Decode) if the row does not match the type.
    pub async fn get(&self, key: &T::Key) -> Result<Option<T>> {
        self.decode(self.raw()?.get(self.to_get("get", key)?).await?)
    }

    /// Reads many rows at once, and returns the result for each key, in the order of the keys.
    ///
    /// See [`put_all`](TypedTable::put_all) for an example.
    pub async fn get_all<'a>(
        &self,
        keys: impl IntoIterator<Item = &'a T::Key>,
    ) -> BatchResults<Option<T>>
    where
        T::Key: 'a,
    {
        let gets = keys.into_iter().map(|key| Ok(self.to_get("get", key)?.into()));
        let outcomes = self.run_named(gets).await.into_iter();
        BatchResults::new(outcomes.map(|outcome| self.decode(outcome?.row)).collect())
    }

    /// Reads a row with [`Consistency::Timeline`](crate::op::Consistency::Timeline): from the
    /// primary replica of its region or, if the primary does not answer soon, from a secondary
    /// replica. The result says whether the answer may be stale; the answer that there is no such
    /// row may be stale too.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table, TableDescriptor};
    /// # #[derive(RowKey)] struct Isbn { number: u64 }
    /// # #[derive(Table)] #[table(name = "books")] #[family("b")]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:t")] title: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// client.admin().create_table(&TableDescriptor::of::<Book>()?.region_replication(2)).await?;
    /// let books = client.table::<Book>();
    /// books.put(&Book { isbn: Isbn { number: 1 }, title: "HBase".into() }).await?;
    /// let read = books.get_timeline(&Isbn { number: 1 }).await?;
    /// assert!(!read.is_stale, "the primary replica has answered");
    /// assert_eq!(read.value.unwrap().title, "HBase");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`get`](TypedTable::get).
    pub async fn get_timeline(&self, key: &T::Key) -> Result<TimelineRead<Option<T>>> {
        let read = self.raw()?.get_timeline(self.to_get("get", key)?).await?;
        Ok(TimelineRead { value: self.decode(read.value)?, is_stale: read.is_stale })
    }

    /// Reads many rows at once as [`get_timeline`](TypedTable::get_timeline) does, and returns the
    /// result for each key, in the order of the keys.
    pub async fn get_all_timeline<'a>(
        &self,
        keys: impl IntoIterator<Item = &'a T::Key>,
    ) -> BatchResults<TimelineRead<Option<T>>>
    where
        T::Key: 'a,
    {
        BatchResults::new(
            run_concurrently(keys.into_iter().map(|key| self.get_timeline(key))).await,
        )
    }

    /// Returns whether the row has any of the row type's cells.
    ///
    /// See [`TypedTable`](crate::TypedTable) for an example.
    ///
    /// # Errors
    /// The errors of [`RawTable::exists`](crate::RawTable::exists).
    pub async fn exists(&self, key: &T::Key) -> Result<bool> {
        self.raw()?.exists(self.to_get("exists", key)?).await
    }

    /// Returns a scan of the rows in a range of keys. The range is built with `MyKey::scan()` and
    /// the values of as many key fields as needed.
    ///
    /// The rows of a salted key are returned in the order of the key without its salt, merged from
    /// all buckets.
    ///
    /// See [`TypedTable`](crate::TypedTable) for an example.
    pub fn scan<R: RowRanges<Key = T::Key>>(&self, ranges: R) -> TableScan<T> {
        self.scan_without_ranges().with_ranges(ranges)
    }

    /// Returns a scan that has no ranges yet.
    pub(super) fn scan_without_ranges(&self) -> TableScan<T> {
        TableScan::new(self.raw().cloned(), (*self.columns).clone(), self.hooks.clone())
    }

    /// Returns the region that holds the row with this key, and the server of the region. The row
    /// need not exist.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table};
    /// # #[derive(RowKey)] #[row_key(salt(buckets = 4, fields = (user)))] struct EventKey { user: u32, at: u64 }
    /// # #[derive(Table)] #[table(name = "events")] #[family("d")]
    /// # struct Event { #[key] key: EventKey, #[cell("d:w")] what: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// client.admin().create::<Event>().await?; // split at its buckets
    /// let events = client.table::<Event>();
    /// let key = EventKey { user: 7, at: 1 };
    /// let region = events.locate(&key).await?;
    /// assert!(region.contains(&key.encode()));
    /// // All rows of the user are there, and those of all users in the regions of all buckets.
    /// assert_eq!(events.locate_range(EventKey::scan().user(7)).await?, [region]);
    /// assert_eq!(events.locate_range(EventKey::scan()).await?.len(), 4);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// A key that cannot be encoded; the errors of
    /// [`RegionLocator::locate`](crate::regions::RegionLocator::locate).
    pub async fn locate(&self, key: &T::Key) -> Result<RegionLocation> {
        let row = Bytes::copy_from_slice(self.encode_row_key("locate", key)?.as_ref());
        self.raw()?.region_locator().locate(row).await
    }

    /// Returns the regions that cover a range of keys, which is built as for a
    /// [`scan`](TypedTable::scan). Each region is returned once, in the order of the ranges that
    /// the scan would read. Regions that the client does not know yet are looked up.
    ///
    /// See [`locate`](TypedTable::locate) for an example.
    ///
    /// # Errors
    /// The errors of [`locate`](TypedTable::locate).
    pub async fn locate_range<R: RowRanges<Key = T::Key>>(
        &self,
        ranges: R,
    ) -> Result<Vec<RegionLocation>> {
        let locator = self.raw()?.region_locator();
        let ranges =
            ranges.row_ranges().map_err(|e| Error::from(e).with_operation_if_unset("locate"))?;
        let ranges: Vec<RowRange> = ranges.into_iter().collect();
        let mut regions = Vec::new();
        let mut names = HashSet::new();
        for range in ranges {
            let found = locator.locate_range(&range).await?;
            regions.extend(found.into_iter().filter(|region| names.insert(region.name.clone())));
        }
        Ok(regions)
    }

    pub(super) fn to_get(&self, operation: &'static str, key: &T::Key) -> Result<Get> {
        Ok(Get::with_columns(self.encode_row_key(operation, key)?, self.columns.clone()))
    }

    pub(super) fn decode(&self, row: Option<Row>) -> Result<Option<T>> {
        let row = row.map(|row| read_row(&row, &self.hooks)).transpose();
        row.map_err(|e| match &self.raw {
            Ok(raw) => e.on_table(raw.name()),
            Err(_) => e,
        })
    }
}
