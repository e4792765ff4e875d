//! Mutations of rows: their order, deletions, conditions, what is refused.

use tallrow_wire::bigtable::*;
use tonic::{Code, Status};

use crate::client::{Client, bytes, set};

fn of(change: Change) -> Mutation {
    Mutation { mutation: Some(change) }
}

fn delete_column(family: &str, qualifier: &str, range: Option<(i64, i64)>) -> Mutation {
    let time_range = range.map(|(start_timestamp_micros, end_timestamp_micros)| TimestampRange {
        start_timestamp_micros,
        end_timestamp_micros,
    });
    of(Change::DeleteFromColumn(DeleteFromColumn {
        family_name: family.into(),
        column_qualifier: bytes(qualifier),
        time_range,
    }))
}

fn delete_family(family: &str) -> Mutation {
    of(Change::DeleteFromFamily(DeleteFromFamily { family_name: family.into() }))
}

fn delete_row() -> Mutation {
    of(Change::DeleteFromRow(DeleteFromRow {}))
}

#[tokio::test]
async fn deletions_take_what_is_there_and_nothing_that_comes_later() {
    let client = Client::start().await;
    let table = client.table("t", &["f", "g"], &[]).await;
    let cells = [
        ("f", "a", 1000, "1"),
        ("f", "a", 2000, "2"),
        ("f", "b", 1000, "3"),
        ("g", "a", 1000, "4"),
    ];
    let cases: [(Mutation, &[&str]); 6] = [
        (delete_column("f", "a", Some((1000, 2000))), &["f:a@2000=2", "f:b@1000=3", "g:a@1000=4"]),
        (delete_column("f", "a", Some((2000, 0))), &["f:a@1000=1", "f:b@1000=3", "g:a@1000=4"]),
        (delete_column("f", "a", None), &["f:b@1000=3", "g:a@1000=4"]),
        (delete_family("f"), &["g:a@1000=4"]),
        (delete_row(), &[]),
        (
            delete_column("f", "none", None),
            &["f:a@2000=2", "f:a@1000=1", "f:b@1000=3", "g:a@1000=4"],
        ),
    ];
    for (mutation, left) in cases {
        client.put(&table, "r", &cells).await;
        client.mutate(&table, "r", vec![mutation.clone()]).await.unwrap();
        let left: Vec<String> = left.iter().map(|cell| format!("r/{cell}")).collect();
        assert_eq!(client.all(&table).await, left, "{mutation:?}");
        // An older timestamp is not deleted afterwards.
        client.put(&table, "r", &[("f", "a", 0, "old")]).await;
        assert!(client.all(&table).await.contains(&"r/f:a@0=old".to_owned()), "{mutation:?}");
        client.mutate(&table, "r", vec![delete_row()]).await.unwrap();
    }
}

/// Like Bigtable: the mutations of a row happen together or not at all.
#[tokio::test]
async fn mutations_are_applied_in_their_order_and_all_or_none() {
    let client = Client::start().await;
    let table = client.table("t", &["f"], &[]).await;
    let (one, two) = (set("f", "q", 1000, "1"), set("f", "q", 2000, "2"));
    client.mutate(&table, "r", vec![one.clone(), delete_row(), two.clone()]).await.unwrap();
    assert_eq!(client.all(&table).await, ["r/f:q@2000=2"]);
    let last = delete_column("f", "q", Some((1000, 1_001_000)));
    client.mutate(&table, "r", vec![one.clone(), last]).await.unwrap();
    assert_eq!(client.all(&table).await, Vec::<String>::new());
    client.mutate(&table, "r", vec![one.clone(), set("f", "q", 1000, "3")]).await.unwrap();
    assert_eq!(client.all(&table).await, ["r/f:q@1000=3"]);
    // The second mutation fails, so the first is not applied, nor the deletion.
    for refused in [set("none", "q", 0, "x"), delete_family("none"), set("f", "q", 1, "x")] {
        let status = client.mutate(&table, "r", vec![delete_row(), two.clone(), refused]).await;
        assert!(status.is_err());
        assert_eq!(client.all(&table).await, ["r/f:q@1000=3"]);
    }
}

#[tokio::test]
async fn what_the_service_refuses_is_refused_with_its_code() {
    let client = Client::start().await;
    let table = client.table("t", &["f"], &[]).await;
    let refused = async |row: &str, mutations: Vec<Mutation>| -> Status {
        client.mutate(&table, row, mutations).await.unwrap_err()
    };
    let value = || vec![set("f", "q", 0, "v")];
    let empty = refused("", value()).await;
    assert_eq!(
        (empty.code(), empty.message()),
        (Code::InvalidArgument, "Row keys must be non-empty")
    );
    let long = refused(&"k".repeat(4097), value()).await;
    assert!(long.message().contains("4097 exceeds the limit of 4096 bytes"), "{long}");
    client.mutate(&table, &"k".repeat(4096), value()).await.unwrap();
    let none = refused("r", Vec::new()).await;
    assert_eq!((none.code(), none.message()), (Code::InvalidArgument, "No mutations provided"));
    let family = refused("r", vec![set("none", "q", 0, "v")]).await;
    assert_eq!(family.code(), Code::NotFound);
    assert!(family.message().ends_with(": Requested column family not found = none"), "{family}");
    let micros = refused("r", vec![set("f", "q", 0, "v"), set("f", "q", 1234567, "v")]).await;
    assert_eq!(
        micros.message(),
        "Error in field 'Mutation list' : Error in element #1 : Timestamp granularity mismatch. Expected a multiple of 1000 (millisecond granularity), but got 1234567."
    );
    let negative = refused("r", vec![set("f", "q", -2, "v")]).await;
    assert!(negative.message().ends_with("Timestamps must be >= -1, but got -2"), "{negative}");
    let inverted = refused("r", vec![delete_column("f", "q", Some((2000, 1000)))]).await;
    assert_eq!(inverted.code(), Code::InvalidArgument);
    let qualifier = refused("r", vec![set("f", &"q".repeat(16385), 0, "v")]).await;
    assert!(qualifier.message().contains("16385 exceeds the limit of 16384 bytes"), "{qualifier}");
    let unset = refused("r", vec![Mutation { mutation: None }]).await;
    assert_eq!(unset.code(), Code::Unimplemented);
    let many = vec![set("f", "q", 0, ""); 100_001];
    assert!(refused("r", many).await.message().contains("100001, the limit is 100000"));
}

#[tokio::test]
async fn one_bad_entry_of_many_fails_them_all_unless_only_its_family_is_missing() {
    let client = Client::start().await;
    let table = client.table("t", &["f"], &[]).await;
    let entry = |row: &str, mutations| MutateRowsEntry {
        row_key: bytes(row),
        mutations,
        idempotency: None,
    };
    for bad in [
        entry("", vec![set("f", "q", 0, "v")]),
        entry("b", Vec::new()),
        entry("b", vec![set("f", "q", 5, "v")]),
    ] {
        let entries = vec![entry("a", vec![set("f", "q", 0, "v")]), bad];
        let (answers, end) = client.mutate_rows(&table, entries).await;
        let status = end.unwrap_err();
        assert_eq!((answers.len(), status.code()), (0, Code::InvalidArgument));
        let start = "Error in field 'Entry list' : Error in element #1 : ";
        assert!(status.message().starts_with(start), "{status}");
    }
    assert_eq!(client.all(&table).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_condition_decides_between_two_lists_of_mutations() {
    let client = Client::start().await;
    let table = client.table("t", &["f"], &[]).await;
    let check = async |predicate: Option<Filter>| {
        let request = CheckAndMutateRowRequest {
            table_name: table.clone(),
            row_key: "r".into(),
            true_mutations: vec![set("f", "yes", 0, "1")],
            false_mutations: vec![set("f", "no", 0, "1")],
            predicate_filter: predicate.map(|filter| RowFilter { filter: Some(filter) }),
            ..Default::default()
        };
        client.call(method::CHECK_AND_MUTATE_ROW, request).await.unwrap().predicate_matched
    };
    assert!(!check(None).await);
    assert_eq!(client.all(&table).await, ["r/f:no@0=1"]);
    assert!(check(None).await);
    assert!(!check(Some(Filter::ValueRegexFilter("2".into()))).await);
    assert!(check(Some(Filter::ColumnQualifierRegexFilter("y.s".into()))).await);
    assert_eq!(client.all(&table).await, ["r/f:no@0=1", "r/f:yes@0=1"]);
    let request = CheckAndMutateRowRequest {
        table_name: table.clone(),
        row_key: "r".into(),
        ..Default::default()
    };
    let none = client.call(method::CHECK_AND_MUTATE_ROW, request).await.unwrap_err();
    assert_eq!(none.code(), Code::InvalidArgument);
}
