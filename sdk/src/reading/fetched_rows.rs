//! The rows of one range, fetched by a task a little ahead of their reader.
//!
//! # Invariants
//!
//! - A slow reader bounds how far a scan reads ahead. Tests:
//!   `tests/suites/faults/scans.rs::a_slow_reader_holds_back_its_scan`.
//! - A scan of Bigtable whose reader is gone ends at once on the server too. Tests:
//!   `sdk/src/backend/bigtable/tests/connections.rs::scans_that_stand_still_leave_room_for_other_calls`.

use std::task::{Context, Poll, ready};

use futures_util::future::BoxFuture;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout};

use super::page_source::{FetchedPage, PageSource};
use super::{ScanMeter, ScanStep};
use crate::{Result, Row};

/// The rows of one range, fetched a little ahead of their reader. Nothing is requested from the
/// servers before the reader requests the first row.
pub(crate) struct FetchedRows {
    state: State,
    page: std::vec::IntoIter<Row>,
}

type Page = Result<FetchedPage>;

/// The function that fetches all pages and sends them to the reader.
type Fetch = Box<dyn FnOnce(mpsc::Sender<Page>) -> BoxFuture<'static, ()> + Send + Sync>;

enum State {
    Idle(Option<Fetch>),
    Running(mpsc::Receiver<Page>),
    Ended,
}

impl FetchedRows {
    pub(crate) fn new(source: impl PageSource, meter: ScanMeter) -> Self {
        let fetch: Fetch = Box::new(|pages| {
            let caller = source.caller();
            Box::pin(caller.instrument(fetch(source, pages, meter)))
        });
        Self { state: State::Idle(Some(fetch)), page: Vec::new().into_iter() }
    }

    /// Starts fetching before the reader requests a row.
    pub(crate) fn start(&mut self) {
        if let State::Idle(fetch) = &mut self.state
            && let Some(fetch) = fetch.take()
        {
            // One page waits here while the next one is fetched.
            let (sender, pages) = mpsc::channel(1);
            tokio::spawn(fetch(sender));
            self.state = State::Running(pages);
        }
    }

    /// Whether the current page has another row.
    pub(crate) fn has_row(&self) -> bool {
        !self.page.as_slice().is_empty()
    }

    pub(crate) fn poll_row(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Row>>> {
        loop {
            match ready!(self.poll_step(cx)) {
                Some(Ok(ScanStep::Row(row))) => return Poll::Ready(Some(Ok(row))),
                Some(Ok(ScanStep::Cursor(_))) => {}
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            }
        }
    }

    pub(crate) fn poll_step(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<ScanStep>>> {
        loop {
            if let Some(row) = self.page.next() {
                return Poll::Ready(Some(Ok(ScanStep::Row(row))));
            }
            self.start();
            let State::Running(pages) = &mut self.state else { return Poll::Ready(None) };
            match ready!(pages.poll_recv(cx)) {
                Some(Ok(FetchedPage::Rows(rows))) => self.page = rows.into_iter(),
                Some(Ok(FetchedPage::Cursor(row))) => {
                    return Poll::Ready(Some(Ok(ScanStep::Cursor(row))));
                }
                Some(Err(error)) => {
                    self.state = State::Ended;
                    return Poll::Ready(Some(Err(error)));
                }
                None => self.state = State::Ended,
            }
        }
    }
}

async fn fetch(mut source: impl PageSource, pages: mpsc::Sender<Page>, meter: ScanMeter) {
    loop {
        let gives_up = source.gives_up_pages();
        let page = tokio::select! {
            biased;
            page = source.next_page() => page,
            () = pages.closed(), if gives_up => return,
        };
        let Some(page) = page.transpose() else { return };
        let failed = page.is_err();
        let since = Instant::now();
        let Some(place) = place_in(&pages, &mut source).await else { return };
        meter.lock().reader_time += since.elapsed();
        place.send(page);
        if failed {
            return;
        }
    }
}

/// Waits until there is room for a page, and keeps the source alive in the meantime; returns `None`
/// if the reader was dropped.
async fn place_in<'p>(
    pages: &'p mpsc::Sender<Page>,
    source: &mut impl PageSource,
) -> Option<mpsc::Permit<'p, Page>> {
    loop {
        let Some(limit) = source.idle_limit() else { return pages.reserve().await.ok() };
        match timeout(limit, pages.reserve()).await {
            Ok(place) => return place.ok(),
            Err(_) => source.keep_alive().await,
        }
    }
}

impl std::fmt::Debug for FetchedRows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FetchedRows").field("ready", &self.page.len()).finish_non_exhaustive()
    }
}
