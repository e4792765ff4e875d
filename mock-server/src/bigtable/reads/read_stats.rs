//! The statistics of a read, for clients that request them.

use bytes::Bytes;
use prost::Message;
use tallrow_wire::bigtable::Duration;
use tokio::time::Instant;

use crate::bigtable::call::frame;

/// The view with all statistics.
const FULL: i32 = 2;

/// The field of a ReadRows request that requests statistics.
#[derive(Clone, PartialEq, prost::Message)]
struct StatsRequest {
    #[prost(int32, tag = "6")]
    request_stats_view: i32,
}

/// The field of a ReadRows response with the statistics.
#[derive(Clone, PartialEq, prost::Message)]
struct StatsResponse {
    #[prost(message, optional, tag = "3")]
    request_stats: Option<RequestStats>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct RequestStats {
    #[prost(message, optional, tag = "1")]
    full_read_stats_view: Option<FullReadStatsView>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct FullReadStatsView {
    #[prost(message, optional, tag = "1")]
    read_iteration_stats: Option<ReadIterationStats>,
    #[prost(message, optional, tag = "2")]
    request_latency_stats: Option<RequestLatencyStats>,
}

#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
struct ReadIterationStats {
    #[prost(int64, tag = "1")]
    rows_seen_count: i64,
    #[prost(int64, tag = "2")]
    rows_returned_count: i64,
    #[prost(int64, tag = "3")]
    cells_seen_count: i64,
    #[prost(int64, tag = "4")]
    cells_returned_count: i64,
}

#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
struct RequestLatencyStats {
    #[prost(message, optional, tag = "1")]
    frontend_server_latency: Option<Duration>,
}

/// The rows and cells of a read so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReadStats {
    started: Instant,
    counts: ReadIterationStats,
}

impl ReadStats {
    /// Makes empty statistics; `None` if the request does not ask for statistics.
    pub(super) fn for_request(request: &Bytes) -> Option<Self> {
        let asked = StatsRequest::decode(request.clone()).ok()?;
        (asked.request_stats_view == FULL)
            .then(|| Self { started: Instant::now(), counts: ReadIterationStats::default() })
    }

    /// Counts a row: its cells, and the cells that the filter returned. An interleave may return
    /// more cells than the row has.
    pub(super) fn count_row(&mut self, stored_cells: usize, returned_cells: usize) {
        self.counts.rows_seen_count += 1;
        self.counts.rows_returned_count += i64::from(returned_cells > 0);
        self.counts.cells_seen_count += stored_cells.max(returned_cells) as i64;
        self.counts.cells_returned_count += returned_cells as i64;
    }

    /// Returns the message with the statistics, in a frame.
    pub(super) fn frame(&self) -> Bytes {
        let took = self.started.elapsed();
        let latency = Duration {
            seconds: i64::try_from(took.as_secs()).unwrap_or(i64::MAX),
            nanos: took.subsec_nanos().cast_signed(),
        };
        let view = FullReadStatsView {
            read_iteration_stats: Some(self.counts),
            request_latency_stats: Some(RequestLatencyStats {
                frontend_server_latency: Some(latency),
            }),
        };
        let request_stats = RequestStats { full_read_stats_view: Some(view) };
        frame(&StatsResponse { request_stats: Some(request_stats) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_is_counted_if_that_is_asked_for() {
        let request =
            |request_stats_view| Bytes::from(StatsRequest { request_stats_view }.encode_to_vec());
        assert!(ReadStats::for_request(&request(0)).is_none());
        assert!(ReadStats::for_request(&request(1)).is_none());
        let mut stats = ReadStats::for_request(&request(FULL)).unwrap();
        stats.count_row(3, 2);
        stats.count_row(3, 0);
        stats.count_row(1, 2);
        let answer =
            StatsResponse::decode(stats.frame().slice(crate::bigtable::PREFIX_BYTES..)).unwrap();
        let view = answer.request_stats.unwrap().full_read_stats_view.unwrap();
        let counts = view.read_iteration_stats.unwrap();
        assert_eq!((counts.rows_seen_count, counts.rows_returned_count), (3, 2));
        assert_eq!((counts.cells_seen_count, counts.cells_returned_count), (8, 4));
    }
}
