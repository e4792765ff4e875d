//! Chunks put together to cells, strictly: what a chunk may not have here is a mistake of the
//! server.

use tallrow_wire::bigtable::{CellChunk, ReadRowsResponse, RowStatus};

/// The cells of an answer, each as `row/family:qualifier@micros=value`, with ` #label` for each
/// label.
pub fn cells(answers: &[ReadRowsResponse]) -> Vec<String> {
    let mut merged = Merged::default();
    answers.iter().flat_map(|answer| &answer.chunks).for_each(|chunk| merged.add(chunk));
    assert!(merged.row.is_empty() && merged.open.is_none(), "the stream ended within a row");
    merged.cells
}

#[derive(Default)]
struct Merged {
    cells: Vec<String>,
    last_key: String,
    /// The cells of the row that is not committed yet.
    row: Vec<String>,
    key: String,
    family: Option<String>,
    qualifier: Option<String>,
    /// The cell whose value has more parts.
    open: Option<(String, Vec<u8>, String, usize)>,
}

impl Merged {
    fn add(&mut self, chunk: &CellChunk) {
        if let Some(RowStatus::ResetRow(true)) = chunk.row_status {
            assert_eq!(*chunk, CellChunk { row_status: chunk.row_status, ..Default::default() });
            *self = Self {
                cells: std::mem::take(&mut self.cells),
                last_key: std::mem::take(&mut self.last_key),
                ..Self::default()
            };
            return;
        }
        let (start, mut value, labels, size) = match self.open.take() {
            Some(open) => {
                assert!(chunk.row_key.is_empty() && chunk.qualifier.is_none(), "{chunk:?}");
                assert!(chunk.timestamp_micros == 0 && chunk.labels.is_empty(), "{chunk:?}");
                open
            }
            None => (self.start(chunk), Vec::new(), labels(chunk), 0),
        };
        value.extend_from_slice(&chunk.value);
        if chunk.value_size > 0 {
            assert_eq!(chunk.row_status, None, "{chunk:?}");
            self.open = Some((start, value, labels, chunk.value_size as usize));
            return;
        }
        assert!(size == 0 || size == value.len(), "{size} bytes announced, {} sent", value.len());
        self.row.push(format!("{start}={}{labels}", value.escape_ascii()));
        if let Some(RowStatus::CommitRow(true)) = chunk.row_status {
            assert!(!self.key.is_empty());
            self.cells.append(&mut self.row);
            self.last_key = std::mem::take(&mut self.key);
            (self.family, self.qualifier) = (None, None);
        }
    }

    /// The row, column and timestamp of a new cell.
    fn start(&mut self, chunk: &CellChunk) -> String {
        let key = chunk.row_key.escape_ascii().to_string();
        if self.key.is_empty() {
            assert!(!key.is_empty() && key != self.last_key, "{chunk:?}");
            self.key = key;
        } else {
            assert!(key.is_empty() || key == self.key, "{chunk:?}");
        }
        if let Some(family) = &chunk.family_name {
            assert!(chunk.qualifier.is_some(), "a family without a qualifier: {chunk:?}");
            self.family = Some(family.clone());
        }
        if let Some(qualifier) = &chunk.qualifier {
            self.qualifier = Some(qualifier.escape_ascii().to_string());
        }
        let (family, qualifier) = (self.family.as_ref().unwrap(), self.qualifier.as_ref().unwrap());
        format!("{}/{family}:{qualifier}@{}", self.key, chunk.timestamp_micros)
    }
}

/// The bytes of a value that [`cells`] returned.
pub fn unescape(value: &str) -> Vec<u8> {
    let mut rest = value.bytes();
    let mut bytes = Vec::new();
    while let Some(byte) = rest.next() {
        bytes.push(match (byte, byte == b'\\') {
            (byte, false) => byte,
            _ => match rest.next().unwrap() {
                b'x' => {
                    let digits = [rest.next().unwrap(), rest.next().unwrap()];
                    u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap()
                }
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                other => other,
            },
        });
    }
    bytes
}

fn labels(chunk: &CellChunk) -> String {
    chunk.labels.iter().map(|label| format!(" #{label}")).collect()
}
