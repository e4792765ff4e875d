//! A row and its marker: how they are read, and how a writer that may still be alive is kept from
//! changing them.
//!
//! # Invariants
//!
//! - A unique index has one row for a key: a writer sees every entry that was there before its own,
//!   and keeps its change from being made. Tests: `tests/suites/index/mod.rs`,
//!   `tests/suites/client/index.rs`.

use std::time::Duration;

use bytes::Bytes;
use tokio::time::Instant;

use super::change_id::ChangeId;
use super::definition::Definition;
use super::marker::Marker;
use super::summary::SummaryDefinition;
use crate::model::cell::Cell;
use crate::model::columns::Columns;
use crate::model::show;
use crate::raw_table::conditional_write::Checked;
use crate::request::op::{Check, CheckAndMutate};
use crate::runtime::lost_replies::LostReplies;
use crate::table::{Table, TypedTable};
use crate::{Error, ErrorKind, Get, Put, RawTable, Result, Row, Timestamp};

/// How long the marker of a deleted row stays at least: clocks must not differ by more.
pub(super) const DELETED_FOR: Duration = Duration::from_secs(3_600);

/// What all clones of an indexed table share.
pub(super) struct State<T: Table> {
    pub(super) table: TypedTable<T>,
    pub(super) raw: RawTable,
    /// What is read of a row before it is changed: the type's cells and the marker.
    pub(super) columns: Columns,
    /// The column of the marker.
    pub(super) family: Bytes,
    pub(super) qualifier: Bytes,
    pub(super) indexes: Vec<Definition<T>>,
    pub(super) summaries: Vec<SummaryDefinition<T>>,
}

/// A row before a change.
pub(super) struct Before {
    /// Its cells without the marker; `None` if there are none.
    pub(super) row: Option<Row>,
    pub(super) marker: Option<StoredMarker>,
    /// The time of its newest cell.
    pub(super) newest: Timestamp,
}

pub(super) struct StoredMarker {
    pub(super) marker: Marker,
    pub(super) bytes: Bytes,
    pub(super) time: Timestamp,
}

impl StoredMarker {
    /// A time after the delete of the row, whose markers hide what is older.
    pub(super) fn later(&self) -> Timestamp {
        later(self.time)
    }
}

/// The time of this computer's clock, if it is later than this one.
pub(super) fn later(than: Timestamp) -> Timestamp {
    Timestamp::now().max(Timestamp::from_millis(than.as_millis().saturating_add(1)))
}

/// The most by which the clocks of one store differ.
const CLOCKS: Duration = Duration::from_secs(10);

/// The time of a write after a cell of a store whose clocks may differ: the next one if that cell
/// is so recent that the server's may be earlier, otherwise none, which is the server's. It is no
/// later than the server's by more than the cell is, whatever this computer's clock says: so it
/// does not hide what others write after it.
pub(super) fn soon_after(than: Timestamp) -> Option<Timestamp> {
    let next = than.as_millis().saturating_add(1);
    let certain = u64::try_from(CLOCKS.as_millis()).unwrap_or(u64::MAX).saturating_add(next);
    (certain > Timestamp::now().as_millis()).then(|| Timestamp::from_millis(next))
}

impl<T: Table> State<T> {
    /// Reads the cells of the type, or all.
    pub(super) async fn before(&self, row: &[u8], all: bool, deadline: Instant) -> Result<Before> {
        let get = match all {
            true => Get::new(row),
            false => Get::with_columns(row, self.columns.clone()),
        };
        let row = self.raw.until(deadline).get(get).await?;
        self.split(row)
    }

    pub(super) fn split(&self, row: Option<Row>) -> Result<Before> {
        let cells = row.as_ref().map(Row::cells).unwrap_or_default();
        let newest = cells.iter().map(Cell::timestamp).max().unwrap_or_default();
        let is_marker = |c: &&Cell| c.family() == self.family && c.qualifier() == self.qualifier;
        let marker = cells.iter().find(is_marker).map(|cell| self.marker_in(cell)).transpose()?;
        let cells = cells.iter().filter(|cell| !is_marker(cell)).cloned().collect();
        Ok(Before { row: Row::new(cells, false), marker, newest })
    }

    fn marker_in(&self, cell: &Cell) -> Result<StoredMarker> {
        let bytes = Bytes::copy_from_slice(cell.value());
        let time = cell.timestamp();
        let marker = Marker::decode(&bytes).ok_or_else(|| {
            let column = show::column(&self.family, &self.qualifier);
            let text = format!("{column} is not the marker of an index: {}", show::bytes(&bytes));
            let row = Bytes::copy_from_slice(cell.row());
            Error::new(ErrorKind::Decode, text).on_table(self.raw.name()).on_row(&row)
        })?;
        Ok(StoredMarker { marker, bytes, time })
    }

    pub(super) async fn marker(
        &self,
        row: &[u8],
        deadline: Instant,
    ) -> Result<Option<StoredMarker>> {
        let row = self.raw.until(deadline).get(self.marker_of(row)).await?;
        Ok(self.split(row)?.marker)
    }

    /// The markers that these reads find, in their order.
    pub(super) async fn markers(
        &self,
        gets: Vec<Get>,
        deadline: Instant,
    ) -> Result<Vec<Option<StoredMarker>>> {
        let rows = self.raw.until(deadline).get_all(gets).await;
        rows.into_iter().map(|row| Ok(self.split(row?)?.marker)).collect()
    }

    /// The read of the marker of a row.
    pub(super) fn marker_of(&self, row: &[u8]) -> Get {
        Get::new(row).column(&self.family, &self.qualifier)
    }

    /// A condition that holds as long as nobody changes the row.
    pub(super) fn unchanged(&self, row: &[u8], marker: Option<&StoredMarker>) -> CheckAndMutate {
        let check = Check::new(row, &self.family, &self.qualifier);
        match marker {
            Some(marker) => check.if_equals(&marker.bytes),
            None => check.if_not_exists(),
        }
    }

    /// The marker of a row as it is once no change can be made any more that expects this one.
    pub(super) async fn fence(
        &self,
        row: &[u8],
        expected: Option<ChangeId>,
        deadline: Instant,
    ) -> Result<Option<Marker>> {
        let mut lost = LostReplies::default();
        loop {
            let stored = self.marker(row, deadline).await?;
            if stored.as_ref().map(|stored| stored.marker.change) != expected {
                return Ok(stored.map(|stored| stored.marker));
            }
            let change = ChangeId::new();
            let marker = match &stored {
                Some(stored) => Marker { change, ..stored.marker.clone() },
                None => Marker { live: false, change, entries: Vec::new() },
            };
            let hides = self.raw.has_delete_markers();
            let later = || stored.as_ref().map_or_else(Timestamp::now, StoredMarker::later);
            let time = match (hides, &stored) {
                (true, _) => (!marker.live).then(later),
                (false, Some(stored)) => soon_after(stored.time),
                (false, None) => None,
            };
            let mut put = Put::new(row);
            put.push(&self.family, &self.qualifier, time, &marker.encode());
            let put = if hides && !marker.live { put.ttl(DELETED_FOR) } else { put };
            let check = self.unchanged(row, stored.as_ref()).then(put);
            if let Checked::Unknown(error) = Checked::send(&self.raw.until(deadline), check).await?
            {
                lost.repeat(error, deadline)?;
            }
        }
    }
}
