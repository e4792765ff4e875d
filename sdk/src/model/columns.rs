//! Which cells a read returns: columns, versions, times.

use std::fmt;
use std::ops::{Bound, Deref, DerefMut, RangeBounds};
use std::sync::Arc;

use bytes::Bytes;

use crate::Timestamp;

/// The cells that a `Get` or a `Scan` reads: columns, versions, times.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CellSelection {
    pub(crate) families: Vec<FamilyColumns>,
    pub(crate) versions: u32,
    pub(crate) time_range: Option<TimeRange>,
}

/// The columns of a read: its own columns, or columns that it shares with other reads until it
/// changes them.
#[derive(Clone, Default)]
pub(crate) struct CopyOnWriteCellSelection {
    own: CellSelection,
    shared: Option<Arc<CellSelection>>,
}

impl fmt::Debug for CopyOnWriteCellSelection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl CopyOnWriteCellSelection {
    /// Returns the columns that are shared with other reads, or, as `Err`, the read's own columns.
    pub(crate) fn try_into_shared(self) -> Result<Arc<CellSelection>, CellSelection> {
        self.shared.ok_or(self.own)
    }
}

impl From<CellSelection> for CopyOnWriteCellSelection {
    fn from(own: CellSelection) -> Self {
        Self { own, shared: None }
    }
}

impl From<Arc<CellSelection>> for CopyOnWriteCellSelection {
    fn from(shared: Arc<CellSelection>) -> Self {
        Self { own: CellSelection::default(), shared: Some(shared) }
    }
}

impl Deref for CopyOnWriteCellSelection {
    type Target = CellSelection;

    fn deref(&self) -> &CellSelection {
        self.shared.as_deref().unwrap_or(&self.own)
    }
}

impl DerefMut for CopyOnWriteCellSelection {
    fn deref_mut(&mut self) -> &mut CellSelection {
        if let Some(shared) = self.shared.take() {
            self.own = (*shared).clone();
        }
        &mut self.own
    }
}

impl PartialEq for CopyOnWriteCellSelection {
    fn eq(&self, other: &Self) -> bool {
        let same = match (&self.shared, &other.shared) {
            (Some(shared), Some(other)) => Arc::ptr_eq(shared, other),
            _ => false,
        };
        same || **self == **other
    }
}

/// A family that is read: all of it, or some of its columns.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FamilyColumns {
    pub(crate) family: Bytes,
    /// Empty if all columns of the family are read.
    pub(crate) qualifiers: Vec<Bytes>,
}

/// A range of timestamps from `from` up to, not including, `to`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct TimeRange {
    pub(crate) from: Option<Timestamp>,
    pub(crate) to: Option<Timestamp>,
}

impl Default for CellSelection {
    fn default() -> Self {
        Self { families: Vec::new(), versions: 1, time_range: None }
    }
}

impl CellSelection {
    /// Selects families and columns by static names, which are cloned without a reference count.
    pub(crate) fn from_static(
        versions: u32,
        families: impl IntoIterator<Item = &'static str>,
        columns: impl IntoIterator<Item = (&'static str, &'static [u8])>,
    ) -> Self {
        let of = |name: &'static str| Bytes::from_static(name.as_bytes());
        let mut all = Self { versions, ..Self::default() };
        families.into_iter().for_each(|family| all.add_family(of(family)));
        let columns = columns.into_iter();
        columns.for_each(|(family, qualifier)| all.add(of(family), Bytes::from_static(qualifier)));
        all
    }

    pub(crate) fn select_family(&mut self, family: &[u8]) {
        self.add_family(Bytes::copy_from_slice(family));
    }

    pub(crate) fn select_column(&mut self, family: &[u8], qualifier: &[u8]) {
        self.add(Bytes::copy_from_slice(family), Bytes::copy_from_slice(qualifier));
    }

    fn add_family(&mut self, family: Bytes) {
        match self.families.iter_mut().find(|c| c.family == family) {
            Some(columns) => columns.qualifiers.clear(),
            None => self.families.push(FamilyColumns { family, qualifiers: Vec::new() }),
        }
    }

    fn add(&mut self, family: Bytes, qualifier: Bytes) {
        match self.families.iter_mut().find(|c| c.family == family) {
            Some(columns) if columns.qualifiers.is_empty() => {}
            Some(columns) => columns.qualifiers.push(qualifier),
            None => self.families.push(FamilyColumns { family, qualifiers: vec![qualifier] }),
        }
    }

    /// Whether this column is read.
    pub(crate) fn contains(&self, family: &[u8], qualifier: &[u8]) -> bool {
        let read = |c: &FamilyColumns| {
            c.family == family
                && (c.qualifiers.is_empty() || c.qualifiers.iter().any(|q| q == qualifier))
        };
        self.families.is_empty() || self.families.iter().any(read)
    }

    /// What is wrong with the versions, families or time range, if anything.
    pub(crate) fn problem(&self) -> Option<String> {
        if self.versions == 0 {
            return Some("at least one version must be requested".into());
        }
        let of_families = self.families.iter().find_map(|read| problem_of_family(&read.family));
        if of_families.is_some() {
            return of_families;
        }
        let TimeRange { from: Some(from), to: Some(to) } = self.time_range? else { return None };
        (from > to).then(|| {
            let (from, to) = (from.as_millis(), to.as_millis());
            format!("a time range from {from} to {to} ms, which is before its start")
        })
    }
}

/// Whether a read of `families` reads any column of `family`. An empty list means all families.
pub(crate) fn has_family(families: &[FamilyColumns], family: &[u8]) -> bool {
    families.is_empty() || families.iter().any(|read| read.family == family)
}

/// Returns why `family` cannot be the name of a family on HBase or Bigtable: it has a colon. The
/// shell takes the family and the qualifier as one text, but this client takes them as two.
pub(crate) fn problem_of_family(family: &[u8]) -> Option<String> {
    let at = family.iter().position(|byte| *byte == b':')?;
    let (name, qualifier) = family.split_at(at);
    let (name, qualifier) = (name.escape_ascii(), qualifier.get(1..)?.escape_ascii());
    let whole = family.escape_ascii();
    Some(format!(
        "family \"{whole}\" has a colon, and no family can have one; give the family \"{name}\" and \
         the qualifier \"{qualifier}\" each by itself"
    ))
}

impl TimeRange {
    /// Converts a Rust range of timestamps.
    pub(crate) fn new(range: impl RangeBounds<Timestamp>) -> Self {
        let from = match range.start_bound() {
            Bound::Included(t) => Some(*t),
            Bound::Excluded(t) => Some(after(*t)),
            Bound::Unbounded => None,
        };
        let to = match range.end_bound() {
            Bound::Included(t) if *t == Timestamp::MAX => None,
            Bound::Included(t) => Some(after(*t)),
            Bound::Excluded(t) => Some(*t),
            Bound::Unbounded => None,
        };
        Self { from, to }
    }

    /// The range of only this timestamp.
    pub(crate) fn at(time: Timestamp) -> Self {
        Self::new(time..=time)
    }
}

fn after(time: Timestamp) -> Timestamp {
    Timestamp::from_millis(time.as_millis() + 1)
}
