//! Computes which cells a row will have after a change.

use std::collections::BTreeMap;

use bytes::Bytes;

use crate::model::cell::{Cell, CellType};
use crate::request::op::{MutationKind, RowMutations};
use crate::{Error, Put, Result, Row, Timestamp};

/// The cells of a row, each with a flag that says whether a change writes it.
pub(super) struct Merged {
    row: Bytes,
    cells: BTreeMap<(Bytes, Bytes), Value>,
}

struct Value {
    bytes: Bytes,
    written: bool,
}

impl Merged {
    pub(super) fn new(row: Bytes, before: Option<&Row>) -> Self {
        let cells = before.map(Row::cells).unwrap_or_default().iter().map(|cell| {
            (column(cell), Value { bytes: cell.slice_ref(cell.value()), written: false })
        });
        // The newest version is the first one.
        let mut newest = BTreeMap::new();
        for (column, value) in cells {
            newest.entry(column).or_insert(value);
        }
        Self { row, cells: newest }
    }

    /// Applies these changes to the cells.
    pub(super) fn apply(&mut self, changes: &RowMutations) -> Result<()> {
        for (kind, cells) in &changes.mutations {
            if matches!(kind, MutationKind::AddToCells | MutationKind::MergeToCells) {
                return Err(refused("an addition to an aggregate: its new value is not returned"));
            }
            if cells.ttl.is_some() {
                return Err(refused("a time to live: its entries would outlive it"));
            }
            for cell in cells.decode_cells().map_err(Error::invalid)? {
                if cell.given_timestamp().is_some() {
                    return Err(refused("a time: later writes have to win"));
                }
                self.apply_cell(*kind, &cell)?;
            }
        }
        Ok(())
    }

    fn apply_cell(&mut self, kind: MutationKind, cell: &Cell) -> Result<()> {
        let column = column(cell);
        if kind == MutationKind::Delete {
            match cell.kind() {
                CellType::DeleteFamily => self.cells.retain(|(family, _), _| *family != column.0),
                _ => drop(self.cells.remove(&column)),
            }
            return Ok(());
        }
        let old = self.cells.get(&column).map(|value| value.bytes.clone()).unwrap_or_default();
        let bytes = match kind {
            MutationKind::Append => [&old, cell.value()].concat().into(),
            MutationKind::Increment => {
                let number = |bytes: &[u8]| Some(i64::from_be_bytes(bytes.try_into().ok()?));
                let sum = number(&old).unwrap_or(0).wrapping_add(number(cell.value()).unwrap_or(0));
                Bytes::copy_from_slice(&sum.to_be_bytes())
            }
            _ => cell.slice_ref(cell.value()),
        };
        self.cells.insert(column, Value { bytes, written: true });
        Ok(())
    }

    /// Returns the row after the changes; `None` if it has no cells.
    pub(super) fn row(&self) -> Result<Option<Row>> {
        let cell = |((family, qualifier), value): (&(Bytes, Bytes), &Value)| {
            let time = Timestamp::MAX;
            Cell::new(&self.row, family, qualifier, time, CellType::Put, &value.bytes)
        };
        let cells = self.cells.iter().map(cell).collect::<Result<Vec<_>>>()?;
        Ok(Row::new(cells, false))
    }

    /// Returns a put of the cells that the changes write, with this timestamp.
    pub(super) fn put_at(&self, time: Timestamp) -> Put {
        let mut put = Put::new(&self.row);
        for ((family, qualifier), value) in self.cells.iter().filter(|(_, value)| value.written) {
            put.push(family, qualifier, Some(time), &value.bytes);
        }
        put
    }
}

fn column(cell: &Cell) -> (Bytes, Bytes) {
    (cell.slice_ref(cell.family()), cell.slice_ref(cell.qualifier()))
}

fn refused(what: &str) -> Error {
    Error::invalid(format!("a change of an indexed row cannot have {what}"))
}
