//! What a filter decides about a cell.

/// Where a read continues after a cell, the nearest position first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Seek {
    /// At the next cell.
    Cell,
    /// At the next column.
    Column,
    /// At the next row; the rest of this row is skipped in the family of the cell.
    Row,
}

/// What a filter decides about a cell, as HBase's `Filter.ReturnCode`: whether it is included, and where to continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ReturnCode {
    /// Whether the cell is part of the answer.
    pub(crate) include: bool,
    /// Where the read continues.
    pub(crate) seek: Seek,
}

impl ReturnCode {
    /// `INCLUDE`
    pub(super) const INCLUDE: Self = Self { include: true, seek: Seek::Cell };
    /// `INCLUDE_AND_NEXT_COL`
    pub(super) const INCLUDE_AND_NEXT_COL: Self = Self { include: true, seek: Seek::Column };
    /// `SKIP`
    pub(super) const SKIP: Self = Self { include: false, seek: Seek::Cell };
    /// `NEXT_COL`
    pub(super) const NEXT_COL: Self = Self { include: false, seek: Seek::Column };
    /// `NEXT_ROW`
    pub(super) const NEXT_ROW: Self = Self { include: false, seek: Seek::Row };

    /// `INCLUDE` if a condition holds, else the other code.
    pub(super) fn include_if(condition: bool, otherwise: Self) -> Self {
        if condition { Self::INCLUDE } else { otherwise }
    }
}
