//! The builder of `IdBlocks`: sets the counter, the size of a block, and the first and last id.

use bytes::Bytes;

use super::blocks::{IdBlocks, Settings};
use crate::{Error, RawTable, Result};

/// The largest number that a counter can hold.
const MAX: u64 = i64::MAX as u64;

/// Settings of [`IdBlocks`].
///
/// All processes that share a counter should use the same settings, except for the size of the
/// blocks.
///
/// ```
/// use tallrow::{Client, FamilyDescriptor, TableDescriptor, ids::IdBlocks};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = Client::connect("mock:").await?;
/// client
///     .admin()
///     .create_table(&TableDescriptor::new("ids")?.family(FamilyDescriptor::new("d")))
///     .await?;
/// let table = client.raw_table("ids")?;
/// let ids = IdBlocks::builder(table, "orders", "d", "n")
///     .block_size(100)
///     .first(5_000)
///     .max_id_bytes(3)
///     .build()?;
/// assert_eq!(ids.next_id().await?, 5_000);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is built until `build` is called"]
pub struct IdBlocksBuilder(Settings);

impl IdBlocks {
    /// Returns a builder for ids that are taken from the counter in this cell of a table.
    ///
    /// See [`IdBlocks`] for an example.
    pub fn builder(
        table: RawTable,
        row: impl AsRef<[u8]>,
        family: impl AsRef<[u8]>,
        qualifier: impl AsRef<[u8]>,
    ) -> IdBlocksBuilder {
        IdBlocksBuilder(Settings {
            table,
            row: Bytes::copy_from_slice(row.as_ref()),
            family: Bytes::copy_from_slice(family.as_ref()),
            qualifier: Bytes::copy_from_slice(qualifier.as_ref()),
            block_size: 1_000,
            first: 1,
            last: MAX,
        })
    }
}

impl IdBlocksBuilder {
    /// Sets how many ids are fetched in one call; 1,000 by default. If callers wait for more ids
    /// than that, as many ids are fetched as they wait for.
    ///
    /// See [`IdBlocksBuilder`] for an example of this and the other functions.
    pub fn block_size(self, block_size: u64) -> Self {
        Self(Settings { block_size, ..self.0 })
    }

    /// Sets the smallest id; 1 by default, which is also the minimum. A counter below the smallest
    /// id is raised when the first block is fetched.
    pub fn first(self, first: u64) -> Self {
        Self(Settings { first, ..self.0 })
    }

    /// Sets the largest id; `i64::MAX` by default, which is also the maximum.
    ///
    /// ```
    /// # use tallrow::{Client, ErrorKind, FamilyDescriptor, TableDescriptor, ids::IdBlocks};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("ids")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("ids")?;
    /// let ids = IdBlocks::builder(table, "lots", "d", "n").last(2).build()?;
    /// assert_eq!((ids.next_id().await?, ids.next_id().await?), (1, 2));
    /// assert_eq!(ids.next_id().await.unwrap_err().kind(), ErrorKind::IdsExhausted);
    /// # Ok(())
    /// # }
    /// ```
    pub fn last(self, last: u64) -> Self {
        Self(Settings { last, ..self.0 })
    }

    /// Sets [`last`](Self::last) to the largest id that fits into `bytes` bytes, 1 to 8; with 8
    /// bytes it is `i64::MAX`, the largest number of a counter.
    pub fn max_id_bytes(self, bytes: usize) -> Self {
        self.last(match bytes {
            0 => 0,
            1..8 => (1 << (8 * bytes)) - 1,
            _ => MAX,
        })
    }

    /// Builds the source of ids. Nothing is sent before the first id is requested.
    ///
    /// # Errors
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a block size of 0, a first id of
    /// 0, a last id above `i64::MAX`, or a first id above the last id.
    pub fn build(self) -> Result<IdBlocks> {
        let Settings { block_size, first, last, .. } = self.0;
        let problem = if block_size == 0 {
            "a block needs at least 1 id".to_owned()
        } else if first == 0 {
            "the first id must be at least 1".to_owned()
        } else if last > MAX {
            format!("the last id must be at most {MAX}, the largest number of a counter")
        } else if first > last {
            format!("no id is at least {first} and at most {last}")
        } else {
            return Ok(IdBlocks::new(self.0));
        };
        Err(Error::invalid(problem)
            .with_operation_if_unset("build ids")
            .on_table(self.0.table.name()))
    }
}
