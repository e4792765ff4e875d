//! The load: for each prefix, a task that puts, gets and scans, one that counts, and one that reads
//! a row that never changes.

use std::ops::AddAssign;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tallrow::{Error, ErrorKind, Increment, Put, RawTable, Scan};
use tallrow_tests::Random;
use tokio::task::JoinHandle;
use tokio::time::sleep;

use crate::history::History;
use crate::outages::Outages;
use crate::rows::{self, FIXED, PREFIXES};
use crate::times::Times;

/// The pause of each task after an operation, the same as that of `java/Storm.java`.
const PACE: Duration = Duration::from_millis(10);
/// Every so many operations one is a scan, of the latest rows.
const SCAN_EVERY: usize = 25;
const SCANNED: usize = 100;
/// The row of each prefix that is read again and again, of those that never change.
pub(crate) const READ: usize = 0;

/// What a load did, and what was wrong.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) acknowledged: usize,
    pub(crate) unknown: usize,
    pub(crate) failed: usize,
    pub(crate) missing: usize,
    pub(crate) counters_off: i64,
    pub(crate) scans: usize,
    pub(crate) scans_wrong: usize,
    pub(crate) reads_wrong: usize,
    pub(crate) times: Times,
}

impl AddAssign<&Self> for Tally {
    fn add_assign(&mut self, other: &Self) {
        self.acknowledged += other.acknowledged;
        self.unknown += other.unknown;
        self.failed += other.failed;
        self.missing += other.missing;
        self.counters_off += other.counters_off;
        self.scans += other.scans;
        self.scans_wrong += other.scans_wrong;
        self.reads_wrong += other.reads_wrong;
        self.times.join(&other.times);
    }
}

impl Tally {
    fn take<T>(&mut self, since: Instant, result: Result<T, Error>) -> Option<T> {
        self.times.add(since.elapsed());
        match result {
            Ok(value) => {
                self.acknowledged += 1;
                Some(value)
            }
            Err(error) if error.kind() == ErrorKind::OutcomeUnknown => {
                self.unknown += 1;
                None
            }
            Err(error) => {
                self.failed += 1;
                eprintln!("storm: failed: {error:?}");
                None
            }
        }
    }
}

/// A load that is running.
pub(crate) struct Load {
    table: RawTable,
    stop: Arc<AtomicBool>,
    /// How many rows of each prefix were put, for those who look for a place to split.
    pub(crate) put: Arc<Vec<AtomicUsize>>,
    writers: Vec<JoinHandle<(Tally, Vec<Row>)>>,
    counters: Vec<JoinHandle<Tally>>,
    readers: Vec<JoinHandle<(Tally, Outages)>>,
    scanner: JoinHandle<Tally>,
}

/// What became of the put of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Row {
    Acknowledged,
    Unknown,
    Failed,
}

/// Writes the rows that never change.
pub(crate) async fn fill(table: &RawTable) -> Result<(), Error> {
    for prefix in 0..PREFIXES {
        let puts = (0..FIXED).map(|n| Put::new(rows::fixed(prefix, n)).cell("f", "s", "fixed"));
        table.put_all(puts).await.into_result()?;
    }
    Ok(())
}

impl Load {
    pub(crate) fn start(table: &RawTable, history: &History) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let put: Arc<Vec<AtomicUsize>> =
            Arc::new((0..PREFIXES).map(|_| AtomicUsize::new(0)).collect());
        let writers = (0..PREFIXES)
            .map(|prefix| tokio::spawn(write(table.clone(), prefix, stop.clone(), put.clone())))
            .collect();
        let counters = (0..PREFIXES)
            .map(|prefix| tokio::spawn(count(table.clone(), prefix, stop.clone(), history.clone())))
            .collect();
        let readers = (0..PREFIXES)
            .map(|prefix| tokio::spawn(read(table.clone(), prefix, stop.clone())))
            .collect();
        let scanner = tokio::spawn(scan(table.clone(), stop.clone()));
        Self { table: table.clone(), stop, put, writers, counters, readers, scanner }
    }

    /// Ends it, and looks for everything that was acknowledged.
    pub(crate) async fn end(self) -> Result<(Tally, Vec<Outages>), Box<dyn std::error::Error>> {
        self.stop.store(true, Ordering::Relaxed);
        // The last regions may take a while to open.
        let table = self.table.with_timeout(Duration::from_secs(180));
        let (mut all, mut outages) = (Tally::default(), Vec::new());
        let scanned = self.scanner.await?;
        all += &scanned;
        for reader in self.readers {
            let (tally, seen) = reader.await?;
            all += &tally;
            outages.push(seen);
        }
        for (prefix, counter) in self.counters.into_iter().enumerate() {
            let mut tally = counter.await?;
            let row = table.get(rows::counter(prefix)).await?;
            let found = row.map(|row| row.counter("f", "n")).transpose()?.flatten().unwrap_or(0);
            let (least, most) = (tally.acknowledged, tally.acknowledged + tally.unknown);
            let (least, most) = (i64::try_from(least)?, i64::try_from(most)?);
            tally.counters_off = (least - found).max(found - most).max(0);
            if tally.counters_off != 0 {
                let name = rows::counter(prefix);
                eprintln!("storm: counter {name}: {found}, and not from {least} to {most}");
            }
            all += &tally;
        }
        for (prefix, writer) in self.writers.into_iter().enumerate() {
            let (mut tally, written) = writer.await?;
            let range = Scan::range(rows::put(prefix, 0)..rows::put(prefix, 9_999_999));
            let mut found = table.scan(range)?;
            let mut there = vec![false; written.len()];
            while let Some(row) = found.next_row().await? {
                match number(&row).and_then(|n| there.get_mut(n)) {
                    Some(there) if !*there => *there = true,
                    _ => tally.scans_wrong += 1,
                }
            }
            let missing = written
                .iter()
                .zip(&there)
                .filter(|(row, there)| **row == Row::Acknowledged && !**there);
            tally.missing = missing.count();
            all += &tally;
        }
        Ok((all, outages))
    }
}

/// The number of a row that was put, if its value is what it should be.
fn number(row: &tallrow::Row) -> Option<usize> {
    let key = std::str::from_utf8(row.key()).ok()?;
    let text = key.rsplit('-').next()?;
    (row.value("f", "v") == Some(text.as_bytes())).then(|| text.parse().ok())?
}

async fn write(
    table: RawTable,
    prefix: usize,
    stop: Arc<AtomicBool>,
    put: Arc<Vec<AtomicUsize>>,
) -> (Tally, Vec<Row>) {
    let (mut tally, mut written) = (Tally::default(), Vec::new());
    let mut random = Random::new(1, prefix as u64);
    for operation in 1.. {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let since = Instant::now();
        if operation % SCAN_EVERY == 0 && !written.is_empty() {
            scan_latest(&table, prefix, &written, &mut tally).await;
        } else if operation % 2 == 0 && !written.is_empty() {
            let n = random.index(written.len());
            if let Some(found) = tally.take(since, table.get(rows::put(prefix, n)).await) {
                let right = found.as_ref().is_some_and(|row| number(row) == Some(n));
                if written.get(n) == Some(&Row::Acknowledged) && !right {
                    tally.reads_wrong += 1;
                }
            }
        } else {
            let n = written.len();
            let cell = Put::new(rows::put(prefix, n)).cell("f", "v", format!("{n:07}"));
            let unknown = tally.unknown;
            let acknowledged = tally.take(since, table.put(cell).await).is_some();
            written.push(match acknowledged {
                true => Row::Acknowledged,
                false if tally.unknown > unknown => Row::Unknown,
                false => Row::Failed,
            });
            if let Some(put) = put.get(prefix) {
                put.store(written.len(), Ordering::Relaxed);
            }
        }
        sleep(PACE).await;
    }
    (tally, written)
}

/// Scans the latest rows of a prefix: those that were acknowledged must be there, in order and
/// once.
async fn scan_latest(table: &RawTable, prefix: usize, written: &[Row], tally: &mut Tally) {
    let from = written.len().saturating_sub(SCANNED);
    let range = Scan::range(rows::put(prefix, from)..rows::put(prefix, written.len()));
    let since = Instant::now();
    let found = async {
        let (mut rows, mut found) = (table.scan(range)?, Vec::new());
        while let Some(row) = rows.next_row().await? {
            found.push(number(&row));
        }
        Ok(found)
    };
    if let Some(found) = tally.take(since, found.await) {
        tally.scans += 1;
        let in_order = found.is_sorted_by(|a, b| a.is_some() && a < b);
        let all = written.iter().enumerate().skip(from);
        let mut acknowledged = all.filter(|(_, row)| **row == Row::Acknowledged);
        if !in_order || !acknowledged.all(|(n, _)| found.contains(&Some(n))) {
            tally.scans_wrong += 1;
            eprintln!(
                "storm: scan of {prefix:02} from {from} to {} found {found:?}",
                written.len()
            );
        }
    }
}

/// Counts, and says at once if an increment returns what it should not; after one whose outcome is
/// unknown that cannot be told.
async fn count(table: RawTable, prefix: usize, stop: Arc<AtomicBool>, history: History) -> Tally {
    let (mut tally, mut expected) = (Tally::default(), Some(1));
    while !stop.load(Ordering::Relaxed) {
        let since = Instant::now();
        let row = rows::counter(prefix);
        let increment = Increment::new(row.as_str()).add("f", "n", 1);
        let unknown = tally.unknown;
        match tally.take(since, table.increment(increment).await) {
            Some(Some(counted)) => {
                let count = counted.counter("f", "n").ok().flatten();
                if expected.is_some() && count != expected {
                    let history = history.of(&row);
                    eprintln!("storm: counter {row} is {count:?}, and not {expected:?}\n{history}");
                }
                expected = count.map(|count| count + 1);
            }
            Some(None) => expected = expected.map(|count| count + 1),
            None if tally.unknown > unknown => expected = None,
            None => {}
        }
        sleep(PACE).await;
    }
    tally
}

async fn read(table: RawTable, prefix: usize, stop: Arc<AtomicBool>) -> (Tally, Outages) {
    let (mut tally, mut outages) = (Tally::default(), Outages::default());
    while !stop.load(Ordering::Relaxed) {
        let since = Instant::now();
        if let Some(found) = tally.take(since, table.get(rows::fixed(prefix, READ)).await) {
            outages.success();
            tally.reads_wrong += usize::from(found.is_none());
        }
        sleep(PACE).await;
    }
    (tally, outages)
}

/// Scans all rows that never change, again and again.
async fn scan(table: RawTable, stop: Arc<AtomicBool>) -> Tally {
    let mut tally = Tally::default();
    let all = || (0..PREFIXES).flat_map(|prefix| (0..FIXED).map(move |n| rows::fixed(prefix, n)));
    while !stop.load(Ordering::Relaxed) {
        let since = Instant::now();
        let found = async {
            let only = Scan::all().column("f", "s");
            let (mut rows, mut found) = (table.scan(only)?, Vec::new());
            while let Some(row) = rows.next_row().await? {
                found.push(String::from_utf8_lossy(row.key()).into_owned());
            }
            Ok(found)
        };
        if let Some(found) = tally.take(since, found.await) {
            tally.scans += 1;
            if !found.iter().cloned().eq(all()) {
                tally.scans_wrong += 1;
                eprintln!("storm: the scan of all fixed rows found {} of them", found.len());
            }
        }
        sleep(50 * PACE).await;
    }
    tally
}
