use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::Stream;
use futures_util::future::BoxFuture;
use tokio::sync::mpsc;

use super::pages::PageSource;
use crate::{Result, Row};

/// The rows of a scan, in order, fetched a little ahead of their reader.
///
/// Nothing is requested before the first row is. Dropping the stream ends the scan, on the server too. After an error
/// there are no more rows; what came before it is complete.
///
/// ```
/// # use tallrow::{Client, FamilyDescriptor, Put, Scan, TableDescriptor};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// # let client = Client::connect("mock:").await?;
/// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
/// # let table = client.raw_table("t")?;
/// # for row in ["a", "b", "c"] { table.put(Put::new(row).cell("d", "q", "v")).await?; }
/// let mut rows = table.scan(Scan::range("b"..))?;
/// let mut keys = Vec::new();
/// while let Some(row) = rows.next_row().await? {
///     keys.push(row.key().to_vec());
/// }
/// assert_eq!(keys, [b"b", b"c"]);
/// # Ok(())
/// # }
/// ```
#[must_use = "no row is read until it is requested"]
pub struct RowStream {
    state: State,
    page: std::vec::IntoIter<Row>,
}

type Page = Result<Vec<Row>>;

/// Fetches all pages and sends them.
type Fetch = Box<dyn FnOnce(mpsc::Sender<Page>) -> BoxFuture<'static, ()> + Send + Sync>;

enum State {
    Idle(Option<Fetch>),
    Running(mpsc::Receiver<Page>),
    Ended,
}

impl RowStream {
    pub(crate) fn new(source: impl PageSource) -> Self {
        let fetch: Fetch = Box::new(|pages| Box::pin(fetch(source, pages)));
        Self { state: State::Idle(Some(fetch)), page: Vec::new().into_iter() }
    }

    /// The next row; `None` at the end.
    ///
    /// See [`RowStream`] for an example. May be dropped before it is done; no row is lost by that.
    ///
    /// # Errors
    /// When a page did not come within [`page_timeout`](crate::Config::page_timeout), or no row within the timeout of its
    /// table, if it has one ([`with_timeout`](crate::RawTable::with_timeout)); or the server rejected it.
    pub async fn next_row(&mut self) -> Result<Option<Row>> {
        std::future::poll_fn(|cx| self.poll_row(cx)).await.transpose()
    }

    pub(crate) fn poll_row(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Row>>> {
        loop {
            if let Some(row) = self.page.next() {
                return Poll::Ready(Some(Ok(row)));
            }
            match &mut self.state {
                State::Idle(fetch) => {
                    let Some(fetch) = fetch.take() else { return Poll::Ready(None) };
                    // One page waits here while the next one is fetched.
                    let (sender, pages) = mpsc::channel(1);
                    tokio::spawn(fetch(sender));
                    self.state = State::Running(pages);
                }
                State::Running(pages) => match ready!(pages.poll_recv(cx)) {
                    Some(Ok(page)) => self.page = page.into_iter(),
                    Some(Err(error)) => {
                        self.state = State::Ended;
                        return Poll::Ready(Some(Err(error)));
                    }
                    None => self.state = State::Ended,
                },
                State::Ended => return Poll::Ready(None),
            }
        }
    }
}

async fn fetch(mut source: impl PageSource, pages: mpsc::Sender<Page>) {
    while let Some(page) = source.next_page().await.transpose() {
        let failed = page.is_err();
        if pages.send(page).await.is_err() || failed {
            return;
        }
    }
}

impl Stream for RowStream {
    type Item = Result<Row>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll_row(cx)
    }
}
