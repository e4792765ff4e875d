//! The methods of `Scan` that divide rows into parts, or limit the cells of each family.

use super::{RowParts, Scan};

impl Scan {
    /// Returns only the first `cells` cells of each family of a row
    /// (`setMaxResultsPerColumnFamily`).
    ///
    /// Cells are counted after the number of versions and the filter have been applied. The other
    /// cells of the family are not sent.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Put, Scan, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// let put = ["a", "b", "c", "d"].iter().fold(Put::new("r"), |put, q| put.cell("d", q, "v"));
    /// table.put(put).await?;
    /// let second_and_third = Scan::all().cell_offset(1).cells_per_family(2);
    /// let row = table.scan(second_and_third)?.next_row().await?.unwrap();
    /// let columns: Vec<_> = row.cells().iter().map(|cell| cell.qualifier()).collect();
    /// assert_eq!(columns, [b"b", b"c"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn cells_per_family(mut self, cells: u32) -> Self {
        self.cells_per_family = Some(cells);
        self
    }

    /// Leaves out the first `cells` cells of each family of a row (`setRowOffsetPerColumnFamily`).
    /// A row that has no further cells is not returned.
    ///
    /// See [`cells_per_family`](Self::cells_per_family) for an example.
    pub fn cell_offset(mut self, cells: u32) -> Self {
        self.cell_offset = cells;
        self
    }

    /// Returns rows in parts of `cells` cells, so that a row may be larger than memory
    /// (`setBatch`).
    ///
    /// Each part is a [`Row`](crate::Row) with the key of its row;
    /// [`is_partial`](crate::Row::is_partial) returns whether more cells of the row may follow. A
    /// [`limit`](Self::limit) still counts whole rows.
    ///
    /// If the scanner is lost within a row, the scan continues after the last cell. If the region
    /// was split or its data changed meanwhile, the parts of this row may show the row at different
    /// points in time. This option is an error with a filter that decides about whole rows, because
    /// such a filter needs the whole row.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Put, Scan, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// let put = (0..5).fold(Put::new("r"), |put, q| put.cell("d", q.to_string(), "v"));
    /// table.put(put).await?;
    /// let mut parts = table.scan(Scan::all().batch(2))?;
    /// let mut found = Vec::new();
    /// while let Some(part) = parts.next_row().await? {
    ///     found.push((part.cells().len(), part.is_partial()));
    /// }
    /// assert_eq!(found, [(2, true), (2, true), (1, false)]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn batch(mut self, cells: u32) -> Self {
        self.parts = RowParts::Batch(cells as usize);
        self
    }

    /// Returns rows in the parts in which servers send them, as soon as they arrive
    /// (`setAllowPartialResults`).
    ///
    /// A server divides a row that is larger than a [page](Self::bytes_per_call). A filter that
    /// decides about whole rows is allowed: the rows that it keeps are then returned whole. In all
    /// other respects this option is like [`batch`](Self::batch).
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Put, Scan, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// let put = (0..100).fold(Put::new("r"), |put, q| put.cell("d", q.to_string(), [7; 100]));
    /// table.put(put).await?;
    /// let mut parts = table.scan(Scan::all().partial_rows().bytes_per_call(2_000))?;
    /// let mut cells = Vec::new();
    /// while let Some(part) = parts.next_row().await? {
    ///     cells.push(part.cells().len());
    /// }
    /// assert!(cells.len() > 1 && cells.iter().sum::<usize>() == 100);
    /// # Ok(())
    /// # }
    /// ```
    pub fn partial_rows(mut self) -> Self {
        self.parts = RowParts::AsSent;
        self
    }

    /// Returns what is wrong with the options for parts of rows and for cells per family, if
    /// anything.
    pub(super) fn parts_problem(&self) -> Option<String> {
        let zero = |what: &str| Some(format!("{what} of 0 cells; it needs at least one"));
        match (self.parts, self.cells_per_family) {
            (RowParts::Batch(0), _) => zero("parts of rows"),
            (_, Some(0)) => zero("a limit for each family"),
            _ => None,
        }
    }
}
