use tallrow::sizes::CellSize;
use tallrow::{Client, Result, Scan};

/// The cost of a design.
#[derive(Debug, Default)]
pub(crate) struct Cost {
    pub(crate) rows: usize,
    pub(crate) cells: usize,
    /// The bytes of the cells as HBase stores them, before compression.
    pub(crate) bytes: usize,
    /// The gets and scans that read the order.
    pub(crate) reads: usize,
}

impl Cost {
    /// Returns the cost of the rows in these tables.
    pub(crate) async fn of(client: &Client, tables: &[&str], reads: usize) -> Result<Self> {
        let mut cost = Self { reads, ..Self::default() };
        for table in tables {
            let mut rows = client.raw_table(*table)?.scan(Scan::all())?;
            while let Some(row) = rows.next_row().await? {
                cost.rows += 1;
                cost.cells += row.cells().len();
                cost.bytes +=
                    row.cells().iter().map(|cell| CellSize::of(cell).total()).sum::<usize>();
            }
        }
        Ok(cost)
    }
}
