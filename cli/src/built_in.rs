//! Layouts that many tables have.

use clap::ValueEnum;

/// A layout with a name.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum BuiltIn {
    /// OpenTSDB's data table with ids of 3 bytes, without a salt
    Opentsdb,
}

impl BuiltIn {
    /// Returns the text of its schema.
    pub(crate) fn schema(self) -> &'static str {
        match self {
            Self::Opentsdb => {
                "row key OpenTsdb\nmetric: uid 3\nbase: u32, floor = 3600, display_time = s\n\
                 tags: 8 tag pairs of uid 3 and uid 3\n"
            }
        }
    }

    /// Returns what its bytes must be, which other keys hardly are.
    pub(crate) fn rule(self) -> &'static str {
        match self {
            Self::Opentsdb => {
                "an id of 3 bytes, a full hour in seconds, and pairs of ids sorted by the first"
            }
        }
    }
}
