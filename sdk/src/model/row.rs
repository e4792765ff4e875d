//! One row as a read returns it: its cells, in HBase's order.

use std::fmt;

use bytes::Bytes;

use super::cell::Cell;
use crate::{Error, ErrorKind, Result};

/// The cells of one row that a read found; at least one.
///
/// The cells are in HBase's order: by family, then by qualifier, then the newest version first.
/// Cells share the bytes of the response that contained them and keep all these bytes in memory; a
/// program that keeps a few cells of many rows for a long time should copy them.
///
/// ```
/// # use tallrow::{Admin, Client, FamilyDescriptor, Put, TableDescriptor};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// # let client = Client::connect("mock:").await?;
/// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
/// let table = client.raw_table("t")?;
/// table.put(Put::new("r").cell("d", "name", "Ada").cell("d", "n", 7i64.to_be_bytes())).await?;
/// let row = table.get("r").await?.unwrap();
/// assert_eq!(row.key(), b"r");
/// assert_eq!(row.value("d", "name"), Some(&b"Ada"[..]));
/// assert_eq!(row.value("d", "age"), None);
/// assert_eq!(row.counter("d", "n")?, Some(7));
/// assert_eq!(row.cells().len(), 2);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq)]
pub struct Row {
    cells: Vec<Cell>,
    stale: bool,
    partial: bool,
}

impl Row {
    /// Creates a row of these cells; `None` if there are no cells.
    pub(crate) fn new(cells: Vec<Cell>, stale: bool) -> Option<Self> {
        (!cells.is_empty()).then_some(Self { cells, stale, partial: false })
    }

    /// Sets whether more cells may follow in another part of the row.
    pub(crate) fn with_partial(self, partial: bool) -> Self {
        Self { partial, ..self }
    }

    /// The row key.
    ///
    /// See [`Row`] for an example of this and the other functions.
    pub fn key(&self) -> &[u8] {
        self.cells.first().map(Cell::row).unwrap_or_default()
    }

    /// The row key, copied.
    pub(crate) fn copy_key(&self) -> Bytes {
        Bytes::copy_from_slice(self.key())
    }

    /// All cells.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Returns the newest version of a column.
    pub fn cell(&self, family: impl AsRef<[u8]>, qualifier: impl AsRef<[u8]>) -> Option<&Cell> {
        let (family, qualifier) = (family.as_ref(), qualifier.as_ref());
        self.cells.iter().find(|c| c.family() == family && c.qualifier() == qualifier)
    }

    /// Returns the newest value of a column.
    pub fn value(&self, family: impl AsRef<[u8]>, qualifier: impl AsRef<[u8]>) -> Option<&[u8]> {
        self.cell(family, qualifier).map(Cell::value)
    }

    /// Returns all versions of a column that were read, the newest first.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Get, Put, TableDescriptor, Timestamp};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # let family = FamilyDescriptor::new("d").versions(3);
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(family)).await?;
    /// # let table = client.raw_table("t")?;
    /// for (time, name) in [(1, "Ada King"), (2, "Ada Lovelace")] {
    ///     table
    ///         .put(Put::new("r").cell_at("d", "name", Timestamp::from_millis(time), name))
    ///         .await?;
    /// }
    /// let row = table.get(Get::new("r").versions(3)).await?.unwrap();
    /// let names: Vec<_> = row.versions("d", "name").map(|cell| cell.value()).collect();
    /// assert_eq!(names, [&b"Ada Lovelace"[..], b"Ada King"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn versions(
        &self,
        family: impl AsRef<[u8]>,
        qualifier: impl AsRef<[u8]>,
    ) -> impl Iterator<Item = &Cell> {
        self.cells
            .iter()
            .filter(move |c| c.family() == family.as_ref() && c.qualifier() == qualifier.as_ref())
    }

    /// Returns the value of the counter in a column; `None` if the row has no such cell.
    ///
    /// # Errors
    /// [`NotACounter`](ErrorKind::NotACounter) if the cell is not 8 bytes wide.
    pub fn counter(
        &self,
        family: impl AsRef<[u8]>,
        qualifier: impl AsRef<[u8]>,
    ) -> Result<Option<i64>> {
        let Some(cell) = self.cell(family, qualifier) else { return Ok(None) };
        let bytes = cell.value().try_into().map_err(|_| {
            let found = format!("{cell:?} is not a counter, which is 8 bytes wide");
            Error::new(ErrorKind::NotACounter, found).with_operation_if_unset("read counter")
        })?;
        Ok(Some(i64::from_be_bytes(bytes)))
    }

    /// Whether these cells are only a part of the row, and more cells of the row may follow
    /// (`Result.mayHaveMoreCellsInRow`). Only a scan with [`batch`](crate::Scan::batch) or
    /// [`partial_rows`](crate::Scan::partial_rows) returns such parts.
    pub fn is_partial(&self) -> bool {
        self.partial
    }

    /// Whether the row was read from a replica that may lag behind.
    pub fn is_stale(&self) -> bool {
        self.stale
    }
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.cells).finish()
    }
}
