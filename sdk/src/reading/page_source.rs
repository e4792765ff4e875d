//! The trait of what a scan gets its rows from, a page at a time; each backend implements it.

use std::time::Duration;

use bytes::Bytes;

use crate::observe::Caller;
use crate::{Result, Row};

/// What a call for the next rows has brought.
#[derive(Debug)]
pub(crate) enum Fetched {
    /// Rows, at least one.
    Rows(Vec<Row>),
    /// No row yet, and the row up to which a server has looked.
    Cursor(Bytes),
}

/// Where the rows of a scan come from, a page at a time.
pub(crate) trait PageSource: Send + Sync + 'static {
    /// The next rows, or a sign of progress; `None` at the end.
    fn next_page(&mut self) -> impl Future<Output = Result<Option<Fetched>>> + Send;

    /// Whom it works for, asked by the task of the first reader.
    fn caller(&self) -> Caller {
        Caller::current(None)
    }

    /// How long it may be left alone before it has to be [kept alive](Self::keep_alive); `None`
    /// while that is not needed.
    fn idle_limit(&self) -> Option<Duration>;

    /// Keeps what it has open on a server.
    fn keep_alive(&mut self) -> impl Future<Output = ()> + Send;
}
