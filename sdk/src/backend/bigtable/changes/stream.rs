//! `ChangeStream`, the changes of all partitions of a table as one stream.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::SystemTime;

use futures_core::Stream;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use futures_util::{StreamExt, TryStreamExt};

use super::partition::{PartitionReader, PartitionRecord};
use super::partitions::first_partitions;
use super::read::micros_of;
use super::source::{ChangesOf, READ_CHANGES};
use crate::Result;
use crate::backend::bigtable::explanation::invalid_answer_error;
use crate::model::changes::{
    ChangePartition, ChangePosition, ChangeRecord, Frontier, Opened, PartitionToken, RowChanges,
    Watermarks,
};

/// The changes of the rows of a table, as the service keeps them for a table with a change stream.
///
/// The stream reads all partitions of the table side by side, and follows them where they are
/// divided and merged. The changes of a row that were made in one cluster are returned in the order
/// in which they were made; there is no order between rows.
///
/// [`position`](Self::position) is the position after the last record that was returned. A stream
/// that is resumed there returns what was not returned yet: no change twice, and none left out. A
/// program that saves the position together with what it makes of the changes, in one step,
/// therefore processes each change once. One that saves the position afterwards, or now and then,
/// processes the changes since the last position again after a crash.
///
/// ```
/// use std::time::Duration;
/// use tallrow::changes::{CellChange, ChangePosition, ChangeSource};
/// use tallrow::{Client, FamilyDescriptor, Put, TableDescriptor};
/// use tallrow_mock::MockCluster;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mock = MockCluster::builder().bigtable_port(0).start().await?;
/// let client = Client::connect(&mock.bigtable_url().unwrap()).await?;
/// let day = Duration::from_secs(24 * 60 * 60);
/// let books = TableDescriptor::new("books")?
///     .family(FamilyDescriptor::new("b"))
///     .change_stream_retention(day);
/// client.admin().create_table(&books).await?;
/// let books = client.raw_table("books")?;
/// let begun = std::time::SystemTime::now() - Duration::from_secs(60);
/// books.put(Put::new("isbn1").cell("b", "t", "HBase")).await?;
///
/// let mut changes = books.changes().since(begun).open()?;
/// let change = loop {
///     if let Some(change) = changes.next_record().await?.and_then(|record| record.into_change()) {
///         break change;
///     }
/// };
/// assert_eq!(change.row, "isbn1");
/// assert!(matches!(&change.cells[..], [CellChange::Set { value, .. }] if value == "HBase"));
/// assert!(matches!(&change.source, ChangeSource::User { .. }));
/// assert_eq!((change.partition.start(), change.partition.end()), (&b""[..], &b""[..]));
///
/// // After a restart, the stream continues where it was.
/// let saved = changes.position().to_bytes();
/// drop(changes);
/// books.put(Put::new("isbn1").cell("b", "t", "Bigtable")).await?;
/// mock.split_region("books", b"m")?;
/// books.put(Put::new("zen").cell("b", "t", "Zen")).await?;
/// let position = ChangePosition::from_bytes(&saved)?;
/// let until = std::time::SystemTime::now() + Duration::from_millis(200);
/// let changes = books.changes().resume(&position).until(until).open()?;
/// let records: Vec<_> = changes.try_collect().await?;
/// let changes = records.into_iter().filter_map(|record| record.into_change());
/// let rows: Vec<_> = changes.map(|change| change.row).collect();
/// assert_eq!(rows, ["isbn1", "zen"]);
/// # Ok(())
/// # }
/// ```
///
/// Each partition is a call that lasts as long as the stream. The service limits the calls of a
/// connection, to about a hundred: for a table with many partitions, the client opens further
/// connections, which end with the calls on them. Other calls of the client always find room.
#[must_use = "no change is read until it is requested"]
pub struct ChangeStream<C = RowChanges> {
    of: ChangesOf,
    frontier: Frontier,
    /// The question for the first partitions, as long as they are not known.
    beginning: Option<BoxFuture<'static, Result<Vec<ChangePartition>>>>,
    readers: FuturesUnordered<BoxFuture<'static, (PartitionReader, Result<PartitionRecord>)>>,
    /// Whether the partitions of the frontier are read.
    is_reading: bool,
    is_over: bool,
    watermarks: Watermarks,
    read: fn(RowChanges) -> Result<C>,
}

impl<C> ChangeStream<C> {
    pub(super) fn new(
        of: ChangesOf,
        frontier: Frontier,
        read: fn(RowChanges) -> Result<C>,
    ) -> Self {
        Self {
            of,
            frontier,
            beginning: None,
            readers: FuturesUnordered::new(),
            is_reading: false,
            is_over: false,
            watermarks: Watermarks::default(),
            read,
        }
    }

    /// Returns the next record; `None` at the [end](crate::changes::ChangeStreamBuilder::until) of
    /// the stream.
    ///
    /// See [`ChangeStream`] for an example. The future may be dropped before it is done, and no
    /// record is lost by this.
    ///
    /// # Errors
    /// The table has no change stream, or the position or the time at which the stream begins is
    /// older than its retention ([`DoNotRetry`](crate::ErrorKind::DoNotRetry)); the service fails
    /// for longer than [`page_timeout`](crate::Config::page_timeout). After such an error the stream
    /// returns no more records, and its position can be resumed. A change that cannot be read
    /// ([`Decode`](crate::ErrorKind::Decode)) does not end the stream.
    pub async fn next_record(&mut self) -> Result<Option<ChangeRecord<C>>> {
        std::future::poll_fn(|cx| self.poll_record(cx)).await.transpose()
    }

    /// Returns all records up to the [end](crate::changes::ChangeStreamBuilder::until) of the
    /// stream, in a `Vec` or another collection. A stream without an end is collected for ever.
    ///
    /// See [`ChangeStream`] for an example.
    ///
    /// # Errors
    /// The first error, as in [`next_record`](Self::next_record).
    pub async fn try_collect<T: Default + Extend<ChangeRecord<C>>>(self) -> Result<T> {
        TryStreamExt::try_collect(self).await
    }

    /// Returns the position after the last record that was returned.
    ///
    /// See [`ChangeStream`] for an example. The position contains a token for each partition, so
    /// save it now and then, and not after each record of a table with many partitions.
    pub fn position(&self) -> ChangePosition {
        ChangePosition::new(self.of.table.as_str().to_owned(), self.frontier.clone())
    }

    /// An estimate of the time up to which all changes of the table have been returned; `None` as
    /// long as it is not known of each partition.
    ///
    /// See [`ChangeStreamBuilder::heartbeat`](crate::changes::ChangeStreamBuilder::heartbeat) for
    /// an example.
    pub fn low_watermark(&self) -> Option<SystemTime> {
        let lowest = self.watermarks.lowest_of(self.frontier.open_count());
        lowest.filter(|_| !self.frontier.is_waiting())
    }

    fn poll_record(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<ChangeRecord<C>>>> {
        loop {
            if self.is_over {
                return Poll::Ready(None);
            }
            if self.frontier.start().is_some() {
                let of = &self.of;
                let beginning = self.beginning.get_or_insert_with(|| {
                    let of = of.clone();
                    Box::pin(async move { first_partitions(&of).await })
                });
                let found = ready!(beginning.as_mut().poll(cx));
                self.beginning = None;
                match found {
                    Ok(partitions) => {
                        self.frontier.begin(partitions, micros_of(SystemTime::now()));
                    }
                    Err(error) => return self.fail(error),
                }
            }
            if !self.is_reading {
                self.is_reading = true;
                let open = self
                    .frontier
                    .open()
                    .map(|(partition, _)| Opened { partition: partition.clone(), is_again: false });
                let open: Vec<_> = open.collect();
                self.open(open);
            }
            match ready!(self.readers.poll_next_unpin(cx)) {
                None => self.is_over = true,
                Some((_, Err(error))) => return self.fail(error),
                Some((reader, Ok(record))) => {
                    let record = self.take(reader, record);
                    if record.as_ref().is_err_and(is_fatal) {
                        self.is_over = true;
                        self.readers.clear();
                    }
                    let record =
                        record.map_err(|error| error.with_operation_if_unset(READ_CHANGES));
                    return Poll::Ready(Some(record));
                }
            }
        }
    }

    fn fail(&mut self, error: crate::Error) -> Poll<Option<Result<ChangeRecord<C>>>> {
        self.is_over = true;
        self.readers.clear();
        Poll::Ready(Some(Err(error)))
    }

    /// Notes what was read of a partition, and returns it.
    fn take(
        &mut self,
        reader: PartitionReader,
        record: PartitionRecord,
    ) -> Result<ChangeRecord<C>> {
        let partition = reader.partition.clone();
        match record {
            PartitionRecord::Change(change, token) => {
                self.frontier.advance(&partition, token);
                self.readers.push(Box::pin(reader.next()));
                let change = change?;
                self.note_watermark(&partition, change.low_watermark);
                (self.read)(change).map(ChangeRecord::Change)
            }
            PartitionRecord::Heartbeat(token, low_watermark) => {
                self.frontier.advance(&partition, token);
                self.readers.push(Box::pin(reader.next()));
                self.note_watermark(&partition, low_watermark);
                Ok(ChangeRecord::Heartbeat { partition, low_watermark })
            }
            PartitionRecord::Closed(follows) => self.close(partition, follows),
        }
    }

    fn close(
        &mut self,
        partition: ChangePartition,
        follows: Vec<(PartitionToken, ChangePartition)>,
    ) -> Result<ChangeRecord<C>> {
        let followed_by = follows.iter().map(|(_, of)| of.clone()).collect();
        let opened = self.frontier.close(&partition, follows).map_err(invalid_answer_error)?;
        self.watermarks.remove(&partition);
        self.open(opened);
        Ok(ChangeRecord::PartitionClosed { partition, followed_by })
    }

    fn note_watermark(&mut self, partition: &ChangePartition, time: Option<SystemTime>) {
        if let Some(time) = time {
            self.watermarks.advance(partition, time);
        }
    }

    /// Begins to read partitions.
    fn open(&mut self, opened: Vec<Opened>) {
        for Opened { partition, is_again } in opened {
            if let Some(start) = self.frontier.start_of(&partition).cloned() {
                let of = self.of.clone();
                let reader = PartitionReader::new(of, partition, start, is_again);
                self.readers.push(Box::pin(reader.next()));
            }
        }
    }
}

/// Whether no more records follow after an error. A change that cannot be read is passed over.
fn is_fatal(error: &crate::Error) -> bool {
    error.kind() == crate::ErrorKind::Protocol
}

impl<C> Stream for ChangeStream<C> {
    type Item = Result<ChangeRecord<C>>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll_record(cx)
    }
}

impl<C> fmt::Debug for ChangeStream<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChangeStream").field("position", &self.position()).finish_non_exhaustive()
    }
}
