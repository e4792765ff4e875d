//! A scan as a state machine: one page at a time, across regions, lost scanners and partial rows.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use super::cluster::Cluster;
use super::location::Location;
use super::lower::scan_message;
use super::reaction::{self, Reaction};
use super::region::Lookup;
use super::retry::{Attempts, CacheInvalidation, RetryDecision, Wait, classify};
use super::rpc::{Call, CallError, Service, region_specifier};
use super::table_name::is_system;
use crate::cell::Cell;
use crate::key::RowRange;
use crate::scan::PageSource;
use crate::wire::WireError;
use crate::wire::cell;
use crate::wire::cell_block::CellBlock;
use crate::wire::proto::{self, ScanRequest, ScanResponse};
use crate::{Error, ErrorKind, Result, Row, Scan, TableName};

/// How long closing a scanner may take; the server closes it by itself when its lease ends.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// A scan that is under way.
pub(crate) struct Scanner {
    cluster: Arc<Cluster>,
    table: TableName,
    scan: proto::Scan,
    reversed: bool,
    /// The rows that are still to come.
    rest: Rest,
    /// The maximum number of them.
    limit: Option<u64>,
    /// How long a caller may wait for rows; `None` if only each page has a limit, `page_timeout`.
    timeout: Option<Duration>,
    open: Option<Open>,
    /// The first cells of a row that is not complete yet.
    partial: Vec<cell::Cell>,
    last_row: Option<Bytes>,
    /// The read point of a region, to see the same data when the scanner has to be opened again.
    read_point: Option<(Bytes, u64)>,
    done: bool,
}

/// The rows that are still to come: from `start` up to, not including, `stop`; `None` for the end of the table.
struct Rest {
    start: Bytes,
    stop: Option<Bytes>,
}

impl Rest {
    fn new(range: &RowRange) -> Self {
        let copy = Bytes::copy_from_slice;
        Self { start: copy(range.start()), stop: range.stop().map(copy) }
    }
}

/// A scanner on a server.
struct Open {
    location: Arc<Location>,
    id: u64,
    next_seq: u64,
}

/// What the answer to a call for a page means.
enum Answer {
    Rows(Vec<Row>),
    /// The scanner must be opened again; true if the server reported that it does not have the region.
    Lost(Error, bool),
}

impl Scanner {
    pub(crate) fn new(
        cluster: Arc<Cluster>,
        table: TableName,
        scan: &Scan,
        page_bytes: usize,
        timeout: Option<Duration>,
    ) -> Self {
        Self {
            timeout,
            scan: scan_message(scan, page_bytes),
            reversed: scan.reversed,
            rest: Rest::new(&scan.range),
            limit: scan.limit,
            cluster,
            table,
            open: None,
            partial: Vec::new(),
            last_row: None,
            read_point: None,
            done: scan.range.is_empty() || scan.limit == Some(0),
        }
    }

    /// The servers answered, but found no row until the time was over.
    fn no_row_yet(&self, attempts: &Attempts) -> Error {
        let text =
            format!("no row was found within {}; scan less, or allow more time", attempts.limit());
        let error = attempts.finish(Error::new(ErrorKind::Timeout, text)).on_table(&self.table);
        self.open.iter().fold(error, |error, open| error.on_server(&open.location.server))
    }

    /// One answer of a server, with rows or without; half of the time for each attempt, so that there is time for
    /// another.
    async fn page(&mut self, attempts: &mut Attempts, half: Duration) -> Result<Vec<Row>> {
        let mut failed: Option<Arc<Location>> = None;
        loop {
            attempts.begin();
            let location = match &self.open {
                Some(open) => open.location.clone(),
                None => {
                    let cluster = self.cluster.clone();
                    let table = self.table.clone();
                    let wanted = self.wanted();
                    match cluster.locate(&table, wanted, failed.as_deref(), attempts).await? {
                        Some(location) => location,
                        None => continue,
                    }
                }
            };
            let request = self.request(&location);
            let timeout = attempts.left(half);
            let call = Call {
                method: "Scan",
                param: &request,
                high_priority: is_system(&self.table),
                timeout,
            };
            let answer = self.cluster.servers.call(&location.server, Service::Client, call).await;
            let answer = match answer {
                Ok((response, mut block)) => {
                    let results =
                        results(&response, &mut block).and_then(|r| block.finish().map(|()| r));
                    match results {
                        Ok(results) => self.take(response, results, &location)?,
                        Err(error) => {
                            return Err(Error::protocol(error).on_server(&location.server));
                        }
                    }
                }
                Err(error) => self.failed(error, &location)?,
            };
            match answer {
                Answer::Rows(rows) => return Ok(rows),
                Answer::Lost(error, not_there) => {
                    self.close();
                    self.partial.clear();
                    failed = not_there.then_some(location);
                    attempts.again(error, Wait::Backoff).await?;
                }
            }
        }
    }

    /// What a failed call means: the scan continues after the last complete row, or fails.
    fn failed(&mut self, error: CallError, location: &Arc<Location>) -> Result<Answer> {
        if let CallError::Exception(exception) = &error
            && reaction::to(exception) == Reaction::Reopen
        {
            self.open = None;
            let error = reaction::error(ErrorKind::Busy, exception).on_server(&location.server);
            return Ok(Answer::Lost(error, false));
        }
        let thrown = matches!(error, CallError::Exception(_));
        match classify(error, &location.server).in_region(&location.region) {
            RetryDecision::Fail(error) => Err(error),
            RetryDecision::Again(error, _, stale) => {
                if stale != CacheInvalidation::Nothing {
                    self.open = None;
                }
                self.cluster.forget(&self.table, location, &stale);
                Ok(Answer::Lost(error, thrown && stale == CacheInvalidation::Region))
            }
        }
    }

    fn wanted(&self) -> Lookup<'_> {
        match (self.reversed, &self.rest.stop) {
            (false, _) => Lookup::Containing(&self.rest.start),
            (true, Some(stop)) => Lookup::Preceding(stop),
            (true, None) => Lookup::Preceding(b""),
        }
    }

    fn request(&self, location: &Location) -> ScanRequest {
        let max_rows = self
            .limit
            .map_or(i32::MAX as u32, |l| u32::try_from(l).unwrap_or(u32::MAX).min(i32::MAX as u32));
        let request = ScanRequest {
            number_of_rows: Some(max_rows),
            limit_of_rows: self.limit.map(|_| max_rows),
            client_handles_partials: Some(true),
            client_handles_heartbeats: Some(true),
            ..Default::default()
        };
        if let Some(open) = &self.open {
            return ScanRequest {
                scanner_id: Some(open.id),
                next_call_seq: Some(open.next_seq),
                ..request
            };
        }
        // Seen from the server, a reversed scan starts at the upper end.
        let stop = self.rest.stop.clone().unwrap_or_default();
        let (start_row, stop_row, inclusive) = match self.reversed {
            false => (self.rest.start.clone(), stop, (true, false)),
            true => (stop, self.rest.start.clone(), (false, true)),
        };
        let read_point = self.read_point.as_ref().filter(|(region, _)| *region == location.region);
        let scan = proto::Scan {
            include_start_row: Some(inclusive.0 || start_row.is_empty()),
            include_stop_row: Some(inclusive.1),
            start_row: Some(start_row),
            stop_row: Some(stop_row),
            caching: Some(max_rows),
            mvcc_read_point: read_point.map(|(_, point)| *point),
            ..self.scan.clone()
        };
        ScanRequest {
            region: Some(region_specifier(&location.region)),
            scan: Some(scan),
            ..request
        }
    }

    /// Handles an answer: its rows, and whether there are more.
    fn take(
        &mut self,
        response: ScanResponse,
        results: Vec<(Vec<cell::Cell>, bool)>,
        location: &Arc<Location>,
    ) -> Result<Answer> {
        match &mut self.open {
            Some(open) => open.next_seq += 1,
            None => {
                let id = response.scanner_id.unwrap_or(0);
                self.open = Some(Open { location: location.clone(), id, next_seq: 0 });
                if let Some(point) = response.mvcc_read_point.filter(|p| *p > 0) {
                    self.read_point = Some((location.region.clone(), point));
                }
            }
        }
        let mut rows = Vec::with_capacity(results.len());
        for (cells, partial) in results {
            let other_row =
                self.partial.first().zip(cells.first()).is_some_and(|(a, b)| a.row() != b.row());
            if other_row {
                self.complete(&mut rows)?;
            }
            match self.partial.is_empty() {
                // Nearly always, and then the row needs no list of its own.
                true => self.partial = cells,
                false => self.partial.extend(cells),
            }
            if !partial {
                self.complete(&mut rows)?;
            }
        }
        match (response.more_results, response.more_results_in_region) {
            (Some(false), _) => {
                self.open = None;
                self.complete(&mut rows)?;
                self.done = true;
            }
            (_, Some(false)) => {
                self.open = None;
                self.complete(&mut rows)?;
                self.leave_region(location);
            }
            // Older servers repeat a lost answer as an empty one, which must not be taken for the end.
            (None, None) if rows.is_empty() => {
                let text = "the answer does not specify whether there are more rows";
                return Ok(Answer::Lost(Error::new(ErrorKind::Protocol, text), false));
            }
            _ => {}
        }
        if self.limit == Some(0) {
            self.done = true;
        }
        if self.done {
            self.close();
        }
        Ok(Answer::Rows(rows))
    }

    /// The row whose cells were collected is complete.
    fn complete(&mut self, rows: &mut Vec<Row>) -> Result<()> {
        let cells = std::mem::take(&mut self.partial);
        let Some(row) = Row::new(Cell::wrap(cells), false) else { return Ok(()) };
        if self.limit == Some(0) {
            return Ok(());
        }
        let key = row.key_bytes();
        let in_order = self.last_row.as_ref().is_none_or(|last| match self.reversed {
            false => *last < key,
            true => key < *last,
        });
        if !in_order {
            let text = format!("row {} came twice or out of order", crate::show::row_key(&key));
            return Err(Error::protocol(WireError::new("scan answer", text)));
        }
        match self.reversed {
            false => self.rest.start = [&key[..], b"\0"].concat().into(),
            true => self.rest.stop = Some(key.clone()),
        }
        self.last_row = Some(key);
        self.limit = self.limit.map(|limit| limit - 1);
        rows.push(row);
        Ok(())
    }

    /// Continues at the end of the region, where the next one starts.
    fn leave_region(&mut self, location: &Location) {
        let at_end = match self.reversed {
            false => {
                let stop = self.rest.stop.as_ref();
                let end = location.end.clone();
                let last = end.is_empty() || stop.is_some_and(|stop| *stop <= end);
                self.rest.start = end;
                last
            }
            true => {
                let start = location.start.clone();
                let last = start.is_empty() || start <= self.rest.start;
                self.rest.stop = Some(start);
                last
            }
        };
        self.done = at_end;
    }

    /// Closes the scanner on the server, in the background.
    fn close(&mut self) {
        let Some(open) = self.open.take() else { return };
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let cluster = self.cluster.clone();
        runtime.spawn(async move {
            let request = ScanRequest {
                scanner_id: Some(open.id),
                close_scanner: Some(true),
                number_of_rows: Some(0),
                ..Default::default()
            };
            let call = Call {
                method: "Scan",
                param: &request,
                high_priority: true,
                timeout: CLOSE_TIMEOUT,
            };
            // A scanner that is gone already is closed.
            let _ = cluster
                .servers
                .call::<_, ScanResponse>(&open.location.server, Service::Client, call)
                .await;
        });
    }
}

impl PageSource for Scanner {
    async fn next_page(&mut self) -> Result<Option<Vec<Row>>> {
        let cluster = self.cluster.clone();
        let timeout = self.timeout.unwrap_or(cluster.config.page_timeout);
        let mut attempts = cluster.attempts("scan", timeout);
        while !self.done {
            let page = self.page(&mut attempts, timeout / 2).await;
            let rows = page.map_err(|e| attempts.finish(e).on_table(&self.table))?;
            if !rows.is_empty() {
                return Ok(Some(rows));
            }
            if self.timeout.is_none() {
                attempts = cluster.attempts("scan", timeout);
            } else if attempts.is_spent() {
                return Err(self.no_row_yet(&attempts));
            }
        }
        Ok(None)
    }
}

impl Drop for Scanner {
    fn drop(&mut self) {
        self.close();
    }
}

/// The results of an answer: cells, and whether more of the row follows.
fn results(
    response: &ScanResponse,
    block: &mut CellBlock,
) -> Result<Vec<(Vec<cell::Cell>, bool)>, WireError> {
    let partial = |at: usize| response.partial_flag_per_result.get(at).copied().unwrap_or(false);
    let mut results = Vec::with_capacity(response.cells_per_result.len().min(1 << 16));
    for (at, count) in response.cells_per_result.iter().enumerate() {
        results.push((block.cells(*count as usize)?, partial(at)));
    }
    for result in &response.results {
        let cells =
            result.cell.iter().map(cell::Cell::from_proto).collect::<Result<Vec<_>, _>>()?;
        results.push((cells, result.partial.unwrap_or(false)));
    }
    Ok(results)
}
