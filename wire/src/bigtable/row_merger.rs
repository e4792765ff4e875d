//! Merges the chunks of a ReadRows stream into rows.
//!
//! # Invariants
//!
//! - Each row is returned once, complete and in order, however it is divided into chunks. Tests:
//!   `tests/peers/conformance/tests/cases.rs::the_merger_reads_what_the_cases_send`.

use std::ops::Range;

use super::merged_row::{CellPlace, MergedRow, family_not_utf8, label};
use super::{RowChunk, RowStatus};
use crate::WireError;

/// The maximum size of a row, values and names together: Bigtable's limit.
pub const MAX_ROW_BYTES: usize = 256 << 20;

/// The most that is allocated in advance for a value, whatever size its chunk announces.
const FIRST_VALUE_BYTES: usize = 1 << 20;

/// The largest buffer of a row that is reused for the next row.
const KEPT_BYTES: usize = 1 << 20;

/// A merger of chunks into rows, across all messages of a stream and across the streams that
/// continue it.
///
/// The rows do not depend on how the server splits rows and cells over messages.
///
/// ```
/// use tallrow_wire::bigtable::{RowChunk, RowMerger, RowStatus};
///
/// let first = RowChunk {
///     row_key: b"r",
///     family_name: Some(b"d"),
///     qualifier: Some(b"q"),
///     timestamp_micros: 5_000,
///     value: b"to",
///     value_size: 5,
///     ..Default::default()
/// };
/// let last = RowChunk {
///     value: b"day",
///     row_status: Some(RowStatus::CommitRow(true)),
///     ..Default::default()
/// };
///
/// let mut merger = RowMerger::new(false);
/// assert_eq!(merger.merge(&first).unwrap(), None);
/// let row = merger.merge(&last).unwrap().unwrap();
/// assert_eq!((row.key(), row.cells().next().unwrap().value), (&b"r"[..], &b"today"[..]));
/// assert_eq!(merger.last_key(), Some(&b"r"[..]));
/// merger.finish().unwrap();
/// ```
#[derive(Debug)]
pub struct RowMerger {
    reversed: bool,
    last_key: Option<Vec<u8>>,
    /// The row of the last chunk.
    row: MergedRow,
    /// Whether more chunks of that row follow.
    is_open: bool,
    /// The size of `row` so far, as [`MAX_ROW_BYTES`] limits it: the row key and, for each chunk,
    /// [`CELL_BYTES`], the value and the qualifier.
    bytes: usize,
    /// The places of the family and the qualifier of the row's last cell.
    family: Range<usize>,
    qualifier: Range<usize>,
    /// The last cell of the row, if more of that cell follows.
    cell: Option<PartialCell>,
}

/// A cell with an incomplete value.
#[derive(Debug)]
struct PartialCell {
    place: CellPlace,
    /// The size of the whole value, which the chunks announce.
    size: usize,
}

impl RowMerger {
    /// Makes a merger for a stream of rows in increasing order, or in decreasing order if it is
    /// `reversed`.
    ///
    /// ```
    /// assert_eq!(tallrow_wire::bigtable::RowMerger::new(true).last_key(), None);
    /// ```
    pub fn new(reversed: bool) -> Self {
        Self {
            reversed,
            last_key: None,
            row: MergedRow::default(),
            is_open: false,
            bytes: 0,
            family: 0..0,
            qualifier: 0..0,
            cell: None,
        }
    }

    /// The key of the last complete row, or the later key up to which the server has
    /// [read](Self::record_scanned). A broken stream is continued after this key.
    ///
    /// ```
    /// use tallrow_wire::bigtable::RowMerger;
    ///
    /// let mut merger = RowMerger::new(false);
    /// merger.record_scanned(b"k").unwrap();
    /// assert_eq!(merger.last_key(), Some(&b"k"[..]));
    /// ```
    pub fn last_key(&self) -> Option<&[u8]> {
        self.last_key.as_deref()
    }

    /// Merges the next chunk, and returns the row if the chunk completes it. The row stays in the
    /// merger until the next chunk is merged; the caller may take the row out.
    ///
    /// See [`RowMerger`] for an example.
    ///
    /// # Errors
    /// A chunk that cannot follow the chunks before it, or a row of more than [`MAX_ROW_BYTES`].
    /// After an error, no further chunk may be merged.
    pub fn merge(&mut self, chunk: &RowChunk<'_>) -> Result<Option<&mut MergedRow>, WireError> {
        let commit = chunk.row_status == Some(RowStatus::CommitRow(true));
        if chunk.row_status == Some(RowStatus::ResetRow(true)) {
            check_reset(chunk)?;
            return match std::mem::replace(&mut self.is_open, false) {
                true => Ok(None),
                false => Err(wrong("a reset between rows")),
            };
        }
        if commit && chunk.value_size > 0 {
            return Err(wrong("a commit in the middle of a cell"));
        }
        match self.is_open {
            false => self.begin(chunk)?,
            true => self.continue_row(chunk)?,
        }
        self.bytes += CELL_BYTES + chunk.value.len() + self.qualifier.len();
        if self.bytes > MAX_ROW_BYTES {
            return Err(wrong(&format!("a row of more than {MAX_ROW_BYTES} bytes")));
        }
        self.add(chunk)?;
        self.is_open = !commit;
        if !commit {
            return Ok(None);
        }
        set_key(&mut self.last_key, self.row.key());
        Ok(Some(&mut self.row))
    }

    /// Records that the server has read all rows up to this key.
    ///
    /// See [`last_key`](Self::last_key) for an example.
    ///
    /// # Errors
    /// A key in the middle of a row, or a key that the order does not allow after the [last
    /// key](Self::last_key).
    pub fn record_scanned(&mut self, key: &[u8]) -> Result<(), WireError> {
        if self.is_open {
            let (row, key) = (self.row.key().escape_ascii(), key.escape_ascii());
            return Err(wrong(&format!("the last scanned row key \"{key}\" within row \"{row}\"")));
        }
        // The key of the last row is allowed: the server has read no further.
        if self.last_key() != Some(key) {
            self.check_order(key)?;
        }
        set_key(&mut self.last_key, key);
        Ok(())
    }

    /// Checks, at the end of the stream, that the last row is complete.
    ///
    /// ```
    /// use tallrow_wire::bigtable::{RowChunk, RowMerger};
    ///
    /// let mut merger = RowMerger::new(false);
    /// let (family_name, qualifier) = (Some(&b"d"[..]), Some(&b"q"[..]));
    /// merger
    ///     .merge(&RowChunk { row_key: b"r", family_name, qualifier, ..Default::default() })
    ///     .unwrap();
    /// assert_eq!(
    ///     merger.finish().unwrap_err().to_string(),
    ///     "read rows: the end of the stream within row \"r\""
    /// );
    /// ```
    ///
    /// # Errors
    /// An incomplete row.
    pub fn finish(&self) -> Result<(), WireError> {
        if !self.is_open {
            return Ok(());
        }
        let row = self.row.key().escape_ascii();
        Err(wrong(&format!("the end of the stream within row \"{row}\"")))
    }

    /// Prepares for another stream, which continues the broken one after the [last
    /// key](Self::last_key): drops an incomplete row.
    ///
    /// ```
    /// use tallrow_wire::bigtable::{RowChunk, RowMerger};
    ///
    /// let mut merger = RowMerger::new(false);
    /// let (family_name, qualifier) = (Some(&b"d"[..]), Some(&b"q"[..]));
    /// merger
    ///     .merge(&RowChunk { row_key: b"r", family_name, qualifier, ..Default::default() })
    ///     .unwrap();
    /// merger.restart();
    /// merger.finish().unwrap();
    /// ```
    pub fn restart(&mut self) {
        self.is_open = false;
    }

    /// Begins a row with its first chunk.
    fn begin(&mut self, chunk: &RowChunk<'_>) -> Result<(), WireError> {
        let (Some(family), Some(qualifier)) = (chunk.family_name, chunk.qualifier) else {
            return Err(wrong("a first cell of a row without family or qualifier"));
        };
        if chunk.row_key.is_empty() {
            return Err(wrong("a first cell of a row without row key"));
        }
        self.check_order(chunk.row_key)?;
        if self.row.bytes.capacity() > KEPT_BYTES {
            self.row = MergedRow::default();
        }
        let names = chunk.row_key.len() + family.len() + qualifier.len();
        self.row.bytes.clear();
        self.row
            .bytes
            .reserve(names + announced(chunk).min(FIRST_VALUE_BYTES).max(chunk.value.len()));
        self.row.begin(chunk.row_key);
        self.cell = None;
        self.bytes = chunk.row_key.len();
        self.family = 0..0;
        self.in_family(family)?;
        self.qualifier = self.row.push_bytes(qualifier);
        Ok(())
    }

    /// Checks a chunk that continues a row. If the chunk names a family or a qualifier, they become
    /// those of the next cell.
    fn continue_row(&mut self, chunk: &RowChunk<'_>) -> Result<(), WireError> {
        let key = self.row.key();
        if self.cell.is_some() {
            if names_anything(chunk) {
                return Err(wrong(&format!(
                    "another cell before the end of one of row \"{}\"",
                    key.escape_ascii()
                )));
            }
            return Ok(());
        }
        if !chunk.row_key.is_empty() && chunk.row_key != key {
            let (other, key) = (chunk.row_key.escape_ascii(), key.escape_ascii());
            return Err(wrong(&format!("row \"{other}\" before the end of row \"{key}\"")));
        }
        if let Some(family) = chunk.family_name {
            if chunk.qualifier.is_none() {
                let family = family.escape_ascii();
                return Err(wrong(&format!("family \"{family}\" without a qualifier")));
            }
            self.in_family(family)?;
        }
        if let Some(qualifier) = chunk.qualifier
            && self.row.part(&self.qualifier) != qualifier
        {
            self.qualifier = self.row.push_bytes(qualifier);
        }
        Ok(())
    }

    fn in_family(&mut self, family: &[u8]) -> Result<(), WireError> {
        if self.row.part(&self.family) != family {
            if std::str::from_utf8(family).is_err() {
                return Err(family_not_utf8(family));
            }
            self.family = self.row.push_bytes(family);
        }
        Ok(())
    }

    fn check_order(&self, key: &[u8]) -> Result<(), WireError> {
        let Some(last) = self.last_key() else { return Ok(()) };
        if if self.reversed { key < last } else { key > last } {
            return Ok(());
        }
        let (key, last) = (key.escape_ascii(), last.escape_ascii());
        let order = if self.reversed { "decreasing" } else { "increasing" };
        Err(wrong(&format!("row \"{key}\" after row \"{last}\", in {order} order")))
    }

    /// Adds the cell of a chunk, or a part of one.
    fn add(&mut self, chunk: &RowChunk<'_>) -> Result<(), WireError> {
        let size = announced(chunk);
        let value = self.row.push_bytes(chunk.value);
        let place = match self.cell.take() {
            None => {
                let place = CellPlace {
                    family: self.family.clone(),
                    qualifier: self.qualifier.clone(),
                    timestamp_micros: chunk.timestamp_micros,
                    value,
                    labels: chunk.labels.iter().map(|bytes| label(bytes)).collect(),
                };
                if size > 0 {
                    self.cell = Some(PartialCell { place, size });
                    return Ok(());
                }
                place
            }
            Some(mut cell) => {
                // Nothing but values was added since the cell began.
                cell.place.value.end = value.end;
                if size > 0 && size == cell.size {
                    self.cell = Some(cell);
                    return Ok(());
                }
                if size > 0 || cell.place.value.len() != cell.size {
                    let (found, row) = (cell.place.value.len(), self.row.key().escape_ascii());
                    let announced = cell.size;
                    return Err(wrong(&format!(
                        "a cell of {found} bytes that was announced with {announced}, in row \
                         \"{row}\""
                    )));
                }
                cell.place
            }
        };
        self.row.cells.push(place);
        Ok(())
    }
}

/// The bytes that each chunk counts in addition to its qualifier and value.
const CELL_BYTES: usize = 16;

/// The announced size of the whole value; 0 if no more of the value follows.
fn announced(chunk: &RowChunk<'_>) -> usize {
    usize::try_from(chunk.value_size).unwrap_or(0)
}

fn set_key(last_key: &mut Option<Vec<u8>>, key: &[u8]) {
    let last = last_key.get_or_insert_default();
    last.clear();
    last.extend_from_slice(key);
}

fn names_anything(chunk: &RowChunk<'_>) -> bool {
    !chunk.row_key.is_empty()
        || chunk.family_name.is_some()
        || chunk.qualifier.is_some()
        || chunk.timestamp_micros != 0
        || !chunk.labels.is_empty()
}

fn check_reset(chunk: &RowChunk<'_>) -> Result<(), WireError> {
    if names_anything(chunk) || !chunk.value.is_empty() || chunk.value_size != 0 {
        return Err(wrong("a reset with a cell"));
    }
    Ok(())
}

fn wrong(found: &str) -> WireError {
    WireError::new("rows", found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bigtable::CellChunk;

    const COMMIT: Option<RowStatus> = Some(RowStatus::CommitRow(true));
    const RESET: Option<RowStatus> = Some(RowStatus::ResetRow(true));

    /// A chunk of a column of family `d`.
    fn chunk(row: &'static str, column: &'static str, value: &'static str) -> CellChunk {
        CellChunk {
            row_key: row.into(),
            family_name: Some("d".into()),
            qualifier: Some(column.into()),
            timestamp_micros: 1_000,
            value: value.into(),
            ..Default::default()
        }
    }

    fn status(row_status: Option<RowStatus>) -> CellChunk {
        CellChunk { row_status, ..Default::default() }
    }

    /// Rows as `key: column=value ..`, and the error if there is one.
    fn merged(reversed: bool, chunks: Vec<CellChunk>) -> (Vec<String>, Result<(), String>) {
        let mut merger = RowMerger::new(reversed);
        let mut rows = Vec::new();
        for chunk in chunks {
            match merger.merge(&RowChunk::from(&chunk)) {
                Ok(None) => {}
                Ok(Some(row)) => {
                    let text = |bytes: &[u8]| bytes.escape_ascii().to_string();
                    let cells = row.cells().map(|c| {
                        format!("{}:{}={}", text(c.family), text(c.qualifier), text(c.value))
                    });
                    let cells: Vec<_> = cells.collect();
                    rows.push(format!("{} {}", text(row.key()), cells.join(" ")));
                }
                Err(e) => return (rows, Err(e.to_string())),
            }
        }
        (rows, merger.finish().map_err(|e| e.to_string()))
    }

    #[test]
    fn names_hold_until_they_change() {
        let next = |value: &'static str| CellChunk { value: value.into(), ..Default::default() };
        let column = CellChunk { qualifier: Some("r".into()), ..next("3") };
        let family = CellChunk { family_name: Some("e".into()), ..column.clone() };
        let other = CellChunk { row_status: COMMIT, ..chunk("b", "q", "5") };
        let chunks = vec![chunk("a", "q", "1"), next("2"), column, family, status(COMMIT), other];
        let (rows, end) = merged(false, chunks);
        assert_eq!(rows, ["a d:q=1 d:q=2 d:r=3 e:r=3 e:r=", "b d:q=5"]);
        assert_eq!(end, Ok(()));
    }

    #[test]
    fn a_reset_drops_the_row_and_the_cell_so_far() {
        let torn = CellChunk { value_size: 9, ..chunk("a", "q", "12") };
        let again = CellChunk { row_status: COMMIT, ..chunk("a", "r", "1") };
        let (rows, end) = merged(false, vec![torn, status(RESET), again]);
        assert_eq!((rows, end), (vec!["a d:r=1".to_owned()], Ok(())));
    }

    #[test]
    fn what_cannot_follow_is_an_error() {
        let whole = |row| CellChunk { row_status: COMMIT, ..chunk(row, "q", "1") };
        let torn = || CellChunk { value_size: 9, ..chunk("a", "q", "12") };
        let no_qualifier = CellChunk { qualifier: None, ..chunk("a", "q", "1") };
        let cases = [
            (vec![status(COMMIT)], "a first cell of a row without family or qualifier"),
            (vec![chunk("", "q", "1")], "a first cell of a row without row key"),
            (vec![status(RESET)], "a reset between rows"),
            (vec![chunk("a", "q", "1"), no_qualifier], "family \"d\" without a qualifier"),
            (vec![chunk("a", "q", "1"), whole("b")], "row \"b\" before the end of row \"a\""),
            (vec![torn(), whole("a")], "another cell before the end of one of row \"a\""),
            (vec![CellChunk { row_status: COMMIT, ..torn() }], "a commit in the middle of a cell"),
            (vec![CellChunk { row_status: RESET, ..torn() }], "a reset with a cell"),
            (vec![torn()], "the end of the stream within row \"a\""),
            (vec![whole("b"), whole("b")], "row \"b\" after row \"b\", in increasing order"),
        ];
        for (chunks, error) in cases {
            let (_, end) = merged(false, chunks);
            assert_eq!(end, Err(format!("read rows: {error}")));
        }
        let (rows, end) = merged(true, vec![whole("b"), whole("a"), whole("c")]);
        assert_eq!(rows, ["b d:q=1", "a d:q=1"]);
        assert_eq!(end, Err("read rows: row \"c\" after row \"a\", in decreasing order".into()));
    }

    #[test]
    fn what_was_scanned_counts_as_read() {
        let mut merger = RowMerger::new(false);
        merger.record_scanned(b"m").unwrap();
        merger.record_scanned(b"m").unwrap();
        assert!(merger.record_scanned(b"c").is_err());
        assert!(merger.merge(&RowChunk::from(&chunk("m", "q", "1"))).is_err());
        assert_eq!(merger.merge(&RowChunk::from(&chunk("n", "q", "1"))).unwrap(), None);
        let error = merger.record_scanned(b"o").unwrap_err();
        assert_eq!(error.to_string(), "read rows: the last scanned row key \"o\" within row \"n\"");
        merger.restart();
        assert_eq!(merger.last_key(), Some(&b"m"[..]));
    }

    #[test]
    fn a_cell_has_the_size_that_was_announced() {
        let part = |value: &'static str, value_size: i32| CellChunk {
            value: value.into(),
            value_size,
            ..Default::default()
        };
        let read = |size, parts: Vec<CellChunk>| {
            let first = CellChunk { value_size: size, ..chunk("a", "q", "12") };
            let chunks = [first].into_iter().chain(parts).chain([status(COMMIT)]).collect();
            merged(false, chunks)
        };
        let (rows, end) = read(5, vec![part("3", 5), part("45", 0)]);
        assert_eq!((rows, end), (vec!["a d:q=12345 d:q=".to_owned()], Ok(())));
        for (size, parts) in [
            (i32::MAX, vec![part("3", 0)]),
            (5, vec![part("3", 0)]),
            (5, vec![part("3", 6)]),
            (5, vec![part("3456", 0)]),
        ] {
            let (rows, end) = read(size, parts);
            assert!(rows.is_empty());
            assert!(end.unwrap_err().contains("announced"));
        }
    }
}
