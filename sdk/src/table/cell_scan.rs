//! Scans within one row: the cells of a map, page by page, for rows too large to be read at once.

use std::fmt;
use std::ops::{Bound, RangeBounds};

use bytes::Bytes;

use super::cell_reader::decode_dynamic_cell;
use super::{Table, TypedTable};
use crate::key::{RowBuf, RowRange};
use crate::model::columns::CellSelection;
use crate::model::value::{DecodeCell, Qualifier};
use crate::reading::PageEnd;
use crate::request::scan::{CellScanExtent, Position};
use crate::table::column::DynamicColumns;
use crate::{Error, Filter, Get, Page, PageToken, Result};

/// A scan within one row that is being built: the cells of a map, in the order of their qualifiers,
/// page by page.
///
/// A row with a million cells is too large to be read as one value. A page reads only its own
/// cells, no matter where in the row it begins.
///
/// ```
/// use std::collections::BTreeMap;
/// use tallrow::{Client, Page, PageToken, RowKey, Table};
///
/// #[derive(RowKey, Clone)]
/// struct UserKey { user: u32 }
///
/// #[derive(Table)]
/// #[table(name = "friends")]
/// #[family("f")]
/// struct Friends {
///     #[key]
///     user: UserKey,
///     #[cells("f:*")]
///     since: BTreeMap<u64, String>,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = Client::connect("mock:").await?;
/// client.admin().create::<Friends>().await?;
/// let friends = client.table::<Friends>();
/// let user = UserKey { user: 7 };
/// let since = (0..25).map(|friend| (friend, "2026".to_string())).collect();
/// friends.put(&Friends { user: user.clone(), since }).await?;
///
/// let mut sizes = Vec::new();
/// let mut token: Option<PageToken> = None; // such as the parameter of a web page
/// loop {
///     let page: Page<(u64, String)> =
///         friends.scan_cells(&user, Friends::SINCE).resume(token.as_ref()).page(10).await?;
///     sizes.push(page.rows.len());
///     match page.next {
///         Some(next) => token = Some(next.to_string().parse()?),
///         None => break,
///     }
/// }
/// assert_eq!(sizes, [10, 10, 5]);
///
/// let some = friends.scan_cells(&user, Friends::SINCE).range(20..).after(&22).page(10).await?;
/// assert_eq!(some.rows.iter().map(|(friend, _)| *friend).collect::<Vec<_>>(), [23, 24]);
/// # Ok(())
/// # }
/// ```
#[must_use = "a scan does nothing until its cells are requested"]
pub struct CellScan<'t, T: Table, Q, V, C> {
    table: &'t TypedTable<T>,
    row: Result<Bytes>,
    columns: DynamicColumns<T, Q, V, C>,
    /// The range of qualifiers.
    range: RowRange,
    position: Option<Position>,
}

impl<T: Table> TypedTable<T> {
    /// Returns a scan of the cells of a map in one row, which are read page by page.
    ///
    /// See [`CellScan`] for an example.
    pub fn scan_cells<Q: Qualifier, V, C: DecodeCell<V>>(
        &self,
        key: &T::Key,
        columns: DynamicColumns<T, Q, V, C>,
    ) -> CellScan<'_, T, Q, V, C> {
        let row =
            self.encode_row_key("scan cells", key).map(|row| Bytes::copy_from_slice(row.as_ref()));
        let range = RowRange::prefix(columns.prefix());
        CellScan { table: self, row, columns, range, position: None }
    }
}

impl<T: Table, Q: Qualifier, V, C: DecodeCell<V>> CellScan<'_, T, Q, V, C> {
    /// Reads only cells whose qualifiers are in this range.
    ///
    /// See [`CellScan`] for an example of this and the other functions.
    pub fn range(mut self, qualifiers: impl RangeBounds<Q>) -> Self {
        let start = match qualifiers.start_bound() {
            Bound::Unbounded => self.range.start().to_vec(),
            Bound::Included(first) => self.bytes(first),
            Bound::Excluded(before) => next(self.bytes(before)),
        };
        let stop = match qualifiers.end_bound() {
            Bound::Unbounded => self.range.stop().map(<[u8]>::to_vec),
            Bound::Included(last) => Some(next(self.bytes(last))),
            Bound::Excluded(stop) => Some(self.bytes(stop)),
        };
        let stop = stop.map(|stop| RowBuf::from_slice(&stop));
        self.range = RowRange::new(RowBuf::from_slice(&start), stop);
        self
    }

    /// Starts after the cell with this qualifier, which need not exist; a qualifier that is not in
    /// the range is an error.
    pub fn after(mut self, qualifier: &Q) -> Self {
        self.position = Some(Position::After(self.bytes(qualifier).into()));
        self
    }

    /// Starts where the page that returned `token` ended, or at the first cell if there is no
    /// token.
    ///
    /// The row, the columns and the range must be those of the scan that returned the token.
    pub fn resume<'k>(mut self, token: impl Into<Option<&'k PageToken>>) -> Self {
        if let Some(token) = token.into() {
            self.position = Some(Position::Token(token.clone()));
        }
        self
    }

    /// Reads a page: up to `size` cells, and a token to continue with, if there are more. This is
    /// one call: a get of at most `size + 1` cells of the family, and of one more cell for each
    /// column of the family that has a field of its own.
    ///
    /// If a cell is written or deleted after a page was read, only the page to which its qualifier
    /// belongs changes: the cell appears on it or is missing from it, and no other cell moves to
    /// another page. The page of a row that does not exist is empty. Hooks are not called, because
    /// there is no row to pass to them.
    ///
    /// # Errors
    /// The errors of [`TypedTable::get`]; and
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a token of another scan, or a
    /// `size` of 0.
    pub async fn page(self, size: usize) -> Result<Page<(Q, V)>> {
        let raw = self.table.raw()?;
        let read = async {
            let row = self.row?;
            if size == 0 {
                return Err(Error::invalid("a page of 0 cells; it needs at least one"));
            }
            let (family, prefix) = (self.columns.family(), self.columns.prefix());
            let extent =
                CellScanExtent { table: raw.name(), row: &row, family, qualifiers: self.range };
            let (from, before) = extent.rest(self.position)?;
            let mut page = Page { rows: Vec::new(), next: None, ended_by: PageEnd::End };
            if !extent.qualifiers.contains(&from) {
                return Ok(page);
            }
            let is_field = |qualifier: &[u8]| T::COLUMNS.contains(&(family, qualifier));
            let fields = T::COLUMNS.iter().filter(|(of, name)| {
                *of == family && extent.qualifiers.contains(name) && **name >= *from
            });
            // The server counts in an `int`.
            let most = size.saturating_add(1).saturating_add(fields.count()).min(i32::MAX as usize);
            let mut filter = Filter::column_pagination_from(most as u32, &from);
            if let Some(stop) = extent.qualifiers.stop() {
                filter = Filter::column_range(&from[..]..stop).and(filter);
            }
            let mut columns = CellSelection::from_static(1, [family], []);
            columns.time_range = self.table.columns.time_range;
            let row = raw.get(Get::with_columns(extent.row, columns).filter(filter)).await?;
            let mut last = Bytes::new();
            let cells = row.iter().flat_map(|row| row.cells());
            for cell in cells.filter(|cell| !is_field(cell.qualifier())) {
                if page.rows.len() == size {
                    page.next = Some(extent.token(last, before.saturating_add(size as u64)));
                    page.ended_by = PageEnd::Size;
                    break;
                }
                last = Bytes::copy_from_slice(cell.qualifier());
                page.rows.push(decode_dynamic_cell::<Q, V, C>(cell, prefix)?);
            }
            Ok(page)
        };
        read.await.map_err(|error: Error| error.with_operation("scan cells").on_table(raw.name()))
    }

    fn bytes(&self, qualifier: &Q) -> Vec<u8> {
        let mut bytes = self.columns.prefix().to_vec();
        qualifier.write_qualifier(&mut bytes);
        bytes
    }
}

/// Returns the qualifier that sorts right after this one.
fn next(mut qualifier: Vec<u8>) -> Vec<u8> {
    qualifier.push(0);
    qualifier
}

impl<T: Table, Q, V, C> fmt::Debug for CellScan<'_, T, Q, V, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CellScan")
            .field("columns", &self.columns)
            .field("range", &self.range)
            .field("position", &self.position)
            .finish_non_exhaustive()
    }
}
