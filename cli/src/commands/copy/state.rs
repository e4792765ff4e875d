//! The progress of a copy in each range of rows: the content of the file from which the copy is
//! resumed.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tallrow::Scan;
use tallrow::key::show::Notation;
use tallrow::regions::RegionLocation;

use super::side::CopyEndpoint;
use crate::failure::{Failure, Result};

/// The version of the file format.
const VERSION: u32 = 1;

/// The progress of a copy.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct CopyState {
    version: u32,
    /// The arguments that must be the same when the copy is resumed.
    #[serde(rename = "parts")]
    arguments: Vec<String>,
    pub(super) ranges: Vec<CopyRange>,
}

/// The rows between two keys. When the copy began, these were the rows of one region; the region
/// may have been split since.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct CopyRange {
    /// The start and stop keys in hex; an empty stop key is the end of the table.
    start: String,
    stop: String,
    /// The key of the last row that was copied, in hex.
    last: Option<String>,
    pub(super) done: bool,
    pub(super) rows: u64,
    pub(super) cells: u64,
}

impl CopyState {
    pub(super) fn new(arguments: Vec<String>, regions: &[RegionLocation]) -> Self {
        let hex = |key: &[u8]| Notation::Hex.write(key);
        let range = |region: &RegionLocation| CopyRange {
            start: hex(region.start_key()),
            stop: hex(region.end_key()),
            ..CopyRange::default()
        };
        Self { version: VERSION, arguments, ranges: regions.iter().map(range).collect() }
    }

    /// Returns the default path of the state file of a copy: a file in the working directory, named
    /// after both tables.
    pub(super) fn path(from: &CopyEndpoint, to: &CopyEndpoint) -> PathBuf {
        format!("{}.{}.copy", from.name, to.name).replace(':', "_").into()
    }

    /// Fails unless a copy with these arguments can be resumed from this state, which was
    /// read from `path`.
    pub(super) fn check(&self, arguments: &[String], path: &Path) -> Result<()> {
        let path = path.display();
        if self.version != VERSION {
            let text = format!("{path} was written by another version of this program");
            return Err(
                Failure::new(text).advise(format!("finish with that one, or remove {path}"))
            );
        }
        if self.arguments == arguments {
            return Ok(());
        }
        let begun = self.arguments.join(", ");
        let text = format!("the copy that was begun with {path} has other arguments: {begun}");
        Err(Failure::usage(text).advise(format!(
            "give the same to go on, or --state FILE; to begin again, remove {path}"
        )))
    }

    pub(super) fn rows(&self) -> u64 {
        self.ranges.iter().map(|range| range.rows).sum()
    }

    pub(super) fn cells(&self) -> u64 {
        self.ranges.iter().map(|range| range.cells).sum()
    }

    /// The share of the ranges that are completely copied, from 0 to 1.
    pub(super) fn share(&self) -> f64 {
        let done = self.ranges.iter().filter(|range| range.done).count();
        done as f64 / self.ranges.len().max(1) as f64
    }
}

impl CopyRange {
    /// Returns a scan of the rows of the range that are not copied yet.
    pub(super) fn scan(&self) -> Result<Scan> {
        let key = |text: &str| {
            let key = Notation::Hex.read(text);
            key.map_err(|error| Failure::new("read the state").caused_by(error))
        };
        let (start, stop) = (key(&self.start)?, key(&self.stop)?);
        let scan = match stop.is_empty() {
            true => Scan::range(start..),
            false => Scan::range(start..stop),
        };
        Ok(match &self.last {
            Some(last) => scan.after(key(last)?),
            None => scan,
        })
    }

    /// Records the key of the last row that was copied.
    pub(super) fn set_last(&mut self, row: &[u8]) {
        self.last = Some(Notation::Hex.write(row));
    }
}
