//! What can be switched on and off, and what can be told to run. Nothing here acts by itself, so a switch is only
//! remembered, and what runs finds nothing to do.

use tallrow_wire::proto::*;

use crate::call::Call;
use crate::cluster::lock;
use crate::remote_exception::RemoteResult;

/// The switches of a master, as a fresh cluster has them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Switches {
    pub(crate) balancer: bool,
    pub(crate) normalizer: bool,
    pub(crate) catalog_janitor: bool,
    pub(crate) cleaner_chore: bool,
    pub(crate) snapshot_cleanup: bool,
    pub(crate) rpc_throttle: bool,
    pub(crate) exceed_throttle_quota: bool,
    pub(crate) compaction: bool,
    split: bool,
    merge: bool,
}

impl Default for Switches {
    fn default() -> Self {
        Self {
            balancer: true,
            normalizer: true,
            catalog_janitor: true,
            cleaner_chore: true,
            snapshot_cleanup: true,
            rpc_throttle: true,
            exceed_throttle_quota: false,
            compaction: true,
            split: true,
            merge: true,
        }
    }
}

/// One of the switches.
pub(crate) type Switch = fn(&mut Switches) -> &mut bool;

/// Turns a switch and tells where it stood.
pub(crate) fn set(call: &Call<'_>, on: bool, switch: Switch) -> RemoteResult<SwitchResponse> {
    let before = std::mem::replace(switch(&mut lock(&call.cluster.switches)), on);
    Ok(SwitchResponse { on: before })
}

/// Tells where a switch stands.
pub(crate) fn is_on(call: &Call<'_>, switch: Switch) -> RemoteResult<SwitchResponse> {
    Ok(SwitchResponse { on: *switch(&mut lock(&call.cluster.switches)) })
}

pub(crate) fn set_split_or_merge(
    call: &Call<'_>,
    r: SetSplitOrMergeEnabledRequest,
) -> RemoteResult<SetSplitOrMergeEnabledResponse> {
    let mut switches = lock(&call.cluster.switches);
    let turn = |kind: &i32| {
        let switch = switches.split_or_merge(*kind);
        std::mem::replace(switch, r.enabled)
    };
    Ok(SetSplitOrMergeEnabledResponse { prev_value: r.switch_types.iter().map(turn).collect() })
}

pub(crate) fn split_or_merge(
    call: &Call<'_>,
    r: IsSplitOrMergeEnabledRequest,
) -> RemoteResult<SwitchResponse> {
    Ok(SwitchResponse { on: *lock(&call.cluster.switches).split_or_merge(r.switch_type) })
}

impl Switches {
    fn split_or_merge(&mut self, kind: i32) -> &mut bool {
        match MasterSwitchType::try_from(kind) {
            Ok(MasterSwitchType::Merge) => &mut self.merge,
            _ => &mut self.split,
        }
    }
}

pub(crate) fn balance(_: &Call<'_>, _: Empty) -> RemoteResult<BalanceResponse> {
    Ok(BalanceResponse { balancer_ran: true, moves_calculated: Some(0), moves_executed: Some(0) })
}

pub(crate) fn catalog_scan(_: &Call<'_>, _: Empty) -> RemoteResult<RunCatalogScanResponse> {
    Ok(RunCatalogScanResponse { scan_result: Some(0) })
}

pub(crate) fn ran(_: &Call<'_>, _: Empty) -> RemoteResult<SwitchResponse> {
    Ok(SwitchResponse { on: true })
}

pub(crate) fn no(_: &Call<'_>, _: Empty) -> RemoteResult<SwitchResponse> {
    Ok(SwitchResponse { on: false })
}

/// The answer to a question for a list that is empty here.
pub(crate) fn nothing(_: &Call<'_>, _: Empty) -> RemoteResult<Empty> {
    Ok(Empty {})
}

pub(crate) fn last_major_compaction(
    _: &Call<'_>,
    _: Empty,
) -> RemoteResult<MajorCompactionTimestampResponse> {
    Ok(MajorCompactionTimestampResponse { compaction_timestamp: 0 })
}
