use crate::{Result, Row};

/// Where the rows of a scan come from, a page at a time.
pub(crate) trait PageSource: Send + Sync + 'static {
    /// The next rows, at least one; `None` at the end.
    fn next_page(&mut self) -> impl Future<Output = Result<Option<Vec<Row>>>> + Send;
}
