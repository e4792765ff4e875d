//! Lists: the cells of a row page by page, and all items in one cell.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use tallrow::list::PackedList;
use tallrow::value::{Json, Packed};
use tallrow::{
    Counter, ErrorKind, Page, PageToken, Put, Result, RowKey, Table, Timestamp, TypedTable,
};
use tallrow_tests::Place;

#[derive(RowKey, Clone, Debug, PartialEq)]
struct User {
    #[key(width = 8)]
    name: String,
}

/// Maps next to each other and to other columns, with qualifiers before, between and after those of
/// the maps.
#[derive(Table, Clone, Debug, Default, PartialEq)]
#[table(name = "lists")]
#[family("l", versions = 3)]
struct List {
    #[key]
    user: User,
    #[cells("l:i/*")]
    items: BTreeMap<u32, String>,
    #[cells("l:z/*")]
    last: BTreeMap<u8, String>,
    #[cell("l:a")]
    first_column: Option<String>,
    #[cell(b"l:i/\x00\x00\x00\x05")]
    hidden: Counter,
    #[cell("l:r", codec = Packed, default = Vec::new())]
    recent: Vec<String>,
    #[cell("l:n", codec = Packed::<Json>, default = Vec::new())]
    numbers: Vec<u32>,
}

impl Default for User {
    fn default() -> Self {
        Self { name: "bob".into() }
    }
}

const NONE: [u32; 0] = [];

fn user(name: &str) -> User {
    User { name: name.into() }
}

async fn filled(place: &Place) -> TypedTable<List> {
    let lists = place.typed::<List>().await;
    let items: BTreeMap<u32, String> = (0..10).map(|i| (i * 10, format!("item {i}"))).collect();
    let last = [(1, "x".into()), (255, "y".into())].into();
    let list = List { items, last, first_column: Some("first".into()), ..List::default() };
    for name in ["ann", "bob", "bobby"] {
        let list = List { user: user(name), ..list.clone() };
        lists.put(&list).await.unwrap();
        lists.increment(&list.user, List::HIDDEN, 1).await.unwrap();
    }
    lists
}

fn numbers(page: &Page<(u32, String)>) -> Vec<u32> {
    page.rows.iter().map(|(number, _)| *number).collect()
}

async fn pages(lists: &TypedTable<List>, size: usize) -> Vec<Vec<u32>> {
    let (mut pages, mut token) = (Vec::new(), None::<PageToken>);
    loop {
        let bob = user("bob");
        let page = lists.scan_cells(&bob, List::ITEMS).resume(token.as_ref()).page(size);
        let page = page.await.unwrap();
        pages.push(numbers(&page));
        match page.next {
            Some(next) => token = Some(next.to_string().parse().unwrap()),
            None => return pages,
        }
    }
}

pub(crate) async fn the_cells_of_a_row_are_read_in_pages(place: Place) {
    let lists = filled(&place).await;
    let all: Vec<u32> = (0..10).map(|i| i * 10).collect();
    for size in [1, 2, 3, 9, 10, 11, usize::MAX] {
        let expected: Vec<Vec<u32>> = all.chunks(size).map(<[u32]>::to_vec).collect();
        assert_eq!(pages(&lists, size).await, expected, "pages of {size}");
    }
    let last = lists.scan_cells(&user("bob"), List::LAST).page(1).await.unwrap();
    assert_eq!(last.rows, [(1, "x".to_string())]);
    let next = lists.scan_cells(&user("bob"), List::LAST).resume(last.next.as_ref()).page(9).await;
    assert_eq!(next.unwrap().rows, [(255, "y".to_string())]);
    let none = lists.scan_cells(&user("nobody"), List::ITEMS).page(3).await.unwrap();
    assert_eq!((none.rows.len(), none.next), (0, None));
}

pub(crate) async fn a_range_of_cells_is_read(place: Place) {
    let lists = filled(&place).await;
    let bob = user("bob");
    let scan = || lists.scan_cells(&bob, List::ITEMS);
    assert_eq!(numbers(&scan().range(20..50).page(9).await.unwrap()), [20, 30, 40]);
    assert_eq!(numbers(&scan().range(20..=50).page(9).await.unwrap()), [20, 30, 40, 50]);
    assert_eq!(numbers(&scan().range(85..).page(9).await.unwrap()), [90]);
    assert_eq!(numbers(&scan().range(..20).page(9).await.unwrap()), [0, 10]);
    assert_eq!(numbers(&scan().range(21..29).page(9).await.unwrap()), NONE);
    #[allow(clippy::reversed_empty_ranges, reason = "an empty range is no error")]
    let reversed = scan().range(50..20).page(9).await.unwrap();
    assert_eq!(numbers(&reversed), NONE);
    assert_eq!(numbers(&scan().range(20..).after(&20).page(2).await.unwrap()), [30, 40]);
    assert_eq!(numbers(&scan().after(&35).page(2).await.unwrap()), [40, 50], "it need not exist");
    assert_eq!(numbers(&scan().range(..=50).after(&50).page(2).await.unwrap()), NONE);
}

/// A page is where its last cell was, whatever was added or deleted before it.
pub(crate) async fn a_page_of_cells_is_not_moved_by_others(place: Place) {
    let lists = filled(&place).await;
    let bob = user("bob");
    let first = lists.scan_cells(&bob, List::ITEMS).page(3).await.unwrap();
    let more = List { items: [(7, "new".into())].into(), ..List::default() };
    lists.put(&more).await.unwrap();
    lists.delete_cell(&bob, List::ITEMS.at(&20)).await.unwrap();
    lists.delete_cell(&bob, List::ITEMS.at(&30)).await.unwrap();
    // Another version of a cell is not another cell.
    lists.put(&List { items: [(40, "newer".into())].into(), ..List::default() }).await.unwrap();
    let second = lists.scan_cells(&bob, List::ITEMS).resume(first.next.as_ref()).page(2).await;
    let second = second.unwrap();
    assert_eq!(second.rows, [(40, "newer".to_string()), (50, "item 5".to_string())]);
    // A table as of a time reads the versions of that time.
    let past = lists.clone().as_of(Timestamp::from_millis(1));
    assert_eq!(past.scan_cells(&bob, List::ITEMS).page(2).await.unwrap().rows, []);
}

pub(crate) async fn a_page_of_cells_that_does_not_fit_is_refused(place: Place) {
    let lists = filled(&place).await;
    let bob = user("bob");
    let token = lists.scan_cells(&bob, List::ITEMS).page(2).await.unwrap().next.unwrap();
    let refused = |result: Result<Page<(u32, String)>>, why: &str| {
        let error = result.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
        assert!(error.to_string().contains(why), "{error}");
        assert!(error.to_string().starts_with("scan cells "), "{error}");
    };
    let other = "the page token is of another scan";
    let ann = lists.scan_cells(&user("ann"), List::ITEMS).resume(&token).page(2).await;
    refused(ann, other);
    let range = lists.scan_cells(&bob, List::ITEMS).range(5..).resume(&token).page(2).await;
    refused(range, other);
    let rows = lists.scan(User::scan()).resume(&token).page(2).await.unwrap_err();
    assert!(rows.to_string().contains(other), "{rows}");
    let of_rows = lists.scan(User::scan()).page(1).await.unwrap().next.unwrap();
    refused(lists.scan_cells(&bob, List::ITEMS).resume(&of_rows).page(2).await, other);
    refused(lists.scan_cells(&bob, List::ITEMS).page(0).await, "a page of 0 cells");
    let outside = lists.scan_cells(&bob, List::ITEMS).range(..5).after(&7).page(2).await;
    refused(outside, "which is not in its range");

    let raw = lists.raw().unwrap();
    raw.put(Put::new(bob.encode().unwrap()).cell("l", "i/z", "no number")).await.unwrap();
    let error = lists.scan_cells(&bob, List::ITEMS).page(99).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Decode);
    assert!(error.to_string().contains(r#"column l:i/z: qualifier expected 4 bytes"#), "{error}");
}

pub(crate) async fn a_packed_list_keeps_its_newest_items(place: Place) {
    let table = place.typed::<List>().await;
    let recent = PackedList::new(table.clone(), List::RECENT, 8);
    let bob = user("bob");
    for i in 0..100 {
        recent.push(&bob, i.to_string()).await.unwrap();
        let found = recent.get(&bob).await.unwrap();
        let expected: Vec<String> =
            (0..=i).skip((i + 1_usize).saturating_sub(8)).map(|i| i.to_string()).collect();
        assert_eq!(found, expected);
        let stored: Vec<String> = table.get(&bob).await.map(stored).unwrap();
        assert!((found.len()..=10).contains(&stored.len()), "{} are stored", stored.len());
    }
    recent.extend(&bob, (0..20).map(|i| format!("x{i}")).collect()).await.unwrap();
    assert_eq!(recent.get(&bob).await.unwrap()[..2], ["x12", "x13"]);
    assert!(recent.get(&user("ann")).await.unwrap().is_empty());
}

/// The codec writes an item in fewer bytes than the program that wrote it first.
pub(crate) async fn a_packed_list_of_another_program_keeps_its_newest_items(place: Place) {
    let table = place.typed::<List>().await;
    let recent = PackedList::new(table.clone(), List::NUMBERS, 4);
    let (bob, raw) = (user("bob"), table.raw().unwrap());
    let spaced = "\x02 1\x02 2\x02 3\x02 4\x02 5";
    raw.put(Put::new(bob.encode().unwrap()).cell("l", "n", spaced)).await.unwrap();
    recent.push(&bob, 6).await.unwrap();
    assert_eq!(recent.get(&bob).await.unwrap(), [3, 4, 5, 6]);
    let row = raw.get(bob.encode().unwrap()).await.unwrap().unwrap();
    assert_eq!(row.value("l", "n"), Some(&b"\x02 3\x02 4\x02 5\x016"[..]));
}

fn stored(row: Option<List>) -> Vec<String> {
    row.map(|row| row.recent).unwrap_or_default()
}

/// Each writer adds its own items in order; none is lost, doubled or overtaken by a later one of
/// the same writer.
pub(crate) async fn concurrent_writers_of_a_packed_list_lose_nothing(place: Place) {
    let table = place.typed::<List>().await;
    let all = PackedList::new(table.clone(), List::RECENT, 400);
    let few = PackedList::new(table.clone(), List::RECENT, 8);
    let (bob, ann) = (user("bob"), user("ann"));
    let writer = |n: u32| {
        let (all, few, bob, ann) = (&all, &few, &bob, &ann);
        async move {
            for i in 0..25 {
                all.push(bob, format!("{n}.{i}")).await.unwrap();
                few.push(ann, format!("{n}.{i}")).await.unwrap();
            }
        }
    };
    join_all((0..16).map(writer)).await;
    let found = all.get(&bob).await.unwrap();
    assert_eq!(found.len(), 400);
    for n in 0..16 {
        let of_one: Vec<_> = found.iter().filter(|i| i.starts_with(&format!("{n}."))).collect();
        let expected: Vec<String> = (0..25).map(|i| format!("{n}.{i}")).collect();
        assert_eq!(of_one, expected.iter().collect::<Vec<_>>());
    }
    assert_eq!(few.get(&ann).await.unwrap().len(), 8);
    // Once there are no other writers, one more item removes what is too much.
    few.push(&ann, "last".into()).await.unwrap();
    assert!(stored(table.get(&ann).await.unwrap()).len() <= 10);
    assert_eq!(few.get(&ann).await.unwrap()[7], "last");
}
