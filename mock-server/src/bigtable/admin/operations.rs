//! Operations that take longer than a call, and the calls that poll and cancel them.

use bytes::Bytes;
use prost::Message;
use tallrow_wire::bigtable::{
    Any, BackupInfo, CancelOperationRequest, ChangeMetadata, CopyBackupMetadata,
    CreateAuthorizedViewMetadata, CreateBackupMetadata, Empty, GetOperationRequest, Operation,
    OperationProgress, OperationResult, RestoreSourceInfo, RestoreSourceType, RestoreTableMetadata,
    Status, UpdateAuthorizedViewMetadata, View, type_url,
};
use tallrow_wire::proto::TableSchema;

use super::backup_description::{backup_message, time};
use super::bundle_changes;
use super::description::{
    change_schema, set_deletion_protection, status_of_exception, table_message,
};
use super::table_update::update_schema;
use super::view_changes;
use crate::bigtable::bundles::BUNDLES;
use crate::bigtable::call::{GrpcCall, ReplyMessages};
use crate::bigtable::names;
use crate::bigtable::open_table::no_table;
use crate::bigtable::status::{StatusCode, StatusResult, invalid, not_found};
use crate::bigtable::views::VIEWS;
use crate::journal::OperationRecord;
use crate::procedures;
use crate::schema::set_stream_retention_ms;
use crate::state::{AdminGuard, Backups, Cluster, OperationWork, StoredOperation, TableCopy};

/// Begins an operation on the resource of this name, and answers with its description. It is done
/// at once if operations need no polls.
pub(super) fn begin_operation(
    cluster: &AdminGuard<'_>,
    resource: &str,
    work: OperationWork,
) -> ReplyMessages {
    begin_with(cluster, &mut cluster.backups.lock(), resource, work)
}

/// Like [`begin_operation`], for a caller that has locked the backups.
pub(super) fn begin_with(
    cluster: &AdminGuard<'_>,
    backups: &mut Backups,
    resource: &str,
    work: OperationWork,
) -> ReplyMessages {
    let number = backups.next_operation();
    let name = format!("operations/{resource}/locations/mock/operations/{number}");
    let operation = StoredOperation {
        work,
        started_ms: cluster.clock.now(),
        polls: 0,
        needed_polls: backups.needed_polls,
        result: None,
    };
    backups.add_operation(&name, operation);
    if backups.needed_polls == 0 {
        finish(cluster, backups, &name);
    }
    ReplyMessages::one(&describe(backups, &name).unwrap_or_default())
}

/// Answers a GetOperation, which is one poll.
pub(crate) fn get_operation(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request: GetOperationRequest = call.decode()?;
    // The last poll does the work.
    let cluster = call.cluster.lock_admin();
    let mut backups = cluster.backups.lock();
    if backups.count_poll(&request.name) {
        finish(&cluster, &mut backups, &request.name);
    }
    let described = describe(&backups, &request.name);
    Ok(ReplyMessages::one(&described.ok_or_else(|| no_operation(&request.name))?))
}

/// Answers a CancelOperation: an operation that is not done ends with the code `CANCELLED`.
pub(crate) fn cancel_operation(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request: CancelOperationRequest = call.decode()?;
    let mut backups = call.cluster.backups.lock();
    let operation = backups.operation(&request.name);
    let operation = operation.ok_or_else(|| no_operation(&request.name))?;
    if operation.result.is_none() {
        if let OperationWork::CreateBackup(made) | OperationWork::CopyBackup { backup: made, .. } =
            operation.work.clone()
        {
            backups.remove(&made);
        }
        cancel(call.cluster, &mut backups, &request.name, "The operation was cancelled");
    }
    Ok(ReplyMessages::one(&Empty {}))
}

/// Ends an operation with the code `CANCELLED`.
pub(super) fn cancel(cluster: &Cluster, backups: &mut Backups, name: &str, why: &str) {
    backups.end_operation(name, cluster.clock.now(), Err(StatusCode::Cancelled.status(why)));
}

fn no_operation(name: &str) -> Status {
    if name.is_empty() {
        return invalid("The name of the operation is not set");
    }
    not_found(format!("Operation not found: {name}"))
}

/// Does what the operation is for, and keeps its result.
fn finish(cluster: &AdminGuard<'_>, backups: &mut Backups, name: &str) {
    let Some(operation) = backups.operation(name).cloned() else { return };
    let result = perform(cluster, backups, (name, &operation));
    backups.end_operation(name, cluster.clock.now(), result);
}

fn perform(
    cluster: &AdminGuard<'_>,
    backups: &mut Backups,
    of: (&str, &StoredOperation),
) -> Result<Any, Status> {
    let now = cluster.clock.now();
    match &of.1.work {
        OperationWork::CreateBackup(name) | OperationWork::CopyBackup { backup: name, .. } => {
            let missing = || not_found(format!("Backup not found: {name}"));
            let mut backup = backups.get(name).cloned().ok_or_else(missing)?;
            backup.ended_ms = Some(now);
            let message = backup_message(name, &backup, now);
            backups.set(name, backup);
            Ok(any(type_url::BACKUP, &message))
        }
        OperationWork::RestoreTable { table, source } => {
            let missing = || not_found(format!("Backup not found: {source}"));
            let backup = backups.get(source).ok_or_else(missing)?;
            let mut content = (*backup.content).clone();
            set_deletion_protection(&mut content.schema, false);
            set_stream_retention_ms(&mut content.schema, None);
            VIEWS.delete_all(&mut content.schema);
            BUNDLES.delete_all(&mut content.schema);
            restored(cluster, table, content, of)
        }
        OperationWork::UndeleteTable(table) => {
            let name = names::table_name(cluster, table)?;
            let content = backups.deleted_table(&name, now).cloned();
            restored(cluster, table, content.ok_or_else(|| no_table(table))?, of)
        }
        OperationWork::UpdateTable(update) => {
            let table = &update.new.name;
            let name = names::table_name(cluster, table)?;
            let altered = procedures::modify_table_without_schema_check(cluster, &name, |schema| {
                update_schema(schema, update)
            });
            altered.map_err(|e| status_of_exception(table, &e))??;
            let schema = cluster.schema_of(&name).ok_or_else(|| no_table(table))?;
            Ok(described(table, &schema))
        }
        OperationWork::CreateAuthorizedView(request) => {
            change_part(cluster, &request.parent, of, type_url::AUTHORIZED_VIEW, |schema| {
                view_changes::create(schema, request)
            })
        }
        OperationWork::UpdateAuthorizedView(request) => {
            let view = request.authorized_view.as_ref();
            let view = view.map(|view| &*view.name).unwrap_or_default();
            let (table, id) = names::authorized_view(cluster, view)?;
            change_part(cluster, table, of, type_url::AUTHORIZED_VIEW, |schema| {
                view_changes::update(schema, (table, id), request)
            })
        }
        OperationWork::CreateSchemaBundle(request) => {
            change_part(cluster, &request.parent, of, type_url::SCHEMA_BUNDLE, |schema| {
                bundle_changes::create(schema, request)
            })
        }
        OperationWork::UpdateSchemaBundle(request) => {
            let name = bundle_changes::name_in(request);
            let (table, id) = names::schema_bundle(cluster, name)?;
            change_part(cluster, table, of, type_url::SCHEMA_BUNDLE, |schema| {
                bundle_changes::update(schema, (table, id), request)
            })
        }
    }
}

/// Changes a part of a table, such as a view, and returns its description.
fn change_part<R: Message>(
    cluster: &AdminGuard<'_>,
    table: &str,
    of: (&str, &StoredOperation),
    url: &str,
    change: impl FnOnce(&mut TableSchema) -> StatusResult<R>,
) -> Result<Any, Status> {
    change_schema(cluster, table, |schema| {
        let response = any(url, &change(schema)?);
        let end = end_of(cluster, of, &response);
        Ok((response, Some(end)))
    })
}

/// Returns the record of an operation's end. The log has it in one record with what the operation
/// makes, so that after a restart the operation does not find that already made.
fn end_of(
    cluster: &Cluster,
    (name, operation): (&str, &StoredOperation),
    response: &Any,
) -> OperationRecord {
    let result = Some((cluster.clock.now(), Ok(response.clone())));
    StoredOperation { result, ..operation.clone() }.to_record(name)
}

/// Makes a table of a copy, unless there is a table of this name by now.
fn restored(
    cluster: &AdminGuard<'_>,
    table: &str,
    content: TableCopy,
    of: (&str, &StoredOperation),
) -> Result<Any, Status> {
    let name = names::table_name(cluster, table)?;
    if cluster.schema_of(&name).is_some() {
        return Err(StatusCode::AlreadyExists.status(format!("Table already exists: {table}")));
    }
    let response = described(table, &content.schema);
    let end = end_of(cluster, of, &response);
    procedures::restore_copy(cluster, content, &name, Some(end))
        .map_err(|e| status_of_exception(table, &e))?;
    Ok(response)
}

fn described(table: &str, schema: &TableSchema) -> Any {
    any(type_url::TABLE, &table_message(table.to_owned(), schema, View::SchemaView))
}

/// Describes an operation.
fn describe(backups: &Backups, name: &str) -> Option<Operation> {
    let operation = backups.operation(name)?;
    let ended = operation.result.as_ref().map(|(ended, _)| *ended);
    let result = operation.result.as_ref().map(|(_, result)| match result {
        Ok(response) => OperationResult::Response(response.clone()),
        Err(status) => OperationResult::Error(status.clone()),
    });
    Some(Operation {
        name: name.to_owned(),
        metadata: Some(metadata(backups, operation, ended)),
        done: result.is_some(),
        result,
    })
}

/// The progress of an operation, as the service describes it.
fn metadata(backups: &Backups, operation: &StoredOperation, ended: Option<u64>) -> Any {
    let (start_time, end_time) = (Some(time(operation.started_ms)), ended.map(time));
    let percent = match ended {
        Some(_) => 100,
        None => {
            (u64::from(operation.polls) * 100 / u64::from(operation.needed_polls.max(1))).min(99)
        }
    };
    let progress = Some(OperationProgress {
        progress_percent: i32::try_from(percent).unwrap_or(100),
        start_time,
        end_time,
    });
    let change =
        |url, name: &str| any(url, &ChangeMetadata { name: name.to_owned(), start_time, end_time });
    match &operation.work {
        OperationWork::CreateBackup(name) => {
            let source_table = backups.get(name).map(|backup| backup.source_table.clone());
            let metadata = CreateBackupMetadata {
                name: name.clone(),
                source_table: source_table.unwrap_or_default(),
                start_time,
                end_time,
            };
            any(type_url::CREATE_BACKUP_METADATA, &metadata)
        }
        OperationWork::CopyBackup { backup, source } => {
            let metadata = CopyBackupMetadata {
                name: backup.clone(),
                source_backup_info: Some(info_of(backups, source)),
                progress,
            };
            any(type_url::COPY_BACKUP_METADATA, &metadata)
        }
        OperationWork::RestoreTable { table, source } => {
            let metadata = RestoreTableMetadata {
                name: table.clone(),
                source_type: RestoreSourceType::Backup as i32,
                source_info: Some(RestoreSourceInfo::BackupInfo(info_of(backups, source))),
                optimize_table_operation_name: String::new(),
                progress,
            };
            any(type_url::RESTORE_TABLE_METADATA, &metadata)
        }
        OperationWork::UndeleteTable(table) => change(type_url::UNDELETE_TABLE_METADATA, table),
        OperationWork::UpdateTable(update) => {
            change(type_url::UPDATE_TABLE_METADATA, &update.new.name)
        }
        OperationWork::CreateAuthorizedView(request) => {
            let metadata = CreateAuthorizedViewMetadata {
                original_request: Some((**request).clone()),
                request_time: start_time,
                finish_time: end_time,
            };
            any(type_url::CREATE_AUTHORIZED_VIEW_METADATA, &metadata)
        }
        OperationWork::UpdateAuthorizedView(request) => {
            let metadata = UpdateAuthorizedViewMetadata {
                original_request: Some((**request).clone()),
                request_time: start_time,
                finish_time: end_time,
            };
            any(type_url::UPDATE_AUTHORIZED_VIEW_METADATA, &metadata)
        }
        OperationWork::CreateSchemaBundle(request) => {
            let name = bundle_changes::name_of(&request.parent, &request.schema_bundle_id);
            change(type_url::CREATE_SCHEMA_BUNDLE_METADATA, &name)
        }
        OperationWork::UpdateSchemaBundle(request) => {
            change(type_url::UPDATE_SCHEMA_BUNDLE_METADATA, bundle_changes::name_in(request))
        }
    }
}

fn info_of(backups: &Backups, name: &str) -> BackupInfo {
    let backup = backups.get(name);
    BackupInfo {
        backup: name.to_owned(),
        start_time: backup.map(|backup| time(backup.started_ms)),
        end_time: backup.and_then(|backup| backup.ended_ms).map(time),
        source_table: backup.map(|backup| backup.source_table.clone()).unwrap_or_default(),
        source_backup: backup.map(|backup| backup.source_backup.clone()).unwrap_or_default(),
    }
}

fn any(url: &str, message: &impl Message) -> Any {
    Any { type_url: url.to_owned(), value: Bytes::from(message.encode_to_vec()) }
}
