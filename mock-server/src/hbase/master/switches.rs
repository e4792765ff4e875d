//! The switches of the master, and the chores that a client can run. The chores find nothing to do.

use bytes::Bytes;
use tallrow_wire::exception;
use tallrow_wire::proto::*;

use crate::base::{RemoteResult, remote_exception};
use crate::hbase::call::{Call, Method, Reply, answer_with_message};
use crate::state::Switch;

/// The methods about switches and chores, and other methods that have nothing to do or to report in
/// the mock.
pub(super) const METHODS: &[Method] = &[
    ("SetSplitOrMergeEnabled", |c, r| {
        answer_with_message(c, r, &[1], |call, r: SetSplitOrMergeEnabledRequest| {
            let mut switches = call.cluster.switches.lock();
            let set = |kind: &i32| std::mem::replace(switches.split_or_merge(*kind), r.enabled);
            let prev_value = r.switch_types.iter().map(set).collect();
            Ok(SetSplitOrMergeEnabledResponse { prev_value })
        })
    }),
    ("IsSplitOrMergeEnabled", |c, r| {
        answer_with_message(c, r, &[1], |call, r: IsSplitOrMergeEnabledRequest| {
            let on = call.cluster.switches.lock().allows(r.switch_type);
            Ok(SwitchResponse { on })
        })
    }),
    ("SetBalancerRunning", |c, r| set_switch(c, r, |s| &mut s.balancer)),
    ("SetNormalizerRunning", |c, r| set_switch(c, r, |s| &mut s.normalizer)),
    ("EnableCatalogJanitor", |c, r| set_switch(c, r, |s| &mut s.catalog_janitor)),
    ("SetCleanerChoreRunning", |c, r| set_switch(c, r, |s| &mut s.cleaner_chore)),
    ("SwitchSnapshotCleanup", |c, r| set_switch(c, r, |s| &mut s.snapshot_cleanup)),
    ("SwitchRpcThrottle", |c, r| set_switch(c, r, |s| &mut s.rpc_throttle)),
    ("SwitchExceedThrottleQuota", |c, r| set_switch(c, r, |s| &mut s.exceed_throttle_quota)),
    ("IsBalancerEnabled", |c, r| is_on(c, r, |s| &mut s.balancer)),
    ("IsNormalizerEnabled", |c, r| is_on(c, r, |s| &mut s.normalizer)),
    ("IsCatalogJanitorEnabled", |c, r| is_on(c, r, |s| &mut s.catalog_janitor)),
    ("IsCleanerChoreEnabled", |c, r| is_on(c, r, |s| &mut s.cleaner_chore)),
    ("IsSnapshotCleanupEnabled", |c, r| is_on(c, r, |s| &mut s.snapshot_cleanup)),
    ("IsRpcThrottleEnabled", |c, r| is_on(c, r, |s| &mut s.rpc_throttle)),
    ("Balance", |c, r| {
        answer_with_message(c, r, &[], |call, _: Empty| {
            let balancer_ran = call.cluster.switches.lock().balancer;
            let (moves_calculated, moves_executed) = (Some(0), Some(0));
            Ok(BalanceResponse { balancer_ran, moves_calculated, moves_executed })
        })
    }),
    ("RunCatalogScan", |c, r| {
        answer_with_message(c, r, &[], |_, _: Empty| {
            Ok(RunCatalogScanResponse { scan_result: Some(0) })
        })
    }),
    ("Normalize", |c, r| always(c, r, true)),
    ("RunCleanerChore", |c, r| always(c, r, true)),
    ("IsMasterInMaintenanceMode", |c, r| always(c, r, false)),
    ("AbortProcedure", |c, r| always(c, r, false)),
    ("GetLocks", |c, r| answer_with_message(c, r, &[], |_, _: Empty| Ok(Empty {}))),
    ("ExecMasterService", |c, r| {
        answer_with_message(c, r, &[2], |_, r: CoprocessorServiceRequest| {
            let text = format!(
                "No registered Master Coprocessor Endpoint found for {}. Has it been enabled?",
                r.call.service_name
            );
            RemoteResult::<Empty>::Err(remote_exception(exception::UNKNOWN_PROTOCOL, text))
        })
    }),
    ("GetLogEntries", |c, r| answer_with_message(c, r, &[1, 2], log_entries)),
    ("FlushMasterStore", |c, r| answer_with_message(c, r, &[], |_, _: Empty| Ok(Empty {}))),
];

/// Returns what the balancer has decided or refused: nothing, as the mock balances nothing.
fn log_entries(_: &Call<'_>, r: LogRequest) -> RemoteResult<LogEntry> {
    const PROTOS: &str = "org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos";
    for kind in ["BalancerDecisions", "BalancerRejections"] {
        if r.log_class_name == format!("{PROTOS}${kind}Request") {
            let log_class_name = format!("{PROTOS}${kind}Response");
            return Ok(LogEntry { log_class_name, log_message: Bytes::new() });
        }
    }
    Err(remote_exception(exception::IO, "Invalid request params"))
}

/// Sets a switch, and answers with the previous state.
pub(crate) fn set_switch(
    call: &Call<'_>,
    reply: &mut Reply<'_>,
    switch: Switch,
) -> RemoteResult<()> {
    answer_with_message(call, reply, &[1], |call, r: SwitchRequest| {
        let on = std::mem::replace(switch(&mut call.cluster.switches.lock()), r.on);
        Ok(SwitchResponse { on })
    })
}

/// Answers with the state of a switch.
pub(super) fn is_on(call: &Call<'_>, reply: &mut Reply<'_>, switch: Switch) -> RemoteResult<()> {
    let mut switches = *call.cluster.switches.lock();
    let on = *switch(&mut switches);
    always(call, reply, on)
}

fn always(call: &Call<'_>, reply: &mut Reply<'_>, on: bool) -> RemoteResult<()> {
    answer_with_message(call, reply, &[], |_, _: Empty| Ok(SwitchResponse { on }))
}
