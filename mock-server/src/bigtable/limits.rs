//! The limits of the service.

/// A row key: 4 KiB.
pub(super) const ROW_KEY_BYTES: usize = 4 << 10;

/// A column qualifier: 16 KiB.
pub(super) const QUALIFIER_BYTES: usize = 16 << 10;

/// The value of a cell: 100 MiB.
pub(super) const CELL_BYTES: usize = 100 << 20;

/// A row that is read: 256 MiB.
pub(super) const ROW_BYTES: usize = 256 << 20;

/// The mutations of one call.
pub(super) const MUTATIONS: usize = 100_000;

/// A filter: 20 KiB.
pub(super) const FILTER_BYTES: usize = 20 << 10;

/// How deep filters are nested.
pub(super) const FILTER_DEPTH: usize = 20;

/// A label.
pub(super) const LABEL_CHARS: usize = 15;

/// The rows and ranges of one call: 512 KiB.
pub(super) const ROW_SET_BYTES: usize = 512 << 10;

/// The families of a table.
pub(super) const FAMILIES: usize = 100;

/// The splits that a table is created with.
pub(super) const SPLITS: usize = 10_000;
