use std::collections::BTreeMap;

use tallrow::{DeliveryGuarantee, Put, RawTable, Timestamp};
use tokio::sync::Mutex;

use super::batch::{Batch, Cells};
use super::counting::Counting;
use super::position::Position;

/// Writes batches.
#[derive(Debug)]
pub(super) struct Writer {
    table: RawTable,
    /// The time of all cells, so that writing one again changes nothing.
    time: Timestamp,
    counting: Option<Mutex<Counting>>,
}

/// A batch that was acknowledged.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) end: Position,
    /// In how many rows its counters were added before.
    pub(super) already: u64,
}

impl Writer {
    pub(super) fn new(table: RawTable, time: Timestamp, counting: Option<Counting>) -> Self {
        let table = table.with_delivery(DeliveryGuarantee::AtLeastOnce);
        Self { table, time, counting: counting.map(Mutex::new) }
    }

    /// Writes a batch, and returns when all of it was acknowledged.
    pub(super) async fn write(&self, number: u64, batch: Batch) -> tallrow::Result<Written> {
        self.table.put_all(puts(batch.cells, self.time)).await.into_result()?;
        let already = match &self.counting {
            Some(counting) => counting.lock().await.add(number, &batch.counts).await?,
            None => 0,
        };
        Ok(Written { end: batch.end, already })
    }
}

fn puts(rows: BTreeMap<Vec<u8>, Cells>, time: Timestamp) -> impl Iterator<Item = Put> {
    rows.into_iter().map(move |(row, cells)| {
        cells.into_iter().fold(Put::new(row), |put, ((family, qualifier), value)| {
            put.cell_at(family, qualifier, time, value)
        })
    })
}
