//! `ChangeStreamBuilder`, which says what of a change stream is read.

use std::fmt;
use std::time::{Duration, SystemTime};

use super::read::micros_of;
use super::source::{ChangesOf, READ_CHANGES};
use super::stream::ChangeStream;
use crate::model::changes::{ChangePosition, Frontier, RowChanges, StreamStart};
use crate::{Error, Result};

/// The shortest and the longest time between two heartbeats.
const SHORTEST_HEARTBEAT: Duration = Duration::from_millis(100);
const LONGEST_HEARTBEAT: Duration = Duration::from_secs(60 * 60);

/// What of the change stream of a table is read: by default, the changes that are made from now on.
///
/// It is made by [`RawTable::changes`](crate::RawTable::changes) and
/// [`TypedTable::changes`](crate::TypedTable::changes).
///
/// See [`ChangeStream`](crate::changes::ChangeStream) for an example.
#[must_use = "no change is read yet"]
pub struct ChangeStreamBuilder<C = RowChanges> {
    of: Result<ChangesOf>,
    start: StreamStart,
    position: Option<ChangePosition>,
    read: fn(RowChanges) -> Result<C>,
}

impl<C> ChangeStreamBuilder<C> {
    pub(crate) fn new(of: Result<ChangesOf>, read: fn(RowChanges) -> Result<C>) -> Self {
        Self { of, start: StreamStart::Now, position: None, read }
    }

    /// Begins with the changes that were made at this time or later. The service keeps changes for
    /// as long as the [retention](crate::TableDescriptor::change_stream_retention) of the stream
    /// says, and refuses an earlier time, and a time in the future.
    ///
    /// See [`ChangeStream`](crate::changes::ChangeStream) for an example.
    pub fn since(mut self, time: SystemTime) -> Self {
        self.start = StreamStart::Time(micros_of(time));
        self
    }

    /// Ends the stream when all changes that were made at this time or earlier have been returned.
    /// Otherwise the stream has no end.
    ///
    /// See [`ChangeStream`](crate::changes::ChangeStream) for an example.
    pub fn until(mut self, time: SystemTime) -> Self {
        if let Ok(of) = &mut self.of {
            of.end = Some(micros_of(time));
        }
        self
    }

    /// Begins at a saved position, with the first change that was not returned before it. This
    /// takes precedence over [`since`](Self::since).
    ///
    /// See [`ChangeStream`](crate::changes::ChangeStream) for an example.
    pub fn resume(mut self, position: &ChangePosition) -> Self {
        self.position = Some(position.clone());
        self
    }

    /// Sets how often the service says that nothing has changed in a partition: from 100 ms to an
    /// hour; the default is 5 s. A stream that is silent for three times as long, and for longer
    /// than a read may take, is opened anew.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use tallrow::{Client, FamilyDescriptor, TableDescriptor, changes::ChangeRecord};
    /// # use tallrow_mock::MockCluster;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let mock = MockCluster::builder().bigtable_port(0).start().await?;
    /// # let client = Client::connect(&mock.bigtable_url().unwrap()).await?;
    /// # let day = Duration::from_secs(24 * 60 * 60);
    /// # let table = TableDescriptor::new("t")?.family(FamilyDescriptor::new("f"));
    /// # client.admin().create_table(&table.change_stream_retention(day)).await?;
    /// let table = client.raw_table("t")?;
    /// let mut changes = table.changes().heartbeat(Duration::from_millis(100)).open()?;
    /// let record = changes.next_record().await?.unwrap();
    /// assert!(matches!(record, ChangeRecord::Heartbeat { .. }));
    /// assert!(changes.low_watermark().is_some());
    /// # Ok(())
    /// # }
    /// ```
    pub fn heartbeat(mut self, every: Duration) -> Self {
        if let Ok(of) = &mut self.of {
            of.heartbeat = every;
        }
        self
    }

    /// Returns the stream. Nothing is sent before the first record is requested.
    ///
    /// See [`ChangeStream`](crate::changes::ChangeStream) for an example.
    ///
    /// # Errors
    /// The client is connected to HBase ([`Unsupported`](crate::ErrorKind::Unsupported)); the
    /// position is one of another table; the heartbeat is too short or too long.
    pub fn open(self) -> Result<ChangeStream<C>> {
        let of = self.of?;
        let fail = |text: String| {
            Error::invalid(text).with_operation_if_unset(READ_CHANGES).on_table(&of.table)
        };
        if !(SHORTEST_HEARTBEAT..=LONGEST_HEARTBEAT).contains(&of.heartbeat) {
            return Err(fail(format!(
                "the time between two heartbeats is {:?}; set one from {SHORTEST_HEARTBEAT:?} to \
                 {LONGEST_HEARTBEAT:?}",
                of.heartbeat
            )));
        }
        let frontier = match self.position {
            Some(position) if position.table() != of.table.as_str() => {
                return Err(fail(format!(
                    "the position is one of the table {}; resume the stream of that table",
                    position.table()
                )));
            }
            Some(position) => position.frontier().clone(),
            None => Frontier::new(self.start),
        };
        Ok(ChangeStream::new(of, frontier, self.read))
    }
}

impl<C> fmt::Debug for ChangeStreamBuilder<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let table = self.of.as_ref().map(|of| &of.table);
        f.debug_struct("ChangeStreamBuilder").field("table", &table).finish_non_exhaustive()
    }
}
