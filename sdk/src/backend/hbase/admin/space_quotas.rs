//! Space quotas: how they are set and removed, and how much of them is used.

use super::handle::HBaseAdmin;
use super::methods::{GetQuotaStates, GetSpaceQuotaRegionSizes, GetSpaceQuotaSnapshots};
use super::quotas::{QuotaTarget, SpaceQuota, SpaceQuotaSnapshot};
use crate::backend::hbase::table_name::from_message;
use crate::wire::proto;
use crate::{Error, Result, TableName};

impl HBaseAdmin {
    /// Limits the bytes that a table, or all tables of a namespace together, store in files.
    /// Servers measure their regions every 5 minutes by default
    /// (`hbase.regionserver.quotas.fs.utilization.chore.period`). After that, the master detects a
    /// violation, and then the servers enforce the policy
    /// (`hbase.master.quotas.observer.chore.period` and
    /// `hbase.regionserver.quotas.policy.refresher.chore.period`, 1 minute each by default), so a
    /// table can grow beyond the limit. A request that violates the quota fails with
    /// [`DoNotRetry`](crate::ErrorKind::DoNotRetry) and the exception `SpaceLimitingException`. The
    /// mock stores space quotas and reports how much of them is used, but refuses no requests.
    /// Java: `Admin.setQuota` with `QuotaSettingsFactory.limitTableSpace` or `limitNamespaceSpace`.
    ///
    /// ```
    /// use tallrow::admin::{QuotaTarget, SpaceQuota, SpaceViolationPolicy};
    ///
    /// # use tallrow::{Client, FamilyDescriptor, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// let hbase = client.admin().hbase()?;
    /// let table = QuotaTarget::Table("t".parse()?);
    /// let quota = SpaceQuota::new(10 << 30, SpaceViolationPolicy::NoInserts);
    /// hbase.set_space_quota(&table, quota).await?;
    /// assert_eq!(hbase.list_quotas().await?[0].space, Some(quota));
    ///
    /// hbase.remove_space_quota(&table).await?;
    /// assert!(hbase.list_quotas().await?.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a target other than a table or a
    /// namespace, and for a limit of 0; [`Unsupported`](crate::ErrorKind::Unsupported) if the
    /// cluster has no quotas (`hbase.quota.enabled`). Also fails if no master answers by the
    /// deadline ([`operation_timeout`](crate::Config::operation_timeout)).
    pub async fn set_space_quota(&self, target: &QuotaTarget, quota: SpaceQuota) -> Result<()> {
        const NAME: &str = "set space quota";
        // HBase stores the limit as a `long` of Java.
        if quota.bytes == 0 || i64::try_from(quota.bytes).is_err() {
            let text = format!("a space quota is of 1 to {} bytes, not {}", i64::MAX, quota.bytes);
            return Err(Error::invalid(text).with_operation_if_unset(NAME));
        }
        let quota = proto::SpaceQuota {
            soft_limit: Some(quota.bytes),
            violation_policy: Some(quota.policy.message() as i32),
            remove: Some(false),
        };
        self.change_space_quota(NAME, target, quota).await
    }

    /// Removes the space quota of a table or a namespace. It is no error if there is no such quota.
    /// Java: `QuotaSettingsFactory.removeTableSpaceLimit`, `removeNamespaceSpaceLimit`.
    ///
    /// See [`set_space_quota`](HBaseAdmin::set_space_quota) for an example.
    ///
    /// # Errors
    /// The errors of [`set_space_quota`](HBaseAdmin::set_space_quota).
    pub async fn remove_space_quota(&self, target: &QuotaTarget) -> Result<()> {
        let quota = proto::SpaceQuota { remove: Some(true), ..Default::default() };
        self.change_space_quota("remove space quota", target, quota).await
    }

    async fn change_space_quota(
        &self,
        operation_name: &'static str,
        target: &QuotaTarget,
        quota: proto::SpaceQuota,
    ) -> Result<()> {
        if !matches!(target, QuotaTarget::Table(_) | QuotaTarget::Namespace(_)) {
            let text = format!("the space of a table or a namespace is limited, not of {target:?}");
            return Err(Error::invalid(text).with_operation_if_unset(operation_name));
        }
        let request = proto::SetQuotaRequest {
            space_limit: Some(proto::SpaceLimitRequest { quota: Some(quota) }),
            ..Default::default()
        };
        self.set_quota(operation_name, target, request).await
    }

    /// Returns the size in bytes of each table, sorted by table name. HBase compares these sizes
    /// with space quotas. They are the sizes that region servers last reported to the master; the
    /// result is empty if the cluster has no quotas. Java: `Admin.getSpaceQuotaTableSizes`.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Put, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # client.raw_table("t")?.put(Put::new("a").cell("d", "q", "v")).await?;
    /// let hbase = client.admin().hbase()?;
    /// hbase.flush("t").await?;
    /// let sizes = hbase.space_quota_table_sizes().await?;
    /// assert!(sizes.iter().any(|(table, bytes)| table.as_str() == "t" && *bytes > 0));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Fails if no master answers by the deadline
    /// ([`operation_timeout`](crate::Config::operation_timeout)).
    pub async fn space_quota_table_sizes(&self) -> Result<Vec<(TableName, u64)>> {
        let answer = self
            .call::<GetSpaceQuotaRegionSizes>("space quota table sizes", None, proto::Empty {})
            .await?;
        let mut sizes = Vec::new();
        for size in answer.sizes {
            let bytes = size.size();
            sizes.push((from_message(&size.table_name.unwrap_or_default())?, bytes));
        }
        sizes.sort();
        Ok(sizes)
    }

    /// Returns how much of each space quota is used, as the master last computed it, sorted by
    /// target. The quota of a namespace has one snapshot for the namespace and one for each of its
    /// tables. Java: `Admin.getCurrentSpaceQuotaSnapshot`.
    ///
    /// ```
    /// use tallrow::admin::{QuotaTarget, SpaceQuota, SpaceViolationPolicy};
    ///
    /// # use tallrow::{Client, FamilyDescriptor, Put, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # client.raw_table("t")?.put(Put::new("a").cell("d", "q", "v")).await?;
    /// let hbase = client.admin().hbase()?;
    /// hbase.flush("t").await?;
    /// let table = QuotaTarget::Table("t".parse()?);
    /// hbase.set_space_quota(&table, SpaceQuota::new(1, SpaceViolationPolicy::NoInserts)).await?;
    ///
    /// let snapshot = hbase.space_quota_snapshots().await?.remove(0);
    /// assert_eq!((&snapshot.target, snapshot.limit), (&table, 1));
    /// assert!(snapshot.used > 1);
    /// assert_eq!(snapshot.violation_policy, Some(SpaceViolationPolicy::NoInserts));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Fails if no master answers by the deadline
    /// ([`operation_timeout`](crate::Config::operation_timeout)).
    pub async fn space_quota_snapshots(&self) -> Result<Vec<SpaceQuotaSnapshot>> {
        let answer =
            self.call::<GetQuotaStates>("space quota snapshots", None, proto::Empty {}).await?;
        let mut found: Vec<_> =
            answer.ns_snapshots.into_iter().map(SpaceQuotaSnapshot::of_namespace).collect();
        for snapshot in answer.table_snapshots {
            found.push(SpaceQuotaSnapshot::of_table(snapshot)?);
        }
        found.sort_by(|a, b| a.target.cmp(&b.target));
        Ok(found)
    }

    /// Returns how much of the space quota of each table is used, as one region server knows it.
    /// The server refuses requests on the basis of these numbers. `server` is a name that
    /// [`region_servers`](HBaseAdmin::region_servers) returned. Java:
    /// `Admin.getRegionServerSpaceQuotaSnapshots`.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = tallrow::Client::connect("mock:").await?;
    /// let hbase = client.admin().hbase()?;
    /// let server = hbase.region_servers().await?.remove(0);
    /// assert!(hbase.server_space_quota_snapshots(&server).await?.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an invalid server name. Also
    /// fails if the server does not answer by the deadline.
    pub async fn server_space_quota_snapshots(
        &self,
        server: &str,
    ) -> Result<Vec<SpaceQuotaSnapshot>> {
        const NAME: &str = "server space quota snapshots";
        let answer =
            self.ask_server::<GetSpaceQuotaSnapshots>(NAME, server, proto::Empty {}).await?;
        let snapshots = answer.snapshots.into_iter().map(SpaceQuotaSnapshot::of_table);
        let mut found = snapshots.collect::<Result<Vec<_>>>()?;
        found.sort_by(|a, b| a.target.cmp(&b.target));
        Ok(found)
    }
}
