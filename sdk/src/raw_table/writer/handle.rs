//! `Writer`, the handle that collects writes and sends many of them together.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::TryAcquireError;
use tokio::time::Instant;

use super::outcome::{CloseReport, FlushReport, WriterStats, with_failed_count};
use super::shared::{LockedState, Shared};
use crate::request::op::Mutation;
use crate::runtime::deadline;
use crate::{Error, ErrorKind, Result, TableName};

/// The bytes of the buffer that a write takes in addition to the bytes of its row key and cells.
const OVERHEAD: usize = 128;

/// A handle that collects writes and sends many of them together. It is cheap to clone, and all
/// clones share one buffer.
///
/// See [`tallrow::writer`](crate::writer) for what a writer does, and an example.
#[derive(Clone)]
pub struct Writer {
    open: Arc<Open>,
}

/// The state that all clones of a handle share; it is dropped with the last clone.
struct Open {
    shared: Arc<Shared>,
    min_bytes_per_write: usize,
}

impl Drop for Open {
    fn drop(&mut self) {
        self.shared.lock().abandoned = true;
        self.shared.work.notify_one();
    }
}

impl Writer {
    pub(super) fn new(shared: Arc<Shared>, min_bytes_per_write: usize) -> Self {
        Self { open: Arc::new(Open { shared, min_bytes_per_write }) }
    }

    /// The name of the table.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = tallrow::Client::connect("mock:").await?;
    /// assert_eq!(client.raw_table("t")?.writer().start()?.name().as_str(), "t");
    /// # Ok(())
    /// # }
    /// ```
    pub fn name(&self) -> &TableName {
        self.open.shared.table.name()
    }

    /// Adds a write: a [`Put`](crate::Put), a [`Delete`](crate::Delete), an
    /// [`Increment`](crate::Increment), an [`Append`](crate::Append) or several changes of a row;
    /// waits while the buffer is full.
    ///
    /// When this returns `Ok`, the write was collected; [`flush`](Writer::flush) and
    /// [`close`](Writer::close) report later whether the write failed. If the future is dropped
    /// before it returns, the write was not collected.
    ///
    /// ```
    /// # use tallrow::{Client, Delete, FamilyDescriptor, Increment, Put, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// let table = client.raw_table("t")?;
    /// let writer = table.writer().start()?;
    /// writer.write(Put::new("a").cell("d", "q", "v")).await?;
    /// writer.write(Delete::new("a")).await?;
    /// for _ in 0..3 {
    ///     writer.write(Increment::new("b").add("d", "n", 1)).await?;
    /// }
    /// writer.flush().await.into_result()?;
    /// assert!(!table.exists("a").await?);
    /// assert_eq!(table.get("b").await?.unwrap().counter("d", "n")?, Some(3));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`InvalidArgument`](ErrorKind::InvalidArgument): the write is invalid;
    /// [`Closed`](ErrorKind::Closed): the writer was closed; the error of the first failed write,
    /// if the failed writes that no flush has returned yet fill more than half of the buffer, or so
    /// much of it that this write does not fit. In each case the write was not collected.
    pub async fn write(&self, mutation: impl Into<Mutation>) -> Result<()> {
        let mutation = mutation.into();
        let shared = &*self.open.shared;
        if let Some(problem) = mutation.problem() {
            let error =
                Error::invalid(problem).with_operation_if_unset("write").on_table(self.name());
            return Err(error);
        }
        let bytes =
            (mutation.size() + OVERHEAD).max(self.open.min_bytes_per_write).min(shared.capacity);
        let permits = u32::try_from(bytes).unwrap_or(u32::MAX);
        match shared.room.try_acquire_many(permits) {
            Ok(permit) => permit.forget(),
            Err(TryAcquireError::Closed) => return Err(self.closed()),
            Err(TryAcquireError::NoPermits) => self.wait_for_room(permits).await?,
        }
        let mut guarded = shared.lock();
        if guarded.closed {
            drop(guarded);
            shared.room.add_permits(bytes);
            return Err(self.closed());
        }
        let server_of = |row: &[u8]| shared.table.cached_server_address(row);
        let wakes = guarded.writes.add(mutation, bytes, Instant::now(), server_of);
        drop(guarded);
        if wakes {
            shared.work.notify_one();
        }
        Ok(())
    }

    /// Waits for room in the buffer. The future of this function is on the heap, so that the future
    /// of [`write`](Writer::write), which seldom has to wait, is small.
    fn wait_for_room(&self, permits: u32) -> futures_util::future::BoxFuture<'_, Result<()>> {
        Box::pin(async move {
            let shared = &*self.open.shared;
            let _hurry = shared.stop_lingering();
            let failed = shared.wait_until(|guarded| self.too_many_failed(guarded));
            tokio::select! {
                biased;
                room = shared.room.acquire_many(permits) => match room {
                    Ok(permit) => {
                        permit.forget();
                        Ok(())
                    }
                    Err(_) => Err(self.closed()),
                },
                error = failed => Err(error),
            }
        })
    }

    fn too_many_failed(&self, guarded: &mut LockedState) -> Option<Error> {
        let writes = &guarded.writes;
        // Fewer bytes of failed writes are also too many if no other write takes up room that could
        // become free.
        if writes.failed_bytes() <= self.open.shared.capacity / 2 && !writes.is_idle() {
            return None;
        }
        let (error, failed) = guarded.writes.first_error_and_failed_count()?;
        let text = "earlier writes failed and fill the buffer; take them with flush";
        let error = Error::new(error.kind(), format!("{text}: {error}"));
        Some(with_failed_count(
            error.with_operation_if_unset("write").on_table(self.name()),
            failed,
        ))
    }

    fn closed(&self) -> Error {
        Error::new(ErrorKind::Closed, "the writer was closed")
            .with_operation_if_unset("write")
            .on_table(self.name())
    }

    /// Sends all collected writes, waits until they have been answered, and returns the writes that
    /// failed since the last flush.
    ///
    /// A flush waits only for writes that were added before the call; each of them ends within the
    /// table's [`operation_timeout`](crate::Config::operation_timeout) once it is sent.
    ///
    /// See [`FlushReport`] for an example.
    pub async fn flush(&self) -> FlushReport {
        self.open.shared.flush().await
    }

    /// Stops accepting writes, sends all collected writes, waits for their answers for at most the
    /// time `within`, and returns the writes that are not known to be on the servers.
    ///
    /// Writes that are still under way when this time has passed are returned as failed writes with
    /// the error [`OutcomeUnknown`](ErrorKind::OutcomeUnknown). All clones of the writer are closed
    /// with it.
    ///
    /// See [`CloseReport`] for an example.
    pub async fn close(&self, within: Duration) -> CloseReport {
        self.open.shared.close(deadline::after(within)).await
    }

    /// Returns how many writes the writer has accepted so far, and how many of them are in each
    /// state.
    ///
    /// See [`WriterStats`] for an example.
    pub fn stats(&self) -> WriterStats {
        self.open.shared.lock().writes.stats()
    }
}

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Writer").field(self.name()).finish()
    }
}
