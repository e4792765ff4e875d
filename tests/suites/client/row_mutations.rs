//! Several changes of one row, applied atomically.

use std::time::Duration;

use tallrow::{
    Append, Delete, Error, ErrorKind, Get, Increment, Put, Timestamp,
    op::{Check, Mutation, RowMutations, RowOperation},
};
use tallrow_tests::Place;

pub(crate) async fn every_kind_of_change_is_applied_atomically(place: Place) {
    let table = place.table(&["m"]).await;
    let old = Put::new("r").cell("f", "a", "old").cell("f", "b", "old").cell("g", "log", "1");
    table.put(old).await.unwrap();
    let step = RowMutations::new("r")
        .add(Put::new("r").cell("f", "a", "new").cell("g", "x", "y"))
        .add(Delete::new("r").column("f", "b"))
        .add(Increment::new("r").add("f", "n", 5).add("g", "n", 6))
        .add(Append::new("r").add("g", "log", "2"));
    let changed = table.mutate_row(step.clone()).await.unwrap().unwrap();
    assert_eq!(changed.counter("f", "n").unwrap(), Some(5));
    assert_eq!(changed.counter("g", "n").unwrap(), Some(6));
    assert_eq!(changed.value("g", "log"), Some(&b"12"[..]));
    assert_eq!(changed.cells().len(), 3, "the put cells are not returned");
    let row = table.get("r").await.unwrap().unwrap();
    assert_eq!((row.value("f", "a"), row.value("f", "b")), (Some(&b"new"[..]), None));
    let times: Vec<u64> = row.cells().iter().map(|c| c.timestamp().as_millis()).collect();
    assert_eq!(row.value("g", "x"), Some(&b"y"[..]));
    assert!(
        times.iter().all(|t| t.abs_diff(times[0]) <= 1),
        "all changes have the same time: {times:?}"
    );

    let plain = RowMutations::new("z")
        .add(Put::new("z").cell("f", "a", "1"))
        .add(Put::new("z").cell("g", "b", "2"));
    assert_eq!(table.mutate_row(plain).await.unwrap(), None);
    assert_eq!(table.get("z").await.unwrap().unwrap().cells().len(), 2);

    let single = RowMutations::new("z").add(Increment::new("z").add("f", "n", 2));
    let row = table.mutate_row(single).await.unwrap().unwrap();
    assert_eq!(row.counter("f", "n").unwrap(), Some(2));
}

pub(crate) async fn no_change_is_applied_if_one_is_rejected(place: Place) {
    let table = place.table(&[]).await;
    let step = RowMutations::new("r")
        .add(Put::new("r").cell("f", "a", "1"))
        .add(Put::new("r").cell("none", "a", "1"));
    let error = table.mutate_row(step).await.unwrap_err();
    assert_eq!((error.kind(), error.operation()), (ErrorKind::NoSuchFamily, "mutate row"));
    assert_eq!(table.get("r").await.unwrap(), None);

    table.put(Put::new("r").cell("f", "n", "text")).await.unwrap();
    let step = RowMutations::new("r")
        .add(Put::new("r").cell("f", "a", "1"))
        .add(Increment::new("r").add("f", "n", 1));
    let error = table.mutate_row(step).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotACounter, "{error:?}");
    assert_eq!(table.get("r").await.unwrap().unwrap().cells().len(), 1);

    let twice = RowMutations::new("r")
        .add(Increment::new("r").add("f", "n", 1))
        .add(Put::new("r").cell("f", "n", "2"));
    let error = table.mutate_row(twice).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::InvalidArgument, 0), "{error:?}");
}

pub(crate) async fn each_change_has_its_own_timestamp_and_time_to_live(place: Place) {
    let table = place.table(&[]).await;
    let day = Duration::from_secs(86_400);
    let past = Timestamp::from_millis(Timestamp::now().as_millis() - 2 * day.as_millis() as u64);
    let step = RowMutations::new("r")
        .add(Put::new("r").cell_at("f", "gone", past, "v").ttl(day))
        .add(Put::new("r").cell_at("f", "kept", past, "v").ttl(3 * day))
        .add(Put::new("r").cell("f", "now", "v").ttl(day))
        .add(Increment::new("r").add("f", "n", 1).ttl(day))
        .add(Append::new("r").add("f", "s", "x").ttl(Duration::from_millis(1)));
    table.mutate_row(step).await.unwrap();
    // A time to live of 1 ms ends as soon as the server's clock advances.
    let mut row = table.get("r").await.unwrap().unwrap();
    while row.value("f", "s").is_some() {
        row = table.get("r").await.unwrap().unwrap();
    }
    let columns: Vec<_> = row.cells().iter().map(|c| c.qualifier()).collect();
    assert_eq!(columns, [&b"kept"[..], b"n", b"now"]);
    assert_eq!(row.cell("f", "kept").unwrap().timestamp(), past);

    let at = Timestamp::from_millis;
    let versions = [10, 20, 30];
    let put = versions.iter().fold(Put::new("v"), |put, t| put.cell_at("f", "q", at(*t), "v"));
    table.put(put).await.unwrap();
    let step = RowMutations::new("v")
        .add(Delete::new("v").version("f", "q", at(20)))
        .add(Put::new("v").cell_at("f", "q", at(40), "v"));
    table.mutate_row(step).await.unwrap();
    let row = table.get(Get::new("v").versions(9)).await.unwrap().unwrap();
    let left: Vec<u64> = row.cells().iter().map(|c| c.timestamp().as_millis()).collect();
    assert_eq!(left, [40, 30, 10]);
}

pub(crate) async fn a_check_can_apply_several_changes(place: Place) {
    let table = place.table(&[]).await;
    let step = || {
        RowMutations::new("r")
            .add(Put::new("r").cell("f", "by", "ada"))
            .add(Increment::new("r").add("f", "n", 1))
    };
    let take = || Check::new("r", "f", "by").if_not_exists().then(step());
    assert!(table.check_and_mutate(take()).await.unwrap().is_applied());
    assert!(!table.check_and_mutate(take()).await.unwrap().is_applied());
    let row = table.get("r").await.unwrap().unwrap();
    assert_eq!(row.counter("f", "n").unwrap(), Some(1));

    let again = Check::new("r", "f", "by").if_equals("ada").then(step());
    let outcome = table.batch([again]).await.into_iter().next().unwrap().unwrap();
    assert!(outcome.applied);
    assert_eq!(outcome.row.unwrap().counter("f", "n").unwrap(), Some(2));
}

pub(crate) async fn row_mutations_share_calls_with_other_operations(place: Place) {
    let table = place.table(&["r05", "r10"]).await;
    let operations = (0..60).map(|i| -> RowOperation {
        let row = format!("r{:02}", i % 15);
        match i % 4 {
            0 => Increment::new(&row).add("f", "n", 1).into(),
            1 => Get::new("none").into(),
            2 => Put::new(&row).cell("g", "p", "v").into(),
            _ => RowMutations::new(&row)
                .add(Increment::new(&row).add("f", "n", 1))
                .add(Put::new(&row).cell("f", "p", "v"))
                .into(),
        }
    });
    let outcomes = table.batch(operations).await;
    for (i, outcome) in outcomes.into_iter().enumerate() {
        let outcome = outcome.unwrap();
        assert_eq!(outcome.row.is_some(), i % 4 == 0 || i % 4 == 3, "{i}");
    }
    let mut total = 0;
    for i in 0..15 {
        let row = table.get(format!("r{i:02}")).await.unwrap().unwrap();
        total += row.counter("f", "n").unwrap().unwrap_or(0);
    }
    assert_eq!(total, 30);
}

/// HBase keeps one cell of a column in a request: of two additions to it, it would lose the first.
pub(crate) async fn additions_to_a_cell_are_added_up(place: Place) {
    let table = place.table(&[]).await;
    let add = || Increment::new("r").add("f", "n", 1).add("f", "m", 5).add("f", "n", 2);
    let append = || Append::new("r").add("f", "s", "a").add("f", "t", "x").add("f", "s", "b");
    let row = table.increment(add()).await.unwrap().unwrap();
    assert_eq!((row.counter("f", "n").unwrap(), row.cells().len()), (Some(3), 2));
    let row = table.append(append()).await.unwrap().unwrap();
    assert_eq!((row.value("f", "s"), row.cells().len()), (Some(&b"ab"[..]), 2));
    let several = RowMutations::new("r").add(add()).add(append());
    let row = table.mutate_row(several).await.unwrap().unwrap();
    assert_eq!(row.counter("f", "n").unwrap(), Some(6));
    let batch: Vec<RowOperation> = vec![add().into(), append().into()];
    table.batch(batch).await.into_result().unwrap();
    // The sum wraps around, as that of a counter does.
    let most = Increment::new("w").add("f", "n", i64::MAX).add("f", "n", 2);
    table.increment(most).await.unwrap();

    let row = table.get("r").await.unwrap().unwrap();
    assert_eq!(row.counter("f", "n").unwrap(), Some(9));
    assert_eq!(row.counter("f", "m").unwrap(), Some(15));
    assert_eq!(row.value("f", "s"), Some(&b"ababab"[..]));
    assert_eq!(row.value("f", "t"), Some(&b"xxx"[..]));
    let row = table.get("w").await.unwrap().unwrap();
    assert_eq!(row.counter("f", "n").unwrap(), Some(i64::MIN + 1));
}

/// Changes of which one would be lost, and those that look alike and are not.
pub(crate) async fn a_cell_is_not_changed_twice_in_one_step(place: Place) {
    let table = place.table(&[]).await;
    let at = Timestamp::from_millis;
    let put = || Put::new("r").cell("f", "q", "1");
    let put_at = |time| Put::new("r").cell_at("f", "q", at(time), "1");
    let step = || RowMutations::new("r");
    let many = |put: Put| (0..40).rev().fold(put, |put, i| put.cell("f", format!("{i:02}"), "v"));
    let twice: Vec<Mutation> = vec![
        put().cell("f", "q", "2").into(),
        put().cell("f", "r", "2").cell("f", "a", "2").cell("f", "q", "1").into(),
        many(put()).cell("f", "05", "2").into(),
        put_at(5).cell_at("f", "q", at(5), "2").into(),
        step().add(put()).add(put()).into(),
        step().add(put()).add(Delete::new("r").column("f", "q")).into(),
        step().add(Delete::new("r")).add(put_at(5)).into(),
        step().add(Delete::new("r").until(at(5))).add(put_at(5)).into(),
        step().add(Delete::new("r").family("f")).add(put_at(5)).into(),
        step().add(Delete::new("r").family_until("f", at(6))).add(put_at(5)).into(),
        step().add(Delete::new("r").family_version("f", at(5))).add(put_at(5)).into(),
        step().add(put_at(5)).add(Delete::new("r").column("f", "q")).into(),
        step().add(put_at(5)).add(Delete::new("r").column_until("f", "q", at(6))).into(),
        step().add(put_at(5)).add(Delete::new("r").version("f", "q", at(5))).into(),
        step().add(put_at(5)).add(Increment::new("r").add("f", "q", 1)).into(),
        step().add(Append::new("r").add("f", "q", "x")).add(put_at(5)).into(),
        step()
            .add(Increment::new("r").add("f", "q", 1))
            .add(Append::new("r").add("f", "q", "x"))
            .into(),
    ];
    let writer = table.writer().start().unwrap();
    for mutation in twice {
        let shown = format!("{mutation:?}");
        let refused = |error: Error| {
            assert_eq!(
                (error.kind(), error.attempts()),
                (ErrorKind::InvalidArgument, 0),
                "{shown}"
            );
            assert!(error.to_string().contains("column f:"), "{error}");
        };
        let alone = match mutation.clone() {
            Mutation::Put(put) => table.put(put).await.map(drop),
            Mutation::RowMutations(several) => table.mutate_row(several).await.map(drop),
            _ => unreachable!(),
        };
        refused(alone.unwrap_err());
        let mut outcomes = table.batch([mutation.clone()]).await.into_iter();
        refused(outcomes.next().unwrap().unwrap_err());
        let check = Check::new("r", "f", "none").if_not_exists().then(mutation.clone());
        refused(table.check_and_mutate(check).await.unwrap_err());
        refused(writer.write(mutation).await.unwrap_err());
    }
    assert_eq!(table.get("r").await.unwrap(), None);

    // Other versions, other families, what is older than what is written.
    table.put(put_at(5).cell_at("f", "q", at(6), "2").cell_at("g", "q", at(5), "3")).await.unwrap();
    let later = step()
        .add(Delete::new("r").column_until("f", "q", at(6)).version("g", "q", at(5)))
        .add(put_at(7).cell_at("g", "q", at(6), "4"));
    table.mutate_row(later).await.unwrap();
    let row = table.get(Get::new("r").versions(5)).await.unwrap().unwrap();
    let times: Vec<u64> = row.cells().iter().map(|cell| cell.timestamp().as_millis()).collect();
    assert_eq!(times, [7, 6]);
}
