//! `Append`: bytes that are added to the ends of values in one row.

use std::time::Duration;

use super::cells::SingleMutation;
use crate::model::cell::CellType;

/// Appends bytes to values of one row, all of them or none, and returns the new values.
///
/// An absent cell is treated as empty, and bytes that are appended to the same cell several times
/// are joined in the order of the calls. An append is applied once, however often it has to be
/// sent: it has a nonce, by which the servers recognize it.
///
/// ```
/// use tallrow::Append;
///
/// let append = Append::new("log1").add("d", "lines", "started\n");
/// assert_eq!(append.row(), b"log1");
/// ```
#[derive(Clone, PartialEq)]
#[must_use = "an operation does nothing until it is given to a table"]
pub struct Append {
    pub(crate) cells: SingleMutation,
}

impl Append {
    /// Makes an append on this row, without cells yet.
    ///
    /// See [`Append`] for an example of this and the other functions.
    pub fn new(row: impl AsRef<[u8]>) -> Self {
        Self { cells: SingleMutation::new(row) }
    }

    /// Appends these bytes to this cell.
    pub fn add(
        mut self,
        family: impl AsRef<[u8]>,
        qualifier: impl AsRef<[u8]>,
        value: impl AsRef<[u8]>,
    ) -> Self {
        self.cells.push(family, qualifier, None, CellType::Put, value.as_ref());
        self
    }

    /// Makes the new values expire when `ttl` has passed since their timestamps, or earlier if the
    /// family's time to live is shorter. Without a `ttl`, the new values have the time to live of
    /// the cells that they replace.
    ///
    /// ```
    /// # use tallrow::Append;
    /// let short = Append::new("r").add("d", "q", "x").ttl(std::time::Duration::from_secs(60));
    /// assert_ne!(short, Append::new("r").add("d", "q", "x"));
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
