//! One read or change of a batch, and the operation that is made of it.

use bytes::Bytes;

use super::row_version::{version_bytes, version_conflict};
use super::{RowChange, Table, TypedTable, Update, WriteRow};
use crate::request::op::{BatchOutcome, Check, NamedOperation, RowMutations, RowOperation};
use crate::table::column::Condition;
use crate::{Error, RawTable, Result};

pub(super) enum BatchOperation<'a, T: Table> {
    Put(&'a T),
    Update(Box<RowUpdate<'a, T>>),
    Delete(&'a T::Key),
    Get(&'a T::Key),
}

/// An update of one row.
pub(super) struct RowUpdate<'a, T: Table> {
    pub(super) operation_name: &'static str,
    pub(super) key: &'a T::Key,
    pub(super) update: Update<T>,
    /// The condition that must hold for the update to be made.
    pub(super) condition: Option<Condition<T>>,
}

impl<T: Table> BatchOperation<'_, T> {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Put(_) => "put",
            Self::Update(update) => update.operation_name,
            Self::Delete(_) => "delete",
            Self::Get(_) => "get",
        }
    }

    /// Returns the change in the form that hooks get; `None` for a read.
    pub(super) fn for_hooks(&self) -> Option<RowChange<'_, T>> {
        match self {
            Self::Put(row) => Some(RowChange::Put(*row)),
            Self::Update(update) => Some(RowChange::Update(update.key, &update.update)),
            Self::Delete(key) => Some(RowChange::Delete(*key)),
            Self::Get(_) => None,
        }
    }
}

impl<T: WriteRow> TypedTable<T> {
    /// Makes all these changes as one batch, with the writes that hooks add; the outcomes are in
    /// the order of the changes.
    pub(super) async fn run_changes(
        &self,
        changes: &[BatchOperation<'_, T>],
    ) -> Vec<Result<BatchOutcome>> {
        let raw = match &self.raw {
            Ok(raw) => raw,
            Err(why) => return changes.iter().map(|_| Err(Error::invalid(why.clone()))).collect(),
        };
        let operations = changes.iter().map(|change| self.operation(raw, change));
        if !self.hooks.is_empty() {
            return Box::pin(self.run_changes_with_hooks(raw, changes, operations.collect())).await;
        }
        let outcomes = raw.run_named_operations(operations).await;
        self.check_versions(raw, changes, outcomes)
    }

    pub(super) fn operation(
        &self,
        raw: &RawTable,
        change: &BatchOperation<'_, T>,
    ) -> Result<NamedOperation> {
        let operation = match change {
            BatchOperation::Put(row) => self.put_of(raw, row)?,
            BatchOperation::Update(update) => {
                let RowUpdate { operation_name, key, update, condition } = &**update;
                let changes: RowMutations = self.mutations_of(operation_name, key, update)?;
                match condition {
                    Some(condition) => {
                        condition.clone().into_check(changes.row()).then(changes).into()
                    }
                    None => changes.into(),
                }
            }
            BatchOperation::Delete(key) => self.delete_of("delete", key)?.into(),
            BatchOperation::Get(key) => self.to_get("get", key)?.into(),
        };
        Ok(NamedOperation { operation_name: Some(change.name()), operation })
    }

    /// Returns the put of a row. If the row has a version, the put is made only if the row in the
    /// table still has this version.
    pub(super) fn put_of(&self, raw: &RawTable, row: &T) -> Result<RowOperation> {
        let put = row.to_put(self.options).map_err(|e| e.on_table(raw.name()))?;
        let Some(((family, qualifier), version)) = row.version() else { return Ok(put.into()) };
        let check = Check::new(put.row(), family, qualifier);
        let check = match version {
            // Version 0 is that of a row without the version cell.
            0 => check.if_not_exists(),
            version => check.if_equals(version_bytes(version)?),
        };
        Ok(check.then(put).into())
    }

    /// Returns the outcomes of changes, with an error for each row that was not put because it has
    /// another version.
    pub(super) fn check_versions(
        &self,
        raw: &RawTable,
        changes: &[BatchOperation<'_, T>],
        outcomes: Vec<Result<BatchOutcome>>,
    ) -> Vec<Result<BatchOutcome>> {
        let outcomes = changes.iter().zip(outcomes).map(|(change, outcome)| match change {
            BatchOperation::Put(row) => self.check_version(raw, row, outcome?),
            _ => outcome,
        });
        outcomes.collect()
    }

    /// Returns the outcome of a put, or an error if the row has another version.
    pub(super) fn check_version(
        &self,
        raw: &RawTable,
        row: &T,
        outcome: BatchOutcome,
    ) -> Result<BatchOutcome> {
        match row.version() {
            Some((_, version)) if !outcome.applied => {
                let key = Bytes::copy_from_slice(row.to_put(self.options)?.row());
                Err(version_conflict(version)
                    .with_operation_if_unset("put")
                    .on_table(raw.name())
                    .on_row(&key))
            }
            _ => Ok(outcome),
        }
    }
}
