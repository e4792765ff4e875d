//! What changes tables meanwhile: it creates and deletes one, and splits and merges regions.

use std::fmt::Debug;
use std::sync::Arc;

use tallrow::admin::Region;
use tallrow::{Admin, Client, FamilyDescriptor, TableDescriptor};
use tallrow_tests::{Random, Store};

use super::progress::Progress;
use super::writers::{ROWS, table_name};

/// The most regions that the table of the writers is split into.
const REGIONS: usize = 4;

/// What something may be: one of these, the last of which was tried last.
#[derive(Debug)]
pub(super) struct Possible<T>(Vec<T>);

impl<T: Clone + Debug + PartialEq> Possible<T> {
    pub(super) fn only(state: T) -> Self {
        Self(vec![state])
    }

    /// Notes what a change leads to, which was acknowledged or may have happened.
    pub(super) fn note(&mut self, state: T, is_acknowledged: bool) {
        if is_acknowledged {
            self.0.clear();
        }
        self.0.push(state);
    }

    /// Checks what was found.
    pub(super) fn check(&mut self, found: T, what: &str) {
        assert!(self.0.contains(&found), "{what}: {found:?}, expected one of {:?}", self.0);
        self.0 = vec![found];
    }
}

/// The task that changes tables.
pub(super) struct Changer {
    admin: Admin,
    random: Random,
    progress: Arc<Progress>,
    /// Whether the table `x` exists.
    exists: Possible<bool>,
    /// Where the regions of the writers' tables begin.
    starts: [Possible<Vec<Vec<u8>>>; 2],
}

impl Changer {
    pub(super) fn new(client: &Client, progress: &Arc<Progress>) -> Self {
        let (admin, random) = (client.admin(), Random::new(34, 100));
        let exists = Possible::only(false);
        let starts = Store::ALL.map(|_| Possible::only(vec![Vec::new()]));
        Self { admin, random, progress: Arc::clone(progress), exists, starts }
    }

    pub(super) async fn run(mut self) {
        while !self.progress.ends() {
            match self.random.below(3) {
                0 => self.create_or_delete().await,
                _ => {
                    let table = self.random.index(Store::ALL.len());
                    self.split_or_merge(table).await;
                }
            }
        }
        assert!(self.exists().await.is_some(), "a table could not be looked up");
        for table in 0..Store::ALL.len() {
            assert!(self.regions(table).await.is_some(), "regions could not be listed");
        }
    }

    /// Whether the table is there, as it should be.
    async fn exists(&mut self) -> Option<bool> {
        let found = self.admin.table_exists("x").await.ok()?;
        self.exists.check(found, "whether x exists");
        Some(found)
    }

    async fn create_or_delete(&mut self) {
        let Some(exists) = self.exists().await else { return };
        let outcome = if exists {
            // It may be disabled already, by an attempt before.
            let _ = self.admin.hbase().unwrap().disable_table("x").await;
            self.admin.delete_table("x").await
        } else {
            let table = TableDescriptor::new("x").unwrap().family(FamilyDescriptor::new("f"));
            self.admin.create_table_with_splits(&table, ["k", "p"]).await
        };
        self.exists.note(!exists, outcome.is_ok());
        if outcome.is_ok() {
            self.progress.count(|all| match exists {
                true => all.deleted += 1,
                false => all.created += 1,
            });
        }
    }

    /// The regions of a table of the writers, which are as they should be.
    async fn regions(&mut self, table: usize) -> Option<Vec<Region>> {
        let name = table_name(Store::ALL[table]);
        let regions = self.admin.hbase().unwrap().regions(name).await.ok()?;
        let starts = regions.iter().map(|region| region.start_key().to_vec()).collect();
        self.starts[table].check(starts, &format!("where regions of {name} begin"));
        Some(regions)
    }

    /// Splits a region of a table of the writers, or merges two.
    async fn split_or_merge(&mut self, table: usize) {
        let Some(regions) = self.regions(table).await else { return };
        let mut starts: Vec<_> = regions.iter().map(|region| region.start_key().to_vec()).collect();
        let hbase = self.admin.hbase().unwrap();
        if regions.len() >= REGIONS {
            let first = self.random.index(regions.len() - 1);
            starts.remove(first + 1);
            let is_merged = hbase.merge_regions(&regions[first..first + 2]).await.is_ok();
            self.starts[table].note(starts, is_merged);
            self.progress.count(|all| all.merged += u64::from(is_merged));
            return;
        }
        let at = format!("{}-1", self.random.below(ROWS));
        let Err(place) = starts.binary_search(&at.clone().into_bytes()) else { return };
        starts.insert(place, at.clone().into_bytes());
        let is_split = hbase.split_region(&regions[place - 1], &at).await.is_ok();
        self.starts[table].note(starts, is_split);
        self.progress.count(|all| all.split += u64::from(is_split));
    }
}
