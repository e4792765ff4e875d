use super::names::Name;
use super::reader::CellReader;
use super::writer::CellWriter;
use crate::Result;

/// A group of cells that row types share: `#[derive(CellGroup)]` implements it, `#[flatten]` puts it into a row type.
///
/// An `Option` of a group is `None` where the row has no cell of it.
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
    /// Its columns, family and qualifier.
    const COLUMNS: &'static [Name];

    /// Families, and prefixes of qualifiers, of its dynamic cells.
    const RANGES: &'static [Name];

    /// How many versions of its cells a read returns.
    const VERSIONS: u32;

    #[doc(hidden)]
    fn read_group(cells: &mut CellReader<'_>) -> Result<Self>;

    #[doc(hidden)]
    fn write_group(&self, cells: &mut CellWriter) -> Result<()>;
}

impl<G: CellGroup> CellGroup for Option<G> {
    const COLUMNS: &'static [Name] = G::COLUMNS;
    const RANGES: &'static [Name] = G::RANGES;
    const VERSIONS: u32 = G::VERSIONS;

    fn read_group(cells: &mut CellReader<'_>) -> Result<Self> {
        cells.has_any().then(|| G::read_group(cells)).transpose()
    }

    fn write_group(&self, cells: &mut CellWriter) -> Result<()> {
        self.as_ref().map_or(Ok(()), |group| group.write_group(cells))
    }
}

impl CellReader<'_> {
    /// A group of cells, whose columns and ranges start at these indices.
    pub fn group<G: CellGroup>(&self, columns: usize, ranges: usize) -> Result<G> {
        G::read_group(&mut Self {
            columns: part(self.columns, columns, G::COLUMNS.len()),
            ranges: part(self.ranges, ranges, G::RANGES.len()),
            at: 0,
            ..*self
        })
    }
}

impl CellWriter {
    /// A group of cells, whose columns and ranges start at these indices.
    pub fn group<G: CellGroup>(&mut self, columns: usize, ranges: usize, group: &G) -> Result<()> {
        let (own_columns, own_ranges) = (self.columns, self.ranges);
        self.columns = part(own_columns, columns, G::COLUMNS.len());
        self.ranges = part(own_ranges, ranges, G::RANGES.len());
        let written = group.write_group(self);
        (self.columns, self.ranges) = (own_columns, own_ranges);
        written
    }
}

/// The part of a list of columns that belongs to a group.
fn part(all: &'static [Name], from: usize, len: usize) -> &'static [Name] {
    all.get(from..from.saturating_add(len)).unwrap_or_default()
}
