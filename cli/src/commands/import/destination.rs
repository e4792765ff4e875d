//! The table that an import writes to, and checks of whether the table accepts lines.

use tallrow::{ErrorKind, Increment, Put, RawTable, Timestamp};

use super::mapping::{Change, Mapping};
use super::record::Values;
use crate::cells::column::Column;
use crate::failure::{Failure, Result, in_cli_words};
use crate::rows::open_table::OpenTable;

/// The table that an import writes to, and the counters of the import.
pub(super) struct Destination {
    pub(super) raw: RawTable,
    table: OpenTable,
    counters: Vec<Column>,
}

/// The timestamp of cells in checks. It is arbitrary, because it does not affect whether a cell is
/// valid.
const TIME: Timestamp = Timestamp::from_millis(1);

impl Destination {
    /// Makes a destination, after checking that the table accepts those columns of the mapping that
    /// are known before lines are read.
    pub(super) fn new(table: OpenTable, mapping: &Mapping) -> Result<Self> {
        for column in mapping.columns() {
            table.check_column("the column", column)?;
        }
        let (raw, counters) = (table.raw.clone(), mapping.counters());
        if let Some(error) = unsupported(&raw, &counters) {
            return Err(Failure::usage(format!("--count: {}", in_cli_words(&error.message()))).advise(
                "counters are added to once for each line in HBase only; import into one, or the \
                 lines as rows with --column",
            ));
        }
        Ok(Self { raw, table, counters })
    }

    /// Returns the change that a line makes. The error says why the line is refused: it does not
    /// fit the mapping, the table lacks a family, or the client would refuse to send the change.
    pub(super) fn change(
        &self,
        mapping: &Mapping,
        values: &Values,
    ) -> std::result::Result<Change, String> {
        let change = mapping.change(values)?;
        for (column, _) in &change.cells {
            let refused = self.table.check_family(&column.family);
            refused.map_err(|why| format!("{}: {why}", mapping.name_of(column)))?;
        }
        if !change.cells.is_empty() {
            self.check_put(mapping, &change)?;
        }
        if !change.counts.is_empty() {
            let increment =
                self.counters.iter().fold(Increment::new(&*change.row), |all, counter| {
                    all.add(&counter.family, &counter.qualifier, 1)
                });
            let valid = self.raw.validate(increment);
            valid.map_err(|error| {
                format!("{}: {}", mapping.names_of_key(), in_cli_words(&error.message()))
            })?;
        }
        Ok(change)
    }

    fn check_put(&self, mapping: &Mapping, change: &Change) -> std::result::Result<(), String> {
        let put = |row: &[u8], cells: &[(Column, Vec<u8>)]| {
            let put = cells.iter().fold(Put::new(row), |put, (column, value)| {
                put.cell_at(&column.family, &column.qualifier, TIME, &**value)
            });
            self.raw.validate(put)
        };
        let Err(all) = put(&change.row, &change.cells) else { return Ok(()) };
        // Find the wrong part. A wrong cell is refused in any row, and a wrong key is refused with
        // any cell.
        for cell in &change.cells {
            if let Err(error) = put(b"r", std::slice::from_ref(cell)) {
                return Err(format!(
                    "{}: {}",
                    mapping.name_of(&cell.0),
                    in_cli_words(&error.message())
                ));
            }
        }
        match change.cells.first().map(|cell| put(&change.row, std::slice::from_ref(cell))) {
            Some(Err(error)) => {
                Err(format!("{}: {}", mapping.names_of_key(), in_cli_words(&error.message())))
            }
            _ => Err(in_cli_words(&all.message())),
        }
    }
}

/// Returns the error if the store does not support the steps that counters need.
fn unsupported(table: &RawTable, counters: &[Column]) -> Option<tallrow::Error> {
    let first = counters.first()?;
    let increment = Increment::new("r").add(&first.family, &first.qualifier, 1);
    let check = tallrow::op::Check::new("r", &first.family, &first.qualifier).if_not_exists();
    let step = tallrow::op::RowMutations::new("r").add(increment);
    let error = table.validate(check.then(step)).err()?;
    (error.kind() == ErrorKind::Unsupported).then_some(error)
}
