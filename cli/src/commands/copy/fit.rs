//! Checks whether a store, which is HBase or Bigtable, can hold the rows and families of a copy.

use tallrow::Row;
use tallrow::cell::{Cell, CellType};
use tallrow::key::show;

use super::side::{BIGTABLE_MAX_CELL_BYTES, Store};

/// Bigtable's limits in bytes: for a row key, a qualifier, a row and the name of a family.
const ROW_KEY: usize = 4 << 10;
const QUALIFIER: usize = 16 << 10;
const ROW: usize = 256 << 20;
const FAMILY: usize = 64;
/// The latest timestamp in milliseconds whose value in microseconds fits into an `i64`.
const LATEST: u64 = (i64::MAX / 1_000) as u64;

/// A check, part by part, of whether a store can hold rows.
#[derive(Debug)]
pub(super) struct FitCheck {
    store: Store,
    /// The key of the row that was checked last, and the size in bytes of its parts so far.
    row: (Vec<u8>, usize),
}

impl FitCheck {
    pub(super) fn of(store: Store) -> Self {
        Self { store, row: (Vec::new(), 0) }
    }

    /// Checks a part of a row; the error says why the store cannot hold the row. The parts of a row
    /// must be checked one after the other.
    pub(super) fn check(&mut self, part: &Row) -> Result<(), String> {
        if self.store == Store::HBase {
            return Ok(());
        }
        let key = part.key().len();
        if key > ROW_KEY {
            return Err(format!("its key has {key} bytes, and Bigtable's at most {ROW_KEY}"));
        }
        let (row, bytes) = &mut self.row;
        if row != part.key() {
            (*row, *bytes) = (part.key().to_vec(), 0);
        }
        for cell in part.cells() {
            check_cell(cell).map_err(|why| format!("{}: {why}", cell_label(cell)))?;
            *bytes += cell.qualifier().len() + cell.value().len();
        }
        if *bytes > ROW {
            return Err(format!("it has more than {ROW} bytes, which Bigtable does not read"));
        }
        Ok(())
    }
}

/// Returns the column and the timestamp of a cell as text.
pub(super) fn cell_label(cell: &Cell) -> String {
    let (family, qualifier) = (show::shell(cell.family()), show::shell(cell.qualifier()));
    format!("{family}:{qualifier} at {} ms", cell.timestamp().as_millis())
}

fn check_cell(cell: &Cell) -> Result<(), String> {
    let (qualifier, value) = (cell.qualifier().len(), cell.value().len());
    if cell.kind() != CellType::Put {
        return Err(format!("a delete marker ({:?}), and Bigtable has none", cell.kind()));
    }
    if cell.timestamp().as_millis() > LATEST {
        return Err(format!("its time is too late for Bigtable, whose times end at {LATEST} ms"));
    }
    if qualifier > QUALIFIER {
        return Err(format!(
            "its qualifier has {qualifier} bytes, and Bigtable's at most {QUALIFIER}"
        ));
    }
    if value > BIGTABLE_MAX_CELL_BYTES {
        return Err(format!(
            "its value has {value} bytes, and Bigtable's at most {BIGTABLE_MAX_CELL_BYTES}"
        ));
    }
    Ok(())
}

/// Checks the name of a family; the error says why the store cannot have a family with this name.
pub(super) fn check_family(store: Store, name: &str) -> Result<(), String> {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let legal = name.starts_with(word) && name.chars().all(|c| word(c) || "-.".contains(c));
    match store {
        Store::Bigtable if !legal || name.len() > FAMILY => Err(format!(
            "Bigtable cannot have a family {name:?}: up to {FAMILY} letters, digits, '_', '-' and \
             '.', and neither '-' nor '.' first"
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use tallrow::Timestamp;

    use super::*;

    fn found(qualifier: &str, time: u64, kind: CellType, value: &[u8]) -> Option<String> {
        let cell = Cell::new("r", "d", qualifier, Timestamp::from_millis(time), kind, value);
        check_cell(&cell.unwrap()).err()
    }

    #[test]
    fn what_bigtable_cannot_hold_is_named() {
        let put = CellType::Put;
        assert_eq!(found("q", 5, put, b"x"), None);
        assert_eq!(found(&"q".repeat(QUALIFIER), LATEST, put, b""), None);
        let text = |found: Option<String>| found.unwrap();
        assert!(text(found("q", LATEST + 1, put, b"")).contains("too late for Bigtable"));
        assert!(text(found(&"q".repeat(QUALIFIER + 1), 5, put, b"")).contains("16385 bytes"));
        assert!(text(found("q", 5, CellType::DeleteColumn, b"")).contains("a delete marker"));
    }

    #[test]
    fn names_of_families_are_those_of_the_store() {
        for good in ["d", "_x-1.y", &"f".repeat(FAMILY)] {
            assert_eq!(check_family(Store::Bigtable, good), Ok(()));
        }
        for bad in ["", "-x", "a b", "ä", &"f".repeat(FAMILY + 1)] {
            assert!(check_family(Store::Bigtable, bad).is_err(), "{bad}");
            assert_eq!(check_family(Store::HBase, bad), Ok(()));
        }
    }
}
