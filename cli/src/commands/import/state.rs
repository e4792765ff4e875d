//! The progress of an import: the content of the file from which the import is resumed.

use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::time::Duration;

use fnv::FnvHasher;
use serde::{Deserialize, Serialize};
use tallrow::Timestamp;

use super::counting::MARK_TTL;
use crate::failure::{Failure, Result};
use crate::files::with_suffix;

/// The version of the file format.
const VERSION: u32 = 1;

/// The progress of an import.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ImportState {
    version: u32,
    /// Distinguishes the marks of this import from those of other imports.
    pub(super) id: String,
    table: String,
    /// The arguments that must be the same when the import is resumed.
    #[serde(rename = "mapping")]
    arguments: Vec<String>,
    /// The timestamp of the import's cells.
    #[serde(rename = "time")]
    pub(super) timestamp_ms: u64,
    /// The time when the state was saved.
    #[serde(rename = "saved")]
    saved_at_ms: u64,
    /// The position up to which all lines were acknowledged.
    pub(super) done: Position,
    /// The position up to which lines were sent, which is never before `done`. Some of the lines
    /// between `done` and `sent` may have been written.
    pub(super) sent: Position,
    /// The number of the last batch that was acknowledged.
    #[serde(rename = "batch")]
    pub(super) last_batch: u64,
}

impl ImportState {
    pub(super) fn new(table: &str, arguments: Vec<String>, start: &Position) -> Self {
        let now = now();
        Self {
            version: VERSION,
            id: format!("{:016x}", fastrand::u64(..)),
            table: table.into(),
            arguments,
            timestamp_ms: now,
            saved_at_ms: now,
            done: start.clone(),
            sent: start.clone(),
            last_batch: 0,
        }
    }

    /// Returns the path of the state file of an import, which is next to the imported file.
    pub(super) fn path(file: &Path, table: &str) -> PathBuf {
        with_suffix(file, &format!(".{table}.import"))
    }

    /// Sets the timestamp of new cells to the current time, unless some of these cells may already
    /// have been written with the earlier timestamp.
    pub(super) fn renew_timestamp_if_unused(&mut self) {
        if self.sent == self.done {
            self.timestamp_ms = self.timestamp_ms.max(now());
        }
    }

    /// Sets the time when the state was saved to the current time.
    pub(super) fn touch(&mut self) {
        self.saved_at_ms = now();
    }

    /// Fails unless an import with these arguments can be resumed from this state. `has_counters`
    /// says whether the import has counters.
    pub(super) fn check(
        &self,
        table: &str,
        arguments: &[String],
        has_counters: bool,
    ) -> Result<()> {
        let differs = |text: String| {
            let text = format!("the import that was begun is another one: {text}");
            Failure::usage(text).advise(
                "give the same arguments to go on, or --restart to import all of the file: its \
                 counters are then added again",
            )
        };
        if self.version != VERSION {
            return Err(differs(format!("its state has version {}", self.version)));
        }
        if self.table != table {
            return Err(differs(format!("it is into the table {}", self.table)));
        }
        let lacks = |mine: &[String], others: &[String]| {
            mine.iter().find(|part| !others.contains(part)).map(|part| part.replace('\n', "; "))
        };
        if let Some(part) = lacks(&self.arguments, arguments) {
            return Err(differs(format!("it has {part}")));
        }
        if let Some(part) = lacks(arguments, &self.arguments) {
            return Err(differs(format!("it does not have {part}")));
        }
        let age = Duration::from_millis(now().saturating_sub(self.saved_at_ms));
        if has_counters && self.sent != self.done && age > MARK_TTL {
            let text = format!(
                "the import was stopped {} days ago, so it is not known any more which of the \
                 lines {} to {} were counted",
                age.as_secs() / 86_400,
                self.done.line_feeds + 1,
                self.sent.line_feeds,
            );
            return Err(Failure::new(text).advise(
                "look at the counters of these lines; --restart counts all of the file again",
            ));
        }
        Ok(())
    }
}

fn now() -> u64 {
    Timestamp::now().as_millis()
}

/// A position in a file, and how many lines before it were imported and refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Position {
    /// The number of bytes before the position.
    pub(super) bytes: u64,
    /// The number of line feeds in these bytes.
    pub(super) line_feeds: u64,
    /// The FNV-1a hash of these bytes.
    pub(super) hash: u64,
    /// The number of lines that became rows or were counted.
    pub(super) rows: u64,
    /// The number of lines that were refused.
    pub(super) refused: u64,
    /// The length of the file of refused lines.
    pub(super) refused_bytes: u64,
}

impl Position {
    /// Returns the position at the beginning of a file.
    pub(super) fn start() -> Self {
        let hash = FnvHasher::default().finish();
        Self { bytes: 0, line_feeds: 0, hash, rows: 0, refused: 0, refused_bytes: 0 }
    }

    /// Moves the position to the end of these bytes, which were read next.
    pub(super) fn advance(&mut self, bytes: &[u8]) {
        let mut hasher = FnvHasher::with_key(self.hash);
        hasher.write(bytes);
        self.hash = hasher.finish();
        self.bytes += bytes.len() as u64;
        self.line_feeds += bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_does_not_depend_on_how_the_bytes_were_cut() {
        let (mut whole, mut cut) = (Position::start(), Position::start());
        whole.advance(b"a,b\n1,2\n");
        cut.advance(b"a,b\n1");
        cut.advance(b",2\n");
        assert_eq!(whole, cut);
        assert_eq!((whole.bytes, whole.line_feeds), (8, 2));
    }
}
