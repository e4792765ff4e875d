//! The steps of a scan that reports its progress: a row, or how far a server has looked without
//! finding one.

use bytes::Bytes;

use crate::Row;
use crate::request::scan::Scan;

/// What [`RowStream::next_step`](crate::scan::RowStream::next_step) returns: a row, or that there is none yet.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ScanStep {
    /// A row, or a part of one.
    Row(Row),
    /// A server has looked as far as this row key and has found nothing since the last step (`Result.getCursor`).
    Cursor(Bytes),
}

impl Scan {
    /// Asks servers how far they are when they have found nothing for a while (`setNeedCursorResult`).
    ///
    /// A server that finds no row answers with a heartbeat after half of the time of a call. A scan goes on after it in any
    /// case; with cursors, [`next_step`](crate::scan::RowStream::next_step) returns after it too, so that a program can show
    /// its progress or stop and continue [after](Self::after) that row later.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Filter, Put, Scan, TableDescriptor, scan::ScanStep};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// # for row in ["a", "b", "c", "z"] { table.put(Put::new(row).cell("d", "q", "v")).await?; }
    /// # let mock = client.mock_cluster().unwrap();
    /// mock.end_scan_calls_after(2); // as if each row took a server half of the time of a call
    /// let mut rows = table.scan(Scan::all().filter(Filter::prefix("y").or(Filter::prefix("z"))).cursors())?;
    /// let mut steps = Vec::new();
    /// while let Some(step) = rows.next_step().await? {
    ///     steps.push(match step {
    ///         ScanStep::Row(row) => row.key().to_vec(),
    ///         ScanStep::Cursor(row) => [b"at ", &row[..]].concat(),
    ///         _ => unreachable!(),
    ///     });
    /// }
    /// assert_eq!(steps, [&b"at b"[..], b"z"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn cursors(mut self) -> Self {
        self.cursors = true;
        self
    }
}
