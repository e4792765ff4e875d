//! Reads of all there is.

use std::ops::RangeBounds;

use tallrow::cell::Cell;
use tallrow::series::{Point, Series};
use tallrow::{Get, RawTable, Row, Timestamp};

/// All points of a series in a range of time.
///
/// # Panics
/// If they cannot be read.
pub async fn points(series: &Series, range: impl RangeBounds<Timestamp>) -> Vec<Point> {
    series.read(range).unwrap().try_collect().await.unwrap()
}

/// The cells of a row, each as its family, qualifier, time and value.
pub type Cells = Vec<(Vec<u8>, Vec<u8>, u64, Vec<u8>)>;

/// The cells of a row in a table, with all their versions.
///
/// # Panics
/// If they cannot be read.
pub async fn cells(table: &RawTable, row: &str) -> Cells {
    cells_of(table.get(Get::new(row).versions(100)).await.unwrap().as_ref())
}

/// The cells that were read; none if there is no row.
pub fn cells_of(row: Option<&Row>) -> Cells {
    let cell = |cell: &Cell| {
        let (family, qualifier) = (cell.family().to_vec(), cell.qualifier().to_vec());
        (family, qualifier, cell.timestamp().as_millis(), cell.value().to_vec())
    };
    row.into_iter().flat_map(Row::cells).map(cell).collect()
}
