//! Checks whether changes of one row can be made in one step. This is not possible if one of them
//! would be lost.
//!
//! # Invariants
//!
//! - Several changes of a row are atomic, and none of them undoes another. Tests:
//!   `tests/suites/client/row_mutations.rs::every_kind_of_change_is_applied_atomically`,
//!   `tests/suites/client/row_mutations.rs::no_change_is_applied_if_one_is_rejected`,
//!   `tests/suites/client/row_mutations.rs::a_cell_is_not_changed_twice_in_one_step`.

use std::collections::{BTreeMap, HashMap, HashSet};

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
        writes.times.keys().any(|time| deleted.hides(&column, *time)).then_some(column)
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
    /// Sorted, so that of several problems always the same one is reported.
    columns: BTreeMap<Column, Writes>,
}

/// The values that a step writes in one column. There may be many: the values of a put may have
/// any number of timestamps.
struct Writes {
    /// The index of the first change that writes the column.
    first: usize,
    /// Whether all changes that write the column are puts.
    all_put: bool,
    /// The timestamps, each with the index of the first change that has it; `None` is the server's
    /// time.
    times: HashMap<Option<Timestamp>, usize>,
}

impl Written {
    /// Adds the values of a change. Returns a column that another change writes too, unless both
    /// changes are puts with different timestamps.
    fn add(&mut self, at: usize, kind: MutationKind, cells: &SingleMutation) -> Option<Column> {
        let is_put = kind == MutationKind::Put;
        for cell in cells.cells.cells() {
            let column = || (cell.slice_ref(cell.family()), cell.slice_ref(cell.qualifier()));
            let none = || Writes { first: at, all_put: true, times: HashMap::new() };
            let writes = self.columns.entry(column()).or_insert_with(none);
            writes.all_put &= is_put;
            let same_time = *writes.times.entry(cell.given_timestamp()).or_insert(at);
            if writes.first != at && !writes.all_put || same_time != at {
                return Some(column());
            }
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
    versions: HashSet<(Bytes, Option<Bytes>, Timestamp)>,
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
                    self.versions.insert((family, None, time));
                    continue;
                }
                (CellType::Delete, Some(time)) => {
                    self.versions.insert((family, Some(qualifier), time));
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
        let is_version = |only: Option<&Bytes>| {
            let version = |time| (family.clone(), only.cloned(), time);
            value.is_some_and(|time| self.versions.contains(&version(time)))
        };
        let until =
            [self.row, self.families.get(family).copied(), self.columns.get(column).copied()];
        until.into_iter().flatten().any(|until| until.hides(value))
            || is_version(None)
            || is_version(Some(qualifier))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Delete, Put, op::RowMutations};

    /// If each value were compared with all others of its column, this would take minutes.
    #[test]
    fn a_step_with_many_versions_of_a_column_is_checked_soon() {
        const VERSIONS: u64 = 200_000;
        let mut put = Put::new("r");
        let mut delete = Delete::new("r");
        for time in 0..VERSIONS {
            put = put.cell_at("f", "q", Timestamp::from_millis(2 * time), "");
            delete = delete.version("f", "q", Timestamp::from_millis(2 * time + 1));
        }
        let step = || RowMutations::new("r").add(put.clone()).add(delete.clone());
        let problem = |step: RowMutations| step.problem();
        assert_eq!(problem(step()), None);
        let other = |time| Put::new("r").cell_at("f", "q", Timestamp::from_millis(time), "x");
        assert_eq!(problem(step().add(other(2 * VERSIONS))), None);
        let twice = problem(step().add(other(2 * VERSIONS - 2))).unwrap();
        assert!(twice.contains("is changed by two of its changes"), "{twice}");
        let hidden = problem(step().add(other(2 * VERSIONS - 1))).unwrap();
        assert!(hidden.contains("is written and deleted in one step"), "{hidden}");
    }

    #[test]
    fn of_several_values_that_would_be_lost_the_first_column_is_reported() {
        let put = ["c", "a", "b"].iter().fold(Put::new("r"), |put, q| put.cell("f", q, "v"));
        let step = RowMutations::new("r").add(put).add(Delete::new("r").family("f"));
        let problem = step.problem().unwrap();
        assert!(problem.starts_with("column f:a is written and deleted"), "{problem}");
    }
}
