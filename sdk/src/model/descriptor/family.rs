//! The descriptor of a column family: its name, and typed methods for the options that HBase has
//! for families.

use std::time::Duration;

use super::known::{self, Owner};
use super::options::Options;

/// A column family: a name, ideally one letter because every cell repeats it, and options for how
/// its cells are stored.
///
/// An option that is not set has the server's default, which is documented at each function. For
/// options without a function there is [`attribute`](FamilyDescriptor::attribute), which takes
/// HBase's name for the option (`ColumnFamilyDescriptorBuilder`).
///
/// ```
/// use std::time::Duration;
/// use tallrow::{FamilyDescriptor, admin::{Bloom, BlockCompression, KeepDeletedCells}};
///
/// let family = FamilyDescriptor::new("d")
///     .versions(3)
///     .ttl(Duration::from_secs(86_400))
///     .keep_deleted_cells(KeepDeletedCells::UntilTtl)
///     .bloom(Bloom::RowColumn)
///     .compression(BlockCompression::Gz);
/// assert_eq!(family.get("VERSIONS"), Some("3"));
/// assert_eq!(family.get("KEEP_DELETED_CELLS"), Some("TTL"));
/// ```
///
/// | function | HBase's name | the server's default | takes effect on an existing table |
/// |---|---|---|---|
/// | [`versions`](Self::versions) | `VERSIONS` | 1 | at once for reads; older versions go with compactions |
/// | [`min_versions`](Self::min_versions) | `MIN_VERSIONS` | 0 | the same |
/// | [`ttl`](Self::ttl) | `TTL` | for ever | the same |
/// | [`keep_deleted_cells`](Self::keep_deleted_cells) | `KEEP_DELETED_CELLS` | `FALSE` | the same |
/// | [`bloom`](Self::bloom) | `BLOOMFILTER` | `ROW` | in store files that are written from then on |
/// | [`compression`](Self::compression) | `COMPRESSION` | `NONE` | the same |
/// | [`data_block_encoding`](Self::data_block_encoding) | `DATA_BLOCK_ENCODING` | `NONE` | the same |
/// | [`block_size`](Self::block_size) | `BLOCKSIZE` | 65,536 | the same |
/// | [`in_memory`](Self::in_memory) | `IN_MEMORY` | `false` | at once |
/// | [`replicated`](Self::replicated) | `REPLICATION_SCOPE` | 0 | for writes from then on |
///
/// [`aggregate`](Self::aggregate) makes a family of Bigtable an aggregate.
///
/// [`HBaseAdmin::major_compact`](crate::admin::HBaseAdmin::major_compact) rewrites all store files.
/// `#[family("d", versions = 3)]` of a row type sets the same options, see
/// [`#[derive(Table)]`](derive@crate::Table).
#[derive(Clone, Debug, PartialEq)]
pub struct FamilyDescriptor {
    name: String,
    options: Options,
}

/// The largest number that an option can have; as a time to live it means "for ever".
const JAVA_MAX: u32 = i32::MAX as u32;

/// The longest name of a family in bytes: a cell has one byte for this length, and Java reads the
/// byte as a signed number.
const MAX_NAME: usize = 127;

/// The folder in each region, next to the folders of its families, for edits that were recovered
/// from a log.
const RECOVERED_EDITS: &str = "recovered.edits";

/// Whether deleted cells can still be read with a time range that ends before their deletion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeepDeletedCells {
    /// `FALSE`: the next flush or compaction removes deleted cells.
    No,
    /// `TRUE`: deleted cells can be read as long as versions and time to live allow.
    Yes,
    /// `TTL`: deleted cells can be read until the time to live of their delete marker has passed.
    UntilTtl,
}

/// The content of the Bloom filter of a store file. With the filter, a get skips a file that does
/// not contain what the get reads. Scans of more than one row do not use the filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Bloom {
    /// `NONE`: there is no filter. This is for tables that are only scanned.
    None,
    /// `ROW`: the rows that the file holds, with about 10 bits for each row.
    Row,
    /// `ROWCOL`: the columns of each row that the file holds, with about 10 bits for each cell.
    /// This is for gets of single columns of rows whose cells are spread over many files.
    RowColumn,
}

/// The compression of the blocks of a store file; its codec must be installed on every server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BlockCompression {
    /// `NONE`: blocks are stored uncompressed.
    None,
    /// `GZ`: available on every server.
    Gz,
    /// `SNAPPY`: faster, and less compact than `GZ`.
    Snappy,
    /// `LZ4`: faster, and less compact than `GZ`.
    Lz4,
    /// `ZSTD`: about as compact as `GZ`, and faster.
    Zstd,
}

/// The encoding of the keys within a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DataBlockEncoding {
    /// `NONE`: every key is stored in full.
    None,
    /// `PREFIX`: a key is stored without the prefix that it shares with the key before it.
    Prefix,
    /// `DIFF`: like `PREFIX`, and also without fields that are the same as in the key before it.
    Diff,
    /// `FAST_DIFF`: like `DIFF`, but faster. This is for tables with long keys and short values.
    FastDiff,
    /// `ROW_INDEX_V1`: a block contains an index of its rows, which makes gets faster and blocks a
    /// little larger.
    RowIndex,
}

impl FamilyDescriptor {
    /// Creates a family with the server's defaults.
    ///
    /// The name is 1 to 127 bytes, without `:`, `/`, `\` and control characters, does not start
    /// with `.`, and is not `recovered.edits`. [`Admin`](crate::Admin) checks the name before it
    /// creates or alters a table.
    ///
    /// See [`FamilyDescriptor`] for an example of this and the other functions.
    pub fn new(name: impl Into<String>) -> Self {
        Self::with_options(name.into(), Options::default())
    }

    pub(crate) fn with_options(name: String, options: Options) -> Self {
        Self { name, options }
    }

    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    /// Sets how many versions of a cell are kept; the default is 1. Numbers above 2,147,483,647,
    /// such as [`u32::MAX`], become 2,147,483,647.
    ///
    /// Versions are cells of the same column that have different timestamps. A read returns only
    /// the newest version unless it requests more versions
    /// ([`Get::versions`](crate::Get::versions), `#[cell("d:q", versions)]`).
    pub fn versions(self, versions: u32) -> Self {
        self.attribute("VERSIONS", versions.min(JAVA_MAX))
    }

    /// Sets how many versions are kept even after their time to live has passed; the default is 0.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tallrow::FamilyDescriptor;
    ///
    /// // A month of changes, and the latest value however old it is.
    /// let month = Duration::from_secs(30 * 86_400);
    /// let settings = FamilyDescriptor::new("s").versions(100).ttl(month).min_versions(1);
    /// assert_eq!(
    ///     (settings.get("TTL"), settings.get("MIN_VERSIONS")),
    ///     (Some("2592000"), Some("1"))
    /// );
    /// ```
    pub fn min_versions(self, versions: u32) -> Self {
        self.attribute("MIN_VERSIONS", versions.min(JAVA_MAX))
    }

    /// Sets the time to live of cells, in whole seconds; by default, and with [`Duration::MAX`],
    /// cells never expire.
    ///
    /// The time to live starts at the timestamp of the cell, even if the program has set the
    /// timestamp. Expired cells are no longer read, and a row no longer exists when all its cells
    /// have expired. Single cells can expire earlier: [`Put::ttl`](crate::Put::ttl).
    pub fn ttl(self, ttl: Duration) -> Self {
        self.attribute("TTL", ttl.as_secs().min(JAVA_MAX.into()))
    }

    /// Sets whether deleted cells are kept; the default is [`KeepDeletedCells::No`].
    pub fn keep_deleted_cells(self, keep: KeepDeletedCells) -> Self {
        let value = match keep {
            KeepDeletedCells::No => "FALSE",
            KeepDeletedCells::Yes => "TRUE",
            KeepDeletedCells::UntilTtl => "TTL",
        };
        self.attribute("KEEP_DELETED_CELLS", value)
    }

    /// Sets what the Bloom filter contains; the default is [`Bloom::Row`].
    pub fn bloom(self, bloom: Bloom) -> Self {
        let value = match bloom {
            Bloom::None => "NONE",
            Bloom::Row => "ROW",
            Bloom::RowColumn => "ROWCOL",
        };
        self.attribute("BLOOMFILTER", value)
    }

    /// Sets how blocks are compressed; the default is [`BlockCompression::None`].
    pub fn compression(self, compression: BlockCompression) -> Self {
        let value = match compression {
            BlockCompression::None => "NONE",
            BlockCompression::Gz => "GZ",
            BlockCompression::Snappy => "SNAPPY",
            BlockCompression::Lz4 => "LZ4",
            BlockCompression::Zstd => "ZSTD",
        };
        self.attribute("COMPRESSION", value)
    }

    /// Sets the size of a block in bytes; the default is 65,536. A block is the smallest part of a
    /// store file that is read. Smaller blocks make gets cheaper and need more memory for their
    /// index; larger blocks make scans cheaper and compress better.
    ///
    /// ```
    /// assert_eq!(
    ///     tallrow::FamilyDescriptor::new("d").block_size(8_192).get("BLOCKSIZE"),
    ///     Some("8192")
    /// );
    /// ```
    pub fn block_size(self, bytes: u32) -> Self {
        self.attribute("BLOCKSIZE", bytes)
    }

    /// Sets whether the family's blocks have priority in the block cache; the default is no. Blocks
    /// with priority stay in the cache longer than others, but can still be evicted.
    ///
    /// ```
    /// assert_eq!(
    ///     tallrow::FamilyDescriptor::new("d").in_memory(true).get("IN_MEMORY"),
    ///     Some("true")
    /// );
    /// ```
    pub fn in_memory(self, in_memory: bool) -> Self {
        self.attribute("IN_MEMORY", in_memory)
    }

    /// Sets how keys are encoded within a block; the default is [`DataBlockEncoding::None`].
    ///
    /// ```
    /// use tallrow::{FamilyDescriptor, admin::DataBlockEncoding};
    /// let family = FamilyDescriptor::new("d").data_block_encoding(DataBlockEncoding::FastDiff);
    /// assert_eq!(family.get("DATA_BLOCK_ENCODING"), Some("FAST_DIFF"));
    /// ```
    pub fn data_block_encoding(self, encoding: DataBlockEncoding) -> Self {
        let value = match encoding {
            DataBlockEncoding::None => "NONE",
            DataBlockEncoding::Prefix => "PREFIX",
            DataBlockEncoding::Diff => "DIFF",
            DataBlockEncoding::FastDiff => "FAST_DIFF",
            DataBlockEncoding::RowIndex => "ROW_INDEX_V1",
        };
        self.attribute("DATA_BLOCK_ENCODING", value)
    }

    /// Sets whether the family's cells are replicated to other clusters; the default is no. These
    /// other clusters are configured on the servers (`add_peer` in the shell).
    ///
    /// ```
    /// assert_eq!(
    ///     tallrow::FamilyDescriptor::new("d").replicated(true).get("REPLICATION_SCOPE"),
    ///     Some("1")
    /// );
    /// ```
    pub fn replicated(self, replicated: bool) -> Self {
        self.attribute("REPLICATION_SCOPE", u8::from(replicated))
    }

    /// Sets an option by HBase's own name for it. For `TTL`, the shell's word `FOREVER` is replaced
    /// by the number that it stands for.
    ///
    /// A value that HBase cannot parse, such as `x` for `VERSIONS`, is an
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) when a table is created or altered
    /// with it.
    ///
    /// ```
    /// assert_eq!(
    ///     tallrow::FamilyDescriptor::new("d").attribute("BLOCKCACHE", false).get("BLOCKCACHE"),
    ///     Some("false")
    /// );
    /// ```
    pub fn attribute(mut self, key: &str, value: impl ToString) -> Self {
        self.options.set(key, known::wire_value(Owner::Family, key, &value.to_string()));
        self
    }

    /// HBase's names of the options of families, for [`attribute`](Self::attribute)
    /// (`ColumnFamilyDescriptorBuilder`).
    ///
    /// ```
    /// assert!(tallrow::FamilyDescriptor::attribute_names().any(|name| name == "BLOCKCACHE"));
    /// ```
    pub fn attribute_names() -> impl Iterator<Item = &'static str> {
        known::names(Owner::Family)
    }

    /// Sets a property that is otherwise read from the configuration of the servers, by its name in
    /// `hbase-site.xml`.
    ///
    /// ```
    /// let family = tallrow::FamilyDescriptor::new("d")
    ///     .configuration("hbase.hstore.blockingStoreFiles", 20);
    /// assert_eq!(family.get("hbase.hstore.blockingStoreFiles"), Some("20"));
    /// ```
    pub fn configuration(mut self, key: &str, value: impl ToString) -> Self {
        self.options.configure(key, &value.to_string());
        self
    }

    /// Returns a copy without this option.
    pub(super) fn without_option(&self, key: &str) -> Self {
        let mut family = self.clone();
        family.options.attributes.retain(|(k, _)| k != key);
        family
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The value of an option, by HBase's name for the option; `None` if the option is not set
    /// here, so that the server's default applies.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.options.get(key)
    }

    /// Returns why HBase rejects a family of this name
    /// (`ColumnFamilyDescriptorBuilder.isLegalColumnFamilyName`), or `None` if HBase accepts the
    /// name.
    pub(super) fn problem_of_name(&self) -> Option<String> {
        let name = &self.name;
        let rule = match name
            .chars()
            .find(|c| matches!(c, ':' | '/' | '\\' | '\0'..='\x1F' | '\x7F'))
        {
            Some(':') => "':' is not allowed; a family is named without its qualifier".to_owned(),
            Some(c) => {
                format!("{c:?} is not allowed; use printable characters without ':', '/' and '\\'")
            }
            None if name.is_empty() => "it must not be empty".into(),
            None if name.starts_with('.') => "it must not start with '.'".into(),
            None if name.len() > MAX_NAME => {
                format!("it must not be longer than {MAX_NAME} bytes, found {}", name.len())
            }
            None if name == RECOVERED_EDITS => {
                "HBase keeps a folder of that name next to them".into()
            }
            None => return None,
        };
        Some(format!("family name {name:?}: {rule}"))
    }

    /// What is wrong with the options, if anything is.
    pub(super) fn problem_of_options(&self) -> Option<String> {
        let problem = self.options.problem(Owner::Family)?;
        Some(format!("family {:?}: {problem}", self.name))
    }
}
