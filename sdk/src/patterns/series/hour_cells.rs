//! The cells of a row: single points, compacted points and appended points.

use super::stored_point::{StoredPoint, first_is_millis};
use crate::model::cell::Cell;
use crate::{Error, ErrorKind, Result, Timestamp};

/// The qualifier of the cell that points are appended to.
pub(super) const APPENDED_QUALIFIER: [u8; 3] = [5, 0, 0];

/// The way in which a cell holds points. If cells have the same timestamp, the cell of the variant
/// that is listed first takes precedence: a compacted cell has the timestamp of the newest cell
/// that it replaced, so a cell with a single point and that timestamp may be newer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum CellKind {
    Single,
    Appended,
    Compacted,
}

impl CellKind {
    /// Returns the kind of a cell by its qualifier; `None` if the cell holds something else, such
    /// as an annotation.
    fn of(qualifier: &[u8]) -> Option<Self> {
        match qualifier.len() {
            3 if qualifier.first() == APPENDED_QUALIFIER.first() => Some(Self::Appended),
            2 => Some(Self::Single),
            4 if first_is_millis(qualifier) => Some(Self::Single),
            n if n > 0 && n % 2 == 0 => Some(Self::Compacted),
            _ => None,
        }
    }

    fn points(self, cell: &Cell) -> Option<Vec<StoredPoint>> {
        let (qualifier, value) = (cell.qualifier(), cell.value());
        match self {
            Self::Single => StoredPoint::of_cell(qualifier, value).map(|point| vec![point]),
            Self::Appended => appended(value),
            Self::Compacted => compacted(qualifier, value),
        }
    }
}

/// Returns whether a cell holds points.
pub(super) fn has_points(cell: &Cell) -> bool {
    CellKind::of(cell.qualifier()).is_some()
}

/// Returns the appended points in reverse order, so that the last of several points with the same
/// time becomes the first.
fn appended(mut bytes: &[u8]) -> Option<Vec<StoredPoint>> {
    let mut points = Vec::new();
    while !bytes.is_empty() {
        points.push(StoredPoint::take_pair(&mut bytes)?);
    }
    points.reverse();
    Some(points)
}

fn compacted(mut qualifiers: &[u8], mut values: &[u8]) -> Option<Vec<StoredPoint>> {
    let mut points = Vec::with_capacity(qualifiers.len() / 2);
    while !qualifiers.is_empty() {
        points.push(StoredPoint::take(&mut qualifiers, &mut values)?);
    }
    // The last byte says whether seconds and milliseconds are mixed, which the qualifiers say too.
    matches!(values, [_]).then_some(points)
}

/// Returns the points of some cells of a row, in order of time. Each time occurs once, with the
/// point from the newest cell that has a point at this time.
pub(super) fn points_of<'a>(cells: impl IntoIterator<Item = &'a Cell>) -> Result<Vec<StoredPoint>> {
    let mut all: Vec<(u32, Timestamp, CellKind, StoredPoint)> = Vec::new();
    for cell in cells {
        let Some(kind) = CellKind::of(cell.qualifier()) else { continue };
        let points = kind.points(cell).ok_or_else(|| malformed(cell))?;
        let written = cell.timestamp();
        all.extend(points.into_iter().map(|point| (point.offset_millis(), written, kind, point)));
    }
    all.sort_by(|(offset, written, kind, _), (other, other_written, other_kind, _)| {
        let newest_first = other_written.cmp(written);
        offset.cmp(other).then(newest_first).then(kind.cmp(other_kind))
    });
    all.dedup_by_key(|(offset, ..)| *offset);
    Ok(all.into_iter().map(|(.., point)| point).collect())
}

fn malformed(cell: &Cell) -> Error {
    let text = format!("{cell:?} is not a point, nor points, of OpenTSDB");
    Error::new(ErrorKind::Decode, text)
}
