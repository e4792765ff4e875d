//! Executes a scan: reads streams of rows, one after another. Each stream continues after the last
//! row of the previous stream, or requests the next ranges of a scan whose ranges do not fit into
//! one request.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::time::Instant;

use super::call::{AttemptContext, AttemptDeadline, arrived_message, next_message};
use super::channel::AnswerStream;
use super::explanation::invalid_answer_error;
use super::failure::Failure;
use super::headers::RoutingState;
use super::instance::Instance;
use super::lower::{check_read_options, row_ranges_of_scan, scan_filter};
use super::remaining::RemainingRows;
use super::retry::RetryState;
use super::rows::RowBlock;
use crate::backend::attempts::Attempts;
use crate::backend::core::CLOSED;
use crate::backend::repeat::Idempotency;
use crate::observe::CallerContext;
use crate::reading::{FetchedPage, PageSource, RequestStats, ScanMeter};
use crate::request::call_options::CallOptions;
use crate::request::scan::RowParts;
use crate::wire::bigtable::{
    ReadRowsPart, ReadRowsRequest, RequestStats as StatsMessage, RequestStatsView, RowFilter,
    RowMerger, method, read_rows_parts,
};
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
    /// Whether the service is asked for its statistics.
    asks_for_stats: bool,
    /// The number of cells in a part of a row, if rows are returned in parts.
    cells_per_part: Option<usize>,
    bytes_per_call: usize,
    timeout: Option<Duration>,
    attempt_timeout: Option<Duration>,
    /// The options, which are checked when the first page is fetched.
    options: Option<Arc<CallOptions>>,
    rest: RemainingRows,
    merger: RowMerger,
    stream: Option<AnswerStream>,
    cookies: RoutingState,
    /// The failure of the last stream, if it broke after rows that were already returned.
    broken: Option<Failure>,
    meter: ScanMeter,
}

/// How much is fetched for a page, and how long a caller may wait for it.
pub(crate) struct PageSettings {
    pub(crate) bytes_per_call: usize,
    pub(crate) timeout: Option<Duration>,
    pub(crate) options: Option<Arc<CallOptions>>,
}

impl Scanner {
    pub(crate) fn new(
        instance: Arc<Instance>,
        table: TableName,
        scan: &Scan,
        settings: PageSettings,
        meter: ScanMeter,
    ) -> Self {
        Self {
            scan: Some(Box::new(scan.clone())),
            filter: None,
            reversed: scan.reversed,
            cursors: scan.cursors,
            asks_for_stats: scan.server_metrics,
            cells_per_part: match scan.parts {
                RowParts::Batch(cells) => Some(cells),
                RowParts::Whole | RowParts::AsSent => None,
            },
            bytes_per_call: settings.bytes_per_call,
            timeout: settings.timeout,
            attempt_timeout: settings.options.as_ref().and_then(|options| options.attempt_timeout),
            options: settings.options,
            rest: RemainingRows::new(
                &scan.range,
                row_ranges_of_scan(scan),
                scan.reversed,
                scan.limit,
            ),
            merger: RowMerger::new(scan.reversed),
            stream: None,
            cookies: RoutingState::default(),
            broken: None,
            instance,
            table,
            meter,
        }
    }

    /// Fetches the next page: the next rows, or if the scan wants cursors, the last row that the
    /// server has looked at without finding rows. Returns `None` at the end.
    async fn page(&mut self, attempts: &mut Attempts) -> Result<Option<FetchedPage>> {
        if let Some(scan) = self.scan.take() {
            check_read_options(self.options.as_deref())?;
            let kept = self
                .instance
                .family_limits("scan", &self.table, attempts.left(Duration::MAX))
                .await?;
            self.filter = scan_filter(&scan, kept.as_deref())?;
        }
        if self.instance.closing.is_closed() {
            return Err(Error::new(ErrorKind::Closed, CLOSED));
        }
        let mut block = RowBlock::default();
        // How many streams have been silent for too long while this page was fetched.
        let mut silent = 0;
        let mut retry = RetryState::new(Idempotency::Read);
        loop {
            attempts.begin_attempt();
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
                Ok(cursor) if block.row_count() == 0 && !self.rest.is_empty() => {
                    if let Some(row) = cursor {
                        self.meter.lock().heartbeats += 1;
                        self.meter.lock().cursor = Some(row.clone());
                        if self.cursors {
                            return Ok(Some(FetchedPage::Cursor(row)));
                        }
                    }
                    if attempts.is_out_of_time() {
                        let limit = attempts.timeout_text();
                        let text = format!(
                            "no row was found within {limit}; scan less, or allow more time"
                        );
                        return Err(Error::new(ErrorKind::Timeout, text));
                    }
                }
                Ok(_) => break,
                // The rows that have arrived are returned, and the failure is handled when the next
                // page is fetched.
                Err(failure) if block.row_count() > 0 => {
                    self.broken = Some(failure);
                    break;
                }
                // All requested rows had arrived before the stream broke.
                Err(_) if self.is_read() => break,
                Err(failure) => {
                    silent += u32::from(failure.is_timeout());
                    self.meter.lock().retries += 1;
                    retry.pause(&failure, self.instance.data.server(), attempts).await?;
                }
            }
        }
        if block.row_count() == 0 {
            return Ok(None);
        }
        let mut metrics = self.meter.lock();
        metrics.cells += block.cell_count() as u64;
        let rows = block.finish(self.cells_per_part);
        let cells = rows.iter().flat_map(|row| row.cells());
        metrics.bytes += cells.map(|cell| cell.size() as u64).sum::<u64>();
        metrics.rows += rows.len() as u64;
        Ok(Some(FetchedPage::Rows(rows)))
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
        let limit = AttemptDeadline::of(
            attempts,
            self.instance.stream_silence_limit(self.attempt_timeout, silent),
        );
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
            let message = match block.row_count() {
                0 => next_message(stream, limit, &mut self.cookies).await,
                _ if block.size() >= self.bytes_per_call => return Ok(Ok(cursor)),
                // Messages that have already arrived are read without waiting for others.
                _ => match arrived_message(stream, limit, &mut self.cookies) {
                    Some(message) => message,
                    None => return Ok(Ok(cursor)),
                },
            };
            match message {
                Ok(Some(message)) => {
                    let mut scanned = None;
                    for part in read_rows_parts(&message) {
                        match part.map_err(invalid_answer_error)? {
                            ReadRowsPart::Chunk(chunk) => {
                                if let Some(row) =
                                    self.merger.merge(&chunk).map_err(invalid_answer_error)?
                                {
                                    self.rest
                                        .record_row(row.key())
                                        .map_err(invalid_answer_error)?;
                                    block.add(row)?;
                                }
                            }
                            ReadRowsPart::Scanned(key) => scanned = Some(key),
                            ReadRowsPart::Stats(stats) => count_stats(&self.meter, &stats),
                        }
                    }
                    if self.rest.limit_is_reached() {
                        if let Some(stream) = self.stream.take().filter(|_| self.asks_for_stats) {
                            self.read_stats(stream, limit).await;
                        }
                        return Ok(Ok(cursor));
                    }
                    if let Some(key) = scanned {
                        self.merger.record_scanned(key).map_err(invalid_answer_error)?;
                        cursor = Some(message.slice_ref(key));
                        if block.row_count() == 0 {
                            return Ok(Ok(cursor));
                        }
                    }
                }
                Ok(None) => {
                    self.stream = None;
                    self.merger.finish().map_err(invalid_answer_error)?;
                    self.rest.mark_request_read();
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
        limit: AttemptDeadline,
        attempts: &mut Attempts,
    ) -> Result<Option<Result<AnswerStream, Failure>>> {
        self.merger.restart();
        self.rest.set_last_row(self.merger.last_key());
        let Some((rows, rows_limit)) = self.rest.next_request() else { return Ok(None) };
        let known = self.instance.table_context(&self.table)?;
        let request = ReadRowsRequest {
            table_name: known.target.table.clone(),
            authorized_view_name: known.target.authorized_view.clone(),
            materialized_view_name: known.target.materialized_view.clone(),
            rows: Some(rows),
            filter: self.filter.clone(),
            rows_limit,
            app_profile_id: self.instance.endpoint.app_profile.clone(),
            request_stats_view: match self.asks_for_stats {
                true => RequestStatsView::RequestStatsFull as i32,
                false => RequestStatsView::RequestStatsViewUnspecified as i32,
            },
            reversed: self.reversed,
        };
        let sending = AttemptContext {
            instance: &self.instance,
            pool: &self.instance.data,
            path: method::READ_ROWS,
            headers: &known.headers,
            limit,
            // A stream lasts as long as its reader reads it; only each page has a deadline.
            lasts: true,
        };
        self.meter.lock().regions += 1;
        Ok(Some(sending.streaming(&request, attempts, &mut self.cookies).await))
    }

    /// Reads the end of a stream whose rows have all arrived, for the statistics. If it breaks or
    /// takes too long, there are no statistics of this stream, and the scan does not fail.
    async fn read_stats(&mut self, mut stream: AnswerStream, limit: AttemptDeadline) {
        while let Ok(Some(message)) = next_message(&mut stream, limit, &mut self.cookies).await {
            for part in read_rows_parts(&message) {
                if let Ok(ReadRowsPart::Stats(stats)) = part {
                    count_stats(&self.meter, &stats);
                }
            }
        }
    }

    /// Whether no rows are left that another stream could return.
    fn is_read(&mut self) -> bool {
        self.rest.set_last_row(self.merger.last_key());
        self.rest.is_empty()
    }
}

/// Adds the statistics of a stream to the metrics of a scan.
fn count_stats(meter: &ScanMeter, stats: &StatsMessage) {
    let Some(view) = &stats.full_read_stats_view else { return };
    let counts = view.read_iteration_stats.unwrap_or_default();
    let count = |count: i64| u64::try_from(count).unwrap_or(0);
    let latency = view.request_latency_stats.and_then(|stats| stats.frontend_server_latency);
    let server_latency = latency.map_or(Duration::ZERO, |latency| {
        let nanos = u32::try_from(latency.nanos).unwrap_or(0);
        Duration::from_secs(count(latency.seconds))
            .saturating_add(Duration::from_nanos(nanos.into()))
    });
    meter.add_request_stats(&RequestStats {
        requests: 1,
        rows_seen: count(counts.rows_seen_count),
        rows_returned: count(counts.rows_returned_count),
        cells_seen: count(counts.cells_seen_count),
        cells_returned: count(counts.cells_returned_count),
        server_latency,
    });
}

impl PageSource for Scanner {
    async fn next_page(&mut self) -> Result<Option<FetchedPage>> {
        if self.stream.is_none() && self.is_read() || self.rest.is_empty() {
            self.stream = None;
            return Ok(None);
        }
        let timeout = self.timeout.unwrap_or(self.instance.config.page_timeout);
        let mut attempts = self.instance.budgeted_attempts("scan", &self.table, timeout);
        let page = self.page(&mut attempts).await;
        attempts.end(page.map_err(|error| error.on_table(&self.table)))
    }

    fn caller(&self) -> CallerContext {
        CallerContext::current(self.instance.observers.trace_context())
    }

    /// Dropping the stream of a call ends the call.
    fn gives_up_pages(&self) -> bool {
        true
    }

    fn idle_limit(&self) -> Option<Duration> {
        None
    }

    async fn keep_alive(&mut self) {}
}
