//! The methods of the services, by their paths.

use tallrow_wire::bigtable::{PingAndWarmRequest, PingAndWarmResponse, method};

use super::admin;
use super::call::{GrpcCall, ReplyMessages};
use super::names::check_instance;
use super::status::{StatusCode, StatusResult};
use super::writes;
use super::{changes, queries, reads};

/// The function that answers a call of a method.
type Handler = fn(&GrpcCall<'_>) -> StatusResult<ReplyMessages>;

/// The methods by their paths.
const METHODS: &[(&str, Handler)] = &[
    (method::READ_ROWS, reads::read_rows),
    (method::SAMPLE_ROW_KEYS, reads::sample_row_keys),
    (method::MUTATE_ROW, writes::mutate_row),
    (method::MUTATE_ROWS, writes::mutate_rows),
    (method::CHECK_AND_MUTATE_ROW, writes::check_and_mutate_row),
    (method::READ_MODIFY_WRITE_ROW, writes::read_modify_write_row),
    (method::PING_AND_WARM, ping_and_warm),
    (method::PREPARE_QUERY, queries::prepare_query),
    (method::EXECUTE_QUERY, queries::execute_query),
    (
        method::GENERATE_INITIAL_CHANGE_STREAM_PARTITIONS,
        changes::generate_initial_change_stream_partitions,
    ),
    (method::READ_CHANGE_STREAM, changes::read_change_stream),
    (method::CREATE_TABLE, admin::create_table),
    (method::LIST_TABLES, admin::list_tables),
    (method::GET_TABLE, admin::get_table),
    (method::UPDATE_TABLE, admin::update_table),
    (method::DELETE_TABLE, admin::delete_table),
    (method::MODIFY_COLUMN_FAMILIES, admin::modify_column_families),
    (method::DROP_ROW_RANGE, admin::drop_row_range),
    (method::GENERATE_CONSISTENCY_TOKEN, admin::generate_consistency_token),
    (method::CHECK_CONSISTENCY, admin::check_consistency),
    (method::UNDELETE_TABLE, admin::undelete_table),
    (method::CREATE_BACKUP, admin::create_backup),
    (method::GET_BACKUP, admin::get_backup),
    (method::UPDATE_BACKUP, admin::update_backup),
    (method::DELETE_BACKUP, admin::delete_backup),
    (method::LIST_BACKUPS, admin::list_backups),
    (method::COPY_BACKUP, admin::copy_backup),
    (method::RESTORE_TABLE, admin::restore_table),
    (method::CREATE_AUTHORIZED_VIEW, admin::create_authorized_view),
    (method::LIST_AUTHORIZED_VIEWS, admin::list_authorized_views),
    (method::GET_AUTHORIZED_VIEW, admin::get_authorized_view),
    (method::UPDATE_AUTHORIZED_VIEW, admin::update_authorized_view),
    (method::DELETE_AUTHORIZED_VIEW, admin::delete_authorized_view),
    (method::CREATE_SCHEMA_BUNDLE, admin::create_schema_bundle),
    (method::UPDATE_SCHEMA_BUNDLE, admin::update_schema_bundle),
    (method::GET_SCHEMA_BUNDLE, admin::get_schema_bundle),
    (method::LIST_SCHEMA_BUNDLES, admin::list_schema_bundles),
    (method::DELETE_SCHEMA_BUNDLE, admin::delete_schema_bundle),
    (method::GET_OPERATION, admin::get_operation),
    (method::CANCEL_OPERATION, admin::cancel_operation),
];

/// Answers a call of the method with this path.
pub(crate) fn run_method(path: &str, call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    match METHODS.iter().find(|(of, _)| *of == path) {
        Some((_, handler)) => handler(call),
        None => Err(StatusCode::Unimplemented.status(format!(
            "The mock has no method {path}. It has those of google.bigtable.v2.Bigtable and \
             google.bigtable.admin.v2.BigtableTableAdmin that read and write rows and tables"
        ))),
    }
}

/// Returns the name of a method from its path.
pub(crate) fn method_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// Returns the names of the methods.
pub(crate) fn method_names() -> impl Iterator<Item = &'static str> {
    METHODS.iter().map(|(path, _)| method_name(path))
}

/// Answers a PingAndWarm.
fn ping_and_warm(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request: PingAndWarmRequest = call.decode()?;
    check_instance(call.cluster, &request.name)?;
    Ok(ReplyMessages::one(&PingAndWarmResponse {}))
}
