//! Names and ids in a lookup table.

use std::collections::{BTreeMap, BTreeSet};

use tallrow::lookup::{self, Finding, Lookup, LookupBuilder, RepairOutcome};
use tallrow::{ErrorKind, Get, Put, RawTable, Scan};
use tallrow_tests::Place;

async fn names(place: &Place) -> RawTable {
    place.create(&lookup::table_descriptor(&place.table_name().await).unwrap()).await
}

fn metrics(table: &RawTable) -> LookupBuilder {
    Lookup::builder(table.clone(), "metrics").width(3)
}

pub(crate) async fn names_and_ids_are_bytes_of_every_width(place: Place) {
    let table = names(&place).await;
    for width in 1..=8 {
        let kind = format!("k{width}");
        let lookup = Lookup::builder(table.clone(), &kind).width(width).build().unwrap();
        assert_eq!(lookup.get_or_create("one").await.unwrap(), 1);
        assert_eq!(lookup.get_or_create(b"\xff\x00two").await.unwrap(), 2);

        let bytes = &2u64.to_be_bytes()[8 - width..];
        let forward = table.get(Get::new(b"\xff\x00two").column("id", &kind)).await.unwrap();
        assert_eq!(forward.unwrap().value("id", &kind), Some(bytes));
        let reverse = table.get(Get::new(bytes).column("name", &kind)).await.unwrap();
        assert_eq!(reverse.unwrap().value("name", &kind), Some(&b"\xff\x00two"[..]));
        let counter = table.get(Get::new([0]).column("id", &kind)).await.unwrap().unwrap();
        assert_eq!(counter.counter("id", &kind).unwrap(), Some(2));

        // Without its cache.
        let fresh = Lookup::builder(table.clone(), &kind).width(width).build().unwrap();
        assert_eq!(fresh.find("one").await.unwrap(), Some(1));
        assert_eq!(fresh.name(2).await.unwrap().as_deref(), Some(&b"\xff\x00two"[..]));
        for absent in [0, 3, 256, u64::MAX] {
            assert_eq!(fresh.name(absent).await.unwrap(), None);
        }
        assert_eq!(fresh.fsck().await.unwrap().findings, []);
    }
}

pub(crate) async fn a_table_of_opentsdb_is_continued(place: Place) {
    let table = names(&place).await;
    // What OpenTSDB writes for its metric sys.cpu.user and its tag host=web01.
    for (kind, name) in [("metrics", "sys.cpu.user"), ("tagk", "host"), ("tagv", "web01")] {
        table.put(Put::new([0]).cell("id", kind, 1i64.to_be_bytes())).await.unwrap();
        table.put(Put::new([0, 0, 1]).cell("name", kind, name)).await.unwrap();
        table.put(Put::new(name).cell("id", kind, [0, 0, 1])).await.unwrap();
    }
    table.put(Put::new([0, 0, 1]).cell("name", "metric_meta", "{}")).await.unwrap();

    for (kind, name) in [("metrics", "sys.cpu.user"), ("tagk", "host"), ("tagv", "web01")] {
        let lookup = Lookup::builder(table.clone(), kind).width(3).build().unwrap();
        assert_eq!(lookup.find(name).await.unwrap(), Some(1));
        assert_eq!(lookup.name(1).await.unwrap().as_deref(), Some(name.as_bytes()));
        assert_eq!(lookup.get_or_create("another").await.unwrap(), 2);
        let report = lookup.fsck().await.unwrap();
        assert_eq!((report.names_with_id, report.ids_with_name, report.counter), (2, 2, 2));
        assert_eq!(report.findings, []);
    }
}

pub(crate) async fn many_names_are_resolved_at_once(place: Place) {
    let table = names(&place).await;
    let lookup = metrics(&table).build().unwrap();
    lookup.get_or_create("name7").await.unwrap();
    let all: Vec<_> = (0..500).map(|i| format!("name{}", i % 300)).collect();
    let ids = lookup.get_or_create_all(&all).await.into_result().unwrap();
    let of: BTreeMap<_, _> = all.iter().zip(&ids).collect();
    assert_eq!(of.values().collect::<BTreeSet<_>>().len(), 300);
    assert!(all.iter().zip(&ids).all(|(name, id)| of[name] == id), "a name has two ids");
    assert_eq!(of[&all[7]], &1);

    let fresh = metrics(&table).build().unwrap();
    let found = fresh.find_all(all.iter().map(String::as_str).chain(["", "new"])).await;
    assert_eq!(found[500].as_ref().unwrap_err().kind(), ErrorKind::InvalidArgument);
    assert_eq!(found[501].as_ref().unwrap(), &None);
    let found: Vec<_> = found.into_iter().take(500).map(|id| id.unwrap().unwrap()).collect();
    assert_eq!(found, ids);

    let fresh = metrics(&table).build().unwrap();
    let absent = [0, 1 << 40];
    let back = fresh.names(ids.iter().copied().chain(absent)).await.into_result().unwrap();
    assert_eq!(back[500..], [None, None]);
    assert!(all.iter().zip(&back).all(|(name, back)| back.as_deref() == Some(name.as_bytes())));
    let report = fresh.fsck().await.unwrap();
    assert_eq!((report.names_with_id, report.ids_with_name, report.findings), (300, 300, vec![]));
}

pub(crate) async fn a_lost_race_uses_the_id_of_the_winner(place: Place) {
    let table = names(&place).await;
    let all: Vec<_> = (0..40).map(|i| format!("name{i}")).collect();
    let lookups: Vec<_> = (0..4).map(|_| metrics(&table).build().unwrap()).collect();
    let tasks: Vec<_> = lookups
        .iter()
        .flat_map(|lookup| (0..4).map(|_| lookup.clone()))
        .map(|lookup| {
            let all = all.clone();
            tokio::spawn(async move {
                let mut ids = Vec::new();
                for name in all {
                    ids.push(lookup.get_or_create(name).await.unwrap());
                }
                ids
            })
        })
        .collect();
    let mut answers = BTreeSet::new();
    for task in tasks {
        answers.insert(task.await.unwrap());
    }
    assert_eq!(answers.len(), 1, "a name has several ids");
    assert_eq!(answers.first().unwrap().iter().collect::<BTreeSet<_>>().len(), 40);
    let stats: Vec<_> = lookups.iter().map(Lookup::stats).collect();
    assert_eq!(stats.iter().map(|stats| stats.created).sum::<u64>(), 40);

    let report = lookups[0].fsck().await.unwrap();
    let leaked = stats.iter().map(|stats| stats.leaked).sum::<u64>();
    assert_eq!((report.names_with_id, report.ids_with_name), (40, 40 + leaked));
    assert_eq!(report.findings.len() as u64, leaked);
    assert!(report.findings.iter().all(|found| matches!(found, Finding::LeakedId { .. })));
    lookups[0].repair(&report.findings).await.into_result().unwrap();
    let report = lookups[0].fsck().await.unwrap();
    assert_eq!((report.names_with_id, report.ids_with_name, report.findings), (40, 40, vec![]));
}

pub(crate) async fn a_name_that_cannot_be_a_row_is_refused(place: Place) {
    let table = names(&place).await;
    let lookup = metrics(&table).build().unwrap();
    for name in [&b""[..], b"\0", &[b'x'; 40_000]] {
        let error = lookup.get_or_create(name).await.unwrap_err();
        assert_eq!(
            (error.kind(), error.operation()),
            (ErrorKind::InvalidArgument, "get or create")
        );
    }
    assert_eq!(table.count(Scan::all()).await.unwrap(), 0, "an id was taken");
    for width in [0, 9] {
        let error = Lookup::builder(table.clone(), "k").width(width).build().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    }
}

pub(crate) async fn a_read_only_lookup_never_writes(place: Place) {
    let table = names(&place).await;
    let reader = metrics(&table).read_only().build().unwrap();
    assert_eq!(reader.find("a").await.unwrap(), None);
    let error = reader.get_or_create("a").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(error.to_string().contains("read-only"), "{error}");
    assert_eq!(reader.get_or_create_all(["a", "b"]).await.failed_count(), 2);
    let unfinished = [Finding::NameWithoutId { id: 1, name: "a".into() }];
    assert_eq!(reader.repair(&unfinished).await.failed_count(), 1);
    assert_eq!(table.count(Scan::all()).await.unwrap(), 0);

    let id = metrics(&table).build().unwrap().get_or_create("a").await.unwrap();
    assert_eq!(reader.get_or_create("a").await.unwrap(), id);
}

pub(crate) async fn ids_of_one_byte_run_out(place: Place) {
    let table = names(&place).await;
    let lookup = Lookup::builder(table.clone(), "k").width(1).block_size(50).build().unwrap();
    let all: Vec<_> = (0..260).map(|i| format!("name{i}")).collect();
    let resolved = lookup.get_or_create_all(&all).await;
    assert_eq!(resolved.failed_count(), 5);
    let failed = resolved.iter().filter_map(|id| id.as_ref().err());
    assert!(failed.map(|e| e.kind()).all(|kind| kind == ErrorKind::IdsExhausted));
    let report = lookup.fsck().await.unwrap();
    assert_eq!((report.names_with_id, report.largest_id, report.findings), (255, 255, vec![]));
}

pub(crate) async fn every_fault_is_found_and_repaired(place: Place) {
    let table = names(&place).await;
    let lookup = metrics(&table).cache_bytes(0).build().unwrap();
    lookup.get_or_create_all(["a", "b", "c"]).await.into_result().unwrap();
    let used = lookup.find("a").await.unwrap().unwrap();
    let forward = |name: &'static str, id: u8| Put::new(name).cell("id", "metrics", [0, 0, id]);
    let reverse = |id: u8, name| Put::new([0, 0, id]).cell("name", "metrics", name);
    let faults = [
        reverse(10, "a"),
        reverse(11, "d"),
        reverse(12, "d"),
        forward("e", 13),
        forward("f", 14),
        forward("g", 14),
        reverse(15, "h"),
        forward("i", 15),
        Put::new("j").cell("id", "metrics", [0, 0, 0, 1]),
        Put::new([0, 16]).cell("name", "metrics", "k"),
        // Other columns are of other kinds.
        Put::new("a").cell("id", "tagk", [0, 9]),
        Put::new([0, 17]).cell("name", "tagk", "a"),
    ];
    table.put_all(faults).await.into_result().unwrap();

    let report = lookup.fsck().await.unwrap();
    assert_eq!((report.names_with_id, report.ids_with_name), (8, 8));
    assert_eq!((report.largest_id, report.counter), (15, 3));
    let wrong_width = [
        Finding::WrongWidth { row: [0, 16].to_vec().into(), id: [0, 16].to_vec().into() },
        Finding::WrongWidth { row: "j".into(), id: [0, 0, 0, 1].to_vec().into() },
    ];
    let shared = [
        Finding::SharedId { id: 14, names: vec!["f".into(), "g".into()] },
        Finding::SharedId { id: 15, names: vec!["h".into(), "i".into()] },
    ];
    let repairable = [
        Finding::LowCounter { counter: 3, largest: 15 },
        Finding::LeakedId { id: 10, name: "a".into(), used_id: used },
        Finding::NameWithoutId { id: 11, name: "d".into() },
        Finding::NameWithoutId { id: 12, name: "d".into() },
        Finding::IdWithoutName { name: "e".into(), id: 13 },
    ];
    for finding in wrong_width.iter().chain(&shared).chain(&repairable) {
        assert!(report.findings.contains(finding), "{finding:?} is not in {report:#?}");
    }
    assert_eq!(report.findings.len(), 9, "{report:#?}");
    assert_eq!(report.findings[0], repairable[0]);

    let repairs = lookup.repair(&report.findings).await.into_result().unwrap();
    for (finding, repair) in report.findings.iter().zip(repairs) {
        let expected = match repairable.contains(finding) {
            true => RepairOutcome::Repaired,
            false => RepairOutcome::NeedsDecision,
        };
        assert_eq!(repair, expected, "{finding}");
    }
    let left = lookup.fsck().await.unwrap();
    let undecided: Vec<_> = wrong_width.into_iter().chain(shared).collect();
    assert_eq!((left.findings, left.counter), (undecided, 15));
    let ids = lookup.find_all(["a", "d", "e"]).await.into_result().unwrap();
    assert_eq!(ids, [Some(used), Some(11), Some(13)]);
    assert_eq!(lookup.get_or_create("new").await.unwrap(), 16);

    let error = lookup.get_or_create("j").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Decode, "{error:?}");
    assert!(error.to_string().contains("id:metrics has 4 bytes instead of 3"), "{error}");
}

pub(crate) async fn a_counter_below_the_ids_gives_none_twice(place: Place) {
    let table = names(&place).await;
    let lookup = metrics(&table).build().unwrap();
    let all: Vec<_> = (0..40).map(|i| format!("name{i}")).collect();
    lookup.get_or_create_all(&all).await.into_result().unwrap();
    let low = Put::new([0]).cell("id", "metrics", 10i64.to_be_bytes());
    table.put(low).await.unwrap();

    let lookup = metrics(&table).build().unwrap();
    let error = lookup.get_or_create("new").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Inconsistent, "{error:?}");
    let report = lookup.fsck().await.unwrap();
    assert_eq!(report.findings, [Finding::LowCounter { counter: 26, largest: 40 }]);
    lookup.repair(&report.findings).await.into_result().unwrap();
    assert_eq!(lookup.get_or_create("new").await.unwrap(), 41);
    assert_eq!(lookup.fsck().await.unwrap().findings, []);
}
