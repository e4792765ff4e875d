//! The layout of a table's row keys: a schema and its fingerprint, which the attributes of the
//! table record.

use std::fmt;

use super::table::TableDescriptor;
use crate::key::RowKey;
use crate::key::schema::Schema;

/// The attributes of a table that record the layout of its row keys.
const SCHEMA: &str = "TALLROW.KEY.SCHEMA";
const FINGERPRINT: &str = "TALLROW.KEY.FINGERPRINT";

/// The layout of a table's row keys: a schema of their bytes, and its fingerprint.
///
/// A table that is created from a row type records the layout in its attributes, which the shell
/// shows with `describe`.
///
/// ```
/// use tallrow::{RowKey, Table, TableDescriptor, admin::KeyLayout};
///
/// #[derive(RowKey)]
/// struct Isbn { number: u64 }
///
/// #[derive(Table)]
/// #[table(name = "books")]
/// #[family("b")]
/// struct Book {
///     #[key]
///     isbn: Isbn,
///     #[cell("b:t")]
///     title: String,
/// }
///
/// let layout = KeyLayout::of::<Isbn>();
/// assert!(layout.schema().contains("number: u64"));
/// let books = TableDescriptor::of::<Book>()?;
/// assert_eq!(books.get("TALLROW.KEY.FINGERPRINT"), Some(layout.fingerprint()));
/// assert_eq!(KeyLayout::of_table(&books), Some(layout));
/// # Ok::<(), tallrow::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct KeyLayout {
    schema: String,
    fingerprint: String,
}

impl KeyLayout {
    /// Returns the layout of the row key type `K`.
    ///
    /// See [`KeyLayout`] for an example of this and the other functions.
    pub fn of<K: RowKey>() -> Self {
        Self { schema: K::SCHEMA.to_owned(), fingerprint: format!("{:016x}", K::FINGERPRINT) }
    }

    /// Returns the layout that a schema describes.
    ///
    /// ```
    /// use tallrow::{TableDescriptor, admin::KeyLayout, key::schema::Schema};
    ///
    /// let layout = KeyLayout::of_schema(&Schema::parse("row key Isbn\nnumber: u64\n")?);
    /// let books = layout.record_in(TableDescriptor::new("books")?);
    /// assert_eq!(KeyLayout::of_table(&books), Some(layout));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_schema(schema: &Schema) -> Self {
        Self { schema: schema.to_string(), fingerprint: format!("{:016x}", schema.fingerprint()) }
    }

    /// Returns the `KeyLayout` that several schemas describe together, as for an enum with
    /// `#[row_key(layouts)]`; for one schema, the result is the same as that of
    /// [`of_schema`](Self::of_schema).
    ///
    /// ```
    /// use tallrow::{RowKey, admin::KeyLayout, key::schema::Schema};
    ///
    /// # #[derive(RowKey)] struct Old { user: u16 }
    /// # #[derive(RowKey)] struct New { user: u32 }
    /// #[derive(RowKey)]
    /// #[row_key(layouts)]
    /// enum User {
    ///     Old(Old),
    ///     New(New),
    /// }
    ///
    /// let layouts = Schema::parse_layouts(User::SCHEMA)?;
    /// assert_eq!(KeyLayout::of_schemas(&layouts), KeyLayout::of::<User>());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_schemas(schemas: &[Schema]) -> Self {
        if let [only] = schemas {
            return Self::of_schema(only);
        }
        let schema = Schema::layouts_text(schemas);
        let fingerprint = schema.trim_end().rsplit(' ').next().unwrap_or_default().to_owned();
        Self { schema, fingerprint }
    }

    /// Records the layout in the attributes of `table`, as is done for a table that is created from
    /// a row type.
    ///
    /// See [`of_schema`](Self::of_schema) for an example.
    pub fn record_in(&self, table: TableDescriptor) -> TableDescriptor {
        self.attributes().into_iter().fold(table, |table, (key, value)| table.attribute(key, value))
    }

    /// Returns the layout that a table's attributes record; `None` if they record no layout, for
    /// example because the table was not created from a row type.
    pub fn of_table(table: &TableDescriptor) -> Option<Self> {
        let text = |key| table.get(key).map(str::to_owned);
        Some(Self { schema: text(SCHEMA).unwrap_or_default(), fingerprint: text(FINGERPRINT)? })
    }

    /// The layout as text, with a line for each part.
    pub fn schema(&self) -> &str {
        &self.schema
    }

    /// The fingerprint of the layout, 16 hex digits. It does not depend on the names of types and
    /// fields.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// Returns the single layouts: one, unless the row key has several layouts.
    pub(super) fn layouts(&self) -> Vec<Layout> {
        let is_of_schema = self.schema.trim_end().ends_with(&self.fingerprint);
        match Schema::parse_layouts(&self.schema) {
            Ok(all) if is_of_schema => all.iter().map(Layout::new).collect(),
            // A hand-written key may have no valid schema.
            _ => vec![Layout { name: None, fingerprint: self.fingerprint.clone() }],
        }
    }

    /// Returns the attributes of a table that record the layout.
    pub(crate) fn attributes(&self) -> [(&'static str, &str); 2] {
        [(FINGERPRINT, &self.fingerprint), (SCHEMA, &self.schema)]
    }
}

impl TableDescriptor {
    /// Leaves out the layout of the row keys, which the descriptor of a row type records: a table
    /// that is created by it does not record the layout, and on Bigtable it has no row key schema.
    ///
    /// ```
    /// use tallrow::{RowKey, Table, TableDescriptor, admin::KeyLayout};
    ///
    /// # #[derive(RowKey)] struct Isbn { number: u64 }
    /// # #[derive(Table)] #[table(name = "books")] #[family("b")]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:t")] title: String }
    /// let books = TableDescriptor::of::<Book>()?;
    /// assert_eq!(KeyLayout::of_table(&books), Some(KeyLayout::of::<Isbn>()));
    /// assert_eq!(KeyLayout::of_table(&books.without_key_layout()), None);
    /// # Ok::<(), tallrow::Error>(())
    /// ```
    pub fn without_key_layout(self) -> Self {
        self.without_options(is_layout_attribute)
    }
}

impl PartialEq for KeyLayout {
    /// Two layouts are equal if their fingerprints are equal, even if the names in the layouts
    /// differ.
    fn eq(&self, other: &Self) -> bool {
        self.fingerprint == other.fingerprint
    }
}

impl Eq for KeyLayout {}

impl fmt::Display for KeyLayout {
    /// Writes the whole schema in one line, or the fingerprint if there is no schema.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.schema.is_empty() {
            true => write!(f, "fingerprint {}", self.fingerprint),
            false => f.write_str(&self.schema.trim_end().replace('\n', "; ")),
        }
    }
}

/// One layout of a table's row keys.
#[derive(Debug)]
pub(super) struct Layout {
    name: Option<String>,
    fingerprint: String,
}

impl Layout {
    fn new(schema: &Schema) -> Self {
        let fingerprint = format!("{:016x}", schema.fingerprint());
        Self { name: Some(schema.name().to_owned()), fingerprint }
    }
}

impl PartialEq for Layout {
    fn eq(&self, other: &Self) -> bool {
        self.fingerprint == other.fingerprint
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = &self.name {
            write!(f, "{name}, ")?;
        }
        write!(f, "fingerprint {}", self.fingerprint)
    }
}

/// Whether an attribute of a table records the layout of its row keys.
pub(super) fn is_layout_attribute(attribute: &str) -> bool {
    matches!(attribute, SCHEMA | FINGERPRINT)
}
