//! Many writers with four clients change the same indexed rows, while others read and repair. On
//! the mock, replies are lost at random.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tallrow::index::{IndexedTable, Summary};
use tallrow::{Client, Config, Counter, ErrorKind, RowKey, Table, Timestamp, Update};
use tallrow_mock::MockCluster;
use tallrow_tests::indexed::{BOOKS, BY_AUTHOR, BY_PLACE, Book, ByAuthor, ByPlace, Isbn, Library};
use tallrow_tests::{Random, Store, in_memory, lossy, patient, thorough};

const CLIENTS: u64 = 4;
const ROWS: u64 = 12;
/// Fewer than rows, so that many changes are refused.
const PLACES: u64 = 8;

/// How many writers each client has. All together, they are always more than there are rows.
fn writers_of_client() -> u64 {
    if thorough() { 8 } else { 4 }
}

/// Of each writer.
fn changes() -> u64 {
    if thorough() { 40 } else { 10 }
}

#[derive(RowKey)]
struct Author {
    name: String,
}

/// How many books an author has.
#[derive(Table)]
#[table(name = "t_indexed_totals")]
#[family("t")]
struct Total {
    #[key]
    author: Author,
    #[cell("t:n")]
    books: Counter,
}

fn per_author(client: &Client) -> Summary<Book, Total> {
    Summary::new(client.table::<Total>(), [Total::BOOKS], |book: &Book| {
        [(Author { name: book.author.clone() }, [1])]
    })
}

/// The library with totals.
fn counting(client: &Client) -> Library {
    let library = Library::open(client);
    let books = IndexedTable::builder(client.table::<Book>());
    let books = books.index(&library.by_author).index(&library.by_place);
    Library { books: books.summary(&per_author(client)).build().unwrap(), ..library }
}

/// What became of the changes.
#[derive(Default)]
struct Counts {
    made: AtomicU64,
    not_unique: AtomicU64,
    unknown: AtomicU64,
}

async fn write(library: Library, mut random: Random, counts: Arc<Counts>) {
    for _ in 0..changes() {
        let isbn = Isbn { number: random.below(ROWS) as u32 };
        let author = ["Ada", "Bob", "Eve"][random.index(3)];
        let place = (random.below(3) > 0).then(|| random.below(PLACES) as u16);
        let book = || {
            let title = format!("{author} {place:?}");
            Book { isbn: isbn.clone(), author: author.into(), title, place }
        };
        let exists = library.books.table().exists(&isbn).await.unwrap();
        let changed = match random.below(6) {
            0 => library.books.delete(&isbn).await,
            1 | 2 if exists => {
                let update = Update::new().set(Book::AUTHOR, author).set_option(Book::PLACE, place);
                library.books.update(&isbn, update).await
            }
            _ => library.books.put(&book()).await,
        };
        let count = match changed.as_ref().map_err(tallrow::Error::kind) {
            Ok(()) => &counts.made,
            Err(ErrorKind::NotUnique) => &counts.not_unique,
            Err(ErrorKind::OutcomeUnknown) => &counts.unknown,
            // Deleted since: an update cannot make a whole row.
            Err(ErrorKind::Decode) => continue,
            // Bigtable has refused it, and it is not sent twice.
            Err(kind) if kind.is_safe_to_retry() => continue,
            Err(_) => panic!("{changed:?}"),
        };
        count.fetch_add(1, Ordering::Relaxed);
    }
}

/// Reads while others write: a row has the key by which it is found.
async fn read(library: Library, done: Arc<AtomicBool>) {
    while !done.load(Ordering::Relaxed) {
        let mut rows =
            library.books.scan_by(&library.by_author, ByAuthor::scan().author("Ada")).rows();
        while let Some(row) = rows.next_row().await.unwrap() {
            assert_eq!(row.author, "Ada");
        }
        let mut rows = library.books.scan_by(&library.by_author, ByAuthor::scan()).covered();
        while let Some(row) = rows.next_row().await.unwrap() {
            assert!(u64::from(row.isbn.number) < ROWS);
        }
        for place in 0..PLACES as u16 {
            let found = library.books.get_by(&library.by_place, &ByPlace { place }).await.unwrap();
            assert!(found.len() < 2 || found[0].isbn != found[1].isbn);
            assert!(found.iter().all(|book| book.place == Some(place)));
        }
    }
}

/// Repairs while others write.
async fn repair(library: Library, done: Arc<AtomicBool>) {
    while !done.load(Ordering::Relaxed) {
        match library.books.repair(Duration::from_millis(200)).await {
            Ok(_) => {}
            Err(error) => assert!(error.kind().is_safe_to_retry(), "{error:?}"),
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// `by` is how the clients of the URL connect.
async fn indexes_stay_right(
    url: &str,
    by: impl Fn(Config) -> Config,
    faults_end: impl FnOnce(),
) -> Arc<Counts> {
    let connect = async |config| Client::connect_with(url, by(config)).await.unwrap();
    // What is not made again after an error is not made in haste.
    let client = connect(patient()).await;
    let library = Library::create(&client).await;
    client.admin().create_if_missing::<Total>().await.unwrap();
    let totals = client.table::<Total>();
    let mut old = totals.scan(Author::scan()).keys();
    while let Some(author) = old.next_key().await.unwrap() {
        totals.delete(&author).await.unwrap();
    }
    let (counts, done) = (Arc::new(Counts::default()), Arc::new(AtomicBool::new(false)));
    let mut writers = Vec::new();
    for number in 0..CLIENTS {
        let client = connect(lossy::config()).await;
        for writer in 0..writers_of_client() {
            let random = Random::new(7, number * writers_of_client() + writer);
            writers.push(tokio::spawn(write(counting(&client), random, counts.clone())));
        }
    }
    let other = connect(lossy::config()).await;
    let others = [
        tokio::spawn(read(Library::open(&other), done.clone())),
        tokio::spawn(repair(Library::open(&other), done.clone())),
    ];
    for writer in writers {
        writer.await.unwrap();
    }
    done.store(true, Ordering::Relaxed);
    for other in others {
        other.await.unwrap();
    }
    faults_end();
    library.check("before the repair").await;
    library.books.repair(Duration::ZERO).await.unwrap();
    library.check("after the repair").await;
    library.check_bytes("after the repair").await;
    let [made, refused, unknown] = [&counts.made, &counts.not_unique, &counts.unknown]
        .map(|count| count.load(Ordering::Relaxed));
    // An increment is applied once; it is missing only if it is not known whether the row was
    // changed.
    let library = counting(&client);
    let wrong = library.books.correct_counters(&per_author(&client)).await.unwrap();
    assert!(wrong == 0 || unknown > 0, "{wrong} totals are wrong");
    let mut of_author = BTreeMap::new();
    for book in library.all().await {
        *of_author.entry(book.author).or_insert(0) += 1;
    }
    let mut rows = totals.scan(Author::scan()).rows();
    while let Some(total) = rows.next_row().await.unwrap() {
        assert_eq!(total.books.0, of_author.remove(&total.author.name).unwrap_or(0));
    }
    assert!(of_author.is_empty());
    println!("{made} changes made, {refused} refused, {unknown} unknown");
    counts
}

/// In paused time, in which no reply is late by chance: what became of a change is then known,
/// unless its reply was lost.
async fn writers_lose_replies(store: Store) {
    let now = Timestamp::now().as_millis();
    let clocks = [now - APART_MS, now, now + APART_MS];
    for clock in clocks.into_iter().take(if thorough() { 3 } else { 1 }) {
        let mock = MockCluster::builder().seed(7).servers(3).in_memory().bigtable_port(0);
        let mock = mock.clock_start_ms(clock).start().await.unwrap();
        for table in [BOOKS, BY_AUTHOR, BY_PLACE] {
            lossy::lose_replies(store, &mock, table, 0.01, 2);
        }
        let by = |config: Config| config.connector(in_memory(&mock));
        let counts = indexes_stay_right(&store.url(&mock), by, || mock.clear_faults()).await;
        let made = counts.made.load(Ordering::Relaxed);
        let all = CLIENTS * writers_of_client() * changes();
        assert!(made > 2 * all / 5, "only {made} changes were made");
        assert!(counts.not_unique.load(Ordering::Relaxed) > 0);
    }
}

/// By how much the clocks of servers differ from those of writers: less than the hour that they
/// may.
const APART_MS: u64 = 1_800_000;

#[tokio::test(start_paused = true)]
async fn writers_that_lose_replies_on_mock() {
    writers_lose_replies(Store::HBase).await;
}

#[tokio::test(start_paused = true)]
async fn writers_that_lose_replies_on_bigtable() {
    writers_lose_replies(Store::Bigtable).await;
}

/// Runs if the environment names a cluster.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writers_on_real() {
    if let Some(url) = Store::HBase.real() {
        indexes_stay_right(&url, |config| config, || {}).await;
    }
}

/// Runs if the environment names an emulator.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writers_on_emulator() {
    if let Some(url) = Store::Bigtable.real() {
        indexes_stay_right(&url, |config| config, || {}).await;
    }
}
