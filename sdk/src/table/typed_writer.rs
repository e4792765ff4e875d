//! `TypedWriter`: collects the writes of typed rows and sends many at a time.

use std::fmt;
use std::time::Duration;

use super::{Table, TypedTable, Update, WriteRow};
use crate::raw_table::writer::{CloseReport, FlushReport, Writer, WriterBuilder, WriterStats};
use crate::{Error, Result};

/// Collects writes of typed rows and sends them many at a time; cheap to clone, and shared by all
/// its clones.
///
/// It is a [`Writer`] with the keys and cells of the row type: see
/// [`tallrow::writer`](crate::writer) for what it does.
///
/// ```
/// use std::time::Duration;
/// use tallrow::{Client, Counter, RowKey, Table, Update};
///
/// #[derive(RowKey, Clone)]
/// struct PageKey {
///     page: u64,
/// }
///
/// #[derive(Table)]
/// #[table(name = "pages")]
/// #[family("d")]
/// struct Page {
///     #[key]
///     key: PageKey,
///     #[cell("d:t")]
///     title: String,
///     #[cell("d:h")]
///     hits: Counter,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = Client::connect("mock:").await?;
/// client.admin().create::<Page>().await?;
/// let pages = client.table::<Page>();
/// let writer = pages.writer().linger(Duration::from_millis(5)).start()?;
/// for page in 0..1_000 {
///     writer
///         .put(&Page { key: PageKey { page }, title: format!("Page {page}"), hits: Counter(0) })
///         .await?;
///     writer.update(&PageKey { page }, Update::new().add(Page::HITS, 2)).await?;
/// }
/// writer.delete(&PageKey { page: 7 }).await?;
/// assert!(writer.close(Duration::from_secs(30)).await.is_complete());
/// assert_eq!(pages.get(&PageKey { page: 6 }).await?.unwrap().hits, Counter(2));
/// assert!(!pages.exists(&PageKey { page: 7 }).await?);
/// # Ok(())
/// # }
/// ```
pub struct TypedWriter<T: Table> {
    table: TypedTable<T>,
    raw: Writer,
}

impl<T: WriteRow> TypedTable<T> {
    /// A writer that collects writes of this table and sends many at a time, with the options of
    /// this handle.
    ///
    /// Each write is the same as the table's own `put`, `update` or `delete`. A table with a hook
    /// has none: a hook is asked about each write, and may add others before it.
    /// [`start`](WriterBuilder::start) returns an error for it.
    ///
    /// See [`TypedWriter`] for an example.
    pub fn writer(&self) -> WriterBuilder<TypedWriter<T>>
    where
        T: 'static,
    {
        let hooks =
            "the table has a hook, which is asked about each write; write through the table itself";
        let raw = match self.hooks.is_empty() {
            true => self.raw().cloned(),
            false => Err(Error::invalid(hooks)),
        };
        let table = self.clone();
        WriterBuilder::new(raw, |raw| TypedWriter { table, raw })
    }
}

impl<T: WriteRow> TypedWriter<T> {
    /// Adds the put of a row, as [`TypedTable::put`] does it; waits while the buffer is full.
    ///
    /// See [`TypedWriter`] for an example of this and the other functions.
    ///
    /// # Errors
    /// The errors of [`Writer::write`]; also a key that cannot be encoded, a value outside its
    /// constraint, and a row with a `row_version`, whose put depends on an answer.
    pub async fn put(&self, row: &T) -> Result<()> {
        let failed = |e: Error| e.on_table(self.raw.name());
        let put = row.to_put(self.table.options).map_err(failed)?;
        if row.version().is_some() {
            let text = "the row has a version, which a writer cannot compare; put it through the table itself";
            return Err(failed(Error::invalid(text).during("put")));
        }
        self.raw.write(put).await
    }

    /// Adds an update of a row, as [`TypedTable::update`] does it; waits while the buffer is full.
    ///
    /// # Errors
    /// The errors of [`put`](TypedWriter::put).
    pub async fn update(&self, key: &T::Key, update: Update<T>) -> Result<()> {
        self.raw.write(self.table.change_of("update", key, &update)?).await
    }

    /// Adds the delete of a row, as [`TypedTable::delete`] does it; waits while the buffer is full.
    ///
    /// # Errors
    /// The errors of [`put`](TypedWriter::put).
    pub async fn delete(&self, key: &T::Key) -> Result<()> {
        self.raw.write(self.table.delete_of("delete", key)?).await
    }
}

impl<T: Table> TypedWriter<T> {
    /// The writer with bytes in place of the type's keys and values.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table};
    /// # #[derive(RowKey)] struct Isbn { number: u64 }
    /// # #[derive(Table)] #[table(name = "books")] #[family("b")]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:t")] title: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// assert_eq!(client.table::<Book>().writer().start()?.raw().name().as_str(), "books");
    /// # Ok(())
    /// # }
    /// ```
    pub fn raw(&self) -> &Writer {
        &self.raw
    }

    /// Sends what was collected and waits until all of it has been answered: [`Writer::flush`].
    pub async fn flush(&self) -> FlushReport {
        self.raw.flush().await
    }

    /// Accepts no more writes, and returns within the time `within` what is not known to be on the
    /// servers: [`Writer::close`].
    pub async fn close(&self, within: Duration) -> CloseReport {
        self.raw.close(within).await
    }

    /// What the writer was given so far, and what became of it: [`Writer::stats`].
    pub fn stats(&self) -> WriterStats {
        self.raw.stats()
    }
}

impl<T: Table> Clone for TypedWriter<T> {
    fn clone(&self) -> Self {
        Self { table: self.table.clone(), raw: self.raw.clone() }
    }
}

impl<T: Table> fmt::Debug for TypedWriter<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TypedWriter").field(self.raw.name()).finish()
    }
}
