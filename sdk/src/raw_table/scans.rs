use super::RawTable;
use crate::key::RowRange;
use crate::scan::{
    Extent, Merge, OrderedRows, Page, RowStream, Scan, ScanOrder, page_scan, read_page,
};
use crate::{Error, Result, Row};

impl RawTable {
    /// Reads the rows of a range, in order. Nothing is sent before the first one is requested.
    ///
    /// See [`RowStream`] for an example.
    ///
    /// # Errors
    /// An invalid scan.
    pub fn scan(&self, scan: Scan) -> Result<RowStream> {
        let rest = self.extent(&scan).rest(scan);
        let rest = rest.map_err(|e| e.during("scan").on_table(&self.name))?;
        let scan = rest.ranges.into_iter().fold(rest.scan, |scan, range| Scan { range, ..scan });
        self.scan_with(&scan, self.prefetch_bytes())
    }

    /// Reads a page: up to `size` rows of a scan, and a token to continue with, if there are more.
    ///
    /// See [`PageToken`](crate::PageToken) for an example.
    ///
    /// # Errors
    /// As [`RowStream::next_row`]; and [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a token of another
    /// scan, or a `size` of 0.
    pub async fn scan_page(&self, scan: Scan, size: usize) -> Result<Page<Row>> {
        self.page_of(&self.extent(&scan), scan, size, Ok).await
    }

    /// Counts the rows that a scan finds; their values are not sent.
    ///
    /// Each row is still read by the server and sent as a key, so a large table takes a while.
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
    /// As [`RowStream::next_row`].
    pub async fn count(&self, scan: Scan) -> Result<u64> {
        OrderedRows::One(self.scan(scan.keys_only())?).count().await
    }

    fn extent(&self, scan: &Scan) -> Extent {
        let order = ScanOrder { salt_len: 0, reversed: scan.reversed };
        Extent { table: self.name.clone(), layout: 0, ranges: vec![scan.range.clone()], order }
    }

    /// The rows that are left of a scan of several ranges.
    pub(crate) fn rows_of(&self, extent: &Extent, scan: Scan) -> Result<OrderedRows> {
        let rows = extent
            .rest(scan)
            .and_then(|rest| self.scan_ranges(&rest.scan, rest.ranges, extent.order));
        rows.map_err(|e| e.during("scan").on_table(&self.name))
    }

    /// A page of a scan of several ranges.
    pub(crate) async fn page_of<R>(
        &self,
        extent: &Extent,
        scan: Scan,
        size: usize,
        read: impl Fn(Row) -> Result<R>,
    ) -> Result<Page<R>> {
        let page = async {
            let rest = extent.rest(scan)?;
            let scan = page_scan(rest.scan, size)?;
            let rows = self.scan_ranges(&scan, rest.ranges, extent.order)?;
            read_page(extent, rest.before, rows, size, read).await
        };
        page.await.map_err(|e: Error| e.during("scan").on_table(&self.name))
    }

    fn scan_ranges(
        &self,
        scan: &Scan,
        mut ranges: Vec<RowRange>,
        order: ScanOrder,
    ) -> Result<OrderedRows> {
        if ranges.len() > 1 {
            ranges.retain(|range| !range.is_empty());
        }
        let prefetch = self.prefetch_bytes() / ranges.len().max(1);
        let open = |range| self.scan_with(&Scan { range, ..scan.clone() }, prefetch);
        let mut scans = ranges.into_iter().map(open).collect::<Result<Vec<_>>>()?;
        Ok(match (scans.pop(), scans.is_empty()) {
            (Some(only), true) => OrderedRows::One(only),
            (last, _) => {
                scans.extend(last);
                OrderedRows::Merged(Merge::new(scans, order, scan.limit))
            }
        })
    }

    fn scan_with(&self, scan: &Scan, prefetch_bytes: usize) -> Result<RowStream> {
        if let Some(problem) = scan.problem() {
            return Err(Error::invalid(problem).during("scan").on_table(&self.name));
        }
        let page_bytes = scan.page_bytes.unwrap_or(prefetch_bytes / 2).max(1);
        let timeout = self.left().or(self.timeout);
        Ok(self.backend.scan(self.name.clone(), scan, page_bytes, timeout))
    }

    fn prefetch_bytes(&self) -> usize {
        self.backend.config().prefetch_bytes
    }
}
