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
/// assert_eq!(Address::COLUMNS, [("d", "st"), ("d", "ci")]);
/// assert_eq!(Person::COLUMNS, [("d", "h_st"), ("d", "h_ci"), ("d", "w_st"), ("d", "w_ci")]);
/// assert_eq!(Person::WORK.column(Address::CITY).qualifier(), "w_ci");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a group of cells",
    label = "cannot be flattened",
    note = "add #[derive(CellGroup)] to it"
)]
pub trait CellGroup: Sized {
    /// Its columns, family and qualifier.
    const COLUMNS: &'static [Name];

    /// Families, and beginnings of qualifiers, of its dynamic cells.
    const RANGES: &'static [Name];

    /// How many versions of its cells a read brings.
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
