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
    /// Changes some cells of a row in one step, and returns the new values of the cells that the
    /// update added to or appended to. The [`DeliveryGuarantee`](crate::DeliveryGuarantee) of the
    /// update determines whether it is sent again if its reply is lost. An update that only adds
    /// and appends is always sent again, and is still applied only once.
    ///
    /// See [`Update`] for an example.
    ///
    /// # Errors
    /// The errors of [`RawTable::mutate_row`](crate::RawTable::mutate_row); also a value outside
    /// its constraint, and then nothing is sent.
    pub async fn update(&self, key: &T::Key, update: Update<T>) -> Result<UpdateResult<T>> {
        self.update_with_name("update", key, update).await
    }

    /// Applies an update; `operation_name` is the name of the operation in errors.
    pub(crate) async fn update_with_name(
        &self,
        operation_name: &'static str,
        key: &T::Key,
        update: Update<T>,
    ) -> Result<UpdateResult<T>> {
        let raw = self.raw()?;
        let change = self.mutations_of(operation_name, key, &update)?;
        let done = raw.run_with_name(operation_name, change);
        let done = match self.hooks.is_empty() {
            true => done.await?,
            false => {
                Box::pin(self.run_with_hooks(RowChange::Update(key, &update), done, |_| true))
                    .await?
            }
        };
        Ok(UpdateResult { row: done.row, of: PhantomData })
    }

    /// Returns the mutations of a row that an update makes.
    pub(super) fn mutations_of(
        &self,
        operation_name: &'static str,
        key: &T::Key,
        update: &Update<T>,
    ) -> Result<RowMutations> {
        let (raw, row) = (self.raw()?, self.encode_row_key(operation_name, key)?);
        let change = update.to_mutations(row.as_ref(), self.options);
        change.map_err(|e| e.with_operation_if_unset(operation_name).on_table(raw.name()))
    }

    /// Changes some cells of a row if a condition holds, in one step; returns whether the update
    /// was applied.
    ///
    /// A single `is_absent` is the only condition that can hold for a row that does not exist.
    /// Every other condition, even `is_absent` combined with other conditions, holds only for a row
    /// that exists, and is evaluated as for a scan. A single `is_absent` also holds for an empty
    /// value: HBase does not distinguish an empty value from an absent one here, and the result on
    /// Bigtable is the same. The update is never sent again once it may have reached a server.
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
    /// [`OutcomeUnknown`](crate::ErrorKind::OutcomeUnknown) if the update was sent and never
    /// answered.
    pub async fn check_and_update(
        &self,
        key: &T::Key,
        condition: Condition<T>,
        update: Update<T>,
    ) -> Result<CheckResult> {
        const NAME: &str = "check and update";
        let raw = self.raw()?;
        let change = self.mutations_of(NAME, key, &update)?;
        let done = raw.run_with_name(NAME, condition.into_check(change.row()).then(change));
        let done = match self.hooks.is_empty() {
            true => done.await?,
            false => {
                let change = RowChange::Update(key, &update);
                Box::pin(self.run_with_hooks(change, done, |done| done.applied)).await?
            }
        };
        Ok(CheckResult::new(done.applied))
    }

    /// Sets a cell if its bytes are still `expected`, the bytes that were read; returns whether the
    /// cell was set. No hooks are called, because this is for changes after which readers still see
    /// the same value.
    pub(crate) async fn replace_cell<V, C>(
        &self,
        key: &T::Key,
        column: Column<T, V, C>,
        expected: &[u8],
        bytes: &[u8],
    ) -> Result<CheckResult> {
        const NAME: &str = "replace cell";
        let change = self.mutations_of(NAME, key, &Update::new().set_bytes(column, bytes))?;
        let check =
            Check::new(change.row(), column.family(), column.qualifier()).if_equals(expected);
        let done = self.raw()?.run_with_name(NAME, check.then(change)).await?;
        Ok(CheckResult::new(done.applied))
    }

    /// Deletes a whole row.
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
        Box::pin(self.run_with_hooks(RowChange::Delete(key), raw.delete(delete), |()| true)).await
    }

    /// Returns the delete of a row.
    pub(super) fn delete_of(&self, operation_name: &'static str, key: &T::Key) -> Result<Delete> {
        let delete = Delete::new(self.encode_row_key(operation_name, key)?);
        Ok(self.options.timestamp.into_iter().fold(delete, Delete::until))
    }

    /// Deletes all versions of one cell. The field of the cell must be an `Option` or have a
    /// default.
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
        self.update_with_name("delete cell", key, Update::new().unset(column)).await.map(drop)
    }

    /// Adds `by` to a counter, only once even if a reply is lost, and returns the new value.
    /// Returns `None` if the increment was applied but the new value is not known, which
    /// [`RawTable::increment`](crate::RawTable::increment) explains. On Bigtable, also returns
    /// `None` if the family of the counter is an [aggregate](crate::admin::Aggregate).
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

    /// Adds to several counters of a row in one step, only once even if a reply is lost, and
    /// returns the new values; `None` in the same case as for [`increment`](TypedTable::increment).
    /// Several additions to the same counter are added up.
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
        let changed = self
            .update_with_name("increment", key, counters.into_iter().fold(Update::new(), add))
            .await?;
        let mut sums = [0; N];
        for (sum, (column, _)) in sums.iter_mut().zip(counters) {
            match changed.get(column)? {
                Some(Counter(value)) => *sum = value,
                None => return Ok(None),
            }
        }
        Ok(Some(sums))
    }

    /// Appends `value` to a text or to bytes, only once even if a reply is lost, and returns the
    /// whole new value; `None` in the same case as for [`increment`](TypedTable::increment).
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
        self.update_with_name("append", key, Update::new().append(column, value)).await?.get(column)
    }

    /// Writes a row if the cell of `column` in the table has the value `expected` or, if `expected`
    /// is `None`, is absent or empty; returns whether the row was written. If the row has a
    /// version, the version is incremented, but not compared.
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
        let put =
            row.to_put(self.options).map_err(|e| e.with_operation(NAME).on_table(raw.name()))?;
        let check = expect(put.row(), &column, expected);
        let check = check.map_err(|e| e.with_operation_if_unset(NAME).on_table(raw.name()))?;
        let done = raw.run_with_name(NAME, check.then(put));
        let done =
            Box::pin(self.run_with_hooks(RowChange::Put(row), done, |done| done.applied)).await?;
        Ok(CheckResult::new(done.applied))
    }

    /// Deletes a row if its cell of `column` has the value `expected` or, if `expected` is `None`,
    /// is absent or empty; returns whether the row was deleted.
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
        let check = check.map_err(|e| e.with_operation_if_unset(NAME).on_table(raw.name()))?;
        let done = raw.run_with_name(NAME, check.then(delete));
        let done = Box::pin(self.run_with_hooks(RowChange::Delete(key), done, |done| done.applied))
            .await?;
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
