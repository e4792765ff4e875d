//! `TypedWriter`, which collects writes of typed rows and sends many of them together.

use std::fmt;
use std::time::Duration;

use super::{Table, TypedTable, Update, WriteRow};
use crate::raw_table::writer::{CloseReport, FlushReport, Writer, WriterBuilder, WriterStats};
use crate::{Error, Result};

/// A writer that collects writes of typed rows and sends many of them together; cheap to clone, and
/// shared by all its clones.
///
/// It works like a [`Writer`], but takes keys and cells of the row type; see
/// [`tallrow::writer`](crate::writer) for what a writer does.
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
    /// Returns the builder of a writer that collects writes to this table and sends many of them
    /// together, with the options of this handle.
    ///
    /// Each write is the same as the table's own `put`, `update` or `delete`. A handle with a hook
    /// cannot have a writer, because the hook would be called for each write and could add other
    /// writes before it; [`start`](WriterBuilder::start) then returns an error.
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
    /// Adds to the buffer the same put of a row that [`TypedTable::put`] sends; waits while the
    /// buffer is full.
    ///
    /// See [`TypedWriter`] for an example of this and the other functions.
    ///
    /// # Errors
    /// The errors of [`Writer::write`]; also a key that cannot be encoded, a value outside its
    /// constraint, and a row with a `row_version`, because its put depends on the version in the
    /// table.
    pub async fn put(&self, row: &T) -> Result<()> {
        let failed = |e: Error| e.on_table(self.raw.name());
        let put = row.to_put(self.table.options).map_err(failed)?;
        if row.version().is_some() {
            let text = "the row has a version, which a writer cannot compare; put it through the table itself";
            return Err(failed(Error::invalid(text).with_operation_if_unset("put")));
        }
        self.raw.write(put).await
    }

    /// Adds to the buffer the same update of a row that [`TypedTable::update`] sends; waits while
    /// the buffer is full.
    ///
    /// # Errors
    /// The errors of [`put`](TypedWriter::put).
    pub async fn update(&self, key: &T::Key, update: Update<T>) -> Result<()> {
        self.raw.write(self.table.mutations_of("update", key, &update)?).await
    }

    /// Adds to the buffer the same delete of a row that [`TypedTable::delete`] sends; waits while
    /// the buffer is full.
    ///
    /// # Errors
    /// The errors of [`put`](TypedWriter::put).
    pub async fn delete(&self, key: &T::Key) -> Result<()> {
        self.raw.write(self.table.delete_of("delete", key)?).await
    }
}

impl<T: Table> TypedWriter<T> {
    /// Returns the same writer without the row type: its keys and values are bytes.
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

    /// Sends the collected writes and waits until all of them have been answered, like
    /// [`Writer::flush`].
    pub async fn flush(&self) -> FlushReport {
        self.raw.flush().await
    }

    /// Stops accepting writes, waits at most the time `within` for those under way, and returns the
    /// writes that are not known to be on the servers, like [`Writer::close`].
    pub async fn close(&self, within: Duration) -> CloseReport {
        self.raw.close(within).await
    }

    /// The number of writes that were given to the writer so far, and how many of them had each
    /// outcome; see [`Writer::stats`].
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
