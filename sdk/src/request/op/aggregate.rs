//! `AddToCells` and `MergeToCells`: changes of the cells of aggregate families.

use super::cells::SingleMutation;
use crate::Timestamp;
use crate::model::cell::CellType;

/// Adds numbers to cells of aggregate families in one row, all of them or none.
///
/// What a cell contains afterwards depends on the [`Aggregate`](crate::admin::Aggregate) of its
/// family: the sum of all numbers that were added, the smallest, the largest, or a sketch of how
/// many different numbers there were. Unlike an [`Increment`](crate::Increment), an addition does
/// not return the new values, so Bigtable's service need not read the cells.
///
/// An addition is applied once: it has a token, by which the service recognizes it when it is sent
/// again. The service keeps tokens for about 15 minutes. If an attempt was not answered and 14
/// minutes have passed since the first attempt, the addition is not sent again, and its outcome is
/// [unknown](crate::ErrorKind::OutcomeUnknown).
///
/// HBase has no aggregate families. There, the additions are an increment: the cells become sums,
/// whatever the family. Bigtable refuses additions to families that are not aggregates.
///
/// ```
/// use tallrow::{Client, FamilyDescriptor, TableDescriptor, admin::Aggregate, op::AddToCells};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = Client::connect("mock:").await?;
/// let counters = FamilyDescriptor::new("c").aggregate(Aggregate::Sum);
/// client.admin().create_table(&TableDescriptor::new("pages")?.family(counters)).await?;
/// let pages = client.raw_table("pages")?;
///
/// pages.add_to_cells(AddToCells::new("page1").add("c", "hits", 1).add("c", "bytes", 4_096)).await?;
/// pages.add_to_cells(AddToCells::new("page1").add("c", "hits", 1)).await?;
/// assert_eq!(pages.get("page1").await?.unwrap().counter("c", "hits")?, Some(2));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq)]
#[must_use = "an operation does nothing until it is given to a table"]
pub struct AddToCells {
    pub(crate) cells: SingleMutation,
}

impl AddToCells {
    /// Makes an addition to cells of this row, without cells yet.
    ///
    /// See [`AddToCells`] for an example of this and the other functions.
    pub fn new(row: impl AsRef<[u8]>) -> Self {
        Self { cells: SingleMutation::new(row) }
    }

    /// Adds `by` to the column. All additions without a timestamp change the same cell, which has
    /// the timestamp 0.
    pub fn add(mut self, family: impl AsRef<[u8]>, qualifier: impl AsRef<[u8]>, by: i64) -> Self {
        self.cells.push(family, qualifier, None, CellType::Put, &by.to_be_bytes());
        self
    }

    /// Adds `by` to the cell of the column with this timestamp, so that a column can have, for
    /// example, a sum for each hour. Only Bigtable supports this.
    ///
    /// ```
    /// use tallrow::{Timestamp, op::AddToCells};
    ///
    /// let hour = Timestamp::from_millis(1_700_000_000_000 / 3_600_000 * 3_600_000);
    /// let hits = AddToCells::new("page1").add_at("c", "hits", hour, 1);
    /// assert_ne!(hits, AddToCells::new("page1").add("c", "hits", 1));
    /// ```
    pub fn add_at(
        mut self,
        family: impl AsRef<[u8]>,
        qualifier: impl AsRef<[u8]>,
        timestamp: Timestamp,
        by: i64,
    ) -> Self {
        self.cells.push(family, qualifier, Some(timestamp), CellType::Put, &by.to_be_bytes());
        self
    }

    /// The row key.
    pub fn row(&self) -> &[u8] {
        &self.cells.row
    }
}

/// Merges states of other aggregates into cells of aggregate families in one row, all of them or
/// none.
///
/// A state is what a read of such a cell returns: a big-endian number of 8 bytes for a sum, a
/// minimum or a maximum; and a sketch, in a format of Google's, for the number of different values.
/// A merge is applied once, like an [addition](AddToCells). Only Bigtable supports merges.
///
/// ```
/// use tallrow::op::MergeToCells;
///
/// let yesterday = 4_711_i64.to_be_bytes();
/// let merge = MergeToCells::new("page1").merge("c", "hits", yesterday);
/// assert_eq!(merge.row(), b"page1");
/// ```
#[derive(Clone, PartialEq)]
#[must_use = "an operation does nothing until it is given to a table"]
pub struct MergeToCells {
    pub(crate) cells: SingleMutation,
}

impl MergeToCells {
    /// Makes a merge into cells of this row, without cells yet.
    ///
    /// See [`MergeToCells`] for an example of this and the other functions.
    pub fn new(row: impl AsRef<[u8]>) -> Self {
        Self { cells: SingleMutation::new(row) }
    }

    /// Merges a state into the cell of the column that [`AddToCells::add`] adds to.
    pub fn merge(
        mut self,
        family: impl AsRef<[u8]>,
        qualifier: impl AsRef<[u8]>,
        state: impl AsRef<[u8]>,
    ) -> Self {
        self.cells.push(family, qualifier, None, CellType::Put, state.as_ref());
        self
    }

    /// Merges a state into the cell of the column with this timestamp.
    ///
    /// ```
    /// use tallrow::{Timestamp, op::MergeToCells};
    ///
    /// let at = Timestamp::from_millis(5);
    /// let merge = MergeToCells::new("page1").merge_at("c", "hits", at, 7_i64.to_be_bytes());
    /// assert_eq!(merge.row(), b"page1");
    /// ```
    pub fn merge_at(
        mut self,
        family: impl AsRef<[u8]>,
        qualifier: impl AsRef<[u8]>,
        timestamp: Timestamp,
        state: impl AsRef<[u8]>,
    ) -> Self {
        self.cells.push(family, qualifier, Some(timestamp), CellType::Put, state.as_ref());
        self
    }

    /// The row key.
    pub fn row(&self) -> &[u8] {
        &self.cells.row
    }
}
