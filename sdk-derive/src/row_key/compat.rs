//! The compatibility targets: `compat = ".."`.

/// The words of `compat`.
pub(super) const TARGETS: &[&str] = &["native", "hbase", "hbase_ordered", "phoenix", "bigtable"];

/// The system whose keys a key is compatible with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CompatTarget {
    Hbase,
    HbaseOrdered,
    Phoenix,
    Bigtable,
}

impl CompatTarget {
    /// Returns the target that `compat` names; none for our own bytes.
    pub(super) fn named(word: &str) -> Option<Self> {
        match word {
            "hbase" => Some(Self::Hbase),
            "hbase_ordered" => Some(Self::HbaseOrdered),
            "phoenix" => Some(Self::Phoenix),
            "bigtable" => Some(Self::Bigtable),
            _ => None,
        }
    }

    /// Returns the name for messages.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Hbase => "HBase's `Bytes`",
            Self::HbaseOrdered => "HBase's `OrderedBytes`",
            Self::Phoenix => "Phoenix",
            Self::Bigtable => "a key schema of Bigtable",
        }
    }
}
