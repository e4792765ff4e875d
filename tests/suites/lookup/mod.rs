//! Four processes with several writers each resolve the same names and take ids from the same
//! counter. On the mock, replies are lost at random.

mod writers;

use std::collections::{BTreeMap, BTreeSet};

use tallrow::lookup::{self, Finding, Lookup, RepairOutcome};
use tallrow::{Client, RawTable};
use tallrow_mock::MockCluster;
use tallrow_tests::{Store, drop_table, lossy, patient, thorough};

use writers::{Answers, PROCESSES, writers_of_process};

const TABLE: &str = "t_lookup_names";

/// How many names all processes resolve, each writer in its own order.
fn name_count() -> usize {
    if thorough() { 300 } else { 60 }
}

/// How many ids each writer takes in addition: so many that the reply to an increment is lost.
fn id_count() -> usize {
    if thorough() { 200 } else { 150 }
}

fn names(table: &RawTable) -> Lookup {
    Lookup::builder(table.clone(), "host").width(3).build().unwrap()
}

async fn create(client: &Client) -> RawTable {
    let admin = client.admin();
    drop_table(&admin, TABLE).await;
    // Names, ids and the counter are in different regions.
    let table = lookup::table_descriptor(TABLE).unwrap();
    admin.create_table_with_splits(&table, [&b"\0\0"[..], b"name1", b"name2"]).await.unwrap();
    client.raw_table(TABLE).unwrap()
}

/// Runs the processes, then checks what they got and what is in the table.
async fn no_id_and_no_name_twice(url: &str, faults_end: impl FnOnce()) -> Answers {
    // What is not made again after an error is not made in haste.
    let client = Client::connect_with(url, patient()).await.unwrap();
    let table = create(&client).await;
    let mut processes: Vec<_> = (0..PROCESSES).map(|number| writers::start(url, number)).collect();
    // None begins before all have started, or they might come one after the other.
    processes.iter_mut().for_each(writers::wait_for);
    processes.iter_mut().for_each(|process| process.send("go"));
    let answers: Vec<_> = processes.into_iter().map(Answers::of).collect();
    faults_end();

    let mut id_of: BTreeMap<String, u64> = BTreeMap::new();
    let mut ids = BTreeSet::new();
    let mut all = Answers::default();
    let names_in_all = name_count();
    for answers in answers {
        assert_eq!(answers.resolved.len(), writers_of_process() * names_in_all);
        for (name, id) in answers.resolved {
            assert_eq!(*id_of.entry(name.clone()).or_insert(id), id, "{name} has two ids");
        }
        assert_eq!(answers.ids.len(), writers_of_process() * id_count());
        for id in answers.ids {
            assert!(ids.insert(id), "{id} was given out twice");
        }
        all.leaked += answers.leaked;
        all.failed += answers.failed;
        all.lost += answers.lost;
    }
    assert_eq!(id_of.len(), names_in_all);
    let different = id_of.values().collect::<BTreeSet<_>>().len();
    assert_eq!(different, names_in_all, "an id has two names");

    let lookup = names(&table);
    let report = lookup.fsck().await.unwrap();
    let names_in_all = names_in_all as u64;
    assert_eq!(report.names_with_id, names_in_all);
    for finding in &report.findings {
        assert!(matches!(finding, Finding::LeakedId { .. }), "{finding}");
    }
    let repairs = lookup.repair(&report.findings).await.into_result().unwrap();
    assert!(repairs.into_iter().all(|repair| repair == RepairOutcome::Repaired));
    let repaired = lookup.fsck().await.unwrap();
    let (names_with_id, ids_with_name) = (repaired.names_with_id, repaired.ids_with_name);
    assert_eq!((names_with_id, ids_with_name), (names_in_all, names_in_all));
    assert_eq!(repaired.findings, []);
    for (name, id) in id_of {
        assert_eq!(lookup.find(&name).await.unwrap(), Some(id));
        assert_eq!(lookup.name(id).await.unwrap().as_deref(), Some(name.as_bytes()));
    }
    println!("{} ids leaked, {} calls failed, {} blocks lost", all.leaked, all.failed, all.lost);
    // A lookup keeps no more ids than it creates names at a time, and uses them first: one for each
    // writer of the one that a process shares, one for that of each writer. Without that, four ids
    // of ten leak here.
    let kept = (PROCESSES * 2 * writers_of_process()) as u64;
    assert!(all.leaked <= kept + all.failed, "{} ids leaked", all.leaked);
    all
}

async fn writers_lose_replies(store: Store) {
    let mock = MockCluster::builder().seed(7).bigtable_port(0).start().await.unwrap();
    // Fewer writers wait at a time for replies that are lost without a sign.
    let silent = if thorough() { 5 } else { 2 };
    lossy::lose_replies(store, &mock, TABLE, 0.03, silent);
    let all = no_id_and_no_name_twice(&store.url(&mock), || mock.clear_faults()).await;
    assert!(all.lost > 0, "no reply was lost");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writers_that_lose_replies_on_mock() {
    writers_lose_replies(Store::HBase).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writers_that_lose_replies_on_bigtable() {
    writers_lose_replies(Store::Bigtable).await;
}

/// Runs if the environment names a cluster.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writers_on_real() {
    if let Some(url) = Store::HBase.real() {
        no_id_and_no_name_twice(&url, || {}).await;
    }
}

/// Runs if the environment names an emulator.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writers_on_emulator() {
    if let Some(url) = Store::Bigtable.real() {
        no_id_and_no_name_twice(&url, || {}).await;
    }
}
