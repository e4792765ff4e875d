//! `TypedTable`, the handle of a table whose rows are values of a type. Its reads and writes are in
//! separate modules.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::key::RowKey;

use super::hook::{DynHook, Hooks, after_read};
use super::{ExtraMutations, RowChange, RowHook, Table, WriteOptions};
use crate::model::columns::{CellSelection, TimeRange};
use crate::request::call_options::CallOptions;
use crate::request::op::{BatchOutcome, NamedOperation};
use crate::{DeliveryGuarantee, Error, RawTable, Result, Timestamp};

/// A table whose rows are values of `T`; cheap to clone.
///
/// It has the functions of [`RawTable`], but takes and returns keys and cells of the row type
/// instead of bytes.
///
/// ```
/// use tallrow::{Client, Counter, RowKey, Table, TableDescriptor};
///
/// /// The readings of a device, newest first.
/// #[derive(RowKey, Clone, Debug, PartialEq)]
/// struct ReadingKey {
///     device: u32,
///     #[key(rev_ts)]
///     at: i64,
/// }
///
/// #[derive(Table, Clone, Debug, PartialEq)]
/// #[table(name = "readings")]
/// #[family("d", versions = 3)]
/// #[family("c")]
/// struct Reading {
///     #[key]
///     key: ReadingKey,
///     #[cell("d:t")]
///     celsius: f64,
///     #[cell("d:n")]
///     note: Option<String>,
///     #[cell("c:s")]
///     seen: Counter,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = Client::connect("mock:").await?;
/// client.admin().create_table(&TableDescriptor::of::<Reading>()?).await?;
/// let readings = client.table::<Reading>();
///
/// for at in [10, 20, 30] {
///     let key = ReadingKey { device: 7, at };
///     readings.put(&Reading { key, celsius: at as f64, note: None, seen: Counter(0) }).await?;
/// }
/// let key = ReadingKey { device: 7, at: 20 };
/// assert_eq!(readings.increment(&key, Reading::SEEN, 2).await?, Some(2));
/// let reading = readings.get(&key).await?.unwrap();
/// assert_eq!((reading.celsius, reading.seen), (20.0, Counter(2)));
///
/// // The newest of a device; then those of a span of time, whose ends the key swaps.
/// let newest = readings.scan(ReadingKey::scan().device(7)).limit(1).rows().next_row().await?;
/// assert_eq!(newest.unwrap().key.at, 30);
/// let mut some = readings.scan(ReadingKey::scan().device(7).at(15..25)).rows();
/// assert_eq!(some.next_row().await?.unwrap().key.at, 20);
/// assert_eq!(some.next_row().await?, None);
///
/// readings.delete(&key).await?;
/// assert!(!readings.exists(&key).await?);
/// # Ok(())
/// # }
/// ```
pub struct TypedTable<T: Table> {
    pub(super) raw: Result<RawTable, String>,
    /// The columns that are read, built once.
    pub(super) columns: Arc<CellSelection>,
    pub(super) options: WriteOptions,
    pub(super) hooks: Hooks<T>,
}

impl<T: Table> TypedTable<T> {
    pub(crate) fn new(raw: Result<RawTable>) -> Self {
        let raw = raw.map(|raw| raw.with_key_schema(<T::Key as RowKey>::SCHEMA));
        let raw = raw.map_err(|e| e.to_string());
        let options = WriteOptions::new();
        Self { raw, columns: Arc::new(columns_of::<T>()), options, hooks: Arc::new([]) }
    }

    /// Returns the untyped handle of the same table, which takes and returns keys and values as
    /// bytes.
    ///
    /// ```
    /// # use tallrow::{RowKey, Table};
    /// # #[derive(RowKey)] struct Isbn { number: u64 }
    /// # #[derive(Table)] #[table(name = "books")] #[family("b")]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:t")] title: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = tallrow::Client::connect("mock:").await?;
    /// assert_eq!(client.table::<Book>().raw()?.name().as_str(), "books");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// An illegal table name in a hand-written implementation of [`Table`].
    pub fn raw(&self) -> Result<&RawTable> {
        self.raw.as_ref().map_err(|why| Error::invalid(why.clone()))
    }

    /// Sets how long each operation may take, and how long a scan may wait for each row.
    ///
    /// See [`RawTable::with_timeout`] for an example.
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self { raw: self.raw.map(|raw| raw.with_timeout(timeout)), ..self }
    }

    /// Sets the options of each operation and scan; they replace the options that the table had.
    ///
    /// ```
    /// # use tallrow::{RowKey, Table, op::{CallOptions, Durability}};
    /// # #[derive(RowKey)] struct Isbn { number: u64 }
    /// # #[derive(Table)] #[table(name = "books")] #[family("b")]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:t")] title: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = tallrow::Client::connect("mock:").await?;
    /// # client.admin().create::<Book>().await?;
    /// let import = CallOptions::new().durability(Durability::SkipWal).priority(1);
    /// let books = client.table::<Book>().with_options(import);
    /// books.put(&Book { isbn: Isbn { number: 1 }, title: "HBase".into() }).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn with_options(self, options: CallOptions) -> Self {
        Self { raw: self.raw.map(|raw| raw.with_options(options)), ..self }
    }

    /// Sets the policy for puts and deletes whose reply is lost.
    ///
    /// See [`DeliveryGuarantee`] for an example.
    pub fn with_delivery(self, delivery: DeliveryGuarantee) -> Self {
        Self { raw: self.raw.map(|raw| raw.with_delivery(delivery)), ..self }
    }

    /// Sets the timestamp of writes, which is otherwise the server's time: cells that are put or
    /// set get this timestamp, and a delete removes the cells with this timestamp or an older one.
    /// Cells that are added or appended to always get the server's time.
    ///
    /// A timestamp that is set in an [`Update`](crate::Update) takes precedence. See
    /// [`as_of`](TypedTable::as_of) for an example.
    pub fn with_timestamp(self, timestamp: Timestamp) -> Self {
        Self { options: self.options.timestamp(timestamp), ..self }
    }

    /// Sets the time to live of cells that are put, set, added to or appended to: they expire when
    /// `ttl` has passed since their timestamp, or earlier if the time to live of their family is
    /// shorter.
    ///
    /// A time to live that is set in an [`Update`](crate::Update) takes precedence.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use tallrow::{Client, RowKey, Table, Timestamp};
    /// # #[derive(RowKey, Clone)] struct Id { id: u64 }
    /// # #[derive(Table)] #[table(name = "codes")] #[family("d")]
    /// # struct Code { #[key] id: Id, #[cell("d:c")] code: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create::<Code>().await?;
    /// let codes = client.table::<Code>().with_ttl(Duration::from_secs(60));
    /// codes.put(&Code { id: Id { id: 1 }, code: "4711".into() }).await?;
    /// // One that was written two minutes ago is expired already.
    /// let two_minutes_ago = Timestamp::from_millis(Timestamp::now().as_millis() - 120_000);
    /// let late = codes.clone().with_timestamp(two_minutes_ago);
    /// late.put(&Code { id: Id { id: 2 }, code: "4712".into() }).await?;
    /// assert!(codes.exists(&Id { id: 1 }).await?);
    /// assert!(!codes.exists(&Id { id: 2 }).await?);
    /// # Ok(())
    /// # }
    /// ```
    pub fn with_ttl(self, ttl: Duration) -> Self {
        Self { options: self.options.ttl(ttl), ..self }
    }

    /// Reads rows as they were at `time`: the newest version of each cell up to that time. Cells
    /// that were deleted since then are found only if their family keeps deleted cells, and older
    /// versions only if the family keeps versions. Writes are not affected.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table, TableDescriptor, Timestamp};
    /// # #[derive(RowKey, Clone)] struct Isbn { number: u64 }
    /// # #[derive(Table)] #[table(name = "books")] #[family("b", versions = 2)]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:p")] price: f64 }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::of::<Book>()?).await?;
    /// let books = client.table::<Book>();
    /// let (isbn, at) = (Isbn { number: 1 }, Timestamp::from_millis);
    /// for (time, price) in [(10, 30.0), (20, 25.0)] {
    ///     books.clone().with_timestamp(at(time)).put(&Book { isbn: isbn.clone(), price }).await?;
    /// }
    /// let then = books.clone().as_of(at(15));
    /// assert_eq!(then.get(&isbn).await?.unwrap().price, 30.0);
    /// assert_eq!(books.get(&isbn).await?.unwrap().price, 25.0);
    /// assert!(!books.clone().as_of(at(5)).exists(&isbn).await?);
    /// assert_eq!(then.scan(Isbn::scan()).rows().next_row().await?.unwrap().price, 30.0);
    /// # Ok(())
    /// # }
    /// ```
    #[allow(clippy::wrong_self_convention, reason = "a table of the past, made of a table")]
    pub fn as_of(mut self, time: Timestamp) -> Self {
        Arc::make_mut(&mut self.columns).time_range = Some(TimeRange::new(..=time));
        self
    }

    /// Adds a hook, which is called for each change and read.
    ///
    /// See [`RowHook`] for an example.
    pub fn with_hook(self, hook: impl RowHook<T> + 'static) -> Self {
        let hook: Arc<dyn DynHook<T>> = Arc::new(hook);
        let hooks = self.hooks.iter().cloned().chain([hook]).collect();
        Self { hooks, ..self }
    }

    /// The columns that are read of a row.
    pub(crate) fn columns(&self) -> &Arc<CellSelection> {
        &self.columns
    }

    /// Whether this handle sets a timestamp or a time to live for writes.
    pub(crate) fn has_timestamp_or_ttl(&self) -> bool {
        self.options != WriteOptions::new()
    }

    /// Calls the hooks for a change of an indexed row; returns an error if a hook adds a write.
    pub(crate) async fn call_hooks_without_writes(&self, change: &RowChange<'_, T>) -> Result<()> {
        for hook in self.hooks.iter() {
            let writes = hook.before_write(change).await?;
            if let Some((table, _)) = writes.before.first().or(writes.after.first()) {
                let text = format!(
                    "a hook adds a write to {}, which the change of an indexed row cannot have; use an index or a summary",
                    table.name()
                );
                return Err(Error::invalid(text));
            }
        }
        Ok(())
    }

    /// Passes a row that was read to the hooks.
    pub(crate) fn after_read(&self, row: T) -> Result<T> {
        after_read(row, &self.hooks)
    }

    /// Encodes the row key of an operation.
    pub(crate) fn encode_row_key(
        &self,
        operation: &'static str,
        key: &T::Key,
    ) -> Result<<T::Key as RowKey>::Encoded> {
        let raw = self.raw()?;
        key.encode_key()
            .map_err(|e| Error::from(e).with_operation_if_unset(operation).on_table(raw.name()))
    }

    /// Calls the hooks for a change, and returns the writes that they add.
    pub(super) async fn call_hooks_before_write(
        &self,
        change: &RowChange<'_, T>,
    ) -> Result<ExtraMutations> {
        let mut all = ExtraMutations::new();
        for hook in self.hooks.iter() {
            let writes = hook.before_write(change).await?;
            all.before.extend(writes.before);
            all.after.extend(writes.after);
        }
        Ok(all)
    }

    /// Sends operations as one batch; an operation that could not be made keeps its error.
    pub(super) async fn run_named(
        &self,
        operations: impl Iterator<Item = Result<NamedOperation>>,
    ) -> Vec<Result<BatchOutcome>> {
        match &self.raw {
            Ok(raw) => raw.run_named_operations(operations).await,
            Err(why) => operations.map(|_| Err(Error::invalid(why.clone()))).collect(),
        }
    }

    /// Makes a change, and the writes that hooks add. The future is large, so callers without hooks
    /// avoid this function.
    pub(super) async fn run_with_hooks<R>(
        &self,
        change: RowChange<'_, T>,
        run: impl Future<Output = Result<R>>,
        made: fn(&R) -> bool,
    ) -> Result<R> {
        let ExtraMutations { before, after } = self.call_hooks_before_write(&change).await?;
        for (table, mutation) in before {
            table.mutate(mutation).await.map_err(|e| hook_write_error("is not", e))?;
        }
        let done = run.await?;
        let after = after.into_iter().filter(|_| made(&done));
        for (table, mutation) in after {
            table.mutate(mutation).await.map_err(|e| hook_write_error("is", e))?;
        }
        Ok(done)
    }
}

/// Returns the error for a write of a hook that failed.
pub(super) fn hook_write_error(verb: &str, error: Error) -> Error {
    let text = format!("the row {verb} written: a write added by a hook failed");
    let table = error.table().cloned();
    let this =
        Error::new(error.kind(), text).with_operation_if_unset("change row").caused_by(error);
    table.iter().fold(this, |this, table| this.on_table(table))
}

/// Returns the columns that a row type reads.
pub(crate) fn columns_of<T: Table>() -> CellSelection {
    let families = T::RANGES.iter().map(|(family, _)| *family);
    let columns = T::COLUMNS.iter().enumerate();
    // The records of an enum may share columns.
    let first = columns.filter(|(at, name)| !T::COLUMNS.iter().take(*at).any(|n| n == *name));
    CellSelection::from_static(T::VERSIONS, families, first.map(|(_, name)| *name))
}

impl<T: Table> Clone for TypedTable<T> {
    fn clone(&self) -> Self {
        let (raw, columns) = (self.raw.clone(), self.columns.clone());
        Self { raw, columns, options: self.options, hooks: self.hooks.clone() }
    }
}

impl<T: Table> fmt::Debug for TypedTable<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.raw {
            Ok(raw) => write!(f, "TypedTable({})", raw.name()),
            Err(_) => write!(f, "TypedTable({:?})", T::TABLE),
        }
    }
}
