//! The method of `RawTable` that reads the first row of each of many scans.

use super::RawTable;
use crate::Result;
use crate::reading::{FirstRow, FirstRows};
use crate::request::scan::{Extent, Scan};

impl RawTable {
    /// Returns the first row of each of many scans, in the order of the scans: for example the
    /// newest event of each of many users, if the newest event has the smallest key.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Put, Scan, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// for row in ["ada|3", "ada|5", "eve|1"] {
    ///     table.put(Put::new(row).cell("d", "q", "v")).await?;
    /// }
    /// let scans = ["eve|", "bob|", "ada|"].map(Scan::prefix);
    /// let found: Vec<_> = table.first_of_each(scans).concurrency(8).try_collect().await?;
    /// let keys: Vec<_> = found.iter().map(|row| row.as_ref().map(|row| row.key())).collect();
    /// assert_eq!(keys, [Some(&b"eve|1"[..]), None, Some(&b"ada|3"[..])]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// No store has a request for this, so each scan takes a call of its own, which returns one
    /// row; the server closes its scanner at once. Scans are taken from the iterator as earlier
    /// scans end, and at most [`concurrency`](FirstRows::concurrency) scans and their rows are in
    /// memory, so any number of scans can be given.
    ///
    /// # Errors
    /// Each scan has its own result, which may be an error of [`scan`](RawTable::scan).
    pub fn first_of_each<'s, I>(&self, scans: I) -> FirstRows<'s>
    where
        I: IntoIterator<Item = Scan, IntoIter: Send + 's>,
    {
        let (table, mut scans) = (self.clone(), scans.into_iter());
        FirstRows::new(move || {
            let scan = scans.next()?;
            let extent = table.extent(&scan);
            Some(first_row(Ok((table.clone(), extent, scan))))
        })
    }
}

/// Reads the first row of a scan. Fails with the error in `parts`, if there is one.
pub(crate) fn first_row(parts: Result<(RawTable, Extent, Scan)>) -> FirstRow {
    Box::pin(async move {
        let (table, extent, scan) = parts?;
        let limit = scan.limit.unwrap_or(1).min(1);
        table.rows_of(&extent, scan.limit(limit))?.next_row().await
    })
}
