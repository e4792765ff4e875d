//! The definition of a lookup table, and the builder of a `Lookup`.

use bytes::Bytes;

use super::handle::Lookup;
use super::mappings::{COUNTER_ROW, ID_FAMILY, Mappings, NAME_FAMILY};
use crate::admin::{FamilyDescriptor, TableDescriptor};
use crate::patterns::ids::IdBlocks;
use crate::{Error, RawTable, Result, TableRef};

/// Returns the descriptor of a lookup table. It has the families `id` and `name`, which keep one
/// version each.
///
/// See the [module](crate::lookup) for an example.
///
/// # Errors
/// If the name is illegal.
pub fn table_descriptor<'a>(name: impl Into<TableRef<'a>>) -> Result<TableDescriptor> {
    let table = TableDescriptor::new(name)?;
    Ok(table.family(FamilyDescriptor::new(ID_FAMILY)).family(FamilyDescriptor::new(NAME_FAMILY)))
}

/// Settings of a [`Lookup`].
///
/// ```
/// use tallrow::{Client, lookup::{self, Lookup}};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = Client::connect("mock:").await?;
/// client.admin().create_table(&lookup::table_descriptor("tsdb-uid")?).await?;
/// let table = client.raw_table("tsdb-uid")?;
/// let metrics = Lookup::builder(table.clone(), "metrics").width(3).block_size(50).build()?;
/// let hosts = Lookup::builder(table, "tagv").width(3).cache_bytes(64 << 20).build()?;
///
/// // Each kind has its own ids.
/// assert_eq!(metrics.get_or_create("sys.cpu.user").await?, 1);
/// assert_eq!(hosts.get_or_create("web01").await?, 1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is built until `build` is called"]
pub struct LookupBuilder {
    table: RawTable,
    kind: Bytes,
    width: usize,
    block_size: u64,
    cache_bytes: usize,
    read_only: bool,
}

impl Lookup {
    /// Returns a builder for a lookup of the names of this kind in a lookup table.
    ///
    /// See [`Lookup`] for an example.
    pub fn builder(table: RawTable, kind: impl AsRef<[u8]>) -> LookupBuilder {
        let kind = Bytes::copy_from_slice(kind.as_ref());
        LookupBuilder {
            table,
            kind,
            width: 8,
            block_size: 1,
            cache_bytes: 16 << 20,
            read_only: false,
        }
    }
}

impl LookupBuilder {
    /// Sets the width of ids in the table, 1 to 8 bytes; 8 by default. The width cannot be changed
    /// once the table contains ids.
    ///
    /// See [`LookupBuilder`] for an example of this and the other functions.
    pub fn width(self, bytes: usize) -> Self {
        Self { width: bytes, ..self }
    }

    /// Sets how many ids are taken from the counter in one call; 1 by default, as in OpenTSDB.
    pub fn block_size(self, ids: u64) -> Self {
        Self { block_size: ids, ..self }
    }

    /// Sets about how many bytes the cache may take, half of them for each direction; 16 MiB by
    /// default. With 0, nothing is cached.
    pub fn cache_bytes(self, cache_bytes: usize) -> Self {
        Self { cache_bytes, ..self }
    }

    /// Makes the lookup never write to the table: [`Lookup::get_or_create`] returns an error for a
    /// name without an id.
    ///
    /// ```
    /// # use tallrow::{Client, ErrorKind, lookup::{self, Lookup}};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&lookup::table_descriptor("tsdb-uid")?).await?;
    /// # let table = client.raw_table("tsdb-uid")?;
    /// let metrics = Lookup::builder(table, "metrics").width(3).read_only().build()?;
    /// assert_eq!(metrics.find("sys.cpu.user").await?, None);
    /// assert_eq!(
    ///     metrics.get_or_create("sys.cpu.user").await.unwrap_err().kind(),
    ///     ErrorKind::InvalidArgument
    /// );
    /// # Ok(())
    /// # }
    /// ```
    pub fn read_only(self) -> Self {
        Self { read_only: true, ..self }
    }

    /// Builds the lookup. Nothing is sent before it is used.
    ///
    /// # Errors
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a width other than 1 to 8 bytes,
    /// or a block size of 0.
    pub fn build(self) -> Result<Lookup> {
        let Self { table, kind, width, block_size, cache_bytes, read_only } = self;
        if !(1..=8).contains(&width) {
            let text = format!("ids are 1 to 8 bytes wide, not {width}");
            return Err(Error::invalid(text)
                .with_operation_if_unset("build lookup")
                .on_table(table.name()));
        }
        let ids = IdBlocks::builder(table.clone(), COUNTER_ROW, ID_FAMILY, &kind);
        let ids = ids.block_size(block_size).max_id_bytes(width).build();
        let ids = ids.map_err(|error| error.with_operation("build lookup"))?;
        let mappings = Mappings { table, kind, width };
        Ok(Lookup::new(mappings, ids, cache_bytes, read_only))
    }
}
