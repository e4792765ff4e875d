use std::fmt;

use bytes::Bytes;

use super::options::Options;
use super::{Family, KeyLayout, SchemaDiff, key_layout, shell};
use crate::wire::proto::TableSchema;
use crate::{Result, Table, TableName};

/// A table's name, its families and options, and where its regions meet.
///
/// It shows itself as the command of the HBase shell that creates it, without what is the server's default.
///
/// ```
/// use tallrow::{Family, TableDescriptor};
///
/// let table = TableDescriptor::new("iot:readings")?
///     .family(Family::new("d").versions(3))
///     .attribute("MAX_FILESIZE", "1073741824")
///     .splits(["g", "p"]);
/// assert_eq!(table.families()[0].name(), "d");
/// assert_eq!(table.get("MAX_FILESIZE"), Some("1073741824"));
/// assert_eq!(
///     table.to_string(),
///     "create 'iot:readings', {NAME => 'd', VERSIONS => 3}, MAX_FILESIZE => 1073741824, SPLITS => ['g', 'p']"
/// );
/// # Ok::<(), tallrow::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TableDescriptor {
    name: TableName,
    families: Vec<Family>,
    pub(super) options: Options,
    split_keys: Vec<Bytes>,
}

impl TableDescriptor {
    /// A table without families yet; it needs one.
    ///
    /// See [`TableDescriptor`] for an example of this and the other functions.
    ///
    /// # Errors
    /// A name that is not one.
    pub fn new(name: &str) -> Result<Self> {
        Ok(Self {
            name: name.parse()?,
            families: Vec::new(),
            options: Options::default(),
            split_keys: Vec::new(),
        })
    }

    /// The table of a row type: the families its definition names; a region for each bucket of a salted row key, up to
    /// 256, and those of each of its layouts if it has several; the layout of the row keys, which a created table then holds as attributes `TALLROW.KEY.SCHEMA` and
    /// `TALLROW.KEY.FINGERPRINT`.
    ///
    /// See [`Table`] for an example.
    ///
    /// # Errors
    /// A name in a hand-written [`Table`] that is not one.
    pub fn of<T: Table>() -> Result<Self> {
        let table = Self::new(T::TABLE)?.splits(key_layout::bucket_splits::<T::Key>());
        let layout = KeyLayout::of::<T::Key>();
        let record = |table: Self, (key, value)| table.attribute(key, value);
        let table = layout.attributes().into_iter().fold(table, record);
        Ok(T::families().into_iter().fold(table, Self::family))
    }

    /// Adds a family. No table is created or altered by a descriptor that has one of the same name already.
    pub fn family(mut self, family: Family) -> Self {
        self.families.push(family);
        self
    }

    /// Sets an option of the table under HBase's own name (`TableDescriptorBuilder`).
    pub fn attribute(mut self, key: &str, value: impl ToString) -> Self {
        self.options.set(key, &value.to_string());
        self
    }

    /// Sets what is otherwise read from the configuration of the servers, by its name in `hbase-site.xml`.
    ///
    /// ```
    /// # use tallrow::TableDescriptor;
    /// let table = TableDescriptor::new("t")?.configuration("hbase.hregion.majorcompaction", 0);
    /// assert_eq!(table.get("hbase.hregion.majorcompaction"), Some("0"));
    /// # Ok::<(), tallrow::Error>(())
    /// ```
    pub fn configuration(mut self, key: &str, value: impl ToString) -> Self {
        self.options.configure(key, &value.to_string());
        self
    }

    /// The row keys at which the regions of the created table meet, in any order, in place of those it had: n of them
    /// make n + 1 regions. A table that exists splits by itself, and its descriptor has none.
    pub fn splits<K: AsRef<[u8]>>(mut self, keys: impl IntoIterator<Item = K>) -> Self {
        self.split_keys = keys.into_iter().map(|k| Bytes::copy_from_slice(k.as_ref())).collect();
        self
    }

    /// As many regions as this, which share the row keys evenly as far as their layout tells: whole buckets, or parts of
    /// a hash in front. Of several layouts of a key, each has as many if they can be shared so.
    ///
    /// ```
    /// use tallrow::{RowKey, Table, TableDescriptor};
    ///
    /// #[derive(RowKey)]
    /// #[row_key(hash_prefix(md5, hex = 5, fields = (user)))]
    /// struct UserKey {
    ///     #[key(escaped)]
    ///     user: String,
    ///     at: u64,
    /// }
    ///
    /// #[derive(Table)]
    /// #[table(name = "users")]
    /// #[family("d")]
    /// struct User {
    ///     #[key]
    ///     key: UserKey,
    ///     #[cell("d:n")]
    ///     name: String,
    /// }
    ///
    /// let users = TableDescriptor::of::<User>()?.regions(4)?;
    /// assert_eq!(users.split_keys(), ["40000", "80000", "c0000"]);
    /// # Ok::<(), tallrow::Error>(())
    /// ```
    ///
    /// # Errors
    /// A table that is not made from a row type; row keys that start with clear values, or that so many regions do not
    /// share evenly.
    pub fn regions(self, regions: usize) -> Result<Self> {
        let keys = key_layout::split_keys(&self, regions)?;
        Ok(self.splits(keys))
    }

    /// The row keys at which the regions of the created table meet.
    ///
    /// ```
    /// # use tallrow::TableDescriptor;
    /// assert_eq!(TableDescriptor::new("t")?.splits(["m"]).split_keys(), ["m"]);
    /// # Ok::<(), tallrow::Error>(())
    /// ```
    pub fn split_keys(&self) -> &[Bytes] {
        &self.split_keys
    }

    /// What has to be altered of the live table for it to be as this definition says.
    ///
    /// See [`SchemaDiff`] for an example.
    pub fn diff(&self, live: &Self) -> SchemaDiff {
        SchemaDiff::new(self, live)
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
        self.options.get(key)
    }

    /// What is wrong with the families, if anything is.
    pub(super) fn problem(&self) -> Option<String> {
        self.families.iter().enumerate().find_map(|(at, family)| {
            let name = family.name();
            let twice = self.families.iter().take(at).any(|other| other.name() == name);
            let text = || format!("family {name:?} is given twice; keep one");
            family.problem().or_else(|| twice.then(text))
        })
    }

    pub(super) fn to_proto(&self) -> TableSchema {
        let (attributes, configuration) = self.options.to_proto();
        TableSchema {
            table_name: Some(self.name.to_proto()),
            attributes,
            column_families: self.families.iter().map(Family::to_proto).collect(),
            configuration,
        }
    }

    pub(super) fn from_proto(schema: &TableSchema) -> Result<Self> {
        let name = schema.table_name.clone().unwrap_or_default();
        Ok(Self {
            name: TableName::from_proto(&name)?,
            families: schema.column_families.iter().map(Family::from_proto).collect(),
            options: Options::from_proto(&schema.attributes, &schema.configuration),
            split_keys: Vec::new(),
        })
    }
}

impl fmt::Display for TableDescriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shell::create(self))
    }
}
