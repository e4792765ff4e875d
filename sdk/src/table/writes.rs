//! The methods of `TypedTable` that change parts of a row, with or without a condition, and those
//! that delete.

use std::marker::PhantomData;

use super::{RowChange, Table, TypedTable, Update, UpdateResult, WriteRow};
use crate::Counter;
use crate::model::value::{DecodeCell, EncodeCell};
use crate::request::op::{Check, CheckAndMutate, CheckResult, RowMutations};
use crate::table::column::encode_value;
use crate::table::column::{AnyColumn, Column, Condition, Operand};
use crate::{Delete, Result};

impl<T: WriteRow> TypedTable<T> {
    /// Changes some cells of a row in one step, and returns the counters and texts it added to. Its
    /// [`DeliveryGuarantee`](crate::DeliveryGuarantee) determines whether an update whose reply is
    /// lost is sent again; one that only adds and appends always is, and is applied once.
    ///
    /// See [`Update`] for an example.
    ///
    /// # Errors
    /// The errors of [`RawTable::mutate_row`](crate::RawTable::mutate_row); also a value outside
    /// its constraint, and then nothing is sent.
    pub async fn update(&self, key: &T::Key, update: Update<T>) -> Result<UpdateResult<T>> {
        self.update_as("update", key, update).await
    }

    /// An update for a caller who knows it by this name, which errors have.
    pub(crate) async fn update_as(
        &self,
        called: &'static str,
        key: &T::Key,
        update: Update<T>,
    ) -> Result<UpdateResult<T>> {
        let raw = self.raw()?;
        let change = self.change_of(called, key, &update)?;
        let done = raw.run_as(called, change);
        let done = match self.hooks.is_empty() {
            true => done.await?,
            false => Box::pin(self.change(RowChange::Update(key, &update), done, |_| true)).await?,
        };
        Ok(UpdateResult { row: done.row, of: PhantomData })
    }

    /// The changes of a row.
    pub(super) fn change_of(
        &self,
        called: &'static str,
        key: &T::Key,
        update: &Update<T>,
    ) -> Result<RowMutations> {
        let (raw, row) = (self.raw()?, self.row(called, key)?);
        let change = update.of_row(row.as_ref(), self.options);
        change.map_err(|e| e.during(called).on_table(raw.name()))
    }

    /// Changes some cells of a row if a condition holds, in one step; returns whether it was
    /// applied.
    ///
    /// `is_absent`, alone, is the only condition that holds for a row that does not exist; any
    /// other, and `is_absent` combined with others, holds only for rows that do, where it is true
    /// as it is for a scan. Alone, `is_absent` holds for an empty value too: HBase does not tell
    /// these apart, and on Bigtable it is the same. It is never sent twice once it may have reached
    /// a server.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table, TableDescriptor, Update};
    /// # #[derive(RowKey, Clone)] struct Seat { number: u64 }
    /// # #[derive(Table)] #[table(name = "seats")] #[family("d")]
    /// # struct Booking { #[key] seat: Seat, #[cell("d:b")] by: String, #[cell("d:p")] price: Option<f64> }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::of::<Booking>()?).await?;
    /// # let seats = client.table::<Booking>();
    /// let seat = Seat { number: 1 };
    /// let take = |who: &str| Update::new().set(Booking::BY, who).set(Booking::PRICE, 9.5);
    /// assert!(
    ///     seats.check_and_update(&seat, Booking::BY.is_absent(), take("ada")).await?.is_applied()
    /// );
    /// assert!(
    ///     !seats
    ///         .check_and_update(&seat, Booking::BY.is_absent(), take("bob"))
    ///         .await?
    ///         .is_applied()
    /// );
    /// let cheap = Booking::BY.eq("ada") & Booking::PRICE.lt(10.0);
    /// assert!(
    ///     seats
    ///         .check_and_update(&seat, cheap, Update::new().set(Booking::PRICE, 12.0))
    ///         .await?
    ///         .is_applied()
    /// );
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`update`](TypedTable::update); and
    /// [`OutcomeUnknown`](crate::ErrorKind::OutcomeUnknown) when it was sent and never answered.
    pub async fn check_and_update(
        &self,
        key: &T::Key,
        condition: Condition<T>,
        update: Update<T>,
    ) -> Result<CheckResult> {
        const NAME: &str = "check and update";
        let raw = self.raw()?;
        let change = self.change_of(NAME, key, &update)?;
        let done = raw.run_as(NAME, condition.on_row(change.row()).then(change));
        let done = match self.hooks.is_empty() {
            true => done.await?,
            false => {
                let change = RowChange::Update(key, &update);
                Box::pin(self.change(change, done, |done| done.applied)).await?
            }
        };
        Ok(CheckResult::new(done.applied))
    }

    /// Sets a cell if its bytes are still those that were read; returns whether it was applied. No
    /// hooks are called: it is for changes that leave the value the same to its readers.
    pub(crate) async fn replace_cell<V, C>(
        &self,
        key: &T::Key,
        column: Column<T, V, C>,
        expected: &[u8],
        bytes: &[u8],
    ) -> Result<CheckResult> {
        const NAME: &str = "replace cell";
        let change = self.change_of(NAME, key, &Update::new().set_bytes(column, bytes))?;
        let check =
            Check::new(change.row(), column.family(), column.qualifier()).if_equals(expected);
        let done = self.raw()?.run_as(NAME, check.then(change)).await?;
        Ok(CheckResult::new(done.applied))
    }

    /// Deletes a row, all of it.
    ///
    /// See [`TypedTable`](crate::TypedTable) for an example.
    ///
    /// # Errors
    /// The errors of [`RawTable::delete`](crate::RawTable::delete).
    pub async fn delete(&self, key: &T::Key) -> Result<()> {
        let raw = self.raw()?;
        let delete = self.delete_of("delete", key)?;
        if self.hooks.is_empty() {
            return raw.delete(delete).await;
        }
        Box::pin(self.change(RowChange::Delete(key), raw.delete(delete), |()| true)).await
    }

    /// The delete of a row.
    pub(super) fn delete_of(&self, called: &'static str, key: &T::Key) -> Result<Delete> {
        let delete = Delete::new(self.row(called, key)?);
        Ok(self.options.timestamp.into_iter().fold(delete, Delete::until))
    }

    /// Deletes all versions of one cell, whose field must be an `Option` or have a default.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table, TableDescriptor};
    /// # #[derive(RowKey, Clone)] struct Isbn { number: u64 }
    /// # #[derive(Table)] #[table(name = "books")] #[family("b")]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:t")] title: String, #[cell("b:s")] series: Option<String> }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::of::<Book>()?).await?;
    /// # let books = client.table::<Book>();
    /// let isbn = Isbn { number: 1 };
    /// books
    ///     .put(&Book { isbn: isbn.clone(), title: "HBase".into(), series: Some("Guides".into()) })
    ///     .await?;
    /// books.delete_cell(&isbn, Book::SERIES).await?;
    /// assert_eq!(books.get(&isbn).await?.unwrap().series, None);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`RawTable::delete`](crate::RawTable::delete).
    pub async fn delete_cell<A: AnyColumn<T>>(&self, key: &T::Key, column: A) -> Result<()> {
        self.update_as("delete cell", key, Update::new().unset(column)).await.map(drop)
    }

    /// Adds to a counter, once, and returns its new value; `None` if it was applied and its value
    /// is not known, as with [`RawTable::increment`](crate::RawTable::increment).
    ///
    /// See [`TypedTable`](crate::TypedTable) for an example.
    ///
    /// # Errors
    /// The errors of [`RawTable::increment`](crate::RawTable::increment).
    pub async fn increment(
        &self,
        key: &T::Key,
        column: Column<T, Counter>,
        by: i64,
    ) -> Result<Option<i64>> {
        Ok(self.increment_columns(key, [(column, by)]).await?.map(|[sum]| sum))
    }

    /// Adds to several counters of a row, once and in one step, and returns their new values;
    /// `None` as for [`increment`](TypedTable::increment). What is added to the same counter is
    /// added up.
    ///
    /// ```
    /// # use tallrow::{Client, Counter, RowKey, Table, TableDescriptor};
    /// # #[derive(RowKey)] struct Url { url: String }
    /// # #[derive(Table)] #[table(name = "pages")] #[family("c")]
    /// # struct Page { #[key] url: Url, #[cell("c:h")] hits: Counter, #[cell("c:b")] bytes: Counter }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::of::<Page>()?).await?;
    /// # let pages = client.table::<Page>();
    /// let page = Url { url: "/".into() };
    /// pages.increment(&page, Page::HITS, 1).await?;
    /// let sums = pages.increment_columns(&page, [(Page::HITS, 1), (Page::BYTES, 4_096)]).await?;
    /// assert_eq!(sums, Some([2, 4_096]));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`RawTable::increment`](crate::RawTable::increment).
    pub async fn increment_columns<const N: usize>(
        &self,
        key: &T::Key,
        counters: [(Column<T, Counter>, i64); N],
    ) -> Result<Option<[i64; N]>> {
        let add = |update: Update<T>, (column, by)| update.add(column, by);
        let changed =
            self.update_as("increment", key, counters.into_iter().fold(Update::new(), add)).await?;
        let mut sums = [0; N];
        for (sum, (column, _)) in sums.iter_mut().zip(counters) {
            match changed.get(column)? {
                Some(Counter(value)) => *sum = value,
                None => return Ok(None),
            }
        }
        Ok(Some(sums))
    }

    /// Appends to a text or to bytes, once, and returns the whole value; `None` as for
    /// [`increment`](TypedTable::increment).
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table, TableDescriptor};
    /// # #[derive(RowKey, Clone)] struct Isbn { number: u64 }
    /// # #[derive(Table)] #[table(name = "books")] #[family("b")]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:t")] title: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::of::<Book>()?).await?;
    /// # let books = client.table::<Book>();
    /// let isbn = Isbn { number: 1 };
    /// books.append(&isbn, Book::TITLE, "HBase").await?;
    /// assert_eq!(
    ///     books.append(&isbn, Book::TITLE, " in Rust").await?,
    ///     Some("HBase in Rust".into())
    /// );
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`RawTable::append`](crate::RawTable::append).
    pub async fn append<V, C: EncodeCell<V> + DecodeCell<V>>(
        &self,
        key: &T::Key,
        column: Column<T, V, C>,
        value: impl Operand<V>,
    ) -> Result<Option<V>> {
        self.update_as("append", key, Update::new().append(column, value)).await?.get(column)
    }

    /// Writes a row if one of its cells has the expected value, or is absent or empty for `None`;
    /// returns whether it was applied. A version is incremented, but not compared.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table, TableDescriptor};
    /// # #[derive(RowKey)] struct Isbn { number: u64 }
    /// # #[derive(Table)] #[table(name = "books")] #[family("b")]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:t")] title: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::of::<Book>()?).await?;
    /// # let books = client.table::<Book>();
    /// let book = |title: &str| Book { isbn: Isbn { number: 1 }, title: title.into() };
    /// assert!(books.check_and_put(Book::TITLE, None, &book("HBase")).await?.is_applied());
    /// assert!(!books.check_and_put(Book::TITLE, None, &book("Bigtable")).await?.is_applied());
    /// assert!(
    ///     books
    ///         .check_and_put(Book::TITLE, Some(&"HBase".to_string()), &book("Bigtable"))
    ///         .await?
    ///         .is_applied()
    /// );
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`RawTable::check_and_mutate`](crate::RawTable::check_and_mutate).
    pub async fn check_and_put<V, C: EncodeCell<V>>(
        &self,
        column: Column<T, V, C>,
        expected: Option<&V>,
        row: &T,
    ) -> Result<CheckResult> {
        const NAME: &str = "check and put";
        let raw = self.raw()?;
        let put = row.to_put(self.options).map_err(|e| e.called(NAME).on_table(raw.name()))?;
        let check = expect(put.row(), &column, expected);
        let check = check.map_err(|e| e.during(NAME).on_table(raw.name()))?;
        let done = raw.run_as(NAME, check.then(put));
        let done = Box::pin(self.change(RowChange::Put(row), done, |done| done.applied)).await?;
        Ok(CheckResult::new(done.applied))
    }

    /// Deletes a row if one of its cells has the expected value, or is absent or empty for `None`;
    /// returns whether it was applied.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table, TableDescriptor};
    /// # #[derive(RowKey, Clone)] struct Isbn { number: u64 }
    /// # #[derive(Table)] #[table(name = "books")] #[family("b")]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:t")] title: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::of::<Book>()?).await?;
    /// # let books = client.table::<Book>();
    /// let isbn = Isbn { number: 1 };
    /// books.put(&Book { isbn: isbn.clone(), title: "HBase".into() }).await?;
    /// assert!(
    ///     !books
    ///         .check_and_delete(&isbn, Book::TITLE, Some(&"Bigtable".to_string()))
    ///         .await?
    ///         .is_applied()
    /// );
    /// assert!(
    ///     books
    ///         .check_and_delete(&isbn, Book::TITLE, Some(&"HBase".to_string()))
    ///         .await?
    ///         .is_applied()
    /// );
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`RawTable::check_and_mutate`](crate::RawTable::check_and_mutate).
    pub async fn check_and_delete<V, C: EncodeCell<V>>(
        &self,
        key: &T::Key,
        column: Column<T, V, C>,
        expected: Option<&V>,
    ) -> Result<CheckResult> {
        const NAME: &str = "check and delete";
        let raw = self.raw()?;
        let delete = self.delete_of(NAME, key)?;
        let check = expect(delete.row(), &column, expected);
        let check = check.map_err(|e| e.during(NAME).on_table(raw.name()))?;
        let done = raw.run_as(NAME, check.then(delete));
        let done = Box::pin(self.change(RowChange::Delete(key), done, |done| done.applied)).await?;
        Ok(CheckResult::new(done.applied))
    }
}

fn expect<T: Table, V, C: EncodeCell<V>>(
    row: &[u8],
    column: &Column<T, V, C>,
    expected: Option<&V>,
) -> Result<CheckAndMutate> {
    let check = Check::new(row, column.family(), column.qualifier());
    Ok(match expected {
        Some(value) => check.if_equals(encode_value(column, value)?),
        None => check.if_not_exists(),
    })
}
