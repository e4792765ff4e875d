//! What a client keeps for each region of a table, counted by the allocator. The only test of its
//! program: nothing else allocates meanwhile.

use std::alloc::System;

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use tallrow::{Client, Config, FamilyDescriptor, TableDescriptor};
use tallrow_mock::MockCluster;
use tallrow_tests::{in_memory, thorough};

#[global_allocator]
static ALLOCATED: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

#[tokio::test(start_paused = true)]
async fn a_region_takes_at_most_300_bytes() {
    let mock = MockCluster::builder().in_memory().servers(100).start().await.unwrap();
    let config = Config::new().connector(in_memory(&mock));
    let client = Client::connect_with(&mock.url(), config).await.unwrap();
    let regions = if thorough() { 10_000 } else { 1_000 };
    let splits: Vec<String> = (1..regions).map(|at| format!("com.example/{at:08}")).collect();
    for name in ["first_pages", "other_pages"] {
        let table = TableDescriptor::new(name).unwrap().family(FamilyDescriptor::new("f"));
        client.admin().create_table_with_splits(&table, &splits).await.unwrap();
    }
    // The buffers of the connection grow with the first answers, and stay.
    client.prefetch_regions("first_pages").await.unwrap();

    let counted = Region::new(ALLOCATED);
    client.prefetch_regions("other_pages").await.unwrap();
    let change = counted.change();
    let kept = (change.bytes_allocated - change.bytes_deallocated) / regions;
    println!("{regions} regions take {kept} bytes each");
    // An operation shares the name of its region, for which the location needs another 32 bytes
    // from then on.
    assert!(kept + 32 <= 300, "{kept} bytes a region");
    assert!(kept >= 100, "{kept} bytes a region: they are not kept");
}
