//! `Increment`: adds to counters in one row.

use std::time::Duration;

use super::cells::SingleMutation;
use crate::model::cell::CellType;

/// Adds to counters of one row, all of them or none, and returns their new values.
///
/// A counter is a cell of 8 bytes, a signed big-endian number; an absent counter is treated as 0,
/// and the sum wraps around. Several additions to the same counter are added up. An increment is
/// applied once, however often it has to be sent: it has a nonce, by which the servers recognize
/// it.
///
/// ```
/// use tallrow::Increment;
///
/// let increment = Increment::new("page1").add("c", "hits", 1).add("c", "bytes", 4_096);
/// assert_eq!(increment.row(), b"page1");
/// ```
#[derive(Clone, PartialEq)]
#[must_use = "an operation does nothing until it is given to a table"]
pub struct Increment {
    pub(crate) cells: SingleMutation,
}

impl Increment {
    /// Makes an increment on this row, without counters yet.
    ///
    /// See [`Increment`] for an example of this and the other functions.
    pub fn new(row: impl AsRef<[u8]>) -> Self {
        Self { cells: SingleMutation::new(row) }
    }

    /// Adds `by`, which may be negative, to this counter.
    pub fn add(mut self, family: impl AsRef<[u8]>, qualifier: impl AsRef<[u8]>, by: i64) -> Self {
        self.cells.push(family, qualifier, None, CellType::Put, &by.to_be_bytes());
        self
    }

    /// Makes the new values expire when `ttl` has passed since their timestamps, or earlier if the
    /// family's time to live is shorter. Without a `ttl`, the new values have the time to live of
    /// the cells that they replace.
    ///
    /// ```
    /// # use tallrow::Increment;
    /// let short = Increment::new("r").add("d", "q", 1).ttl(std::time::Duration::from_secs(60));
    /// assert_ne!(short, Increment::new("r").add("d", "q", 1));
    /// ```
    pub fn ttl(mut self, ttl: Duration) -> Self {
        self.cells.ttl = Some(ttl);
        self
    }

    /// The row key.
    pub fn row(&self) -> &[u8] {
        &self.cells.row
    }
}
