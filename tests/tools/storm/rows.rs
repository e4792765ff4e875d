//! The rows of a table: each of the prefixes has rows that never change, rows that are put, and a
//! counter.

/// How many prefixes there are, and how many rows of each never change.
pub(crate) const PREFIXES: usize = 16;
pub(crate) const FIXED: usize = 20;

/// A row that never changes.
pub(crate) fn fixed(prefix: usize, n: usize) -> String {
    format!("{prefix:02}-a-{n:02}")
}

/// The counter.
pub(crate) fn counter(prefix: usize) -> String {
    format!("{prefix:02}-c")
}

/// The `n`th row that is put, which has `n` as its value.
pub(crate) fn put(prefix: usize, n: usize) -> String {
    format!("{prefix:02}-p-{n:07}")
}

/// The first keys of all regions but one.
pub(crate) fn splits() -> impl Iterator<Item = String> {
    (2..PREFIXES).step_by(2).map(|prefix| format!("{prefix:02}"))
}
