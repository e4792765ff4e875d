//! The limits of the service, and checks of some of them.

use super::status::{StatusResult, invalid};

/// The maximum size of a row key: 4 KiB.
pub(super) const ROW_KEY_BYTES: usize = 4 << 10;

/// The maximum size of a column qualifier: 16 KiB.
pub(super) const QUALIFIER_BYTES: usize = 16 << 10;

/// The maximum size of the value of a cell: 100 MiB.
pub(super) const VALUE_BYTES: usize = 100 << 20;

/// The maximum size of a row that is read: 256 MiB.
pub(super) const ROW_BYTES: usize = 256 << 20;

/// The maximum number of mutations of one call.
pub(super) const MUTATIONS: usize = 100_000;

/// The maximum size of a filter: 20 KiB.
pub(super) const FILTER_BYTES: usize = 20 << 10;

/// The maximum depth of nested filters.
pub(super) const FILTER_DEPTH: usize = 20;

/// The maximum number of characters of a label.
pub(super) const LABEL_CHARS: usize = 15;

/// The maximum size of the request of a ReadRows: 512 KiB.
pub(super) const READ_REQUEST_BYTES: usize = 512 << 10;

/// The maximum number of families of a table.
pub(super) const FAMILIES: usize = 100;

/// The maximum number of split keys that a table is created with.
pub(super) const SPLIT_KEYS: usize = 10_000;

/// The maximum length of the id of a backup.
pub(super) const BACKUP_ID_CHARS: usize = 50;

/// The maximum length of the id of an authorized view.
pub(super) const VIEW_ID_CHARS: usize = 50;

/// The maximum length of the id of a schema bundle.
pub(super) const BUNDLE_ID_CHARS: usize = 50;

/// The maximum size of the definitions of a schema bundle: 4 MiB.
pub(super) const DESCRIPTORS_BYTES: usize = 4 << 20;

/// A day in ms.
pub(super) const DAY_MS: u64 = 24 * 60 * 60 * 1_000;

/// How long a backup is kept at least: 6 hours.
pub(super) const BACKUP_SHORTEST_MS: u64 = DAY_MS / 4;

/// How long a backup is kept at most.
pub(super) const BACKUP_LONGEST_MS: u64 = 90 * DAY_MS;

/// How long a copy of a backup is kept at most.
pub(super) const BACKUP_COPY_LONGEST_MS: u64 = 30 * DAY_MS;

/// The latest time of a message: the last second of the year 9999.
pub(super) const LATEST_SECONDS: u64 = 253_402_300_799;

/// Rejects a row key that no row may have.
pub(super) fn check_row_key(row: &[u8]) -> StatusResult<()> {
    match row.is_empty() {
        true => Err(invalid("Row keys must be non-empty")),
        false => check_size("Row key", row, ROW_KEY_BYTES),
    }
}

/// Rejects a qualifier that no column may have.
pub(super) fn check_qualifier(qualifier: &[u8]) -> StatusResult<()> {
    check_size("Column qualifier", qualifier, QUALIFIER_BYTES)
}

/// Rejects a value that no cell may have.
pub(super) fn check_value(value: &[u8]) -> StatusResult<()> {
    check_size("Cell value", value, VALUE_BYTES)
}

/// Rejects definitions that no schema bundle may have.
pub(super) fn check_descriptors(descriptors: &[u8]) -> StatusResult<()> {
    match descriptors.is_empty() {
        true => Err(invalid("The proto_descriptors of a schema bundle must be non-empty")),
        false => check_size("Schema bundle", descriptors, DESCRIPTORS_BYTES),
    }
}

fn check_size(what: &str, bytes: &[u8], limit: usize) -> StatusResult<()> {
    match bytes.len() {
        size if size > limit => {
            Err(invalid(format!("{what} size {size} exceeds the limit of {limit} bytes")))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_at_most_100_mib() {
        let value = vec![0; VALUE_BYTES + 1];
        assert!(check_value(&value[1..]).is_ok());
        let status = check_value(&value).unwrap_err();
        assert_eq!(
            status.message,
            "Cell value size 104857601 exceeds the limit of 104857600 bytes"
        );
    }
}
