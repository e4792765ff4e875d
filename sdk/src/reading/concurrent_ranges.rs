//! Reads several ranges concurrently and returns their rows, in the order of the ranges or as they
//! arrive.

use std::collections::VecDeque;
use std::task::{Context, Poll};

use super::FetchedRows;
use crate::{Result, Row};

/// The rows of several ranges. A limited number of ranges are read concurrently. The rows are
/// returned in the order of the ranges, or as they arrive.
///
/// The stream ends only after every range has reported its end: a range that failed is an error,
/// never a gap.
#[derive(Debug)]
pub(crate) struct ConcurrentRanges {
    waiting: VecDeque<FetchedRows>,
    running: VecDeque<FetchedRows>,
    /// How many ranges are read concurrently.
    width: usize,
    ordered: bool,
    limit: Option<u64>,
}

impl ConcurrentRanges {
    pub(crate) fn new(
        ranges: Vec<FetchedRows>,
        width: usize,
        ordered: bool,
        limit: Option<u64>,
    ) -> Self {
        let running = VecDeque::new();
        Self { waiting: ranges.into(), running, width: width.max(1), ordered, limit }
    }

    pub(crate) fn poll_row(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Row>>> {
        if self.limit == Some(0) {
            return Poll::Ready(None);
        }
        let row = match self.ordered {
            true => self.poll_in_order(cx),
            false => self.poll_any(cx),
        };
        match &row {
            Poll::Ready(Some(Ok(row))) if !row.is_partial() => {
                self.limit = self.limit.map(|limit| limit - 1);
            }
            Poll::Ready(Some(Err(_)) | None) => {
                self.limit = Some(0);
                self.waiting.clear();
                self.running.clear();
            }
            _ => {}
        }
        row
    }

    fn fill(&mut self) {
        while self.running.len() < self.width
            && let Some(mut next) = self.waiting.pop_front()
        {
            next.start();
            self.running.push_back(next);
        }
    }

    fn poll_in_order(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Row>>> {
        loop {
            self.fill();
            let Some(first) = self.running.front_mut() else { return Poll::Ready(None) };
            match first.poll_row(cx) {
                Poll::Ready(None) => drop(self.running.pop_front()),
                row => return row,
            }
        }
    }

    /// Returns the rows of one page of a range, then polls the next range.
    fn poll_any(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Row>>> {
        self.fill();
        if !self.running.front().is_some_and(FetchedRows::has_row)
            && let Some(done) = self.running.pop_front()
        {
            self.running.push_back(done);
        }
        let mut pending = 0;
        while pending < self.running.len() {
            let Some(first) = self.running.front_mut() else { break };
            match first.poll_row(cx) {
                Poll::Ready(None) => {
                    self.running.pop_front();
                    self.fill();
                    // All ranges have to be polled again, because the ranges that were just started
                    // are behind the pending ranges.
                    pending = 0;
                }
                Poll::Pending => {
                    self.running.rotate_left(1);
                    pending += 1;
                }
                row => return row,
            }
        }
        if self.running.is_empty() { Poll::Ready(None) } else { Poll::Pending }
    }
}
