//! A list for each user, in five designs: a row for each item, a row for each page of items, a cell
//! for each item, all items in one cell, and the versions of a cell; and the bytes that an item
//! takes.
//!
//! `cargo run -p tallrow-cases --example lists` prints the cells of all tables as HBase's shell
//! writes bytes, and the pages of the first table:
//! ```text
//! tallrow_list_items
//!   bob\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00d  l:n = item 1
//!   bob\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xC8  l:n = item 2
//!   bob\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01,  l:n = item 3
//!   bob\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x90  l:n = item 4
//!   bob\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\xF4  l:n = item 5
//!   bob\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02X  l:n = item 6
//!   bob\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\xBC  l:n = item 7
//!   bobby\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01  l:n = other
//! page 0: [100, 200, 300]
//! page 1: [400, 500, 600]
//! page 2: [700]
//! tallrow_list_pages
//!   bob\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00  l:\x00\x00\x00\x00\x00\x00\x00d = item 1
//!   bob\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00  l:\x00\x00\x00\x00\x00\x00\x00\xC8 = item 2
//!   bob\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00  l:\x00\x00\x00\x00\x00\x00\x01, = item 3
//!   bob\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01  l:\x00\x00\x00\x00\x00\x00\x01\x90 = item 4
//!   bob\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01  l:\x00\x00\x00\x00\x00\x00\x01\xF4 = item 5
//!   bob\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01  l:\x00\x00\x00\x00\x00\x00\x02X = item 6
//!   bob\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02  l:\x00\x00\x00\x00\x00\x00\x02\xBC = item 7
//! tallrow_lists
//!   bob\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00  l:i/\x00\x00\x00\x00\x00\x00\x00d = item 1
//!   bob\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00  l:i/\x00\x00\x00\x00\x00\x00\x00\xC8 = item 2
//!   bob\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00  l:i/\x00\x00\x00\x00\x00\x00\x01, = item 3
//!   bob\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00  l:i/\x00\x00\x00\x00\x00\x00\x01\x90 = item 4
//!   bob\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00  l:i/\x00\x00\x00\x00\x00\x00\x01\xF4 = item 5
//!   bob\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00  l:i/\x00\x00\x00\x00\x00\x00\x02X = item 6
//!   bob\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00  l:i/\x00\x00\x00\x00\x00\x00\x02\xBC = item 7
//!   bob\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00  l:p = \x06item 1\x06item 2\x06item 3\x06item 4\x06item 5\x06item 6\x06item 7
//!   bob\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00  v:n = item 7
//! packed: ["item 3", "item 4", "item 5", "item 6", "item 7"]
//! versions: ["item 7", "item 6", "item 5"]
//! a row for an item, in tallrow_list_items: 51 bytes
//! a cell for an item, in tallrow_list_pages: 55 bytes
//! a cell for an item, in tallrow_lists: 53 bytes
//! a version for an item, in tallrow_lists: 44 bytes
//! all items in l:p, in tallrow_lists: 87 bytes
//! ```

use std::collections::BTreeMap;

use tallrow::list::PackedList;
use tallrow::sizes::CellSize;
use tallrow::value::{Packed, Versions};
use tallrow::{Client, PageToken, RowKey, Scan, Table, Timestamp, Update};
use tallrow_examples::place;

/// The fixed width separates `bob` from `bobby`, and the rows of a user are adjacent.
#[derive(RowKey, Clone, Debug, PartialEq)]
struct ItemKey {
    #[key(width = 16)]
    user: String,
    value: u64,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "tallrow_list_items")]
#[family("l")]
struct Item {
    #[key]
    key: ItemKey,
    #[cell("l:n")]
    name: String,
}

#[derive(RowKey, Clone, Debug, PartialEq)]
struct PageKey {
    #[key(width = 16)]
    user: String,
    page: u32,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "tallrow_list_pages")]
#[family("l")]
struct Page {
    #[key]
    key: PageKey,
    #[cells("l:*")]
    items: BTreeMap<u64, String>,
}

#[derive(RowKey, Clone, Debug, PartialEq)]
struct UserKey {
    #[key(width = 16)]
    user: String,
}

/// A row for each user: a cell for each item, all items in one cell, and the last items as
/// versions.
#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "tallrow_lists")]
#[family("l")]
#[family("v", versions = 3)]
struct List {
    #[key]
    key: UserKey,
    #[cells("l:i/*")]
    items: BTreeMap<u64, String>,
    #[cell("l:p", codec = Packed, default = Vec::new())]
    packed: Vec<String>,
    #[cell("v:n", default = String::new())]
    newest: String,
    #[cell("v:n", versions)]
    versions: Versions<String>,
}

const SIZE: usize = 3;

#[tokio::main]
async fn main() -> tallrow::Result<()> {
    let client = place::connect().await?;
    let list: Vec<(u64, String)> = (1..=7).map(|n| (n * 100, format!("item {n}"))).collect();

    let items = place::empty::<Item>(&client).await?;
    for (user, value, name) in list
        .iter()
        .map(|(value, name)| ("bob", *value, name.as_str()))
        .chain([("bobby", 1, "other")])
    {
        let key = ItemKey { user: user.into(), value };
        items.put(&Item { key, name: name.into() }).await?;
    }
    place::print_cells(&client, Item::TABLE).await?;

    // A page starts after the last item of the previous page, even if items were added or deleted
    // meanwhile.
    let mut token: Option<PageToken> = None;
    let mut pages = Vec::new();
    loop {
        let page =
            items.scan(ItemKey::scan().user("bob")).resume(token.as_ref()).page(SIZE).await?;
        let values: Vec<u64> = page.rows.iter().map(|item| item.key.value).collect();
        println!("page {}: {values:?}", pages.len());
        pages.push(values);
        token = match page.next {
            Some(next) => Some(next),
            None => break,
        };
    }
    assert_eq!(pages, [vec![100, 200, 300], vec![400, 500, 600], vec![700]]);

    let paged = place::empty::<Page>(&client).await?;
    for (page, chunk) in (0..).zip(list.chunks(SIZE)) {
        let key = PageKey { user: "bob".into(), page };
        paged.put(&Page { key, items: chunk.iter().cloned().collect() }).await?;
    }
    place::print_cells(&client, Page::TABLE).await?;
    let second = paged.get(&PageKey { user: "bob".into(), page: 1 }).await?;
    assert_eq!(second.map(|page| page.items.into_keys().collect()), Some(vec![400, 500, 600]));

    in_one_row(&client, &list).await?;
    for table in [Item::TABLE, Page::TABLE, List::TABLE] {
        print_sizes(&client, table).await?;
    }
    Ok(())
}

/// Stores the items of a list as cells, in one cell, and as versions.
async fn in_one_row(client: &Client, list: &[(u64, String)]) -> tallrow::Result<()> {
    let lists = place::empty::<List>(client).await?;
    let bob = UserKey { user: "bob".into() };
    let packed = PackedList::new(lists.clone(), List::PACKED, 5);
    for (at, (value, name)) in (1..).zip(list) {
        let update = Update::new().set(List::ITEMS.at(value), name.as_str());
        lists.update(&bob, update.set(List::NEWEST, name.as_str()).timestamp(AT(at))).await?;
        packed.push(&bob, name.clone()).await?;
    }
    place::print_cells(client, List::TABLE).await?;

    let mut pages = Vec::new();
    let mut token: Option<PageToken> = None;
    loop {
        let page = lists.scan_cells(&bob, List::ITEMS).resume(token.as_ref()).page(SIZE).await?;
        pages.push(page.rows.iter().map(|(value, _)| *value).collect::<Vec<_>>());
        token = match page.next {
            Some(next) => Some(next),
            None => break,
        };
    }
    assert_eq!(pages, [vec![100, 200, 300], vec![400, 500, 600], vec![700]]);
    let newest = packed.get(&bob).await?;
    println!("packed: {newest:?}");
    assert_eq!(newest, ["item 3", "item 4", "item 5", "item 6", "item 7"]);
    // A family keeps three versions, so older versions no longer exist.
    let versions = lists.get(&bob).await?.map(|list| list.versions);
    let versions: Vec<_> = versions.into_iter().flatten().map(|(_, name)| name).collect();
    println!("versions: {versions:?}");
    assert_eq!(versions, ["item 7", "item 6", "item 5"]);
    Ok(())
}

const AT: fn(u64) -> Timestamp = Timestamp::from_millis;

/// Prints how many bytes the cells of each column take.
async fn print_sizes(client: &Client, table: &str) -> tallrow::Result<()> {
    let mut sizes: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut rows = client.raw_table(table)?.scan(Scan::all().versions(9))?;
    while let Some(row) = rows.next_row().await? {
        for cell in row.cells() {
            let kind = match cell.qualifier() {
                [b'p'] => "all items in l:p",
                [b'n'] if cell.family() == b"v" => "a version for an item",
                [b'n'] => "a row for an item",
                _ => "a cell for an item",
            };
            let (cells, bytes) = sizes.entry(kind.into()).or_default();
            (*cells, *bytes) = (*cells + 1, *bytes + CellSize::of(cell).total());
        }
    }
    for (kind, (cells, bytes)) in sizes {
        println!("{kind}, in {table}: {} bytes", bytes / cells);
    }
    Ok(())
}
