//! Creating, describing and listing tables.

use bytes::Bytes;
use tallrow_wire::bigtable::{
    CreateTableRequest, DeleteTableRequest, Empty, GetTableRequest, ListTablesRequest,
    ListTablesResponse, TimestampGranularity, View,
};
use tallrow_wire::proto::TableSchema;
use tallrow_wire::region;

use super::description::{described, is_protected, protect, protected, rejection};
use super::family;
use crate::bigtable::call::Call;
use crate::bigtable::open_table::no_table;
use crate::bigtable::replies::Replies;
use crate::bigtable::status::{StatusCode, StatusResult, invalid};
use crate::bigtable::{limits, names};
use crate::procedure;

/// Creates a table.
pub(crate) fn create_table(call: &Call<'_>) -> StatusResult<Replies> {
    let request: CreateTableRequest = call.decode()?;
    names::check_instance(call.cluster, &request.parent)?;
    names::check_table_id(&request.table_id)?;
    let table = request.table.unwrap_or_default();
    let granularity = TimestampGranularity::try_from(table.granularity);
    if granularity.is_err() {
        return Err(StatusCode::Unimplemented.status(
            "The granularity of timestamps is MILLIS: the mock stores them as HBase does",
        ));
    }
    family::check_count(table.column_families.len())?;
    let column_families = (table.column_families.iter())
        .map(|(name, of)| family::to_schema(name, of))
        .collect::<StatusResult<_>>()?;
    let mut schema = TableSchema {
        table_name: Some(region::parse_table_name(request.table_id.as_bytes())),
        column_families,
        ..Default::default()
    };
    protect(&mut schema, table.deletion_protection);
    let splits: Vec<Bytes> = request.initial_splits.into_iter().map(|split| split.key).collect();
    check_splits(&splits)?;
    let name = format!("{}/tables/{}", request.parent, request.table_id);
    procedure::make_table(call.cluster, schema.clone(), &splits)
        .map_err(|e| rejection(&name, &e))?;
    Ok(Replies::one(&described(name, &schema, View::SchemaView)))
}

/// Describes a table.
pub(crate) fn get_table(call: &Call<'_>) -> StatusResult<Replies> {
    let request: GetTableRequest = call.decode()?;
    let schema = call.cluster.schema_of(&names::table(call.cluster, &request.name)?);
    let schema = schema.ok_or_else(|| no_table(&request.name))?;
    let view = match request.view() {
        View::ViewUnspecified => View::SchemaView,
        view => view,
    };
    Ok(Replies::one(&described(request.name, &schema, view)))
}

/// Deletes a table.
pub(crate) fn delete_table(call: &Call<'_>) -> StatusResult<Replies> {
    let request: DeleteTableRequest = call.decode()?;
    let table = names::table(call.cluster, &request.name)?;
    let schema = call.cluster.schema_of(&table).ok_or_else(|| no_table(&request.name))?;
    if is_protected(&schema) {
        return Err(protected(&request.name));
    }
    // HBase deletes only what is disabled; it may be so already.
    let _ = procedure::disable_table(call.cluster, &table);
    let deleted = procedure::delete_table(call.cluster, &table);
    deleted.map_err(|e| rejection(&request.name, &e))?;
    Ok(Replies::one(&Empty {}))
}

/// Lists the tables, in the order of their names.
pub(crate) fn list_tables(call: &Call<'_>) -> StatusResult<Replies> {
    let request: ListTablesRequest = call.decode()?;
    names::check_instance(call.cluster, &request.parent)?;
    let page_size = usize::try_from(request.page_size)
        .map_err(|_| invalid(format!("page_size must not be negative: {}", request.page_size)))?;
    let view = match request.view() {
        View::ViewUnspecified => View::NameOnly,
        view => view,
    };
    let catalog = call.cluster.catalog();
    let mut tables = Vec::new();
    for table in catalog.tables.values().filter(|t| &t.name.namespace[..] == b"default") {
        let id = String::from_utf8_lossy(&table.name.qualifier);
        if *id <= *request.page_token {
            continue;
        }
        tables.push((id.clone().into_owned(), {
            let name = format!("{}/tables/{id}", request.parent);
            described(name, &table.schema, view)
        }));
    }
    drop(catalog);
    let whole = page_size == 0 || tables.len() <= page_size;
    if !whole {
        tables.truncate(page_size);
    }
    let next_page_token = match tables.last() {
        Some((id, _)) if !whole => id.clone(),
        _ => String::new(),
    };
    let tables = tables.into_iter().map(|(_, table)| table).collect();
    Ok(Replies::one(&ListTablesResponse { tables, next_page_token }))
}

fn check_splits(splits: &[Bytes]) -> StatusResult<()> {
    if splits.len() > limits::SPLITS {
        return Err(invalid(format!(
            "Too many initial_splits: {}, the limit is {}",
            splits.len(),
            limits::SPLITS
        )));
    }
    match splits.iter().position(|key| key.len() > limits::ROW_KEY_BYTES) {
        Some(at) => Err(invalid(format!(
            "Error in field 'initial_splits' : Error in element #{at} : The key is longer than a row key"
        ))),
        None => Ok(()),
    }
}
