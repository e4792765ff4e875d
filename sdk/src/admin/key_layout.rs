use std::fmt;

use super::TableDescriptor;
use crate::key::RowKey;
use crate::key::schema::{KeyPrefix, Schema};
use crate::{Error, Result};

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

    /// Each layout in it: one, or those of all versions of a key.
    pub(super) fn versions(&self) -> Vec<Version> {
        let is_of_schema = self.schema.trim_end().ends_with(&self.fingerprint);
        match Schema::versions(&self.schema) {
            Ok(all) if is_of_schema => all.iter().map(Version::new).collect(),
            // A key written by hand need not have a schema that says what it is.
            _ => vec![Version { name: None, fingerprint: self.fingerprint.clone() }],
        }
    }

    /// The attributes of a table that hold it.
    pub(super) fn attributes(&self) -> [(&'static str, &str); 2] {
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
pub(super) struct Version {
    name: Option<String>,
    fingerprint: String,
}

impl Version {
    fn new(schema: &Schema) -> Self {
        let fingerprint = format!("{:016x}", schema.fingerprint());
        Self { name: Some(schema.name().to_owned()), fingerprint }
    }
}

impl PartialEq for Version {
    fn eq(&self, other: &Self) -> bool {
        self.fingerprint == other.fingerprint
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = &self.name {
            write!(f, "{name}, ")?;
        }
        write!(f, "fingerprint {}", self.fingerprint)
    }
}

/// More buckets than this are not a region each unless the regions are said.
const MOST_REGIONS: u32 = 256;

/// Where the regions of a new table meet, if nothing else is said: one for each bucket of the row key, in each of its
/// layouts.
pub(super) fn bucket_splits<K: RowKey>() -> Vec<Vec<u8>> {
    // A key written by hand need not have a schema that says what it is.
    let layouts = Schema::versions(K::SCHEMA).unwrap_or_default();
    let splits = layouts.iter().filter_map(|schema| match *schema.lead() {
        KeyPrefix::Salt { buckets, .. } | KeyPrefix::RandomSalt { buckets, .. }
            if buckets <= MOST_REGIONS =>
        {
            schema.split_keys(buckets as usize).ok()
        }
        _ => None,
    });
    in_order(splits)
}

/// Where this many regions of a table meet, by the layout of its row keys; of several layouts, this many for each that
/// so many share evenly.
pub(super) fn split_keys(table: &TableDescriptor, regions: usize) -> Result<Vec<Vec<u8>>> {
    let invalid = |why| Error::invalid(why).during("split").on_table(table.name());
    let layout = KeyLayout::recorded(table).ok_or_else(|| {
        let text = "it is not made from a row type, so nobody knows how its keys spread; name the split keys";
        invalid(text.to_owned())
    })?;
    if regions == 1 {
        return Ok(Vec::new());
    }
    let layouts = Schema::versions(layout.schema()).map_err(|e| {
        invalid("its row key has no schema; name the split keys".into()).caused_by(e)
    })?;
    let (mut splits, mut wrong) = (Vec::new(), None);
    for layout in layouts {
        match layout.split_keys(regions) {
            Ok(keys) => splits.push(keys),
            Err(error) => wrong = Some(error),
        }
    }
    match wrong {
        Some(error) if splits.is_empty() => Err(invalid(error.to_string())),
        _ => Ok(in_order(splits)),
    }
}

/// The split keys of all layouts, each once.
fn in_order(splits: impl IntoIterator<Item = Vec<Vec<u8>>>) -> Vec<Vec<u8>> {
    let mut all: Vec<_> = splits.into_iter().flatten().collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Whether an attribute of a table is the record of its key's layout.
pub(super) fn is_record(attribute: &str) -> bool {
    matches!(attribute, SCHEMA | FINGERPRINT)
}
