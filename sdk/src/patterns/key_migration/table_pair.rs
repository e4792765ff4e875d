//! Both tables, and how a row of one is made equal to that of the other.

use std::sync::Mutex;
use std::time::Duration;

use tokio::time::Instant;

use super::cells::{VersionLimits, read};
use super::keys::KeyMapping;
use super::phase::Phase;
use super::state::KeyMigrationState;
use crate::runtime::lost_replies::repeatable;
use crate::{Client, Error, ErrorKind, RawTable, Result};

pub(super) struct Inner {
    pub(super) client: Client,
    pub(super) old: RawTable,
    pub(super) new: RawTable,
    pub(super) keys: KeyMapping,
    pub(super) state: KeyMigrationState,
    pub(super) limits: VersionLimits,
    pub(super) lease: Duration,
    /// The phase, and when it was asked for.
    pub(super) known: Mutex<Option<(Phase, Instant)>>,
}

impl Inner {
    /// Makes the new row equal to the old one, also if others do the same.
    ///
    /// The new row is read before the old one: a version that it has, and that the old row does not
    /// have afterwards, was deleted. The old row is read again after the copy: if what was copied
    /// is not right any more, the copy may have overwritten a later one.
    pub(super) async fn sync(&self, row: &[u8], new_row: &[u8], end: Instant) -> Result<bool> {
        let (old, new) = (self.old.until(end), self.new.until(end));
        let mut changed = false;
        loop {
            let copy = read(&new, new_row).await.map_err(repeatable)?;
            let source = read(&old, row).await.map_err(repeatable)?;
            let changes = source.changes(&copy, &self.limits);
            if changes.is_empty() {
                return Ok(changed);
            }
            new.mutate_row(changes.mutation(new_row)).await.map_err(repeatable)?;
            changed = true;
            let source = read(&old, row).await.map_err(repeatable)?;
            if changes.puts.may_be_written(&source, &self.limits) {
                return Ok(changed);
            }
            // Each of the calls ends by the deadline itself, and its error names the server.
            if Instant::now() >= end {
                return Err(Error::new(ErrorKind::Timeout, "the row kept changing"));
            }
        }
    }
}
