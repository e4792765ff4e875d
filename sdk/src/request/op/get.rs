//! `Get`: reads one row, or the part of it that columns, versions, times and a filter select.

use std::sync::Arc;

use bytes::Bytes;

use crate::Timestamp;
use crate::model::columns::{CopyOnWriteCellSelection, TimeRange};
use crate::request::call_options::CallOptions;
use crate::request::filter::{Filter, ReadKind};
use crate::request::selection;
use crate::request::selection::selection_methods;

/// Reads one row: all of it, or some families and columns; the newest version of each cell, or
/// several versions.
///
/// ```
/// use tallrow::{Get, Timestamp};
///
/// let whole = Get::from("row1");
/// let some = Get::new("row1").family("d").column("c", "hits").versions(3);
/// let then = Get::new("row1").time_range(..Timestamp::from_millis(1_000));
/// assert_eq!(whole, Get::new("row1"));
/// # let _ = (some, then);
/// ```
///
/// | function | reads | by default |
/// |---|---|---|
/// | [`family`](Self::family), [`column`](Self::column) | these families and columns | all families |
/// | [`versions`](Self::versions) | how many versions of each cell, at most | 1 |
/// | [`time_range`](Self::time_range), [`at`](Self::at) | versions of these times | all times |
/// | [`filter`](Self::filter) | what a filter keeps | everything |
///
/// ```
/// use tallrow::{Client, FamilyDescriptor, Get, Put, TableDescriptor};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = Client::connect("mock:").await?;
/// let table = TableDescriptor::new("t")?
///     .family(FamilyDescriptor::new("d"))
///     .family(FamilyDescriptor::new("c"));
/// client.admin().create_table(&table).await?;
/// let table = client.raw_table("t")?;
/// table.put(Put::new("r").cell("d", "x", "1").cell("d", "y", "2").cell("c", "hits", "3")).await?;
///
/// let cells =
///     async |get: Get| table.get(get).await.map(|row| row.map_or(0, |row| row.cells().len()));
/// assert_eq!(cells(Get::new("r")).await?, 3);
/// assert_eq!(cells(Get::new("r").family("d")).await?, 2);
/// assert_eq!(cells(Get::new("r").family("d").column("c", "hits")).await?, 3);
/// assert_eq!(cells(Get::new("r").column("d", "x")).await?, 1);
/// assert_eq!(cells(Get::new("r").column("d", "z")).await?, 0, "the row is not found then");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[must_use = "an operation does nothing until it is given to a table"]
pub struct Get {
    pub(crate) row: Bytes,
    pub(crate) columns: CopyOnWriteCellSelection,
    /// On the heap, so that operations without a filter are small: they are moved several times.
    pub(crate) filter: Option<Box<Filter>>,
    pub(crate) options: Option<Arc<CallOptions>>,
}

impl Get {
    /// Makes a get that reads all of this row.
    ///
    /// See [`Get`] for an example of this and the other functions.
    pub fn new(row: impl AsRef<[u8]>) -> Self {
        let row = Bytes::copy_from_slice(row.as_ref());
        Self { row, columns: CopyOnWriteCellSelection::default(), filter: None, options: None }
    }

    pub(crate) fn with_columns(
        row: impl AsRef<[u8]>,
        columns: impl Into<CopyOnWriteCellSelection>,
    ) -> Self {
        Self { columns: columns.into(), ..Self::new(row) }
    }

    selection_methods! {
        /// Also reads this column.
        column;

        /// Reads only the cells that this filter keeps; if a filter is set already, only the cells
        /// that both filters keep.
        ///
        /// ```
        /// # use tallrow::{Filter, Get};
        /// let second_page =
        ///     Get::new("wide").family("d").filter(Filter::column_pagination(100, 100));
        /// assert_ne!(second_page, Get::new("wide").family("d"));
        /// ```
        filter;
    }

    /// Reads only the version of each cell with exactly this timestamp.
    pub fn at(mut self, timestamp: Timestamp) -> Self {
        self.columns.time_range = Some(TimeRange::at(timestamp));
        self
    }

    /// Returns what is wrong with the get apart from its row key, if anything.
    pub(crate) fn problem(&self) -> Option<String> {
        selection::problem(&self.columns, self.filter.as_deref(), ReadKind::Get)
    }
}

impl<R: AsRef<[u8]>> From<R> for Get {
    fn from(row: R) -> Self {
        Self::new(row)
    }
}
