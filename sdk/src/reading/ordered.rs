//! The rows of a scan, whether it reads one range, or several ranges that are merged or read
//! concurrently.

use std::task::{Context, Poll};

use super::{
    ConcurrentRanges, DividedRanges, FetchedRows, MergedRows, ScanMeter, ScanMetrics, ScanStep,
};
use crate::{Result, Row};

/// The rows of all ranges of a scan, in the order of the scan.
pub(crate) struct ScanRows {
    source: RangeRows,
    meter: ScanMeter,
}

/// How the ranges are read.
pub(crate) enum RangeRows {
    One(FetchedRows),
    Merged(MergedRows),
    ConcurrentRanges(ConcurrentRanges),
    Divided(DividedRanges),
}

impl ScanRows {
    pub(crate) fn new(source: RangeRows, meter: ScanMeter) -> Self {
        Self { source, meter }
    }

    pub(crate) async fn next_row(&mut self) -> Result<Option<Row>> {
        std::future::poll_fn(|cx| self.poll_row(cx)).await.transpose()
    }

    #[inline]
    pub(crate) fn poll_row(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Row>>> {
        match &mut self.source {
            RangeRows::One(rows) => rows.poll_row(cx),
            RangeRows::Merged(rows) => rows.poll_row(cx),
            RangeRows::ConcurrentRanges(rows) => rows.poll_row(cx),
            RangeRows::Divided(rows) => rows.poll_row(cx),
        }
    }

    pub(crate) fn poll_step(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<ScanStep>>> {
        match &mut self.source {
            RangeRows::One(rows) => rows.poll_step(cx),
            _ => self.poll_row(cx).map(|row| row.map(|row| row.map(ScanStep::Row))),
        }
    }

    pub(crate) fn metrics(&self) -> ScanMetrics {
        self.meter.metrics()
    }

    /// Counts the remaining rows.
    pub(crate) async fn count(mut self) -> Result<u64> {
        let mut rows = 0;
        while self.next_row().await?.is_some() {
            rows += 1;
        }
        Ok(rows)
    }
}
