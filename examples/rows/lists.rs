//! A list for each user, in two designs: a row for each item, or a row for each page of items.
//!
//! `cargo run --example lists` prints the cells of both as HBase's shell writes bytes, and the pages of the first:
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
//! ```
mod place;

use std::collections::BTreeMap;
use std::ops::Bound;

use tallrow::{RowKey, Table};

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

#[tokio::main]
async fn main() -> tallrow::Result<()> {
    const SIZE: usize = 3;
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

    // A page starts after the last item of the previous page, even if items were added or deleted meanwhile.
    let mut after = Bound::Unbounded;
    let mut pages = Vec::new();
    loop {
        let rest = ItemKey::scan().user("bob").value((after, Bound::Unbounded));
        let mut rows = items.scan(rest).limit(SIZE as u64).rows();
        let mut page = Vec::new();
        while let Some(item) = rows.next_row().await? {
            after = Bound::Excluded(item.key.value);
            page.push(item.key.value);
        }
        if page.is_empty() {
            break;
        }
        println!("page {}: {page:?}", pages.len());
        pages.push(page);
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
    Ok(())
}
