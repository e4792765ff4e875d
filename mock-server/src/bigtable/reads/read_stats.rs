//! The statistics of a read, for clients that request them.

use bytes::Bytes;
use tallrow_wire::bigtable::{
    Duration, FullReadStatsView, ReadIterationStats, ReadRowsRequest, ReadRowsResponse,
    RequestLatencyStats, RequestStats, RequestStatsView,
};
use tokio::time::Instant;

use crate::bigtable::call::frame;

/// The rows and cells of a read so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReadStats {
    started: Instant,
    counts: ReadIterationStats,
}

impl ReadStats {
    /// Makes empty statistics; `None` if the request does not ask for statistics.
    pub(super) fn for_request(request: &ReadRowsRequest) -> Option<Self> {
        (request.request_stats_view() == RequestStatsView::RequestStatsFull)
            .then(|| Self { started: Instant::now(), counts: ReadIterationStats::default() })
    }

    /// Counts a row, with the number of its cells and of the cells that the filter returned. An
    /// interleave may return more cells than the row has.
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
        frame(&ReadRowsResponse { request_stats: Some(request_stats), ..Default::default() })
    }
}

#[cfg(test)]
mod tests {
    use prost::Message;

    use super::*;

    #[test]
    fn a_read_is_counted_if_that_is_asked_for() {
        let request = |view: RequestStatsView| {
            ReadStats::for_request(&ReadRowsRequest {
                request_stats_view: view.into(),
                ..Default::default()
            })
        };
        assert!(request(RequestStatsView::RequestStatsViewUnspecified).is_none());
        assert!(request(RequestStatsView::RequestStatsNone).is_none());
        let mut stats = request(RequestStatsView::RequestStatsFull).unwrap();
        stats.count_row(3, 2);
        stats.count_row(3, 0);
        stats.count_row(1, 2);
        let answer =
            ReadRowsResponse::decode(stats.frame().slice(crate::bigtable::PREFIX_BYTES..)).unwrap();
        let view = answer.request_stats.unwrap().full_read_stats_view.unwrap();
        let counts = view.read_iteration_stats.unwrap();
        assert_eq!((counts.rows_seen_count, counts.rows_returned_count), (3, 2));
        assert_eq!((counts.cells_seen_count, counts.cells_returned_count), (8, 4));
    }
}
