//! The descriptor of a table: its name, families, options and split keys.

use std::time::Duration;

use bytes::Bytes;

use super::family::FamilyDescriptor;
use super::known::{CHANGE_STREAM_RETENTION, Owner};
use super::options::Options;
use crate::model::naming::TableNameResolver;
use crate::{Result, TableName, TableRef};

/// The description of a table: its name, families, options and split keys.
///
/// The `Display` implementation writes the command of the HBase shell that creates the table,
/// without options that have the server's default.
///
/// ```
/// use tallrow::{FamilyDescriptor, TableDescriptor};
///
/// let table = TableDescriptor::new("iot:readings")?
///     .family(FamilyDescriptor::new("d").versions(3))
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
#[derive(Clone, Debug)]
#[must_use = "a description does nothing until a table is created from it"]
pub struct TableDescriptor {
    /// The name before a client completes it with its default namespace.
    name: TableName,
    /// The name as it was given.
    given: TableRef<'static>,
    families: Vec<FamilyDescriptor>,
    options: Options,
    split_keys: Vec<Bytes>,
}

impl TableDescriptor {
    /// Creates a descriptor without families; a table needs at least one family.
    ///
    /// See [`TableDescriptor`] for an example of this and the other functions.
    ///
    /// # Errors
    /// An illegal name.
    pub fn new<'a>(name: impl Into<TableRef<'a>>) -> Result<Self> {
        let given = name.into().into_owned();
        let name = given.to_unresolved_name()?;
        let (families, options, split_keys) = (Vec::new(), Options::default(), Vec::new());
        Ok(Self { name, given, families, options, split_keys })
    }

    /// Returns the descriptor with another name for the table.
    ///
    /// See [`Client::table_named`](crate::Client::table_named) for an example.
    ///
    /// # Errors
    /// An illegal name.
    pub fn with_name<'a>(self, name: impl Into<TableRef<'a>>) -> Result<Self> {
        let given = name.into().into_owned();
        Ok(Self { name: given.to_unresolved_name()?, given, ..self })
    }

    /// Returns the descriptor with the full name of the table, which `naming` completes.
    pub(crate) fn resolve_name(&self, naming: &TableNameResolver) -> Result<Self> {
        self.clone().with_name(naming.resolve(self.given.clone())?)
    }

    pub(crate) fn with_options(
        name: TableName,
        families: Vec<FamilyDescriptor>,
        options: Options,
    ) -> Self {
        let given = TableRef::from(&name);
        Self { name, given, families, options, split_keys: Vec::new() }
    }

    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    /// Adds a family. Creating or altering a table fails if its descriptor has two families with
    /// the same name.
    pub fn family(mut self, family: FamilyDescriptor) -> Self {
        self.families.push(family);
        self
    }

    /// Sets an option of the table under HBase's own name (`TableDescriptorBuilder`).
    ///
    /// | name | what it is |
    /// |---|---|
    /// | `MAX_FILESIZE` | a region is split when its largest family has this many bytes |
    /// | `MEMSTORE_FLUSHSIZE` | a region writes a store file when it has this many bytes in memory |
    /// | `READONLY` | `true`: writes are refused |
    /// | `SPLIT_ENABLED`, `MERGE_ENABLED` | `false`: the master does not split or merge regions by itself |
    /// | `COMPACTION_ENABLED` | `false`: store files are not merged |
    /// | `DURABILITY` | `SYNC_WAL`, `FSYNC_WAL`, `ASYNC_WAL`, `SKIP_WAL`: whether writes are in the log before they are acknowledged |
    /// | `REGION_REPLICATION` | how many servers hold each region, one for writes |
    ///
    /// A value that HBase cannot parse is an [`InvalidArgument`](crate::ErrorKind::InvalidArgument)
    /// when the table is created or altered.
    ///
    /// See [`TableDescriptor`] for an example.
    pub fn attribute(mut self, key: &str, value: impl ToString) -> Self {
        self.options.set(key, &value.to_string());
        self
    }

    /// Removes the options with names for which `is_removed` is true.
    pub(super) fn without_options(mut self, is_removed: fn(&str) -> bool) -> Self {
        self.options.attributes.retain(|(key, _)| !is_removed(key));
        self
    }

    /// Sets how many replicas each region has, on different servers; the default is 1, the primary
    /// replica, which accepts the writes. The other replicas answer reads with
    /// [`Consistency::Timeline`](crate::op::Consistency::Timeline).
    ///
    /// This is the table option `REGION_REPLICATION`; [`Admin::alter`](crate::Admin::alter) changes
    /// it for an existing table.
    ///
    /// ```
    /// # use tallrow::TableDescriptor;
    /// let table = TableDescriptor::new("t")?.region_replication(2);
    /// assert_eq!(table.get("REGION_REPLICATION"), Some("2"));
    /// # Ok::<(), tallrow::Error>(())
    /// ```
    pub fn region_replication(self, replicas: u16) -> Self {
        self.attribute("REGION_REPLICATION", replicas)
    }

    /// Gives the table a change stream, and sets how long changes can be read from it: from a day
    /// to a week, in whole seconds. Only Bigtable has change streams;
    /// [`RawTable::changes`](crate::RawTable::changes) reads them.
    ///
    /// This is the table option `CHANGE_STREAM_RETENTION`, in seconds;
    /// [`Admin::alter`](crate::Admin::alter) changes it for an existing table, and the value `NONE`
    /// ends the stream.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use tallrow::TableDescriptor;
    /// let table = TableDescriptor::new("t")?.change_stream_retention(Duration::from_secs(86_400));
    /// assert_eq!(table.get("CHANGE_STREAM_RETENTION"), Some("86400"));
    /// # Ok::<(), tallrow::Error>(())
    /// ```
    pub fn change_stream_retention(self, retention: Duration) -> Self {
        self.attribute(CHANGE_STREAM_RETENTION, retention.as_secs())
    }

    /// Sets a property that is otherwise read from the configuration of the servers, by its name in
    /// `hbase-site.xml`.
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

    /// Sets the row keys at which the new table is split, in any order: n keys make n + 1 regions.
    /// The descriptor of an existing table has no split keys, because HBase splits its regions by
    /// itself.
    pub fn splits<K: AsRef<[u8]>>(mut self, keys: impl IntoIterator<Item = K>) -> Self {
        self.split_keys = keys.into_iter().map(|k| Bytes::copy_from_slice(k.as_ref())).collect();
        self
    }

    /// The row keys at which the new table is split.
    ///
    /// ```
    /// # use tallrow::TableDescriptor;
    /// assert_eq!(TableDescriptor::new("t")?.splits(["m"]).split_keys(), ["m"]);
    /// # Ok::<(), tallrow::Error>(())
    /// ```
    pub fn split_keys(&self) -> &[Bytes] {
        &self.split_keys
    }

    /// The name of the table, as it was given. A client completes the name when it creates the
    /// table, see [`TableRef`].
    pub fn name(&self) -> &TableName {
        &self.name
    }

    /// The families, in the order in which they were added; in a descriptor from a server, in the
    /// order of their names.
    pub fn families(&self) -> &[FamilyDescriptor] {
        &self.families
    }

    /// The value of an option of the table, by HBase's name for the option; `None` if the option is
    /// not set.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.options.get(key)
    }

    /// Returns a copy with other families.
    pub(super) fn map_families(
        &self,
        change: impl FnMut(&FamilyDescriptor) -> FamilyDescriptor,
    ) -> Self {
        let families = self.families.iter().map(change).collect();
        Self { families, ..self.clone() }
    }

    /// Returns what is wrong with the families and the options, or `None` if nothing is.
    pub(crate) fn problem(&self) -> Option<String> {
        let of_table = self.options.problem(Owner::Table);
        of_table.map(|problem| format!("table: {problem}")).or_else(|| self.problem_of_families())
    }

    fn problem_of_families(&self) -> Option<String> {
        self.families.iter().enumerate().find_map(|(at, family)| {
            let name = family.name();
            let twice = self.families.iter().take(at).any(|other| other.name() == name);
            let text = || format!("family {name:?} is given twice; keep one");
            let options = || family.problem_of_options();
            family.problem_of_name().or_else(|| twice.then(text)).or_else(options)
        })
    }
}

impl PartialEq for TableDescriptor {
    /// Two descriptors are equal if their contents are equal, even if only one of the names is
    /// complete.
    fn eq(&self, other: &Self) -> bool {
        let Self { name, given: _, families, options, split_keys } = self;
        (name, families, options, split_keys)
            == (&other.name, &other.families, &other.options, &other.split_keys)
    }
}
