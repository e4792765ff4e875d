//! The limits on the cells that the families of a table keep, as far as they affect reads.

use std::time::Duration;

/// The limits on the cells that a family keeps. Bigtable still returns cells beyond these limits
/// until it removes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FamilyLimit {
    pub(crate) name: String,
    /// How many versions the family keeps; `None` if there is no limit.
    pub(crate) versions: Option<u32>,
    /// How long the family keeps cells; `None` if it keeps them for ever.
    pub(crate) max_age: Option<Duration>,
}

/// The limits on the cells that the families of a table keep, sorted by the names of the families.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FamilyLimits(Vec<FamilyLimit>);

impl FamilyLimits {
    pub(crate) fn new(families: impl IntoIterator<Item = FamilyLimit>) -> Self {
        let mut families: Vec<_> = families.into_iter().collect();
        families.sort_by(|a, b| a.name.cmp(&b.name));
        Self(families)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &FamilyLimit> {
        self.0.iter()
    }

    pub(crate) fn get(&self, name: &[u8]) -> Option<&FamilyLimit> {
        self.0.iter().find(|family| family.name.as_bytes() == name)
    }

    /// Returns the names of the families, for an error text.
    pub(crate) fn names(&self) -> String {
        self.0.iter().map(|family| family.name.as_str()).collect::<Vec<_>>().join(", ")
    }
}
