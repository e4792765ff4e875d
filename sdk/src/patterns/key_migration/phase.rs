//! The phases of a change of row keys: which of the two tables is read and which is written.

use std::fmt;

/// The phase of a key migration: which of the two tables is read, and which is written.
///
/// See [the module](crate::key_migration) for the order of the phases.
///
/// ```
/// use tallrow::key_migration::Phase;
///
/// assert!(!Phase::WriteBoth.reads_new());
/// assert!(Phase::ReadNew.reads_new());
/// assert_eq!(Phase::NewOnly.to_string(), "new");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Phase {
    /// Reads use the old table. Writes go to the old table and then to the new one.
    WriteBoth,
    /// Reads use the new table. Writes go to the old table and then to the new one.
    ReadNew,
    /// Reads use the new table. Writes wait until no write to the old table can be under way.
    Switching,
    /// Only the new table is used.
    NewOnly,
}

impl Phase {
    const ALL: [Self; 4] = [Self::WriteBoth, Self::ReadNew, Self::Switching, Self::NewOnly];

    /// Returns whether reads use the new table.
    ///
    /// See [`Phase`] for an example.
    pub fn reads_new(self) -> bool {
        self != Self::WriteBoth
    }

    /// Returns the phase with this name.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|phase| phase.name() == name)
    }

    fn name(self) -> &'static str {
        match self {
            Self::WriteBoth => "write both",
            Self::ReadNew => "read new",
            Self::Switching => "switching",
            Self::NewOnly => "new",
        }
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
