//! What a family retains, and for how long: versions, time to live, deleted cells. Tested on a real
//! server too.

use std::time::Duration;

use tallrow::cell::CellType::{self, Delete as DeleteVersion, DeleteColumn, Put as Value};
use tallrow::{
    Delete, FamilyDescriptor, Get, Put, RawTable, Scan, TableDescriptor, Timestamp,
    admin::{CompactionState, KeepDeletedCells},
};
use tallrow_tests::{Place, until};

const AT: fn(u64) -> Timestamp = Timestamp::from_millis;
const HOUR: u64 = 3_600_000;
const DAY: Duration = Duration::from_secs(86_400);

/// A table with only this family.
async fn table(place: &Place, family: FamilyDescriptor) -> RawTable {
    let table = TableDescriptor::new(&place.table_name().await).unwrap();
    place.create(&table.family(family)).await
}

async fn put(table: &RawTable, times: &[u64]) {
    for at in times {
        table.put(Put::new("r1").cell_at("e", "c1", AT(*at), "value")).await.unwrap();
    }
}

async fn flush(place: &Place, table: &RawTable) {
    place.client.admin().hbase().unwrap().flush(table.name().as_str()).await.unwrap();
}

/// Returns when all store files have been compacted into one.
async fn major_compact(place: &Place, table: &RawTable) {
    let admin = place.client.admin();
    admin.hbase().unwrap().major_compact(table.name().as_str()).await.unwrap();
    until("the major compaction has ended", async || {
        let state = admin.hbase().unwrap().compaction_state(table.name().as_str()).await.unwrap();
        state == CompactionState::None
    })
    .await;
}

/// As `scan 't', {RAW => true, VERSIONS => 1000}` of the shell.
async fn stored(table: &RawTable) -> Vec<(u64, CellType)> {
    cells(table, Scan::all().raw().versions(u32::MAX)).await
}

/// The times of the versions that a read of up to 1,000 versions returns.
async fn seen(table: &RawTable) -> Vec<u64> {
    cells(table, Scan::all().versions(u32::MAX)).await.into_iter().map(|(at, _)| at).collect()
}

/// The same for a read of versions before a time.
async fn seen_before(table: &RawTable, before: u64) -> Vec<u64> {
    let scan = Scan::all().versions(1_000).time_range(..AT(before));
    cells(table, scan).await.into_iter().map(|(at, _)| at).collect()
}

async fn cells(table: &RawTable, scan: Scan) -> Vec<(u64, CellType)> {
    let mut rows = table.scan(scan).unwrap();
    let mut found = Vec::new();
    while let Some(row) = rows.next_row().await.unwrap() {
        found.extend(row.cells().iter().map(|c| (c.timestamp().as_millis(), c.kind())));
    }
    found
}

const ALL: [(u64, CellType); 4] = [(14, Value), (12, Value), (11, DeleteColumn), (10, Value)];

pub(crate) async fn deleted_cells_are_removed_by_flush_and_major_compaction(place: Place) {
    let table = table(&place, FamilyDescriptor::new("e").versions(u32::MAX)).await;
    put(&table, &[10, 12, 14]).await;
    table.delete(Delete::new("r1").column_until("e", "c1", AT(11))).await.unwrap();
    assert_eq!(stored(&table).await, ALL);
    assert_eq!(seen(&table).await, [14, 12]);
    assert!(
        seen_before(&table, 11).await.is_empty(),
        "a marker hides earlier cells in every time range"
    );

    flush(&place, &table).await;
    assert_eq!(stored(&table).await, ALL[..3]);
    major_compact(&place, &table).await;
    assert_eq!(stored(&table).await, ALL[..2]);
    assert_eq!(seen(&table).await, [14, 12]);
}

pub(crate) async fn deleted_cells_stay_if_the_family_keeps_them(place: Place) {
    // Within their time to live they are retained as well.
    for keep in [KeepDeletedCells::Yes, KeepDeletedCells::UntilTtl] {
        let family = FamilyDescriptor::new("e").versions(u32::MAX).keep_deleted_cells(keep);
        let table = table(&place, family).await;
        put(&table, &[10, 12, 14]).await;
        table.delete(Delete::new("r1").column_until("e", "c1", AT(11))).await.unwrap();
        for stage in ["memory", "flushed", "compacted"] {
            match stage {
                "flushed" => flush(&place, &table).await,
                "compacted" => major_compact(&place, &table).await,
                _ => {}
            }
            assert_eq!(stored(&table).await, ALL, "{stage}, {keep:?}");
            assert_eq!(seen(&table).await, [14, 12], "{stage}, {keep:?}");
            assert_eq!(seen_before(&table, 11).await, [10], "{stage}, {keep:?}");
            assert!(seen_before(&table, 12).await.is_empty(), "{stage}, {keep:?}");
        }
    }
}

pub(crate) async fn kept_deleted_cells_count_as_versions(place: Place) {
    let table = table(
        &place,
        FamilyDescriptor::new("e").versions(2).keep_deleted_cells(KeepDeletedCells::Yes),
    )
    .await;
    put(&table, &[10, 12, 14, 16]).await;
    table.delete(Delete::new("r1").version("e", "c1", AT(14))).await.unwrap();
    assert_eq!(seen(&table).await, [16, 12]);
    flush(&place, &table).await;
    let kept = [(16, Value), (14, DeleteVersion), (14, Value)];
    assert_eq!(stored(&table).await, kept);
    assert_eq!(seen(&table).await, [16], "the deleted version counts, instead of 12");
    major_compact(&place, &table).await;
    assert_eq!(stored(&table).await, kept);
}

pub(crate) async fn versions_beyond_the_maximum_are_not_read_and_a_flush_removes_them(
    place: Place,
) {
    let table = table(&place, FamilyDescriptor::new("e").versions(3)).await;
    put(&table, &[1, 2, 3, 4, 5]).await;
    assert_eq!(seen(&table).await, [5, 4, 3]);
    assert_eq!(stored(&table).await.len(), 5, "they are still in memory");
    assert_eq!(seen_before(&table, 4).await, [3, 2, 1]);
    flush(&place, &table).await;
    assert_eq!(stored(&table).await, [(5, Value), (4, Value), (3, Value)]);
    put(&table, &[6]).await;
    flush(&place, &table).await;
    assert_eq!(seen(&table).await, [6, 5, 4]);
    assert_eq!(stored(&table).await.len(), 4, "the oldest is in another store file");
    major_compact(&place, &table).await;
    assert_eq!(stored(&table).await, [(6, Value), (5, Value), (4, Value)]);
}

pub(crate) async fn every_version_ends_with_the_time_to_live_of_its_family(place: Place) {
    let table = table(&place, FamilyDescriptor::new("e").versions(9).ttl(DAY)).await;
    let now = Timestamp::now().as_millis();
    put(&table, &[now - 72 * HOUR, now - 48 * HOUR, now - HOUR]).await;
    assert_eq!(seen(&table).await, [now - HOUR]);
    assert_eq!(stored(&table).await.len(), 3, "a raw scan ignores the time to live");
    flush(&place, &table).await;
    assert_eq!(stored(&table).await, [(now - HOUR, Value)]);
}

pub(crate) async fn min_versions_outlive_the_time_to_live(place: Place) {
    let table =
        table(&place, FamilyDescriptor::new("e").versions(5).min_versions(2).ttl(DAY)).await;
    let now = Timestamp::now().as_millis();
    put(&table, &[10, 11, 12, 13]).await;
    assert_eq!(seen(&table).await, [13, 12], "all have expired, and two of them are retained");
    put(&table, &[now - HOUR]).await;
    assert_eq!(seen(&table).await, [now - HOUR, 13]);
    flush(&place, &table).await;
    major_compact(&place, &table).await;
    assert_eq!(stored(&table).await, [(now - HOUR, Value), (13, Value)]);
}

/// With `MIN_VERSIONS`, cells outlive their time to live; the settings differ in whether their
/// markers do.
pub(crate) async fn markers_are_kept_until_their_time_to_live_or_forever(place: Place) {
    for (keep, left) in [
        (KeepDeletedCells::Yes, &[(12, Value), (11, DeleteColumn), (10, Value)][..]),
        (KeepDeletedCells::UntilTtl, &[(12, Value)]),
        (KeepDeletedCells::No, &[(12, Value)]),
    ] {
        let family = FamilyDescriptor::new("e")
            .versions(5)
            .min_versions(3)
            .ttl(DAY)
            .keep_deleted_cells(keep);
        let table = table(&place, family).await;
        put(&table, &[10, 12]).await;
        table.delete(Delete::new("r1").column_until("e", "c1", AT(11))).await.unwrap();
        assert_eq!(seen(&table).await, [12], "{keep:?}");
        flush(&place, &table).await;
        major_compact(&place, &table).await;
        assert_eq!(stored(&table).await, left, "{keep:?}");
        assert_eq!(seen(&table).await, [12], "{keep:?}");
    }
}

pub(crate) async fn a_cell_lives_no_longer_than_its_family(place: Place) {
    let table = table(&place, FamilyDescriptor::new("e").versions(9).ttl(DAY)).await;
    let now = Timestamp::now().as_millis();
    let cells = [
        // Name, age in hours, its time to live in hours, whether a read returns it.
        ("young", 1, Some(2), true),
        ("over", 3, Some(2), false),
        ("longer", 48, Some(1_000), false),
        ("plain", 1, None, true),
        ("old", 48, None, false),
    ];
    for (name, age, ttl, _) in cells {
        let put = Put::new(name).cell_at("e", "c1", AT(now - age * HOUR), "value");
        let put = match ttl {
            Some(hours) => put.ttl(Duration::from_millis(hours * HOUR)),
            None => put,
        };
        table.put(put).await.unwrap();
    }
    for stage in ["memory", "flushed", "compacted"] {
        match stage {
            "flushed" => flush(&place, &table).await,
            "compacted" => major_compact(&place, &table).await,
            _ => {}
        }
        for (name, _, _, is_seen) in cells {
            let found = table.get(Get::new(name).versions(9)).await.unwrap();
            assert_eq!(found.is_some(), is_seen, "{name}, {stage}");
        }
    }
    assert_eq!(stored(&table).await.len(), 2, "expired cells are removed from the store file");
}
