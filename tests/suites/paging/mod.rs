//! Rows in 16 buckets, read in ten pages: each page by another process, while regions split and
//! move in between.

use tallrow::{
    Admin, Client, FamilyDescriptor, PageToken, RawTable, RowKey, Scan, Table, TableDescriptor,
    TypedTable,
};
use tallrow_mock::MockCluster;
use tallrow_tests::{Process, drop_table, patient, real, task, tell, thorough, until};

const USERS: u32 = 1_000;
const BUCKETS: u8 = 16;
const PAGES: usize = 10;

#[derive(RowKey, Clone, Copy, Debug, PartialEq)]
#[row_key(salt(buckets = 16))]
struct EventKey {
    user: u32,
    #[key(rev_ts)]
    at: i64,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "t_paging_events")]
#[family("d")]
struct Event {
    #[key]
    key: EventKey,
    #[cell("d:n")]
    number: u32,
}

/// The number of rows: fewer, unless all cases are to be tried.
fn rows() -> u32 {
    if thorough() { 100_000 } else { 10_000 }
}

/// The number of the row at this place of the order: users ascending, times descending.
fn number(place: u32) -> u32 {
    let per_user = rows() / USERS;
    place / per_user * per_user + per_user - 1 - place % per_user
}

fn event(number: u32) -> Event {
    let per_user = rows() / USERS;
    Event { key: EventKey { user: number / per_user, at: i64::from(number % per_user) }, number }
}

async fn fill(client: &Client) {
    let admin = client.admin();
    drop_table(&admin, Event::TABLE).await;
    // Four buckets in each region.
    let splits: Vec<_> = (4..BUCKETS).step_by(4).map(|bucket| vec![bucket]).collect();
    let table = TableDescriptor::new(Event::TABLE).unwrap().family(FamilyDescriptor::new("d"));
    admin.create_table_with_splits(&table, splits).await.unwrap();
    let table: TypedTable<Event> = client.table();
    // Not in the order of the keys.
    let rows: Vec<_> = (0..rows()).map(|i| event((i * 7_919) % rows())).collect();
    for rows in rows.chunks(10_000) {
        table.put_all(rows).await.into_iter().for_each(|put| put.unwrap());
    }
}

/// A process with nothing but the text of a token: tells the number of each row, and the next
/// token.
#[tokio::test(flavor = "current_thread")]
async fn read_one_page() {
    let Some(task) = task() else { return };
    let [url, direction, token] = task.split(' ').collect::<Vec<_>>()[..] else { panic!("{task}") };
    let token: Option<PageToken> = (!token.is_empty()).then(|| token.parse().unwrap());
    let client = Client::connect_with(url, patient()).await.unwrap();
    let scan = client.table::<Event>().scan(EventKey::scan());
    let scan = if direction == "reversed" { scan.reversed() } else { scan };
    let page = scan.resume(token.as_ref()).page(rows() as usize / PAGES).await.unwrap();
    let numbers: Vec<_> = page.rows.iter().map(|row| row.number.to_string()).collect();
    let next = page.next.map(|token| token.to_string()).unwrap_or_default();
    tell(format!("{} {next}", numbers.join(",")));
}

/// The numbers of the rows of a page, and the text of the next token.
fn page(url: &str, direction: &str, token: &str) -> (Vec<u32>, String) {
    let told = Process::start("paging::read_one_page", &format!("{url} {direction} {token}"))
        .finish()
        .concat();
    let (numbers, token) = told.split_once(' ').unwrap_or_else(|| panic!("{told}"));
    (numbers.split(',').map(|n| n.parse().unwrap()).collect(), token.to_owned())
}

/// Splits the region of a row at this row, which must not be the first one of it.
async fn split(admin: &Admin, table: &RawTable, row: &[u8]) {
    let hbase = admin.hbase().unwrap();
    let before = hbase.regions(table.name().as_str()).await.unwrap();
    let region = before.iter().rfind(|region| region.start_key() <= row).unwrap();
    hbase.split_region(region, row).await.unwrap();
    until("there is one region more", async || {
        hbase.regions(table.name().as_str()).await.unwrap().len() > before.len()
    })
    .await;
}

/// Moves every other region to another server, and waits until they are there.
async fn move_regions(admin: &Admin, table: &RawTable, first: usize) {
    let hbase = admin.hbase().unwrap();
    let servers = hbase.region_servers().await.unwrap();
    let regions = hbase.regions(table.name().as_str()).await.unwrap();
    for region in regions.iter().skip(first).step_by(2) {
        let other = servers.iter().find(|server| Some(server.as_str()) != region.server()).unwrap();
        hbase.move_region(region, other).await.unwrap();
        until(&format!("{region:?} is on {other}"), async || {
            let now = hbase.regions(table.name().as_str()).await.unwrap();
            let moved = now.iter().find(|r| r.start_key() == region.start_key()).unwrap();
            moved.server() == Some(other)
        })
        .await;
    }
}

async fn every_row_once_in_order(url: &str) {
    let client = Client::connect_with(url, patient()).await.unwrap();
    fill(&client).await;
    let (admin, table) = (client.admin(), client.raw_table(Event::TABLE).unwrap());
    let regions = async || admin.hbase().unwrap().regions(Event::TABLE).await.unwrap().len();
    assert_eq!(regions().await, 4);

    let expected: Vec<_> = (0..rows()).map(number).collect();
    for direction in ["forward", "reversed"] {
        let mut found = Vec::new();
        let mut token = String::new();
        let mut pages = 0;
        loop {
            let (numbers, next) = page(url, direction, &token);
            found.extend(numbers);
            token = next;
            pages += 1;
            if token.is_empty() {
                break;
            }
            match (direction, pages) {
                // Inside a bucket, near the row where the page ended. HBase does not split a region
                // that was just split.
                ("forward", 1 | 3 | 5 | 7) => {
                    let region = u8::try_from(pages / 2).unwrap();
                    let rows = found.iter().rev().map(|number| event(*number).key.encode());
                    let row = rows.into_iter().find(|row| row[0] / 4 == region).unwrap();
                    split(&admin, &table, &row).await;
                }
                (_, 2 | 6) => move_regions(&admin, &table, pages / 4).await,
                _ => {}
            }
        }
        assert_eq!(pages, PAGES);
        if direction == "reversed" {
            found.reverse();
        }
        // Not `assert_eq`, which would print them all.
        assert!(found == expected, "{} rows, {direction}", found.len());
    }
    assert_eq!(regions().await, 8, "four regions were split");
    assert_eq!(table.count(Scan::all()).await.unwrap(), u64::from(rows()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_row_is_on_one_page_of_the_mock() {
    let mock = MockCluster::builder().servers(2).start().await.unwrap();
    every_row_once_in_order(&mock.url()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_row_is_on_one_page_on_real() {
    if let Some(url) = real("TALLROW_REAL_ZK") {
        every_row_once_in_order(&url).await;
    }
}
