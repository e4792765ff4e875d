//! A reader of the change stream of the writers' table, which goes on where it was.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tallrow::changes::{CellChange, ChangePosition, ChangeRecord, RowChanges};
use tallrow::{Client, ErrorKind, RawTable};
use tallrow_tests::{Random, Store};

use super::progress::Progress;
use super::writers::{table_name, value_of};

/// After how many records, at most, the stream is opened anew.
const RECORDS: u64 = 100;

/// What was read of a stream.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Seen {
    /// The values that were put, by the row, in their order.
    pub(super) puts: BTreeMap<String, Vec<u64>>,
    /// The results of increments, by the row, in their order.
    pub(super) increments: BTreeMap<String, Vec<i64>>,
    /// How often 1 was added, by the row.
    pub(super) additions: BTreeMap<String, i64>,
}

impl Seen {
    fn add(&mut self, change: &RowChanges) {
        let row = String::from_utf8(change.row.to_vec()).unwrap();
        for cell in &change.cells {
            match cell {
                CellChange::Set { qualifier, value, .. } if qualifier == "q" => {
                    let value = value_of(value, &row);
                    self.puts.entry(row.clone()).or_default().push(value);
                }
                CellChange::Set { value, .. } => {
                    let counter = i64::from_be_bytes(value[..].try_into().unwrap());
                    self.increments.entry(row.clone()).or_default().push(counter);
                }
                CellChange::Add { .. } => *self.additions.entry(row.clone()).or_default() += 1,
                CellChange::DeleteFamily { .. } => {}
                other => panic!("nobody has done this to {row}: {other:?}"),
            }
        }
    }
}

/// The reader.
pub(super) struct Follower {
    table: RawTable,
    random: Random,
    progress: Arc<Progress>,
    begun: SystemTime,
    position: Option<Vec<u8>>,
    seen: Seen,
}

impl Follower {
    /// A reader of all changes of the table, which is new.
    pub(super) fn new(client: &Client, progress: &Arc<Progress>) -> Self {
        Self {
            table: client.raw_table(table_name(Store::Bigtable)).unwrap(),
            random: Random::new(34, 200),
            progress: Arc::clone(progress),
            begun: SystemTime::now() - Duration::from_secs(60),
            position: None,
            seen: Seen::default(),
        }
    }

    pub(super) async fn run(mut self) -> Self {
        while !self.progress.ends() {
            let most = 1 + self.random.below(RECORDS);
            self.read(most, None).await;
        }
        self
    }

    /// Reads at most so many records from the last position; returns whether the end came.
    async fn read(&mut self, most: u64, until: Option<SystemTime>) -> bool {
        let changes = self.table.changes().since(self.begun).heartbeat(Duration::from_millis(100));
        let changes = match until {
            Some(until) => changes.until(until),
            None => changes,
        };
        let position = self.position.as_ref().map(|at| ChangePosition::from_bytes(at).unwrap());
        let changes = match &position {
            Some(position) => changes.resume(position),
            None => changes,
        };
        let mut changes = changes.open().unwrap();
        for _ in 0..most {
            match changes.next_record().await {
                Ok(Some(record)) => {
                    if let ChangeRecord::PartitionClosed { followed_by, .. } = &record {
                        let is_divided = u64::from(followed_by.len() > 1);
                        self.progress.count(|all| all.partitions_divided += is_divided);
                    }
                    if let Some(change) = record.into_change() {
                        self.seen.add(&change);
                        self.progress.count(|all| all.changes_read += 1);
                    }
                    self.position = Some(changes.position().to_bytes());
                }
                Ok(None) => return true,
                Err(error) => {
                    // The stream of the table and its entries are there as long as the table.
                    assert_ne!(error.kind(), ErrorKind::DoNotRetry, "{error}");
                    return false;
                }
            }
            if until.is_none() && self.progress.ends() {
                return false;
            }
        }
        false
    }

    /// Reads the rest. A reader that begins now reads the same.
    pub(super) async fn finish(mut self) -> Seen {
        let until = SystemTime::now() + Duration::from_secs(1);
        while !self.read(u64::MAX, Some(until)).await {}
        let seen = std::mem::take(&mut self.seen);
        self.position = None;
        while !self.read(u64::MAX, Some(until)).await {}
        assert_eq!(self.seen, seen, "from the beginning, other changes are read");
        seen
    }
}
