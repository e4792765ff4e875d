//! The calls that make, copy, describe, change, list, restore and delete backups, and the one that
//! brings a deleted table back.

use std::cmp::Reverse;
use std::sync::Arc;

use tallrow_wire::bigtable::{
    Backup as BackupMessage, BackupType, CopyBackupRequest, CreateBackupRequest,
    DeleteBackupRequest, Empty, GetBackupRequest, ListBackupsRequest, ListBackupsResponse,
    RestoreSource, RestoreTableRequest, Status, Timestamp, UndeleteTableRequest,
    UpdateBackupRequest,
};

use super::backup_description::backup_message;
use super::operations::{begin_with, cancel};
use crate::bigtable::call::{GrpcCall, ReplyMessages};
use crate::bigtable::open_table::no_table;
use crate::bigtable::status::{StatusCode, StatusResult, invalid, not_found};
use crate::bigtable::{limits, names};
use crate::procedures;
use crate::state::{Backup, OperationWork};

/// Answers a CreateBackup. The backup has the rows of the table at this time.
pub(crate) fn create_backup(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request: CreateBackupRequest = call.decode()?;
    let instance = names::check_cluster(call.cluster, &request.parent)?;
    names::check_backup_id(&request.backup_id)?;
    let Some(new) = request.backup else { return Err(invalid("The backup is not set")) };
    let table = names::table_name(call.cluster, &new.source_table)?;
    if !new.source_table.starts_with(&format!("{instance}/tables/")) {
        return Err(invalid(format!(
            "The source_table {} is in another instance than the backup, which is in {instance}",
            new.source_table
        )));
    }
    let now = call.cluster.clock.now();
    let expires_ms = expiry(new.expire_time.as_ref(), now, limits::BACKUP_LONGEST_MS)?;
    let (is_hot, hot_until_ms) = hot(&new, now)?;
    let name = format!("{}/backups/{}", request.parent, request.backup_id);
    let cluster = call.cluster.lock_admin();
    let mut backups = cluster.backups.lock();
    backups.drop_expired(now);
    if backups.get(&name).is_some() {
        return Err(backup_exists(&name));
    }
    let found = cluster.catalog().table(&table).cloned();
    let found = found.ok_or_else(|| no_table(&new.source_table))?;
    let content = Arc::new(procedures::copy_table(&cluster, found, false));
    let backup = Backup {
        source_table: new.source_table,
        source_backup: String::new(),
        started_ms: now,
        ended_ms: None,
        expires_ms,
        is_hot,
        hot_until_ms,
        content,
    };
    backups.set(&name, backup);
    let work = OperationWork::CreateBackup(name.clone());
    Ok(begin_with(&cluster, &mut backups, &name, work))
}

/// Answers a CopyBackup.
pub(crate) fn copy_backup(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request: CopyBackupRequest = call.decode()?;
    names::check_cluster(call.cluster, &request.parent)?;
    names::check_backup_id(&request.backup_id)?;
    names::check_backup(call.cluster, &request.source_backup)?;
    let now = call.cluster.clock.now();
    let expires_ms = expiry(request.expire_time.as_ref(), now, limits::BACKUP_COPY_LONGEST_MS)?;
    let name = format!("{}/backups/{}", request.parent, request.backup_id);
    let cluster = call.cluster.lock_admin();
    let mut backups = cluster.backups.lock();
    backups.drop_expired(now);
    let source = backups.get(&request.source_backup);
    let source = source.ok_or_else(|| no_backup(&request.source_backup))?;
    check_ready(&request.source_backup, source)?;
    if !source.source_backup.is_empty() {
        return Err(StatusCode::FailedPrecondition.status(format!(
            "The backup {} is itself a copy, of {}. Copy that one",
            request.source_backup, source.source_backup
        )));
    }
    let copy = Backup {
        source_table: source.source_table.clone(),
        source_backup: request.source_backup.clone(),
        started_ms: now,
        ended_ms: None,
        expires_ms,
        is_hot: false,
        hot_until_ms: None,
        content: Arc::clone(&source.content),
    };
    if backups.get(&name).is_some() {
        return Err(backup_exists(&name));
    }
    backups.set(&name, copy);
    let work = OperationWork::CopyBackup { backup: name.clone(), source: request.source_backup };
    Ok(begin_with(&cluster, &mut backups, &name, work))
}

/// Answers a RestoreTable: makes a new table of a backup.
pub(crate) fn restore_table(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request: RestoreTableRequest = call.decode()?;
    names::check_instance(call.cluster, &request.parent)?;
    names::check_table_id(&request.table_id)?;
    let Some(RestoreSource::Backup(source)) = request.source else {
        return Err(invalid("The backup to restore from is not set"));
    };
    names::check_backup(call.cluster, &source)?;
    let table = format!("{}/tables/{}", request.parent, request.table_id);
    let cluster = call.cluster.lock_admin();
    let mut backups = cluster.backups.lock();
    backups.drop_expired(call.cluster.clock.now());
    check_ready(&source, backups.get(&source).ok_or_else(|| no_backup(&source))?)?;
    check_no_table(call, &table)?;
    let work = OperationWork::RestoreTable { table: table.clone(), source };
    Ok(begin_with(&cluster, &mut backups, &table, work))
}

/// Answers an UndeleteTable: brings back a table that was deleted in the last seven days.
pub(crate) fn undelete_table(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request: UndeleteTableRequest = call.decode()?;
    let table = names::table_name(call.cluster, &request.name)?;
    let cluster = call.cluster.lock_admin();
    check_no_table(call, &request.name)?;
    let mut backups = cluster.backups.lock();
    if backups.deleted_table(&table, call.cluster.clock.now()).is_none() {
        return Err(no_table(&request.name));
    }
    let work = OperationWork::UndeleteTable(request.name.clone());
    Ok(begin_with(&cluster, &mut backups, &request.name, work))
}

/// Answers a GetBackup.
pub(crate) fn get_backup(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request: GetBackupRequest = call.decode()?;
    names::check_backup(call.cluster, &request.name)?;
    let now = call.cluster.clock.now();
    let mut backups = call.cluster.backups.lock();
    backups.drop_expired(now);
    let backup = backups.get(&request.name).ok_or_else(|| no_backup(&request.name))?;
    Ok(ReplyMessages::one(&backup_message(&request.name, backup, now)))
}

/// Answers an UpdateBackup: changes when a backup is deleted, and when it is no longer a hot one.
pub(crate) fn update_backup(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request: UpdateBackupRequest = call.decode()?;
    let Some(new) = request.backup else { return Err(invalid("The backup is not set")) };
    names::check_backup(call.cluster, &new.name)?;
    let fields = request.update_mask.unwrap_or_default().paths;
    if fields.is_empty() {
        return Err(invalid("The update_mask names no field"));
    }
    let now = call.cluster.clock.now();
    let mut backups = call.cluster.backups.lock();
    backups.drop_expired(now);
    let backup = backups.get(&new.name).ok_or_else(|| no_backup(&new.name))?;
    let mut changed = backup.clone();
    for field in &fields {
        match &**field {
            "expire_time" => {
                let longest = match backup.source_backup.is_empty() {
                    true => limits::BACKUP_LONGEST_MS,
                    false => limits::BACKUP_COPY_LONGEST_MS,
                };
                changed.expires_ms = expiry(new.expire_time.as_ref(), backup.started_ms, longest)?;
                if changed.expires_ms <= now {
                    return Err(invalid("The expire_time has passed already"));
                }
            }
            "hot_to_standard_time" => {
                let kind = match backup.is_hot_at(now) {
                    true => BackupType::Hot,
                    false => BackupType::Standard,
                };
                let new = BackupMessage { backup_type: kind as i32, ..new.clone() };
                (changed.is_hot, changed.hot_until_ms) = hot(&new, backup.started_ms)?;
            }
            other => {
                return Err(invalid(format!(
                    "The update_mask has the path \"{other}\". A backup has the paths expire_time \
                     and hot_to_standard_time"
                )));
            }
        }
    }
    let message = backup_message(&new.name, &changed, now);
    backups.set(&new.name, changed);
    Ok(ReplyMessages::one(&message))
}

/// Answers a DeleteBackup. The operation that is still making the backup ends.
pub(crate) fn delete_backup(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request: DeleteBackupRequest = call.decode()?;
    names::check_backup(call.cluster, &request.name)?;
    let mut backups = call.cluster.backups.lock();
    backups.drop_expired(call.cluster.clock.now());
    if let Some(user) = backups.user_of(&request.name) {
        return Err(StatusCode::FailedPrecondition.status(format!(
            "The backup {} is in use by {user}. Wait for it, or cancel it",
            request.name
        )));
    }
    if backups.remove(&request.name).is_none() {
        return Err(no_backup(&request.name));
    }
    if let Some(maker) = backups.maker_of(&request.name) {
        cancel(call.cluster, &mut backups, &maker, "The backup was deleted");
    }
    Ok(ReplyMessages::one(&Empty {}))
}

/// Answers a ListBackups: the backups of a cluster or of all clusters, the newest first.
pub(crate) fn list_backups(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request: ListBackupsRequest = call.decode()?;
    let prefix = match request.parent.strip_suffix("/clusters/-") {
        Some(instance) => {
            names::check_instance(call.cluster, instance)?;
            format!("{instance}/clusters/")
        }
        None => {
            names::check_cluster(call.cluster, &request.parent)?;
            format!("{}/backups/", request.parent)
        }
    };
    if !request.filter.is_empty() || !request.order_by.is_empty() {
        return Err(StatusCode::Unimplemented.status(
            "The mock lists all backups, in the default order: it has neither filter nor order_by",
        ));
    }
    let page_size = usize::try_from(request.page_size)
        .map_err(|_| invalid(format!("page_size must not be negative: {}", request.page_size)))?;
    let now = call.cluster.clock.now();
    let mut backups = call.cluster.backups.lock();
    backups.drop_expired(now);
    let mut listed: Vec<_> =
        backups.all().iter().filter(|(name, _)| name.starts_with(&prefix)).collect();
    listed.sort_by_key(|(name, backup)| (Reverse(backup.started_ms), *name));
    let is_last = |name: &str| name == request.page_token;
    let begin = match request.page_token.is_empty() {
        true => 0,
        false => match listed.iter().position(|(name, _)| is_last(name)) {
            Some(last) => last + 1,
            None => return Err(invalid("The page_token is none of these backups, or is too old")),
        },
    };
    let rest = listed.get(begin..).unwrap_or_default();
    let page = match page_size {
        0 => rest,
        size => rest.get(..size).unwrap_or(rest),
    };
    let next_page_token = match page.last() {
        Some((name, _)) if page.len() < rest.len() => (*name).clone(),
        _ => String::new(),
    };
    let messages = page.iter().map(|(name, backup)| backup_message(name, backup, now)).collect();
    Ok(ReplyMessages::one(&ListBackupsResponse { backups: messages, next_page_token }))
}

/// Returns when a backup expires, which is 6 hours after its creation at least.
fn expiry(time: Option<&Timestamp>, created_ms: u64, longest_ms: u64) -> StatusResult<u64> {
    let Some(time) = time else { return Err(invalid("The expire_time is not set")) };
    let expires = millis_of(time)?;
    let allowed = created_ms + limits::BACKUP_SHORTEST_MS..=created_ms + longest_ms;
    match allowed.contains(&expires) {
        true => Ok(expires),
        false => Err(invalid(format!(
            "The expire_time must be at least 6 hours and at most {} days after the creation of \
             the backup",
            longest_ms / limits::DAY_MS
        ))),
    }
}

/// Returns whether a new backup is a hot one, and until when.
fn hot(new: &BackupMessage, created_ms: u64) -> StatusResult<(bool, Option<u64>)> {
    let is_hot = match BackupType::try_from(new.backup_type) {
        Ok(kind) => kind == BackupType::Hot,
        Err(_) => return Err(invalid(format!("There is no backup_type {}", new.backup_type))),
    };
    let until = new.hot_to_standard_time.as_ref().map(millis_of).transpose()?;
    match until {
        Some(_) if !is_hot => Err(invalid("A standard backup has no hot_to_standard_time")),
        Some(until) if until < created_ms + limits::DAY_MS => Err(invalid(
            "The hot_to_standard_time must be at least 24 hours after the creation of the backup",
        )),
        until => Ok((is_hot, until)),
    }
}

fn millis_of(time: &Timestamp) -> StatusResult<u64> {
    let seconds = u64::try_from(time.seconds).ok().filter(|s| *s <= limits::LATEST_SECONDS);
    let nanos = u64::try_from(time.nanos).ok().filter(|nanos| *nanos < 1_000_000_000);
    match (seconds, nanos) {
        (Some(seconds), Some(nanos)) => Ok(seconds * 1_000 + nanos / 1_000_000),
        _ => Err(invalid(format!("There is no time of {} s and {} ns", time.seconds, time.nanos))),
    }
}

fn check_ready(name: &str, backup: &Backup) -> StatusResult<()> {
    match backup.ended_ms {
        Some(_) => Ok(()),
        None => {
            Err(StatusCode::FailedPrecondition.status(format!("The backup {name} is not READY")))
        }
    }
}

fn check_no_table(call: &GrpcCall<'_>, table: &str) -> StatusResult<()> {
    match call.cluster.schema_of(&names::table_name(call.cluster, table)?) {
        None => Ok(()),
        Some(_) => Err(StatusCode::AlreadyExists.status(format!("Table already exists: {table}"))),
    }
}

fn backup_exists(name: &str) -> Status {
    StatusCode::AlreadyExists.status(format!("Backup already exists: {name}"))
}

fn no_backup(name: &str) -> Status {
    not_found(format!("Backup not found: {name}"))
}
