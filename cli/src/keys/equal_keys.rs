//! Counts how many row keys are equal to those of earlier rows.
//!
//! The count is exact for any number of keys, and memory is bounded: a hash of 128 bits is kept for
//! each key, and at most a million hashes are in memory. When the memory is full, the hashes are
//! sorted and written to a file in the folder for temporary files (`TMPDIR`), with 16 bytes per
//! key; at the end, all such parts are merged. The chance that two of a billion different keys have
//! the same hash is about 1 in 10^21. If the file cannot be written, the count is unknown, and the
//! user is told so.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::hash_map::DefaultHasher;
use std::fs::{File, OpenOptions};
use std::hash::Hasher;
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::FileExt;

/// The maximum number of hashes in memory, which take 16 MiB.
const IN_MEMORY: usize = 1 << 20;

/// The number of hashes of a part that are read at once.
const READ: usize = 1 << 10;

const HASH_BYTES: usize = size_of::<u128>();

/// A counter of keys that are equal to keys added before.
#[derive(Debug)]
pub(crate) struct DuplicateKeyCounter {
    /// The hashes in memory, which are not sorted and may contain equal hashes.
    hashes: Vec<u128>,
    max_hashes: usize,
    /// The lengths of the parts in the file, one after the other. Each part is sorted, without
    /// equal hashes.
    parts: Vec<u64>,
    file: Option<File>,
    /// The number of keys that were already in the same part when they were added.
    equal: u64,
    /// The reason why the count is unknown, if so.
    failed: Option<String>,
}

impl DuplicateKeyCounter {
    pub(crate) fn new() -> Self {
        Self::with_max_hashes(IN_MEMORY)
    }

    /// Makes a counter that keeps at most this number of hashes in memory.
    pub(crate) fn with_max_hashes(max_hashes: usize) -> Self {
        Self {
            hashes: Vec::new(),
            max_hashes,
            parts: Vec::new(),
            file: None,
            equal: 0,
            failed: None,
        }
    }

    /// Returns the hash of a key, for [`add_hash`](Self::add_hash).
    pub(crate) fn hash(key: &[u8]) -> u128 {
        let half = |first: u8| {
            let mut hasher = DefaultHasher::new();
            hasher.write_u8(first);
            hasher.write(key);
            u128::from(hasher.finish())
        };
        half(0) << 64 | half(1)
    }

    pub(crate) fn add(&mut self, key: &[u8]) {
        self.add_hash(Self::hash(key));
    }

    pub(crate) fn add_hash(&mut self, hash: u128) {
        if self.failed.is_some() {
            return;
        }
        self.hashes.push(hash);
        if self.hashes.len() == self.max_hashes {
            self.sort();
            // If at least half of the hashes were equal to others, the different hashes stay in
            // memory.
            if self.hashes.len() > self.max_hashes / 2
                && let Err(error) = self.spill()
            {
                self.failed = Some(format!("write a temporary file: {error}"));
            }
        }
    }

    fn sort(&mut self) {
        self.hashes.sort_unstable();
        let all = self.hashes.len();
        self.hashes.dedup();
        self.equal += (all - self.hashes.len()) as u64;
    }

    /// Writes the sorted hashes in memory to the file, as a part.
    fn spill(&mut self) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(unnamed_file()?),
        };
        let mut writer = BufWriter::with_capacity(1 << 16, file);
        for hash in &self.hashes {
            writer.write_all(&hash.to_le_bytes())?;
        }
        writer.flush()?;
        self.parts.push(self.hashes.len() as u64);
        self.hashes.clear();
        Ok(())
    }

    /// Returns how many of the added keys were equal to a key that had been added before.
    ///
    /// # Errors
    /// The reason why the count is unknown.
    pub(crate) fn count(mut self) -> Result<u64, String> {
        if let Some(why) = self.failed {
            return Err(why);
        }
        self.sort();
        let Some(file) = &self.file else { return Ok(self.equal) };
        let merged = merge(file, &self.parts, &self.hashes);
        let among = merged.map_err(|error| format!("read a temporary file: {error}"))?;
        Ok(self.equal + among)
    }
}

/// Merges the sorted parts: those in the file, which have these lengths, and the `last` part, which
/// is in memory. Returns how many hashes are also in an earlier part.
fn merge(file: &File, lengths: &[u64], last: &[u128]) -> io::Result<u64> {
    let mut start = 0;
    let mut parts: Vec<SortedPart<'_>> = Vec::new();
    for length in lengths {
        parts.push(SortedPart { file, next: start, end: start + length, read: Vec::new() });
        start += length;
    }
    let mut heap = BinaryHeap::new();
    let mut last = last.iter().copied();
    let in_memory = parts.len();
    let mut next = |part: usize, parts: &mut Vec<SortedPart<'_>>| match parts.get_mut(part) {
        Some(part) => part.next(),
        None => Ok(last.next()),
    };
    for part in 0..=in_memory {
        heap.extend(next(part, &mut parts)?.map(|hash| Reverse((hash, part))));
    }
    let (mut equal, mut before) = (0, None);
    while let Some(Reverse((hash, part))) = heap.pop() {
        equal += u64::from(before == Some(hash));
        before = Some(hash);
        heap.extend(next(part, &mut parts)?.map(|hash| Reverse((hash, part))));
    }
    Ok(equal)
}

/// The rest of a sorted part of a file: the hashes with the indexes from `next` up to, but not
/// including, `end`.
struct SortedPart<'a> {
    file: &'a File,
    next: u64,
    end: u64,
    /// The hashes that were read from the file but not returned yet, with the next hash at the end.
    read: Vec<u128>,
}

impl SortedPart<'_> {
    fn next(&mut self) -> io::Result<Option<u128>> {
        if self.read.is_empty() && self.next < self.end {
            let count = usize::try_from(self.end - self.next).unwrap_or(READ).min(READ);
            let mut bytes = vec![0; count * HASH_BYTES];
            self.file.read_exact_at(&mut bytes, self.next * HASH_BYTES as u64)?;
            let (hashes, _) = bytes.as_chunks::<HASH_BYTES>();
            self.read.extend(hashes.iter().rev().map(|bytes| u128::from_le_bytes(*bytes)));
            self.next += count as u64;
        }
        Ok(self.read.pop())
    }
}

/// Creates a file that is gone when the process ends, however it ends.
fn unnamed_file() -> io::Result<File> {
    let name = format!("tallrow-{}-{:016x}", std::process::id(), fastrand::u64(..));
    let path = std::env::temp_dir().join(name);
    let file = OpenOptions::new().read(true).write(true).create_new(true).open(&path)?;
    std::fs::remove_file(&path)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_count_is_exact_whatever_the_memory_is() {
        let mut random = fastrand::Rng::with_seed(1);
        let keys: Vec<[u8; 4]> = (0..20_000).map(|_| random.u32(..12_000).to_be_bytes()).collect();
        let different = keys.iter().collect::<HashSet<_>>().len();
        for memory in [2, 7, 1_000, 5_000, 19_999, 20_000, 1 << 20] {
            let mut equal = DuplicateKeyCounter::with_max_hashes(memory);
            keys.iter().for_each(|key| equal.add(key));
            assert_eq!(equal.parts.is_empty(), memory > 5_000, "{memory}");
            assert_eq!(equal.count(), Ok((keys.len() - different) as u64), "{memory}");
        }
        assert_eq!(DuplicateKeyCounter::new().count(), Ok(0));
    }

    #[test]
    fn keys_that_are_all_equal_stay_in_memory() {
        let mut equal = DuplicateKeyCounter::with_max_hashes(10);
        (0..1_000).for_each(|_| equal.add(b"a"));
        assert!(equal.file.is_none());
        assert_eq!(equal.count(), Ok(999));
    }

    #[test]
    fn what_was_not_counted_is_not_a_number() {
        let mut equal = DuplicateKeyCounter::with_max_hashes(2);
        equal.failed = Some("no room".into());
        equal.add(b"a");
        assert_eq!(equal.count(), Err("no room".into()));
    }
}
