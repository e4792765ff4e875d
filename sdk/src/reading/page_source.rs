//! The trait through which a scan gets its rows, one page at a time; each backend implements it.

use std::time::Duration;

use bytes::Bytes;

use crate::observe::CallerContext;
use crate::{Result, Row};

/// The result of a call for the next rows.
#[derive(Debug)]
pub(crate) enum FetchedPage {
    /// Rows, at least one.
    Rows(Vec<Row>),
    /// The row key up to which a server has looked without finding a row yet.
    Cursor(Bytes),
}

/// A source that fetches the rows of a scan, one page at a time.
pub(crate) trait PageSource: Send + Sync + 'static {
    /// Fetches the next rows, or a cursor; `None` at the end.
    fn next_page(&mut self) -> impl Future<Output = Result<Option<FetchedPage>>> + Send;

    /// Returns the caller that the source works for. This is called in the task of the first
    /// reader.
    fn caller(&self) -> CallerContext {
        CallerContext::current(None)
    }

    /// Whether a page that is being fetched is given up when its reader is gone. Otherwise the page
    /// is fetched first: only then is it known what has to be closed on the server.
    fn gives_up_pages(&self) -> bool {
        false
    }

    /// Returns how long the source may be idle before it has to be [kept alive](Self::keep_alive);
    /// `None` while it need not be kept alive.
    fn idle_limit(&self) -> Option<Duration>;

    /// Keeps the scanner that the source has open on a server alive.
    fn keep_alive(&mut self) -> impl Future<Output = ()> + Send;
}
