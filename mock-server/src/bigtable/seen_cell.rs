//! A cell as a read shows it.

use super::timestamp;
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
        timestamp::micros(self.cell.timestamp())
    }
}
