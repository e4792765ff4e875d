//! Tables.

use std::sync::Arc;

use bytes::Bytes;
use regex_lite::Regex;
use tallrow_wire::exception;
use tallrow_wire::proto::*;
use tallrow_wire::region;

use super::procedure_calls;
use crate::base::{RemoteResult, remote_exception};
use crate::hbase::call::Call;
use crate::procedures::{self, table_not_found, table_text};
use crate::schema::{self, Schema};
use crate::state::{Catalog, Table};

pub(crate) fn create(call: &Call<'_>, r: CreateTableRequest) -> RemoteResult<CreateTableResponse> {
    let (nonce, name) = ((r.nonce_group, r.nonce), r.table_schema.table_name.clone());
    let too_long = procedures::has_too_long_names(&name.unwrap_or_default(), &r.split_keys);
    let work = || procedures::create_table(call.cluster, r.table_schema, &r.split_keys);
    let proc_id = match too_long {
        true => procedure_calls::run_and_report_when_polled(call, nonce, work)?,
        false => procedure_calls::run(call, nonce, work)?,
    };
    Ok(CreateTableResponse { proc_id })
}

pub(crate) fn delete(call: &Call<'_>, r: DeleteTableRequest) -> RemoteResult<DeleteTableResponse> {
    let work = || procedures::delete_table(call.cluster, &r.table_name);
    Ok(DeleteTableResponse { proc_id: procedure_calls::run(call, (r.nonce_group, r.nonce), work)? })
}

pub(crate) fn enable(call: &Call<'_>, r: EnableTableRequest) -> RemoteResult<EnableTableResponse> {
    let work = || procedures::enable_table(call.cluster, &r.table_name);
    Ok(EnableTableResponse {
        proc_id: procedure_calls::run_and_report_when_polled(call, (r.nonce_group, r.nonce), work)?,
    })
}

pub(crate) fn disable(
    call: &Call<'_>,
    r: DisableTableRequest,
) -> RemoteResult<DisableTableResponse> {
    let work = || procedures::disable_table(call.cluster, &r.table_name);
    Ok(DisableTableResponse {
        proc_id: procedure_calls::run(call, (r.nonce_group, r.nonce), work)?,
    })
}

pub(crate) fn truncate(
    call: &Call<'_>,
    r: TruncateTableRequest,
) -> RemoteResult<TruncateTableResponse> {
    let preserve = r.preserve_splits.unwrap_or(false);
    let work = || procedures::truncate_table(call.cluster, &r.table_name, preserve);
    Ok(TruncateTableResponse {
        proc_id: procedure_calls::run(call, (r.nonce_group, r.nonce), work)?,
    })
}

pub(crate) fn modify(call: &Call<'_>, r: ModifyTableRequest) -> RemoteResult<ModifyTableResponse> {
    let proc_id = procedure_calls::run(call, (r.nonce_group, r.nonce), || {
        procedures::modify_table(call.cluster, &r.table_name, |schema| {
            *schema = r.table_schema;
            Ok(())
        })
    })?;
    Ok(ModifyTableResponse { proc_id })
}

pub(crate) fn flush(call: &Call<'_>, r: FlushTableRequest) -> RemoteResult<FlushTableResponse> {
    // Any exception at once would mean to the Java client that the master is too old for this call.
    let work = || flush_table(call, &r.table_name, &r.column_family);
    let nonce = (r.nonce_group, r.nonce);
    Ok(FlushTableResponse {
        proc_id: procedure_calls::run_and_report_when_polled(call, nonce, work)?,
    })
}

/// Flushes every region of a table.
pub(crate) fn flush_table(
    call: &Call<'_>,
    name: &TableName,
    families: &[Bytes],
) -> RemoteResult<()> {
    let Some(schema) = call.cluster.schema_of(name) else { return Err(table_not_found(name)) };
    let state = call.cluster.catalog().table(name).map(|table| table.state);
    if state.is_some_and(|state| state != TableStateKind::Enabled) {
        return Err(remote_exception(exception::TABLE_NOT_ENABLED, table_text(name)));
    }
    Schema::of(&schema).check_families(families, name)?;
    for region in call.cluster.regions_of(name) {
        let mut state = region.lock();
        let schema = Arc::clone(&state.schema);
        state.store.flush(&schema, families, call.now());
    }
    Ok(())
}

pub(crate) fn state(
    call: &Call<'_>,
    r: GetTableStateRequest,
) -> RemoteResult<GetTableStateResponse> {
    let state = match r.table_name == schema::meta_name() {
        true => Some(TableStateKind::Enabled),
        false => call.cluster.catalog().table(&r.table_name).map(|t| t.state),
    };
    let Some(state) = state else {
        let text = format!("No state found for {}", table_text(&r.table_name));
        return Err(remote_exception(exception::TABLE_NOT_FOUND, text));
    };
    Ok(GetTableStateResponse { table_state: TableState { state: state as i32 } })
}

pub(crate) fn names(
    call: &Call<'_>,
    r: GetTableNamesRequest,
) -> RemoteResult<GetTableNamesResponse> {
    let pattern = r.regex.as_deref().map(pattern).transpose()?;
    let system = r.include_sys_tables.unwrap_or(false);
    let names = listed(&call.cluster.catalog(), pattern.as_ref(), system, r.namespace.as_deref());
    Ok(GetTableNamesResponse { table_names: names })
}

pub(crate) fn descriptors(
    call: &Call<'_>,
    r: GetTableDescriptorsRequest,
) -> RemoteResult<GetTableDescriptorsResponse> {
    let names = match r.table_names.is_empty() {
        false => r.table_names,
        true => {
            let pattern = r.regex.as_deref().map(pattern).transpose()?;
            let system = r.include_sys_tables.unwrap_or(false);
            listed(&call.cluster.catalog(), pattern.as_ref(), system, r.namespace.as_deref())
        }
    };
    let table_schema = names.iter().filter_map(|n| call.cluster.schema_of(n)).collect();
    Ok(GetTableDescriptorsResponse { table_schema })
}

/// A pattern for whole names.
fn pattern(text: &str) -> RemoteResult<Regex> {
    Regex::new(&format!("^(?:{text})$"))
        .map_err(|e| remote_exception(exception::DO_NOT_RETRY, format!("pattern \"{text}\": {e}")))
}

/// Whether the name of a table matches, with or without the namespace `default`.
fn matches(pattern: &Regex, name: &TableName) -> bool {
    let full = [&name.namespace[..], b":", &name.qualifier].concat();
    pattern.is_match(&table_text(name)) || pattern.is_match(&String::from_utf8_lossy(&full))
}

/// The names of tables, `hbase:meta` included, in order.
fn listed(
    catalog: &Catalog,
    pattern: Option<&Regex>,
    system: bool,
    namespace: Option<&str>,
) -> Vec<TableName> {
    let mut names: Vec<TableName> = catalog.tables.values().map(|t| t.name.clone()).collect();
    names.push(schema::meta_name());
    names.sort_by(|a, b| (&a.namespace, &a.qualifier).cmp(&(&b.namespace, &b.qualifier)));
    names.retain(|name| {
        (system || &name.namespace[..] != b"hbase")
            && namespace.is_none_or(|n| n.is_empty() || n.as_bytes() == &name.namespace[..])
            && pattern.is_none_or(|p| matches(p, name))
    });
    names
}

pub(crate) fn alter_status(
    call: &Call<'_>,
    r: GetSchemaAlterStatusRequest,
) -> RemoteResult<GetSchemaAlterStatusResponse> {
    let regions = call.cluster.regions_of(&r.table_name).len() as u32;
    Ok(GetSchemaAlterStatusResponse {
        yet_to_update_regions: Some(0),
        total_regions: Some(regions),
    })
}

pub(crate) fn names_by_state(
    call: &Call<'_>,
    r: ListTablesByStateRequest,
) -> RemoteResult<ListTableNamesByStateResponse> {
    let table_names = by_state(call, r.is_enabled);
    Ok(ListTableNamesByStateResponse { table_names })
}

pub(crate) fn descriptors_by_state(
    call: &Call<'_>,
    r: ListTablesByStateRequest,
) -> RemoteResult<ListTableDescriptorsByStateResponse> {
    let names = by_state(call, r.is_enabled);
    let table_schema = names.iter().filter_map(|n| call.cluster.schema_of(n)).collect();
    Ok(ListTableDescriptorsByStateResponse { table_schema })
}

fn by_state(call: &Call<'_>, enabled: bool) -> Vec<TableName> {
    let catalog = call.cluster.catalog();
    let fits = |t: &&Table| (t.state == TableStateKind::Enabled) == enabled;
    catalog.tables.values().filter(fits).map(|t| t.name.clone()).collect()
}

/// The timeout in ms that a client of [`exec_procedure`] is given.
const EXPECTED_TIMEOUT: i64 = 300_000;

/// Runs a procedure by its name. Clients before 2.6 flush tables this way.
pub(crate) fn exec_procedure(
    call: &Call<'_>,
    r: ExecProcedureRequest,
) -> RemoteResult<ExecProcedureResponse> {
    let ProcedureDescription { signature, instance, .. } = r.procedure;
    if signature != "flush-table-proc" {
        let text = format!("The procedure is not registered: {signature}");
        return Err(remote_exception(exception::DO_NOT_RETRY, text));
    }
    flush_table(call, &region::parse_table_name(instance.unwrap_or_default().as_bytes()), &[])?;
    Ok(ExecProcedureResponse { expected_timeout: Some(EXPECTED_TIMEOUT), return_data: None })
}

pub(crate) fn is_procedure_done(
    _: &Call<'_>,
    r: IsProcedureDoneRequest,
) -> RemoteResult<IsProcedureDoneResponse> {
    Ok(IsProcedureDoneResponse { done: Some(true), snapshot: r.procedure })
}
