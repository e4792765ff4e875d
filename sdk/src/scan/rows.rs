use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use futures_core::Stream;
use tokio::sync::mpsc;

use super::Scan;
use super::scanner::Scanner;
use crate::cluster::Cluster;
use crate::{Result, Row, TableName};

/// The rows of a scan, in order, fetched a little ahead of their reader.
///
/// Nothing is asked for before the first row is. Dropping it ends the scan, on the server too. After an error there
/// are no more rows; what came before it is complete.
///
/// ```
/// # use tallrow::{Client, Family, Put, Scan, TableDescriptor};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// # let client = Client::connect("mock:").await?;
/// # client.admin().create_table(&TableDescriptor::new("t")?.family(Family::new("d"))).await?;
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
#[must_use = "no row is read before it is asked for"]
pub struct RowStream {
    state: State,
    page: std::vec::IntoIter<Row>,
}

enum State {
    Idle(Option<Box<Scanner>>),
    Running(mpsc::Receiver<Result<Vec<Row>>>),
    Ended,
}

impl RowStream {
    pub(crate) fn new(
        cluster: Arc<Cluster>,
        table: TableName,
        scan: &Scan,
        prefetch: usize,
        timeout: Option<Duration>,
    ) -> Self {
        let page_bytes = scan.page_bytes.unwrap_or(prefetch / 2).max(1);
        let scanner = Scanner::new(cluster, table, scan, page_bytes, timeout);
        Self { state: State::Idle(Some(Box::new(scanner))), page: Vec::new().into_iter() }
    }

    /// The next row; none at the end.
    ///
    /// See [`RowStream`] for an example. May be dropped before it is done; no row is lost by that.
    ///
    /// # Errors
    /// When a page did not come within [`page_timeout`](crate::Config::page_timeout), or no row within the timeout of its
    /// table, if that has one ([`with_timeout`](crate::RawTable::with_timeout)); or the server refused.
    pub async fn next_row(&mut self) -> Result<Option<Row>> {
        std::future::poll_fn(|cx| self.poll_row(cx)).await.transpose()
    }

    pub(crate) fn poll_row(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Row>>> {
        loop {
            if let Some(row) = self.page.next() {
                return Poll::Ready(Some(Ok(row)));
            }
            match &mut self.state {
                State::Idle(scanner) => {
                    let Some(scanner) = scanner.take() else { return Poll::Ready(None) };
                    // One page waits here while the next one is fetched.
                    let (sender, receiver) = mpsc::channel(1);
                    tokio::spawn(fetch(scanner, sender));
                    self.state = State::Running(receiver);
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

async fn fetch(mut scanner: Box<Scanner>, pages: mpsc::Sender<Result<Vec<Row>>>) {
    while let Some(page) = scanner.next_page().await.transpose() {
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
