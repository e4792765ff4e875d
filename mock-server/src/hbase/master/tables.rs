//! The methods of the master for tables and their families.

use std::sync::Arc;

use bytes::Bytes;
use regex_lite::Regex;
use tallrow_wire::exception;
use tallrow_wire::proto::*;

use super::procedure_calls::{
    FailureReport, HasNonce, answer_with_polled_procedure, answer_with_procedure, run_procedure,
    run_procedure_locked,
};
use crate::base::{RemoteResult, remote_exception};
use crate::hbase::access;
use crate::hbase::call::{Call, Method, answer_with_message};
use crate::procedures::{self, table_not_found};
use crate::schema::{self, RegionSchema, table_text};
use crate::state::{Cluster, Nonce, SYSTEM_NAMESPACE, Table};

/// The methods about tables.
pub(super) const METHODS: &[Method] = &[
    ("CreateTable", |c, r| answer_with_message(c, r, &[1], create)),
    ("DeleteTable", |c, r| {
        answer_with_procedure(c, r, &[1], |cluster, r: DeleteTableRequest| {
            procedures::delete_table(cluster, &r.table_name)
        })
    }),
    ("EnableTable", |c, r| {
        answer_with_polled_procedure(c, r, &[1], |cluster, r: EnableTableRequest| {
            procedures::enable_table(cluster, &r.table_name)
        })
    }),
    ("DisableTable", |c, r| {
        answer_with_procedure(c, r, &[1], |cluster, r: DisableTableRequest| {
            procedures::disable_table(cluster, &r.table_name)
        })
    }),
    ("truncateTable", |c, r| {
        answer_with_procedure(c, r, &[1], |cluster, r: TruncateTableRequest| {
            let preserve_splits = r.preserve_splits.unwrap_or(false);
            procedures::truncate_table(cluster, &r.table_name, preserve_splits)
        })
    }),
    ("ModifyTable", |c, r| {
        answer_with_procedure(c, r, &[1, 2], |cluster, r: ModifyTableRequest| {
            procedures::modify_table(cluster, &r.table_name, |schema| {
                *schema = r.table_schema;
                Ok(())
            })
        })
    }),
    // The Java client takes any exception in the response to FlushTable as a sign that the master
    // is too old for FlushTable. Therefore a failure is reported only to a poll.
    ("FlushTable", |c, r| {
        answer_with_polled_procedure(c, r, &[1], |cluster, r: FlushTableRequest| {
            flush_table(cluster, &r.table_name, &r.column_family)
        })
    }),
    ("AddColumn", |c, r| {
        answer_with_procedure(c, r, &[1, 2], |cluster, r: AddColumnRequest| {
            procedures::add_family(cluster, &r.table_name, r.column_families)
        })
    }),
    ("ModifyColumn", |c, r| {
        answer_with_procedure(c, r, &[1, 2], |cluster, r: ModifyColumnRequest| {
            procedures::modify_family(cluster, &r.table_name, r.column_families)
        })
    }),
    ("DeleteColumn", |c, r| {
        answer_with_procedure(c, r, &[1, 2], |cluster, r: DeleteColumnRequest| {
            procedures::delete_family(cluster, &r.table_name, &r.column_name)
        })
    }),
    ("ModifyTableStoreFileTracker", |c, r| {
        answer_with_message(c, r, &[1, 2], |call, r: ModifyTableStoreFileTrackerRequest| {
            change_file_tracker(call, r.request_nonce(), &r.table_name, None, &r.dst_sft)
        })
    }),
    ("ModifyColumnStoreFileTracker", |c, r| {
        answer_with_message(c, r, &[1, 2, 3], |call, r: ModifyColumnStoreFileTrackerRequest| {
            change_file_tracker(call, r.request_nonce(), &r.table_name, Some(&r.family), &r.dst_sft)
        })
    }),
    ("GetTableState", |c, r| answer_with_message(c, r, &[1], state)),
    ("GetTableNames", |c, r| {
        answer_with_message(c, r, &[], |call, r: GetTableNamesRequest| {
            let (regex, namespace) = (r.regex.as_deref(), r.namespace.as_deref());
            let mut table_names = listed(call, regex, r.include_sys_tables, namespace)?;
            table_names.retain(|table| access::is_listed(call, table));
            Ok(GetTableNamesResponse { table_names })
        })
    }),
    ("GetTableDescriptors", |c, r| answer_with_message(c, r, &[], descriptors)),
    ("GetSchemaAlterStatus", |c, r| {
        answer_with_message(c, r, &[1], |call, r: GetSchemaAlterStatusRequest| {
            let regions = call.cluster.with_replicas(call.cluster.regions_of(&r.table_name));
            let total_regions = Some(regions.len() as u32);
            Ok(GetSchemaAlterStatusResponse { yet_to_update_regions: Some(0), total_regions })
        })
    }),
    ("ListTableNamesByState", |c, r| {
        answer_with_message(c, r, &[1], |call, r: ListTablesByStateRequest| {
            Ok(ListTableNamesByStateResponse { table_names: by_state(call, r.is_enabled) })
        })
    }),
    ("ListTableDescriptorsByState", |c, r| {
        answer_with_message(c, r, &[1], |call, r: ListTablesByStateRequest| {
            let table_schema = call.cluster.schemas_of(&by_state(call, r.is_enabled));
            Ok(ListTableDescriptorsByStateResponse { table_schema })
        })
    }),
];

fn change_file_tracker(
    call: &Call<'_>,
    nonce: Option<Nonce>,
    table: &TableName,
    family: Option<&Bytes>,
    target: &str,
) -> RemoteResult<ProcIdResponse> {
    let cluster = call.cluster.lock_admin();
    if cluster.procedures.lock().by_nonce(nonce).is_none() {
        procedures::check_file_tracker_change(&cluster, table, target)?;
    }
    run_procedure_locked(call, &cluster, nonce, FailureReport::WhenPolled, |cluster| {
        procedures::change_file_tracker(cluster, table, family, target)
    })
}

fn create(call: &Call<'_>, r: CreateTableRequest) -> RemoteResult<ProcIdResponse> {
    let name = r.table_schema.table_name.clone().unwrap_or_default();
    let report = match procedures::has_too_long_region_name(&name, &r.split_keys) {
        true => FailureReport::WhenPolled,
        false => FailureReport::AtOnce,
    };
    run_procedure(call, r.request_nonce(), report, |cluster| {
        procedures::create_table(cluster, r.table_schema, &r.split_keys)
    })
}

/// Flushes every region of a table.
pub(super) fn flush_table(
    cluster: &Cluster,
    name: &TableName,
    families: &[Bytes],
) -> RemoteResult<()> {
    let Some(schema) = cluster.schema_of(name) else { return Err(table_not_found(name)) };
    let state = cluster.catalog().table(name).map(|table| table.state);
    if state.is_some_and(|state| state != TableStateKind::Enabled) {
        return Err(remote_exception(exception::TABLE_NOT_ENABLED, table_text(name)));
    }
    RegionSchema::of(&schema).check_families(families, name)?;
    for region in cluster.regions_of(name) {
        let mut state = region.lock();
        let schema = Arc::clone(&state.schema);
        state.store.flush(&schema, families, cluster.clock.now());
    }
    Ok(())
}

fn state(call: &Call<'_>, r: GetTableStateRequest) -> RemoteResult<GetTableStateResponse> {
    let state = match r.table_name == schema::meta_table_name() {
        true => Some(TableStateKind::Enabled),
        false => call.cluster.catalog().table(&r.table_name).map(|t| t.state),
    };
    let Some(state) = state else {
        let text = format!("No state found for {}", table_text(&r.table_name));
        return Err(remote_exception(exception::TABLE_NOT_FOUND, text));
    };
    Ok(GetTableStateResponse { table_state: TableState { state: state as i32 } })
}

fn descriptors(
    call: &Call<'_>,
    r: GetTableDescriptorsRequest,
) -> RemoteResult<GetTableDescriptorsResponse> {
    let (regex, namespace) = (r.regex.as_deref(), r.namespace.as_deref());
    let names = match r.table_names.is_empty() {
        false => r.table_names,
        true => {
            let mut names = listed(call, regex, r.include_sys_tables, namespace)?;
            names.retain(|table| access::is_described(call, table));
            names
        }
    };
    Ok(GetTableDescriptorsResponse { table_schema: call.cluster.schemas_of(&names) })
}

/// Compiles a pattern that must match whole names.
pub(super) fn pattern(text: &str) -> RemoteResult<Regex> {
    Regex::new(&format!("^(?:{text})$"))
        .map_err(|e| remote_exception(exception::DO_NOT_RETRY, format!("pattern \"{text}\": {e}")))
}

/// Whether the name of a table matches, with or without the namespace `default`.
fn matches(pattern: &Regex, name: &TableName) -> bool {
    let full = [&name.namespace[..], b":", &name.qualifier].concat();
    pattern.is_match(&table_text(name)) || pattern.is_match(&String::from_utf8_lossy(&full))
}

/// Returns the names of tables, including `hbase:meta`, in order.
fn listed(
    call: &Call<'_>,
    regex: Option<&str>,
    include_sys_tables: Option<bool>,
    namespace: Option<&str>,
) -> RemoteResult<Vec<TableName>> {
    let pattern = regex.map(pattern).transpose()?;
    let system = include_sys_tables.unwrap_or(false);
    let tables = &call.cluster.catalog().tables;
    let mut names: Vec<TableName> = tables.values().map(|t| t.name.clone()).collect();
    names.push(schema::meta_table_name());
    names.sort_by(|a, b| (&a.namespace, &a.qualifier).cmp(&(&b.namespace, &b.qualifier)));
    names.retain(|name| {
        (system || &name.namespace[..] != SYSTEM_NAMESPACE)
            && namespace.is_none_or(|n| n.is_empty() || n.as_bytes() == &name.namespace[..])
            && pattern.as_ref().is_none_or(|p| matches(p, name))
    });
    Ok(names)
}

fn by_state(call: &Call<'_>, enabled: bool) -> Vec<TableName> {
    let catalog = call.cluster.catalog();
    let fits = |t: &&Table| (t.state == TableStateKind::Enabled) == enabled;
    catalog.tables.values().filter(fits).map(|t| t.name.clone()).collect()
}
