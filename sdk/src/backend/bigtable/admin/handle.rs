//! `BigtableAdmin`, the handle for the operations on tables and backups that only Bigtable has.

use std::fmt;
use std::sync::Arc;

use prost::Message;

use super::tables;
use crate::backend::attempts::Attempts;
use crate::backend::bigtable::Instance;
use crate::backend::bigtable::samples::KeySample;
use crate::backend::repeat::Idempotency;
use crate::key::RowRange;
use crate::model::naming::TableNameResolver;
use crate::{Result, TableRef};

/// A handle for the operations on tables and backups that only Bigtable has.
///
/// [`Admin::bigtable`](crate::Admin::bigtable) returns it. Each operation takes at most the
/// [`operation_timeout`](crate::Config::operation_timeout).
///
/// ```
/// use tallrow::{Client, FamilyDescriptor, Get, Put, TableDescriptor};
/// use tallrow_mock::MockCluster;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mock = MockCluster::builder().bigtable_port(0).start().await?;
/// let client = Client::connect(&mock.bigtable_url().unwrap()).await?;
/// client
///     .admin()
///     .create_table(&TableDescriptor::new("visits")?.family(FamilyDescriptor::new("v")))
///     .await?;
/// let visits = client.raw_table("visits")?;
/// for row in ["2025-12/ada", "2026-01/ada", "2026-01/bob"] {
///     visits.put(Put::new(row).cell("v", "page", "/")).await?;
/// }
///
/// let bigtable = client.admin().bigtable()?;
/// bigtable.wait_for_replication("visits").await?;
/// bigtable.drop_rows("visits", "2026-01/").await?;
/// assert!(visits.exists(Get::new("2025-12/ada")).await?);
/// assert!(!visits.exists(Get::new("2026-01/bob")).await?);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct BigtableAdmin {
    pub(super) instance: Arc<Instance>,
    pub(super) naming: TableNameResolver,
}

impl BigtableAdmin {
    pub(crate) fn new(instance: Arc<Instance>, naming: TableNameResolver) -> Self {
        Self { instance, naming }
    }

    /// Makes a call that is not sent again if it may have been received.
    pub(super) async fn call_once<R: Message + Default>(
        &self,
        path: &'static str,
        parameter: (&str, &str),
        request: impl Message,
        attempts: &mut Attempts,
    ) -> Result<R> {
        self.instance.admin_call(path, parameter, request, Idempotency::Never, attempts).await
    }

    /// Deletes the rows whose keys begin with `prefix`, by a call of `DropRowRange` with
    /// `row_key_prefix`.
    ///
    /// The deletion is not atomic: rows with this prefix that are written in the meantime may or
    /// may not be deleted, and until this function returns, reads may still see some of the deleted
    /// rows. See [`BigtableAdmin`] for an example.
    ///
    /// # Errors
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) if the prefix is empty, because every
    /// row key begins with it; to delete all rows, use
    /// [`truncate_table`](crate::Admin::truncate_table). Also the errors that every operation can
    /// return.
    pub async fn drop_rows(
        &self,
        table: impl Into<TableRef<'_>>,
        prefix: impl AsRef<[u8]>,
    ) -> Result<()> {
        let table = self.naming.resolve(table)?;
        tables::drop_rows(&self.instance, &table, prefix.as_ref()).await
    }

    /// Returns row keys that divide a range of a table into parts of similar size, each with the
    /// size of what is before it (`SampleRowKeys`). The keys are sorted, and the last one is the
    /// end of the range: empty if the range ends with the table.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, TableDescriptor, key::{RowBuf, RowRange}};
    /// # use tallrow_mock::MockCluster;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let mock = MockCluster::builder().bigtable_port(0).start().await?;
    /// # let client = Client::connect(&mock.bigtable_url().unwrap()).await?;
    /// let visits = TableDescriptor::new("visits")?.family(FamilyDescriptor::new("v"));
    /// client.admin().create_table(&visits.splits(["2025-06", "2025-12", "2026-06"])).await?;
    ///
    /// let bigtable = client.admin().bigtable()?;
    /// let all = bigtable.sample_row_keys("visits", &RowRange::all()).await?;
    /// let keys: Vec<_> = all.iter().map(|sample| &sample.key[..]).collect();
    /// assert_eq!(keys, [&b"2025-06"[..], b"2025-12", b"2026-06", b""]);
    ///
    /// let of_2025 = RowRange::prefix(b"2025-");
    /// let some = bigtable.sample_row_keys("visits", &of_2025).await?;
    /// let keys: Vec<_> = some.iter().map(|sample| &sample.key[..]).collect();
    /// assert_eq!(keys, [&b"2025-06"[..], b"2025-12", b"2025."]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors that every operation can return.
    pub async fn sample_row_keys(
        &self,
        table: impl Into<TableRef<'_>>,
        range: &RowRange,
    ) -> Result<Vec<KeySample>> {
        let table = self.naming.resolve(table)?;
        self.instance.sample_row_keys("sample row keys", &table, range, None).await
    }

    /// Waits until every cluster of the instance has all writes to a table that were made before
    /// this call. For this, it requests a consistency token (`GenerateConsistencyToken`) and checks
    /// the token repeatedly (`CheckConsistency`).
    ///
    /// After that, a read sees these writes even if its app profile may route it to any cluster.
    /// See [`BigtableAdmin`] for an example.
    ///
    /// # Errors
    /// [`Timeout`](crate::ErrorKind::Timeout) if a cluster still lacks some of these writes at the
    /// deadline. Also the errors that every operation can return.
    pub async fn wait_for_replication(&self, table: impl Into<TableRef<'_>>) -> Result<()> {
        let table = self.naming.resolve(table)?;
        tables::wait_for_replication(&self.instance, &table).await
    }
}

impl fmt::Debug for BigtableAdmin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BigtableAdmin").finish_non_exhaustive()
    }
}
