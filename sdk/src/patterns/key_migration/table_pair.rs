//! The old and the new table, and the copy that makes a row of the new table equal to the row of
//! the old table.

use std::sync::Mutex;
use std::time::Duration;

use tokio::time::Instant;

use super::cells::{VersionLimits, read_cells};
use super::keys::KeyMapping;
use super::phase::Phase;
use super::state::KeyMigrationState;
use crate::runtime::lost_replies::unknown_to_unreachable;
use crate::{Client, Error, ErrorKind, RawTable, Result};

pub(super) struct KeyMigrationInner {
    pub(super) client: Client,
    pub(super) old: RawTable,
    pub(super) new: RawTable,
    pub(super) keys: KeyMapping,
    pub(super) state: KeyMigrationState,
    pub(super) limits: VersionLimits,
    pub(super) lease: Duration,
    /// The phase that was read last, and when it was requested.
    pub(super) last_phase: Mutex<Option<(Phase, Instant)>>,
}

impl KeyMigrationInner {
    /// Makes the new row equal to the old row, even if other processes do so concurrently, and
    /// returns whether the rows were different.
    ///
    /// The new row is read before the old row. So a version that the new row has, but that the old
    /// row then does not have, was deleted from the old row. The old row is read again after the
    /// copy: if the copied cells are no longer right, the copy is repeated, because it may have
    /// overwritten a later copy.
    pub(super) async fn copy_row_until_equal(
        &self,
        row: &[u8],
        new_row: &[u8],
        end: Instant,
    ) -> Result<bool> {
        let (old, new) = (self.old.with_deadline(end), self.new.with_deadline(end));
        let mut changed = false;
        loop {
            let copy = read_cells(&new, new_row).await.map_err(unknown_to_unreachable)?;
            let source = read_cells(&old, row).await.map_err(unknown_to_unreachable)?;
            let changes = source.changes_to_copy(&copy, &self.limits);
            if changes.is_empty() {
                return Ok(changed);
            }
            new.mutate_row(changes.mutation(new_row)).await.map_err(unknown_to_unreachable)?;
            changed = true;
            let source = read_cells(&old, row).await.map_err(unknown_to_unreachable)?;
            if changes.puts.is_valid_copy_of(&source, &self.limits) {
                return Ok(changed);
            }
            // Each of the calls ends by the deadline itself, and its error names the server.
            if Instant::now() >= end {
                return Err(Error::new(ErrorKind::Timeout, "the row kept changing"));
            }
        }
    }
}
