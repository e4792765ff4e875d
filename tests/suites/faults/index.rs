//! Indexes while replies are lost and writers stop half-way, on every store.

use std::time::Duration;

use tallrow::index::RebuildPosition;
use tallrow::{Client, Delete, ErrorKind, Put, Scan, Timestamp};
use tallrow_mock::{Fault, MockCluster, MockClusterBuilder};
use tallrow_tests::indexed::{BOOKS, BY_AUTHOR, BY_PLACE, Book, Isbn, Library};
use tallrow_tests::{Sample, Store, in_memory};

use super::{LOST, called, calls, cancel, config, seed, since};

fn book(number: u32, author: &str, place: Option<u16>) -> Book {
    let title = format!("{author}'s {number}");
    Book { isbn: Isbn { number }, author: author.into(), title, place }
}

/// The changes of book 1 that are interrupted, after it was written by Ada on place 1.
const CHANGES: [&str; 4] = ["insert", "rename", "move", "delete"];

async fn change(library: &Library, change: &str) -> tallrow::Result<()> {
    match change {
        "insert" => library.books.put(&book(2, "Eve", Some(2))).await,
        "rename" => library.books.put(&book(1, "Bob", Some(3))).await,
        "move" => library.books.put(&book(1, "Ada", Some(3))).await,
        _ => library.books.delete(&Isbn { number: 1 }).await,
    }
}

/// A cluster with a client of one of its stores.
struct Site {
    mock: MockCluster,
    client: Client,
    store: Store,
}

/// With seven servers nearly every write to HBase is a call of its own, so a writer may be stopped
/// between any two. On Bigtable they all are.
async fn site(store: Store, servers: usize) -> Site {
    site_of(store, MockCluster::builder().servers(servers)).await
}

async fn site_of(store: Store, mock: MockClusterBuilder) -> Site {
    seed().await;
    let mock = mock.in_memory().bigtable_port(0).start().await.unwrap();
    let config = config().connector(in_memory(&mock));
    let client = Client::connect_with(&store.url(&mock), config).await.unwrap();
    Site { client, mock, store }
}

async fn before(site: &Site) -> Library {
    let library = Library::create(&site.client).await;
    library.books.put(&book(1, "Ada", Some(1))).await.unwrap();
    library.books.put(&book(3, "Ada", None)).await.unwrap();
    library.check_bytes("before").await;
    library
}

/// How often each method that writes was called.
fn writes(site: &Site) -> [u64; 2] {
    site.store.writes().map(|method| site.mock.call_count(method))
}

/// How many writes of each method a change makes.
async fn writes_of(what: &str, store: Store) -> [u64; 2] {
    let site = site(store, 7).await;
    let library = before(&site).await;
    let [mutates, multis] = writes(&site);
    change(&library, what).await.unwrap();
    let now = writes(&site);
    [now[0] - mutates, now[1] - multis]
}

/// Each store with each change and the numbers of its writes.
async fn all_changes() -> Vec<(Store, &'static str, [u64; 2])> {
    let mut all = Vec::new();
    for store in Store::ALL {
        for what in CHANGES {
            all.push((store, what, writes_of(what, store).await));
        }
    }
    all
}

/// Refuses all writes from these on.
fn stop(site: &Site, mutate: u64, multi: u64) {
    for (method, nth) in site.store.writes().into_iter().zip([mutate, multi]) {
        site.mock.inject(site.store.refuse(Fault::on(method).nth(nth).times(1_000)));
    }
}

#[tokio::test(start_paused = true)]
async fn calls_are_as_documented() {
    let calls_of = async |what: &str, servers| {
        let site = site(Store::HBase, servers).await;
        let library = before(&site).await;
        let before = calls(&site.mock);
        change(&library, what).await.unwrap();
        since(&site.mock, before)
    };
    let mut found = Vec::new();
    for what in CHANGES {
        found.push((what, calls_of(what, 1).await, calls_of(what, 7).await));
    }
    // On one server, and on several.
    let expected = [
        ("insert", [2, 1, 2, 0], [2, 5, 0, 0]),
        ("rename", [2, 1, 2, 0], [2, 9, 0, 0]),
        ("move", [2, 1, 2, 0], [2, 7, 0, 0]),
        ("delete", [1, 0, 3, 0], [1, 4, 1, 0]),
    ];
    assert_eq!(found, expected);

    // On Bigtable a conditional write is a method of its own.
    let found: Vec<_> = all_changes().await.into_iter().skip(CHANGES.len()).collect();
    let of = |what, mutates| (Store::Bigtable, what, [mutates, 1]);
    assert_eq!(found, [of("insert", 4), of("rename", 8), of("move", 6), of("delete", 4)]);
}

#[tokio::test(start_paused = true)]
async fn a_writer_stopped_at_any_write_leaves_right_indexes() {
    let mut sample = Sample::one_in(8);
    for (store, what, [mutates, multis]) in all_changes().await {
        for mutate in 1..=mutates + 1 {
            for multi in 1..=multis + 1 {
                if !sample.takes() {
                    continue;
                }
                let site = site(store, 7).await;
                let library = before(&site).await;
                let old = library.all().await;
                stop(&site, mutate, multi);
                let result = change(&library, what).await;
                site.mock.clear_faults();

                let when = format!("{store:?}: {what} stopped at write {mutate}, {multi}");
                let other = Library::open(&site.client);
                assert_eq!(result.is_err(), other.all().await == old, "{when}");
                other.check(&when).await;
                let lag = other.books.lag().await.unwrap();
                let repair = other.books.repair(Duration::ZERO).await.unwrap();
                assert_eq!(lag.changes > 0, repair.intents > 0, "{when}");
                assert_eq!(other.books.lag().await.unwrap().changes, 0, "{when}");
                other.check(&format!("{when}, repaired")).await;
                other.check_bytes(&format!("{when}, repaired")).await;
                assert_eq!(other.books.repair(Duration::ZERO).await.unwrap().intents, 0);

                // The change can be made now.
                change(&other, what).await.unwrap();
                other.check_bytes(&format!("{when}, repeated")).await;
                other.check(&format!("{when}, repeated")).await;
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_stopped_writer_left_does_not_stop_others() {
    let mut sample = Sample::one_in(8);
    for (store, what, [mutates, multis]) in all_changes().await {
        for mutate in 1..=mutates + 1 {
            for multi in 1..=multis + 1 {
                if !sample.takes() {
                    continue;
                }
                let site = site(store, 7).await;
                let library = before(&site).await;
                stop(&site, mutate, multi);
                let _ = change(&library, what).await;
                site.mock.clear_faults();

                let when = format!("{store:?}: {what} stopped at write {mutate}, {multi}");
                let other = Library::open(&site.client);
                // Another book takes a place that the writer may have claimed.
                other.books.put(&book(4, "Dan", None)).await.unwrap();
                let taken: Vec<_> =
                    other.all().await.iter().filter_map(|book| book.place).collect();
                for place in [2, 3] {
                    let put = other.books.put(&book(4, "Dan", Some(place))).await;
                    let kind = put.err().map(|error| error.kind());
                    let expected = taken.contains(&place).then_some(ErrorKind::NotUnique);
                    assert_eq!(kind, expected, "{when}: place {place}");
                }
                for number in [1, 2] {
                    other.books.put(&book(number, "Fay", None)).await.unwrap();
                }
                other.books.delete(&Isbn { number: 2 }).await.unwrap();
                other.check(&when).await;
                other.books.repair(Duration::ZERO).await.unwrap();
                other.check(&format!("{when}, repaired")).await;
                other.check_bytes(&format!("{when}, repaired")).await;
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_repair_stopped_at_any_write_can_be_repeated() {
    const REPAIRS: u64 = 8;
    // Many pairs of points, and each takes long.
    let mut sample = Sample::one_in(48);
    for (store, what, [mutates, _]) in all_changes().await {
        for write in 1..=mutates + 1 {
            for repair in 1..=REPAIRS {
                // Each change is tried with the first points and the last ones.
                let is_edge = [(1, 1), (mutates + 1, REPAIRS)].contains(&(write, repair));
                if !is_edge && !sample.takes() {
                    continue;
                }
                let site = site(store, 7).await;
                let library = before(&site).await;
                stop(&site, write, 2);
                let _ = change(&library, what).await;
                site.mock.clear_faults();
                stop(&site, repair, 1);
                let _ = library.books.repair(Duration::ZERO).await;
                site.mock.clear_faults();

                let when =
                    format!("{store:?}: {what} stopped at write {write}, repair at {repair}");
                library.check(&when).await;
                library.books.repair(Duration::ZERO).await.unwrap();
                library.check(&when).await;
                library.check_bytes(&when).await;
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_lost_reply_is_settled_by_reading() {
    let mut sample = Sample::one_in(96);
    for (number, (store, what, [mutates, multis])) in all_changes().await.into_iter().enumerate() {
        let [mutate, multi] = store.writes();
        let mutates = (1..=mutates).map(|nth| (mutate, nth));
        let writes: Vec<_> = mutates.chain((1..=multis).map(|nth| (multi, nth))).collect();
        // The first and the last write of each change are tried, with all ways in turn.
        let edges = [(0, number % LOST.len()), (writes.len() - 1, (number + 1) % LOST.len())];
        for (at, (method, nth)) in writes.into_iter().enumerate() {
            for (way, effect) in LOST.into_iter().enumerate() {
                if !edges.contains(&(at, way)) && !sample.takes() {
                    continue;
                }
                let site = site(store, 7).await;
                let library = before(&site).await;
                site.mock.inject(effect(Fault::on(method).nth(nth)));
                change(&library, what).await.unwrap();
                assert_eq!(site.mock.unfired_faults(), []);
                let when = format!("{store:?}: {what}, {method} {nth} lost");
                library.check_bytes(&when).await;
                library.check(&when).await;
            }
        }
    }
}

/// Gives all cells of the books later times, as if servers had written them whose clocks are ahead.
async fn move_ahead(site: &Site, millis: u64) {
    let table = site.client.raw_table(BOOKS).unwrap();
    let mut rows = table.scan(Scan::all()).unwrap();
    while let Some(row) = rows.next_row().await.unwrap() {
        let put = row.cells().iter().fold(Put::new(row.key()), |put, cell| {
            let time = Timestamp::from_millis(cell.timestamp().as_millis() + millis);
            put.cell_at(cell.family(), cell.qualifier(), time, cell.value())
        });
        table.put(put).await.unwrap();
    }
}

/// The servers that make these changes have clocks that are behind those of the servers that made
/// the changes before, and behind or ahead of the writer's clock.
#[tokio::test(start_paused = true)]
async fn a_change_is_seen_whatever_the_clocks_say() {
    const AHEAD_MS: u64 = 5_000;
    for store in Store::ALL {
        for apart in [-1_800_000, -20_000, 0, 20_000, 1_800_000] {
            let now = Timestamp::now().as_millis();
            let clock = now.saturating_add_signed(apart);
            let mock = MockCluster::builder().servers(7).clock_start_ms(clock);
            let site = site_of(store, mock).await;
            let library = before(&site).await;
            let when = |what| format!("{store:?}, clocks {apart} ms apart: {what}");
            for what in ["rename", "move", "delete", "move", "rename"] {
                move_ahead(&site, AHEAD_MS).await;
                change(&library, what).await.unwrap();
                let expected = match what {
                    "rename" => Some(book(1, "Bob", Some(3))),
                    "move" => Some(book(1, "Ada", Some(3))),
                    _ => None,
                };
                let found = library.books.table().get(&Isbn { number: 1 }).await.unwrap();
                assert_eq!(found, expected, "{}", when(what));
                library.check_bytes(&when(what)).await;
                library.check(&when(what)).await;
            }

            // A repair makes sure that a writer that has stopped can no longer delete the row.
            move_ahead(&site, AHEAD_MS).await;
            stop(&site, 3, 1);
            change(&library, "delete").await.unwrap_err();
            site.mock.clear_faults();
            assert!(library.books.repair(Duration::ZERO).await.unwrap().intents > 0);
            library.check_bytes(&when("repair")).await;
            library.check(&when("repair")).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_change_is_finished_although_its_caller_is_dropped() {
    for store in Store::ALL {
        let site = site(store, 7).await;
        let library = before(&site).await;
        let [mutate, _] = store.writes();
        site.mock.inject(Fault::on(mutate).nth(1).pause_handler(Duration::from_millis(100)));
        let [mutates, _] = writes(&site);
        let dropped = tokio::spawn({
            let library = Library::open(&site.client);
            async move { change(&library, "rename").await }
        });
        called(&site.mock, mutate, mutates + 1).await;
        cancel(dropped).await;
        while library.books.lag().await.unwrap().changes > 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert_eq!(library.all().await[0], book(1, "Bob", Some(3)));
        library.check_bytes("finished").await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_rebuild_stopped_at_any_write_is_resumed() {
    let mut sample = Sample::one_in(8);
    for store in Store::ALL {
        let [mutates, multis] = {
            let site = site(store, 7).await;
            let library = broken(&site).await;
            let before = writes(&site);
            rebuild(&library, None).await.unwrap();
            library.check_bytes("rebuilt").await;
            library.check("rebuilt").await;
            let after = writes(&site);
            [after[0] - before[0], after[1] - before[1]]
        };
        let stops = (1..=mutates).map(|nth| (nth, 1_000));
        let stops = stops.chain((1..=multis).map(|nth| (1_000, nth)));
        assert!(mutates + multis > 10, "{store:?}: {mutates} and {multis} writes");
        for (mutate, multi) in stops {
            if !sample.takes() {
                continue;
            }
            let site = site(store, 7).await;
            let library = broken(&site).await;
            stop(&site, mutate, multi);
            let stopped = rebuild(&library, None).await;
            site.mock.clear_faults();
            rebuild(&Library::open(&site.client), stopped.err()).await.unwrap();
            library.books.repair(Duration::ZERO).await.unwrap();
            let when = format!("{store:?}: rebuild stopped at write {mutate}, {multi}");
            library.check_bytes(&when).await;
            library.check(&when).await;
        }
    }
}

/// A rebuild has seen that an entry is wrong, and what it puts instead arrives after a writer has
/// replaced the entry.
#[tokio::test(start_paused = true)]
async fn a_late_entry_of_a_rebuild_is_checked() {
    for (store, method) in [(Store::HBase, "Multi"), (Store::Bigtable, "MutateRows")] {
        let site = site(store, 7).await;
        let library = before(&site).await;
        damage(&site).await;
        let pause = Duration::from_millis(100);
        site.mock.inject(Fault::on(method).table(BY_AUTHOR).nth(1).pause_handler(pause));
        let calls = site.mock.call_count(method);
        let rebuild = tokio::spawn({
            let library = Library::open(&site.client);
            async move { library.books.rebuild().step().await }
        });
        called(&site.mock, method, calls + 1).await;
        change(&library, "rename").await.unwrap();
        assert_eq!(site.mock.unfired_faults(), []);
        rebuild.await.unwrap().unwrap();
        library.check_bytes(&format!("{store:?}")).await;
        library.check(&format!("{store:?}")).await;
    }
}

/// Makes the title wrong that the index has of book 1.
async fn damage(site: &Site) {
    let table = site.client.raw_table(BY_AUTHOR).unwrap();
    let entry = table.scan(Scan::all()).unwrap().next_row().await.unwrap().unwrap();
    let cell = &entry.cells()[0];
    let mut value = cell.value().to_vec();
    *value.last_mut().unwrap() = b'?';
    let put = Put::new(entry.key());
    let put = put.cell_at(cell.family(), cell.qualifier(), cell.timestamp(), value);
    table.put(put).await.unwrap();
}

/// A library whose rows were changed by another program, and whose indexes have lost entries.
async fn broken(site: &Site) -> Library {
    let library = Library::create(&site.client).await;
    let table = library.books.table();
    for number in 1..=6 {
        library.books.put(&book(number, "Ada", Some(number as u16))).await.unwrap();
    }
    for number in 2..=4 {
        table.put(&book(number, "Bob", None)).await.unwrap();
    }
    table.delete(&Isbn { number: 5 }).await.unwrap();
    table.put(&book(7, "Eve", Some(7))).await.unwrap();
    for table in [BY_AUTHOR, BY_PLACE] {
        let table = site.client.raw_table(table).unwrap();
        let first = table.scan(Scan::all()).unwrap().next_row().await.unwrap().unwrap();
        for cell in first.cells() {
            let lost = Delete::new(first.key());
            table.delete(lost.column(cell.family(), cell.qualifier())).await.unwrap();
        }
    }
    library
}

/// Rebuilds, or returns where it stopped.
async fn rebuild(library: &Library, from: Option<RebuildPosition>) -> Result<(), RebuildPosition> {
    let mut rebuild = library.books.rebuild().resume(from.unwrap_or_default());
    loop {
        match rebuild.step().await {
            Ok(true) => {}
            Ok(false) => return Ok(()),
            Err(_) => return Err(rebuild.position().to_string().parse().unwrap()),
        }
    }
}
