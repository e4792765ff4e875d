//! The selection of the cells that a get or a scan reads: their columns, and a filter.

use super::filter::{Filter, ReadKind};
use crate::model::columns::CellSelection;

/// The methods of `Get` and `Scan` that select cells, for a type with the fields `columns` and
/// `filter`.
macro_rules! selection_methods {
    ($(#[$column:meta])* column; $(#[$filter:meta])* filter;) => {
        /// Also reads this family; if no family or column is requested, all families are read.
        pub fn family(mut self, family: impl AsRef<[u8]>) -> Self {
            self.columns.select_family(family.as_ref());
            self
        }

        $(#[$column])*
        pub fn column(mut self, family: impl AsRef<[u8]>, qualifier: impl AsRef<[u8]>) -> Self {
            self.columns.select_column(family.as_ref(), qualifier.as_ref());
            self
        }

        /// Reads up to `versions` versions of each cell, newest first; the default is 1. The server
        /// keeps no more versions than the family is configured to keep.
        ///
        /// ```
        /// # use tallrow::{Client, FamilyDescriptor, Get, Put, TableDescriptor, Timestamp};
        /// # #[tokio::main(flavor = "current_thread")]
        /// # async fn main() -> tallrow::Result<()> {
        /// # let client = Client::connect("mock:").await?;
        /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d").versions(3))).await?;
        /// # let table = client.raw_table("t")?;
        /// for time in [1, 2, 3, 4] {
        ///     table
        ///         .put(Put::new("r").cell_at("d", "q", Timestamp::from_millis(time), "v"))
        ///         .await?;
        /// }
        /// // The family keeps three.
        /// let row = table.get(Get::new("r").versions(10)).await?.unwrap();
        /// let times: Vec<_> =
        ///     row.versions("d", "q").map(|cell| cell.timestamp().as_millis()).collect();
        /// assert_eq!(times, [4, 3, 2]);
        /// # Ok(())
        /// # }
        /// ```
        pub fn versions(mut self, versions: u32) -> Self {
            self.columns.versions = versions;
            self
        }

        /// Reads only versions with timestamps in this range.
        ///
        /// ```
        /// # use tallrow::{Client, FamilyDescriptor, Get, Put, TableDescriptor, Timestamp};
        /// # #[tokio::main(flavor = "current_thread")]
        /// # async fn main() -> tallrow::Result<()> {
        /// # let client = Client::connect("mock:").await?;
        /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
        /// # let table = client.raw_table("t")?;
        /// let at = Timestamp::from_millis;
        /// table
        ///     .put(Put::new("r").cell_at("d", "a", at(10), "v").cell_at("d", "b", at(20), "v"))
        ///     .await?;
        /// let row = table.get(Get::new("r").time_range(at(10)..at(20))).await?.unwrap();
        /// assert_eq!(row.cells().len(), 1, "HBase's time ranges are without their end, too");
        /// let row = table.get(Get::new("r").time_range(at(10)..=at(20))).await?.unwrap();
        /// assert_eq!(row.cells().len(), 2);
        /// # Ok(())
        /// # }
        /// ```
        pub fn time_range(mut self, range: impl std::ops::RangeBounds<$crate::Timestamp>) -> Self {
            self.columns.time_range = Some($crate::model::columns::TimeRange::new(range));
            self
        }

        $(#[$filter])*
        pub fn filter(mut self, filter: impl Into<$crate::Filter>) -> Self {
            self.filter = Some(Box::new(match self.filter {
                Some(first) => first.and(filter),
                None => filter.into(),
            }));
            self
        }
    };
}
pub(crate) use selection_methods;

/// Returns what is wrong with a selection, if anything.
pub(crate) fn problem(
    columns: &CellSelection,
    filter: Option<&Filter>,
    used: ReadKind,
) -> Option<String> {
    columns.problem().or_else(|| filter.and_then(|filter| filter.problem(columns, used)))
}
