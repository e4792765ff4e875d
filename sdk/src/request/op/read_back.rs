//! Decides from the cells of a row whether a change whose outcome is unknown was made.

use bytes::Bytes;

use super::{CheckAndMutate, Mutation, MutationKind, RowMutations, RowOperation};
use crate::model::cell::{Cell, CellType};
use crate::request::op::Cells;
use crate::{Row, Timestamp};

/// What a row shows of a change whose outcome is unknown:
/// [`RawTable::read_back`](crate::RawTable::read_back).
#[derive(Clone, Debug, PartialEq)]
pub struct ReadBack {
    found: Found,
    reason: &'static str,
    cells: Vec<Cell>,
}

/// Whether a change is found in its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::exhaustive_enums, reason = "it is found, or it is not, or neither is known")]
pub enum Found {
    /// The row has all that the change writes, in one step.
    Applied,
    /// The row has nothing that was written to the columns of the change since.
    NotApplied,
    /// The row does not tell: the columns were written by others too, or the change leaves nothing
    /// that is its own.
    CannotTell,
}

impl ReadBack {
    /// Whether the change was found.
    ///
    /// See [`RawTable::read_back`](crate::RawTable::read_back) for an example of this and the
    /// others.
    pub fn found(&self) -> Found {
        self.found
    }

    /// Why, in a few words.
    pub fn reason(&self) -> &'static str {
        self.reason
    }

    /// What was written to the families of the change since: all versions, and delete markers.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }
}

/// One thing that a change leaves in its row.
#[derive(Clone, Debug)]
struct Trace {
    /// `None` for a marker in every family.
    family: Option<Bytes>,
    qualifier: Bytes,
    kind: CellType,
    value: Value,
    /// The time that the caller gave it, or else that of the server.
    at: Option<Timestamp>,
}

#[derive(Clone, Debug)]
enum Value {
    Is(Bytes),
    EndsWith(Bytes),
    Any,
}

impl Trace {
    fn is_in_column_of(&self, cell: &Cell) -> bool {
        let family = self.family.as_ref();
        let marks_family =
            matches!(cell.kind(), CellType::DeleteFamily | CellType::DeleteFamilyVersion);
        family.is_none_or(|family| family == cell.family())
            && (self.is_of_family() || marks_family || self.qualifier == cell.qualifier())
    }

    fn is_of_family(&self) -> bool {
        matches!(self.kind, CellType::DeleteFamily | CellType::DeleteFamilyVersion)
    }

    /// Whether a cell is this one, if the server set this time.
    fn is(&self, cell: &Cell, time: Timestamp) -> bool {
        let value = match &self.value {
            Value::Is(value) => value == cell.value(),
            Value::EndsWith(end) => cell.value().ends_with(end),
            Value::Any => true,
        };
        value
            && cell.timestamp() == self.at.unwrap_or(time)
            && cell.kind() == self.kind
            && self.family.as_ref().is_none_or(|family| family == cell.family())
            && (self.is_of_family() || self.qualifier == cell.qualifier())
    }
}

/// What to look for in a row, and where.
#[derive(Clone, Debug)]
pub(crate) struct Traces {
    pub(crate) row: Bytes,
    traces: Vec<Trace>,
    /// Whether it may vanish by itself.
    expires: bool,
    /// Whether it deletes a version that only the server knows.
    newest: bool,
}

impl Traces {
    /// What an operation leaves in its row; an error if it changes nothing.
    pub(crate) fn of(operation: RowOperation) -> Result<Self, String> {
        let mutation = match operation {
            RowOperation::Mutation(mutation) => Some(mutation),
            RowOperation::CheckAndMutate(CheckAndMutate { mutation, .. }) => mutation,
            RowOperation::Get(_) | RowOperation::Exists(_) => None,
        };
        let Some(mutation) = mutation else {
            return Err("only a change can be read back, and it has none".into());
        };
        let row = Bytes::copy_from_slice(mutation.row());
        let several = match Mutation::single(mutation) {
            Ok(single) => RowMutations { mutations: vec![single], ..RowMutations::new(row) },
            Err(several) => several,
        };
        if let Some(problem) = several.problem() {
            return Err(problem);
        }
        let RowMutations { row, mut mutations, .. } = several;
        let mut all = Self { row, traces: Vec::new(), expires: false, newest: false };
        for (kind, cells) in &mut mutations {
            cells.settle(*kind)?;
            all.add(*kind, cells)?;
        }
        Ok(all)
    }

    fn add(&mut self, kind: MutationKind, cells: &Cells) -> Result<(), String> {
        self.expires |= cells.ttl.is_some();
        if kind == MutationKind::Delete && cells.cells.is_empty() {
            self.traces.push(Trace {
                family: None,
                qualifier: Bytes::new(),
                kind: CellType::DeleteFamily,
                value: Value::Any,
                at: cells.until,
            });
        }
        for cell in cells.read()? {
            let value = cell.share(cell.value());
            self.newest |= cells.once;
            self.traces.push(Trace {
                family: Some(cell.share(cell.family())),
                qualifier: cell.share(cell.qualifier()),
                kind: cell.kind(),
                value: match kind {
                    MutationKind::Put => Value::Is(value),
                    MutationKind::Append => Value::EndsWith(value),
                    MutationKind::Delete | MutationKind::Increment => Value::Any,
                },
                at: cell
                    .given_timestamp()
                    .filter(|_| !matches!(kind, MutationKind::Increment | MutationKind::Append)),
            });
        }
        Ok(())
    }

    /// The families that it is in; `None` for all of them.
    pub(crate) fn families(&self) -> Option<Vec<Bytes>> {
        let mut families: Vec<Bytes> =
            self.traces.iter().map(|trace| trace.family.clone()).collect::<Option<_>>()?;
        families.sort();
        families.dedup();
        Some(families)
    }

    /// The earliest time of what it leaves, if the operation began at this time or later.
    pub(crate) fn since(&self, began: Timestamp) -> Timestamp {
        self.traces.iter().filter_map(|trace| trace.at).fold(began, Timestamp::min)
    }

    /// Whether it leaves nothing but markers, which vanish once there is nothing that they hide.
    pub(crate) fn only_deletes(&self) -> bool {
        self.traces.iter().all(|trace| trace.kind != CellType::Put)
    }

    /// Whether a row that is read has cells that it would have deleted.
    pub(crate) fn would_hide(&self, row: &Row) -> bool {
        row.cells().iter().any(|cell| {
            self.traces.iter().any(|trace| {
                trace.is_in_column_of(cell) && trace.at.is_none_or(|at| cell.timestamp() <= at)
            })
        })
    }

    /// What the cells and markers that were written since show; `visible` is whether what it would
    /// have deleted is there.
    pub(crate) fn judge(self, cells: Vec<Cell>, began: Timestamp, visible: bool) -> ReadBack {
        let all_at = |time: Timestamp| {
            self.traces.iter().all(|trace| cells.iter().any(|cell| trace.is(cell, time)))
        };
        let applied = cells.iter().map(Cell::timestamp).any(|time| {
            let by_server = self.traces.iter().any(|trace| trace.at.is_none());
            (time >= began || !by_server) && all_at(time)
        });
        let own =
            |trace: &Trace| !(trace.kind == CellType::Put && matches!(trace.value, Value::Any));
        let touched = cells.iter().any(|cell| {
            self.traces.iter().any(|trace| {
                trace.is_in_column_of(cell)
                    && (cell.timestamp() >= began || trace.at == Some(cell.timestamp()))
            })
        });
        let (found, reason) = if self.newest {
            (Found::CannotTell, "only the server knew which version it deletes")
        } else if applied && self.traces.iter().any(own) {
            (Found::Applied, "all that it writes is there, written in one step")
        } else if applied {
            (Found::CannotTell, "a counter was added to, which other increments do as well")
        } else if touched {
            (Found::CannotTell, "its columns were written or deleted by others since")
        } else if self.expires {
            (Found::CannotTell, "it is not there, and may have expired")
        } else if self.only_deletes() && !visible {
            (Found::CannotTell, "there is nothing that it would delete")
        } else {
            (Found::NotApplied, "its columns were not written since")
        };
        ReadBack { found, reason, cells }
    }
}
