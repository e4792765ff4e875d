//! Quotas of space: set, removed, and what is used of them.

use super::handle::HBaseAdmin;
use super::methods::{GetQuotaStates, GetSpaceQuotaRegionSizes, GetSpaceQuotaSnapshots};
use super::quotas::{QuotaTarget, SpaceQuota, SpaceQuotaSnapshot};
use crate::backend::hbase::table_name::from_message;
use crate::wire::proto;
use crate::{Error, Result, TableName};

impl HBaseAdmin {
    /// Limits what a table, or all tables of a namespace together, store in files. Servers measure
    /// their regions and learn of violations within minutes
    /// (`hbase.regionserver.quotas.fs.utilization.chore.period`, 5 minutes;
    /// `hbase.master.quotas.observer.chore.period` and
    /// `hbase.regionserver.quotas.policy.refresher.chore.period`, 1 minute), so a table can grow
    /// beyond it. What is refused then is a [`DoNotRetry`](crate::ErrorKind::DoNotRetry) with the
    /// exception `SpaceLimitingException`. The mock keeps space quotas and says what is used of
    /// them, and refuses nothing. Java: `Admin.setQuota` of `QuotaSettingsFactory.limitTableSpace`
    /// or `limitNamespaceSpace`.
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
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for another target than a table or a
    /// namespace, and for a limit of 0; [`Unsupported`](crate::ErrorKind::Unsupported) if the
    /// cluster has no quotas (`hbase.quota.enabled`); no master that answers by the deadline
    /// ([`operation_timeout`](crate::Config::operation_timeout)).
    pub async fn set_space_quota(&self, target: &QuotaTarget, quota: SpaceQuota) -> Result<()> {
        const NAME: &str = "set space quota";
        // The range is that of Java's `long`, in which HBase keeps it.
        if quota.bytes == 0 || i64::try_from(quota.bytes).is_err() {
            let text = format!("a space quota is of 1 to {} bytes, not {}", i64::MAX, quota.bytes);
            return Err(Error::invalid(text).during(NAME));
        }
        let quota = proto::SpaceQuota {
            soft_limit: Some(quota.bytes),
            violation_policy: Some(quota.policy.message() as i32),
            remove: Some(false),
        };
        self.change_space_quota(NAME, target, quota).await
    }

    /// Removes the space quota of a table or a namespace. There is no error if there is none. Java:
    /// `QuotaSettingsFactory.removeTableSpaceLimit`, `removeNamespaceSpaceLimit`.
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
        called: &'static str,
        target: &QuotaTarget,
        quota: proto::SpaceQuota,
    ) -> Result<()> {
        if !matches!(target, QuotaTarget::Table(_) | QuotaTarget::Namespace(_)) {
            let text = format!("the space of a table or a namespace is limited, not of {target:?}");
            return Err(Error::invalid(text).during(called));
        }
        let request = proto::SetQuotaRequest {
            space_limit: Some(proto::SpaceLimitRequest { quota: Some(quota) }),
            ..Default::default()
        };
        self.set_quota(called, target, request).await
    }

    /// The size of each table in bytes, as region servers last reported it to the master, by name:
    /// what space quotas are compared with. None if the cluster has no quotas. Java:
    /// `Admin.getSpaceQuotaTableSizes`.
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
    /// No master that answers by the deadline
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

    /// How much of each space quota is used, as the master last computed it, in order of the
    /// targets. A table in a namespace with a quota has one too. Java:
    /// `Admin.getCurrentSpaceQuotaSnapshot`.
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
    /// assert_eq!(snapshot.violated, Some(SpaceViolationPolicy::NoInserts));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// No master that answers by the deadline
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

    /// How much of the space quota of each table is used, as one region server knows it, which is
    /// what it acts on. The server is named as in [`region_servers`](HBaseAdmin::region_servers).
    /// Java: `Admin.getRegionServerSpaceQuotaSnapshots`.
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
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a server name that does not
    /// parse; no answer by the deadline.
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
