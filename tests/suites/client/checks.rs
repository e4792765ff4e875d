//! Check and mutate.

use tallrow::{
    Append, Delete, ErrorKind, Increment, Put, Timestamp,
    filter::CompareOperator,
    op::{Check, CheckAndMutate},
};
use tallrow_tests::Place;

pub(crate) async fn a_check_holds_as_its_comparison_specifies(place: Place) {
    let table = place.table(&[]).await;
    let mark = || Put::new("r").cell("g", "mark", "x");
    table.put(Put::new("r").cell("f", "q", "m").cell("f", "empty", "")).await.unwrap();
    let cases = [
        (CompareOperator::Less, ["z"], ["m", "a"]),
        (CompareOperator::Greater, ["a"], ["m", "z"]),
        (CompareOperator::Equal, ["m"], ["a", "mm"]),
    ];
    for (compare, hold, fail) in cases {
        for (values, expected) in [(&hold[..], true), (&fail[..], false)] {
            for value in values {
                let check = Check::new("r", "f", "q").if_matches(compare, value).then(mark());
                let held = table.check_and_mutate(check).await.unwrap().is_applied();
                assert_eq!(held, expected, "stored m {compare:?} {value}");
            }
        }
    }
    let check = async |compare, value: &str| {
        let check = Check::new("r", "f", "q").if_matches(compare, value).then(mark());
        table.check_and_mutate(check).await.unwrap().is_applied()
    };
    assert!(
        check(CompareOperator::LessOrEqual, "m").await
            && !check(CompareOperator::LessOrEqual, "l").await
    );
    assert!(
        check(CompareOperator::GreaterOrEqual, "m").await
            && !check(CompareOperator::GreaterOrEqual, "n").await
    );
    assert!(
        check(CompareOperator::NotEqual, "n").await && !check(CompareOperator::NotEqual, "m").await
    );

    let absent = async |qualifier: &str| {
        let check = Check::new("r", "f", qualifier).if_not_exists().then(mark());
        table.check_and_mutate(check).await.unwrap().is_applied()
    };
    assert!(absent("none").await && absent("empty").await && !absent("q").await);
    let check =
        Check::new("r", "f", "none").if_matches(CompareOperator::NotEqual, "x").then(mark());
    assert!(
        !table.check_and_mutate(check).await.unwrap().is_applied(),
        "no comparison holds for an absent cell"
    );

    let at = Timestamp::from_millis;
    table
        .put(Put::new("t").cell_at("f", "q", at(10), "old").cell_at("f", "q", at(20), "new"))
        .await
        .unwrap();
    let check = Check::new("t", "f", "q")
        .time_range(..at(20))
        .if_equals("old")
        .then(Put::new("t").cell("g", "m", "x"));
    assert!(table.check_and_mutate(check).await.unwrap().is_applied());
}

/// HBase itself takes a comparison with an empty value for one with nothing: its `EQUAL` holds
/// where there is no cell, and its `GREATER` where there is none.
pub(crate) async fn a_comparison_with_an_empty_value_is_one_of_bytes(place: Place) {
    let table = place.table(&[]).await;
    let rows = [
        Put::new("full").cell("f", "q", "x"),
        Put::new("empty").cell("f", "q", ""),
        Put::new("other").cell("f", "p", "x"),
    ];
    table.put_all(rows).await.into_result().unwrap();
    let applied = async |check: CheckAndMutate, row: &str| {
        let check = check.then(Put::new(row).cell("g", "mark", "x"));
        table.check_and_mutate(check).await.unwrap().is_applied()
    };
    let stored = [("full", Some("x")), ("empty", Some("")), ("other", None), ("none", None)];
    for (row, value) in stored {
        for compare in CompareOperator::ALL {
            let held = applied(Check::new(row, "f", "q").if_matches(compare, ""), row).await;
            let expected = value.is_some_and(|value| holds(value, compare, ""));
            assert_eq!(held, expected, "{row}: {value:?} {compare:?} nothing");
        }
        let held = applied(Check::new(row, "f", "q").if_equals(""), row).await;
        assert_eq!(held, value == Some(""), "{row}");
    }
    for (row, value) in stored {
        let held = applied(Check::new(row, "f", "q").if_not_exists(), row).await;
        assert_eq!(held, value.is_none_or(str::is_empty), "{row}");
    }

    let at = Timestamp::from_millis;
    let versions = Put::new("v").cell_at("f", "q", at(10), "").cell_at("f", "q", at(20), "new");
    table.put(versions).await.unwrap();
    let check = || Check::new("v", "f", "q");
    assert!(!applied(check().if_equals(""), "v").await);
    assert!(applied(check().time_range(..at(20)).if_equals(""), "v").await);
    assert!(!applied(check().time_range(at(20)..).if_equals(""), "v").await);
    assert!(
        applied(check().time_range(at(20)..).if_matches(CompareOperator::Greater, ""), "v").await
    );
    assert!(
        !applied(check().time_range(at(30)..).if_matches(CompareOperator::GreaterOrEqual, ""), "v")
            .await
    );
}

fn holds(value: &str, compare: CompareOperator, operand: &str) -> bool {
    match compare {
        CompareOperator::Less => value < operand,
        CompareOperator::LessOrEqual => value <= operand,
        CompareOperator::Equal => value == operand,
        CompareOperator::NotEqual => value != operand,
        CompareOperator::GreaterOrEqual => value >= operand,
        _ => value > operand,
    }
}

pub(crate) async fn a_check_applies_every_kind_of_change(place: Place) {
    let table = place.table(&[]).await;
    let check = || Check::new("r", "g", "lock").if_not_exists();
    let done = async |check| table.check_and_mutate(check).await.unwrap().is_applied();
    assert!(done(check().then(Put::new("r").cell("f", "a", "1").cell("f", "b", "2"))).await);
    assert!(done(check().then(Increment::new("r").add("f", "n", 3))).await);
    assert!(done(check().then(Append::new("r").add("f", "a", "1"))).await);
    assert!(done(check().then(Delete::new("r").column("f", "b"))).await);
    let row = table.get("r").await.unwrap().unwrap();
    assert_eq!(row.value("f", "a"), Some(&b"11"[..]));
    assert_eq!(row.value("f", "b"), None);
    assert_eq!(row.counter("f", "n").unwrap(), Some(3));
    // An append within the millisecond of the cell before gets the next one, and a delete hides
    // nothing that is later.
    let newest = row.cells().iter().map(|cell| cell.timestamp()).max().unwrap();
    while Timestamp::now() <= newest {
        tokio::task::yield_now().await;
    }
    assert!(done(check().then(Delete::new("r"))).await);
    assert_eq!(table.get("r").await.unwrap(), None);
}

pub(crate) async fn a_check_on_another_row_is_refused(place: Place) {
    let table = place.table(&[]).await;
    let check =
        Check::new("r", "f", "q").if_not_exists().then(Put::new("other").cell("f", "q", "v"));
    let error = table.check_and_mutate(check).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(error.to_string().contains("another row"), "{error}");
}
