//! Decides from the cells of a row whether a change with an unknown outcome was made.

use bytes::Bytes;

use super::{CheckAndMutate, Mutation, MutationKind, RowMutations, RowOperation};
use crate::model::cell::{Cell, CellType};
use crate::request::op::SingleMutation;
use crate::{Row, Timestamp};

/// The result of [`RawTable::read_back`](crate::RawTable::read_back): what a row shows about a
/// change whose outcome is unknown.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadBackResult {
    found: ReadBackOutcome,
    reason: &'static str,
    cells: Vec<Cell>,
}

/// Whether a change was found in its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::exhaustive_enums, reason = "it is found, or it is not, or neither is known")]
pub enum ReadBackOutcome {
    /// The row has all cells and markers that the change writes, written in one step.
    Applied,
    /// Nothing has been written to the columns of the change since the time that was passed to
    /// `read_back`.
    NotApplied,
    /// The row does not show whether the change was made: other writes changed the same columns, or
    /// all that the change writes could also be from another write.
    CannotTell,
}

impl ReadBackResult {
    /// Returns whether the change was found.
    ///
    /// See [`RawTable::read_back`](crate::RawTable::read_back) for an example of this and the other
    /// functions.
    pub fn outcome(&self) -> ReadBackOutcome {
        self.found
    }

    /// The reason for [`outcome`](Self::outcome), in a few words.
    pub fn reason(&self) -> &'static str {
        self.reason
    }

    /// The cells that have been written to the families of the change since the time that was
    /// passed to `read_back`: all versions, and delete markers.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }
}

/// A cell or delete marker that a change leaves in its row.
#[derive(Clone, Debug)]
struct Trace {
    /// `None` for a marker in every family.
    family: Option<Bytes>,
    qualifier: Bytes,
    kind: CellType,
    value: Value,
    /// The timestamp that the caller gave; `None` for the server's time.
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

    /// Returns whether `cell` is the cell or marker of this trace. `time` is the timestamp that the
    /// server would have set.
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

/// The cells and markers that a change leaves, and the row in which to look for them.
#[derive(Clone, Debug)]
pub(crate) struct ChangedCells {
    pub(crate) row: Bytes,
    traces: Vec<Trace>,
    /// Whether the cells may expire.
    expires: bool,
    /// Whether the change deletes a version that only the server knows.
    newest: bool,
}

impl ChangedCells {
    /// Returns the cells and markers that an operation leaves in its row; fails if the operation
    /// changes nothing or is invalid.
    pub(crate) fn of(operation: RowOperation) -> Result<Self, String> {
        let mutation = match operation {
            RowOperation::Mutation(mutation) => Some(mutation),
            RowOperation::CheckAndMutate(CheckAndMutate { mutation, .. }) => {
                mutation.map(|mutation| *mutation)
            }
            RowOperation::Get(_) | RowOperation::Exists(_) => None,
        };
        let Some(mutation) = mutation else {
            return Err("only a change can be read back, and it has none".into());
        };
        let row = Bytes::copy_from_slice(mutation.row());
        let several = match Mutation::try_into_single(mutation) {
            Ok(single) => RowMutations { mutations: vec![single], ..RowMutations::new(row) },
            Err(several) => several,
        };
        if let Some(problem) = several.problem() {
            return Err(problem);
        }
        let RowMutations { row, mut mutations, .. } = several;
        let mut all = Self { row, traces: Vec::new(), expires: false, newest: false };
        for (kind, cells) in &mut mutations {
            cells.combine_repeated(*kind)?;
            all.add(*kind, cells)?;
        }
        Ok(all)
    }

    fn add(&mut self, kind: MutationKind, cells: &SingleMutation) -> Result<(), String> {
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
        for cell in cells.decode_cells()? {
            let value = cell.slice_ref(cell.value());
            self.newest |= cells.must_not_repeat;
            self.traces.push(Trace {
                family: Some(cell.slice_ref(cell.family())),
                qualifier: cell.slice_ref(cell.qualifier()),
                kind: cell.kind(),
                value: match kind {
                    MutationKind::Put => Value::Is(value),
                    MutationKind::Append => Value::EndsWith(value),
                    MutationKind::Delete
                    | MutationKind::Increment
                    | MutationKind::AddToCells
                    | MutationKind::MergeToCells => Value::Any,
                },
                at: cell
                    .given_timestamp()
                    .filter(|_| !matches!(kind, MutationKind::Increment | MutationKind::Append)),
            });
        }
        Ok(())
    }

    /// Returns the families that the change writes to; `None` for all families.
    pub(crate) fn families(&self) -> Option<Vec<Bytes>> {
        let mut families: Vec<Bytes> =
            self.traces.iter().map(|trace| trace.family.clone()).collect::<Option<_>>()?;
        families.sort();
        families.dedup();
        Some(families)
    }

    /// Returns the earliest timestamp that these cells and markers can have, if the operation began
    /// at `began` or later.
    pub(crate) fn earliest_timestamp(&self, began: Timestamp) -> Timestamp {
        self.traces.iter().filter_map(|trace| trace.at).fold(began, Timestamp::min)
    }

    /// Returns whether the change leaves only delete markers. Servers remove such markers once they
    /// hide nothing.
    pub(crate) fn has_only_deletes(&self) -> bool {
        self.traces.iter().all(|trace| trace.kind != CellType::Put)
    }

    /// Returns whether a row, as a read returned it, has cells that the change would have deleted.
    pub(crate) fn has_cells_to_delete(&self, row: &Row) -> bool {
        row.cells().iter().any(|cell| {
            self.traces.iter().any(|trace| {
                trace.is_in_column_of(cell) && trace.at.is_none_or(|at| cell.timestamp() <= at)
            })
        })
    }

    /// Decides whether the change was made, from the cells and markers that were written since
    /// `began`; `has_cells_to_delete` says whether a read returns cells that the change would have
    /// deleted.
    pub(crate) fn judge(
        self,
        cells: Vec<Cell>,
        began: Timestamp,
        has_cells_to_delete: bool,
    ) -> ReadBackResult {
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
            (ReadBackOutcome::CannotTell, "only the server knew which version it deletes")
        } else if applied && self.traces.iter().any(own) {
            (ReadBackOutcome::Applied, "all that it writes is there, written in one step")
        } else if applied {
            (
                ReadBackOutcome::CannotTell,
                "a counter was added to, which other increments do as well",
            )
        } else if touched {
            (ReadBackOutcome::CannotTell, "its columns were written or deleted by others since")
        } else if self.expires {
            (ReadBackOutcome::CannotTell, "it is not there, and may have expired")
        } else if self.has_only_deletes() && !has_cells_to_delete {
            (ReadBackOutcome::CannotTell, "there is nothing that it would delete")
        } else {
            (ReadBackOutcome::NotApplied, "its columns were not written since")
        };
        ReadBackResult { found, reason, cells }
    }
}
