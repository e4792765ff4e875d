//! `Writer`, the handle that collects writes and sends many at a time.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::TryAcquireError;
use tokio::time::Instant;

use super::outcome::{CloseReport, FlushReport, WriterStats, noting};
use super::shared::{Guarded, Shared};
use crate::request::op::Mutation;
use crate::runtime::deadline;
use crate::{Error, ErrorKind, Result, TableName};

/// What a write takes of the buffer next to its cells.
const OVERHEAD: usize = 128;

/// Collects writes and sends them many at a time; cheap to clone, and shared by all its clones.
///
/// See [`tallrow::writer`](crate::writer) for what it does, and an example.
#[derive(Clone)]
pub struct Writer {
    open: Arc<Open>,
}

/// Exists as long as a handle does.
struct Open {
    shared: Arc<Shared>,
    least: usize,
}

impl Drop for Open {
    fn drop(&mut self) {
        self.shared.lock().abandoned = true;
        self.shared.work.notify_one();
    }
}

impl Writer {
    pub(super) fn new(shared: Arc<Shared>, least: usize) -> Self {
        Self { open: Arc::new(Open { shared, least }) }
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
    /// When it returns `Ok`, the write was collected; [`flush`](Writer::flush) and
    /// [`close`](Writer::close) tell what became of it. If the future is dropped before it returns,
    /// it was not.
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
    /// [`InvalidArgument`](ErrorKind::InvalidArgument): a write that is wrong in itself;
    /// [`CloseReport`](ErrorKind::Closed): the writer was closed; the first error, if failed writes
    /// that nobody took fill half of the buffer, or leave too little of it for this write. The
    /// write was not collected.
    pub async fn write(&self, mutation: impl Into<Mutation>) -> Result<()> {
        let mutation = mutation.into();
        let shared = &*self.open.shared;
        if let Some(problem) = mutation.problem() {
            let error = Error::invalid(problem).during("write").on_table(self.name());
            return Err(error);
        }
        let bytes = (mutation.size() + OVERHEAD).max(self.open.least).min(shared.capacity);
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
        let server_of = |row: &[u8]| shared.table.server_of(row);
        let wakes = guarded.writes.add(mutation, bytes, Instant::now(), server_of);
        drop(guarded);
        if wakes {
            shared.work.notify_one();
        }
        Ok(())
    }

    /// On the heap, so that the future of a write for which there is room is small.
    fn wait_for_room(&self, permits: u32) -> futures_util::future::BoxFuture<'_, Result<()>> {
        Box::pin(async move {
            let shared = &*self.open.shared;
            let _hurry = shared.hurry();
            let failed = shared.until(|guarded| self.too_many_failed(guarded));
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

    fn too_many_failed(&self, guarded: &mut Guarded) -> Option<Error> {
        let writes = &guarded.writes;
        // Also if nothing else takes up room that could become free.
        if writes.failed_bytes() <= self.open.shared.capacity / 2 && !writes.is_idle() {
            return None;
        }
        let (error, failed) = guarded.writes.first_failed()?;
        let text = "earlier writes failed and fill the buffer; take them with flush";
        let error = Error::new(error.kind(), format!("{text}: {error}"));
        Some(noting(error.during("write").on_table(self.name()), failed))
    }

    fn closed(&self) -> Error {
        Error::new(ErrorKind::Closed, "the writer was closed").during("write").on_table(self.name())
    }

    /// Sends what was collected, waits until all of it has been answered, and returns what failed
    /// since the last time.
    ///
    /// It waits for the writes that were added before it, each of which ends within the table's
    /// [`operation_timeout`](crate::Config::operation_timeout) once it is sent.
    ///
    /// See [`FlushReport`] for an example.
    pub async fn flush(&self) -> FlushReport {
        self.open.shared.flush().await
    }

    /// Accepts no more writes, sends what was collected, and returns within this time what is not
    /// known to be on the servers.
    ///
    /// What is still under way then is not waited for, and is among the failed ones, as
    /// [`OutcomeUnknown`](ErrorKind::OutcomeUnknown). All clones of the writer are closed with it.
    ///
    /// See [`CloseReport`] for an example.
    pub async fn close(&self, within: Duration) -> CloseReport {
        self.open.shared.close(deadline::after(within)).await
    }

    /// What it was given so far, and what became of it.
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
