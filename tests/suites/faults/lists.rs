//! Lists in one cell while replies are lost, and the calls that lists take.

use std::collections::BTreeMap;

use tallrow::list::PackedList;
use tallrow::value::{NativeCodec, Packed};
use tallrow::{RowKey, Table, TypedTable};
use tallrow_mock::Fault;

use super::{LOST, Site, calls, class, site, total_since};

#[derive(RowKey)]
struct User {
    id: u32,
}

#[derive(Table)]
#[table(name = "users")]
#[family("u")]
struct Row {
    #[key]
    user: User,
    #[cells("u:i/*")]
    items: BTreeMap<u32, String>,
    #[cell("u:r", codec = Packed, default = Vec::new())]
    recent: Vec<u32>,
}

const BOB: User = User { id: 7 };

async fn users(site: &Site) -> TypedTable<Row> {
    site.client.admin().create::<Row>().await.unwrap();
    site.client.prefetch_regions("users").await.unwrap();
    site.client.table()
}

async fn recent(site: &Site, max_items: usize) -> PackedList<Row, u32, NativeCodec> {
    PackedList::new(users(site).await, Row::RECENT, max_items)
}

#[tokio::test(start_paused = true)]
async fn calls_are_as_documented() {
    let site = site().await;
    let list = recent(&site, 8).await;
    let mut per_push = Vec::new();
    for i in 0..17 {
        let before = calls(&site.mock);
        list.push(&BOB, i).await.unwrap();
        per_push.push(total_since(&site.mock, before));
    }
    // One call each; the eleventh item is more than a quarter too much, and so is each third one
    // after it.
    assert_eq!(per_push, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 2, 1, 1, 2]);
    let before = calls(&site.mock);
    assert_eq!(list.get(&BOB).await.unwrap(), (9..17).collect::<Vec<_>>());
    assert_eq!(total_since(&site.mock, before), 1);

    let rows = users_with_items(&site).await;
    let before = calls(&site.mock);
    let first = rows.scan_cells(&BOB, Row::ITEMS).page(30).await.unwrap();
    assert_eq!(total_since(&site.mock, before), 1);
    let deep = rows.scan_cells(&BOB, Row::ITEMS).range(900..).page(30).await.unwrap();
    assert_eq!((first.rows[0].0, deep.rows[0].0, total_since(&site.mock, before)), (0, 900, 2));
}

async fn users_with_items(site: &Site) -> TypedTable<Row> {
    let rows = site.client.table::<Row>();
    let items = (0..1_000).map(|i| (i, format!("item {i}"))).collect();
    rows.put(&Row { user: BOB, items, recent: Vec::new() }).await.unwrap();
    rows
}

#[tokio::test(start_paused = true)]
async fn an_item_is_added_once_when_replies_are_lost() {
    for effect in LOST {
        let site = site().await;
        let list = recent(&site, 8).await;
        for i in 0..40 {
            site.mock.inject(effect(Fault::on("Mutate").nth(1)));
            list.push(&BOB, i).await.unwrap();
            assert_eq!(site.mock.unfired_faults(), []);
            let newest: Vec<u32> = (0..=i).skip((i as usize + 1).saturating_sub(8)).collect();
            assert_eq!(list.get(&BOB).await.unwrap(), newest);
        }
    }
}

/// The item is there, so a failure to remove the oldest ones is left to the next writer.
#[tokio::test(start_paused = true)]
async fn an_item_is_added_although_the_oldest_cannot_be_removed() {
    let site = site().await;
    let list = recent(&site, 4).await;
    for i in 0..5 {
        list.push(&BOB, i).await.unwrap();
    }
    let denied = class("security.AccessDeniedException");
    site.mock.inject(Fault::on("Mutate").nth(2).throw_with_do_not_retry(&denied, "no", true));
    list.push(&BOB, 5).await.unwrap();
    assert_eq!(site.mock.unfired_faults(), []);
    let stored = async || site.client.table::<Row>().get(&BOB).await.unwrap().unwrap().recent;
    assert_eq!(stored().await, [0, 1, 2, 3, 4, 5]);
    assert_eq!(list.get(&BOB).await.unwrap(), [2, 3, 4, 5]);
    list.push(&BOB, 6).await.unwrap();
    assert_eq!(stored().await, [3, 4, 5, 6]);
}
