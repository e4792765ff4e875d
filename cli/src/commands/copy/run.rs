//! Copies the ranges of a table concurrently: reads and writes their rows, and records the
//! progress.
//!
//! # Invariants
//!
//! - A copy that was killed goes on where it was, and is complete in the end. Tests:
//!   `cli/tests/commands/copy.rs::a_copy_that_is_killed_goes_on_where_it_was`,
//!   `cli/tests/commands/copy.rs::a_copy_that_is_killed_between_faults_is_complete`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tallrow::key::show;
use tallrow::{RawTable, Scan};
use tokio::sync::{Mutex, Notify};
use tokio::task::JoinSet;

use super::batch::{CopyBatch, pieces};
use super::fit::FitCheck;
use super::side::CopyEndpoint;
use super::state::CopyState;
use crate::failure::{Failure, Result};
use crate::files::state_file::StateFile;
use crate::terminal::output::count_with_noun;
use crate::terminal::progress::{Interrupt, Progress};

/// The number of versions of each cell that a scan requests, which is enough for all versions.
const ALL_VERSIONS: u32 = i32::MAX as u32;
/// The approximate size, in bytes, of the cells in a page of a scan or in a batch of writes.
const BATCH_BYTES: usize = 1 << 20;

/// Makes a scan return all versions of all cells, and divide long rows into parts.
pub(super) fn all_cells(scan: Scan) -> Scan {
    scan.versions(ALL_VERSIONS).partial_rows().bytes_per_call(BATCH_BYTES)
}

/// A running copy.
pub(super) struct CopyRun {
    from: RawTable,
    to: CopyEndpoint,
    raw: bool,
    batch_rows: u64,
    save_every: u64,
    /// The index of the next range that no worker has taken.
    next: AtomicUsize,
    stopped: AtomicBool,
    stop: Notify,
    done: Mutex<Done>,
}

struct Done {
    state: CopyState,
    file: StateFile,
    /// The number of rows that were copied since the state was last saved.
    unsaved: u64,
    progress: Progress,
}

/// How many ranges are copied concurrently, how many rows a batch has, and after how many rows the
/// state is saved.
pub(super) struct CopySettings {
    pub(super) concurrency: usize,
    pub(super) batch_rows: u64,
    pub(super) save_every: u64,
}

/// Copies the rows that are not copied yet, removes the state file, and returns the final state.
pub(super) async fn copy(
    (from, to): (&CopyEndpoint, &CopyEndpoint),
    raw: bool,
    settings: &CopySettings,
    (file, state): (StateFile, CopyState),
) -> Result<CopyState> {
    let (rows, ranges) = (state.rows(), state.ranges.len());
    let done = Done { progress: Progress::new(rows), state, file, unsaved: 0 };
    let run = Arc::new(CopyRun {
        from: from.table.clone(),
        to: to.clone(),
        raw,
        batch_rows: settings.batch_rows,
        save_every: settings.save_every,
        next: AtomicUsize::new(0),
        stopped: AtomicBool::new(false),
        stop: Notify::new(),
        done: Mutex::new(done),
    });
    let mut interrupt = Interrupt::new()?;
    let mut workers = JoinSet::new();
    for _ in 0..settings.concurrency.clamp(1, ranges.max(1)) {
        let run = run.clone();
        workers.spawn(async move { run.work().await });
    }
    let mut failure = None;
    loop {
        let ended = tokio::select! {
            biased;
            () = interrupt.wait(), if failure.is_none() => {
                Some(Err(Failure::interrupted("stopped by Ctrl-C")))
            }
            joined = workers.join_next() => joined.map(|joined| {
                joined.unwrap_or_else(|error| Err(Failure::new("copy a range").caused_by(error)))
            }),
        };
        match ended {
            None => break,
            Some(Ok(())) => {}
            // After a failure, the other workers still await the replies to the batches that they
            // have sent.
            Some(Err(why)) => {
                run.end();
                failure.get_or_insert(why);
            }
        }
    }
    let run = Arc::into_inner(run).ok_or_else(|| Failure::new("a range is still being copied"))?;
    let Done { state, mut file, progress, .. } = run.done.into_inner();
    match failure {
        Some(failure) => {
            let rows = count_with_noun(state.rows(), "row");
            let failure =
                failure.with_done_so_far(format!("{rows} are in {}", run.to.display_name()));
            // If this fails too, the file has an earlier state, from which it is safe to go on.
            let _ = file.save(&state);
            Err(failure.advise_if_none("the same command goes on with the rows that are left"))
        }
        None => {
            file.remove()?;
            progress.report_end(state.rows());
            Ok(state)
        }
    }
}

impl CopyRun {
    fn end(&self) {
        self.stopped.store(true, Ordering::Relaxed);
        self.stop.notify_waiters();
    }

    /// Copies one range after the other, until no range is left or the copy is stopped.
    async fn work(&self) -> Result<()> {
        while !self.stopped.load(Ordering::Relaxed) {
            let at = self.next.fetch_add(1, Ordering::Relaxed);
            let scan = match self.done.lock().await.state.ranges.get(at) {
                None => break,
                Some(range) if range.done => continue,
                Some(range) => range.scan()?,
            };
            self.copy_range(at, scan).await?;
        }
        Ok(())
    }

    async fn copy_range(&self, at: usize, scan: Scan) -> Result<()> {
        let scan = all_cells(scan);
        let scan = if self.raw { scan.raw() } else { scan };
        let mut rows = self.from.scan(scan)?;
        let (mut fit, mut batch) = (FitCheck::of(self.to.store), CopyBatch::default());
        // The row whose parts are being read, and the number of its cells so far. After a part that
        // is marked as partial, only the next row shows that the row has no more parts.
        let mut open: Option<(Vec<u8>, u64)> = None;
        loop {
            let stop = self.stop.notified();
            if self.stopped.load(Ordering::Relaxed) {
                return self.write(at, batch, false).await;
            }
            let read = tokio::select! {
                biased;
                () = stop => continue,
                read = rows.next_row() => read,
            };
            let failure = match read {
                Ok(Some(part)) => {
                    if let Some(row) = open.take_if(|(row, _)| row != part.key()) {
                        batch.complete_row(row);
                    }
                    match fit.check(&part) {
                        Ok(()) => {
                            for piece in pieces(part.cells(), BATCH_BYTES) {
                                batch.add(part.key(), piece);
                                if batch.bytes >= BATCH_BYTES {
                                    self.write(at, std::mem::take(&mut batch), false).await?;
                                }
                            }
                            let row = open.get_or_insert_with(|| (part.key().to_vec(), 0));
                            row.1 += part.cells().len() as u64;
                            if !part.is_partial() {
                                open.take().into_iter().for_each(|row| batch.complete_row(row));
                            }
                            if batch.rows >= self.batch_rows {
                                self.write(at, std::mem::take(&mut batch), false).await?;
                            }
                            continue;
                        }
                        Err(why) => refusal(part.key(), &why),
                    }
                }
                Ok(None) => {
                    open.into_iter().for_each(|row| batch.complete_row(row));
                    return self.write(at, batch, true).await;
                }
                Err(error) => error.into(),
            };
            // Write the rows that were read before the failure.
            self.write(at, batch, false).await?;
            return Err(failure);
        }
    }

    /// Writes a batch, and records it when all of it was acknowledged. `is_end` says whether the
    /// batch is the last of its range.
    async fn write(&self, at: usize, batch: CopyBatch, is_end: bool) -> Result<()> {
        let CopyBatch { operations, rows, cells, last, .. } = batch;
        if !operations.is_empty() {
            self.to.table.batch(operations).await.into_result()?;
        }
        let mut done = self.done.lock().await;
        let Done { state, file, unsaved, progress } = &mut *done;
        if let Some(range) = state.ranges.get_mut(at) {
            range.rows += rows;
            range.cells += cells;
            range.done = is_end;
            last.iter().for_each(|last| range.set_last(last));
        }
        *unsaved += rows;
        if *unsaved >= self.save_every {
            *unsaved = 0;
            file.save(state)?;
        }
        progress.report(state.rows(), Some(state.share()));
        Ok(())
    }
}

/// Makes the failure for a row that the target cannot hold.
pub(super) fn refusal(row: &[u8], why: &str) -> Failure {
    Failure::new(format!("row {}: {why}", show::shell(row))).advise(
        "change or delete the row, then the same command goes on; --dry-run looks for all such \
         rows",
    )
}
