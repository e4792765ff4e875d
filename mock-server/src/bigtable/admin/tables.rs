//! Creating, describing, changing, listing and deleting tables, and dropping their rows.

use bytes::Bytes;
use tallrow_wire::WireError;
use tallrow_wire::bigtable::{
    CheckConsistencyRequest, CheckConsistencyResponse, CreateTableRequest, DeleteTableRequest,
    DropRowRangeRequest, DropTarget, Empty, Field, Fields, GenerateConsistencyTokenRequest,
    GenerateConsistencyTokenResponse, GetTableRequest, ListTablesRequest, ListTablesResponse,
    StructType, TimestampGranularity, UpdateTableRequest, View,
};
use tallrow_wire::proto::TableSchema;
use tallrow_wire::region;

use super::description::{
    change_stream_retention, check_family_count, deletion_protected_status, family_schema,
    is_protected, schema_of, set_deletion_protection, status_of_exception, table_message,
};
use super::key_schema;
use super::operations::begin_operation;
use super::page::page_of;
use super::table_update::{check_fields, update_schema};
use super::view_changes::check_no_protected_view;
use crate::bigtable::call::{GrpcCall, ReplyMessages};
use crate::bigtable::limits::check_row_key;
use crate::bigtable::open_table::OpenTable;
use crate::bigtable::status::{StatusCode, StatusResult, invalid};
use crate::bigtable::writes::deleted_row;
use crate::bigtable::{limits, names};
use crate::procedures;
use crate::regions::RegionState;
use crate::schema::set_stream_retention_ms;
use crate::state::{Cluster, OperationWork, Table, TableUpdate};

/// Creates a table.
pub(crate) fn create_table(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request: CreateTableRequest = call.decode()?;
    names::check_instance(call.cluster, &request.parent)?;
    names::check_table_id(&request.table_id)?;
    let mut table = request.table.unwrap_or_default();
    if !table.name.is_empty() {
        return Err(invalid(format!(
            "Error in field 'table' : The name must be empty, because table_id is the name of the \
             new table, but it is \"{}\"",
            table.name
        )));
    }
    for family in call.decode_with::<CreateTableRequest, _>(families_without_value)? {
        table.column_families.remove(&family);
    }
    let granularity = TimestampGranularity::try_from(table.granularity);
    if !matches!(granularity, Ok(known) if known != TimestampGranularity::Micros) {
        return Err(StatusCode::Unimplemented.status(
            "The granularity of timestamps is MILLIS: the mock stores them as HBase does",
        ));
    }
    check_family_count(table.column_families.len())?;
    let column_families = (table.column_families.iter())
        .map(|(name, of)| family_schema(name, of))
        .collect::<StatusResult<_>>()?;
    let mut schema = TableSchema {
        table_name: Some(region::parse_table_name(request.table_id.as_bytes())),
        column_families,
        ..Default::default()
    };
    set_deletion_protection(&mut schema, table.deletion_protection);
    if let Some(key) = table.row_key_schema.as_ref().filter(|key| **key != StructType::default()) {
        key_schema::set(&mut schema, key)?;
    }
    let retention_ms = change_stream_retention(table.change_stream_config.as_ref())?;
    set_stream_retention_ms(&mut schema, retention_ms);
    let splits: Vec<Bytes> = request.initial_splits.into_iter().map(|split| split.key).collect();
    check_splits(&splits)?;
    let name = format!("{}/tables/{}", request.parent, request.table_id);
    let cluster = call.cluster.lock_admin();
    procedures::create_table_without_schema_check(&cluster, schema.clone(), &splits)
        .map_err(|e| status_of_exception(&name, &e))?;
    Ok(ReplyMessages::one(&table_message(name, &schema, View::SchemaView)))
}

/// Returns the names of the families of an encoded [`CreateTableRequest`] that have no value. A
/// family without a rule and a type is encoded like this by prost, for example, and the service
/// creates the table without it; a value without fields creates a family that keeps everything.
fn families_without_value(request: &[u8]) -> Result<Vec<String>, WireError> {
    const TABLE: u32 = 3;
    const FAMILIES: u32 = 3;
    const NAME: u32 = 1;
    const VALUE: u32 = 2;
    let mut left_out = Vec::new();
    for table in fields_of(request, TABLE)? {
        for family in fields_of(table.bytes()?, FAMILIES)? {
            let family = family.bytes()?;
            if fields_of(family, VALUE)?.is_empty() {
                let name = fields_of(family, NAME)?.pop();
                left_out.push(name.map_or(Ok(""), |name| name.text())?.to_owned());
            }
        }
    }
    Ok(left_out)
}

/// Returns the fields of an encoded message that have this number.
fn fields_of(message: &[u8], number: u32) -> Result<Vec<Field<'_>>, WireError> {
    let (mut found, mut fields) = (Vec::new(), Fields::of(message));
    while let Some(field) = fields.next_field()? {
        if field.number == number {
            found.push(field);
        }
    }
    Ok(found)
}

/// Describes a table.
pub(crate) fn get_table(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request: GetTableRequest = call.decode()?;
    let schema = schema_of(call, &request.name)?;
    let view = match request.view() {
        View::ViewUnspecified => View::SchemaView,
        view => view,
    };
    Ok(ReplyMessages::one(&table_message(request.name, &schema, view)))
}

/// Deletes a table, which is kept for some days so that it can be brought back.
pub(crate) fn delete_table(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request: DeleteTableRequest = call.decode()?;
    let table = names::table_name(call.cluster, &request.name)?;
    let cluster = &call.cluster.lock_admin();
    let schema = schema_of(call, &request.name)?;
    if is_protected(&schema) {
        return Err(deletion_protected_status(&request.name));
    }
    check_no_protected_view(&request.name, &schema)?;
    let copy = cluster.catalog().table(&table).cloned();
    let copy = copy.map(|table| procedures::copy_table(cluster, table, false));
    // It is kept first, so that it can be brought back whenever the process ends: as long as there
    // is a table of this name, none is brought back.
    if let Some(content) = copy {
        cluster.backups.lock().keep_deleted(table.clone(), content, cluster.clock.now());
    }
    // HBase deletes only disabled tables. This table may be disabled already.
    let _ = procedures::disable_table(cluster, &table);
    let deleted = procedures::delete_table(cluster, &table);
    deleted.map_err(|e| status_of_exception(&request.name, &e))?;
    Ok(ReplyMessages::one(&Empty {}))
}

/// Lists the tables, in the order of their names.
pub(crate) fn list_tables(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request: ListTablesRequest = call.decode()?;
    names::check_instance(call.cluster, &request.parent)?;
    let view = match request.view() {
        View::ViewUnspecified => View::NameOnly,
        view => view,
    };
    let catalog = call.cluster.catalog();
    let of_bigtable = catalog.tables.values().filter(|t| &t.name.namespace[..] == b"default");
    let listed = of_bigtable
        .map(|table| (String::from_utf8_lossy(&table.name.qualifier).into_owned(), table))
        .collect();
    let (page, next_page_token) = page_of(listed, request.page_size, &request.page_token)?;
    let describe = |(id, table): &(String, &Table)| {
        table_message(format!("{}/tables/{id}", request.parent), &table.schema, view)
    };
    let tables = page.iter().map(describe).collect();
    Ok(ReplyMessages::one(&ListTablesResponse { tables, next_page_token }))
}

fn check_splits(splits: &[Bytes]) -> StatusResult<()> {
    if splits.len() > limits::SPLIT_KEYS {
        return Err(invalid(format!(
            "Too many initial_splits: {}, the limit is {}",
            splits.len(),
            limits::SPLIT_KEYS
        )));
    }
    match splits.iter().position(|key| key.len() > limits::ROW_KEY_BYTES) {
        Some(at) => Err(invalid(format!(
            "Error in field 'initial_splits' : Error in element #{at} : The key is longer than a \
             row key"
        ))),
        None => Ok(()),
    }
}

/// Changes a table.
pub(crate) fn update_table(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request: UpdateTableRequest = call.decode()?;
    let Some(new) = request.table else { return Err(invalid("The table is not set")) };
    names::table_name(call.cluster, &new.name)?;
    let fields = request.update_mask.unwrap_or_default().paths;
    if fields.is_empty() {
        return Err(invalid("The update_mask names no field"));
    }
    let cluster = call.cluster.lock_admin();
    let mut schema = schema_of(call, &new.name)?;
    let update = TableUpdate { new, fields, ignore_warnings: request.ignore_warnings };
    // What cannot be done is refused now, and not by the operation.
    check_fields(&update)?;
    update_schema(&mut schema, &update)?;
    let name = update.new.name.clone();
    let work = OperationWork::UpdateTable(Box::new(update));
    Ok(begin_operation(&cluster, &name, work))
}

/// Drops the rows with a prefix, or all rows.
pub(crate) fn drop_row_range(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request: DropRowRangeRequest = call.decode()?;
    // A region that is divided or merged meanwhile would keep its rows.
    let cluster = call.cluster.lock_admin();
    let table = OpenTable::find(&cluster, &request.name)?;
    let id = names::table_id(&cluster, &request.name)?;
    let prefix = match &request.target {
        Some(DropTarget::RowKeyPrefix(prefix)) => {
            check_row_key(prefix)?;
            &prefix[..]
        }
        Some(DropTarget::DeleteAllDataFromTable(true)) => b"",
        _ => {
            return Err(invalid(
                "The target must be a row_key_prefix, or delete_all_data_from_table = true",
            ));
        }
    };
    for region in table.regions(&cluster) {
        let mut state = region.lock();
        let first = state.store.cells().cursor_from_row(prefix).next();
        if first.is_some_and(|cell| cell.row().starts_with(prefix)) {
            log_dropped_rows(&cluster, id, &mut state, prefix);
            state.store.drop_rows(prefix);
        }
    }
    Ok(ReplyMessages::one(&Empty {}))
}

/// Adds the deletion of the rows with a prefix to the change stream of their table, if it has one.
fn log_dropped_rows(cluster: &Cluster, id: &str, state: &mut RegionState, prefix: &[u8]) {
    if !cluster.change_logs.has(id.as_bytes()) {
        return;
    }
    let cells = state.store.cells().cursor_from_row(prefix);
    let (mut last, mut entries): (Option<&[u8]>, _) = (None, Vec::new());
    for cell in cells.take_while(|cell| cell.row().starts_with(prefix)) {
        if last != Some(cell.row()) {
            last = Some(cell.row());
            let (mutations, now) = (deleted_row(&state.schema), cluster.clock.now());
            entries.extend(cluster.change_logs.add(id.as_bytes(), cell.row(), mutations, now));
        }
    }
    entries.into_iter().for_each(|entry| state.store.note_stream_entry(entry));
}

/// The start of a consistency token; the name of the table follows.
const TOKEN: &str = "consistent:";

/// Answers a GenerateConsistencyToken: returns a token for the writes so far.
pub(crate) fn generate_consistency_token(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request: GenerateConsistencyTokenRequest = call.decode()?;
    OpenTable::find(call.cluster, &request.name)?;
    let consistency_token = format!("{TOKEN}{}", request.name);
    Ok(ReplyMessages::one(&GenerateConsistencyTokenResponse { consistency_token }))
}

/// Answers a CheckConsistency: all clusters always have the writes before the token.
pub(crate) fn check_consistency(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request: CheckConsistencyRequest = call.decode()?;
    OpenTable::find(call.cluster, &request.name)?;
    let table = request.consistency_token.strip_prefix(TOKEN);
    if table != Some(&request.name) {
        return Err(invalid(format!(
            "The consistency token \"{}\" is none of the table {}",
            request.consistency_token, request.name
        )));
    }
    Ok(ReplyMessages::one(&CheckConsistencyResponse { consistent: true }))
}
