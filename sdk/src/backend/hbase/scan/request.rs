//! The requests of a scan, which open a scanner or ask an open scanner for more rows.

use super::replica_target::ReplicaTarget;
use super::scanner::{MAX_ROWS, Scanner};
use crate::backend::hbase::rpc::region_specifier;
use crate::wire::proto::{self, ScanRequest};

impl Scanner {
    /// The request for the next page.
    pub(super) fn request(&self, at: &ReplicaTarget) -> ScanRequest {
        match &self.open {
            Some(open) => open.next_request(self.next_rows()),
            None => self.open_request(at, self.read_point.as_ref().map(|(_, point)| *point)),
        }
    }

    /// The part of a request that asks for more rows.
    fn next_rows(&self) -> ScanRequest {
        let limit = self.rest.limit().map(|l| u32::try_from(l).unwrap_or(MAX_ROWS).min(MAX_ROWS));
        // A server that sends rows in batches counts each part of a row as a row.
        let rows = limit.filter(|_| self.scan.batch_size.is_none()).unwrap_or(MAX_ROWS);
        ScanRequest {
            number_of_rows: Some(rows.min(self.rows_per_call)),
            limit_of_rows: limit,
            client_handles_partials: Some(true),
            client_handles_heartbeats: Some(true),
            track_scan_metrics: self.server_metrics.then_some(true),
            ..Default::default()
        }
    }

    /// The request for rows that opens a scanner. With a read point the scanner sees the data that
    /// a lost scanner saw, and otherwise the current data.
    pub(super) fn open_request(&self, at: &ReplicaTarget, read_point: Option<u64>) -> ScanRequest {
        let request = self.next_rows();
        let bounds = self.rest.bounds(self.rows.incomplete_row());
        let scan = proto::Scan {
            include_start_row: Some(bounds.include_start),
            include_stop_row: Some(bounds.include_stop),
            start_row: Some(bounds.start),
            stop_row: Some(bounds.stop),
            caching: request.number_of_rows,
            mvcc_read_point: read_point,
            ..self.scan.clone()
        };
        let region = Some(region_specifier(&at.location.name_bytes()));
        ScanRequest { region, scan: Some(scan), ..request }
    }
}
