//! Quotas, which are stored in `hbase:quota` but not enforced, and the use of space quotas.

use std::collections::BTreeMap;

use tallrow_wire::exception;
use tallrow_wire::proto::*;

use crate::base::{RemoteResult, remote_exception};
use crate::hbase::call::{Call, Method, answer_with_message};
use crate::procedures;
use crate::schema::table_text;

/// The methods about quotas.
pub(super) const METHODS: &[Method] = &[
    ("SetQuota", |c, r| answer_with_message(c, r, &[], set)),
    ("GetQuotaStates", |c, r| answer_with_message(c, r, &[], states)),
    ("GetSpaceQuotaRegionSizes", |c, r| {
        answer_with_message(c, r, &[], |call, _: Empty| {
            let size = |(table, size)| TableSize { table_name: Some(table), size: Some(size) };
            let sizes = used(call).into_values().map(size).collect();
            Ok(GetSpaceQuotaRegionSizesResponse { sizes })
        })
    }),
];

/// Sets or removes a quota.
fn set(call: &Call<'_>, r: SetQuotaRequest) -> RemoteResult<Empty> {
    let (row, qualifier) = cell_of(&r)?;
    // With the last quota of a user, HBase deletes the whole row, including the user's quotas for
    // tables and namespaces.
    let whole_row = row.starts_with("u.") && qualifier == "s";
    // The first quota creates the table of quotas, and the cells are those of the latest calls.
    let cluster = call.cluster.lock_admin();
    let quotas = {
        let mut all = cluster.quotas.lock();
        let quotas = all.entry((row.clone(), qualifier.clone())).or_default();
        merge(quotas, r);
        let quotas = quotas.clone();
        if quotas == Quotas::default() {
            all.remove(&(row.clone(), qualifier.clone()));
            if whole_row {
                all.retain(|(other, _), _| *other != row);
            }
        }
        quotas
    };
    procedures::write_quota_cell(&cluster, (&row, &qualifier), &quotas, whole_row)?;
    Ok(Empty {})
}

/// Returns the row and the qualifier of a quota's cell.
fn cell_of(r: &SetQuotaRequest) -> RemoteResult<(String, String)> {
    let table = r.table_name.as_ref().map(table_text);
    Ok(match (&r.user_name, table, &r.namespace, &r.region_server) {
        (Some(user), Some(table), _, _) => (format!("u.{user}"), format!("s.{table}")),
        (Some(user), _, Some(namespace), _) => (format!("u.{user}"), format!("s.{namespace}:")),
        (Some(user), ..) => (format!("u.{user}"), "s".into()),
        (_, Some(table), _, _) => (format!("t.{table}"), "s".into()),
        (_, _, Some(namespace), _) => (format!("n.{namespace}"), "s".into()),
        (_, _, _, Some(server)) => (format!("r.{server}"), "s".into()),
        _ => {
            let text = "java.lang.UnsupportedOperationException: a user, a table, a namespace or \
                region server must be specified";
            return Err(remote_exception(exception::DO_NOT_RETRY, text));
        }
    })
}

fn merge(quotas: &mut Quotas, r: SetQuotaRequest) {
    if let Some(bypass) = r.bypass_globals {
        quotas.bypass_globals = bypass.then_some(true);
    }
    if let Some(limit) = r.space_limit {
        quotas.space = limit.quota.filter(|quota| !quota.remove());
    }
    if let Some(request) = r.throttle {
        match ThrottleType::try_from(request.r#type.unwrap_or(0)) {
            Ok(kind) => {
                let throttle = quotas.throttle.get_or_insert_default();
                *throttle.limit_mut(kind) = request.timed_quota;
            }
            Err(_) => quotas.throttle = None,
        }
        if quotas.throttle == Some(Throttle::default()) {
            quotas.throttle = None;
        }
    }
    if r.remove_all.unwrap_or(false) {
        *quotas = Quotas::default();
    }
}

/// Returns the bytes in the files of each table, by the table's name.
fn used(call: &Call<'_>) -> BTreeMap<String, (TableName, u64)> {
    let mut used = BTreeMap::new();
    let catalog = call.cluster.catalog();
    // Secondary replicas have the files of their primary ones.
    for region in catalog.regions.values().filter(|region| region.replica_id() == 0) {
        let table = &region.info.table_name;
        let of_table = used.entry(table_text(table)).or_insert_with(|| (table.clone(), 0));
        of_table.1 += region.lock().store.sizes().store_file_bytes as u64;
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

/// Answers with the use of the space quota of each table and of each namespace.
fn states(call: &Call<'_>, _: Empty) -> RemoteResult<GetQuotaStatesResponse> {
    let used = used(call);
    let quotas = call.cluster.quotas.lock();
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

/// Answers with the use of the space quota of each table, which every region server reports.
pub(crate) fn space_quota_snapshots(
    call: &Call<'_>,
    request: Empty,
) -> RemoteResult<GetSpaceQuotaSnapshotsResponse> {
    let snapshots = states(call, request)?.table_snapshots;
    Ok(GetSpaceQuotaSnapshotsResponse { snapshots })
}
