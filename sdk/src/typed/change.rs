use super::{
    AnyColumn, Column, Counter, DecodeCell, EncodeCell, Table, TableRow, WriteOptions, WriteRow,
};
use crate::key::RowKey;
use crate::{
    Append, Check, CheckAndMutate, Delete, Error, ErrorKind, Increment, Result, Row, show,
};

impl<T: WriteRow> Table<T> {
    /// Deletes a row, all of it.
    ///
    /// See [`Table`](struct@crate::Table) for an example.
    ///
    /// # Errors
    /// As [`RawTable::delete`](crate::RawTable::delete).
    pub async fn delete(&self, key: &T::Key) -> Result<()> {
        self.raw()?.delete(Delete::new(key.encode_key()?)).await
    }

    /// Deletes all versions of one cell.
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
    /// books.put(&Book { isbn: isbn.clone(), title: "HBase".into(), series: Some("Guides".into()) }).await?;
    /// books.delete_cell(&isbn, Book::SERIES).await?;
    /// assert_eq!(books.get(&isbn).await?.unwrap().series, None);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`RawTable::delete`].
    pub async fn delete_cell<V, C>(&self, key: &T::Key, column: Column<T, V, C>) -> Result<()> {
        let delete = Delete::new(key.encode_key()?);
        self.raw()?.delete(delete.column(column.family(), column.qualifier())).await
    }

    /// Adds to a counter, once, and returns its new value.
    ///
    /// See [`Table`](struct@crate::Table) for an example.
    ///
    /// # Errors
    /// As [`RawTable::increment`](crate::RawTable::increment).
    pub async fn increment(
        &self,
        key: &T::Key,
        column: Column<T, Counter>,
        by: i64,
    ) -> Result<i64> {
        let raw = self.raw()?;
        let (family, qualifier) = (column.family(), column.qualifier());
        let increment = Increment::new(key.encode_key()?).add(family, qualifier, by);
        let row = raw.increment(increment).await?;
        let counter: Counter = cell(&row, &column).map_err(|e| e.on_table(raw.name()))?;
        Ok(counter.0)
    }

    /// Appends to a text or to bytes, once, and returns the whole of it.
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
    /// books.append(&isbn, Book::TITLE, &"HBase".to_string()).await?;
    /// assert_eq!(books.append(&isbn, Book::TITLE, &" in Rust".to_string()).await?, "HBase in Rust");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`RawTable::append`].
    pub async fn append<V, C: EncodeCell<V> + DecodeCell<V>>(
        &self,
        key: &T::Key,
        column: Column<T, V, C>,
        value: &V,
    ) -> Result<V> {
        let raw = self.raw()?;
        let row = key.encode_key()?;
        let (family, qualifier) = (column.family(), column.qualifier());
        let append = Append::new(row).add(family, qualifier, bytes(&column, value)?);
        let row = raw.append(append).await?;
        cell(&row, &column).map_err(|e| e.on_table(raw.name()))
    }

    /// Writes a row if one of its cells is as expected, absent for `None`; returns whether it was.
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
    /// assert!(books.check_and_put(Book::TITLE, None, &book("HBase")).await?);
    /// assert!(!books.check_and_put(Book::TITLE, None, &book("Bigtable")).await?);
    /// assert!(books.check_and_put(Book::TITLE, Some(&"HBase".to_string()), &book("Bigtable")).await?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`RawTable::check_and_mutate`].
    pub async fn check_and_put<V, C: EncodeCell<V>>(
        &self,
        column: Column<T, V, C>,
        expected: Option<&V>,
        row: &T,
    ) -> Result<bool> {
        let raw = self.raw()?;
        let put = row.to_put(WriteOptions::new()).map_err(|e| e.on_table(raw.name()))?;
        let check = expect(put.row(), &column, expected)?;
        raw.check_and_mutate(check.then(put)).await
    }

    /// Deletes a row if one of its cells is as expected, absent for `None`; returns whether it was.
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
    /// assert!(!books.check_and_delete(&isbn, Book::TITLE, Some(&"Bigtable".to_string())).await?);
    /// assert!(books.check_and_delete(&isbn, Book::TITLE, Some(&"HBase".to_string())).await?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`RawTable::check_and_mutate`].
    pub async fn check_and_delete<V, C: EncodeCell<V>>(
        &self,
        key: &T::Key,
        column: Column<T, V, C>,
        expected: Option<&V>,
    ) -> Result<bool> {
        let row = key.encode_key()?;
        let check = expect(row.as_ref(), &column, expected)?;
        self.raw()?.check_and_mutate(check.then(Delete::new(row))).await
    }
}

/// The bytes of a value of a column.
pub(super) fn bytes<T, A>(column: &A, value: &A::Value) -> Result<Vec<u8>>
where
    A: AnyColumn<T>,
    A::Codec: EncodeCell<A::Value>,
{
    let mut bytes = Vec::new();
    A::Codec::encode(value, &mut bytes).map(|()| bytes).map_err(|e| {
        let name = show::column(column.family().as_bytes(), &column.qualifier());
        Error::invalid(format!("column {name}: {e}"))
    })
}

/// The value of a column that an increment or append brought back.
pub(super) fn cell<T, A>(row: &Row, column: &A) -> Result<A::Value>
where
    A: AnyColumn<T>,
    A::Codec: DecodeCell<A::Value>,
{
    let qualifier = column.qualifier();
    let fail = |text: String| {
        let name = show::column(column.family().as_bytes(), &qualifier);
        Error::new(ErrorKind::Decode, format!("column {name}: {text}"))
            .during("decode row")
            .on_row(&row.key_bytes())
    };
    let value = row.value(column.family(), &qualifier);
    let value = value.ok_or_else(|| fail("expected the new value, found no such cell".into()))?;
    A::Codec::decode(value).map_err(|e| fail(format!("{e} in {}", show::bytes(value))))
}

fn expect<T: TableRow, V, C: EncodeCell<V>>(
    row: &[u8],
    column: &Column<T, V, C>,
    expected: Option<&V>,
) -> Result<CheckAndMutate> {
    let check = Check::new(row, column.family(), column.qualifier());
    Ok(match expected {
        Some(value) => check.equals(bytes(column, value)?),
        None => check.is_absent(),
    })
}
