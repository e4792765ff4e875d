//! The methods of `RawTable` that scan: rows, pages, counts and plans, over one range or several.

use super::RawTable;
use crate::key::RowRange;
use crate::reading::{
    ConcurrentRanges, DividedRanges, FetchedRows, MergedRows, Page, PageLimits, RangeRows,
    ReadOptions, RowStream, ScanMeter, ScanPlan, ScanRows, page_scan, read_page,
};
use crate::request::call_options::CallOptions;
use crate::request::scan::{Extent, Scan, ScanOrder};
use crate::{Error, Result, Row};

/// How many ranges of an unordered scan are read concurrently, if the scan does not set this
/// number.
const WIDTH: usize = 8;

impl RawTable {
    /// Reads the rows of a range, in order, unless the scan is [`unordered`](Scan::unordered).
    /// Nothing is sent before the first row is requested.
    ///
    /// See [`RowStream`] for an example.
    ///
    /// # Errors
    /// An invalid scan.
    pub fn scan(&self, scan: Scan) -> Result<RowStream> {
        self.rows_of(&self.extent(&scan), scan).map(RowStream::new)
    }

    /// Returns the plan of a scan: its ranges, regions and calls, and which part of the work the
    /// servers will do. Regions that are not known yet are looked up; no row is read.
    ///
    /// See [`ScanPlan`] for an example.
    ///
    /// # Errors
    /// An invalid scan; the errors of [`get`](RawTable::get) when regions are looked up.
    pub async fn explain(&self, scan: Scan) -> Result<ScanPlan> {
        self.plan_of(&self.extent(&scan), scan).await
    }

    /// Reads a page of a scan: up to `size` rows, and a token with which the next page continues,
    /// if more rows follow.
    ///
    /// See [`PageToken`](crate::PageToken) for an example.
    ///
    /// # Errors
    /// The errors of [`RowStream::next_row`]; and
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a token of another scan, or a
    /// `size` of 0.
    pub async fn scan_page(&self, scan: Scan, size: usize) -> Result<Page<Row>> {
        self.page_of(&self.extent(&scan), scan, size, Ok).await
    }

    /// Counts the rows that a scan finds, without fetching their values.
    ///
    /// The server still reads each row, and sends its key, so a large table takes a while.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Put, Scan, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// # for row in ["a", "b", "c"] { table.put(Put::new(row).cell("d", "q", "v")).await?; }
    /// assert_eq!(table.count(Scan::range("b"..)).await?, 2);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`RowStream::next_row`].
    pub async fn count(&self, scan: Scan) -> Result<u64> {
        let scan = scan.keys_only();
        self.rows_of(&self.extent(&scan), scan)?.count().await
    }

    pub(super) fn extent(&self, scan: &Scan) -> Extent {
        let order = ScanOrder { salt_len: 0, reversed: scan.reversed };
        Extent { table: self.name.clone(), layout: 0, ranges: vec![scan.range.clone()], order }
    }

    /// Returns the remaining rows of a scan of several ranges.
    pub(crate) fn rows_of(&self, extent: &Extent, scan: Scan) -> Result<ScanRows> {
        let rows = extent
            .rest(scan)
            .and_then(|rest| self.scan_ranges(&rest.scan, rest.ranges, extent.order));
        rows.map_err(|e| e.with_operation_if_unset("scan").on_table(&self.name))
    }

    /// Reads a page of a scan of several ranges.
    pub(crate) async fn page_of<R>(
        &self,
        extent: &Extent,
        scan: Scan,
        size: usize,
        read: impl Fn(Row) -> Result<R>,
    ) -> Result<Page<R>> {
        let page = async {
            let rest = extent.rest(scan)?;
            let limit = rest.scan.limit;
            let scan = page_scan(rest.scan, size)?;
            let size = PageLimits::of(&scan, size);
            let rows = self.scan_ranges(&scan, rest.ranges, extent.order)?;
            read_page(extent, rest.before, rows, size, limit, read).await
        };
        page.await.map_err(|e: Error| e.with_operation_if_unset("scan").on_table(&self.name))
    }

    /// Returns the plan of a scan of several ranges.
    pub(crate) async fn plan_of(&self, extent: &Extent, scan: Scan) -> Result<ScanPlan> {
        let plan = async {
            let rest = extent.rest(scan)?;
            self.check(&rest.scan)?;
            let ranges = not_empty(rest.ranges);
            let bytes_per_call = self.bytes_per_call(&rest.scan, ranges.len());
            let mut planned = Vec::with_capacity(ranges.len());
            for range in ranges {
                let timeout = self.left().or(self.timeout);
                let regions = self.backend.regions_in("scan", &self.name, &range, timeout).await?;
                planned.push((range, regions));
            }
            let of = (&rest.scan, extent.order);
            Ok(ScanPlan::new(self.name.clone(), planned, of, bytes_per_call))
        };
        plan.await.map_err(|e: Error| e.with_operation("explain").on_table(&self.name))
    }

    fn scan_ranges(
        &self,
        scan: &Scan,
        ranges: Vec<RowRange>,
        order: ScanOrder,
    ) -> Result<ScanRows> {
        self.check(scan)?;
        let meter = ScanMeter::default();
        let ranges = not_empty(ranges);
        let bytes_per_call = self.bytes_per_call(scan, ranges.len());
        let open = |range| self.fetch(scan, range, bytes_per_call, &meter);
        let source = match (scan.parallel, scan.unordered, &ranges[..]) {
            (Some(width), unordered, _) if width > 1 && (unordered || ranges.len() == 1) => {
                RangeRows::Divided(self.divided(scan, ranges, width, meter.clone()))
            }
            (_, false, [_]) | (_, true, [_]) => match ranges.into_iter().map(open).next() {
                Some(only) => RangeRows::One(only),
                None => {
                    RangeRows::ConcurrentRanges(ConcurrentRanges::new(Vec::new(), 1, true, None))
                }
            },
            (_, false, _) => {
                let scans = ranges.into_iter().map(open).collect();
                RangeRows::Merged(MergedRows::new(scans, order, scan.limit))
            }
            (width, true, _) => {
                let scans = ranges.into_iter().map(open).collect();
                let width = width.unwrap_or(WIDTH);
                RangeRows::ConcurrentRanges(ConcurrentRanges::new(scans, width, false, scan.limit))
            }
        };
        Ok(ScanRows::new(source, meter))
    }

    /// Returns the rows of ranges. The ranges are divided at the regions of the table when the
    /// first row is requested.
    fn divided(
        &self,
        scan: &Scan,
        ranges: Vec<RowRange>,
        width: usize,
        meter: ScanMeter,
    ) -> DividedRanges {
        let plan = ReadOptions { width, ordered: !scan.unordered, limit: scan.limit };
        let (table, scan) = (self.clone(), scan.clone());
        let division = async move || {
            let mut pieces = Vec::new();
            for range in ranges {
                let timeout = table.left().or(table.timeout);
                let regions =
                    table.backend.regions_in("scan", &table.name, &range, timeout).await?;
                pieces.extend(regions.iter().filter_map(|region| region.intersection(&range)));
            }
            if scan.reversed {
                pieces.reverse();
            }
            let bytes_per_call = table.bytes_per_call(&scan, width);
            let open = |range| table.fetch(&scan, range, bytes_per_call, &meter);
            Ok(pieces.into_iter().map(open).collect())
        };
        DividedRanges::new(Box::new(move || Box::pin(division())), plan)
    }

    fn check(&self, scan: &Scan) -> Result<()> {
        match scan.problem() {
            Some(problem) => {
                Err(Error::invalid(problem).with_operation_if_unset("scan").on_table(&self.name))
            }
            None => Ok(()),
        }
    }

    /// Returns the rows of one range of a valid scan.
    fn fetch(
        &self,
        scan: &Scan,
        range: RowRange,
        bytes_per_call: usize,
        meter: &ScanMeter,
    ) -> FetchedRows {
        let options = CallOptions::merge(scan.options.as_ref(), self.options.as_ref());
        let own = scan.options.as_ref().and_then(|options| options.timeout).or(self.timeout);
        let timeout = match self.left() {
            Some(left) => Some(own.map_or(left, |own| own.min(left))),
            None => own,
        };
        let scan = Scan { range, ..scan.clone() };
        self.backend.scan(self.name.clone(), &scan, bytes_per_call, timeout, options, meter.clone())
    }

    /// Returns the size of a response in bytes, if the scan has `ranges` ranges.
    fn bytes_per_call(&self, scan: &Scan, ranges: usize) -> usize {
        let width = match (scan.unordered, scan.parallel) {
            (true, width) => ranges.min(width.unwrap_or(WIDTH)).max(width.unwrap_or(1)),
            (false, Some(width)) if ranges <= 1 => width,
            _ => ranges,
        };
        let share = self.backend.config().prefetch_bytes / width.max(1);
        // If a page of the program ends at fewer bytes, a response needs no more bytes than the
        // page.
        let most = scan.end_page_at_bytes.unwrap_or(usize::MAX);
        scan.bytes_per_call.unwrap_or_else(|| (share / 2).min(most)).max(1)
    }
}

/// Removes empty ranges, unless there is only one range.
fn not_empty(mut ranges: Vec<RowRange>) -> Vec<RowRange> {
    if ranges.len() > 1 {
        ranges.retain(|range| !range.is_empty());
    }
    ranges
}
