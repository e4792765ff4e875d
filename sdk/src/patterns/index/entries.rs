//! The rows of an index's table: entries, and the intents of changes that add or remove entries.
//!
//! | family | qualifier | value |
//! |---|---|---|
//! | `e` | the change that wrote the entry | the length of the row key in 2 bytes, the row key, the covered cells |
//! | `i` | the change that wrote the entry, the change that adds or removes it | the change that the marker of the row must contain for that, or 16 zeros for no marker; the row key |

use std::marker::PhantomData;

use bytes::Bytes;

use super::change_id::ChangeId;
use crate::key::RowKey;
use crate::table::{Table, private::ColumnName};
use crate::{Delete, Error, ErrorKind, FamilyDescriptor, Put, Result, Row};

pub(super) const ENTRIES_FAMILY: &str = "e";
pub(super) const INTENTS_FAMILY: &str = "i";

/// An entry of an index, which leads to the row with the key `row`. The entry is right if the
/// marker of that row lists it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) id: ChangeId,
    pub(super) row: Bytes,
    pub(super) covered: Bytes,
}

/// The intent of a change to add an entry to an index, or to remove an entry.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Intent {
    pub(super) entry_written_by: ChangeId,
    /// The change whose intent this is.
    pub(super) change: ChangeId,
    /// The change that the marker of the row must contain for `change` to be made; `None` if the
    /// row must have no marker.
    pub(super) required_marker_change: Option<ChangeId>,
    pub(super) row: Bytes,
}

impl Entry {
    pub(super) fn add_to_put(&self, put: Put) -> Put {
        put.cell_at(ENTRIES_FAMILY, self.id.bytes(), self.id.time(), self.value())
    }

    pub(super) fn value(&self) -> Vec<u8> {
        // A row key is at most 32,767 bytes.
        let len = u16::try_from(self.row.len()).unwrap_or(u16::MAX);
        [&len.to_be_bytes()[..], &self.row, &self.covered].concat()
    }

    fn decode(qualifier: &[u8], value: &[u8]) -> Option<Self> {
        let (id, []) = ChangeId::split(qualifier)? else { return None };
        let (len, rest) = value.split_first_chunk()?;
        let (row, covered) = rest.split_at_checked(usize::from(u16::from_be_bytes(*len)))?;
        let (row, covered) = (Bytes::copy_from_slice(row), Bytes::copy_from_slice(covered));
        Some(Self { id, row, covered })
    }
}

/// Adds to `delete` the deletion of the entry that the change `id` wrote.
pub(super) fn add_entry_to_delete(delete: Delete, id: ChangeId) -> Delete {
    delete.column_until(ENTRIES_FAMILY, id.bytes(), id.time())
}

impl Intent {
    pub(super) fn add_to_put(&self, put: Put) -> Put {
        let required = self.required_marker_change;
        let required = required.map_or([0; ChangeId::LEN], |change| *change.bytes());
        let value = [&required[..], &self.row].concat();
        put.cell_at(INTENTS_FAMILY, self.qualifier(), self.change.time(), value)
    }

    pub(super) fn add_to_delete(&self, delete: Delete) -> Delete {
        delete.column_until(INTENTS_FAMILY, self.qualifier(), self.change.time())
    }

    fn qualifier(&self) -> Vec<u8> {
        [&self.entry_written_by.bytes()[..], self.change.bytes()].concat()
    }

    fn decode(qualifier: &[u8], value: &[u8]) -> Option<Self> {
        let (entry_written_by, change) = ChangeId::split(qualifier)?;
        let (change, []) = ChangeId::split(change)? else { return None };
        let (required, row) = ChangeId::split(value)?;
        let required_marker_change = (required.bytes() != &[0; ChangeId::LEN]).then_some(required);
        let row = Bytes::copy_from_slice(row);
        Some(Self { entry_written_by, change, required_marker_change, row })
    }
}

/// A row of an index's table. `K` is the type of the index keys.
#[derive(Clone, Debug)]
pub(super) struct IndexRow<K> {
    pub(super) key: Bytes,
    pub(super) entries: Vec<Entry>,
    pub(super) intents: Vec<Intent>,
    of: PhantomData<fn() -> K>,
}

impl<K> IndexRow<K> {
    /// Returns whether a change that adds or removes this entry was begun and is not known to be
    /// done. The entry is given by the change that wrote it.
    pub(super) fn is_in_doubt(&self, entry_written_by: ChangeId) -> bool {
        self.intents.iter().any(|intent| intent.entry_written_by == entry_written_by)
    }

    pub(super) fn decode(row: &Row) -> Result<Self> {
        let key = row.copy_key();
        let (mut entries, mut intents) = (Vec::new(), Vec::new());
        for cell in row.cells() {
            let (qualifier, value) = (cell.qualifier(), cell.value());
            let decoded = if cell.family() == ENTRIES_FAMILY.as_bytes() {
                Entry::decode(qualifier, value).map(|entry| entries.push(entry))
            } else {
                Intent::decode(qualifier, value).map(|intent| intents.push(intent))
            };
            decoded.ok_or_else(|| {
                let text = format!("{cell:?} is not an entry of an index");
                Error::new(ErrorKind::Decode, text).on_row(&key)
            })?;
        }
        Ok(Self { key, entries, intents, of: PhantomData })
    }
}

impl<K: RowKey> Table for IndexRow<K> {
    type Key = K;

    /// Not used: each index has its own table.
    const TABLE: &'static str = "index";
    const COLUMNS: &'static [ColumnName] = &[];
    const RANGES: &'static [ColumnName] = &[(ENTRIES_FAMILY, b""), (INTENTS_FAMILY, b"")];

    fn families() -> Vec<FamilyDescriptor> {
        vec![FamilyDescriptor::new(ENTRIES_FAMILY), FamilyDescriptor::new(INTENTS_FAMILY)]
    }

    fn from_row(row: &Row) -> Result<Self> {
        Self::decode(row)
    }
}
