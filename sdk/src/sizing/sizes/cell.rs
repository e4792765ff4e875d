//! How many bytes one cell takes in HBase, by the format of `KeyValue`.
//!
//! # Invariants
//!
//! - Sizes are those of HBase's cells. Tests:
//!   `tests/suites/client/sizes.rs::sizes_of_cells_and_rows_are_those_of_the_server`.

use crate::model::cell::Cell;

/// The number of bytes that a cell takes in HBase, which stores row key, family, qualifier and
/// timestamp with every value (`KeyValue`).
///
/// | part | bytes |
/// |---|---|
/// | length of the key, length of the value | 4 + 4 |
/// | key: length of the row key, row key | 2 + n |
/// | key: length of the family, family | 1 + n |
/// | key: qualifier | n |
/// | key: timestamp, type | 8 + 1 |
/// | value | n |
/// | its time to live, as a tag | 13 |
///
/// A region server keeps this number of bytes in memory and in a store file, before compression and
/// block encoding. A store file adds 1 byte per cell, and a call adds 4 bytes per cell.
///
/// ```
/// use tallrow::sizes::CellSize;
///
/// let cell = CellSize::new(8, 1, 3, 8);
/// assert_eq!((cell.key(), cell.total()), (24, 40));
/// // The same value under a name that is easier to read.
/// assert_eq!(CellSize::new(8, 1, "myVeryImportantAttribute".len(), 8).total() - cell.total(), 21);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellSize {
    key: usize,
    value: usize,
    tags: usize,
}

/// The bytes of the lengths of key and value.
const LENGTHS: usize = 4 + 4;
/// The bytes of a key besides row key, family and qualifier: two lengths, timestamp and type.
const KEY: usize = 2 + 1 + 8 + 1;
/// The bytes of a time to live: the length of all tags, then the length, the type and the value of
/// its tag.
const TTL_TAG: usize = 2 + 2 + 1 + 8;

impl CellSize {
    /// Returns the size of a cell, from the lengths of its row key, family, qualifier and value.
    ///
    /// See [`CellSize`] for an example of this and the other functions.
    pub const fn new(row_key: usize, family: usize, qualifier: usize, value: usize) -> Self {
        Self { key: KEY + row_key + family + qualifier, value, tags: 0 }
    }

    /// Returns the size of the cell if it also has a time to live.
    ///
    /// ```
    /// # use tallrow::sizes::CellSize;
    /// let cell = CellSize::new(8, 1, 1, 8);
    /// assert_eq!(cell.with_ttl().total() - cell.total(), 13);
    /// ```
    pub const fn with_ttl(self) -> Self {
        Self { tags: TTL_TAG, ..self }
    }

    /// Returns the size of a cell that was read.
    ///
    /// ```
    /// # use tallrow::{Timestamp, cell::{Cell, CellType}, sizes::CellSize};
    /// let cell = Cell::new("row", "d", "q", Timestamp::from_millis(5), CellType::Put, "value")?;
    /// assert_eq!(CellSize::of(&cell), CellSize::new(3, 1, 1, 5));
    /// # Ok::<(), tallrow::Error>(())
    /// ```
    pub fn of(cell: &Cell) -> Self {
        Self::new(cell.row().len(), cell.family().len(), cell.qualifier().len(), cell.value().len())
    }

    /// The number of bytes of the key: row key, family, qualifier, timestamp, type, and two
    /// lengths.
    pub const fn key(self) -> usize {
        self.key
    }

    /// The number of bytes of the value.
    ///
    /// ```
    /// assert_eq!(tallrow::sizes::CellSize::new(8, 1, 1, 100).value(), 100);
    /// ```
    pub const fn value(self) -> usize {
        self.value
    }

    /// The number of bytes of the whole cell (`KeyValue.getLength`).
    pub const fn total(self) -> usize {
        LENGTHS + self.key + self.value + self.tags
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three cells in each of a thousand million rows.
    fn terabytes(cell: CellSize) -> f64 {
        cell.total() as f64 * 3e9 / 1e12
    }

    #[test]
    fn digests_in_a_row_key_cost_more_than_numbers_for_them() {
        // [md5 of host][md5 of event][timestamp], and [number of host][number of event][timestamp].
        let (digests, numbers) = (16 + 16 + 8, 8 + 8 + 8);
        let (digests, numbers) = (CellSize::new(digests, 1, 1, 8), CellSize::new(numbers, 1, 1, 8));
        assert_eq!((digests.total(), numbers.total()), (70, 54));
        assert!((terabytes(digests) - terabytes(numbers) - 0.048).abs() < 1e-9);
    }

    #[test]
    fn text_costs_more_than_the_bytes_it_stands_for() {
        let key = |row: usize| CellSize::new(row, 1, 1, 0).total();
        let (number, text) = (1_234_567_890_i64.to_be_bytes(), 1_234_567_890_i64.to_string());
        assert_eq!((number.len(), text.len()), (8, 10));
        assert_eq!(key(text.len()) - key(number.len()), 2);
        assert_eq!(key(26) - key(16), 10, "an MD5 as text, and as it is");
    }

    #[test]
    fn coordinates_outweigh_a_small_value() {
        let cell = CellSize::new("user123|20151101".len(), "cf".len(), "temperature".len(), 8);
        assert_eq!(cell.total() - cell.value(), 8 + 12 + 16 + 2 + 11);
        assert!(cell.value() * 6 < cell.total());
    }
}
