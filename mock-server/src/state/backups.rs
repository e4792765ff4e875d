//! The backups of tables, the tables that were deleted lately, and the operations by which tables
//! are backed up, brought back and changed, and their views and schema bundles made and changed.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use tallrow_wire::bigtable::{
    Any, CreateAuthorizedViewRequest, CreateSchemaBundleRequest, Status, Table,
    UpdateAuthorizedViewRequest, UpdateSchemaBundleRequest,
};
use tallrow_wire::proto::TableName;

use super::TableCopy;

mod records;

/// How long a deleted table can be brought back, in ms: seven days.
const KEPT_MS: u64 = 7 * 24 * 60 * 60 * 1_000;

/// The most bytes of deleted tables that are kept; the oldest are dropped first.
const KEPT_BYTES: usize = 256 << 20;

/// The most operations that are remembered after they are done. Those that were done first are
/// forgotten first.
const DONE_OPERATIONS: usize = 2_000;

/// A backup of a table. Times are in ms since 1970.
#[derive(Clone, Debug)]
pub(crate) struct Backup {
    /// The full name of the table.
    pub(crate) source_table: String,
    /// The full name of the backup that this is a copy of; empty if it is none.
    pub(crate) source_backup: String,
    pub(crate) started_ms: u64,
    /// When the backup was ready; `None` if it is still being made.
    pub(crate) ended_ms: Option<u64>,
    pub(crate) expires_ms: u64,
    pub(crate) is_hot: bool,
    /// When a hot backup becomes a standard one.
    pub(crate) hot_until_ms: Option<u64>,
    pub(crate) content: Arc<TableCopy>,
}

impl Backup {
    /// Whether the backup is a hot one at this time.
    pub(crate) fn is_hot_at(&self, now_ms: u64) -> bool {
        self.is_hot && self.hot_until_ms.is_none_or(|until| now_ms < until)
    }
}

/// What an operation does when it is done.
#[derive(Clone, Debug)]
pub(crate) enum OperationWork {
    /// The backup of this name becomes ready.
    CreateBackup(String),
    CopyBackup {
        backup: String,
        source: String,
    },
    RestoreTable {
        table: String,
        source: String,
    },
    UndeleteTable(String),
    UpdateTable(Box<TableUpdate>),
    CreateAuthorizedView(Box<CreateAuthorizedViewRequest>),
    UpdateAuthorizedView(Box<UpdateAuthorizedViewRequest>),
    CreateSchemaBundle(Box<CreateSchemaBundleRequest>),
    UpdateSchemaBundle(Box<UpdateSchemaBundleRequest>),
}

/// What an UpdateTable asks for.
#[derive(Clone, Debug)]
pub(crate) struct TableUpdate {
    /// The name of the table, and the new values.
    pub(crate) new: Table,
    /// The fields that are changed.
    pub(crate) fields: Vec<String>,
    /// Whether to change what queries may need.
    pub(crate) ignore_warnings: bool,
}

/// An operation that a client polls.
#[derive(Clone, Debug)]
pub(crate) struct StoredOperation {
    pub(crate) work: OperationWork,
    pub(crate) started_ms: u64,
    /// How often the operation was polled.
    pub(crate) polls: u32,
    /// How often it has to be polled until it is done.
    pub(crate) needed_polls: u32,
    /// The result, and when the operation was done.
    pub(crate) result: Option<(u64, Result<Any, Status>)>,
}

/// A table that was deleted.
#[derive(Clone, Debug)]
struct DeletedTable {
    name: TableName,
    deleted_ms: u64,
    content: TableCopy,
    bytes: usize,
}

/// What was changed since the backups were locked.
#[derive(Debug, Default)]
struct Changed {
    /// The names of backups that are new, were changed or were removed.
    backups: BTreeSet<String>,
    /// The names of operations that are new or were changed.
    operations: BTreeSet<String>,
    /// How many deleted tables, of the last ones, are new, if any was added or dropped.
    new_deleted: Option<usize>,
}

/// The backups of a cluster, with all that belongs to them.
#[derive(Debug, Default)]
pub(crate) struct Backups {
    /// The backups, by their full names.
    backups: BTreeMap<String, Backup>,
    /// The operations, by their names.
    operations: BTreeMap<String, StoredOperation>,
    /// The names of the operations that are done, in the order in which they were.
    done: VecDeque<String>,
    /// How often operations that begin from now on have to be polled until they are done.
    pub(crate) needed_polls: u32,
    /// The deleted tables, in the order in which they were deleted.
    deleted: Vec<DeletedTable>,
    /// The number of operations that have begun.
    begun: u64,
    changed: Changed,
    /// The contents of the backups that the log has.
    recorded: BTreeMap<String, Arc<TableCopy>>,
}

impl Backups {
    /// Returns the backups, by their full names.
    pub(crate) fn all(&self) -> &BTreeMap<String, Backup> {
        &self.backups
    }

    /// Returns the backup of this name.
    pub(crate) fn get(&self, name: &str) -> Option<&Backup> {
        self.backups.get(name)
    }

    /// Adds a backup, or replaces it.
    pub(crate) fn set(&mut self, name: &str, backup: Backup) {
        self.changed.backups.insert(name.to_owned());
        self.backups.insert(name.to_owned(), backup);
    }

    /// Removes a backup.
    pub(crate) fn remove(&mut self, name: &str) -> Option<Backup> {
        let removed = self.backups.remove(name)?;
        self.changed.backups.insert(name.to_owned());
        Some(removed)
    }

    /// Returns the operation of this name.
    pub(crate) fn operation(&self, name: &str) -> Option<&StoredOperation> {
        self.operations.get(name)
    }

    /// Adds an operation.
    pub(crate) fn add_operation(&mut self, name: &str, operation: StoredOperation) {
        self.changed.operations.insert(name.to_owned());
        self.operations.insert(name.to_owned(), operation);
    }

    /// Counts a poll of an operation; returns whether the operation is to be done now.
    pub(crate) fn count_poll(&mut self, name: &str) -> bool {
        let open = self.operations.get_mut(name).filter(|operation| operation.result.is_none());
        let Some(operation) = open else { return false };
        operation.polls = operation.polls.saturating_add(1);
        self.changed.operations.insert(name.to_owned());
        operation.polls >= operation.needed_polls
    }

    /// Ends an operation.
    pub(crate) fn end_operation(&mut self, name: &str, now_ms: u64, result: Result<Any, Status>) {
        if let Some(operation) = self.operations.get(name).cloned() {
            let result = Some((now_ms, result));
            self.changed.operations.insert(name.to_owned());
            self.put_operation(name.to_owned(), StoredOperation { result, ..operation });
        }
    }

    /// Adds an operation, or replaces it. If it is done now, one that was done long ago may be
    /// forgotten for it.
    fn put_operation(&mut self, name: String, operation: StoredOperation) {
        let is_done = operation.result.is_some();
        let old = self.operations.insert(name.clone(), operation);
        if is_done && old.is_none_or(|old| old.result.is_none()) {
            self.done.push_back(name);
        }
        if self.done.len() > DONE_OPERATIONS
            && let Some(first) = self.done.pop_front()
        {
            self.operations.remove(&first);
        }
    }

    /// Returns the number of a new operation.
    pub(crate) fn next_operation(&mut self) -> u64 {
        self.begun = self.begun.saturating_add(1);
        self.begun
    }

    /// Deletes the backups whose time is over, except those that are still made, copied or
    /// restored.
    pub(crate) fn drop_expired(&mut self, now_ms: u64) {
        let is_over = |backup: &Backup| backup.ended_ms.is_some() && backup.expires_ms <= now_ms;
        let over = self.backups.iter().filter(|(_, backup)| is_over(backup));
        let over: Vec<String> = over.map(|(name, _)| name.clone()).collect();
        for name in over {
            if self.user_of(&name).is_none() {
                self.remove(&name);
            }
        }
    }

    /// Returns the name of an operation that is not done and reads this backup.
    pub(crate) fn user_of(&self, backup: &str) -> Option<&str> {
        let reads = |operation: &StoredOperation| match &operation.work {
            OperationWork::CopyBackup { source, .. }
            | OperationWork::RestoreTable { source, .. } => source == backup,
            _ => false,
        };
        let mut open = self.operations.iter().filter(|(_, of)| of.result.is_none());
        open.find(|(_, operation)| reads(operation)).map(|(name, _)| &**name)
    }

    /// Returns the name of the operation that makes this backup and is not done.
    pub(crate) fn maker_of(&self, backup: &str) -> Option<String> {
        let makes = |operation: &StoredOperation| match &operation.work {
            OperationWork::CreateBackup(made) => made == backup,
            OperationWork::CopyBackup { backup: made, .. } => made == backup,
            _ => false,
        };
        let mut open = self.operations.iter().filter(|(_, of)| of.result.is_none());
        open.find(|(_, operation)| makes(operation)).map(|(name, _)| name.clone())
    }

    /// Keeps a deleted table, so that it can be brought back.
    pub(crate) fn keep_deleted(&mut self, name: TableName, content: TableCopy, now_ms: u64) {
        self.deleted.retain(|other| other.name != name && now_ms < other.deleted_ms + KEPT_MS);
        let bytes = content.bytes();
        self.deleted.push(DeletedTable { name, deleted_ms: now_ms, content, bytes });
        let new = self.changed.new_deleted.unwrap_or(0) + 1;
        let mut kept: usize = self.deleted.iter().map(|table| table.bytes).sum();
        while kept > KEPT_BYTES && !self.deleted.is_empty() {
            kept -= self.deleted.remove(0).bytes;
        }
        self.changed.new_deleted = Some(new.min(self.deleted.len()));
    }

    /// Returns the content of a deleted table, if it is still kept.
    pub(crate) fn deleted_table(&self, name: &TableName, now_ms: u64) -> Option<&TableCopy> {
        let deleted = self.deleted.iter().find(|table| table.name == *name)?;
        (now_ms < deleted.deleted_ms + KEPT_MS).then_some(&deleted.content)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::sample_table;

    fn name(id: &str) -> TableName {
        TableName { namespace: "default".into(), qualifier: id.to_owned().into() }
    }

    #[test]
    fn a_deleted_table_is_kept_for_seven_days_and_once() {
        let mut backups = Backups::default();
        let content = TableCopy { schema: sample_table(&[]), regions: Vec::new() };
        for (id, deleted_ms) in [("t", 5), ("t", 10), ("u", 10)] {
            backups.keep_deleted(name(id), content.clone(), deleted_ms);
        }
        assert_eq!(backups.deleted.len(), 2);
        assert!(backups.deleted_table(&name("t"), 10 + KEPT_MS - 1).is_some());
        assert!(backups.deleted_table(&name("t"), 10 + KEPT_MS).is_none());
        backups.keep_deleted(name("v"), content, 10 + KEPT_MS);
        assert_eq!(backups.deleted.len(), 1, "older ones are dropped");
    }

    fn operation() -> StoredOperation {
        let work = OperationWork::UndeleteTable("t".into());
        StoredOperation { work, started_ms: 1, polls: 0, needed_polls: 1, result: None }
    }

    #[test]
    fn operations_that_were_done_long_ago_are_forgotten() {
        let mut backups = Backups::default();
        backups.add_operation("open", operation());
        // The names are not in the order in which the operations end.
        let name = |at: usize| format!("{}", DONE_OPERATIONS + 10 - at);
        for at in 0..DONE_OPERATIONS + 3 {
            backups.add_operation(&name(at), operation());
            backups.end_operation(&name(at), 2, Ok(Any::default()));
            // It ends once.
            backups.end_operation(&name(at), 3, Ok(Any::default()));
        }
        assert_eq!(backups.operations.len(), DONE_OPERATIONS + 1);
        assert!(backups.operation("open").is_some(), "one that is not done is kept");
        for (at, is_kept) in [(0, false), (2, false), (3, true), (DONE_OPERATIONS + 2, true)] {
            assert_eq!(backups.operation(&name(at)).is_some(), is_kept, "{at}");
        }
        // After a restart, the same ones are forgotten next.
        let mut again = Backups::default();
        backups.records().try_for_each(|record| again.apply(record)).unwrap();
        for backups in [&mut backups, &mut again] {
            assert_eq!(backups.operations.len(), DONE_OPERATIONS + 1);
            backups.end_operation("open", 4, Ok(Any::default()));
            assert_eq!(backups.operations.len(), DONE_OPERATIONS);
            assert!(backups.operation(&name(3)).is_none() && backups.operation(&name(4)).is_some());
        }
    }
}
