//! Rows from the chunks of a ReadRows stream.

use std::sync::Arc;

use bytes::{Bytes, BytesMut};

use super::{CellChunk, RowStatus};
use crate::WireError;

/// What a row may have in all, values and names: Bigtable's limit.
pub const MAX_ROW_BYTES: usize = 256 << 20;

/// How much is allocated at once for a value, whatever size a chunk announces.
const FIRST_VALUE_BYTES: usize = 1 << 20;

/// A row, complete.
#[derive(Clone, Debug, PartialEq)]
pub struct MergedRow {
    /// Its key; not empty.
    pub key: Bytes,
    /// In the order of the stream; at least one.
    pub cells: Vec<MergedCell>,
}

/// A cell of a [`MergedRow`].
#[derive(Clone, Debug, PartialEq)]
pub struct MergedCell {
    /// Shared by the cells of a family.
    pub family: Arc<str>,
    /// Shared by the cells of a column.
    pub qualifier: Bytes,
    /// 0 if the stream has none.
    pub timestamp_micros: i64,
    /// Shares the buffer of its message, unless it was cut over several chunks.
    pub value: Bytes,
    /// Those of the filters that set any.
    pub labels: Vec<String>,
}

/// Merges chunks into rows, over all messages of a stream, and over the streams that continue it.
///
/// Nothing of it depends on how the server cuts rows and cells over messages.
///
/// ```
/// use tallrow_wire::bigtable::{CellChunk, RowMerger, RowStatus};
///
/// let first = CellChunk {
///     row_key: "r".into(),
///     family_name: Some("d".into()),
///     qualifier: Some("q".into()),
///     timestamp_micros: 5_000,
///     value: "to".into(),
///     value_size: 5,
///     ..Default::default()
/// };
/// let last = CellChunk { value: "day".into(), row_status: Some(RowStatus::CommitRow(true)), ..Default::default() };
///
/// let mut merger = RowMerger::new(false);
/// assert_eq!(merger.merge(first).unwrap(), None);
/// let row = merger.merge(last).unwrap().unwrap();
/// assert_eq!((&row.key[..], &row.cells[0].value[..]), (&b"r"[..], &b"today"[..]));
/// assert_eq!(merger.last_key(), Some(&"r".into()));
/// merger.finish().unwrap();
/// ```
#[derive(Debug)]
pub struct RowMerger {
    reversed: bool,
    last_key: Option<Bytes>,
    row: Option<Partial>,
    /// The family of the last cell, which the next row most likely has too.
    family: Arc<str>,
    /// How many cells the last row had.
    width: usize,
}

/// A row without its commit.
#[derive(Debug)]
struct Partial {
    row: MergedRow,
    qualifier: Bytes,
    bytes: usize,
    cell: Option<PartialCell>,
}

/// A cell of which more follows.
#[derive(Debug)]
struct PartialCell {
    timestamp_micros: i64,
    labels: Vec<String>,
    value: BytesMut,
    /// The size that the chunks announce.
    size: usize,
}

impl RowMerger {
    /// For a stream of rows in increasing order, or in decreasing order if it is `reversed`.
    ///
    /// ```
    /// assert_eq!(tallrow_wire::bigtable::RowMerger::new(true).last_key(), None);
    /// ```
    pub fn new(reversed: bool) -> Self {
        Self { reversed, last_key: None, row: None, family: "".into(), width: 1 }
    }

    /// The last row that is complete, or the later one that the server has [looked at](Self::scanned): a stream that
    /// broke is continued after it.
    ///
    /// ```
    /// use tallrow_wire::bigtable::RowMerger;
    ///
    /// let mut merger = RowMerger::new(false);
    /// merger.scanned("k".into()).unwrap();
    /// assert_eq!(merger.last_key(), Some(&"k".into()));
    /// ```
    pub fn last_key(&self) -> Option<&Bytes> {
        self.last_key.as_ref()
    }

    /// Takes the next chunk; returns the row that it completes.
    ///
    /// See [`RowMerger`] for an example.
    ///
    /// # Errors
    /// A chunk that cannot follow those before it, and a row of more than [`MAX_ROW_BYTES`]. What comes after an error is
    /// not to be merged.
    pub fn merge(&mut self, chunk: CellChunk) -> Result<Option<MergedRow>, WireError> {
        let reset = chunk.row_status == Some(RowStatus::ResetRow(true));
        let commit = chunk.row_status == Some(RowStatus::CommitRow(true));
        if reset {
            check_reset(&chunk)?;
            return match self.row.take() {
                Some(_) => Ok(None),
                None => Err(wrong("a reset between rows")),
            };
        }
        if commit && chunk.value_size > 0 {
            return Err(wrong("a commit in the middle of a cell"));
        }
        let mut partial = match self.row.take() {
            None => self.begin(&chunk)?,
            Some(partial) => self.go_on(partial, &chunk)?,
        };
        partial.bytes += CELL_BYTES + chunk.value.len() + partial.qualifier.len();
        if partial.bytes > MAX_ROW_BYTES {
            return Err(wrong(&format!("a row of more than {MAX_ROW_BYTES} bytes")));
        }
        partial.add(chunk, &self.family)?;
        if !commit {
            self.row = Some(partial);
            return Ok(None);
        }
        self.last_key = Some(partial.row.key.clone());
        self.width = partial.row.cells.len();
        Ok(Some(partial.row))
    }

    /// The server has looked at all rows up to this key.
    ///
    /// See [`last_key`](Self::last_key) for an example.
    ///
    /// # Errors
    /// A key within a row, or one that is not after the last one.
    pub fn scanned(&mut self, key: Bytes) -> Result<(), WireError> {
        if let Some(partial) = &self.row {
            let (row, key) = (partial.row.key.escape_ascii(), key.escape_ascii());
            return Err(wrong(&format!("the last scanned row key \"{key}\" within row \"{row}\"")));
        }
        // The same key may come after its row: the server has looked no further.
        if self.last_key.as_ref() != Some(&key) {
            self.check_order(&key)?;
        }
        self.last_key = Some(key);
        Ok(())
    }

    /// The stream has ended.
    ///
    /// ```
    /// use tallrow_wire::bigtable::{CellChunk, RowMerger};
    ///
    /// let mut merger = RowMerger::new(false);
    /// let (family_name, qualifier) = (Some("d".into()), Some("q".into()));
    /// merger.merge(CellChunk { row_key: "r".into(), family_name, qualifier, ..Default::default() }).unwrap();
    /// assert_eq!(merger.finish().unwrap_err().to_string(), "read rows: the end of the stream within row \"r\"");
    /// ```
    ///
    /// # Errors
    /// A row that is not complete.
    pub fn finish(&self) -> Result<(), WireError> {
        match &self.row {
            None => Ok(()),
            Some(partial) => {
                let row = partial.row.key.escape_ascii();
                Err(wrong(&format!("the end of the stream within row \"{row}\"")))
            }
        }
    }

    /// Another stream continues the one that broke, after the [last key](Self::last_key): drops a row that is not complete.
    ///
    /// ```
    /// use tallrow_wire::bigtable::{CellChunk, RowMerger};
    ///
    /// let mut merger = RowMerger::new(false);
    /// let (family_name, qualifier) = (Some("d".into()), Some("q".into()));
    /// merger.merge(CellChunk { row_key: "r".into(), family_name, qualifier, ..Default::default() }).unwrap();
    /// merger.restart();
    /// merger.finish().unwrap();
    /// ```
    pub fn restart(&mut self) {
        self.row = None;
    }

    /// The first chunk of a row.
    fn begin(&mut self, chunk: &CellChunk) -> Result<Partial, WireError> {
        let (Some(family), Some(qualifier)) = (&chunk.family_name, &chunk.qualifier) else {
            return Err(wrong("a first cell of a row without family or qualifier"));
        };
        if chunk.row_key.is_empty() {
            return Err(wrong("a first cell of a row without row key"));
        }
        self.check_order(&chunk.row_key)?;
        self.in_family(family);
        let cells = Vec::with_capacity(self.width);
        Ok(Partial {
            row: MergedRow { key: chunk.row_key.clone(), cells },
            qualifier: qualifier.clone(),
            bytes: chunk.row_key.len(),
            cell: None,
        })
    }

    /// A further chunk of a row.
    fn go_on(&mut self, mut partial: Partial, chunk: &CellChunk) -> Result<Partial, WireError> {
        let key = &partial.row.key;
        if partial.cell.is_some() {
            if names_anything(chunk) {
                return Err(wrong(&format!(
                    "another cell before the end of one of row \"{}\"",
                    key.escape_ascii()
                )));
            }
            return Ok(partial);
        }
        if !chunk.row_key.is_empty() && chunk.row_key != *key {
            let (other, key) = (chunk.row_key.escape_ascii(), key.escape_ascii());
            return Err(wrong(&format!("row \"{other}\" before the end of row \"{key}\"")));
        }
        if let Some(family) = &chunk.family_name {
            if chunk.qualifier.is_none() {
                return Err(wrong(&format!("family {family:?} without a qualifier")));
            }
            self.in_family(family);
        }
        if let Some(qualifier) = &chunk.qualifier {
            partial.qualifier = qualifier.clone();
        }
        Ok(partial)
    }

    fn in_family(&mut self, family: &str) {
        if *self.family != *family {
            self.family = family.into();
        }
    }

    fn check_order(&self, key: &Bytes) -> Result<(), WireError> {
        let Some(last) = &self.last_key else { return Ok(()) };
        if if self.reversed { key < last } else { key > last } {
            return Ok(());
        }
        let (key, last) = (key.escape_ascii(), last.escape_ascii());
        let order = if self.reversed { "decreasing" } else { "increasing" };
        Err(wrong(&format!("row \"{key}\" after row \"{last}\", in {order} order")))
    }
}

/// What a cell counts in addition to its qualifier and value.
const CELL_BYTES: usize = 16;

impl Partial {
    fn add(&mut self, chunk: CellChunk, family: &Arc<str>) -> Result<(), WireError> {
        let CellChunk { timestamp_micros, labels, value, value_size, .. } = chunk;
        let size = usize::try_from(value_size).unwrap_or(0);
        let cell = match self.cell.take() {
            None if size == 0 => (timestamp_micros, labels, value),
            None => {
                let room = size.min(FIRST_VALUE_BYTES).max(value.len());
                let mut whole = BytesMut::with_capacity(room);
                whole.extend_from_slice(&value);
                self.cell = Some(PartialCell { timestamp_micros, labels, value: whole, size });
                return Ok(());
            }
            Some(mut cell) => {
                cell.value.extend_from_slice(&value);
                if size > 0 && size == cell.size {
                    self.cell = Some(cell);
                    return Ok(());
                }
                if size > 0 || cell.value.len() != cell.size {
                    let (found, row) = (cell.value.len(), self.row.key.escape_ascii());
                    let announced = cell.size;
                    return Err(wrong(&format!(
                        "a cell of {found} bytes that was announced with {announced}, in row \"{row}\""
                    )));
                }
                (cell.timestamp_micros, cell.labels, cell.value.freeze())
            }
        };
        let (timestamp_micros, labels, value) = cell;
        let (family, qualifier) = (family.clone(), self.qualifier.clone());
        let cell = MergedCell { family, qualifier, timestamp_micros, value, labels };
        self.row.cells.push(cell);
        Ok(())
    }
}

fn names_anything(chunk: &CellChunk) -> bool {
    !chunk.row_key.is_empty()
        || chunk.family_name.is_some()
        || chunk.qualifier.is_some()
        || chunk.timestamp_micros != 0
        || !chunk.labels.is_empty()
}

fn check_reset(chunk: &CellChunk) -> Result<(), WireError> {
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
            match merger.merge(chunk) {
                Ok(None) => {}
                Ok(Some(row)) => {
                    let text = |bytes: &Bytes| bytes.escape_ascii().to_string();
                    let cells = row
                        .cells
                        .iter()
                        .map(|c| format!("{}:{}={}", c.family, text(&c.qualifier), text(&c.value)));
                    let cells: Vec<_> = cells.collect();
                    rows.push(format!("{} {}", text(&row.key), cells.join(" ")));
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
        merger.scanned("m".into()).unwrap();
        merger.scanned("m".into()).unwrap();
        assert!(merger.scanned("c".into()).is_err());
        assert!(merger.merge(chunk("m", "q", "1")).is_err());
        assert_eq!(merger.merge(chunk("n", "q", "1")).unwrap(), None);
        let error = merger.scanned("o".into()).unwrap_err();
        assert_eq!(error.to_string(), "read rows: the last scanned row key \"o\" within row \"n\"");
        merger.restart();
        assert_eq!(merger.last_key(), Some(&"m".into()));
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
