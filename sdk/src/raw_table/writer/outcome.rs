//! The reports of a writer: the writes that failed, the writes that a flush or close returns, and
//! the counts of writes.

use crate::request::op::Mutation;
use crate::{Error, Result};

/// A write that was not acknowledged, and why.
///
/// See [`FlushReport`] for an example.
#[derive(Debug)]
#[non_exhaustive]
pub struct FailedWrite {
    /// The write that was passed to the writer.
    pub mutation: Mutation,
    /// The error of the write; its kind is [`OutcomeUnknown`](crate::ErrorKind::OutcomeUnknown) if
    /// the write may be on the server.
    pub error: Error,
}

/// The writes that failed since the last flush.
///
/// ```
/// # use tallrow::{Client, ErrorKind, FamilyDescriptor, Put, TableDescriptor, op::Mutation};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// # let client = Client::connect("mock:").await?;
/// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
/// let writer = client.raw_table("t")?.writer().start()?;
/// writer.write(Put::new("a").cell("d", "q", "v")).await?;
/// writer.write(Put::new("b").cell("none", "q", "v")).await?;
/// let flushed = writer.flush().await;
/// assert_eq!(flushed.failed.len(), 1);
/// assert_eq!(flushed.failed[0].mutation.row(), b"b");
/// assert_eq!(flushed.failed[0].error.kind(), ErrorKind::NoSuchFamily);
/// let error = flushed.into_result().unwrap_err();
/// assert!(error.to_string().ends_with("1 write failed, this is the first"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default)]
#[must_use = "writes may have failed: look at `failed`, or call `into_result`"]
#[non_exhaustive]
pub struct FlushReport {
    /// The failed writes, in the order in which they failed.
    pub failed: Vec<FailedWrite>,
}

impl FlushReport {
    /// Fails if a write failed. The error is that of the first failed write, with the number of
    /// failed writes.
    ///
    /// See [`FlushReport`] for an example.
    ///
    /// # Errors
    /// The first error.
    pub fn into_result(self) -> Result<()> {
        let failed = self.failed.len();
        match self.failed.into_iter().next() {
            None => Ok(()),
            Some(first) => Err(with_failed_count(first.error, failed)),
        }
    }
}

/// Adds the number of failed writes to the error of the first of them.
pub(super) fn with_failed_count(error: Error, failed: usize) -> Error {
    let writes = if failed == 1 { "write" } else { "writes" };
    error.with_note(&format!("{failed} {writes} failed, this is the first"))
}

/// The writes that are not known to be on the servers when a writer is closed.
///
/// ```
/// # use std::time::Duration;
/// # use tallrow::{Client, FamilyDescriptor, Put, TableDescriptor};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// # let client = Client::connect("mock:").await?;
/// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
/// let writer = client.raw_table("t")?.writer().linger(Duration::from_secs(60)).start()?;
/// writer.write(Put::new("a").cell("d", "q", "v")).await?;
/// // No time at all: what was not sent comes back.
/// let closed = writer.close(Duration::ZERO).await;
/// assert!(!closed.is_complete());
/// assert_eq!(closed.unsent.len(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default)]
#[must_use = "writes may be missing: look at its fields, or at `is_complete`"]
#[non_exhaustive]
pub struct CloseReport {
    /// The writes that failed since the last flush, and the writes that were sent and not answered
    /// in time, whose outcome is unknown.
    pub failed: Vec<FailedWrite>,
    /// The writes that were never sent. Writes of the same row are in the order in which they were
    /// added.
    pub unsent: Vec<Mutation>,
}

impl CloseReport {
    /// Returns whether everything that was written since the last flush is on the servers.
    ///
    /// See [`CloseReport`] for an example.
    pub fn is_complete(&self) -> bool {
        self.failed.is_empty() && self.unsent.is_empty()
    }
}

/// Counts of the writes that a writer has accepted, in total and in each state.
///
/// `submitted` is always the sum of the other counts.
///
/// ```
/// # use tallrow::{Client, FamilyDescriptor, Put, TableDescriptor};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// # let client = Client::connect("mock:").await?;
/// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
/// let writer = client.raw_table("t")?.writer().start()?;
/// writer.write(Put::new("a").cell("d", "q", "v")).await?;
/// writer.flush().await.into_result()?;
/// let stats = writer.stats();
/// assert_eq!((stats.submitted, stats.acknowledged, stats.failed), (1, 1, 0));
/// assert_eq!((stats.waiting, stats.in_flight, stats.unsent), (0, 0, 0));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WriterStats {
    /// The writes that the writer accepted.
    pub submitted: u64,
    /// The writes that are on the servers.
    pub acknowledged: u64,
    /// The writes that failed, or whose outcome is unknown.
    pub failed: u64,
    /// The writes that were given back unsent when the writer was closed.
    pub unsent: u64,
    /// The writes that have not been sent yet.
    pub waiting: u64,
    /// The writes that have been sent and not answered yet.
    pub in_flight: u64,
}
