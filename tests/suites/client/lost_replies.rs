//! What a cluster does with a change that is sent again after its answer was lost, and what the row
//! shows of it.

use tallrow::op::{Check, CheckAndMutate, Mutation, ReadBackOutcome, RowMutations};
use tallrow::{Append, Delete, ErrorKind, Increment, Put, RawTable, Timestamp};
use tallrow_tests::{Losing, Place, patient};

/// A table, through a client whose connections lose an answer on demand.
async fn losing(place: &Place) -> (RawTable, Losing) {
    let table = place.table(&[]).await;
    let losing = Losing::default();
    let connector = losing.connector(place.client.mock_cluster());
    let client = place.client_by(patient().connector(connector)).await;
    let table = client.raw_table(table.name()).unwrap();
    table
        .put(Put::new("r").cell("f", "owner", "me").cell("f", "n", 0_i64.to_be_bytes()))
        .await
        .unwrap();
    (table, losing)
}

async fn counter(table: &RawTable) -> i64 {
    table.get("r").await.unwrap().unwrap().counter("f", "n").unwrap().unwrap()
}

fn mine(mutation: impl Into<Mutation>) -> CheckAndMutate {
    Check::new("r", "f", "owner").if_equals("me").then(mutation)
}

pub(crate) async fn an_increment_with_a_condition_is_made_once(place: Place) {
    let (table, losing) = losing(&place).await;
    let add = || Increment::new("r").add("f", "n", 1);
    losing.lose_one();
    assert!(table.check_and_mutate(mine(add())).await.unwrap().is_applied());
    assert!(!losing.is_armed());
    assert_eq!(counter(&table).await, 1);
    // Together with an append, and with a put that may be made twice.
    let at = Timestamp::from_millis(7);
    let several = RowMutations::new("r").add(add()).add(Append::new("r").add("f", "log", "x"));
    let several = several.add(Put::new("r").cell_at("f", "at", at, "v"));
    losing.lose_one();
    assert!(table.check_and_mutate(mine(several)).await.unwrap().is_applied());
    assert!(!losing.is_armed());
    assert_eq!(counter(&table).await, 2);
    let row = table.get("r").await.unwrap().unwrap();
    assert_eq!(row.value("f", "log"), Some(&b"x"[..]));
}

/// HBase looks at the condition before the nonce.
pub(crate) async fn an_increment_that_ends_its_own_condition_is_unknown(place: Place) {
    let (table, losing) = losing(&place).await;
    let zero = Check::new("r", "f", "n").if_equals(0_i64.to_be_bytes());
    losing.lose_one();
    let add = zero.then(Increment::new("r").add("f", "n", 1));
    let error = table.check_and_mutate(add).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error:?}");
    assert!(format!("{error:?}").contains("its condition does not hold"), "{error:?}");
    assert_eq!(counter(&table).await, 1);
}

/// A put has no nonce that HBase looks at: it is not sent again, and the row tells.
pub(crate) async fn a_put_with_a_condition_is_read_back(place: Place) {
    let (table, losing) = losing(&place).await;
    losing.lose_one();
    let began = Timestamp::from_millis(Timestamp::now().as_millis() - 1);
    let take = Check::new("r", "f", "taken")
        .if_not_exists()
        .then(Put::new("r").cell("f", "taken", "by me"));
    let error = table.check_and_mutate(take.clone()).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::OutcomeUnknown, 1), "{error:?}");
    let found = table.read_back(take, began).await.unwrap();
    assert_eq!(found.outcome(), ReadBackOutcome::Applied, "{found:?}");
    let other = Put::new("r").cell("f", "taken", "by another");
    assert_eq!(table.read_back(other, began).await.unwrap().outcome(), ReadBackOutcome::CannotTell);
}

pub(crate) async fn a_row_tells_which_changes_were_made(place: Place) {
    let (table, _) = losing(&place).await;
    let found = async |mutation: Mutation, began| {
        table.read_back(mutation, began).await.unwrap_or_else(|e| panic!("{e:?}"))
    };
    let before = Timestamp::from_millis(Timestamp::now().as_millis() - 60_000);
    let long_ago = Timestamp::from_millis(1_000);
    let put = |row: &str, value: &str| Put::new(row).cell("f", "a", value).cell("g", "b", value);

    // Nothing was written to these columns.
    for mutation in [
        put("new", "1").into(),
        Put::new("r").cell("f", "other", "v").into(),
        Increment::new("r").add("f", "other", 1).into(),
        Append::new("r").add("f", "other", "x").into(),
        Put::new("r").cell_at("f", "other", long_ago, "earlier").into(),
    ] {
        let result = found(mutation, before).await;
        assert_eq!(
            (result.outcome(), result.cells().len() <= 2),
            (ReadBackOutcome::NotApplied, true),
            "{result:?}"
        );
    }
    // What was made, also if it was written over since, and what only resembles it.
    table.put(put("p", "1")).await.unwrap();
    assert_eq!(found(put("p", "1").into(), before).await.outcome(), ReadBackOutcome::Applied);
    assert_eq!(found(put("p", "2").into(), before).await.outcome(), ReadBackOutcome::CannotTell);
    tokio::time::sleep(std::time::Duration::from_millis(3)).await;
    table.put(Put::new("p").cell("f", "a", "2")).await.unwrap();
    assert_eq!(found(put("p", "1").into(), before).await.outcome(), ReadBackOutcome::Applied);
    assert_eq!(
        found(put("p", "2").into(), before).await.outcome(),
        ReadBackOutcome::CannotTell,
        "cells of two steps"
    );
    let dated = Put::new("p").cell_at("f", "old", long_ago, "v");
    table.put(dated.clone()).await.unwrap();
    assert_eq!(found(dated.into(), before).await.outcome(), ReadBackOutcome::Applied);
    let expiring = put("e", "1").ttl(std::time::Duration::from_secs(60));
    assert_eq!(found(expiring.into(), before).await.outcome(), ReadBackOutcome::CannotTell);

    table.append(Append::new("p").add("f", "log", "ab")).await.unwrap();
    assert_eq!(
        found(Append::new("p").add("f", "log", "b").into(), before).await.outcome(),
        ReadBackOutcome::Applied
    );
    assert_eq!(
        found(Append::new("p").add("f", "log", "c").into(), before).await.outcome(),
        ReadBackOutcome::CannotTell
    );
    table.increment(Increment::new("p").add("f", "n", 1)).await.unwrap();
    let add: Mutation = Increment::new("p").add("f", "n", 1).into();
    assert_eq!(found(add, before).await.outcome(), ReadBackOutcome::CannotTell);

    // Deletes, of what was there before they began.
    tokio::time::sleep(std::time::Duration::from_millis(3)).await;
    let before = Timestamp::now();
    assert_eq!(found(Delete::new("r").into(), before).await.outcome(), ReadBackOutcome::NotApplied);
    assert_eq!(
        found(Delete::new("r").family("f").into(), before).await.outcome(),
        ReadBackOutcome::NotApplied
    );
    assert_eq!(
        found(Delete::new("nothing").into(), before).await.outcome(),
        ReadBackOutcome::CannotTell
    );
    let newest = Delete::new("r").newest_version("f", "n");
    assert_eq!(found(newest.into(), before).await.outcome(), ReadBackOutcome::CannotTell);
    table.delete(Delete::new("p").column("f", "a")).await.unwrap();
    assert_eq!(
        found(Delete::new("p").column("f", "a").into(), before).await.outcome(),
        ReadBackOutcome::Applied
    );
    table.delete(Delete::new("r")).await.unwrap();
    assert_eq!(found(Delete::new("r").into(), before).await.outcome(), ReadBackOutcome::Applied);

    let nothing = table.read_back(tallrow::Get::new("r"), before).await.unwrap_err();
    assert_eq!((nothing.kind(), nothing.operation()), (ErrorKind::InvalidArgument, "read back"));
}
