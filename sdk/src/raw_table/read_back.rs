//! Reads a row to find out whether a change was made whose reply was lost.

use super::RawTable;
use crate::request::op::{Get, ReadBack, RowOperation, Traces};
use crate::{Error, Result, Scan, Timestamp};

const NAME: &str = "read back";

impl RawTable {
    /// Finds out whether a change was made whose outcome is
    /// [`OutcomeUnknown`](crate::ErrorKind::OutcomeUnknown): looks for what it would have written,
    /// of the time `began` or later.
    ///
    /// It takes the operation as it was sent, and a time before that, by the clock of the servers:
    /// take off by how much the clocks may differ. It reads the families of the change in that row,
    /// all versions and delete markers, from that time on, and compares: all cells that a server
    /// writes in one step have one time.
    ///
    /// | what the row shows | the result |
    /// |---|---|
    /// | all cells and markers of the change, of one time | [`Applied`](crate::op::Found::Applied) |
    /// | nothing was written to its columns | [`NotApplied`](crate::op::Found::NotApplied) |
    /// | its columns were written, and not like this | [`CannotTell`](crate::op::Found::CannotTell) |
    /// | a counter was added to: by this increment, or by others | `CannotTell`; the cells are in the result |
    /// | nothing that a delete would have deleted, and no marker | `CannotTell` |
    /// | nothing, of a change with a time to live, or of [`newest_version`](crate::Delete::newest_version) | `CannotTell` |
    ///
    /// Three things are not seen: another client that wrote the very same values; a version that a
    /// flush or compaction has removed since, so it should be read soon; and an attempt that has
    /// not ended yet, as a server may finish what it has begun after the client gave up. For a
    /// check-and-mutate, `NotApplied` means that the change was not made, for whatever reason.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tallrow::{
    ///     Client, ErrorKind, FamilyDescriptor, Put, TableDescriptor, Timestamp, op::Found,
    /// };
    /// use tallrow_mock::{Fault, MockCluster};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mock = MockCluster::start().await?;
    /// let client = Client::connect(&mock.url()).await?;
    /// client
    ///     .admin()
    ///     .create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d")))
    ///     .await?;
    /// let table = client.raw_table("t")?;
    ///
    /// mock.inject(Fault::on("Mutate").close_after());
    /// let began = Timestamp::now();
    /// let put = Put::new("order1").cell("d", "state", "paid");
    /// let error = table.put(put.clone()).await.unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::OutcomeUnknown);
    /// assert_eq!(table.read_back(put, began).await?.found(), Found::Applied);
    ///
    /// mock.clear_faults();
    /// mock.inject(Fault::on("Mutate").close_before());
    /// let put = Put::new("order2").cell("d", "state", "paid");
    /// let error = table.put(put.clone()).await.unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::OutcomeUnknown);
    /// assert_eq!(table.read_back(put, began).await?.found(), Found::NotApplied);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As those of a scan; [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an operation
    /// that changes nothing or could not have been sent.
    pub async fn read_back(
        &self,
        operation: impl Into<RowOperation>,
        began: Timestamp,
    ) -> Result<ReadBack> {
        let failed = |e: Error| e.called(NAME).on_table(&self.name);
        let traces = Traces::of(operation.into()).map_err(|why| failed(Error::invalid(why)))?;
        let row = traces.row.clone();
        let families = traces.families().unwrap_or_default();
        let scan = Scan::range(row.clone()..=row.clone()).raw().versions(u32::MAX >> 1);
        let scan = scan.time_range(traces.since(began)..);
        let scan = families.iter().fold(scan, |scan, family| scan.family(family));
        let failed = |e: Error| failed(e).on_row(&row);
        let written = self.scan(scan).map_err(failed)?.next_row().await.map_err(failed)?;
        let mut visible = false;
        if traces.only_deletes() {
            let get = families.iter().fold(Get::new(&row), |get, family| get.family(family));
            let now = self.get(get).await.map_err(failed)?;
            visible = now.is_some_and(|now| traces.would_hide(&now));
        }
        let cells = written.map_or_else(Vec::new, |row| row.cells().to_vec());
        Ok(traces.judge(cells, began, visible))
    }
}
