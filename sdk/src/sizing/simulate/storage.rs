//! A forecast of the flushes, store files and splits that the rows of a simulation cause, by
//! HBase's rules.

use super::RegionDistribution;
use crate::sizing::sizes::CellSize;

/// A forecast, by HBase's rules, of the flushes, store files and splits that the rows of a
/// simulation cause.
///
/// | setting | default | HBase's name |
/// |---|---|---|
/// | [`flush_size`](Self::flush_size) | 128 MiB | `hbase.hregion.memstore.flush.size` |
/// | [`max_file_size`](Self::max_file_size) | 10 GiB | `hbase.hregion.max.filesize` |
/// | [`regions_per_server`](Self::regions_per_server) | more than 1 | `SteppingSplitPolicy`: the only region of a table on its server splits at twice the flush size |
/// | [`compression`](Self::compression) | 1 | what compression and block encoding leave of a store file's bytes |
///
/// In memory a cell takes its bytes (`KeyValue.getLength`) and 72 more for an entry of the skip
/// list and the object, rounded up to a multiple of 8 (`Segment.heapSizeChange`, with MSLAB). In a
/// store file a cell takes its bytes and 1 more. A region is flushed when all its families together
/// reach the flush size. HBase randomly varies its limit for splits, within a quarter of the limit
/// (`hbase.hregion.max.filesize.jitter`), so that regions do not all split at the same time; this
/// forecast does not vary the limit.
///
/// ```
/// use tallrow::simulate::{Simulation, StorageForecast};
/// use tallrow::sizes::CellSize;
///
/// let spread = Simulation::new([[128_u8]])?.keys(10_000).run_rows(|draw| Ok(draw.bytes::<8>()))?;
/// // One cell of 100 bytes in each row, a thousand million rows.
/// let storage = StorageForecast::new([CellSize::new(8, 1, 1, 100)]);
/// let regions = storage.forecast(&spread, 1_000_000_000);
/// assert_eq!(storage.row_bytes(), 130);
/// assert!((700..850).contains(&regions[0].flushes), "{regions:?}");
/// assert!((60..70).contains(&(regions[0].store_bytes / 1_000_000_000)), "{regions:?}");
/// let rows = regions[0].table_rows_at_split.unwrap();
/// assert!((150_000_000..180_000_000).contains(&rows), "{rows}");
/// # Ok::<(), tallrow::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct StorageForecast {
    cells: Vec<CellSize>,
    flush_size: u64,
    max_file_size: u64,
    regions_per_server: usize,
    compression: f64,
}

/// The forecast for one region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RegionForecast {
    /// How many rows the region gets.
    pub rows: u64,
    /// How often the memory of the region is flushed to files.
    pub flushes: u64,
    /// How many bytes are in the memory of the region after the last flush.
    pub memstore_bytes: u64,
    /// The size of the store files of the region in bytes, before it splits.
    pub store_bytes: u64,
    /// How many rows the table has when the region is large enough to split; `None` if the region
    /// does not become that large.
    pub table_rows_at_split: Option<u64>,
}

/// How many bytes a cell takes in memory besides its own, and the multiple to which the sum is
/// rounded up.
const HEAP_OVERHEAD: u64 = 72;
const HEAP_ALIGNMENT: u64 = 8;
/// How many bytes a cell takes in a store file besides its own.
const FILE_OVERHEAD: u64 = 1;

impl StorageForecast {
    /// Creates a forecast for rows that each consist of these cells. The size of each cell includes
    /// the row key.
    ///
    /// See [`StorageForecast`] for an example of this and the other functions.
    pub fn new(cells: impl IntoIterator<Item = CellSize>) -> Self {
        Self {
            cells: cells.into_iter().collect(),
            flush_size: 128 << 20,
            max_file_size: 10 << 30,
            regions_per_server: 2,
            compression: 1.0,
        }
    }

    /// Sets the size in bytes at which a region's memory is flushed; at least 1.
    #[must_use]
    pub fn flush_size(mut self, bytes: u64) -> Self {
        self.flush_size = bytes.max(1);
        self
    }

    /// Sets the size in bytes of a region's store files at which the region splits.
    #[must_use]
    pub fn max_file_size(mut self, bytes: u64) -> Self {
        self.max_file_size = bytes;
        self
    }

    /// Sets how many regions of the table a server holds. With 1, a region splits at twice the
    /// flush size.
    #[must_use]
    pub fn regions_per_server(mut self, regions: usize) -> Self {
        self.regions_per_server = regions;
        self
    }

    /// Sets the share of the bytes of a store file that remains after compression or block
    /// encoding: 0.3 means 30 %.
    #[must_use]
    pub fn compression(mut self, share: f64) -> Self {
        self.compression = share.max(0.0);
        self
    }

    /// The number of bytes of a row: the sum of its cells.
    pub fn row_bytes(&self) -> u64 {
        self.cells.iter().map(|cell| cell.total() as u64).sum()
    }

    /// Returns the forecast for each region when the table has `rows` rows that are distributed as
    /// in the simulation.
    pub fn forecast(&self, distribution: &RegionDistribution, rows: u64) -> Vec<RegionForecast> {
        let counted: u64 = distribution.rows().iter().sum();
        let scale = if counted == 0 { 0.0 } else { rows as f64 / counted as f64 };
        let forecast = |(region, counted): (usize, u64)| {
            let rows = (counted as f64 * scale).round() as u64;
            let (each_flush, flushes) = self.flushes(rows);
            let files = |flushes: u64| (flushes * each_flush) as f64 * self.file_bytes();
            let limit = match self.regions_per_server {
                0 | 1 => (2 * self.flush_size).min(self.max_file_size),
                _ => self.max_file_size,
            } as f64;
            let needed = (limit / (each_flush as f64 * self.file_bytes())).floor() + 1.0;
            let splits = files(flushes) > limit;
            RegionForecast {
                rows,
                flushes,
                memstore_bytes: (rows - flushes * each_flush) * self.heap_bytes(),
                store_bytes: files(flushes) as u64,
                table_rows_at_split: splits.then(|| {
                    let of_region = needed * each_flush as f64;
                    table_rows(distribution, region, of_region / scale, scale)
                }),
            }
        };
        distribution.rows().into_iter().enumerate().map(forecast).collect()
    }

    /// Returns how many rows are in a flush, and how many flushes `rows` rows cause.
    fn flushes(&self, rows: u64) -> (u64, u64) {
        let each = self.flush_size / self.heap_bytes().max(1) + 1;
        (each, rows / each)
    }

    fn heap_bytes(&self) -> u64 {
        let heap = |cell: &CellSize| cell.total() as u64 + HEAP_OVERHEAD;
        self.cells.iter().map(|cell| heap(cell).next_multiple_of(HEAP_ALIGNMENT)).sum()
    }

    fn file_bytes(&self) -> f64 {
        let bytes: u64 = self.cells.iter().map(|cell| cell.total() as u64 + FILE_OVERHEAD).sum();
        bytes as f64 * self.compression
    }
}

/// Returns how many rows the table has when `region` has `wanted` of the counted rows: the counted
/// rows of the table at that time, multiplied by `scale`.
fn table_rows(distribution: &RegionDistribution, region: usize, wanted: f64, scale: f64) -> u64 {
    let (mut of_region, mut of_table) = (0.0, 0.0);
    for window in distribution.rows_by_window() {
        let added = window.get(region).copied().unwrap_or(0) as f64;
        let all = window.iter().sum::<u64>() as f64;
        if added > 0.0 && of_region + added >= wanted {
            of_table += all * (wanted - of_region) / added;
            break;
        }
        of_region += added;
        of_table += all;
    }
    (of_table * scale).round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sizing::simulate::Simulation;

    #[test]
    fn a_cell_takes_what_hbase_counts() {
        // Printed by HBase 2.6.4's classes: `KeyValue.getLength` 30 and 38, and with MSLAB 104 and
        // 112 on the heap.
        for (value, length, heap) in [(0, 30, 104), (8, 38, 112)] {
            let storage = StorageForecast::new([CellSize::new(8, 1, 1, value)]);
            assert_eq!((storage.row_bytes(), storage.heap_bytes()), (length, heap));
        }
    }

    #[test]
    fn a_region_is_flushed_and_splits_when_its_bytes_are_reached() {
        // All rows of the first half of the time in the first region, all others in the second.
        let spread = Simulation::new(["b"]).unwrap().keys(1_000);
        let spread =
            spread.run_rows(|draw| Ok(if draw.index() < 500 { "a" } else { "b" })).unwrap();
        // A flush for each 10 rows, of 390 bytes in files.
        let storage = StorageForecast::new([CellSize::new(8, 1, 1, 8)]).flush_size(112 * 10 - 1);
        let storage = storage.max_file_size(3_899);
        let regions = storage.forecast(&spread, 10_000);
        assert_eq!(regions.iter().map(|region| region.rows).collect::<Vec<_>>(), [5_000, 5_000]);
        let [first, second] = regions[..] else { panic!("{regions:?}") };
        assert_eq!((first.flushes, first.memstore_bytes, first.store_bytes), (500, 0, 195_000));
        assert_eq!(
            (first.table_rows_at_split, second.table_rows_at_split),
            (Some(100), Some(5_100))
        );
        assert_eq!(storage.forecast(&spread, 10).first().unwrap().table_rows_at_split, None);
        // The only region of its server.
        let alone = storage.clone().regions_per_server(1).forecast(&spread, 10_000);
        assert_eq!(
            alone[0].table_rows_at_split,
            Some(60),
            "2,238 bytes are exceeded by the sixth flush"
        );
        let compressed = storage.compression(0.5).forecast(&spread, 10_000);
        assert_eq!(compressed[0].table_rows_at_split, Some(200));
    }

    #[test]
    fn no_rows_and_no_cells_are_no_error() {
        let spread = Simulation::new(["b"]).unwrap().keys(0).run_rows(|_| Ok("a")).unwrap();
        let none = StorageForecast::new([]).forecast(&spread, 1_000);
        assert!(none.iter().all(|region| region.rows == 0 && region.table_rows_at_split.is_none()));
    }
}
