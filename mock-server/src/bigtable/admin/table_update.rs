//! What an UpdateTable can change of a table.

use tallrow_wire::proto::TableSchema;

use super::description::{
    change_stream_retention, set_change_stream_retention, set_deletion_protection,
};
use super::key_schema;
use crate::bigtable::names;
use crate::bigtable::status::{StatusCode, StatusResult};
use crate::state::{Cluster, KeySpan, TableUpdate};

const DELETION_PROTECTION: &str = "deletion_protection";
const ROW_KEY_SCHEMA: &str = "row_key_schema";
const CHANGE_STREAM: &str = "change_stream_config";
const CHANGE_STREAM_RETENTION: &str = "change_stream_config.retention_period";

/// The fields that can be changed.
const CHANGEABLE: [&str; 4] =
    [DELETION_PROTECTION, ROW_KEY_SCHEMA, CHANGE_STREAM, CHANGE_STREAM_RETENTION];

/// Returns an error if the update names a field that the mock does not change.
pub(super) fn check_fields(update: &TableUpdate) -> StatusResult<()> {
    match update.fields.iter().find(|field| !CHANGEABLE.contains(&&***field)) {
        None => Ok(()),
        Some(other) => Err(StatusCode::Unimplemented.status(format!(
            "The mock changes no {other} of a table, only {}",
            CHANGEABLE.join(", ")
        ))),
    }
}

fn changes(update: &TableUpdate, fields: &[&str]) -> bool {
    update.fields.iter().any(|changed| fields.contains(&&**changed))
}

/// Makes the changes in the schema of the table.
pub(super) fn update_schema(schema: &mut TableSchema, update: &TableUpdate) -> StatusResult<()> {
    if changes(update, &[ROW_KEY_SCHEMA]) {
        let key = update.new.row_key_schema.as_ref();
        key_schema::update(schema, key, update.ignore_warnings)?;
    }
    if changes(update, &[DELETION_PROTECTION]) {
        set_deletion_protection(schema, update.new.deletion_protection);
    }
    if changes(update, &[CHANGE_STREAM, CHANGE_STREAM_RETENTION]) {
        let config = update.new.change_stream_config.as_ref();
        set_change_stream_retention(schema, change_stream_retention(config)?);
    }
    Ok(())
}

/// Begins or ends the change stream of a table whose schema was updated.
pub(super) fn update_change_log(cluster: &Cluster, update: &TableUpdate) -> StatusResult<()> {
    if changes(update, &[CHANGE_STREAM, CHANGE_STREAM_RETENTION]) {
        let id = names::table_id(cluster, &update.new.name)?;
        let config = update.new.change_stream_config.as_ref();
        configure_change_log(cluster, id.as_bytes(), change_stream_retention(config)?);
    }
    Ok(())
}

/// Keeps the changes of a table for this time, or no longer keeps them.
pub(super) fn configure_change_log(cluster: &Cluster, id: &[u8], retention_ms: Option<u64>) {
    // The regions are not replaced as long as the catalog is locked.
    let catalog = cluster.catalog();
    let regions = catalog.tables.get(id).map(|table| &table.regions[..]).unwrap_or_default();
    cluster.change_logs.configure(id, retention_ms, || {
        regions.iter().map(|region| KeySpan::of(&region.info)).collect()
    });
}
