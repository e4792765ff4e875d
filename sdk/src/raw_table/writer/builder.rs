//! The builder of a writer. It sets the sizes of the buffer and the batches, and how long a write
//! waits for others that are sent with it.

use std::fmt;
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::Semaphore;

use super::dispatch::dispatch;
use super::handle::Writer;
use super::outcome::FailedWrite;
use super::shared::{OnFailure, Shared};
use super::state::Thresholds;
use crate::runtime::deadline::clamp;
use crate::{Error, RawTable, Result};

/// The settings of a writer, and the function that starts it. [`RawTable::writer`] makes a builder
/// of a [`Writer`], and [`TypedTable::writer`](crate::TypedTable::writer) makes a builder of a
/// [`TypedWriter`](crate::table::TypedWriter).
///
/// ```
/// use std::time::Duration;
/// use tallrow::{Client, FamilyDescriptor, Put, TableDescriptor};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// # let client = Client::connect("mock:").await?;
/// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
/// let table = client.raw_table("t")?;
/// let writer = table
///     .writer()
///     .max_bytes(1 << 20)
///     .max_operations(1_000)
///     .batch_operations(200)
///     .linger(Duration::from_millis(2))
///     .start()?;
/// for i in 0..5_000 {
///     writer.write(Put::new(format!("row{i}")).cell("d", "q", "v")).await?;
///     let stats = writer.stats();
///     assert!(stats.waiting + stats.in_flight <= 1_000);
/// }
/// writer.flush().await.into_result()?;
/// # Ok(())
/// # }
/// ```
#[must_use = "a writer does nothing until it is started"]
pub struct WriterBuilder<W = Writer> {
    table: Result<RawTable>,
    make: Box<dyn FnOnce(Writer) -> W + Send + Sync>,
    max_bytes: usize,
    max_operations: usize,
    batch_bytes: usize,
    batch_operations: usize,
    linger: Duration,
    on_failure: Option<OnFailure>,
}

impl RawTable {
    /// Returns a builder of a writer. The writer collects writes of this table and sends many of
    /// them together, with the timeout and the delivery guarantee of this handle.
    ///
    /// See [`tallrow::writer`](crate::writer) for an example.
    pub fn writer(&self) -> WriterBuilder {
        WriterBuilder::new(Ok(self.clone()), |writer| writer)
    }
}

impl<W> WriterBuilder<W> {
    /// Makes a builder of a writer of this table; `make` converts the writer into the value that
    /// [`start`](Self::start) returns.
    pub(crate) fn new(
        table: Result<RawTable>,
        make: impl FnOnce(Writer) -> W + Send + Sync + 'static,
    ) -> Self {
        let max_bytes = table.as_ref().map_or(0, |table| table.config().writer_bytes);
        Self {
            table,
            make: Box::new(make),
            max_bytes,
            max_operations: 10_000,
            batch_bytes: 1 << 20,
            batch_operations: 1_000,
            linger: Duration::from_millis(10),
            on_failure: None,
        }
    }

    /// Sets how many bytes of writes may be collected or under way; further writes wait. The
    /// default is [`Config::writer_bytes`](crate::Config::writer_bytes), 16 MiB.
    ///
    /// Each write uses the bytes of its row key and cells, plus 128 bytes.
    ///
    /// See [`WriterBuilder`] for an example of this and the other settings.
    pub fn max_bytes(mut self, bytes: usize) -> Self {
        self.max_bytes = bytes;
        self
    }

    /// Sets how many writes may be collected or under way; further writes wait. The default is
    /// 10,000.
    pub fn max_operations(mut self, operations: usize) -> Self {
        self.max_operations = operations;
        self
    }

    /// Sends a batch to a server once the writes for that server have `bytes` bytes. The default is
    /// 1 MiB.
    pub fn batch_bytes(mut self, bytes: usize) -> Self {
        self.batch_bytes = bytes;
        self
    }

    /// Sends a batch to a server once there are `operations` writes for that server. The default is
    /// 1,000.
    pub fn batch_operations(mut self, operations: usize) -> Self {
        self.batch_operations = operations;
        self
    }

    /// Sets the longest time that a write waits for other writes to be sent with it. The default is
    /// 10 ms; with zero, the collected writes are sent as soon as fewer than two batches for their
    /// server are under way.
    pub fn linger(mut self, linger: Duration) -> Self {
        self.linger = clamp(linger);
        self
    }

    /// Passes each write that failed to `call`, instead of keeping it until the next flush.
    ///
    /// ```
    /// use std::sync::{Arc, Mutex};
    /// # use tallrow::{Client, FamilyDescriptor, Put, TableDescriptor};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// let rejected = Arc::new(Mutex::new(Vec::new()));
    /// let keep = rejected.clone();
    /// let writer = client
    ///     .raw_table("t")?
    ///     .writer()
    ///     .on_failure(move |failed| keep.lock().unwrap().push(failed.mutation.row().to_vec()))
    ///     .start()?;
    /// writer.write(Put::new("a").cell("none", "q", "v")).await?;
    /// assert!(writer.flush().await.failed.is_empty());
    /// assert_eq!(*rejected.lock().unwrap(), [b"a"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn on_failure(mut self, call: impl Fn(FailedWrite) + Send + Sync + 'static) -> Self {
        self.on_failure = Some(Box::new(call));
        self
    }

    /// Starts the writer, as a task of the current runtime.
    ///
    /// See [`WriterBuilder`] for an example.
    ///
    /// # Errors
    /// A limit is 0; there is no current runtime; or a writer cannot write rows of this table, see
    /// [`TypedTable::writer`](crate::TypedTable::writer).
    pub fn start(self) -> Result<W> {
        let table = self.table.map_err(|e| e.with_operation_if_unset("start writer"))?;
        let invalid = |text: String| {
            Error::invalid(text).with_operation_if_unset("start writer").on_table(table.name())
        };
        let limits = [
            ("max_bytes", self.max_bytes),
            ("max_operations", self.max_operations),
            ("batch_bytes", self.batch_bytes),
            ("batch_operations", self.batch_operations),
        ];
        if let Some((name, _)) = limits.iter().find(|(_, limit)| *limit == 0) {
            return Err(invalid(format!("{name} is 0; it must be at least 1")));
        }
        let runtime = Handle::try_current().map_err(|e| invalid(e.to_string()))?;
        // A permit of the semaphore represents one byte, and a call can ask for at most `u32::MAX`
        // permits.
        let capacity = self.max_bytes.min(Semaphore::MAX_PERMITS).min(u32::MAX as usize);
        // Each write takes at least this many bytes of the buffer, so that at most `max_operations`
        // writes fit.
        let min_bytes_per_write = (capacity / self.max_operations).max(1);
        let capacity = capacity.min(min_bytes_per_write.saturating_mul(self.max_operations));
        let thresholds = Thresholds {
            operations: self.batch_operations,
            bytes: self.batch_bytes,
            linger: self.linger,
        };
        let shared = Arc::new(Shared::new(table, capacity, thresholds, self.on_failure));
        runtime.spawn(dispatch(shared.clone()));
        let drain: Weak<Shared> = Arc::downgrade(&shared);
        shared.table.closing().register(drain);
        Ok((self.make)(Writer::new(shared, min_bytes_per_write)))
    }
}

impl<W> fmt::Debug for WriterBuilder<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WriterBuilder").field("table", &self.table).finish_non_exhaustive()
    }
}
