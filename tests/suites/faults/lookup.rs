//! Lookup tables while replies are lost and writers stop half-way.

use std::time::Duration;

use futures_util::future::join_all;
use tallrow::lookup::{self, Finding, KeyLookup, Lookup, LookupBuilder};
use tallrow::{ErrorKind, RawTable, RowKey};
use tallrow_mock::Fault;

use super::{
    ATTEMPT_TIMEOUT, LOST, Site, called, calls, cancel, class, config, since, site, site_with,
    total_since,
};

/// The writes of a new name, in their order: the counter, the name of the id, the id of the name.
const WRITES: u64 = 3;

async fn names(site: &Site) -> RawTable {
    let table = lookup::table_descriptor("names").unwrap();
    site.client.admin().create_table(&table).await.unwrap();
    site.client.prefetch_regions("names").await.unwrap();
    site.client.raw_table("names").unwrap()
}

fn hosts(table: &RawTable) -> LookupBuilder {
    Lookup::builder(table.clone(), "host").width(2)
}

#[tokio::test(start_paused = true)]
async fn calls_are_as_documented() {
    let site = site().await;
    let table = names(&site).await;
    let lookup = hosts(&table).build().unwrap();
    let before = calls(&site.mock);
    lookup.get_or_create("a").await.unwrap();
    assert_eq!(since(&site.mock, before), [1, 3, 0, 0]);
    let before = calls(&site.mock);
    lookup.get_or_create("a").await.unwrap();
    lookup.find("a").await.unwrap();
    lookup.name(1).await.unwrap();
    assert_eq!(since(&site.mock, before), [0; 4], "all are cached");

    let fresh = hosts(&table).build().unwrap();
    fresh.get_or_create("a").await.unwrap();
    fresh.name(1).await.unwrap();
    assert_eq!(since(&site.mock, before), [2, 0, 0, 0]);

    let uncached = hosts(&table).cache_bytes(0).build().unwrap();
    uncached.get_or_create("a").await.unwrap();
    uncached.get_or_create("a").await.unwrap();
    assert_eq!(since(&site.mock, before), [4, 0, 0, 0]);

    // One increment for all, and no call for each.
    let before = calls(&site.mock);
    let all = (0..200).map(|i| format!("name{i}"));
    lookup.get_or_create_all(all).await.into_result().unwrap();
    let total = total_since(&site.mock, before);
    assert!(total < 20, "{total} calls for 200 names");
    let counter = table.get([0]).await.unwrap().unwrap();
    assert_eq!(counter.counter("id", "host").unwrap(), Some(201));
}

/// A key with three names; hosts are of one kind in two fields.
#[derive(RowKey, Debug, PartialEq)]
struct Call {
    #[key(lookup = "host")]
    from: u16,
    #[key(lookup = "host")]
    to: u16,
    #[key(lookup = "service")]
    service: u32,
    at: u64,
}

#[tokio::test(start_paused = true)]
async fn the_names_of_a_thousand_keys_share_calls() {
    let site = site().await;
    let table = names(&site).await;
    let name = |at: u64| CallNames {
        from: format!("host{}", at % 20),
        to: format!("host{}", at % 30),
        service: format!("service{}", at % 250),
        at,
    };
    let named: Vec<_> = (0..1_000).map(name).collect();
    let misses = |lookup: &KeyLookup<Call>| {
        ["host", "service"].map(|kind| lookup.lookup(kind).unwrap().stats().misses)
    };

    // 30 hosts and 250 services: their names are read once, the ids of each kind are taken by one
    // increment.
    let lookup = KeyLookup::<Call>::new(table.clone()).unwrap();
    let before = calls(&site.mock);
    let keys = lookup.get_or_create_all(&named).await.into_result().unwrap();
    assert_eq!(
        since(&site.mock, before),
        [0, 0, 5, 0],
        "reads of each kind, increments, names of ids, ids of names"
    );
    assert_eq!(misses(&lookup), [30, 250]);
    let before = calls(&site.mock);
    assert_eq!(lookup.get_or_create_all(&named).await.into_result().unwrap(), keys);
    assert_eq!(lookup.names_all(&keys).await.into_result().unwrap(), named);
    assert_eq!(since(&site.mock, before), [0; 4], "all are cached");

    let fresh = KeyLookup::<Call>::new(table.clone()).unwrap();
    let before = calls(&site.mock);
    let found = fresh.find_all(&named).await.into_result().unwrap();
    assert_eq!(since(&site.mock, before), [0, 0, 2, 0], "one for each kind");
    assert!(found.iter().map(Option::as_ref).eq(keys.iter().map(Some)));
    assert_eq!(misses(&fresh), [30, 250]);

    let fresh = KeyLookup::<Call>::new(table.clone()).unwrap();
    let before = calls(&site.mock);
    assert_eq!(fresh.names_all(&keys).await.into_result().unwrap(), named);
    assert_eq!(since(&site.mock, before), [0, 0, 2, 0]);
    assert_eq!(misses(&fresh), [30, 250]);
}

#[tokio::test(start_paused = true)]
async fn a_lost_reply_is_settled_by_reading() {
    for write in 1..=WRITES {
        for effect in LOST {
            let site = site().await;
            let table = names(&site).await;
            let lookup = hosts(&table).build().unwrap();
            site.mock.inject(effect(Fault::on("Mutate").nth(write)));
            let id = lookup.get_or_create("a").await.unwrap();
            assert_eq!(site.mock.unfired_faults(), []);
            let stats = lookup.stats();
            let lost = u64::from(write == 1);
            assert_eq!((stats.created, stats.leaked, stats.lost_blocks), (1, 0, lost));

            let fresh = hosts(&table).build().unwrap();
            assert_eq!(fresh.find("a").await.unwrap(), Some(id));
            assert_eq!(fresh.name(id).await.unwrap().as_deref(), Some(&b"a"[..]));
            assert_eq!(fresh.fsck().await.unwrap().findings, [], "write {write}");
        }
    }
}

/// Resolves a name with a lookup that stops before its write of this number.
async fn stop_before(site: &Site, table: &RawTable, write: u64) {
    let refused = class("security.AccessDeniedException");
    site.mock
        .inject(Fault::on("Mutate").nth(write).throw_with_do_not_retry(&refused, "stop", true));
    let lookup = hosts(table).build().unwrap();
    let error = lookup.get_or_create("a").await.unwrap_err();
    assert_eq!((error.kind(), error.operation()), (ErrorKind::PermissionDenied, "get or create"));
    assert_eq!(site.mock.unfired_faults(), []);
    assert_eq!(lookup.stats().leaked, u64::from(write > 1));
}

#[tokio::test(start_paused = true)]
async fn what_a_stopped_writer_left_is_repaired() {
    for write in 1..=WRITES {
        let site = site().await;
        let table = names(&site).await;
        stop_before(&site, &table, write).await;

        let lookup = hosts(&table).build().unwrap();
        let report = lookup.fsck().await.unwrap();
        let expected = match write {
            3 => vec![Finding::NameWithoutId { id: 1, name: "a".into() }],
            _ => vec![],
        };
        assert_eq!(report.findings, expected, "stopped before write {write}");
        lookup.repair(&report.findings).await.into_result().unwrap();
        assert_eq!(lookup.fsck().await.unwrap().findings, []);
        // Not given out, or completed by the repair.
        let id = lookup.get_or_create("a").await.unwrap();
        assert_eq!(id, if write == 2 { 2 } else { 1 });
        assert_eq!(lookup.fsck().await.unwrap().findings, []);
    }
}

#[tokio::test(start_paused = true)]
async fn a_name_whose_writer_stopped_is_resolved_by_others() {
    for write in 1..=WRITES {
        let site = site().await;
        let table = names(&site).await;
        stop_before(&site, &table, write).await;

        let lookup = hosts(&table).build().unwrap();
        let id = lookup.get_or_create("a").await.unwrap();
        let report = lookup.fsck().await.unwrap();
        let expected = match write {
            3 => vec![Finding::LeakedId { id: 1, name: "a".into(), used_id: id }],
            _ => vec![],
        };
        assert_eq!(report.findings, expected, "stopped before write {write}");
        lookup.repair(&report.findings).await.into_result().unwrap();
        let report = lookup.fsck().await.unwrap();
        assert_eq!((report.names_with_id, report.ids_with_name, report.findings), (1, 1, vec![]));
        assert_eq!(hosts(&table).build().unwrap().find("a").await.unwrap(), Some(id));
    }
}

#[tokio::test(start_paused = true)]
async fn a_repair_stopped_at_any_write_can_be_repeated() {
    for write in 1..=4 {
        let site = site().await;
        let table = names(&site).await;
        stop_before(&site, &table, 3).await;
        stop_before(&site, &table, 3).await;
        let lookup = hosts(&table).build().unwrap();
        let findings = lookup.fsck().await.unwrap().findings;
        assert_eq!(findings.len(), 2, "{findings:?}");

        // The first finding is a put, the second one a put that does not apply, and a delete.
        let refused = class("security.AccessDeniedException");
        site.mock
            .inject(Fault::on("Mutate").nth(write).throw_with_do_not_retry(&refused, "stop", true));
        let stopped = lookup.repair(&findings).await.failed_count();
        assert_eq!(stopped, usize::from(write < 4));
        site.mock.clear_faults();

        let findings = lookup.fsck().await.unwrap().findings;
        assert_eq!(findings.is_empty(), write == 4);
        lookup.repair(&findings).await.into_result().unwrap();
        let report = lookup.fsck().await.unwrap();
        assert_eq!((report.names_with_id, report.ids_with_name, report.findings), (1, 1, vec![]));
    }
}

#[tokio::test(start_paused = true)]
async fn callers_of_one_name_create_it_once() {
    let site = site().await;
    let table = names(&site).await;
    let lookup = hosts(&table).build().unwrap();
    let ids = join_all((0..50).map(|_| lookup.get_or_create("a"))).await;
    assert!(ids.into_iter().all(|id| id.unwrap() == 1));
    assert_eq!(site.mock.call_count("Mutate"), WRITES);
    assert_eq!((lookup.stats().created, lookup.stats().leaked), (1, 0));
}

#[tokio::test(start_paused = true)]
async fn a_name_is_created_although_its_caller_is_dropped() {
    let site = site().await;
    let table = names(&site).await;
    let lookup = hosts(&table).build().unwrap();
    site.mock.inject(Fault::on("Mutate").nth(1).delay_in_queue(ATTEMPT_TIMEOUT / 2));
    let dropped = tokio::spawn({
        let lookup = lookup.clone();
        async move { lookup.get_or_create("a").await }
    });
    called(&site.mock, "Mutate", 1).await;
    cancel(dropped).await;
    assert_eq!(lookup.get_or_create("a").await.unwrap(), 1);
    assert_eq!(site.mock.call_count("Mutate"), WRITES);
    assert_eq!(lookup.fsck().await.unwrap().findings, []);
}

#[tokio::test(start_paused = true)]
async fn a_resolve_ends_at_its_deadline_and_may_be_repeated() {
    let operation_timeout = Duration::from_millis(700);
    let site = site_with(config().operation_timeout(operation_timeout), &[]).await;
    let table = names(&site).await;
    for write in 1..=WRITES {
        let lookup = hosts(&table).build().unwrap();
        let name = format!("name{write}");
        site.mock.inject(Fault::on("Mutate").nth(write).times(1_000).drop_request());
        let begun = tokio::time::Instant::now();
        let error = lookup.get_or_create(&name).await.unwrap_err();
        assert_eq!(begun.elapsed(), operation_timeout, "write {write}: {error:?}");
        assert_eq!(error.kind(), ErrorKind::Timeout, "write {write}: {error:?}");
        site.mock.clear_faults();
        lookup.get_or_create(&name).await.unwrap();
    }
    let lookup = hosts(&table).build().unwrap();
    let findings = lookup.fsck().await.unwrap().findings;
    lookup.repair(&findings).await.into_result().unwrap();
    let report = lookup.fsck().await.unwrap();
    assert_eq!((report.names_with_id, report.ids_with_name, report.findings), (3, 3, vec![]));
}

#[tokio::test(start_paused = true)]
async fn a_caller_with_time_left_creates_the_name_after_the_deadline_of_another() {
    let operation_timeout = Duration::from_millis(700);
    let site = site_with(config().operation_timeout(operation_timeout), &[]).await;
    let table = names(&site).await;
    for write in 1..=WRITES {
        let lookup = hosts(&table).build().unwrap();
        let name = format!("name{write}");
        let create = || {
            let (lookup, name) = (lookup.clone(), name.clone());
            tokio::spawn(async move { lookup.get_or_create(&name).await })
        };
        let before = site.mock.call_count("Mutate");
        site.mock.inject(Fault::on("Mutate").nth(write).times(1_000).drop_request());
        let first = create();
        called(&site.mock, "Mutate", before + write).await;
        tokio::time::sleep(ATTEMPT_TIMEOUT * 2).await;
        let second = create();
        let error = first.await.unwrap().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Timeout, "write {write}: {error:?}");
        site.mock.clear_faults();
        let id = second.await.unwrap().unwrap();
        let fresh = hosts(&table).build().unwrap();
        assert_eq!(fresh.find(&name).await.unwrap(), Some(id), "write {write}");
    }
}

#[tokio::test(start_paused = true)]
async fn many_names_are_resolved_until_one_deadline() {
    let operation_timeout = Duration::from_millis(700);
    let site = site_with(config().operation_timeout(operation_timeout), &[]).await;
    let table = names(&site).await;
    // The names are read in time; the increment of the counter is never answered.
    site.mock.inject(Fault::on("Multi").nth(1).delay_in_queue(ATTEMPT_TIMEOUT / 2));
    site.mock.inject(Fault::on("Mutate").times(1_000).drop_request());
    let lookup = hosts(&table).build().unwrap();
    let begun = tokio::time::Instant::now();
    let ids = lookup.get_or_create_all(["a", "b"]).await;
    assert_eq!(begun.elapsed(), operation_timeout);
    for id in ids {
        let error = id.unwrap_err();
        assert_eq!((error.kind(), error.operation()), (ErrorKind::Timeout, "get or create"));
    }
}
