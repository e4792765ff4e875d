use std::fmt;

use super::TableDescriptor;
use crate::key::RowKey;
use crate::key::schema::{Lead, Schema};

/// The attributes of a table in which the layout of its row keys is kept.
const SCHEMA: &str = "TALLROW.KEY.SCHEMA";
const FINGERPRINT: &str = "TALLROW.KEY.FINGERPRINT";

/// The layout of a table's row keys: what their bytes are, in words, and a number that stands for it.
///
/// A table that is created from a row type holds it as attributes, which the shell shows with `describe`.
///
/// ```
/// use tallrow::{KeyLayout, RowKey, Table, TableDescriptor};
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

    /// The layout that a table's attributes tell; none if it was not created from a row type.
    pub fn recorded(table: &TableDescriptor) -> Option<Self> {
        let text = |key| table.get(key).map(str::to_owned);
        Some(Self { schema: text(SCHEMA).unwrap_or_default(), fingerprint: text(FINGERPRINT)? })
    }

    /// The layout in words, a line for each part.
    pub fn schema(&self) -> &str {
        &self.schema
    }

    /// The number that stands for the layout, in 16 hex digits. Names of types and fields do not count.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    pub(super) fn record(self, table: TableDescriptor) -> TableDescriptor {
        table.attribute(FINGERPRINT, self.fingerprint).attribute(SCHEMA, self.schema)
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

/// More buckets than this are not a region each unless the regions are said.
const MOST_REGIONS: u32 = 256;

/// Where the regions of a new table meet: one for each bucket of the row key.
pub(super) fn split_keys<K: RowKey>() -> Vec<Vec<u8>> {
    let schema = Schema::parse(K::SCHEMA);
    let (buckets, first, width) = match schema.as_ref().map(Schema::lead) {
        Ok(
            &Lead::Salt { buckets, first, width, .. }
            | &Lead::RandomSalt { buckets, first, width, .. },
        ) if buckets <= MOST_REGIONS => (buckets, first, width),
        _ => return Vec::new(),
    };
    let key = |bucket: u32| {
        let bytes = bucket.to_be_bytes();
        bytes.get(bytes.len().saturating_sub(width)..).unwrap_or_default().to_vec()
    };
    (1..buckets).map(|bucket| key(first.saturating_add(bucket))).collect()
}

/// Whether an attribute of a table is the record of its key's layout.
pub(super) fn is_record(attribute: &str) -> bool {
    matches!(attribute, SCHEMA | FINGERPRINT)
}
