//! The method of `RawTable` that reads a row to find out whether a change was made although its
//! reply was lost.

use super::RawTable;
use crate::request::op::{ChangedCells, Get, ReadBackResult, RowOperation};
use crate::{Error, Result, Scan, Timestamp};

const NAME: &str = "read back";

impl RawTable {
    /// Finds out whether a change that failed with
    /// [`OutcomeUnknown`](crate::ErrorKind::OutcomeUnknown) was made. For this, it looks in the row
    /// for the cells and delete markers that the change would have written at the time `began` or
    /// later.
    ///
    /// `operation` is the operation as it was sent, and `began` is a time before it was sent, by
    /// the clock of the servers. If you take this time from the client's clock, subtract the
    /// largest possible difference of the two clocks. The call reads all versions and delete
    /// markers from that time on, in the families of the change, and compares them with the change:
    /// all cells that a server writes in one step have the same timestamp.
    ///
    /// | what the row shows | the result |
    /// |---|---|
    /// | all cells and markers of the change, with the same timestamp | [`Applied`](crate::op::ReadBackOutcome::Applied) |
    /// | nothing was written to its columns | [`NotApplied`](crate::op::ReadBackOutcome::NotApplied) |
    /// | its columns were written, but with other cells | [`CannotTell`](crate::op::ReadBackOutcome::CannotTell) |
    /// | a counter was incremented, by this increment or by others | `CannotTell`; the cells are in the result |
    /// | neither a marker nor a cell that the delete would have deleted | `CannotTell` |
    /// | nothing, if the change has a time to live or is a [`newest_version`](crate::Delete::newest_version) delete | `CannotTell` |
    ///
    /// Three things cannot be seen in the row: whether another client wrote the very same values; a
    /// version that a flush or compaction has removed since then, so read the row back soon; and an
    /// attempt that a server finishes only after the client gave up. For a check-and-mutate,
    /// `NotApplied` means that the change was not made, for whatever reason.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tallrow::{
    ///     Client, ErrorKind, FamilyDescriptor, Put, TableDescriptor, Timestamp, op::ReadBackOutcome,
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
    /// assert_eq!(table.read_back(put, began).await?.outcome(), ReadBackOutcome::Applied);
    ///
    /// mock.clear_faults();
    /// mock.inject(Fault::on("Mutate").close_before());
    /// let put = Put::new("order2").cell("d", "state", "paid");
    /// let error = table.put(put.clone()).await.unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::OutcomeUnknown);
    /// assert_eq!(table.read_back(put, began).await?.outcome(), ReadBackOutcome::NotApplied);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of a scan; [`InvalidArgument`](crate::ErrorKind::InvalidArgument) if the
    /// operation changes nothing, or is invalid and cannot have been sent.
    pub async fn read_back(
        &self,
        operation: impl Into<RowOperation>,
        began: Timestamp,
    ) -> Result<ReadBackResult> {
        let failed = |e: Error| e.with_operation(NAME).on_table(&self.name);
        let traces =
            ChangedCells::of(operation.into()).map_err(|why| failed(Error::invalid(why)))?;
        let row = traces.row.clone();
        let families = traces.families().unwrap_or_default();
        let scan = Scan::range(row.clone()..=row.clone()).raw().versions(u32::MAX >> 1);
        let scan = scan.time_range(traces.earliest_timestamp(began)..);
        let scan = families.iter().fold(scan, |scan, family| scan.family(family));
        let failed = |e: Error| failed(e).on_row(&row);
        let written = self.scan(scan).map_err(failed)?.next_row().await.map_err(failed)?;
        let mut visible = false;
        if traces.has_only_deletes() {
            let get = families.iter().fold(Get::new(&row), |get, family| get.family(family));
            let now = self.get(get).await.map_err(failed)?;
            visible = now.is_some_and(|now| traces.has_cells_to_delete(&now));
        }
        let cells = written.map_or_else(Vec::new, |row| row.cells().to_vec());
        Ok(traces.judge(cells, began, visible))
    }
}
