//! What is used of the quotas of space, computed at each call; nothing is refused.

use std::collections::BTreeMap;

use tallrow_wire::proto::*;

use crate::lock::lock;
use crate::procedure::table_text;
use crate::remote_exception::RemoteResult;
use crate::service::call::Call;

/// The bytes in the files of each table, by its name.
fn used(call: &Call<'_>) -> BTreeMap<String, (TableName, u64)> {
    let mut used = BTreeMap::new();
    for region in call.cluster.catalog().regions.values() {
        let table = &region.info.table_name;
        let of_table = used.entry(table_text(table)).or_insert_with(|| (table.clone(), 0));
        of_table.1 += region.lock().store.sizes().0 as u64;
    }
    used
}

fn snapshot(quota: &SpaceQuota, used: u64) -> Option<SpaceQuotaSnapshot> {
    let in_violation = used > quota.soft_limit();
    Some(SpaceQuotaSnapshot {
        quota_status: Some(SpaceQuotaStatus {
            violation_policy: quota.violation_policy.filter(|_| in_violation),
            in_violation: Some(in_violation),
        }),
        quota_usage: Some(used),
        quota_limit: quota.soft_limit,
    })
}

/// The size of each table.
pub(crate) fn sizes(call: &Call<'_>, _: Empty) -> RemoteResult<GetSpaceQuotaRegionSizesResponse> {
    let size = |(table, size)| TableSize { table_name: Some(table), size: Some(size) };
    Ok(GetSpaceQuotaRegionSizesResponse { sizes: used(call).into_values().map(size).collect() })
}

/// What is used of the quota of each table and of each namespace.
pub(crate) fn states(call: &Call<'_>, _: Empty) -> RemoteResult<GetQuotaStatesResponse> {
    let used = used(call);
    let quotas = lock(&call.cluster.quotas);
    let of_row = |row: String| quotas.get(&(row, "s".to_owned()))?.space.as_ref();
    let mut answer = GetQuotaStatesResponse::default();
    for (text, (table, bytes)) in &used {
        let of_namespace = || of_row(format!("n.{}", String::from_utf8_lossy(&table.namespace)));
        let Some(quota) = of_row(format!("t.{text}")).or_else(of_namespace) else { continue };
        let (table_name, snapshot) = (Some(table.clone()), snapshot(quota, *bytes));
        answer.table_snapshots.push(TableQuotaSnapshot { table_name, snapshot });
    }
    for ((row, _), quotas) in quotas.iter() {
        let (Some(namespace), Some(quota)) = (row.strip_prefix("n."), &quotas.space) else {
            continue;
        };
        let inside = used.values().filter(|(table, _)| table.namespace == namespace.as_bytes());
        let bytes = inside.map(|(_, bytes)| bytes).sum();
        let (namespace, snapshot) = (Some(namespace.to_owned()), snapshot(quota, bytes));
        answer.ns_snapshots.push(NamespaceQuotaSnapshot { namespace, snapshot });
    }
    Ok(answer)
}

/// What is used of the quota of each table, as every server knows it.
pub(crate) fn of_server(
    call: &Call<'_>,
    request: Empty,
) -> RemoteResult<GetSpaceQuotaSnapshotsResponse> {
    let snapshots = states(call, request)?.table_snapshots;
    Ok(GetSpaceQuotaSnapshotsResponse { snapshots })
}
