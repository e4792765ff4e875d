//! Quotas, which are stored in `hbase:quota` and not enforced.

use bytes::Bytes;
use prost::Message;
use tallrow_wire::cell::CellType;
use tallrow_wire::exception;
use tallrow_wire::proto::*;

use crate::cell::NewCell;
use crate::lock::lock;
use crate::procedure::{self, table_text};
use crate::regions::CellWrite;
use crate::remote_exception::{RemoteResult, remote_exception};
use crate::schema;
use crate::service::call::Call;

/// Sets or removes a quota.
pub(crate) fn set(call: &Call<'_>, r: SetQuotaRequest) -> RemoteResult<Empty> {
    let (row, qualifier) = cell_of(&r)?;
    // With the last quota of a user HBase deletes the whole row, and so those of the user's tables and namespaces.
    let whole_row = row.starts_with("u.") && qualifier == "s";
    let table = schema::quota_name();
    if call.cluster.schema_of(&table).is_none() {
        procedure::create_table(call.cluster, schema::quota_schema(), &[])?;
    }
    let quotas = {
        let mut all = lock(&call.cluster.quotas);
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
    let removed = quotas == Quotas::default();
    let value = [&b"PBUF"[..], &quotas.encode_to_vec()].concat();
    let cell = NewCell {
        family: Bytes::from_static(b"q"),
        qualifier: if removed && whole_row { Bytes::new() } else { qualifier.into() },
        timestamp: call.cluster.unique_now(),
        kind: match (removed, whole_row) {
            (false, _) => CellType::Put,
            (true, false) => CellType::DeleteColumn,
            (true, true) => CellType::DeleteFamily,
        },
        value: if removed { Bytes::new() } else { value.into() },
    };
    if let Some(region) = call.cluster.regions_of(&table).first() {
        let write = CellWrite { row: row.into(), cell, ttl: None, upsert: None };
        region.lock().store.write(&[write])?;
    }
    Ok(Empty {})
}

/// The row and the qualifier of a quota.
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
            let text = "java.lang.UnsupportedOperationException: a user, a table, a namespace or region server must be specified";
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
