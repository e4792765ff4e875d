//! Backups, deleted tables and operations as the records of the log, and the records as those.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use prost::Message;
use tallrow_wire::bigtable::{Any, Status, Table};

use super::{Backup, Backups, DeletedTable, OperationWork, StoredOperation, TableUpdate};
use crate::journal::{
    BackupRecord, BackupsChange, DeletedTableRecord, DeletedTablesRecord, OperationRecord, Record,
    StateChange, TableCopyRecord, WorkKind,
};
use crate::state::TableCopy;
use crate::state::kept::Recorded;

/// The contents that earlier records have, by the names of their backups.
type Contents = BTreeMap<String, Arc<TableCopy>>;

impl Recorded for Backups {
    fn take_record(&mut self) -> Option<Record> {
        let changed = std::mem::take(&mut self.changed);
        let mut change = BackupsChange::default();
        for name in changed.backups {
            match self.backups.get(&name) {
                Some(backup) => {
                    change.backups.push(record_of_backup(&name, backup, &self.recorded));
                    self.recorded.insert(name, Arc::clone(&backup.content));
                }
                None if self.recorded.remove(&name).is_some() => change.removed_backups.push(name),
                None => {}
            }
        }
        for name in changed.operations {
            if let Some(operation) = self.operations.get(&name) {
                change.operations.push(operation.to_record(&name));
            }
        }
        change.deleted = changed.new_deleted.map(|new| {
            let first_new = self.deleted.len().saturating_sub(new);
            let (kept, new) = self.deleted.split_at(first_new);
            DeletedTablesRecord {
                kept: kept.iter().map(|table| table.name.clone()).collect(),
                new: new.iter().map(DeletedTableRecord::from).collect(),
            }
        });
        if change == BackupsChange::default() {
            return None;
        }
        change.begun = self.begun;
        Some(StateChange::from(change).into())
    }

    fn forget_changes(&mut self) {
        self.changed = super::Changed::default();
    }
}

impl From<BackupsChange> for StateChange {
    fn from(change: BackupsChange) -> Self {
        Self { backups: Some(change), ..Self::default() }
    }
}

impl Backups {
    /// Returns the records of everything, each of one backup, deleted table or operation.
    pub(crate) fn records(&self) -> impl Iterator<Item = BackupsChange> {
        let begun = self.begun;
        let mut written = Contents::new();
        let backups = self.backups.iter().map(move |(name, backup)| {
            let backups = vec![record_of_backup(name, backup, &written)];
            written.insert(name.clone(), Arc::clone(&backup.content));
            BackupsChange { backups, begun, ..BackupsChange::default() }
        });
        let deleted = (0..).zip(&self.deleted).map(move |(at, table)| {
            let kept = self.deleted.iter().take(at).map(|table| table.name.clone()).collect();
            let deleted = Some(DeletedTablesRecord { kept, new: vec![table.into()] });
            BackupsChange { deleted, begun, ..BackupsChange::default() }
        });
        // Those that are done are in the order in which they were.
        let open = self.operations.iter().filter(|(_, operation)| operation.result.is_none());
        let done = self.done.iter().filter_map(|name| self.operations.get_key_value(name));
        let operations = open.chain(done).map(move |(name, operation)| {
            let operations = vec![operation.to_record(name)];
            BackupsChange { operations, begun, ..BackupsChange::default() }
        });
        backups.chain(deleted).chain(operations)
    }

    /// Makes the changes of a record of an earlier process.
    pub(crate) fn apply(&mut self, change: BackupsChange) -> Result<(), String> {
        self.begun = self.begun.max(change.begun);
        for record in change.backups {
            let content = match record.content.clone() {
                Some(content) => Arc::new(content.try_into()?),
                None => {
                    let of = self.recorded.get(&record.content_of);
                    let missing = || format!("the content of no backup: {}", record.content_of);
                    Arc::clone(of.ok_or_else(missing)?)
                }
            };
            self.recorded.insert(record.name.clone(), Arc::clone(&content));
            self.backups.insert(record.name.clone(), backup_of_record(record, content));
        }
        for name in change.removed_backups {
            self.backups.remove(&name);
            self.recorded.remove(&name);
        }
        if let Some(deleted) = change.deleted {
            self.deleted.retain(|table| deleted.kept.contains(&table.name));
            for table in deleted.new {
                self.deleted.push(table.try_into()?);
            }
        }
        change.operations.into_iter().try_for_each(|operation| self.restore_operation(operation))
    }

    /// Adds an operation of an earlier process, or replaces it.
    fn restore_operation(&mut self, record: OperationRecord) -> Result<(), String> {
        let name = record.name.clone();
        self.put_operation(name, record.try_into()?);
        Ok(())
    }
}

fn record_of_backup(name: &str, backup: &Backup, recorded: &Contents) -> BackupRecord {
    let has_content = |of: &(&String, &Arc<TableCopy>)| Arc::ptr_eq(of.1, &backup.content);
    let content_of = recorded.iter().find(has_content).map(|(name, _)| name.clone());
    BackupRecord {
        name: name.to_owned(),
        source_table: backup.source_table.clone(),
        source_backup: backup.source_backup.clone(),
        started_ms: backup.started_ms,
        ended_ms: backup.ended_ms,
        expires_ms: backup.expires_ms,
        is_hot: backup.is_hot,
        hot_until_ms: backup.hot_until_ms,
        content: content_of.is_none().then(|| (&*backup.content).into()),
        content_of: content_of.unwrap_or_default(),
    }
}

fn backup_of_record(record: BackupRecord, content: Arc<TableCopy>) -> Backup {
    Backup {
        source_table: record.source_table,
        source_backup: record.source_backup,
        started_ms: record.started_ms,
        ended_ms: record.ended_ms,
        expires_ms: record.expires_ms,
        is_hot: record.is_hot,
        hot_until_ms: record.hot_until_ms,
        content,
    }
}

impl From<&TableCopy> for TableCopyRecord {
    fn from(copy: &TableCopy) -> Self {
        Self { schema: Some(copy.schema.clone()), regions: copy.region_records() }
    }
}

impl TryFrom<TableCopyRecord> for TableCopy {
    type Error = String;

    fn try_from(record: TableCopyRecord) -> Result<Self, String> {
        Self::from_records(record.schema, &record.regions)
    }
}

impl From<&DeletedTable> for DeletedTableRecord {
    fn from(table: &DeletedTable) -> Self {
        Self {
            name: Some(table.name.clone()),
            deleted_ms: table.deleted_ms,
            content: Some((&table.content).into()),
        }
    }
}

impl TryFrom<DeletedTableRecord> for DeletedTable {
    type Error = String;

    fn try_from(record: DeletedTableRecord) -> Result<Self, String> {
        let content = TableCopy::try_from(record.content.unwrap_or_default())?;
        let bytes = content.bytes();
        let name = record.name.ok_or("a deleted table without a name")?;
        Ok(Self { name, deleted_ms: record.deleted_ms, content, bytes })
    }
}

impl StoredOperation {
    /// Returns the record of the operation with this name.
    pub(crate) fn to_record(&self, name: &str) -> OperationRecord {
        let none = String::new();
        let (kind, target, source) = match &self.work {
            OperationWork::CreateBackup(backup) => (WorkKind::CreateBackup, backup, ""),
            OperationWork::CopyBackup { backup, source } => {
                (WorkKind::CopyBackup, backup, &**source)
            }
            OperationWork::RestoreTable { table, source } => {
                (WorkKind::RestoreTable, table, &**source)
            }
            OperationWork::UndeleteTable(table) => (WorkKind::UndeleteTable, table, ""),
            OperationWork::UpdateTable(update) => (WorkKind::UpdateTable, &update.new.name, ""),
            OperationWork::CreateAuthorizedView(request) => {
                (WorkKind::CreateAuthorizedView, &request.authorized_view_id, "")
            }
            OperationWork::UpdateAuthorizedView(_) => (WorkKind::UpdateAuthorizedView, &none, ""),
            OperationWork::CreateSchemaBundle(request) => {
                (WorkKind::CreateSchemaBundle, &request.schema_bundle_id, "")
            }
            OperationWork::UpdateSchemaBundle(_) => (WorkKind::UpdateSchemaBundle, &none, ""),
        };
        let mut record = OperationRecord {
            name: name.to_owned(),
            kind: kind.into(),
            target: target.clone(),
            source: source.to_owned(),
            started_ms: self.started_ms,
            polls: self.polls,
            needed_polls: self.needed_polls,
            ..OperationRecord::default()
        };
        match &self.work {
            OperationWork::UpdateTable(update) => {
                record.message = update.new.encode_to_vec().into();
                record.fields.clone_from(&update.fields);
                record.ignore_warnings = update.ignore_warnings;
            }
            OperationWork::CreateAuthorizedView(request) => {
                record.message = request.encode_to_vec().into();
            }
            OperationWork::UpdateAuthorizedView(request) => {
                record.message = request.encode_to_vec().into();
            }
            OperationWork::CreateSchemaBundle(request) => {
                record.message = request.encode_to_vec().into();
            }
            OperationWork::UpdateSchemaBundle(request) => {
                record.message = request.encode_to_vec().into();
            }
            _ => {}
        }
        if let Some((ended_ms, result)) = &self.result {
            record.ended_ms = Some(*ended_ms);
            match result {
                Ok(response) => record.response = response.encode_to_vec().into(),
                Err(error) => record.error = Some(error.encode_to_vec().into()),
            }
        }
        record
    }
}

impl TryFrom<OperationRecord> for StoredOperation {
    type Error = String;

    fn try_from(record: OperationRecord) -> Result<Self, String> {
        let (backup, source) = (record.target.clone(), record.source.clone());
        let work = match record.kind() {
            WorkKind::Unknown => return Err(format!("an operation of no kind: {}", record.name)),
            WorkKind::CreateBackup => OperationWork::CreateBackup(backup),
            WorkKind::CopyBackup => OperationWork::CopyBackup { backup, source },
            WorkKind::RestoreTable => OperationWork::RestoreTable { table: backup, source },
            WorkKind::UndeleteTable => OperationWork::UndeleteTable(backup),
            WorkKind::UpdateTable => OperationWork::UpdateTable(Box::new(TableUpdate {
                new: message::<Table>(&record.message)?,
                fields: record.fields,
                ignore_warnings: record.ignore_warnings,
            })),
            WorkKind::CreateAuthorizedView => {
                OperationWork::CreateAuthorizedView(Box::new(message(&record.message)?))
            }
            WorkKind::UpdateAuthorizedView => {
                OperationWork::UpdateAuthorizedView(Box::new(message(&record.message)?))
            }
            WorkKind::CreateSchemaBundle => {
                OperationWork::CreateSchemaBundle(Box::new(message(&record.message)?))
            }
            WorkKind::UpdateSchemaBundle => {
                OperationWork::UpdateSchemaBundle(Box::new(message(&record.message)?))
            }
        };
        let result = match &record.error {
            Some(error) => Err(message::<Status>(error)?),
            None => Ok(message::<Any>(&record.response)?),
        };
        Ok(Self {
            work,
            started_ms: record.started_ms,
            polls: record.polls,
            needed_polls: record.needed_polls,
            result: record.ended_ms.map(|ended_ms| (ended_ms, result)),
        })
    }
}

fn message<M: Message + Default>(bytes: &Bytes) -> Result<M, String> {
    M::decode(bytes.clone()).map_err(|error| format!("a message of an operation: {error}"))
}
