//! The versions of a cell as a field of a row type, newest first.

use std::ops::Deref;

use crate::Timestamp;

/// The versions of a cell, newest first, each with its timestamp.
///
/// A field of this type is read with its row, but not written with its row. `#[cell("d:t",
/// versions)]` requests all versions that the family keeps, and `versions = 5` requests at most 5.
///
/// ```
/// use tallrow::{Timestamp, value::Versions};
///
/// let at = Timestamp::from_millis;
/// let past: Versions<f64> = [(at(20), 21.5), (at(10), 21.0)].into_iter().collect();
/// assert_eq!(past.newest(), Some(&21.5));
/// assert_eq!(past.as_of(at(15)), Some(&21.0));
/// assert_eq!(past.as_of(at(5)), None);
/// assert_eq!(past.len(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Versions<V>(Vec<(Timestamp, V)>);

/// The type of a field with `versions`. This trait exists only for the compiler's error about a
/// field of another type.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a field with `versions` is a `Versions<V>`, not a `{Self}`",
    label = "not the versions of a cell",
    note = "it holds the value and the time of each version: `newest()`, `at(time)`"
)]
pub trait VersionsField {
    type Value;
    fn from_versions(versions: Versions<Self::Value>) -> Self;
}

#[diagnostic::do_not_recommend]
impl<V> VersionsField for Versions<V> {
    type Value = V;

    fn from_versions(versions: Self) -> Self {
        versions
    }
}

impl<V> Versions<V> {
    /// The newest value.
    ///
    /// See [`Versions`] for an example of this and the other functions.
    pub fn newest(&self) -> Option<&V> {
        self.0.first().map(|(_, value)| value)
    }

    /// Returns the value that was the newest at `time`: the value of the newest version whose
    /// timestamp is not later than `time`.
    pub fn as_of(&self, time: Timestamp) -> Option<&V> {
        self.0.iter().find(|(at, _)| *at <= time).map(|(_, value)| value)
    }
}

impl<V> Default for Versions<V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<V> Deref for Versions<V> {
    type Target = [(Timestamp, V)];

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<V> FromIterator<(Timestamp, V)> for Versions<V> {
    fn from_iter<I: IntoIterator<Item = (Timestamp, V)>>(versions: I) -> Self {
        let mut versions = Vec::from_iter(versions);
        versions.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
        Self(versions)
    }
}

impl<V> IntoIterator for Versions<V> {
    type Item = (Timestamp, V);
    type IntoIter = std::vec::IntoIter<(Timestamp, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
