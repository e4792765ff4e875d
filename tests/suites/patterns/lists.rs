//! Items that were added to a list are in it once.

use std::collections::BTreeMap;

use tallrow::list::PackedList;
use tallrow::value::{NativeCodec, Packed};
use tallrow::{Client, RowKey, Table};
use tallrow_tests::{Random, drop_table, tell};

use super::{Pattern, done};

#[derive(RowKey)]
struct User {
    id: u32,
}

#[derive(Table)]
#[table(name = "lists")]
#[family("u")]
struct Row {
    #[key]
    user: User,
    #[cell("u:r", codec = Packed, default = Vec::new())]
    recent: Vec<u64>,
}

const USERS: u64 = 4;
/// Of one list, which is short, only the newest items are kept.
const SHORT: u64 = USERS;

pub(super) const PATTERN: Pattern = Pattern {
    name: "list",
    tables: &[Row::TABLE],
    create: |client| {
        Box::pin(async move {
            drop_table(&client.admin(), Row::TABLE).await;
            client.admin().create::<Row>().await.unwrap();
        })
    },
    work: |client, number| {
        Box::pin(async move {
            let mut random = Random::new(1, number);
            for step in 0.. {
                let (user, item) = (random.below(USERS + 1), number << 32 | step);
                let list = list(&client, user);
                if done(list.push(&User { id: user as u32 }, item).await).is_some() {
                    tell(format!("{user} {item}"));
                }
            }
        })
    },
    check: |client, told| {
        Box::pin(async move {
            let mut added = BTreeMap::<u64, Vec<u64>>::new();
            for [user, item] in told.numbers() {
                added.entry(user).or_default().push(item);
            }
            let mut more = 0;
            for user in 0..=USERS {
                let found = list(&client, user).get(&User { id: user as u32 }).await.unwrap();
                let mut once = found.clone();
                once.sort_unstable();
                once.dedup();
                assert_eq!(once.len(), found.len(), "an item is there twice: {found:?}");
                let added = added.remove(&user).unwrap_or_default();
                if user == SHORT {
                    assert!(found.len() >= added.len().min(10), "{found:?}");
                    continue;
                }
                for item in &added {
                    assert!(found.contains(item), "{item} of {user} was lost");
                }
                more += found.len() - added.len();
            }
            assert!(more <= told.unknown, "{more} items that nobody has added");
            drop_table(&client.admin(), Row::TABLE).await;
        })
    },
};

fn list(client: &Client, user: u64) -> PackedList<Row, u64, NativeCodec> {
    let most = if user == SHORT { 10 } else { 100_000 };
    PackedList::new(client.table(), Row::RECENT, most)
}
