//! A scan that is divided at the regions of its table when its first row is requested.

use std::task::{Context, Poll, ready};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::sync::oneshot;

use super::{ConcurrentRanges, FetchedRows};
use crate::observe::CallerContext;
use crate::{Error, ErrorKind, Result, Row};

/// The rows of several ranges. The ranges are divided at the regions of their table when the first
/// row is requested.
pub(crate) struct DividedRanges {
    state: State,
    options: ReadOptions,
}

/// How the divided ranges are read.
pub(crate) struct ReadOptions {
    pub(crate) width: usize,
    pub(crate) ordered: bool,
    pub(crate) limit: Option<u64>,
}

/// The function that divides the ranges.
type Division = Box<dyn FnOnce() -> BoxFuture<'static, Result<Vec<FetchedRows>>> + Send + Sync>;

enum State {
    Idle(Option<Division>),
    Dividing(oneshot::Receiver<Result<Vec<FetchedRows>>>),
    Running(ConcurrentRanges),
    Ended,
}

impl DividedRanges {
    pub(crate) fn new(division: Division, options: ReadOptions) -> Self {
        Self { state: State::Idle(Some(division)), options }
    }

    pub(crate) fn poll_row(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Row>>> {
        loop {
            match &mut self.state {
                State::Running(rows) => return rows.poll_row(cx),
                State::Ended => return Poll::Ready(None),
                State::Idle(division) => {
                    let Some(division) = division.take() else { return Poll::Ready(None) };
                    let (sender, ranges) = oneshot::channel();
                    // If the ranges cannot be sent, nobody waits for them any more.
                    let divide = division().map(|ranges| drop(sender.send(ranges)));
                    tokio::spawn(CallerContext::current(None).instrument(divide));
                    self.state = State::Dividing(ranges);
                }
                State::Dividing(ranges) => {
                    let gone = |_| {
                        Err(Error::new(ErrorKind::Unreachable, "the runtime of the scan has ended"))
                    };
                    let ranges = ready!(ranges.poll_unpin(cx)).unwrap_or_else(gone);
                    let ReadOptions { width, ordered, limit } = self.options;
                    self.state = match ranges {
                        Ok(ranges) => {
                            State::Running(ConcurrentRanges::new(ranges, width, ordered, limit))
                        }
                        Err(error) => {
                            self.state = State::Ended;
                            return Poll::Ready(Some(Err(error)));
                        }
                    };
                }
            }
        }
    }
}
