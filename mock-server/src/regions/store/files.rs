//! The store files of the families of a region.

use std::ops::{Range, RangeInclusive};

use bytes::Bytes;

use super::RegionStore;
use crate::cells::StoredCell;
use crate::regions::store_file::StoreFile;
use crate::schema::Family;

impl RegionStore {
    /// Adds a store file with the writes of a family since the last one.
    pub(super) fn add_file(&mut self, family: &Bytes, end: u64) {
        let begin = self.files.get(family).and_then(|files| files.last()).map_or(0, |f| f.end);
        let file = self.measured(family, begin + 1..=end);
        self.files.entry(family.clone()).or_default().push(file);
        self.changes.note();
    }

    /// Makes the store files of a family one.
    pub(super) fn join_files(&mut self, family: &[u8]) {
        let Some(end) = self.files.get(family).and_then(|files| files.last()).map(|f| f.end) else {
            return;
        };
        let file = self.measured(family, 0..=end);
        if let Some(files) = self.files.get_mut(family) {
            *files = vec![file];
            self.changes.note();
        }
    }

    /// Measures all store files.
    pub(super) fn measure_files(&mut self) {
        let mut files = std::mem::take(&mut self.files);
        for (family, files) in &mut files {
            let mut begin = 0;
            for file in files {
                let ids = std::mem::replace(&mut begin, file.end) + 1..=file.end;
                *file = self.measured(family, ids);
            }
        }
        self.files = files;
    }

    /// The file with the cells of a family whose sequence ids are in a range.
    fn measured(&self, family: &[u8], ids: RangeInclusive<u64>) -> StoreFile {
        let mut file = StoreFile::new(*ids.end());
        let of_file = |cell: &&StoredCell| ids.contains(&cell.sequence_id());
        file.measure(self.cells.iter().filter(|c| c.family() == family).filter(of_file));
        file
    }

    /// The timestamp of the oldest put in the store files of a family. The daughters of a split
    /// have the files of their parent, with what was noted of all of its rows.
    pub(super) fn oldest_put(&self, family: &[u8]) -> u64 {
        let files = self.files.get(family).into_iter().flatten();
        files.filter_map(StoreFile::oldest_put).min().unwrap_or(u64::MAX)
    }

    /// Whether a scan that names columns of a family, not the empty one, takes the row at which it
    /// starts for a row that exists.
    ///
    /// As in HBase's `StoreScanner`, such a scan asks each file for the markers of the family in
    /// that row. A file that has none is not read yet (`StoreFileScanner.requestSeek`): it pretends
    /// to have a cell after them, which no read returns.
    pub(in crate::regions) fn pretends_row(
        &self,
        family: &Family,
        times: &Range<u64>,
        bounds: (&[u8], &[u8]),
        now: u64,
    ) -> bool {
        let oldest_kept = if family.min_versions == 0 { family.oldest_unexpired(now) } else { 0 };
        let mut files = self.files.get(&family.name).into_iter().flatten();
        files.any(|file| file.is_read(times, oldest_kept, bounds))
    }
}
