//! Regions that move and split while the client has their old location.

use tallrow::{
    Admin, Increment, Put, RawTable, Scan,
    admin::Region,
    filter::{CompareOperator, SingleColumnValue},
};
use tallrow_tests::{Place, until};

async fn fill(table: &RawTable) {
    let puts = (0..100).map(|i| Put::new(format!("r{i:02}")).cell("f", "q", [7; 500]));
    table.put_all(puts).await.into_iter().for_each(|w| w.unwrap());
}

async fn region_of(admin: &Admin, table: &RawTable, row: &[u8]) -> Region {
    let regions = admin.hbase().unwrap().regions(table.name().as_str()).await.unwrap();
    let holds = |r: &Region| r.start_key() <= row && (r.end_key().is_empty() || row < r.end_key());
    regions.into_iter().find(holds).unwrap()
}

/// Moves the region of a row to another server, and waits until it is there.
async fn move_away(admin: &Admin, table: &RawTable, row: &[u8]) {
    let region = region_of(admin, table, row).await;
    let servers = admin.hbase().unwrap().region_servers().await.unwrap();
    let other =
        servers.iter().find(|s| Some(s.as_str()) != region.server()).expect("two region servers");
    admin.hbase().unwrap().move_region(&region, other).await.unwrap();
    until(&format!("the region of a row is on {other}"), async || {
        region_of(admin, table, row).await.server() == Some(other)
    })
    .await;
}

pub(crate) async fn a_scan_continues_where_its_region_moved(place: Place) {
    let admin = place.client.admin();
    let table = place.table(&["r50"]).await;
    fill(&table).await;
    for scan in [Scan::all(), Scan::all().reversed()] {
        let mut rows = table.scan(scan.bytes_per_call(1_500)).unwrap();
        let mut keys = Vec::new();
        while let Some(row) = rows.next_row().await.unwrap() {
            if keys.len() == 20 || keys.len() == 70 {
                move_away(&admin, &table, row.key()).await;
            }
            keys.push(row.key().to_vec());
        }
        keys.sort();
        let expected: Vec<_> = (0..100).map(|i| format!("r{i:02}").into_bytes()).collect();
        assert_eq!(keys, expected);
    }
}

pub(crate) async fn a_filtered_scan_continues_where_its_region_moved(place: Place) {
    let admin = place.client.admin();
    let table = place.table(&["r50"]).await;
    fill(&table).await;
    let odd = |i: &usize| i % 2 == 1 && (20..80).contains(i);
    let puts = (0..100).filter(odd).map(|i| Put::new(format!("r{i:02}")).cell("g", "odd", "yes"));
    table.put_all(puts).await.into_iter().for_each(|w| w.unwrap());
    let filter =
        SingleColumnValue::new("g", "odd", CompareOperator::Equal, "yes").filter_if_missing(true);
    for reversed in [false, true] {
        let scan = Scan::all().bytes_per_call(1_500).filter(filter.clone()).limit(29);
        let mut rows = table.scan(if reversed { scan.reversed() } else { scan }).unwrap();
        let mut keys = Vec::new();
        while let Some(row) = rows.next_row().await.unwrap() {
            if keys.len() == 7 || keys.len() == 20 {
                move_away(&admin, &table, row.key()).await;
            }
            assert_eq!(row.cells().len(), 2, "a row that passes the filter has all its cells");
            keys.push(String::from_utf8(row.key().to_vec()).unwrap());
        }
        let mut expected: Vec<_> = (0..100).filter(odd).collect();
        if reversed {
            expected.reverse();
        }
        let expected: Vec<_> = expected.iter().take(29).map(|i| format!("r{i:02}")).collect();
        assert_eq!(keys, expected);
    }
}

pub(crate) async fn a_scan_continues_through_a_split(place: Place) {
    let admin = place.client.admin();
    let table = place.table(&[]).await;
    fill(&table).await;
    let mut rows = table.scan(Scan::all().bytes_per_call(1_500)).unwrap();
    let mut keys = Vec::new();
    while let Some(row) = rows.next_row().await.unwrap() {
        if keys.len() == 20 {
            let region = region_of(&admin, &table, b"r").await;
            admin.hbase().unwrap().split_region(&region, "r60").await.unwrap();
        }
        keys.push(String::from_utf8(row.key().to_vec()).unwrap());
    }
    assert_eq!(keys, (0..100).map(|i| format!("r{i:02}")).collect::<Vec<_>>());
    assert_eq!(admin.hbase().unwrap().regions(table.name().as_str()).await.unwrap().len(), 2);
}

pub(crate) async fn writes_find_a_region_that_moved_and_split(place: Place) {
    let admin = place.client.admin();
    let table = place.table(&[]).await;
    fill(&table).await;
    let writer = tokio::spawn({
        let table = table.clone();
        async move {
            for i in 0..400 {
                let row = format!("r{:02}", i % 100);
                table.increment(Increment::new(row).add("f", "n", 1)).await.unwrap();
            }
        }
    });
    move_away(&admin, &table, b"r00").await;
    let region = region_of(&admin, &table, b"r00").await;
    admin.hbase().unwrap().split_region(&region, "r50").await.unwrap();
    move_away(&admin, &table, b"r99").await;
    writer.await.unwrap();
    let rows = table.get_all((0..100).map(|i| format!("r{i:02}"))).await;
    for row in rows {
        assert_eq!(row.unwrap().unwrap().counter("f", "n").unwrap(), Some(4));
    }
}
