//! Switches, and chores that can be run. Chores find nothing to do.

use tallrow_wire::proto::*;

use crate::base::{RemoteResult, lock};
use crate::hbase::call::Call;
use crate::state::Switch;

/// Sets a switch and returns its previous state.
pub(crate) fn set(call: &Call<'_>, on: bool, switch: Switch) -> RemoteResult<SwitchResponse> {
    let before = std::mem::replace(switch(&mut lock(&call.cluster.switches)), on);
    Ok(SwitchResponse { on: before })
}

/// The state of a switch.
pub(crate) fn is_on(call: &Call<'_>, switch: Switch) -> RemoteResult<SwitchResponse> {
    Ok(SwitchResponse { on: *switch(&mut lock(&call.cluster.switches)) })
}

pub(crate) fn set_split_or_merge(
    call: &Call<'_>,
    r: SetSplitOrMergeEnabledRequest,
) -> RemoteResult<SetSplitOrMergeEnabledResponse> {
    let mut switches = lock(&call.cluster.switches);
    let set = |kind: &i32| {
        let switch = switches.split_or_merge(*kind);
        std::mem::replace(switch, r.enabled)
    };
    Ok(SetSplitOrMergeEnabledResponse { prev_value: r.switch_types.iter().map(set).collect() })
}

pub(crate) fn split_or_merge(
    call: &Call<'_>,
    r: IsSplitOrMergeEnabledRequest,
) -> RemoteResult<SwitchResponse> {
    Ok(SwitchResponse { on: *lock(&call.cluster.switches).split_or_merge(r.switch_type) })
}

/// Runs the balancer, which finds nothing to move.
pub(crate) fn balance(call: &Call<'_>, _: Empty) -> RemoteResult<BalanceResponse> {
    let balancer_ran = lock(&call.cluster.switches).balancer;
    Ok(BalanceResponse { balancer_ran, moves_calculated: Some(0), moves_executed: Some(0) })
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
