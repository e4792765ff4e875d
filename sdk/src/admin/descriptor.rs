use bytes::Bytes;

use super::Family;
use crate::wire::proto::{BytesBytesPair, TableSchema};
use crate::{Result, TableName, TableRow};

/// A table's name, its families and options.
///
/// ```
/// use tallrow::{Family, TableDescriptor};
///
/// let table = TableDescriptor::new("iot:readings")?
///     .family(Family::new("d").versions(3))
///     .attribute("MAX_FILESIZE", "1073741824");
/// assert_eq!(table.families()[0].name(), "d");
/// assert_eq!(table.get("MAX_FILESIZE"), Some("1073741824"));
/// # Ok::<(), tallrow::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TableDescriptor {
    name: TableName,
    families: Vec<Family>,
    attributes: Vec<(String, String)>,
}

impl TableDescriptor {
    /// A table without families yet; it needs one.
    ///
    /// See [`TableDescriptor`] for an example of this and the other functions.
    ///
    /// # Errors
    /// A name that is not one.
    pub fn new(name: &str) -> Result<Self> {
        Ok(Self { name: name.parse()?, families: Vec::new(), attributes: Vec::new() })
    }

    /// The table of a row type, with the families its definition names.
    ///
    /// See [`TableRow`] for an example.
    ///
    /// # Errors
    /// A name in a hand-written [`TableRow`] that is not one.
    pub fn of<T: TableRow>() -> Result<Self> {
        Ok(T::families().into_iter().fold(Self::new(T::TABLE)?, Self::family))
    }

    /// Adds a family, or replaces the one of the same name.
    pub fn family(mut self, family: Family) -> Self {
        self.families.retain(|f| f.name() != family.name());
        self.families.push(family);
        self
    }

    /// Sets an option of the table under HBase's own name (`TableDescriptorBuilder`).
    pub fn attribute(mut self, key: &str, value: impl ToString) -> Self {
        self.attributes.retain(|(k, _)| k != key);
        self.attributes.push((key.to_owned(), value.to_string()));
        self
    }

    /// The name of the table.
    pub fn name(&self) -> &TableName {
        &self.name
    }

    /// The families, in the order they were given in; from a server, in the order of their names.
    pub fn families(&self) -> &[Family] {
        &self.families
    }

    /// An option of the table by HBase's name for it.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.attributes.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_str())
    }

    pub(super) fn to_proto(&self) -> TableSchema {
        TableSchema {
            table_name: Some(self.name.to_proto()),
            attributes: to_pairs(&self.attributes),
            column_families: self.families.iter().map(Family::to_proto).collect(),
            configuration: Vec::new(),
        }
    }

    pub(super) fn from_proto(schema: &TableSchema) -> Result<Self> {
        let name = schema.table_name.clone().unwrap_or_default();
        Ok(Self {
            name: TableName::from_proto(&name)?,
            families: schema.column_families.iter().map(Family::from_proto).collect(),
            attributes: from_pairs(&schema.attributes),
        })
    }
}

/// Attributes are text on both sides.
pub(super) fn to_pairs(attributes: &[(String, String)]) -> Vec<BytesBytesPair> {
    let bytes = |text: &str| Bytes::copy_from_slice(text.as_bytes());
    attributes.iter().map(|(k, v)| BytesBytesPair { first: bytes(k), second: bytes(v) }).collect()
}

pub(super) fn from_pairs(pairs: &[BytesBytesPair]) -> Vec<(String, String)> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    pairs.iter().map(|pair| (text(&pair.first), text(&pair.second))).collect()
}
