//! Events of users, newest first: the key is the reversed number of the user, so that consecutive
//! numbers are distributed over the table, then the time in descending order.
//!
//! `cargo run --example user_events` prints the cells of the table as HBase's shell writes bytes,
//! and what three scans find:
//! ```text
//! tallrow_user_events
//!   00083100831\x7F\xFF\xFF\xFF\xFF\xFF\xF4G  e:w = buy
//!   00083100831\x7F\xFF\xFF\xFF\xFF\xFF\xF8/  e:w = search
//!   00083100831\x7F\xFF\xFF\xFF\xFF\xFF\xFC\x17  e:w = sign in
//!   10083100831\x7F\xFF\xFF\xFF\xFF\xFF\xFA#  e:w = sign in
//! all: ["buy", "search", "sign in"]
//! some: ["search", "sign in"]
//! newest: ["buy"]
//! ```

use tallrow::{RowKey, Table};
use tallrow_examples::place;

#[derive(RowKey, Clone, Debug, PartialEq)]
struct EventKey {
    #[key(reverse, width = 11, chars = "0-9")]
    user: String,
    #[key(rev_ts)]
    at: i64,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "tallrow_user_events")]
#[family("e")]
struct Event {
    #[key]
    key: EventKey,
    #[cell("e:w")]
    what: String,
}

#[tokio::main]
async fn main() -> tallrow::Result<()> {
    let client = place::connect().await?;
    let events = place::empty::<Event>(&client).await?;
    for (user, at, what) in [
        ("13800138000", 1_000, "sign in"),
        ("13800138000", 2_000, "search"),
        ("13800138000", 3_000, "buy"),
        ("13800138001", 1_500, "sign in"),
    ] {
        let key = EventKey { user: user.into(), at };
        events.put(&Event { key, what: what.into() }).await?;
    }
    place::print_cells(&client, Event::TABLE).await?;

    let user = || EventKey::scan().user("13800138000");
    let all = whats(events.scan(user()).rows()).await?;
    // From 1000 on and before 3000: the key swaps the bounds, because later times sort first.
    let some = whats(events.scan(user().at(1_000..3_000)).rows()).await?;
    let newest = whats(events.scan(user()).limit(1).rows()).await?;
    println!("all: {all:?}\nsome: {some:?}\nnewest: {newest:?}");
    assert_eq!(all, ["buy", "search", "sign in"]);
    assert_eq!(some, ["search", "sign in"]);
    assert_eq!(newest, ["buy"]);
    Ok(())
}

async fn whats(mut rows: tallrow::table::TableRows<Event>) -> tallrow::Result<Vec<String>> {
    let mut whats = Vec::new();
    while let Some(event) = rows.next_row().await? {
        whats.push(event.what);
    }
    Ok(whats)
}
