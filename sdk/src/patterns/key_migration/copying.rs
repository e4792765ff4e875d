//! Copies the ranges of a back-fill, page by page, and records the progress in the state.

use std::time::Duration;

use bytes::Bytes;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep_until, timeout_at};

use super::cells::Cells;
use super::page::{read_page, rows_between};
use super::progress::BackfillProgress;
use super::ranges::{self, Range};
use super::state::Part;
use super::table_pair::KeyMigrationInner;
use crate::runtime::tasks::run_concurrently;
use crate::{Error, ErrorKind, Result, Scan};

pub(super) struct Copying<'a> {
    inner: &'a KeyMigrationInner,
    page_rows: u64,
    rows_per_second: Option<u64>,
    started: Instant,
    /// How many ranges there are.
    pub(super) ranges: usize,
    done: Mutex<Done>,
}

struct Done {
    ranges: Vec<Range>,
    rows_now: u64,
    synced: u64,
}

impl<'a> Copying<'a> {
    pub(super) async fn new(
        inner: &'a KeyMigrationInner,
        page_rows: u64,
        rows_per_second: Option<u64>,
    ) -> Result<Self> {
        inner.copy_permit().await?;
        let all = match inner.read_ranges().await? {
            Some(ranges) => ranges,
            None => inner.new_ranges().await?,
        };
        let (started, ranges) = (Instant::now(), all.len());
        let done = Mutex::new(Done { ranges: all, rows_now: 0, synced: 0 });
        Ok(Self { inner, page_rows, rows_per_second, started, ranges, done })
    }

    pub(super) async fn progress(&self) -> BackfillProgress {
        self.progress_of(&*self.done.lock().await)
    }

    fn progress_of(&self, done: &Done) -> BackfillProgress {
        BackfillProgress {
            ranges: done.ranges.len(),
            ranges_done: done.ranges.iter().filter(|range| range.done).count(),
            rows: done.ranges.iter().map(|range| range.rows).sum(),
            rows_this_run: done.rows_now,
            rows_copied_again: done.synced,
            elapsed: self.started.elapsed(),
        }
    }

    /// Copies a range, page by page.
    pub(super) async fn copy_range(
        &self,
        at: usize,
        report: &impl Fn(&BackfillProgress),
    ) -> Result<()> {
        loop {
            let range = self.done.lock().await.ranges.get(at).filter(|range| !range.done).cloned();
            let Some(mut range) = range else { return Ok(()) };
            let permit = self.inner.copy_permit().await?;
            let page = timeout_at(permit.end, self.copy_page(&range, permit.end));
            let page = page.await.unwrap_or_else(|_| {
                let text = "a page of rows was not copied in time; use smaller ones";
                Err(Error::new(ErrorKind::Timeout, text))
            });
            let Copied { last, rows, synced } = page?;
            range.done = rows == 0;
            range.rows += rows;
            range.last = last.or(range.last);
            let all = {
                let mut done = self.done.lock().await;
                done.rows_now += rows;
                done.synced += synced;
                if let Some(slot) = done.ranges.get_mut(at) {
                    *slot = range;
                }
                // The state is written under the lock, so that an earlier state never replaces a
                // later one.
                self.inner.state.write(Part::Progress, ranges::to_text(&done.ranges)).await?;
                let progress = self.progress_of(&done);
                report(&progress);
                progress.rows_this_run
            };
            if let Some(rate) = self.rows_per_second {
                sleep_until(self.started + Duration::from_secs_f64(all as f64 / rate as f64)).await;
            }
        }
    }

    /// Copies a page of rows, reads the page again, and copies again the rows that have changed in
    /// the meantime.
    async fn copy_page(&self, range: &Range, end: Instant) -> Result<Copied> {
        let inner = self.inner;
        let rest = Scan::range(&range.start[..]..);
        let rest =
            if range.stop.is_empty() { rest } else { Scan::range(&range.start[..]..&range.stop) };
        let rest = match &range.last {
            Some(last) => rest.after(last),
            None => rest,
        };
        let rows = read_page(&inner.old, rest, self.page_rows).await?;
        let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
            return Ok(Copied { last: None, rows: 0, synced: 0 });
        };
        // All new keys are made before the first put.
        let keys = rows.iter().map(|row| inner.keys.new_key(row.key()));
        let keys = keys.collect::<Result<Vec<Bytes>>>()?;
        let copies: Vec<_> = rows.iter().map(|row| Cells::of(Some(row))).collect();
        let puts: Vec<_> = copies.iter().zip(&keys).map(|(cells, key)| cells.put(key)).collect();
        inner.new.with_deadline(end).put_all(puts).await.into_result()?;

        let mut again = rows_between(&inner.old, first.key(), last.key()).await?;
        let changed = rows.iter().zip(&copies).zip(&keys).filter(|((row, cells), _)| {
            let now = again.remove(row.key()).unwrap_or_default();
            !cells.is_valid_copy_of(&now, &inner.limits)
        });
        let syncs: Vec<_> = changed
            .map(|((row, _), key)| inner.copy_row_until_equal(row.key(), key, end))
            .collect();
        let synced =
            run_concurrently(syncs).await.into_iter().collect::<Result<Vec<bool>>>()?.len();
        let last = Some(Bytes::copy_from_slice(last.key()));
        Ok(Copied { last, rows: rows.len() as u64, synced: synced as u64 })
    }
}

/// The result of copying a page: its last row key, how many rows it had, and how many of them were
/// copied again.
struct Copied {
    last: Option<Bytes>,
    rows: u64,
    synced: u64,
}

impl KeyMigrationInner {
    /// Reads the ranges and their progress from the state; `None` before the first run.
    pub(super) async fn read_ranges(&self) -> Result<Option<Vec<Range>>> {
        let Some(text) = self.state.read(Part::Progress).await? else { return Ok(None) };
        let ranges = ranges::parse(&text);
        ranges.map(Some).ok_or_else(|| self.state.unreadable(Part::Progress, &text))
    }

    async fn new_ranges(&self) -> Result<Vec<Range>> {
        let regions = self.client.region_locator(self.old.name())?.all_regions().await?;
        Ok(regions.iter().map(|region| Range::new(region.start_key(), region.end_key())).collect())
    }
}
