//! The layout of a table's row keys: a schema and its fingerprint, which the attributes of the
//! table record.

use std::fmt;

use super::table::TableDescriptor;
use crate::key::RowKey;
use crate::key::schema::Schema;

/// The attributes of a table in which the layout of its row keys is kept.
const SCHEMA: &str = "TALLROW.KEY.SCHEMA";
const FINGERPRINT: &str = "TALLROW.KEY.FINGERPRINT";

/// The layout of a table's row keys: a schema of their bytes, and its fingerprint.
///
/// A table that is created from a row type holds it as attributes, which the shell shows with
/// `describe`.
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
/// assert_eq!(KeyLayout::recorded(&books), Some(layout));
/// # Ok::<(), tallrow::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct KeyLayout {
    schema: String,
    fingerprint: String,
}

impl KeyLayout {
    /// The layout of a type of row keys.
    ///
    /// See [`KeyLayout`] for an example of this and the other functions.
    pub fn of<K: RowKey>() -> Self {
        Self { schema: K::SCHEMA.to_owned(), fingerprint: format!("{:016x}", K::FINGERPRINT) }
    }

    /// The layout that a schema describes.
    ///
    /// ```
    /// use tallrow::{TableDescriptor, admin::KeyLayout, key::schema::Schema};
    ///
    /// let layout = KeyLayout::of_schema(&Schema::parse("row key Isbn\nnumber: u64\n")?);
    /// let books = layout.record_in(TableDescriptor::new("books")?);
    /// assert_eq!(KeyLayout::recorded(&books), Some(layout));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_schema(schema: &Schema) -> Self {
        Self { schema: schema.to_string(), fingerprint: format!("{:016x}", schema.fingerprint()) }
    }

    /// The layouts that schemas describe, as those of an enum with `#[row_key(layouts)]`; one
    /// schema is [`of_schema`](Self::of_schema).
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
    /// let layouts = Schema::layouts(User::SCHEMA)?;
    /// assert_eq!(KeyLayout::of_layouts(&layouts), KeyLayout::of::<User>());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_layouts(schemas: &[Schema]) -> Self {
        if let [only] = schemas {
            return Self::of_schema(only);
        }
        let schema = Schema::text_of(schemas);
        let fingerprint = schema.trim_end().rsplit(' ').next().unwrap_or_default().to_owned();
        Self { schema, fingerprint }
    }

    /// Adds the layout to the attributes of a table, as a table of a row type has it.
    ///
    /// See [`of_schema`](Self::of_schema) for an example.
    pub fn record_in(&self, table: TableDescriptor) -> TableDescriptor {
        self.attributes().into_iter().fold(table, |table, (key, value)| table.attribute(key, value))
    }

    /// The layout that a table's attributes record; `None` if it was not created from a row type.
    pub fn recorded(table: &TableDescriptor) -> Option<Self> {
        let text = |key| table.get(key).map(str::to_owned);
        Some(Self { schema: text(SCHEMA).unwrap_or_default(), fingerprint: text(FINGERPRINT)? })
    }

    /// The layout as text, a line for each part.
    pub fn schema(&self) -> &str {
        &self.schema
    }

    /// The fingerprint, 16 hex digits. It does not depend on the names of types and fields.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// The layouts in it: one, unless the key has several.
    pub(super) fn layouts(&self) -> Vec<Layout> {
        let is_of_schema = self.schema.trim_end().ends_with(&self.fingerprint);
        match Schema::layouts(&self.schema) {
            Ok(all) if is_of_schema => all.iter().map(Layout::new).collect(),
            // A hand-written key may have no valid schema.
            _ => vec![Layout { name: None, fingerprint: self.fingerprint.clone() }],
        }
    }

    /// The attributes of a table that hold it.
    pub(crate) fn attributes(&self) -> [(&'static str, &str); 2] {
        [(FINGERPRINT, &self.fingerprint), (SCHEMA, &self.schema)]
    }
}

impl PartialEq for KeyLayout {
    /// Two layouts are the same if their fingerprints are, whatever the names in them.
    fn eq(&self, other: &Self) -> bool {
        self.fingerprint == other.fingerprint
    }
}

impl Eq for KeyLayout {}

impl fmt::Display for KeyLayout {
    /// All of it in one line.
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

/// Whether an attribute of a table is the record of its key's layout.
pub(super) fn is_record(attribute: &str) -> bool {
    matches!(attribute, SCHEMA | FINGERPRINT)
}
