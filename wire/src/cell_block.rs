//! Cell blocks: the cells that follow a message in its frame, as `KeyValueCodec` encodes them.
//!
//! Each cell is preceded by its length, an `int32`. There is no count and no terminator; the
//! message before the block says how many cells each result has.

use bytes::{Buf, BufMut, Bytes, BytesMut};

use crate::WireError;
use crate::cell::{Cell, KeyValue, LATEST_TIMESTAMP};
use crate::frame::append_up_to;

/// Appends a cell to a block, from the bytes of its `KeyValue`.
///
/// ```
/// use bytes::BytesMut;
/// use tallrow_wire::cell::{Cell, CellType};
/// use tallrow_wire::cell_block::{self, CellBlock};
///
/// let cell = Cell::new(b"r", b"f", b"q", 1, CellType::Put, b"v").unwrap();
/// let mut block = BytesMut::new();
/// cell_block::put_cell(cell.bytes(), &mut block);
/// cell_block::put_cell(cell.bytes(), &mut block);
/// assert_eq!(CellBlock::new(block.freeze()).cells(2).unwrap(), [cell.clone(), cell]);
/// ```
pub fn put_cell(key_value: &[u8], block: &mut BytesMut) {
    block.reserve(4 + key_value.len());
    block.put_u32(key_value.len() as u32);
    block.put_slice(key_value);
}

/// Appends a cell to a block, from its parts.
///
/// ```
/// use bytes::BytesMut;
/// use tallrow_wire::cell::{CellType, KeyValue};
/// use tallrow_wire::cell_block::{self, CellBlock};
///
/// let key_value = KeyValue {
///     row: b"r",
///     family: b"f",
///     qualifier: b"q",
///     timestamp: 1,
///     kind: CellType::Put,
///     value: b"v",
/// };
/// let mut block = BytesMut::new();
/// cell_block::put_key_value(&key_value, &mut block).unwrap();
/// assert_eq!(CellBlock::new(block.freeze()).cells(1).unwrap()[0].value(), b"v");
/// ```
///
/// # Errors
/// The errors of [`KeyValue::encode`]; then nothing is appended.
pub fn put_key_value(key_value: &KeyValue<'_>, block: &mut BytesMut) -> Result<(), WireError> {
    key_value.validate()?;
    let len = key_value.encoded_len();
    append_up_to(block, 4 + len, |block| {
        block.put_u32(len as u32);
        key_value.put(block);
    });
    Ok(())
}

/// Sets the timestamp of every cell in a block whose timestamp is [`LATEST_TIMESTAMP`].
///
/// Bytes that are not a cell, and all that follow them, are left unchanged.
///
/// ```
/// use bytes::BytesMut;
/// use tallrow_wire::cell::{Cell, CellType, LATEST_TIMESTAMP};
/// use tallrow_wire::cell_block::{self, CellBlock};
///
/// let mut block = BytesMut::new();
/// for timestamp in [LATEST_TIMESTAMP, 7] {
///     let cell = Cell::new(b"r", b"f", b"q", timestamp, CellType::Put, b"v").unwrap();
///     cell_block::put_cell(cell.bytes(), &mut block);
/// }
/// cell_block::replace_latest_timestamp(&mut block, 9);
/// let times = CellBlock::new(block.freeze()).map(|cell| cell.unwrap().timestamp());
/// assert_eq!(times.collect::<Vec<_>>(), [9, 7]);
/// ```
pub fn replace_latest_timestamp(block: &mut [u8], timestamp: u64) {
    let mut rest = block;
    loop {
        let Some((len, cells)) = rest.split_first_chunk_mut::<4>() else { return };
        let len = u32::from_be_bytes(*len) as usize;
        let Some((cell, next)) = cells.split_at_mut_checked(len) else { return };
        let key_len = cell.first_chunk::<4>().map_or(0, |n| u32::from_be_bytes(*n) as usize);
        // The two lengths, and the key without its last byte, which is the type.
        let Some(key) = cell.get_mut(..(8 + key_len).saturating_sub(1)) else { return };
        if let Some(time) = key.last_chunk_mut::<8>()
            && *time == LATEST_TIMESTAMP.to_be_bytes()
        {
            *time = timestamp.to_be_bytes();
        }
        rest = next;
    }
}

/// Decodes the cells of a block into their parts, in order. The iterator ends after an error.
///
/// ```
/// use bytes::BytesMut;
/// use tallrow_wire::cell::{CellType, KeyValue};
/// use tallrow_wire::cell_block;
///
/// let key_value = KeyValue {
///     row: b"r",
///     family: b"f",
///     qualifier: b"q",
///     timestamp: 1,
///     kind: CellType::Put,
///     value: b"v",
/// };
/// let mut block = BytesMut::new();
/// cell_block::put_key_value(&key_value, &mut block).unwrap();
/// let mut read = cell_block::key_values(&block);
/// assert_eq!((read.next(), read.next()), (Some(Ok(key_value)), None));
/// assert!(cell_block::key_values(b"\0\0\0\x09oops").next().unwrap().is_err());
/// ```
pub fn key_values(block: &[u8]) -> impl Iterator<Item = Result<KeyValue<'_>, WireError>> {
    let mut rest = block;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let cell = next_of(&mut rest).and_then(KeyValue::decode);
        if cell.is_err() {
            rest = &[];
        }
        Some(cell)
    })
}

/// Takes the bytes of the next cell off `rest`.
fn next_of<'a>(rest: &mut &'a [u8]) -> Result<&'a [u8], WireError> {
    let bad = |found: String| WireError::new("cell block", found);
    let Some((len, cells)) = rest.split_first_chunk::<4>() else {
        return Err(bad(format!("expected a cell, found {} bytes", rest.len())));
    };
    let len = u32::from_be_bytes(*len) as usize;
    let Some((cell, next)) = cells.split_at_checked(len) else {
        return Err(bad(format!("a cell of {len} bytes, but only {} are left", cells.len())));
    };
    *rest = next;
    Ok(cell)
}

/// A cell block that is read from its start. The cells share its bytes.
///
/// ```
/// use bytes::Bytes;
/// use tallrow_wire::cell_block::CellBlock;
///
/// let mut block = CellBlock::new(Bytes::from_static(b"\0\0\0\x09oops"));
/// assert_eq!(
///     block.cells(1).unwrap_err().to_string(),
///     "read cell block: a cell of 9 bytes, but only 4 are left"
/// );
/// ```
#[derive(Clone, Debug)]
pub struct CellBlock {
    rest: Bytes,
}

impl CellBlock {
    /// Makes a block from its bytes, which are not checked yet.
    ///
    /// ```
    /// assert!(tallrow_wire::cell_block::CellBlock::new(bytes::Bytes::new()).is_empty());
    /// ```
    pub fn new(bytes: Bytes) -> Self {
        Self { rest: bytes }
    }

    /// Whether all cells have been read.
    ///
    /// See [`CellBlock::new`] for an example.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Reads the next `count` cells.
    ///
    /// See [`put_cell`] for an example.
    ///
    /// # Errors
    /// Fewer than `count` cells, or bytes that are not a cell.
    pub fn cells(&mut self, count: usize) -> Result<Vec<Cell>, WireError> {
        self.cells_as(count, |cell| cell)
    }

    /// Reads the next `count` cells, and converts each of them.
    ///
    /// ```
    /// use bytes::BytesMut;
    /// use tallrow_wire::cell::{CellType, KeyValue};
    /// use tallrow_wire::cell_block::{CellBlock, put_key_value};
    ///
    /// let (row, family, qualifier, value) = (b"r", b"f", b"q", b"v");
    /// let kind = CellType::Put;
    /// let mut block = BytesMut::new();
    /// put_key_value(&KeyValue { row, family, qualifier, timestamp: 7, kind, value }, &mut block)
    ///     .unwrap();
    /// let timestamps = CellBlock::new(block.freeze()).cells_as(1, |cell| cell.timestamp());
    /// assert_eq!(timestamps.unwrap(), [7]);
    /// ```
    ///
    /// # Errors
    /// Fewer than `count` cells, or bytes that are not a cell.
    pub fn cells_as<C>(
        &mut self,
        count: usize,
        convert: impl Fn(Cell) -> C,
    ) -> Result<Vec<C>, WireError> {
        let at_most = self.rest.len() / 24;
        let mut cells = Vec::with_capacity(count.min(at_most));
        for _ in 0..count {
            cells.push(convert(self.next_cell()?));
        }
        Ok(cells)
    }

    /// Checks that no bytes remain.
    ///
    /// ```
    /// use bytes::Bytes;
    /// use tallrow_wire::cell_block::CellBlock;
    ///
    /// assert!(CellBlock::new(Bytes::new()).finish().is_ok());
    /// assert!(CellBlock::new(Bytes::from_static(b"x")).finish().is_err());
    /// ```
    ///
    /// # Errors
    /// Bytes that remain.
    pub fn finish(self) -> Result<(), WireError> {
        match self.rest.len() {
            0 => Ok(()),
            n => Err(WireError::new("cell block", format!("{n} bytes are left over"))),
        }
    }

    fn next_cell(&mut self) -> Result<Cell, WireError> {
        let len = next_of(&mut &self.rest[..])?.len();
        self.rest.advance(4);
        Cell::decode(self.rest.split_to(len))
    }
}

impl Iterator for CellBlock {
    type Item = Result<Cell, WireError>;

    /// Returns the next cell; after an error, none.
    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let cell = self.next_cell();
        if cell.is_err() {
            self.rest.clear();
        }
        Some(cell)
    }
}
