//! Permits to write to the old table, which expire so that writes can be switched to the new table.

use std::sync::PoisonError;
use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::phase::Phase;
use super::state::Part;
use super::table_pair::KeyMigrationInner;
use crate::{Error, ErrorKind, Result};

/// A permit to write to the old table, or to copy from it, until `end`.
#[derive(Clone, Copy)]
pub(super) struct OldTablePermit {
    pub(super) end: Instant,
}

impl KeyMigrationInner {
    pub(super) async fn read_phase(&self) -> Result<Phase> {
        let text = self.state.read(Part::Phase).await?.unwrap_or_default();
        Phase::from_name(&text).ok_or_else(|| self.state.unreadable(Part::Phase, &text))
    }

    /// Returns how long a write to the old table that has begun may take.
    pub(super) fn old_table_write_timeout(&self) -> Duration {
        self.old.deadline().saturating_duration_since(Instant::now())
    }

    fn known(&self) -> Option<(Phase, Instant)> {
        *self.last_phase.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a permit to write to the old table, after waiting as long as writes are being
    /// switched; `None` if writes go to the new table only.
    pub(super) async fn write_permit(&self) -> Result<Option<OldTablePermit>> {
        let deadline = self.old.deadline() + self.lease + self.old_table_write_timeout();
        loop {
            let (phase, asked) = match self.known() {
                Some((phase, asked)) if Instant::now() < asked + self.lease => (phase, asked),
                _ => {
                    let asked = Instant::now();
                    (self.read_phase().await?, asked)
                }
            };
            if phase == Phase::NewOnly {
                return Ok(None);
            }
            if phase != Phase::Switching {
                *self.last_phase.lock().unwrap_or_else(PoisonError::into_inner) =
                    Some((phase, asked));
                return Ok(Some(OldTablePermit {
                    end: asked + self.lease + self.old_table_write_timeout(),
                }));
            }
            if Instant::now() > deadline {
                let text = "writes are being switched to the new table; if the process that did it has ended, call \
                            switch_writes again";
                return Err(Error::new(ErrorKind::Busy, text));
            }
            sleep(self.lease / 8).await;
        }
    }

    /// Returns a permit to copy rows from the old table to the new one.
    pub(super) async fn copy_permit(&self) -> Result<OldTablePermit> {
        self.write_permit().await?.ok_or_else(|| {
            Error::invalid(
                "writes go to the new table only, so it must not be changed to equal the old one",
            )
        })
    }

    /// Waits until no process can be writing to the old table any more. The phase that ends these
    /// writes must have been set before.
    pub(super) async fn wait_for_writers(&self) {
        sleep(self.lease + self.old_table_write_timeout()).await;
    }
}
