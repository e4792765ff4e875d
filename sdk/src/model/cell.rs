//! Cells: each is a value, or a marker that hides values, with its row key, family, qualifier and
//! timestamp.
//!
//! In memory a cell consists of the bytes of HBase's `KeyValue`, and the cells of a mutation form
//! one block of such bytes, so that the HBase backend sends and receives cells without a copy.
//! Outside `hbase`, only this file depends on that encoding.

use std::fmt;

use bytes::{Bytes, BytesMut};

use super::show;
use crate::wire::cell::{self, KeyValue, LATEST_TIMESTAMP, MAX_ROW_LEN};
use crate::wire::cell_block::{self, CellBlock};
use crate::{Error, Result, Timestamp};

/// Whether a [`Cell`] is a value or a delete marker.
///
/// Only [raw](crate::Scan::raw) scans return delete markers.
///
/// ```
/// use tallrow::{Timestamp, cell::{Cell, CellType}};
///
/// let cell = Cell::new("row", "d", "q", Timestamp::from_millis(5), CellType::DeleteColumn, "")?;
/// assert_ne!(cell.kind(), CellType::Put);
/// # Ok::<(), tallrow::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::exhaustive_enums, reason = "HBase's KeyValue.Type, complete")]
pub enum CellType {
    /// A value.
    Put,
    /// Hides the version of the column with the marker's timestamp.
    Delete,
    /// Hides every cell of the family with the marker's timestamp.
    DeleteFamilyVersion,
    /// Hides every version of the column with the marker's timestamp or an older one.
    DeleteColumn,
    /// Hides every cell of the family with the marker's timestamp or an older one.
    DeleteFamily,
}

impl CellType {
    fn of(kind: cell::CellType) -> Self {
        match kind {
            cell::CellType::Put => Self::Put,
            cell::CellType::Delete => Self::Delete,
            cell::CellType::DeleteFamilyVersion => Self::DeleteFamilyVersion,
            cell::CellType::DeleteColumn => Self::DeleteColumn,
            cell::CellType::DeleteFamily => Self::DeleteFamily,
        }
    }

    fn to_wire(self) -> cell::CellType {
        match self {
            Self::Put => cell::CellType::Put,
            Self::Delete => cell::CellType::Delete,
            Self::DeleteFamilyVersion => cell::CellType::DeleteFamilyVersion,
            Self::DeleteColumn => cell::CellType::DeleteColumn,
            Self::DeleteFamily => cell::CellType::DeleteFamily,
        }
    }
}

/// One cell: a value or a delete marker. Clones of a cell share its bytes.
///
/// ```
/// use tallrow::{
///     Timestamp,
///     cell::{Cell, CellType},
/// };
///
/// let cell = Cell::new("row", "d", "name", Timestamp::from_millis(5), CellType::Put, "Ada")?;
/// assert_eq!(
///     (cell.row(), cell.family(), cell.qualifier()),
///     (&b"row"[..], &b"d"[..], &b"name"[..])
/// );
/// assert_eq!((cell.timestamp(), cell.value()), (Timestamp::from_millis(5), &b"Ada"[..]));
/// # Ok::<(), tallrow::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
#[repr(transparent)]
pub struct Cell(cell::Cell);

impl Cell {
    /// Creates a cell from its parts, which are copied.
    ///
    /// See [`Cell`] for an example of this and the other functions.
    ///
    /// # Errors
    /// A row key of more than 32,767 bytes, a family of more than 127 bytes, or a part of more than
    /// 2 GiB.
    pub fn new(
        row: impl AsRef<[u8]>,
        family: impl AsRef<[u8]>,
        qualifier: impl AsRef<[u8]>,
        timestamp: Timestamp,
        kind: CellType,
        value: impl AsRef<[u8]>,
    ) -> Result<Self> {
        let (row, family) = (row.as_ref(), family.as_ref());
        let (qualifier, value) = (qualifier.as_ref(), value.as_ref());
        let cell =
            cell::Cell::new(row, family, qualifier, timestamp.as_millis(), kind.to_wire(), value);
        cell.map(Self).map_err(|e| Error::invalid(e.to_string()))
    }

    /// Wraps a cell of a response.
    pub(crate) fn from_wire(cell: cell::Cell) -> Self {
        Self(cell)
    }

    /// The cell as it is encoded on HBase's wire.
    pub(crate) fn as_wire(&self) -> &cell::Cell {
        &self.0
    }

    /// Wraps the cells of a response.
    pub(crate) fn wrap(cells: Vec<cell::Cell>) -> Vec<Self> {
        cells.into_iter().map(Self).collect()
    }

    /// The row key.
    pub fn row(&self) -> &[u8] {
        self.0.row()
    }

    /// The family.
    pub fn family(&self) -> &[u8] {
        self.0.family()
    }

    /// The qualifier; may be empty.
    pub fn qualifier(&self) -> &[u8] {
        self.0.qualifier()
    }

    /// The timestamp.
    pub fn timestamp(&self) -> Timestamp {
        Timestamp::from_millis(self.0.timestamp())
    }

    /// The timestamp; `None` if the server has to set it.
    pub(crate) fn given_timestamp(&self) -> Option<Timestamp> {
        (self.0.timestamp() != LATEST_TIMESTAMP).then(|| self.timestamp())
    }

    /// Whether the cell is a value or a delete marker.
    ///
    /// See [`CellType`] for an example.
    pub fn kind(&self) -> CellType {
        CellType::of(self.0.kind())
    }

    /// The value; may be empty.
    pub fn value(&self) -> &[u8] {
        self.0.value()
    }

    /// The size of the cell in bytes, which is the same in memory and in HBase
    /// (`KeyValue.getLength`).
    ///
    /// ```
    /// # use tallrow::{Timestamp, cell::{Cell, CellType}};
    /// let cell = Cell::new("row", "d", "q", Timestamp::from_millis(5), CellType::Put, "value")?;
    /// assert_eq!(cell.size(), 30);
    /// # Ok::<(), tallrow::Error>(())
    /// ```
    pub fn size(&self) -> usize {
        self.0.bytes().len()
    }

    /// Returns `part`, which is a part of this cell, as bytes that share the cell's memory.
    pub(crate) fn slice_ref(&self, part: &[u8]) -> Bytes {
        self.0.slice_ref(part)
    }
}

/// Writes `"row1" d:name at 5 ms = "Ada"`, with only the start of a value or key of more than 64
/// bytes.
impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (row, at) = (show::row_key(self.row()), self.timestamp().as_millis());
        write!(f, "{row} {} at {at} ms", show::column(self.family(), self.qualifier()))?;
        match self.kind() {
            CellType::Put => write!(f, " = {}", show::bytes(self.value())),
            marker => write!(f, " {marker:?}"),
        }
    }
}

/// The parts of a cell of [`EncodedCells`], without its row key.
#[cfg(feature = "bigtable")]
pub(crate) struct CellParts<'a> {
    pub(crate) family: &'a [u8],
    pub(crate) qualifier: &'a [u8],
    /// `None` if the server is to set it.
    pub(crate) timestamp: Option<Timestamp>,
    pub(crate) kind: CellType,
    pub(crate) value: &'a [u8],
}

/// The cells of a mutation, one after the other in one block.
#[derive(Clone, Default, PartialEq)]
pub(crate) struct EncodedCells {
    block: BytesMut,
    cell_count: usize,
    largest: usize,
}

impl EncodedCells {
    /// Creates an empty buffer with room for `bytes` bytes of cells.
    #[cfg(feature = "bigtable")]
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self { block: BytesMut::with_capacity(bytes), ..Self::default() }
    }

    /// Appends a cell, or returns what is wrong with the cell. If `timestamp` is `None`, the server
    /// sets the timestamp.
    pub(crate) fn push(
        &mut self,
        row: &[u8],
        family: &[u8],
        qualifier: &[u8],
        timestamp: Option<Timestamp>,
        kind: CellType,
        value: &[u8],
    ) -> Result<(), String> {
        if family.is_empty() {
            return Err("a column needs a family".to_owned());
        }
        let timestamp = timestamp.map_or(LATEST_TIMESTAMP, Timestamp::as_millis);
        let before = self.block.len();
        let cell = KeyValue { row, family, qualifier, timestamp, kind: kind.to_wire(), value };
        cell_block::put_key_value(&cell, &mut self.block).map_err(|e| e.to_string())?;
        self.cell_count += 1;
        self.largest = self.largest.max(self.block.len() - before);
        Ok(())
    }

    /// Returns a column that has two cells with the same timestamp, if there is one.
    pub(crate) fn duplicate_version(&self) -> Option<(&[u8], &[u8])> {
        type Key<'a> = (&'a [u8], &'a [u8], u64);
        /// Up to this number of cells are sorted on the stack.
        const FEW: usize = 32;
        if self.cell_count < 2 {
            return None;
        }
        // Every cell of a block that was built here can be decoded.
        let keys = || {
            let cells = cell_block::key_values(&self.block).filter_map(Result::ok);
            cells.map(|cell| -> Key<'_> { (cell.family, cell.qualifier, cell.timestamp) })
        };
        if keys().is_sorted_by(|one, next| one < next) {
            return None;
        }
        let (mut few, mut many): ([Key<'_>; FEW], Vec<Key<'_>>) =
            ([(&[], &[], 0); FEW], Vec::new());
        let sorted = match few.get_mut(..self.cell_count) {
            Some(few) => {
                few.iter_mut().zip(keys()).for_each(|(place, key)| *place = key);
                few
            }
            None => {
                many.extend(keys());
                &mut many[..]
            }
        };
        sorted.sort_unstable();
        let same = sorted.windows(2).find(|pair| pair.first() == pair.last())?;
        same.first().map(|(family, qualifier, _)| (*family, *qualifier))
    }

    /// The number of cells.
    pub(crate) fn cell_count(&self) -> usize {
        self.cell_count
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.cell_count == 0
    }

    /// The size in bytes of all cells, with their length prefixes.
    pub(crate) fn size(&self) -> usize {
        self.block.len()
    }

    /// The size in bytes of the largest cell, with its length prefix.
    pub(crate) fn largest_cell_size(&self) -> usize {
        self.largest
    }

    /// The cells, in the order in which they were added.
    pub(crate) fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        cells_of(self.block.clone().freeze())
    }

    /// The parts of the cells, in the order in which the cells were added.
    #[cfg(feature = "bigtable")]
    pub(crate) fn parts(&self) -> impl Iterator<Item = CellParts<'_>> {
        // Every cell of a block that was built here can be decoded.
        cell_block::key_values(&self.block).filter_map(|cell| {
            let KeyValue { family, qualifier, timestamp, kind, value, .. } = cell.ok()?;
            let given = (timestamp != LATEST_TIMESTAMP).then_some(timestamp);
            let timestamp = given.map(Timestamp::from_millis);
            Some(CellParts { family, qualifier, timestamp, kind: CellType::of(kind), value })
        })
    }

    /// The cells, in the order in which they were added, without a copy.
    #[cfg(feature = "bigtable")]
    pub(crate) fn into_cells(self) -> impl Iterator<Item = Cell> + use<> {
        cells_of(self.block.freeze())
    }

    /// Returns the block of all cells.
    pub(crate) fn into_block(self) -> Bytes {
        self.block.freeze()
    }
}

fn cells_of(block: Bytes) -> impl Iterator<Item = Cell> + use<> {
    // Every cell of a block that was built here can be decoded.
    CellBlock::new(block).filter_map(|cell| cell.ok().map(Cell))
}

/// Checks a row key, or returns what is wrong with it.
pub(crate) fn validate_row(row: &[u8]) -> Result<(), String> {
    match row.len() {
        0 => Err("a row key must not be empty".into()),
        n if n > MAX_ROW_LEN => Err(format!("a row key of {n} bytes, more than {MAX_ROW_LEN}")),
        _ => Ok(()),
    }
}
