//! Executes a scan: reads streams of rows, one after another. Each stream continues after the last
//! row of the previous stream.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt;
use tokio::time::Instant;

use super::call::{Limit, Sending, failed, next};
use super::channel::Answer;
use super::explanation::torn;
use super::failure::Failure;
use super::headers::Cookies;
use super::instance::Instance;
use super::lower::{check_read_options, ranges_of, scan_filter};
use super::remaining::Remaining;
use super::retry::Retry;
use super::rows::RowBlock;
use crate::backend::attempts::Attempts;
use crate::backend::core::CLOSED;
use crate::backend::repeat::Idempotency;
use crate::observe::Caller;
use crate::reading::{Fetched, PageSource, ScanMeter};
use crate::request::call_options::CallOptions;
use crate::request::scan::RowParts;
use crate::wire::bigtable::{ReadRowsRequest, RowFilter, RowMerger, RowsPart, method, rows_parts};
use crate::{Error, ErrorKind, Result, Scan, TableName};

/// A scan that is under way.
pub(crate) struct Scanner {
    instance: Arc<Instance>,
    table: TableName,
    /// The scan, from which the filter is made when the first page is fetched; `None` after that.
    scan: Option<Box<Scan>>,
    filter: Option<RowFilter>,
    reversed: bool,
    cursors: bool,
    /// The number of cells in a part of a row, if rows are returned in parts.
    part: Option<usize>,
    page_bytes: usize,
    timeout: Option<Duration>,
    attempt_timeout: Option<Duration>,
    /// The options, which are checked when the first page is fetched.
    options: Option<Arc<CallOptions>>,
    rest: Remaining,
    merger: RowMerger,
    stream: Option<Answer>,
    cookies: Cookies,
    /// The failure of the last stream, if it broke after rows that were already returned.
    broken: Option<Failure>,
    meter: ScanMeter,
}

/// How much is fetched for a page, and how long a caller may wait for it.
pub(crate) struct Pace {
    pub(crate) page_bytes: usize,
    pub(crate) timeout: Option<Duration>,
    pub(crate) options: Option<Arc<CallOptions>>,
}

impl Scanner {
    pub(crate) fn new(
        instance: Arc<Instance>,
        table: TableName,
        scan: &Scan,
        pace: Pace,
        meter: ScanMeter,
    ) -> Self {
        Self {
            scan: Some(Box::new(scan.clone())),
            filter: None,
            reversed: scan.reversed,
            cursors: scan.cursors,
            part: match scan.parts {
                RowParts::Batch(cells) => Some(cells),
                RowParts::Whole | RowParts::AsSent => None,
            },
            page_bytes: pace.page_bytes,
            timeout: pace.timeout,
            attempt_timeout: pace.options.as_ref().and_then(|options| options.attempt_timeout),
            options: pace.options,
            rest: Remaining::new(&scan.range, ranges_of(scan), scan.reversed, scan.limit),
            merger: RowMerger::new(scan.reversed),
            stream: None,
            cookies: Cookies::default(),
            broken: None,
            instance,
            table,
            meter,
        }
    }

    /// Fetches the next page: the next rows, or if the scan wants cursors, the last row that the
    /// server has looked at without finding rows. Returns `None` at the end.
    async fn page(&mut self, attempts: &mut Attempts) -> Result<Option<Fetched>> {
        if let Some(scan) = self.scan.take() {
            check_read_options(self.options.as_deref())?;
            let kept =
                self.instance.kept("scan", &self.table, attempts.left(Duration::MAX)).await?;
            self.filter = scan_filter(&scan, kept.as_deref())?;
        }
        if self.instance.closing.is_closed() {
            return Err(Error::new(ErrorKind::Closed, CLOSED));
        }
        let mut block = RowBlock::default();
        // How many streams have been silent for too long while this page was fetched.
        let mut silent = 0;
        let mut retry = Retry::new(Idempotency::Read);
        loop {
            attempts.begin();
            let read = match self.broken.take() {
                Some(failure) => Err(failure),
                None => {
                    let since = Instant::now();
                    let read = self.read(&mut block, attempts, silent).await;
                    self.meter.count_call(since.elapsed());
                    read?
                }
            };
            match read {
                Ok(cursor) if block.rows() == 0 && !self.rest.is_empty() => {
                    if let Some(row) = cursor {
                        self.meter.count().heartbeats += 1;
                        self.meter.count().cursor = Some(row.clone());
                        if self.cursors {
                            return Ok(Some(Fetched::Cursor(row)));
                        }
                    }
                    if attempts.is_spent() {
                        let limit = attempts.limit();
                        let text = format!(
                            "no row was found within {limit}; scan less, or allow more time"
                        );
                        return Err(Error::new(ErrorKind::Timeout, text));
                    }
                }
                Ok(_) => break,
                // The rows that have arrived are returned, and the failure is handled when the next
                // page is fetched.
                Err(failure) if block.rows() > 0 => {
                    self.broken = Some(failure);
                    break;
                }
                // All requested rows had arrived before the stream broke.
                Err(_) if self.is_read() => break,
                Err(failure) => {
                    silent += u32::from(failure.is_timeout());
                    self.meter.count().retries += 1;
                    retry.pause(&failure, self.instance.data.server(), attempts).await?;
                }
            }
        }
        if block.rows() == 0 {
            return Ok(None);
        }
        let mut metrics = self.meter.count();
        metrics.cells += block.cells() as u64;
        let rows = block.finish(self.part);
        let cells = rows.iter().flat_map(|row| row.cells());
        metrics.bytes += cells.map(|cell| cell.size() as u64).sum::<u64>();
        metrics.rows += rows.len() as u64;
        Ok(Some(Fetched::Rows(rows)))
    }

    /// Reads messages into `block` until the page is full, or some rows were read and no further
    /// message has arrived. Returns the last row key that the server reports as scanned, if there
    /// is one.
    async fn read(
        &mut self,
        block: &mut RowBlock,
        attempts: &mut Attempts,
        silent: u32,
    ) -> Result<Result<Option<Bytes>, Failure>> {
        let limit = Limit::of(attempts, self.attempt_timeout(silent));
        if self.stream.is_none() {
            let Some(opened) = self.open(limit, attempts).await? else { return Ok(Ok(None)) };
            match opened {
                Ok(stream) => self.stream = Some(stream),
                Err(failure) => return Ok(Err(failure)),
            }
        }
        let Some(stream) = &mut self.stream else { return Ok(Ok(None)) };
        let mut cursor = None;
        loop {
            let message = match block.rows() {
                0 => next(stream, limit, &mut self.cookies).await,
                _ if block.size() >= self.page_bytes => return Ok(Ok(cursor)),
                // Messages that have already arrived are read without waiting for others.
                _ => match stream.next().now_or_never() {
                    Some(message) => message.map_err(|status| failed(&status, &mut self.cookies)),
                    None => return Ok(Ok(cursor)),
                },
            };
            match message {
                Ok(Some(message)) => {
                    let mut scanned = None;
                    for part in rows_parts(&message) {
                        match part.map_err(torn)? {
                            RowsPart::Chunk(chunk) => {
                                if let Some(row) = self.merger.merge(&chunk).map_err(torn)? {
                                    self.rest.pass(row.key()).map_err(torn)?;
                                    block.add(row)?;
                                }
                            }
                            RowsPart::Scanned(key) => scanned = Some(key),
                        }
                    }
                    if self.rest.limit_is_reached() {
                        self.stream = None;
                        return Ok(Ok(cursor));
                    }
                    if let Some(key) = scanned {
                        self.merger.scanned(key).map_err(torn)?;
                        cursor = Some(message.slice_ref(key));
                        if block.rows() == 0 {
                            return Ok(Ok(cursor));
                        }
                    }
                }
                Ok(None) => {
                    self.stream = None;
                    self.merger.finish().map_err(torn)?;
                    self.rest.end();
                    return Ok(Ok(cursor));
                }
                Err(failure) => {
                    self.stream = None;
                    return Ok(Err(failure));
                }
            }
        }
    }

    /// Opens a stream of the remaining rows, if there are any.
    async fn open(
        &mut self,
        limit: Limit,
        attempts: &mut Attempts,
    ) -> Result<Option<Result<Answer, Failure>>> {
        self.merger.restart();
        self.rest.after(self.merger.last_key());
        let Some((rows, rows_limit)) = self.rest.request() else { return Ok(None) };
        let known = self.instance.table(&self.table)?;
        let request = ReadRowsRequest {
            table_name: known.name.clone(),
            rows: Some(rows),
            filter: self.filter.clone(),
            rows_limit,
            app_profile_id: self.instance.endpoint.app_profile.clone(),
            reversed: self.reversed,
        };
        let sending = Sending {
            instance: &self.instance,
            pool: &self.instance.data,
            path: method::READ_ROWS,
            headers: &known.headers,
            limit,
            // A stream lasts as long as its reader reads it; only each page has a deadline.
            limited: false,
        };
        self.meter.count().regions += 1;
        Ok(Some(sending.streaming(&request, attempts, &mut self.cookies).await))
    }

    /// Whether no rows are left that another stream could return.
    fn is_read(&mut self) -> bool {
        self.rest.after(self.merger.last_key());
        self.rest.is_empty()
    }

    /// How long a stream may be silent before another stream is opened. At first, this is as long
    /// as an attempt of a read may take. It doubles after each stream that was silent, because a
    /// server may look at many rows before it finds one.
    fn attempt_timeout(&self, silent: u32) -> Duration {
        let config = &self.instance.config;
        let first = self.attempt_timeout.or(config.read_attempt_timeout);
        let first = first.unwrap_or(config.attempt_timeout);
        first.saturating_mul(1 << silent.min(16))
    }
}

impl PageSource for Scanner {
    async fn next_page(&mut self) -> Result<Option<Fetched>> {
        if self.stream.is_none() && self.is_read() || self.rest.is_empty() {
            self.stream = None;
            return Ok(None);
        }
        let timeout = self.timeout.unwrap_or(self.instance.config.page_timeout);
        let mut attempts = self.instance.limited_attempts("scan", &self.table, timeout);
        let page = self.page(&mut attempts).await;
        attempts.end(page.map_err(|error| error.on_table(&self.table)))
    }

    fn caller(&self) -> Caller {
        Caller::current(self.instance.observers.trace_context())
    }

    fn idle_limit(&self) -> Option<Duration> {
        None
    }

    async fn keep_alive(&mut self) {}
}
