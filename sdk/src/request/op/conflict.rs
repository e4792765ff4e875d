//! Checks whether changes of one row can be made in one step. This is not possible if one of them
//! would be lost.
//!
//! # Invariants
//!
//! - Several changes of a row are atomic, and none of them undoes another. Tests:
//!   `tests/suites/client/row_mutations.rs::every_kind_of_change_is_applied_atomically`,
//!   `tests/suites/client/row_mutations.rs::no_change_is_applied_if_one_is_rejected`,
//!   `tests/suites/client/row_mutations.rs::a_cell_is_not_changed_twice_in_one_step`.

use std::collections::HashMap;

use bytes::Bytes;

use super::cells::{MutationKind, SingleMutation};
use crate::Timestamp;
use crate::model::cell::CellType;
use crate::model::show;

type Column = (Bytes, Bytes);

/// Returns what would be lost if these changes of one row were made in one step; `None` if nothing
/// would be lost.
pub(crate) fn conflict<'a>(
    step: impl IntoIterator<Item = &'a (MutationKind, SingleMutation)> + Clone,
) -> Option<String> {
    // A single mutation needs no check here: `Cells::problem` finds a cell that it writes twice,
    // and it cannot both write and delete cells.
    step.clone().into_iter().nth(1)?;
    let (mut written, mut deleted) = (Written::default(), Deleted::default());
    for (at, (kind, cells)) in step.into_iter().enumerate() {
        if *kind == MutationKind::Delete {
            deleted.add(cells);
        } else if let Some(column) = written.add(at, *kind, cells) {
            let column = show::column(&column.0, &column.1);
            return Some(format!(
                "column {column} is changed by two of its changes, which are one step, so that one of them would be \
                 lost; change it by one of them"
            ));
        }
    }
    let (family, qualifier) = written.columns.into_iter().find_map(|(column, writes)| {
        writes.iter().any(|write| deleted.hides(&column, write.time)).then_some(column)
    })?;
    let column = show::column(&family, &qualifier);
    Some(format!(
        "column {column} is written and deleted in one step, and the delete would hide what is written; delete other \
         columns by name, or only what is older than what is written"
    ))
}

/// The values that a step writes.
#[derive(Default)]
struct Written {
    columns: HashMap<Column, Vec<Write>>,
}

struct Write {
    /// The index of the change that writes the value.
    at: usize,
    kind: MutationKind,
    /// `None` for the server's time.
    time: Option<Timestamp>,
}

impl Written {
    /// Adds the values of a change. Returns a column that another change writes too, unless both
    /// changes are puts with different timestamps.
    fn add(&mut self, at: usize, kind: MutationKind, cells: &SingleMutation) -> Option<Column> {
        for cell in cells.cells.cells() {
            let column = (cell.slice_ref(cell.family()), cell.slice_ref(cell.qualifier()));
            let write = Write { at, kind, time: cell.given_timestamp() };
            let writes = self.columns.entry(column).or_default();
            let both_put = |other: &Write| {
                other.kind == MutationKind::Put
                    && kind == MutationKind::Put
                    && other.time != write.time
            };
            if writes.iter().any(|other| other.at != at && !both_put(other)) {
                return Some((cell.slice_ref(cell.family()), cell.slice_ref(cell.qualifier())));
            }
            writes.push(write);
        }
        None
    }
}

/// The cells that the delete markers of a step hide.
#[derive(Default)]
struct Deleted {
    row: Option<Until>,
    families: HashMap<Bytes, Until>,
    columns: HashMap<Column, Until>,
    /// Single versions of families, and of columns.
    versions: Vec<(Bytes, Option<Bytes>, Timestamp)>,
}

/// The time up to which cells are hidden.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Until {
    Time(Timestamp),
    /// The server's time. All values without a timestamp get this time; the client does not know
    /// it.
    Now,
}

impl Until {
    fn of(time: Option<Timestamp>) -> Self {
        time.map_or(Self::Now, Self::Time)
    }

    /// Returns whether a value with this timestamp is hidden, or may be hidden.
    fn hides(self, value: Option<Timestamp>) -> bool {
        match (self, value) {
            (Self::Now, _) => true,
            (Self::Time(until), Some(value)) => value <= until,
            (Self::Time(_), None) => false,
        }
    }
}

impl Deleted {
    fn add(&mut self, cells: &SingleMutation) {
        if cells.cells.is_empty() {
            self.row = self.row.max(Some(Until::of(cells.until)));
        }
        for cell in cells.cells.cells() {
            let (family, qualifier) =
                (cell.slice_ref(cell.family()), cell.slice_ref(cell.qualifier()));
            let until = Until::of(cell.given_timestamp());
            let hidden = match (cell.kind(), cell.given_timestamp()) {
                (CellType::DeleteFamilyVersion, Some(time)) => {
                    self.versions.push((family, None, time));
                    continue;
                }
                (CellType::Delete, Some(time)) => {
                    self.versions.push((family, Some(qualifier), time));
                    continue;
                }
                (CellType::DeleteFamily | CellType::DeleteFamilyVersion, _) => {
                    self.families.entry(family).or_insert(until)
                }
                _ => self.columns.entry((family, qualifier)).or_insert(until),
            };
            *hidden = until.max(*hidden);
        }
    }

    fn hides(&self, column: &Column, value: Option<Timestamp>) -> bool {
        let (family, qualifier) = column;
        let of_version = |(of, only, time): &(Bytes, Option<Bytes>, Timestamp)| {
            of == family
                && only.as_ref().is_none_or(|only| only == qualifier)
                && value == Some(*time)
        };
        let until =
            [self.row, self.families.get(family).copied(), self.columns.get(column).copied()];
        until.into_iter().flatten().any(|until| until.hides(value))
            || self.versions.iter().any(of_version)
    }
}
