//! The `CellGroup` trait: a group of cells that several row types can contain.

use super::cell_reader::CellReader;
use super::cell_writer::CellWriter;
use super::names::ColumnName;
use crate::Result;

/// A group of cells that row types share: `#[derive(CellGroup)]` implements this trait, and
/// `#[flatten]` puts the group into a row type.
///
/// An `Option` of a group is `None` if the row has no cell of the group.
///
/// ```
/// use tallrow::{CellGroup, RowKey, Table};
///
/// #[derive(CellGroup)]
/// struct Address {
///     #[cell("d:st")]
///     street: String,
///     #[cell("d:ci")]
///     city: String,
/// }
///
/// #[derive(RowKey)]
/// struct Id { id: u64 }
///
/// #[derive(Table)]
/// #[table(name = "people")]
/// #[family("d")]
/// struct Person {
///     #[key]
///     id: Id,
///     #[flatten(prefix = "h_")]
///     home: Address,
///     #[flatten(prefix = "w_")]
///     work: Option<Address>,
/// }
///
/// assert_eq!(Address::COLUMNS, [("d", &b"st"[..]), ("d", b"ci")]);
/// assert_eq!(Person::HOME.column(Address::CITY).qualifier(), b"h_ci");
/// assert_eq!(Person::WORK.column(Address::CITY).qualifier(), b"w_ci");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a group of cells",
    label = "cannot be flattened",
    note = "add #[derive(CellGroup)] to it"
)]
pub trait CellGroup: Sized {
    /// The columns of the group, as family and qualifier.
    const COLUMNS: &'static [ColumnName];

    /// The families of the group's dynamic cells, and the prefixes of their qualifiers.
    const RANGES: &'static [ColumnName];

    /// How many versions of the group's cells a read returns.
    const VERSIONS: u32;

    #[doc(hidden)]
    fn read_group(cells: &mut CellReader<'_>) -> Result<Self>;

    #[doc(hidden)]
    fn write_group(&self, cells: &mut CellWriter) -> Result<()>;

    /// Reads the group, whose columns and ranges start at these indices of the reader's lists.
    #[doc(hidden)]
    fn read_at(cells: &CellReader<'_>, columns: usize, ranges: usize) -> Result<Self> {
        Self::read_group(&mut CellReader {
            columns: part(cells.columns, columns, Self::COLUMNS.len()),
            ranges: part(cells.ranges, ranges, Self::RANGES.len()),
            at: 0,
            ..*cells
        })
    }

    /// Writes the group, whose columns and ranges start at these indices of the writer's lists.
    #[doc(hidden)]
    fn write_at(&self, cells: &mut CellWriter, columns: usize, ranges: usize) -> Result<()> {
        let (own_columns, own_ranges) = (cells.columns, cells.ranges);
        cells.columns = part(own_columns, columns, Self::COLUMNS.len());
        cells.ranges = part(own_ranges, ranges, Self::RANGES.len());
        let written = self.write_group(cells);
        (cells.columns, cells.ranges) = (own_columns, own_ranges);
        written
    }
}

impl<G: CellGroup> CellGroup for Option<G> {
    const COLUMNS: &'static [ColumnName] = G::COLUMNS;
    const RANGES: &'static [ColumnName] = G::RANGES;
    const VERSIONS: u32 = G::VERSIONS;

    fn read_group(cells: &mut CellReader<'_>) -> Result<Self> {
        cells.has_any().then(|| G::read_group(cells)).transpose()
    }

    fn write_group(&self, cells: &mut CellWriter) -> Result<()> {
        self.as_ref().map_or(Ok(()), |group| group.write_group(cells))
    }
}

/// Returns the part of a list of columns that belongs to a group.
fn part(all: &'static [ColumnName], from: usize, len: usize) -> &'static [ColumnName] {
    all.get(from..from.saturating_add(len)).unwrap_or_default()
}
