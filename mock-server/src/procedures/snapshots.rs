//! Taking, restoring, cloning and deleting snapshots.

use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::{SnapshotDescription, SnapshotType, TableName, TableStateKind};
use tallrow_wire::region;

use super::copies::{copy_table, restore_copy};
use crate::base::{RemoteResult, remote_exception};
use crate::schema::{self, table_text};
use crate::state::{AdminGuard, Cluster, Snapshot};

/// Takes a snapshot.
pub(crate) fn take_snapshot(
    cluster: &AdminGuard<'_>,
    mut description: SnapshotDescription,
) -> RemoteResult<()> {
    let name = description.name.clone();
    let table = description.table.clone().unwrap_or_default();
    if cluster.snapshots.lock().contains_key(&name) {
        let text = format!("Snapshot '{name}' already stored on the filesystem.");
        return Err(remote_exception(exception::SNAPSHOT_EXISTS, text));
    }
    let found = cluster.catalog().table(&region::parse_table_name(table.as_bytes())).cloned();
    let Some(found) = found else {
        let text = format!("Table '{table}' doesn't exist, can't take snapshot.");
        return Err(remote_exception(exception::SNAPSHOT_CREATION, text));
    };
    let now = cluster.clock.now();
    if description.creation_time.unwrap_or(0) <= 0 {
        description.creation_time = i64::try_from(now).ok();
    }
    description.version = Some(2);
    // The memory of a disabled table was flushed when the regions of the table were closed.
    let enabled = found.state == TableStateKind::Enabled;
    let skip_flush = enabled && description.r#type() == SnapshotType::Skipflush;
    let snapshot = Snapshot { description, copy: copy_table(cluster, found, skip_flush) };
    cluster.snapshots.lock().insert(name, snapshot);
    Ok(())
}

/// Returns the snapshot that is to be restored or cloned.
fn found(cluster: &Cluster, name: &str) -> RemoteResult<Snapshot> {
    let found = cluster.snapshots.lock().get(name).cloned();
    found.ok_or_else(|| snapshot_not_found(name))
}

/// Deletes a snapshot.
pub(crate) fn delete_snapshot(cluster: &AdminGuard<'_>, name: &str) -> RemoteResult<()> {
    match cluster.snapshots.lock().remove(name) {
        Some(_) => Ok(()),
        None => Err(snapshot_not_found(name)),
    }
}

/// Makes those checks of a restore whose failure is reported in the response to the call, and not
/// only to a client that polls. As on a real master, the exception for an enabled table allows a
/// retry.
pub(crate) fn check_restore(
    cluster: &AdminGuard<'_>,
    name: &str,
    to: &TableName,
) -> RemoteResult<()> {
    let snapshot = found(cluster, name)?;
    let catalog = cluster.catalog();
    if catalog.table(to).is_none() {
        let namespace = String::from_utf8_lossy(&to.namespace).into_owned();
        return match catalog.namespaces.contains_key(&namespace) {
            true => Ok(()),
            false => Err(remote_exception(exception::NAMESPACE_NOT_FOUND, namespace)),
        };
    }
    let own = snapshot.copy.schema.table_name.unwrap_or_default();
    if catalog.table(&own).is_some_and(|t| t.state == TableStateKind::Enabled) {
        let text = format!(
            "java.lang.UnsupportedOperationException: Table '{}' must be disabled in order to \
             perform a restore operation.",
            table_text(&own)
        );
        return Err(remote_exception(exception::IO, text));
    }
    Ok(())
}

/// Restores a disabled table to its state when the snapshot was taken, or creates a table from the
/// snapshot. `new_file_tracker` names another store file tracker for the table.
pub(crate) fn restore_snapshot(
    cluster: &AdminGuard<'_>,
    name: &str,
    to: &TableName,
    new_file_tracker: Option<&str>,
) -> RemoteResult<()> {
    let snapshot = found(cluster, name)?;
    if snapshot.is_expired(cluster.clock.now()) {
        let text = format!("TTL for snapshot '{name}' has already expired.");
        return Err(remote_exception(exception::SNAPSHOT_TTL_EXPIRED, text));
    }
    let mut copy = snapshot.copy;
    if let Some(tracker) = new_file_tracker.filter(|tracker| !tracker.is_empty()) {
        schema::set_tracker(&mut copy.schema, tracker);
        schema::check_new_trackers(&copy.schema)?;
    }
    restore_copy(cluster, copy, to, None)
}

/// The exception for a snapshot that does not exist.
pub(crate) fn snapshot_not_found(name: &str) -> RemoteException {
    let text = format!("Snapshot '{name}' doesn't exist on the filesystem");
    remote_exception(exception::SNAPSHOT_DOES_NOT_EXIST, text)
}
