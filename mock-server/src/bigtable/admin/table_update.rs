//! What an UpdateTable can change of a table.

use tallrow_wire::proto::TableSchema;

use super::description::{change_stream_retention, set_deletion_protection};
use super::key_schema;
use crate::bigtable::status::{StatusCode, StatusResult};
use crate::schema::set_stream_retention_ms;
use crate::state::TableUpdate;

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
        set_stream_retention_ms(schema, change_stream_retention(config)?);
    }
    Ok(())
}
