//! Ids in blocks from a counter.

use std::collections::BTreeSet;

use tallrow::{ErrorKind, Increment, Put, RawTable, ids::IdBlocks, ids::IdBlocksBuilder};
use tallrow_tests::Place;

fn builder(table: &RawTable) -> IdBlocksBuilder {
    IdBlocks::builder(table.clone(), "ids", "f", "n")
}

async fn take(ids: &IdBlocks, count: usize) -> Vec<u64> {
    let mut taken = Vec::new();
    for _ in 0..count {
        taken.push(ids.next_id().await.unwrap());
    }
    taken
}

async fn counter(table: &RawTable) -> i64 {
    table.get("ids").await.unwrap().unwrap().counter("f", "n").unwrap().unwrap()
}

pub(crate) async fn blocks_are_taken_from_the_counter(place: Place) {
    let table = place.table(&[]).await;
    let [a, b] = [3, 5].map(|size| builder(&table).block_size(size).build().unwrap());
    assert_eq!(take(&a, 1).await, [1]);
    assert_eq!(take(&b, 5).await, [4, 5, 6, 7, 8]);
    assert_eq!(take(&a, 3).await, [2, 3, 9]);
    assert_eq!(counter(&table).await, 11);
    // Whoever else increments the counter takes ids too.
    table.increment(Increment::new("ids").add("f", "n", 10)).await.unwrap();
    assert_eq!(take(&b, 1).await, [22]);
    assert_eq!((a.lost_block_count(), b.lost_block_count()), (0, 0));
}

pub(crate) async fn concurrent_callers_never_get_the_same_id(place: Place) {
    let table = place.table(&[]).await;
    let mut tasks = Vec::new();
    for size in [1, 2, 7, 100] {
        let ids = builder(&table).block_size(size).build().unwrap();
        for _ in 0..16 {
            let ids = ids.clone();
            tasks.push(tokio::spawn(async move { take(&ids, 50).await }));
        }
    }
    let mut all = BTreeSet::new();
    for task in tasks {
        for id in task.await.unwrap() {
            assert!(all.insert(id), "{id} was given out twice");
        }
    }
    assert_eq!(all.len(), 4 * 16 * 50);
    assert!(*all.last().unwrap() <= counter(&table).await as u64);
}

pub(crate) async fn ids_begin_at_the_first_one(place: Place) {
    let table = place.table(&[]).await;
    let [a, b] = [(); 2].map(|()| builder(&table).block_size(2).first(1_000).build().unwrap());
    let (from_a, from_b) = tokio::join!(take(&a, 5), take(&b, 5));
    let all: BTreeSet<_> = from_a.iter().chain(&from_b).copied().collect();
    assert_eq!(all.len(), 10);
    // Whichever raised the counter may have taken more than a block, but nothing below is left out
    // or above is skipped.
    assert!(*all.first().unwrap() == 1_000 && *all.last().unwrap() < 2_010, "{all:?}");
}

pub(crate) async fn no_id_is_above_the_last_one(place: Place) {
    let table = place.table(&[]).await;
    let ids = builder(&table).block_size(100).max_id_bytes(1).build().unwrap();
    assert_eq!(take(&ids, 255).await, (1..=255).collect::<Vec<_>>());
    for _ in 0..2 {
        let error = ids.next_id().await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::IdsExhausted, "{error:?}");
        let text = "all ids from 1 to 255 of the counter f:n have been given out";
        assert!(error.to_string().ends_with(text), "{error}");
    }
    let next = builder(&table).block_size(100).max_id_bytes(1).build().unwrap();
    assert_eq!(next.next_id().await.unwrap_err().kind(), ErrorKind::IdsExhausted);
    let wider = builder(&table).block_size(100).max_id_bytes(2).build().unwrap();
    assert!(wider.next_id().await.unwrap() > 255);
}

pub(crate) async fn a_counter_of_another_form_gives_no_ids(place: Place) {
    let table = place.table(&[]).await;
    table.put(Put::new("ids").cell("f", "n", "7")).await.unwrap();
    let error = builder(&table).build().unwrap().next_id().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotACounter, "{error:?}");
    assert_eq!((error.operation(), error.row()), ("next id", Some(&b"ids"[..])));

    table.put(Put::new("ids").cell("f", "n", (-5_000i64).to_be_bytes())).await.unwrap();
    let error = builder(&table).build().unwrap().next_id().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Inconsistent, "{error:?}");
    assert!(error.to_string().contains("f:n is -4000 after 1000 was added"), "{error}");
}

pub(crate) async fn settings_without_an_id_are_refused(place: Place) {
    let table = place.table(&[]).await;
    let wrong = [
        builder(&table).block_size(0),
        builder(&table).first(0),
        builder(&table).first(5).last(4),
        builder(&table).last(1 << 63),
        builder(&table).max_id_bytes(0),
    ];
    for settings in wrong {
        assert_eq!(settings.build().unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
    let largest = builder(&table).first(i64::MAX as u64).max_id_bytes(8).build().unwrap();
    assert_eq!(take(&largest, 1).await, [i64::MAX as u64]);
    assert_eq!(largest.next_id().await.unwrap_err().kind(), ErrorKind::IdsExhausted);
}
