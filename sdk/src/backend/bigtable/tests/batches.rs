//! Batches whose operations are of several kinds, or alike.

use std::time::Duration;

use tallrow_mock::Fault;

use super::Fixture;
use crate::request::op::{Get, Put, RowOperation};
use crate::{ErrorKind, Filter};

async fn filled() -> Fixture {
    let fixture = Fixture::start().await;
    let rows = (0..3_000).step_by(2).map(|n| format!("r{n:04}"));
    let puts = rows.map(|row| Put::new(row.clone()).cell("f", "q", row).cell("g", "o", "1"));
    fixture.table.put_all(puts).await.into_result().unwrap();
    fixture
}

#[tokio::test(start_paused = true)]
async fn each_get_of_a_batch_finds_its_own_row() {
    let Fixture { table, cluster } = filled().await;
    // Every third row, from the last on, each twice; more than one call may ask for.
    let keys: Vec<_> = (0..3_000).rev().step_by(3).map(|n| (n, format!("r{n:04}"))).collect();
    let twice = || keys.iter().flat_map(|(_, key)| [key.clone(), key.clone()]);
    let rows = table.get_all(twice()).await.into_result().unwrap();
    assert_eq!(cluster.call_count("ReadRows"), 2);
    assert_eq!(rows.len(), 2 * keys.len());
    for ((n, key), rows) in keys.iter().zip(rows.chunks(2)) {
        let expected = (n % 2 == 0).then_some(key.as_bytes());
        for row in rows {
            assert_eq!(row.as_ref().and_then(|row| row.value("f", "q")), expected, "{key}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn gets_of_long_row_keys_are_divided_over_requests_that_the_service_takes() {
    let Fixture { table, cluster } = Fixture::start().await;
    // All keys together have 4 MB, and a request has at most 512 KiB.
    let keys = || (0..1_000).map(|n| format!("{n:0>4096}"));
    let last = keys().next_back().unwrap();
    table.put(Put::new(last).cell("f", "q", "v")).await.unwrap();
    let mut rows = table.get_all(keys()).await.into_result().unwrap();
    assert!(rows.pop().unwrap().is_some());
    assert_eq!((rows.len(), rows.iter().flatten().count()), (999, 0));
    // 119 keys in each.
    assert_eq!(cluster.call_count("ReadRows"), 9);
}

#[tokio::test(start_paused = true)]
async fn gets_of_a_batch_keep_what_each_asks_for() {
    let Fixture { table, cluster } = filled().await;
    let kinds = |n: usize| -> RowOperation {
        let row = Get::new(format!("r{n:04}"));
        match n % 4 {
            0 => row.family("f").into(),
            1 => row.column("g", "o").into(),
            2 => row.filter(Filter::key_only()).into(),
            _ => row.into(),
        }
    };
    let all = [0, 4, 2, 6, 1, 8, 3, 10, 12].map(kinds);
    let outcomes: Vec<_> = table.batch(all).await.into_iter().map(Result::unwrap).collect();
    let shown: Vec<_> = outcomes
        .iter()
        .map(|outcome| {
            let row = outcome.row.as_ref()?;
            Some((row.value("f", "q").map(<[u8]>::len), row.value("g", "o").map(<[u8]>::len)))
        })
        .collect();
    let (family, keys) = (Some((Some(5), None)), Some((Some(0), Some(0))));
    assert_eq!(shown, [family, family, keys, keys, None, family, None, keys, family]);
    assert_eq!(cluster.call_count("ReadRows"), 4);
}

#[tokio::test(start_paused = true)]
async fn a_get_that_is_refused_fails_alone() {
    let Fixture { table, cluster } = filled().await;
    let gets = [Get::new("r0000"), Get::new("r0002"), Get::new(""), Get::new([b'k'; 4_097])];
    let outcomes: Vec<_> = table.get_all(gets).await.into_iter().collect();
    assert!(outcomes[..2].iter().all(|o| o.as_ref().unwrap().is_some()));
    for (outcome, why) in outcomes[2..].iter().zip(["row key", "4097 bytes"]) {
        let error = outcome.as_ref().unwrap_err();
        assert_eq!((error.kind(), error.operation()), (ErrorKind::InvalidArgument, "get"));
        assert!(error.to_string().contains(why), "{error}");
    }
    assert_eq!(cluster.call_count("ReadRows"), 1);
}

#[tokio::test(start_paused = true)]
async fn a_batch_of_gets_goes_on_after_the_last_row() {
    let Fixture { table, cluster } = filled().await;
    cluster.inject(Fault::on("ReadRows").nth(1).reset_stream());
    let keys = (0..100).map(|n| format!("r{n:04}"));
    let rows = table.get_all(keys).await.into_result().unwrap();
    assert_eq!(rows.iter().flatten().count(), 50);
    assert_eq!(cluster.call_count("ReadRows"), 2);
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_torn_fails_the_gets_that_have_no_row_yet() {
    let Fixture { table, cluster } = filled().await;
    let table = table.with_timeout(Duration::from_secs(5));
    for (fault, why) in [
        (Fault::on("ReadRows").nth(1).torn_row(), "not as Bigtable's are"),
        (Fault::on("ReadRows").nth(1).rows_out_of_order(), "not as Bigtable's are"),
    ] {
        cluster.clear_faults();
        cluster.inject(fault);
        let keys = (0..10).map(|n| format!("r{n:04}"));
        let outcomes: Vec<_> = table.get_all(keys).await.into_iter().collect();
        let errors: Vec<_> = outcomes.iter().filter_map(|o| o.as_ref().err()).collect();
        assert!(!errors.is_empty());
        for error in errors {
            assert_eq!((error.kind(), error.attempts()), (ErrorKind::Protocol, 1), "{error}");
            assert!(error.to_string().contains(why), "{error}");
            assert_eq!(error.table().map(|t| t.to_string()).as_deref(), Some("t"));
        }
    }
}
