//! A position in the file that is imported, with a hash of all bytes before it: when the import is
//! resumed, the hash shows whether they are still the same.

use std::hash::Hasher;

use fnv::FnvHasher;
use serde::{Deserialize, Serialize};

/// How far a file was read, and what was made of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Position {
    /// How many bytes.
    pub(super) bytes: u64,
    /// How many line feeds are in them.
    pub(super) line_feeds: u64,
    /// FNV-1a of them.
    pub(super) hash: u64,
    /// How many lines became rows, or were counted.
    pub(super) rows: u64,
    /// How many lines were refused.
    pub(super) refused: u64,
    /// How long the file of refused lines is.
    pub(super) refused_bytes: u64,
}

impl Position {
    /// The beginning of a file.
    pub(super) fn start() -> Self {
        let hash = FnvHasher::default().finish();
        Self { bytes: 0, line_feeds: 0, hash, rows: 0, refused: 0, refused_bytes: 0 }
    }

    /// Adds bytes that were read.
    pub(super) fn read(&mut self, bytes: &[u8]) {
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
        whole.read(b"a,b\n1,2\n");
        cut.read(b"a,b\n1");
        cut.read(b",2\n");
        assert_eq!(whole, cut);
        assert_eq!((whole.bytes, whole.line_feeds), (8, 2));
    }
}
