//! Garbage collection: what a rule calls garbage is not read.

use std::time::Duration as Span;

use tallrow_mock::MockCluster;
use tallrow_wire::bigtable::*;

use crate::client::{Client, create, family};

const START_MS: u64 = 1_000_000;

fn rule(rule: GarbageRule) -> GcRule {
    GcRule { rule: Some(rule) }
}

fn versions(n: i32) -> GcRule {
    rule(GarbageRule::MaxNumVersions(n))
}

fn age(millis: i64) -> GcRule {
    let nanos = (millis % 1000 * 1_000_000) as i32;
    rule(GarbageRule::MaxAge(Duration { seconds: millis / 1000, nanos }))
}

/// What is left of versions that are 0, 10, 20 and 30 s old.
async fn left(rules: GcRule) -> Vec<String> {
    let client = Client::of(MockCluster::builder().clock_start_ms(START_MS)).await;
    let request = create("t", [("f".to_owned(), family(rules.rule))].into());
    let name = client.call(method::CREATE_TABLE, request).await.unwrap().name;
    for seconds in [30, 20, 10, 0] {
        let at = (START_MS as i64 - seconds * 1000) * 1000;
        client.put(&name, "r", &[("f", "q", at, &seconds.to_string())]).await;
    }
    let cells = client.all(&name).await;
    cells.iter().map(|cell| cell.rsplit('=').next().unwrap().to_owned()).collect()
}

/// Unlike Bigtable: what a rule of a family calls garbage is not read; the service may return
/// it for days.
#[tokio::test]
async fn rules_are_by_versions_and_age_and_combined() {
    let union = |rules| rule(GarbageRule::Union(Union { rules }));
    let both = |rules| rule(GarbageRule::Intersection(Intersection { rules }));
    let cases = [
        (versions(2), "0 10"),
        (age(25_000), "0 10 20"),
        (age(15_500), "0 10"),
        (union(vec![versions(3), age(15_000)]), "0 10"),
        (both(vec![versions(3), age(15_000)]), "0 10 20"),
        (both(vec![versions(1), age(15_000)]), "0 10"),
        (union(vec![versions(3), both(vec![versions(1), age(15_000)])]), "0 10"),
        (both(vec![versions(1), union(vec![versions(3), age(5_000)])]), "0"),
        (GcRule { rule: None }, "0 10 20 30"),
    ];
    for (rules, expected) in cases {
        assert_eq!(left(rules.clone()).await.join(" "), expected, "{rules:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_version_ages_with_the_clock() {
    let client = Client::start().await;
    let name = client.table("t", &[], &[]).await;
    let create = FamilyChange::Create(family(age(100).rule));
    client.modify(&name, vec![("f", create)]).await.unwrap();
    client.put(&name, "r", &[("f", "q", -1, "v")]).await;
    tokio::time::sleep(Span::from_millis(150)).await;
    assert_eq!(client.all(&name).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_deletion_does_not_bring_garbage_back() {
    let client = Client::start().await;
    let name = client.table("t", &[], &[]).await;
    let create = FamilyChange::Create(family(versions(1).rule));
    client.modify(&name, vec![("f", create)]).await.unwrap();
    client.put(&name, "r", &[("f", "q", 1000, "old"), ("f", "q", 2000, "new")]).await;
    let range = TimestampRange { start_timestamp_micros: 2000, end_timestamp_micros: 3000 };
    let delete = DeleteFromColumn {
        family_name: "f".into(),
        column_qualifier: "q".into(),
        time_range: Some(range),
    };
    let delete = Mutation { mutation: Some(Change::DeleteFromColumn(delete)) };
    client.mutate(&name, "r", vec![delete]).await.unwrap();
    assert_eq!(client.all(&name).await, Vec::<String>::new());
}
