//! How many bytes the rows of a table take, measured column by column on samples.

use std::collections::BTreeMap;
use std::fmt;

use super::{CellSize, SchemaAdvice};
use crate::key::RowKey;
use crate::key::schema::{End, Field, Schema, Type};
use crate::key::show::shell;
use crate::table::private::ColumnName;
use crate::table::{WriteOptions, WriteRow};
use crate::{Result, Table};

/// The number of bytes that the rows of a table take, measured on sample rows. The size of each
/// cell is its [`CellSize`].
///
/// Only the cells that a put of each sample row writes are counted, in one version; counters are
/// not included. Columns whose qualifiers come from the data and not from the row type are shown
/// together in one line, such as `d:*`.
///
/// ```
/// use tallrow::{RowKey, Table, sizes::RowSizes};
///
/// #[derive(RowKey)]
/// struct ReadingKey {
///     device: u64,
///     #[key(rev_ts)]
///     at: i64,
/// }
///
/// #[derive(Table)]
/// #[table(name = "readings")]
/// #[family("d")]
/// #[family("place")]
/// struct Reading {
///     #[key]
///     key: ReadingKey,
///     #[cell("d:temperature")]
///     celsius: f64,
///     #[cell("place:c")]
///     city: Option<String>,
/// }
///
/// let reading = |device, city| Reading { key: ReadingKey { device, at: 5 }, celsius: 20.5, city };
/// let sizes = RowSizes::of(&[reading(1, None), reading(2, Some("Oslo".to_owned()))])?;
/// assert_eq!(
///     sizes.to_string(),
///     "\
/// readings, by 2 sample rows
/// row key               16 to 16 bytes
/// column                cells a row  bytes a cell  of it value
/// d:temperature                1.00          56.0          8.0
/// place:c                      0.50          46.0          4.0
/// a row                        1.50          79.0         10.0
/// shorter names save 12.0 bytes a row (15 %)
/// family place: every cell repeats these 5 bytes; one letter does
/// column d:temperature: every cell repeats a qualifier of 11 bytes; a few letters do
/// "
/// );
/// // A thousand million of them.
/// assert_eq!(sizes.mean_row_bytes() * 1e9, 79e9);
/// assert_eq!(sizes.bytes_saved_by_short_names() * 1e9, 12e9);
/// # Ok::<(), tallrow::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct RowSizes {
    table: &'static str,
    rows: usize,
    /// The lengths of the shortest and the longest row key.
    key: (usize, usize),
    families: Vec<String>,
    columns: Vec<ColumnSizes>,
    open_fields: Vec<String>,
}

/// The number of bytes that the cells of one column take.
///
/// See [`RowSizes`] for an example.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnSizes {
    family: String,
    /// The qualifier; `None` if qualifiers are values.
    qualifier: Option<&'static [u8]>,
    rows: usize,
    cells: usize,
    bytes: usize,
    values: usize,
    largest: usize,
    saved: usize,
}

impl RowSizes {
    /// Measures sample rows. If there are none, the result contains only the names of families and
    /// columns, and advice on these names and the row key.
    ///
    /// See [`RowSizes`] for an example of this and the other functions.
    ///
    /// # Errors
    /// If a sample row cannot be written, because a key or value cannot be encoded.
    pub fn of<'a, T: WriteRow + 'a>(rows: impl IntoIterator<Item = &'a T>) -> Result<Self> {
        let named = T::COLUMNS.iter().map(|(f, q)| ((*f).to_owned(), Some(*q)));
        let mut columns: BTreeMap<_, _> =
            named.map(|name| (name.clone(), ColumnSizes::new(name.0, name.1))).collect();
        let (mut count, mut shortest, mut longest) = (0, usize::MAX, 0);
        for row in rows {
            let put = row.to_put(WriteOptions::new())?;
            count += 1;
            shortest = shortest.min(put.row().len());
            longest = longest.max(put.row().len());
            for cell in put.cells()? {
                let family = String::from_utf8_lossy(cell.family()).into_owned();
                let is_cell =
                    |(f, q): &&ColumnName| f.as_bytes() == cell.family() && *q == cell.qualifier();
                let qualifier = T::COLUMNS.iter().find(is_cell).map(|(_, qualifier)| *qualifier);
                let column = columns
                    .entry((family.clone(), qualifier))
                    .or_insert_with(|| ColumnSizes::new(family, qualifier));
                column.add(CellSize::of(&cell));
            }
        }
        let families: Vec<_> = T::families().iter().map(|f| f.name().to_owned()).collect();
        let mut columns: Vec<_> = columns.into_values().collect();
        for column in &mut columns {
            column.rows = count;
            // One byte distinguishes 256 columns of a family.
            let qualifier = column.qualifier.map_or(0, |q| q.len().saturating_sub(1));
            column.saved = column.family.len().saturating_sub(1) + qualifier;
        }
        Ok(Self {
            table: T::TABLE,
            rows: count,
            key: (shortest.min(longest), longest),
            families,
            columns,
            open_fields: open_fields::<T>(),
        })
    }

    /// The columns, sorted by family and qualifier.
    ///
    /// ```
    /// # use tallrow::{RowKey, Table, sizes::RowSizes};
    /// # #[derive(RowKey)] struct Isbn { number: u64 }
    /// # #[derive(Table)] #[table(name = "books")] #[family("b")]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:t")] title: String }
    /// let book = Book { isbn: Isbn { number: 1 }, title: "HBase".into() };
    /// let sizes = RowSizes::of([&book])?;
    /// let title = &sizes.columns()[0];
    /// assert_eq!((title.name().as_str(), title.cells_per_row(), title.mean_cell_bytes()), ("b:t", 1.0, 35.0));
    /// # Ok::<(), tallrow::Error>(())
    /// ```
    pub fn columns(&self) -> &[ColumnSizes] {
        &self.columns
    }

    /// How many cells a row has, on average.
    ///
    /// ```
    /// # use tallrow::{RowKey, Table, sizes::RowSizes};
    /// # #[derive(RowKey)] struct Isbn { number: u64 }
    /// # #[derive(Table)] #[table(name = "books")] #[family("b")]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:t")] title: String }
    /// let book = Book { isbn: Isbn { number: 1 }, title: "HBase".into() };
    /// assert_eq!(RowSizes::of([&book])?.cells_per_row(), 1.0);
    /// # Ok::<(), tallrow::Error>(())
    /// ```
    pub fn cells_per_row(&self) -> f64 {
        self.columns.iter().map(ColumnSizes::cells_per_row).sum()
    }

    /// How many bytes a row takes, on average.
    pub fn mean_row_bytes(&self) -> f64 {
        self.columns.iter().map(|c| c.cells_per_row() * c.mean_cell_bytes()).sum()
    }

    /// How many fewer bytes a row would take, on average, if each family and each qualifier had one
    /// byte.
    pub fn bytes_saved_by_short_names(&self) -> f64 {
        self.columns.iter().map(|c| c.cells_per_row() * c.saved as f64).sum()
    }

    /// Returns advice on what costs more than it needs to.
    ///
    /// ```
    /// # use tallrow::{RowKey, Table, sizes::{SchemaAdvice, RowSizes}};
    /// # #[derive(RowKey)] struct Isbn { number: u64 }
    /// #[derive(Table)]
    /// #[table(name = "books")]
    /// #[family("books")]
    /// struct Book {
    ///     #[key]
    ///     isbn: Isbn,
    ///     #[cell("books:title")]
    ///     title: String,
    /// }
    ///
    /// let advice = RowSizes::of::<Book>(&[])?.advice();
    /// assert_eq!(advice, [SchemaAdvice::LongFamilyName("books".into())]);
    /// # Ok::<(), tallrow::Error>(())
    /// ```
    pub fn advice(&self) -> Vec<SchemaAdvice> {
        let mut advice = Vec::new();
        if self.families.len() > SchemaAdvice::MAX_FAMILIES {
            advice.push(SchemaAdvice::ManyFamilies(self.families.len()));
        }
        let long = self.families.iter().filter(|f| f.len() > SchemaAdvice::MAX_FAMILY_LEN);
        advice.extend(long.cloned().map(SchemaAdvice::LongFamilyName));
        for column in &self.columns {
            let (family, qualifier) = (column.family.clone(), column.shown_qualifier());
            if column.qualifier.is_some_and(|q| q.len() > SchemaAdvice::MAX_QUALIFIER_LEN) {
                let (family, qualifier) = (family.clone(), qualifier.clone());
                advice.push(SchemaAdvice::LongQualifier { family, qualifier });
            }
            if column.largest > SchemaAdvice::MAX_VALUE_LEN {
                advice.push(SchemaAdvice::LargeValue { family, qualifier, bytes: column.largest });
            }
        }
        if self.key.1 > SchemaAdvice::MAX_KEY_LEN {
            advice.push(SchemaAdvice::LongKey(self.key.1));
        }
        advice.extend(self.open_fields.iter().cloned().map(SchemaAdvice::UnboundedKeyField));
        advice
    }
}

impl ColumnSizes {
    fn new(family: String, qualifier: Option<&'static [u8]>) -> Self {
        let (rows, cells, bytes, values, largest, saved) = (0, 0, 0, 0, 0, 0);
        Self { family, qualifier, rows, cells, bytes, values, largest, saved }
    }

    fn add(&mut self, cell: CellSize) {
        self.cells += 1;
        self.bytes += cell.total();
        self.values += cell.value();
        self.largest = self.largest.max(cell.value());
    }

    fn shown_qualifier(&self) -> String {
        self.qualifier.map_or_else(|| "*".to_owned(), |q| shell(q).to_string())
    }

    /// The family and qualifier, such as `d:t`, or `d:*` if qualifiers are values.
    ///
    /// See [`RowSizes::columns`] for an example of this and the other functions.
    pub fn name(&self) -> String {
        format!("{}:{}", self.family, self.shown_qualifier())
    }

    /// How many cells of the column a row has, on average.
    pub fn cells_per_row(&self) -> f64 {
        mean(self.cells, self.rows)
    }

    /// How many bytes a cell of the column takes, on average.
    pub fn mean_cell_bytes(&self) -> f64 {
        mean(self.bytes, self.cells)
    }

    /// How many bytes of a cell of the column are its value, on average.
    ///
    /// See [`RowSizes::columns`] for an example.
    pub fn mean_value_bytes(&self) -> f64 {
        mean(self.values, self.cells)
    }
}

fn mean(sum: usize, count: usize) -> f64 {
    if count == 0 { 0.0 } else { sum as f64 / count as f64 }
}

impl fmt::Display for RowSizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const WIDTH: usize = 20;
        writeln!(f, "{}, by {} sample rows", self.table, self.rows)?;
        writeln!(f, "{:WIDTH$}  {} to {} bytes", "row key", self.key.0, self.key.1)?;
        writeln!(f, "{:WIDTH$}  cells a row  bytes a cell  of it value", "column")?;
        for c in &self.columns {
            let (cells, bytes, values) =
                (c.cells_per_row(), c.mean_cell_bytes(), c.mean_value_bytes());
            writeln!(f, "{:WIDTH$}  {cells:11.2}  {bytes:12.1}  {values:11.1}", c.name())?;
        }
        let (cells, bytes) = (self.cells_per_row(), self.mean_row_bytes());
        let values: f64 =
            self.columns.iter().map(|c| c.cells_per_row() * c.mean_value_bytes()).sum();
        writeln!(f, "{:WIDTH$}  {cells:11.2}  {bytes:12.1}  {values:11.1}", "a row")?;
        if self.bytes_saved_by_short_names() > 0.0 {
            let share = 100.0 * self.bytes_saved_by_short_names() / bytes;
            let saving = self.bytes_saved_by_short_names();
            writeln!(f, "shorter names save {saving:.1} bytes a row ({share:.0} %)")?;
        }
        self.advice().iter().try_for_each(|advice| writeln!(f, "{advice}"))
    }
}

/// Returns the names of the fields of a row key that may be of any length.
fn open_fields<T: Table>() -> Vec<String> {
    let Ok(schema) = Schema::parse(T::Key::SCHEMA) else {
        // A hand-written key may have no valid schema.
        return Vec::new();
    };
    let own = schema.records().iter().flat_map(|r| r.fields());
    let mut open = Vec::new();
    schema.fields().iter().chain(own).for_each(|field| add_open(field, &mut open));
    open
}

fn add_open(field: &Field, open: &mut Vec<String>) {
    let bounded =
        field.attributes().md5.is_some() || matches!(field.attributes().end(), End::Width { .. });
    let mut ty = field.ty();
    while let Type::Optional(inner) = ty {
        ty = inner;
    }
    match ty {
        Type::Text | Type::Bytes | Type::List(_) if !bounded => open.push(field.name().to_owned()),
        Type::Key(fields) => fields.iter().for_each(|field| add_open(field, open)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_without_a_bound_are_found_at_any_depth() {
        let text = "row key Log\nhost: text, md5(bytes = 16)\nplace: key\n  shop: u16\n  shelf: optional text, escaped\n\
                    code: text, width = 6, pad = 0x00\nat: i64\npath: text\n";
        let schema = Schema::parse(text).unwrap();
        let mut open = Vec::new();
        schema.fields().iter().for_each(|field| add_open(field, &mut open));
        assert_eq!(open, ["shelf", "path"]);
    }
}
