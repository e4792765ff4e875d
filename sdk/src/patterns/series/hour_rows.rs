//! Reads the rows of a scan and decodes each into the points of one series in one hour.

use std::fmt;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use super::hour_cells::points_of;
use super::layout::SeriesIds;
use super::point::Point;
use super::tables::Tables;
use super::time_span::TimeSpan;
use crate::key::RowRange;
use crate::reading::ScanRows;
use crate::request::scan::Extent;
use crate::{Error, ErrorKind, Result, Row, Scan};

/// The points of a series in an hour.
pub(super) struct HourRow {
    pub(super) series: SeriesIds,
    /// When the hour begins, in seconds.
    pub(super) start: u32,
    /// The points, at least one.
    pub(super) points: Vec<Point>,
}

pub(super) struct HourRows {
    tables: Arc<Tables>,
    rows: ScanRows,
    span: TimeSpan,
    wanted: Box<dyn Fn(&SeriesIds) -> bool + Send + Sync>,
}

impl HourRows {
    /// Creates a reader of the rows in these ranges. It returns only rows that belong to `wanted`
    /// series and have points in the span of time.
    pub(super) fn new(
        tables: Arc<Tables>,
        ranges: Vec<RowRange>,
        scan: Scan,
        span: TimeSpan,
        wanted: impl Fn(&SeriesIds) -> bool + Send + Sync + 'static,
    ) -> Result<Self> {
        let (table, order) = (tables.points.name().clone(), tables.layout.order());
        let rows = tables.points.rows_of(&Extent { table, layout: 0, ranges, order }, scan)?;
        Ok(Self { tables, rows, span, wanted: Box::new(wanted) })
    }

    pub(super) fn tables(&self) -> &Arc<Tables> {
        &self.tables
    }

    pub(super) fn poll_row(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<HourRow>>> {
        loop {
            let row = match ready!(self.rows.poll_row(cx)) {
                Some(Ok(row)) => row,
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            };
            let read = self.read(&row).map_err(|error| {
                error
                    .with_operation_if_unset("scan")
                    .on_table(self.tables.points.name())
                    .on_row(&row.copy_key())
            });
            if let Some(row) = read.transpose() {
                return Poll::Ready(Some(row));
            }
        }
    }

    fn read(&self, row: &Row) -> Result<Option<HourRow>> {
        let parts = self.tables.layout.decode_row_key(row.key());
        let (series, start) = parts.ok_or_else(|| {
            let text =
                "the row key has other parts, or parts of other widths, than these time series";
            Error::new(ErrorKind::Decode, text)
        })?;
        if !(self.wanted)(&series) {
            return Ok(None);
        }
        let points = points_of(row.cells())?.into_iter().filter_map(|point| point.point(start));
        let points: Vec<_> = points.filter(|point| self.span.contains(point.time())).collect();
        Ok((!points.is_empty()).then_some(HourRow { series, start, points }))
    }
}

impl fmt::Debug for HourRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tables, span, .. } = self;
        f.debug_struct("HourRows").field("of", tables).field("span", span).finish_non_exhaustive()
    }
}
