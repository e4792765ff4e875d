//! `HBaseAdmin`, the handle for the operations that only HBase has. The operations are in the other
//! files of this folder, each by its subject.

use std::fmt;
use std::sync::Arc;

use super::master::{AdminOperation, OnProgress};
use super::methods::Method;
use crate::backend::hbase::cluster::Cluster;
use crate::backend::hbase::reaction::{self, Refusal};
use crate::model::naming::TableNameResolver;
use crate::{Error, ErrorKind, Result, TableName};

/// A handle for the operations that only HBase has: on namespaces, on regions and their servers,
/// disabling and enabling of tables, flushes and compactions.
///
/// [`Admin::hbase`](crate::Admin::hbase) returns it.
///
/// ```
/// use tallrow::{Client, FamilyDescriptor, TableDescriptor};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = Client::connect("mock:").await?;
/// let admin = client.admin();
/// admin
///     .create_table(
///         &TableDescriptor::new("books")?.family(FamilyDescriptor::new("b")).splits(["h", "p"]),
///     )
///     .await?;
///
/// let hbase = admin.hbase()?;
/// assert_eq!(hbase.regions("books").await?.len(), 3);
/// hbase.disable_table("books").await?;
/// assert!(!hbase.is_table_enabled("books").await?);
/// hbase.enable_table("books").await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct HBaseAdmin {
    pub(super) cluster: Arc<Cluster>,
    pub(super) naming: TableNameResolver,
    pub(super) progress: Option<OnProgress>,
}

impl HBaseAdmin {
    pub(crate) fn new(cluster: Arc<Cluster>, naming: TableNameResolver) -> Self {
        Self { cluster, naming, progress: None }
    }

    /// Makes an operation that reports its progress to the progress function of this handle, if
    /// there is one.
    pub(super) fn operation<'a>(
        &'a self,
        name: &'static str,
        table: Option<&'a TableName>,
    ) -> AdminOperation<'a> {
        AdminOperation::new(&self.cluster, name, table).with_progress(self.progress.as_ref())
    }

    /// Calls a method of the master as the operation `name`; see [`AdminOperation::call`].
    pub(super) async fn call<M: Method>(
        &self,
        name: &'static str,
        table: Option<&TableName>,
        request: M::Request,
    ) -> Result<M::Response> {
        self.operation(name, table).call::<M>(request).await
    }

    /// Completes the error of a method that masters before version `needed` do not have: if the
    /// master does not know the method, the error names the version that the cluster runs.
    pub(super) async fn or_unsupported(&self, error: Error, needed: &str) -> Error {
        if reaction::refusal(&error) != Some(Refusal::UnknownMethod) {
            return error;
        }
        let version = self.version().await.ok().flatten();
        let version = version.unwrap_or_else(|| "an unknown version".into());
        let text = format!(
            "the cluster runs HBase {version}, which cannot do this; it needs HBase {needed} or later"
        );
        error.into_kind_with_context(ErrorKind::Unsupported, text)
    }
}

impl fmt::Debug for HBaseAdmin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HBaseAdmin").finish_non_exhaustive()
    }
}
