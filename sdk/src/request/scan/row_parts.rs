//! The parts in which a scan returns rows: whole rows, parts with a fixed number of cells, or parts
//! as servers send them.

/// The parts in which a scan returns a row.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum RowParts {
    /// The whole row at once.
    #[default]
    Whole,
    /// Parts with this number of cells; the last one may have fewer.
    Batch(usize),
    /// The parts that servers send.
    AsSent,
}

impl RowParts {
    /// Returns whether a row of `cells` cells is one part.
    pub(crate) fn fits_in_one_part(self, cells: usize) -> bool {
        match self {
            Self::Whole | Self::AsSent => true,
            Self::Batch(size) => cells <= size,
        }
    }
}
