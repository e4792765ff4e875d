//! A table gets other row keys while processes write it and one copies it, and all of them are
//! killed at random moments.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use tallrow::key_migration::{KeyMapping, KeyMigration, KeyMigrationState};
use tallrow::{
    Client, FamilyDescriptor, Increment, Put, RawTable, Row, RowKey, Scan, TableDescriptor,
};
use tallrow_mock::MockCluster;
use tallrow_tests::{
    Process, Random, Store, drop_table, patient, scratch_dir, task, tell, thorough,
};

const OLD: &str = "t_rekey_old";
const NEW: &str = "t_rekey_new";
const WRITERS: usize = 2;

/// So many that the process that copies needs about as long as the processes live that are killed.
fn row_count() -> u32 {
    if thorough() { 3_000 } else { 1_200 }
}

/// How often the process that copies is killed before it may end, and how often a writer is.
fn kills() -> usize {
    if thorough() { 12 } else { 4 }
}

#[derive(RowKey, Clone, Debug, PartialEq)]
struct OldKey {
    user: u32,
}

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(salt(buckets = 8))]
struct NewKey {
    user: u32,
}

async fn connect(url: &str) -> Client {
    let config = patient().attempt_timeout(Duration::from_secs(5));
    Client::connect_with(url, config.pause(Duration::from_millis(5))).await.unwrap()
}

async fn open(client: &Client, state: &Path) -> KeyMigration {
    let keys = KeyMapping::typed(
        |old: OldKey| NewKey { user: old.user },
        |new: NewKey| OldKey { user: new.user },
    );
    let table = |name| client.raw_table(name).unwrap();
    let state = KeyMigrationState::directory(state);
    KeyMigration::builder(client, table(OLD), table(NEW), keys, state).open().await.unwrap()
}

/// Copies until all is copied.
async fn copy(url: &str, state: &Path) {
    let rekey = open(&connect(url).await, state).await;
    rekey.backfill().page_rows(50).concurrency(2).rows_per_second(1_500).run().await.unwrap();
}

/// Adds 1 to rows for ever, and tells of each when it is done.
async fn write(url: &str, state: &Path, seed: u64) {
    let client = connect(url).await;
    let (rekey, old, new) = (
        open(&client, state).await,
        client.raw_table(OLD).unwrap(),
        client.raw_table(NEW).unwrap(),
    );
    let mut random = Random::new(7, seed);
    loop {
        let user = random.below(u64::from(row_count())) as u32;
        let (old_key, new_key) = (OldKey { user }.encode(), NewKey { user }.encode());
        let add = |row: &[u8]| Increment::new(row).add("f", "n", 1);
        let written =
            rekey.write(&old_key, old.increment(add(&old_key)), new.increment(add(&new_key)));
        written.await.unwrap();
        tell(user);
    }
}

/// A process that copies what is left, or writes random rows with a seed until it is killed.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn run_as_process() {
    let Some(task) = task() else { return };
    let [role, url, state] = task.splitn(3, ' ').collect::<Vec<_>>()[..] else { panic!("{task}") };
    match role {
        "copy" => copy(url, Path::new(state)).await,
        seed => write(url, Path::new(state), seed.parse().unwrap()).await,
    }
}

async fn create(client: &Client) -> (RawTable, RawTable) {
    let admin = client.admin();
    let third = |number: u32| (number * row_count() / 3).to_be_bytes().to_vec();
    for (name, splits) in [(OLD, vec![third(1), third(2)]), (NEW, vec![vec![4]])] {
        drop_table(&admin, name).await;
        let table = TableDescriptor::new(name).unwrap().family(FamilyDescriptor::new("f"));
        admin.create_table_with_splits(&table, splits).await.unwrap();
    }
    let old = client.raw_table(OLD).unwrap();
    let put = |user| Put::new(OldKey { user }.encode()).cell("f", "q", format!("v{user}"));
    let rows = (0..row_count()).map(put);
    old.put_all(rows).await.into_result().unwrap();
    (old, client.raw_table(NEW).unwrap())
}

/// The text and the counter of each user.
async fn users(table: &RawTable, user: impl Fn(&[u8]) -> u32) -> BTreeMap<u32, (Vec<u8>, i64)> {
    let mut rows = table.scan(Scan::all()).unwrap();
    let mut users = BTreeMap::new();
    while let Some(row) = rows.next_row().await.unwrap() {
        let value = |row: &Row| {
            let text = row.value("f", "q").unwrap_or_default().to_vec();
            (text, row.counter("f", "n").unwrap().unwrap_or_default())
        };
        assert!(users.insert(user(row.key()), value(&row)).is_none(), "a row is there twice");
    }
    users
}

/// `life` is how long a process lives at most, where it starts quickly.
async fn no_row_is_lost_or_twice(url: &str, life: Duration) {
    let client = connect(url).await;
    let (old, new) = create(&client).await;
    let state = scratch_dir();

    let mut random = Random::new(11, 0);
    let mut told = Vec::new();
    let start = |role: &str| {
        Process::start("rekey::run_as_process", &format!("{role} {url} {}", state.display()))
    };
    let mut seed = 0;
    let mut writer = || {
        seed += 1;
        start(&seed.to_string())
    };
    let started = Instant::now();
    let mut writers: Vec<_> = (0..WRITERS).map(|_| writer()).collect();
    // A process lives longer where its start takes longer: some get to write, and some are killed
    // before.
    for writer in &mut writers {
        told.push(writer.told().expect("a writer goes on for ever"));
    }
    let life = life.max(started.elapsed() * 2);
    let mut copies = 0;
    loop {
        let mut copier = start("copy");
        copies += 1;
        if copies > kills() {
            copier.finish();
            break;
        }
        // Also while it connects, and before it has written anything.
        let pause = life.mul_f64(random.below(1_000) as f64 / 1_000.0);
        match copier.ended_within(pause) {
            true => copier.finish(),
            false => copier.kill(),
        };
        let killed = std::mem::replace(&mut writers[copies % WRITERS], writer());
        told.extend(killed.kill());
    }
    for writer in writers {
        told.extend(writer.kill());
    }
    let told: Vec<u32> = told.iter().map(|user| user.parse().unwrap()).collect();
    let killed = (kills() + WRITERS) as i64;

    let rekey = open(&client, &state).await;
    assert_eq!(rekey.backfill().run().await.unwrap().rows_this_run, 0, "all was copied");
    let repaired = rekey.verify().repair().run().await.unwrap();
    println!("{} increments, {} rows repaired", told.len(), repaired.repaired);
    assert!(repaired.repaired <= killed as u64 && repaired.different == 0, "{repaired:?}");
    let verified = rekey.verify().run().await.unwrap();
    let rows = row_count();
    assert_eq!((verified.rows, verified.differences.len()), (u64::from(rows), 0), "{verified:?}");
    rekey.switch_reads().await.unwrap();

    let users = users(&new, |row| NewKey::decode(row).unwrap().user).await;
    assert_eq!(users, self::users(&old, |row| OldKey::decode(row).unwrap().user).await);
    assert_eq!(users.len(), rows as usize);
    let mut sum = 0;
    for (user, (text, count)) in &users {
        assert_eq!(text, format!("v{user}").as_bytes());
        let told = told.iter().filter(|told| *told == user).count() as i64;
        assert!(*count >= told, "user {user}: {told} increments were done, {count} are there");
        sum += count;
    }
    let told = told.len() as i64;
    assert!(told > 0 && sum - told <= killed, "{told} increments were done, {sum} are there");
}

async fn processes_are_killed(store: Store) {
    let mock = MockCluster::builder().servers(2).bigtable_port(0).start().await.unwrap();
    no_row_is_lost_or_twice(&store.url(&mock), Duration::from_millis(300)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_processes_on_mock() {
    processes_are_killed(Store::HBase).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_processes_on_bigtable() {
    processes_are_killed(Store::Bigtable).await;
}

/// Runs if the environment names a cluster.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_processes_on_real() {
    if let Some(url) = Store::HBase.real() {
        no_row_is_lost_or_twice(&url, Duration::from_millis(1_500)).await;
    }
}

/// Runs if the environment names an emulator.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_processes_on_emulator() {
    if let Some(url) = Store::Bigtable.real() {
        no_row_is_lost_or_twice(&url, Duration::from_millis(1_500)).await;
    }
}
