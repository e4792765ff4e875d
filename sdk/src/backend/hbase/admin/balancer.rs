//! The balancer, and the switches for splits, merges and the cleanup of snapshots.

use super::handle::HBaseAdmin;
use super::methods::{
    Balance, IsBalancerEnabled, IsSnapshotCleanupEnabled, IsSplitOrMergeEnabled, Method,
    SetBalancerRunning, SetSplitOrMergeEnabled, SwitchSnapshotCleanup,
};
use crate::Result;
use crate::wire::proto::{self, MasterSwitchType};

/// The outcome of a run of the balancer.
///
/// See [`HBaseAdmin::balance`] for an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BalanceOutcome {
    /// Whether the balancer ran. It does not run if it is off, or while regions are in transition.
    pub ran: bool,
    /// How many moves of regions the balancer planned; `None` before HBase 2.5.
    pub moves_calculated: Option<u32>,
    /// How many of the planned moves were executed; `None` before HBase 2.5.
    pub moves_executed: Option<u32>,
}

impl HBaseAdmin {
    /// Runs the balancer once: the master moves regions so that all servers have about the same
    /// number of regions.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = tallrow::Client::connect("mock:").await?;
    /// let hbase = client.admin().hbase()?;
    /// assert!(hbase.balance().await?.ran);
    ///
    /// let before = hbase.set_balancer_enabled(false).await?;
    /// assert!(before && !hbase.is_balancer_enabled().await?);
    /// assert!(!hbase.balance().await?.ran);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Fails if no master answers by the deadline
    /// ([`operation_timeout`](crate::Config::operation_timeout)).
    pub async fn balance(&self) -> Result<BalanceOutcome> {
        let answer = self.call::<Balance>("balance", None, proto::Empty {}).await?;
        Ok(BalanceOutcome {
            ran: answer.balancer_ran,
            moves_calculated: answer.moves_calculated,
            moves_executed: answer.moves_executed,
        })
    }

    /// Turns the balancer on or off, and returns whether it was on before. If the balancer is
    /// running, waits until it has ended its run.
    ///
    /// See [`balance`](HBaseAdmin::balance) for an example.
    ///
    /// # Errors
    /// Fails if no master answers by the deadline.
    pub async fn set_balancer_enabled(&self, on: bool) -> Result<bool> {
        let request = proto::SetBalancerRunningRequest { on, synchronous: Some(true) };
        let answer = self.call::<SetBalancerRunning>("set balancer enabled", None, request).await?;
        Ok(answer.prev_balance_value.unwrap_or(false))
    }

    /// Whether the balancer is on.
    ///
    /// # Errors
    /// Fails if no master answers by the deadline.
    pub async fn is_balancer_enabled(&self) -> Result<bool> {
        self.is_on::<IsBalancerEnabled>("is balancer enabled", proto::Empty {}).await
    }

    /// Allows or forbids splits of regions, including automatic splits, and returns whether splits
    /// were allowed before.
    ///
    /// ```
    /// # use tallrow::{Client, ErrorKind, FamilyDescriptor, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// let hbase = client.admin().hbase()?;
    /// assert!(hbase.set_split_enabled(false).await?);
    /// let region = hbase.regions("t").await?.remove(0);
    /// assert_eq!(
    ///     hbase.split_region(&region, "m").await.unwrap_err().kind(),
    ///     ErrorKind::DoNotRetry
    /// );
    /// assert!(!hbase.is_split_enabled().await? && hbase.is_merge_enabled().await?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Fails if no master answers by the deadline.
    pub async fn set_split_enabled(&self, on: bool) -> Result<bool> {
        self.set_split_or_merge("set split enabled", MasterSwitchType::Split, on).await
    }

    /// Allows or forbids merges of regions, and returns whether merges were allowed before.
    ///
    /// See [`set_split_enabled`](HBaseAdmin::set_split_enabled) for an example.
    ///
    /// # Errors
    /// Fails if no master answers by the deadline.
    pub async fn set_merge_enabled(&self, on: bool) -> Result<bool> {
        self.set_split_or_merge("set merge enabled", MasterSwitchType::Merge, on).await
    }

    /// Whether regions may be split.
    ///
    /// # Errors
    /// Fails if no master answers by the deadline.
    pub async fn is_split_enabled(&self) -> Result<bool> {
        self.is_split_or_merge("is split enabled", MasterSwitchType::Split).await
    }

    /// Whether regions may be merged.
    ///
    /// # Errors
    /// Fails if no master answers by the deadline.
    pub async fn is_merge_enabled(&self) -> Result<bool> {
        self.is_split_or_merge("is merge enabled", MasterSwitchType::Merge).await
    }

    /// Turns on or off the chore that deletes snapshots whose time to live is over, and returns
    /// whether it was on.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = tallrow::Client::connect("mock:").await?;
    /// let hbase = client.admin().hbase()?;
    /// assert!(hbase.set_snapshot_cleanup_enabled(false).await?);
    /// assert!(!hbase.is_snapshot_cleanup_enabled().await?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Fails if no master answers by the deadline.
    pub async fn set_snapshot_cleanup_enabled(&self, on: bool) -> Result<bool> {
        let request = proto::SwitchRequest { on };
        self.is_on::<SwitchSnapshotCleanup>("set snapshot cleanup enabled", request).await
    }

    /// Whether snapshots whose time to live is over are deleted.
    ///
    /// # Errors
    /// Fails if no master answers by the deadline.
    pub async fn is_snapshot_cleanup_enabled(&self) -> Result<bool> {
        let operation_name = "is snapshot cleanup enabled";
        self.is_on::<IsSnapshotCleanupEnabled>(operation_name, proto::Empty {}).await
    }

    /// Calls a method that answers whether a switch is on, or whether it was on before the call.
    async fn is_on<M: Method<Response = proto::SwitchResponse>>(
        &self,
        operation_name: &'static str,
        request: M::Request,
    ) -> Result<bool> {
        Ok(self.call::<M>(operation_name, None, request).await?.on)
    }

    async fn set_split_or_merge(
        &self,
        operation_name: &'static str,
        switch: MasterSwitchType,
        enabled: bool,
    ) -> Result<bool> {
        let request = proto::SetSplitOrMergeEnabledRequest {
            enabled,
            synchronous: Some(true),
            switch_types: vec![switch as i32],
        };
        let answer = self.call::<SetSplitOrMergeEnabled>(operation_name, None, request).await?;
        Ok(answer.prev_value.first().copied().unwrap_or(false))
    }

    async fn is_split_or_merge(
        &self,
        operation_name: &'static str,
        switch: MasterSwitchType,
    ) -> Result<bool> {
        let request = proto::IsSplitOrMergeEnabledRequest { switch_type: switch as i32 };
        self.is_on::<IsSplitOrMergeEnabled>(operation_name, request).await
    }
}
