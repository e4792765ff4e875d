//! Whether a scan returns whole rows, parts with a fixed number of cells, or parts as servers send
//! them.

/// What a scan returns of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum RowParts {
    /// All of it at once.
    #[default]
    Whole,
    /// Parts with this number of cells; the last one may have fewer.
    Batch(usize),
    /// The parts that servers send.
    AsSent,
}

impl RowParts {
    /// Whether a row of `cells` cells is one part.
    pub(crate) fn holds(self, cells: usize) -> bool {
        match self {
            Self::Whole | Self::AsSent => true,
            Self::Batch(size) => cells <= size,
        }
    }
}
