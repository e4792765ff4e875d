//! The methods of `TypedTable` that write whole rows.

use super::change::BatchOperation;
use super::{RowChange, TypedTable, WriteRow};
use crate::Result;
use crate::request::op::BatchResults;

impl<T: WriteRow> TypedTable<T> {
    /// Writes a row, except for its counters and the fields that are `None`: the cells of these
    /// fields are not changed.
    ///
    /// So a row can be read, changed and put again while other writers add to its counters. A
    /// [`Counter`](crate::Counter) is changed only by [`increment`](TypedTable::increment), even in
    /// a new row; to delete a cell, use [`Update::unset`](crate::Update::unset).
    ///
    /// ```
    /// # use tallrow::{Client, Counter, RowKey, Table, TableDescriptor};
    /// # #[derive(RowKey, Clone)] struct Id { id: u64 }
    /// #[derive(Table)]
    /// #[table(name = "pages")]
    /// #[family("d")]
    /// struct Page {
    ///     #[key]
    ///     id: Id,
    ///     #[cell("d:t")]
    ///     title: String,
    ///     #[cell("d:n")]
    ///     note: Option<String>,
    ///     #[cell("d:h")]
    ///     hits: Counter,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create::<Page>().await?;
    /// # let pages = client.table::<Page>();
    /// let id = Id { id: 1 };
    /// let page = Page {
    ///     id: id.clone(),
    ///     title: "Home".into(),
    ///     note: Some("new".into()),
    ///     hits: Counter(5),
    /// };
    /// pages.put(&page).await?;
    /// pages.increment(&id, Page::HITS, 1).await?;
    /// pages.put(&Page { note: None, hits: Counter(0), ..page }).await?;
    /// let page = pages.get(&id).await?.unwrap();
    /// assert_eq!((page.note.as_deref(), page.hits), (Some("new"), Counter(1)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// The [`DeliveryGuarantee`](crate::DeliveryGuarantee) of the put determines whether it is sent
    /// again if its reply is lost.
    ///
    /// A row with a field `#[cell("d:v", row_version)]` is written only if the table still has the
    /// same version of the row; the version in the table is then incremented.
    ///
    /// # Errors
    /// The errors of [`RawTable::put`](crate::RawTable::put); a key that cannot be encoded or a
    /// value outside its constraint, and then nothing is sent; and
    /// [`Conflict`](crate::ErrorKind::Conflict) if the row in the table has another version.
    pub async fn put(&self, row: &T) -> Result<()> {
        let raw = self.raw()?;
        let put = self.put_of(raw, row)?;
        if row.version().is_none() && self.hooks.is_empty() {
            return raw.run_with_name("put", put).await.map(drop);
        }
        let done = async { self.check_version(raw, row, raw.run_with_name("put", put).await?) };
        Box::pin(self.run_with_hooks(RowChange::Put(row), done, |_| true)).await.map(drop)
    }

    /// Writes a row like [`put`](TypedTable::put), and then sets the version in `row` to the new
    /// version, so that `row` can be saved again.
    ///
    /// ```
    /// # use tallrow::{Client, ErrorKind, RowKey, Table, TableDescriptor};
    /// # #[derive(RowKey, Clone)] struct Id { id: u64 }
    /// #[derive(Table, Clone)]
    /// #[table(name = "accounts")]
    /// #[family("d")]
    /// struct Account {
    ///     #[key]
    ///     id: Id,
    ///     #[cell("d:o")]
    ///     owner: String,
    ///     #[cell("d:v", row_version)]
    ///     version: u64,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::of::<Account>()?).await?;
    /// # let accounts = client.table::<Account>();
    /// let mut mine = Account { id: Id { id: 1 }, owner: "ada".into(), version: 0 };
    /// accounts.save(&mut mine).await?;
    /// let mut yours = accounts.get(&mine.id).await?.unwrap();
    /// assert_eq!((mine.version, yours.version), (1, 1));
    ///
    /// accounts.save(&mut yours).await?;
    /// assert_eq!(accounts.save(&mut mine).await.unwrap_err().kind(), ErrorKind::Conflict);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`put`](TypedTable::put).
    pub async fn save(&self, row: &mut T) -> Result<()> {
        self.put(row).await?;
        row.increment_version();
        Ok(())
    }

    /// Writes many rows at once, and returns the result for each row, in the order of the rows.
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
    /// let books = client.table::<Book>();
    /// let shelf: Vec<_> =
    ///     (0..100).map(|number| Book { isbn: Isbn { number }, title: "HBase".into() }).collect();
    /// books.put_all(&shelf).await.into_result()?;
    /// let isbns = [Isbn { number: 5 }, Isbn { number: 500 }];
    /// let found = books.get_all(&isbns).await.into_result()?;
    /// assert_eq!(found[0].as_ref().unwrap().title, "HBase");
    /// assert!(found[1].is_none());
    /// books.delete_all(&isbns).await.into_result()?;
    /// assert!(!books.exists(&isbns[0]).await?);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn put_all<'a>(&self, rows: impl IntoIterator<Item = &'a T>) -> BatchResults<()>
    where
        T: 'a,
    {
        let rows: Vec<_> = rows.into_iter().map(BatchOperation::Put).collect();
        let outcomes = self.run_changes(&rows).await.into_iter();
        BatchResults::new(outcomes.map(|outcome| outcome.map(drop)).collect())
    }
}
