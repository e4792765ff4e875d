//! Writes batches in such a way that writing a batch again changes nothing: all cells have the
//! timestamp of the import, and counts are added only once.

use std::collections::BTreeMap;

use tallrow::{DeliveryGuarantee, Put, RawTable, Timestamp};
use tokio::sync::Mutex;

use super::counting::ImportCounters;
use super::mapping::Change;
use super::state::Position;

/// A writer of batches.
#[derive(Debug)]
pub(super) struct Writer {
    table: RawTable,
    /// The timestamp of all cells, so that writing a cell again changes nothing.
    time: Timestamp,
    counting: Option<Mutex<ImportCounters>>,
}

/// A batch that was acknowledged.
#[derive(Debug)]
pub(super) struct WrittenBatch {
    pub(super) end: Position,
    /// The number of rows to which the counts of the batch had been added before.
    pub(super) rows_already_counted: u64,
}

impl Writer {
    pub(super) fn new(table: RawTable, time: Timestamp, counting: Option<ImportCounters>) -> Self {
        let table = table.with_delivery(DeliveryGuarantee::AtLeastOnce);
        Self { table, time, counting: counting.map(Mutex::new) }
    }

    /// Writes the batch with this number, and returns when all of it was acknowledged.
    pub(super) async fn write(
        &self,
        number: u64,
        batch: LineBatch,
    ) -> tallrow::Result<WrittenBatch> {
        self.table.put_all(puts(batch.cells, self.time, MAX_CELLS)).await.into_result()?;
        let rows_already_counted = match &self.counting {
            Some(counting) => counting.lock().await.add_once(number, &batch.counts).await?,
            None => 0,
        };
        Ok(WrittenBatch { end: batch.end, rows_already_counted })
    }
}

/// The maximum number of cells in a put. Bigtable does not accept more, and the lines with the same
/// key may have more cells in total.
const MAX_CELLS: usize = 100_000;

fn puts(
    rows: BTreeMap<Vec<u8>, RowCells>,
    time: Timestamp,
    most: usize,
) -> impl Iterator<Item = Put> {
    rows.into_iter().flat_map(move |(row, cells)| {
        let mut puts = Vec::new();
        let mut cells = cells.into_iter().peekable();
        while cells.peek().is_some() {
            let some = cells.by_ref().take(most);
            puts.push(some.fold(Put::new(&*row), |put, ((family, qualifier), value)| {
                put.cell_at(family, qualifier, time, value)
            }));
        }
        puts
    })
}

/// The changes of consecutive lines, combined for each row.
#[derive(Debug)]
pub(super) struct LineBatch {
    /// The cells of each row. Of two lines with the same cell, the later line takes precedence.
    pub(super) cells: BTreeMap<Vec<u8>, RowCells>,
    /// The numbers to add to the counters of each row.
    pub(super) counts: BTreeMap<Vec<u8>, Vec<i64>>,
    /// The position in the file after these lines.
    pub(super) end: Position,
}

/// Values by family and qualifier.
pub(super) type RowCells = BTreeMap<(String, Vec<u8>), Vec<u8>>;

impl LineBatch {
    pub(super) fn new(start: &Position) -> Self {
        Self { cells: BTreeMap::new(), counts: BTreeMap::new(), end: start.clone() }
    }

    pub(super) fn add(&mut self, change: Change) {
        if !change.counts.is_empty() {
            let counts = self.counts.entry(change.row.clone());
            let counts = counts.or_insert_with(|| vec![0; change.counts.len()]);
            for (sum, by) in counts.iter_mut().zip(change.counts) {
                // Servers, too, let the sum wrap around.
                *sum = sum.wrapping_add(by);
            }
        }
        if !change.cells.is_empty() {
            let row = self.cells.entry(change.row).or_default();
            let cells = change.cells.into_iter();
            row.extend(cells.map(|(column, value)| ((column.family, column.qualifier), value)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_more_cells_than_a_change_may_have_is_several_changes() {
        let cells = |count: u32| -> RowCells {
            let cell = |n: u32| (("d".to_owned(), n.to_be_bytes().to_vec()), Vec::new());
            (0..count).map(cell).collect()
        };
        let rows = BTreeMap::from([(b"a".to_vec(), cells(7)), (b"b".to_vec(), cells(3))]);
        let made: Vec<Put> = puts(rows, Timestamp::from_millis(1), 3).collect();
        assert_eq!(made.len(), 4);
    }
}
