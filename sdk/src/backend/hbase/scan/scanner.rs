//! A scan as a state machine: one page at a time, across regions, lost scanners and partial rows.
//!
//! # Invariants
//!
//! - An answer that does not say whether there are more rows is not the end of a scan. Tests:
//!   `tests/suites/faults/scans.rs::heartbeats_are_no_end_and_restart_the_time_of_a_page`,
//!   `tests/suites/faults/scans.rs::a_lost_scanner_is_opened_again`.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt;
use tokio::time::Instant;

use super::collector::{Collected, Collector};
use super::open::OpenScanner;
use super::remaining::RemainingRows;
use super::replica_target::ReplicaTarget;
use super::reply::{Part, parts};
use super::sending::ScanCallOptions;
use crate::backend::hbase::cluster::Cluster;
use crate::backend::hbase::expected_cells::{ExpectedCells, not_asked_for};
use crate::backend::hbase::location::Location;
use crate::backend::hbase::lower::{ReplicaSelection, scan_message};
use crate::backend::hbase::reaction::{self, LostScanner, Reaction};
use crate::backend::hbase::replica_reads::no_replica;
use crate::backend::hbase::retry::{Attempts, CacheInvalidation, RetryDecision, Wait, classify};
use crate::backend::hbase::rpc::CallError;
use crate::backend::hbase::table_name::is_system;
use crate::model::cell::Cell;
use crate::observe::{CallerContext, Observer, ReplicaEvent};
use crate::reading::{FetchedPage, PageSource, ScanMeter};
use crate::request::call_options::CallOptions;
use crate::wire::WireError;
use crate::wire::cell_block::CellBlock;
use crate::wire::proto::{self, ScanResponse};
use crate::{Error, ErrorKind, Result, Row, Scan, TableName};

/// The largest number of rows that a server can read from a request.
pub(super) const MAX_ROWS: u32 = i32::MAX as u32;

/// A scan that is under way.
pub(crate) struct Scanner {
    pub(super) cluster: Arc<Cluster>,
    pub(super) table: TableName,
    pub(super) scan: proto::Scan,
    /// Which cells the answers may contain.
    asked: ExpectedCells,
    pub(super) rows_per_call: u32,
    /// The rows that the scan has still to return.
    pub(super) rest: RemainingRows,
    /// How long a caller may wait for rows; `None` if only the time for each page is limited, by
    /// `page_timeout`.
    timeout: Option<Duration>,
    attempt_timeout: Option<Duration>,
    priority: u32,
    replicas: ReplicaSelection,
    cursors: bool,
    pub(super) server_metrics: bool,
    meter: ScanMeter,
    pub(super) open: Option<OpenScanner>,
    pub(super) rows: Collector,
    /// The name of the current region and the read point there: a scanner that is opened again with
    /// this read point sees the same data.
    pub(super) read_point: Option<(Bytes, u64)>,
}

/// How much one call of a scan fetches, how long a caller may wait for rows, and the options of the
/// call.
pub(crate) struct PageSettings {
    pub(crate) bytes_per_call: usize,
    pub(crate) timeout: Option<Duration>,
    pub(crate) options: Option<Arc<CallOptions>>,
}

/// What the answer to a call for a page means.
enum Answer {
    Rows(Vec<Row>, Option<Bytes>),
    /// The scanner must be opened again, after this pause; the flag is true if the server reported
    /// that it does not have the region.
    Lost(Error, Wait, bool),
}

impl Scanner {
    pub(crate) fn new(
        cluster: Arc<Cluster>,
        table: TableName,
        scan: &Scan,
        settings: PageSettings,
        meter: ScanMeter,
    ) -> Self {
        let replicas =
            ReplicaSelection::of(settings.options.as_deref(), cluster.config.consistency);
        let message = proto::Scan {
            consistency: replicas.consistency(),
            ..scan_message(scan, settings.bytes_per_call, settings.options.as_deref())
        };
        Self {
            timeout: settings.timeout,
            attempt_timeout: settings.options.as_ref().and_then(|options| options.attempt_timeout),
            priority: settings.options.as_ref().and_then(|options| options.priority).unwrap_or(0),
            cursors: scan.cursors,
            server_metrics: scan.server_metrics,
            meter,
            scan: message,
            asked: ExpectedCells::of_scan(scan),
            replicas,
            rows_per_call: scan
                .hbase
                .rows_per_call
                .or(cluster
                    .config
                    .rows_per_call
                    .map(|rows| u32::try_from(rows).unwrap_or(MAX_ROWS)))
                .filter(|rows| *rows > 0)
                .unwrap_or(MAX_ROWS)
                .min(MAX_ROWS),
            rest: RemainingRows::new(&table, &scan.range, scan.reversed, scan.limit),
            rows: Collector::new(scan.parts),
            cluster,
            table,
            open: None,
            read_point: None,
        }
    }

    /// Returns the error of a scan whose servers answered, but found no row within the timeout.
    fn no_row_yet(&self, attempts: &Attempts) -> Error {
        let text = format!(
            "no row was found within {}; scan less, or allow more time",
            attempts.timeout_text()
        );
        let error = Error::new(ErrorKind::Timeout, text).on_table(&self.table);
        self.open
            .iter()
            .fold(error, |error, open| error.on_server(open.at.location.server_address()))
    }

    /// Requests a page until a server answers. Returns the rows of the page, and, if the scan asks
    /// for cursors, a cursor that shows how far the scan has read. If the options set no attempt
    /// timeout, an attempt may take `half`, which is half of the timeout, so that there is time for
    /// another attempt.
    async fn page(
        &mut self,
        attempts: &mut Attempts,
        half: Duration,
    ) -> Result<(Vec<Row>, Option<Bytes>)> {
        let mut failed: Option<Arc<Location>> = None;
        loop {
            attempts.begin_attempt();
            let mut at = match &self.open {
                Some(open) => open.at.clone(),
                None => match self.locate(failed.as_deref(), attempts).await? {
                    Some(at) => at,
                    None => continue,
                },
            };
            let request = self.request(&at);
            let sending = ScanCallOptions {
                high_priority: is_system(&self.table),
                priority: self.priority,
                timeout: attempts.left(self.attempt_timeout.unwrap_or(half)),
            };
            attempts.record_server(at.location.server_address());
            let since = Instant::now();
            let answer = match self.replicas {
                ReplicaSelection::Any if !at.is_secondary() => {
                    let call = self.call_any_replica(&mut at, request, sending).boxed();
                    let answer = attempts.traced(call).await;
                    attempts.record_server(at.location.server_address());
                    answer
                }
                _ => attempts.traced(sending.call(&self.cluster, &at, &request)).await,
            };
            self.meter.count_call(since.elapsed());
            let location = at.location.clone();
            let answer = match answer {
                Ok((response, block)) => match self.parts(&response, block) {
                    Ok(parts) => self.take(response, parts, &at)?,
                    Err(error) => {
                        return Err(Error::protocol(error).on_server(location.server_address()));
                    }
                },
                Err(error) => self.failed(error, &at)?,
            };
            match answer {
                Answer::Rows(rows, cursor) => return Ok((rows, cursor)),
                Answer::Lost(error, wait, not_there) => {
                    self.close();
                    // The next scanner continues within the row if it sees the same data.
                    self.rows.handle_lost_scanner(self.read_point.is_some());
                    failed = not_there.then_some(location);
                    self.meter.lock().retries += 1;
                    attempts.wait_for_retry(error, wait).await?;
                }
            }
        }
    }

    /// Returns the replica from which to read the next row; `None` after a pause if its location is
    /// not known yet.
    async fn locate(
        &mut self,
        failed: Option<&Location>,
        attempts: &mut Attempts,
    ) -> Result<Option<ReplicaTarget>> {
        loop {
            let wanted = self.rest.next_lookup(self.rows.incomplete_row());
            let (cluster, table) = (&self.cluster, &self.table);
            let located = match self.replicas {
                ReplicaSelection::Any => {
                    cluster
                        .locate_for_replica_read_or_pause(table, wanted, failed, attempts)
                        .await?
                }
                _ => cluster.locate_or_pause(table, wanted, failed, attempts).await?,
            };
            let Some(location) = located else { return Ok(None) };
            let mut at = ReplicaTarget::primary(location);
            if let ReplicaSelection::Only(id) = self.replicas {
                let Some(replica) = at.location.replica(id) else {
                    cluster.refresh(table, &at.location);
                    attempts.wait_for_retry(no_replica(&at.location, id), Wait::Backoff).await?;
                    return Ok(None);
                };
                at = at.secondary(replica);
            }
            let other = |(region, _): &(Bytes, u64)| **region != *at.location.name();
            if !self.read_point.as_ref().is_some_and(other) {
                return Ok(Some(at));
            }
            // The region was split or merged, or is read from another replica, where the read point
            // is not known.
            self.forget_read_point();
        }
    }

    /// Decides what a failed call means: the scan continues after the last cell that it received,
    /// or fails.
    fn failed(&mut self, error: CallError, at: &ReplicaTarget) -> Result<Answer> {
        let location = &at.location;
        if let CallError::Exception(exception) = &error
            && let Reaction::Reopen(lost) = reaction::reaction_to(exception)
        {
            if lost != LostScanner::Open {
                self.open = None;
            }
            if lost == LostScanner::Expired {
                self.read_point = None;
            }
            let error =
                reaction::error(ErrorKind::Busy, exception).on_server(location.server_address());
            return Ok(Answer::Lost(error, Wait::Backoff, false));
        }
        let thrown = matches!(error, CallError::Exception(_));
        // A server that did not answer may still have the scanner.
        let silent = matches!(error, CallError::TimedOut { .. } | CallError::Broken { .. });
        match classify(error, location.server_address()).in_region(&location.name_bytes()) {
            RetryDecision::Fail(error) => Err(error),
            RetryDecision::Again(error, wait, stale) => {
                if stale != CacheInvalidation::Nothing && !silent {
                    self.open = None;
                }
                if at.is_secondary() {
                    let replica = (&**location, &stale);
                    self.cluster.handle_replica_failure(
                        &self.table,
                        at.primary_location(),
                        replica,
                    );
                } else {
                    self.cluster.apply_invalidation(&self.table, location, &stale);
                }
                Ok(Answer::Lost(error, wait, thrown && stale == CacheInvalidation::Region))
            }
        }
    }

    /// Handles an answer: collects its rows, and notes whether more rows follow.
    fn take(
        &mut self,
        response: ScanResponse,
        parts: Vec<Part>,
        at: &ReplicaTarget,
    ) -> Result<Answer> {
        let location = &at.location;
        match &mut self.open {
            Some(open) => open.record_answer(),
            None => {
                let place = (&self.table, &self.cluster.scanners);
                self.open = Some(OpenScanner::new(at.clone(), &response, place));
                self.meter.lock().regions += 1;
                let point = response.mvcc_read_point.filter(|point| *point > 0);
                self.read_point = point.map(|point| (location.name_bytes(), point));
            }
        }
        let mut collected = Vec::with_capacity(parts.len());
        parts.into_iter().for_each(|part| self.rows.add(part, &mut collected));
        let more = (response.more_results, response.more_results_in_region);
        match more {
            (Some(false), _) => {
                self.open = None;
                self.rows.complete(&mut collected);
                self.rest.mark_ended();
            }
            (_, Some(false)) => {
                self.open = None;
                self.rows.complete(&mut collected);
            }
            // If an answer was lost, older servers answer the repeated request with an empty
            // answer, which must not be mistaken for the end of the scan.
            (None, None) if collected.is_empty() => {
                let text = "the answer does not specify whether there are more rows";
                let error = Error::new(ErrorKind::Protocol, text);
                return Ok(Answer::Lost(error, Wait::Backoff, false));
            }
            _ => {}
        }
        let is_stale = at.is_secondary() || response.stale == Some(true);
        let rows = self.pass_on(collected, is_stale)?;
        if is_stale && !rows.is_empty() {
            self.cluster.observers.replica_considered(&self.table, ReplicaEvent::Stale);
            self.meter.lock().stale_rows += rows.len() as u64;
        }
        self.measure(&response, &rows);
        if more.1 == Some(false) && more.0 != Some(false) {
            self.read_point = None;
            self.rest.finish_region(location);
        }
        if self.rest.is_empty() {
            self.close();
        }
        let cursor = match response.cursor.and_then(|cursor| cursor.row) {
            Some(row) => Some(row),
            // Part of a row that is larger than a page is progress too.
            None => self.rows.incomplete_row().cloned(),
        };
        Ok(Answer::Rows(rows, cursor.filter(|_| self.cursors)))
    }

    /// Returns the parts of an answer and counts their cells; fails if an answer has cells that
    /// were not asked for.
    fn parts(&self, response: &ScanResponse, block: CellBlock) -> Result<Vec<Part>, WireError> {
        let parts = parts(response, block)?;
        let (mut cells, mut bytes) = (0, 0);
        for part in &parts {
            self.asked.check_any_row(part.cells.iter().map(Cell::as_wire))?;
            cells += part.cells.len() as u64;
            bytes += part.cells.iter().map(|cell| cell.size() as u64).sum::<u64>();
        }
        let mut metrics = self.meter.lock();
        metrics.cells += cells;
        metrics.bytes += bytes;
        drop(metrics);
        Ok(parts)
    }

    fn measure(&self, response: &ScanResponse, rows: &[Row]) {
        let mut metrics = self.meter.lock();
        metrics.rows += rows.len() as u64;
        metrics.heartbeats += u64::from(response.heartbeat_message == Some(true));
        if let Some(row) = response.cursor.as_ref().and_then(|cursor| cursor.row.clone()) {
            metrics.cursor = Some(row);
        }
        for metric in response.scan_metrics.iter().flat_map(|metrics| &metrics.metrics) {
            if let (Some(name), Some(value)) = (&metric.name, metric.value) {
                let count = u64::try_from(value).unwrap_or_default();
                *metrics.server_counts.entry(name.clone()).or_default() += count;
            }
        }
    }

    fn pass_on(&mut self, collected: Vec<Collected>, is_stale: bool) -> Result<Vec<Row>> {
        let mut rows = Vec::with_capacity(collected.len());
        for collected in collected {
            let (cells, partial) = match collected {
                Collected::Part(_) if self.rest.limit() == Some(0) => {
                    let error = not_asked_for("more rows than the limit".into());
                    return Err(Error::protocol(error));
                }
                Collected::Part(cells) => (cells, true),
                Collected::Whole(cells) => {
                    let row = cells.first().map(|cell| cell.row()).unwrap_or_default();
                    self.rest.record_row(row).map_err(Error::protocol)?;
                    (cells, false)
                }
                Collected::Last(row, cells) => {
                    self.rest.record_row(&row).map_err(Error::protocol)?;
                    (cells, false)
                }
            };
            rows.extend(Row::new(cells, is_stale).map(|row| row.with_partial(partial)));
        }
        Ok(rows)
    }

    /// Closes the scanner on the server and forgets its read point, so that the scan continues with
    /// another scanner, which does not read at that read point.
    pub(super) fn close_and_forget_read_point(&mut self) {
        self.close();
        self.forget_read_point();
    }

    /// Forgets the read point: the next scanner may see newer data, so that a row of which only a
    /// part was received is read again, unless that part was passed on.
    fn forget_read_point(&mut self) {
        self.read_point = None;
        self.rows.handle_lost_scanner(false);
    }

    /// Closes the scanner on the server, in the background.
    fn close(&mut self) {
        if let Some(open) = self.open.take() {
            open.close(&self.cluster);
        }
    }
}

impl PageSource for Scanner {
    async fn next_page(&mut self) -> Result<Option<FetchedPage>> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let cluster = self.cluster.clone();
        let timeout = self.timeout.unwrap_or(cluster.config.page_timeout);
        let mut attempts = cluster.budgeted_attempts("scan", &self.table, timeout);
        while !self.rest.is_empty() {
            let page = self.page(&mut attempts, timeout / 2).await;
            let (rows, cursor) = match page {
                Ok((rows, None)) if rows.is_empty() && !self.rest.is_empty() => (rows, None),
                page => attempts.end(page.map_err(|e| e.on_table(&self.table)))?,
            };
            if !rows.is_empty() {
                return Ok(Some(FetchedPage::Rows(rows)));
            }
            if let Some(row) = cursor {
                return Ok(Some(FetchedPage::Cursor(row)));
            }
            if self.rest.is_empty() {
                break;
            }
            if self.timeout.is_none() {
                attempts.end(Ok(()))?;
                attempts = cluster.budgeted_attempts("scan", &self.table, timeout);
            } else if attempts.is_out_of_time() {
                let error = self.no_row_yet(&attempts);
                return attempts.end(Err(error));
            }
        }
        Ok(None)
    }

    fn caller(&self) -> CallerContext {
        CallerContext::current(self.cluster.observers.trace_context())
    }

    fn idle_limit(&self) -> Option<Duration> {
        self.open.as_ref().map(OpenScanner::idle_limit)
    }

    async fn keep_alive(&mut self) {
        let Some(open) = &mut self.open else { return };
        let timeout = self.cluster.config.attempt_timeout.min(open.idle_limit());
        self.meter.lock().renewals += 1;
        if open.renew(&self.cluster, timeout).await.is_err() {
            // The request for the next page opens another scanner; by then the server may no longer
            // keep the data that this scanner saw.
            self.close_and_forget_read_point();
        }
    }
}

impl Drop for Scanner {
    fn drop(&mut self) {
        self.close();
    }
}
