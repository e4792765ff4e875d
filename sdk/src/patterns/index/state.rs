//! Reads a row and its marker, and prevents a writer that may still be alive from changing the row.
//!
//! # Invariants
//!
//! - A unique index has one row for a key: a writer sees every entry that was written before its
//!   own, and prevents the change that wrote such an entry from being made. Tests:
//!   `tests/suites/index/mod.rs`, `tests/suites/client/index.rs`.

use std::time::Duration;

use bytes::Bytes;
use tokio::time::Instant;

use super::change_id::ChangeId;
use super::definition::Definition;
use super::marker::IndexMarker;
use super::summary::SummaryDefinition;
use crate::model::cell::Cell;
use crate::model::columns::CellSelection;
use crate::model::show;
use crate::raw_table::conditional_write::ConditionalOutcome;
use crate::request::op::{Check, CheckAndMutate};
use crate::runtime::lost_replies::LostReplies;
use crate::table::{Table, TypedTable};
use crate::{Error, ErrorKind, Get, Put, RawTable, Result, Row, Timestamp};

/// The minimum time for which the marker of a deleted row stays. Clocks must not differ by more
/// than this time.
pub(super) const DELETED_FOR: Duration = Duration::from_secs(3_600);

/// The state that all clones of an indexed table share.
pub(super) struct State<T: Table> {
    pub(super) table: TypedTable<T>,
    pub(super) raw: RawTable,
    /// The columns that are read before a row is changed: the columns of the type and the marker.
    pub(super) columns: CellSelection,
    /// The column of the marker.
    pub(super) family: Bytes,
    pub(super) qualifier: Bytes,
    pub(super) indexes: Vec<Definition<T>>,
    pub(super) summaries: Vec<SummaryDefinition<T>>,
}

/// A row before a change.
pub(super) struct RowBefore {
    /// The cells of the row without the marker; `None` if there are none.
    pub(super) row: Option<Row>,
    pub(super) marker: Option<StoredIndexMarker>,
    /// The time of the newest cell of the row.
    pub(super) newest: Timestamp,
}

pub(super) struct StoredIndexMarker {
    pub(super) marker: IndexMarker,
    pub(super) bytes: Bytes,
    pub(super) time: Timestamp,
}

impl StoredIndexMarker {
    /// Returns a time after the delete of the row: the delete markers hide older cells.
    pub(super) fn timestamp_after_delete(&self) -> Timestamp {
        timestamp_after(self.time)
    }
}

/// Returns the time of this computer's clock, but at least the next millisecond after `than`.
pub(super) fn timestamp_after(than: Timestamp) -> Timestamp {
    Timestamp::now().max(Timestamp::from_millis(than.as_millis().saturating_add(1)))
}

/// How far the timestamps of a row that is changed all the time may lag behind this computer's
/// clock.
const MAX_LAG: Duration = Duration::from_secs(10);

/// Returns the timestamps with which a change writes each of its cells, if the row already has a
/// cell with the timestamp `than`. This is for a store whose servers may choose an earlier
/// timestamp than that. `None` is the time of the server.
///
/// The newest of these timestamps is later than `than`, even if the clock of the server is behind
/// the clock that `than` came from. Otherwise the old cells would hide the new ones: the store
/// would answer that the change was made, but the row would still have its old values and its old
/// marker, and the entries of the change would be wrong.
///
/// A cell is written with the next millisecond after `than`, unless `than` is more than
/// `DELETED_FOR` ago. This timestamp is hardly further ahead of the server's clock than the old
/// cell is, so it does not hide what others write later. If `than` is more than `MAX_LAG` ago, the
/// cell is also written with the time of the server. If `than` is more than `DELETED_FOR` ago, the
/// time of the server is enough: it is later than `than`, because clocks do not differ by more than
/// `DELETED_FOR`.
pub(super) fn write_timestamps_after(than: Timestamp) -> Vec<Option<Timestamp>> {
    let next = than.as_millis().saturating_add(1);
    let age = Duration::from_millis(Timestamp::now().as_millis().saturating_sub(next));
    let next = Some(Timestamp::from_millis(next));
    if age < MAX_LAG {
        vec![next]
    } else if age <= DELETED_FOR {
        vec![next, None]
    } else {
        vec![None]
    }
}

impl<T: Table> State<T> {
    /// Reads the marker of a row, and the cells that the type reads, or all cells if `all_columns`
    /// is true.
    pub(super) async fn read_before(
        &self,
        row: &[u8],
        all_columns: bool,
        deadline: Instant,
    ) -> Result<RowBefore> {
        let get = match all_columns {
            true => Get::new(row),
            false => Get::with_columns(row, self.columns.clone()),
        };
        let row = self.raw.with_deadline(deadline).get(get).await?;
        self.separate_marker(row)
    }

    pub(super) fn separate_marker(&self, row: Option<Row>) -> Result<RowBefore> {
        let cells = row.as_ref().map(Row::cells).unwrap_or_default();
        let newest = cells.iter().map(Cell::timestamp).max().unwrap_or_default();
        let is_marker = |c: &&Cell| c.family() == self.family && c.qualifier() == self.qualifier;
        let marker =
            cells.iter().find(is_marker).map(|cell| self.index_marker_in(cell)).transpose()?;
        let cells = cells.iter().filter(|cell| !is_marker(cell)).cloned().collect();
        Ok(RowBefore { row: Row::new(cells, false), marker, newest })
    }

    fn index_marker_in(&self, cell: &Cell) -> Result<StoredIndexMarker> {
        let bytes = Bytes::copy_from_slice(cell.value());
        let time = cell.timestamp();
        let marker = IndexMarker::decode(&bytes).ok_or_else(|| {
            let column = show::column(&self.family, &self.qualifier);
            let text = format!("{column} is not the marker of an index: {}", show::bytes(&bytes));
            let row = Bytes::copy_from_slice(cell.row());
            Error::new(ErrorKind::Decode, text).on_table(self.raw.name()).on_row(&row)
        })?;
        Ok(StoredIndexMarker { marker, bytes, time })
    }

    /// Reads the index marker of a row.
    pub(super) async fn read_index_marker(
        &self,
        row: &[u8],
        deadline: Instant,
    ) -> Result<Option<StoredIndexMarker>> {
        let row = self.raw.with_deadline(deadline).get(self.get_of_index_marker(row)).await?;
        Ok(self.separate_marker(row)?.marker)
    }

    /// Reads the index markers with these gets, and returns them in the order of the gets.
    pub(super) async fn read_index_markers(
        &self,
        gets: Vec<Get>,
        deadline: Instant,
    ) -> Result<Vec<Option<StoredIndexMarker>>> {
        let rows = self.raw.with_deadline(deadline).get_all(gets).await;
        rows.into_iter().map(|row| Ok(self.separate_marker(row?)?.marker)).collect()
    }

    /// Returns a get of the marker of a row.
    pub(super) fn get_of_index_marker(&self, row: &[u8]) -> Get {
        Get::new(row).column(&self.family, &self.qualifier)
    }

    /// Returns a condition that holds as long as the row has this marker, that is, nobody has
    /// changed the row.
    pub(super) fn if_unchanged(
        &self,
        row: &[u8],
        marker: Option<&StoredIndexMarker>,
    ) -> CheckAndMutate {
        let check = Check::new(row, &self.family, &self.qualifier);
        match marker {
            Some(marker) => check.if_equals(&marker.bytes),
            None => check.if_not_exists(),
        }
    }

    /// Prevents every change whose intent requires `required_marker_change` in the marker of the
    /// row, and returns the marker that the row then has.
    pub(super) async fn fence(
        &self,
        row: &[u8],
        required_marker_change: Option<ChangeId>,
        deadline: Instant,
    ) -> Result<Option<IndexMarker>> {
        let mut lost = LostReplies::default();
        loop {
            let stored = self.read_index_marker(row, deadline).await?;
            if stored.as_ref().map(|stored| stored.marker.change) != required_marker_change {
                return Ok(stored.map(|stored| stored.marker));
            }
            let change = ChangeId::new();
            let marker = match &stored {
                Some(stored) => IndexMarker { change, ..stored.marker.clone() },
                None => IndexMarker { live: false, change, entries: Vec::new() },
            };
            let hides = self.raw.has_delete_markers();
            let later = || {
                stored
                    .as_ref()
                    .map_or_else(Timestamp::now, StoredIndexMarker::timestamp_after_delete)
            };
            let times = match (hides, &stored) {
                (true, _) => vec![(!marker.live).then(later)],
                (false, Some(stored)) => write_timestamps_after(stored.time),
                (false, None) => vec![None],
            };
            let (mut put, bytes) = (Put::new(row), marker.encode());
            for time in times {
                put.push(&self.family, &self.qualifier, time, &bytes);
            }
            let put = if hides && !marker.live { put.ttl(DELETED_FOR) } else { put };
            let check = self.if_unchanged(row, stored.as_ref()).then(put);
            if let ConditionalOutcome::Unknown(error) =
                ConditionalOutcome::send(&self.raw.with_deadline(deadline), check).await?
            {
                lost.count_before_repeat(error, deadline)?;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_a_server_is_written_alone_only_after_an_hour() {
        let now = Timestamp::now().as_millis();
        let (second, hour) = (1_000, 3_600_000);
        for (than, expected) in [
            (now + hour, [true, false]),
            (now - second, [true, false]),
            (now - 20 * second, [true, true]),
            (now - hour + 20 * second, [true, true]),
            (now - hour - second, [false, true]),
            (0, [false, true]),
        ] {
            let times = write_timestamps_after(Timestamp::from_millis(than));
            let next = Some(Timestamp::from_millis(than + 1));
            assert_eq!([next, None].map(|time| times.contains(&time)), expected, "{than}");
        }
    }
}
