//! What makes, restores and deletes a backup of the writers' table meanwhile.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tallrow::admin::{Backup, BackupDescriptor, BackupName};
use tallrow::{Client, ErrorKind, Scan};
use tallrow_tests::{Random, Store};

use super::progress::Progress;
use super::tables::Possible;
use super::writers::table_name;

/// After how many operations of the writers the next step follows.
const PAUSE: u64 = 20;

/// The table that is made of the backup.
const RESTORED: &str = "restored";

/// The task.
pub(super) struct Keeper {
    client: Client,
    random: Random,
    progress: Arc<Progress>,
    name: BackupName,
    /// Whether the backup exists.
    exists: Possible<bool>,
    /// How the backup was described, and the rows of a table that was made of it.
    described: Option<Backup>,
    rows: Option<Vec<String>>,
}

impl Keeper {
    pub(super) fn new(client: &Client, progress: &Arc<Progress>) -> Self {
        Self {
            client: client.clone(),
            random: Random::new(34, 300),
            progress: Arc::clone(progress),
            name: BackupName::new("c", "b"),
            exists: Possible::only(false),
            described: None,
            rows: None,
        }
    }

    pub(super) async fn run(mut self) {
        while !self.progress.ends() {
            match self.random.below(4) {
                0 => self.make_or_delete().await,
                _ => self.restore().await,
            }
            self.progress.pause(PAUSE).await;
        }
        assert!(self.exists().await.is_some(), "the backup could not be looked up");
    }

    /// Whether the backup is there, as it should be, and as it was.
    async fn exists(&mut self) -> Option<bool> {
        let found = match self.client.admin().bigtable().unwrap().backup(&self.name).await {
            Ok(found) => Some(found),
            Err(error) if error.kind() == ErrorKind::BackupNotFound => None,
            Err(_) => return None,
        };
        self.exists.check(found.is_some(), "whether the backup exists");
        let exists = found.is_some();
        if let (Some(found), Some(described)) = (&found, &self.described) {
            assert_eq!(found, described);
        }
        self.described = found;
        Some(exists)
    }

    async fn make_or_delete(&mut self) {
        let Some(exists) = self.exists().await else { return };
        (self.described, self.rows) = (None, None);
        let admin = self.client.admin();
        let bigtable = admin.bigtable().unwrap();
        let is_done = if exists {
            bigtable.delete_backup(&self.name).await.is_ok()
        } else {
            let in_a_week = SystemTime::now() + Duration::from_secs(7 * 86_400);
            let descriptor = BackupDescriptor::new(self.name.clone(), in_a_week);
            match bigtable.create_backup(table_name(Store::Bigtable), &descriptor).await {
                Ok(operation) => {
                    let is_known = operation.wait(Duration::from_secs(60)).await.is_ok();
                    self.progress.count(|all| all.backed_up += u64::from(is_known));
                    true
                }
                Err(_) => false,
            }
        };
        self.exists.note(!exists, is_done);
    }

    /// Makes a table of the backup, which has the same rows each time.
    async fn restore(&mut self) {
        if self.exists().await != Some(true) {
            return;
        }
        let admin = self.client.admin();
        // It may be there, by an attempt before.
        let _ = admin.delete_table(RESTORED).await;
        let bigtable = admin.bigtable().unwrap();
        let Ok(operation) = bigtable.restore_table(&self.name, RESTORED).await else { return };
        if operation.wait(Duration::from_secs(60)).await.is_err() {
            return;
        }
        let table = self.client.raw_table(RESTORED).unwrap();
        let mut scan = table.scan(Scan::all()).unwrap();
        let mut rows = Vec::new();
        loop {
            match scan.next_row().await {
                Ok(Some(row)) => rows.push(format!("{row:?}")),
                Ok(None) => break,
                Err(_) => return,
            }
        }
        if let Some(before) = &self.rows {
            assert_eq!(&rows, before, "the backup has other rows than before");
        }
        self.rows = Some(rows);
        self.progress.count(|all| all.restored += 1);
    }
}
