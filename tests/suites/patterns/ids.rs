//! No number is given out twice.

use std::collections::BTreeSet;

use tallrow::ids::IdBlocks;
use tallrow::{Client, FamilyDescriptor, TableDescriptor};
use tallrow_tests::{drop_table, tell};

use super::{Pattern, done};

const TABLE: &str = "ids";

pub(super) const PATTERN: Pattern = Pattern {
    name: "ids",
    tables: &[TABLE],
    create: |client| {
        Box::pin(async move {
            drop_table(&client.admin(), TABLE).await;
            let table = TableDescriptor::new(TABLE).unwrap().family(FamilyDescriptor::new("f"));
            client.admin().create_table(&table).await.unwrap();
        })
    },
    work: |client, number| {
        Box::pin(async move {
            let ids = ids(&client, 1 + 4 * (number % 3));
            loop {
                if let Some(id) = done(ids.next_id().await) {
                    tell(id);
                }
            }
        })
    },
    check: |client, told| {
        Box::pin(async move {
            let mut seen = BTreeSet::new();
            for [id] in told.numbers() {
                assert!(seen.insert(id), "{id} was given out twice");
            }
            let next = ids(&client, 1).next_id().await.unwrap();
            assert!(seen.last().is_some_and(|last| *last < next), "{next} is not new");
            drop_table(&client.admin(), TABLE).await;
        })
    },
};

fn ids(client: &Client, block_size: u64) -> IdBlocks {
    let table = client.raw_table(TABLE).unwrap();
    IdBlocks::builder(table, "ids", "f", "n").block_size(block_size).build().unwrap()
}
