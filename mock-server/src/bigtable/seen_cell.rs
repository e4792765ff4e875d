//! A cell as a read shows it.

use crate::cell::StoredCell;

/// A stored cell, and what filters made of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeenCell<'a> {
    cell: &'a StoredCell,
    pub(super) stripped: bool,
    pub(super) label: Option<&'a str>,
}

impl<'a> SeenCell<'a> {
    /// A cell as it is stored.
    pub(super) fn of(cell: &'a StoredCell) -> Self {
        Self { cell, stripped: false, label: None }
    }

    /// Its family.
    pub(super) fn family(&self) -> &'a [u8] {
        self.cell.family()
    }

    /// Its qualifier.
    pub(super) fn qualifier(&self) -> &'a [u8] {
        self.cell.qualifier()
    }

    /// Its value, empty if it was stripped.
    pub(super) fn value(&self) -> &'a [u8] {
        if self.stripped { &[] } else { self.cell.value() }
    }

    /// Its timestamp.
    pub(super) fn micros(&self) -> i64 {
        micros(self.cell.timestamp())
    }
}

/// A timestamp in microseconds, given in HBase's milliseconds.
pub(super) fn micros(millis: u64) -> i64 {
    i64::try_from(millis.saturating_mul(1000)).unwrap_or(i64::MAX / 1000 * 1000)
}
