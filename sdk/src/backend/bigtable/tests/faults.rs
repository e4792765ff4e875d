//! Tests of the Bigtable backend when calls fail: what is sent again, what is not, and that no
//! operation outlasts its deadline.

use std::fmt::Debug;
use std::time::Duration;

use futures_util::FutureExt;
use tallrow_mock::{Fault, MockCluster, StatusCode};
use tokio::time::Instant;

use super::{Fixture, piped, quick};
use crate::key::RowRange;
use crate::key::schema::{BigtableColumn, BigtableJoin, BigtableKey, BigtableType};
use crate::request::op::{Append, BatchResults, Check, Increment, Put, RowMutations};
use crate::{Client, DeliveryGuarantee, ErrorKind, Result, Scan, Timestamp};

fn dated(row: &str) -> Put {
    Put::new(row).cell_at("f", "q", Timestamp::from_millis(5), "v")
}

#[tokio::test(start_paused = true)]
async fn what_is_idempotent_is_sent_again_and_nothing_else() {
    let Fixture { table, cluster } = Fixture::start().await;
    let table = table.with_timeout(Duration::from_secs(10));
    for method in ["MutateRow", "ReadModifyWriteRow", "CheckAndMutateRow"] {
        cluster.inject(Fault::on(method).nth(1).close_after());
    }
    table.put(dated("a")).await.unwrap();
    assert_eq!(cluster.call_count("MutateRow"), 2);
    let error = table.increment(Increment::new("a").add("f", "n", 1)).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error}");
    let check = Check::new("a", "f", "q").if_equals("v").then(dated("a"));
    let error = table.check_and_mutate(check).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error}");
    assert_eq!(cluster.call_count("ReadModifyWriteRow"), 1);
    assert_eq!(cluster.call_count("CheckAndMutateRow"), 1);
    cluster.clear_faults();
    // Its connections work: one that is lost is replaced at once.
    tokio::time::sleep(Duration::from_secs(2)).await;
    // A write with the server's time is another version each time.
    cluster.inject(Fault::on("MutateRow").nth(1).close_after());
    let error = table.put(Put::new("b").cell("f", "q", "v")).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error}");
    assert_eq!(error.history().len(), 1);
    cluster.clear_faults();
    cluster.inject(Fault::on("MutateRow").nth(1).close_after());
    let own_time = Put::new("c").cell("f", "q", "v").delivery(DeliveryGuarantee::Idempotent);
    table.put(own_time).await.unwrap();
    assert_eq!(table.get("c").await.unwrap().unwrap().cells().len(), 1);
}

/// The policies of the parts of a step hold as they do on HBase, unless the step has its own.
#[tokio::test(start_paused = true)]
async fn a_step_is_as_careful_as_its_parts() {
    use DeliveryGuarantee::{AtLeastOnce, AtMostOnce, Idempotent};
    let Fixture { table, cluster } = Fixture::start().await;
    let put = |column, delivery| Put::new("a").cell("f", column, "v").delivery(delivery);
    let step = |one, other| RowMutations::new("a").add(put("p", one)).add(put("q", other));
    for (step, calls) in [
        (step(AtLeastOnce, AtLeastOnce), 2),
        (step(AtLeastOnce, Idempotent), 2),
        (step(AtLeastOnce, AtMostOnce), 1),
        (step(AtLeastOnce, AtLeastOnce).delivery(AtMostOnce), 1),
        (step(AtMostOnce, AtMostOnce).delivery(Idempotent), 2),
    ] {
        // Its connections work: one that was lost is replaced at once.
        tokio::time::sleep(Duration::from_secs(2)).await;
        let before = cluster.call_count("MutateRow");
        cluster.inject(Fault::on("MutateRow").nth(1).close_after());
        let made = table.mutate_row(step).await.map_err(|error| error.kind());
        assert_eq!(made.err(), (calls == 1).then_some(ErrorKind::OutcomeUnknown));
        assert_eq!(cluster.call_count("MutateRow") - before, calls);
        cluster.clear_faults();
    }
}

#[tokio::test(start_paused = true)]
async fn what_was_refused_was_not_made() {
    let Fixture { table, cluster } = Fixture::start().await;
    let append = || Append::new("a").add("f", "q", "v");
    let refused = StatusCode::FailedPrecondition;
    cluster.inject(Fault::on("ReadModifyWriteRow").nth(1).fail(refused, "no"));
    let error = table.append(append()).await.unwrap_err();
    assert_eq!(error.exception(), Some("FAILED_PRECONDITION"), "{error}");
    assert_eq!(error.kind(), ErrorKind::DoNotRetry, "{error}");
    // The service does not promise that it gave up before the change.
    for (code, name) in
        [(StatusCode::Aborted, "ABORTED"), (StatusCode::ResourceExhausted, "RESOURCE_EXHAUSTED")]
    {
        cluster.inject(Fault::on("ReadModifyWriteRow").nth(1).fail(code, "no"));
        let error = table.append(append()).await.unwrap_err();
        assert!(error.to_string().contains(name), "{error}");
        assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error}");
    }
    assert_eq!(table.get("a").await.unwrap(), None);
    cluster.inject(Fault::on_connect().bigtable().nth(1).close());
    table.append(append()).await.unwrap();
    let row = table.get("a").await.unwrap().unwrap();
    assert_eq!(row.value("f", "q"), Some(&b"v"[..]));
}

#[tokio::test(start_paused = true)]
async fn increments_are_never_counted_twice() {
    let Fixture { table, cluster } = Fixture::start().await;
    cluster.inject(Fault::on("ReadModifyWriteRow").chance(0.05).close_after());
    cluster.inject(Fault::on("ReadModifyWriteRow").chance(0.05).close_before());
    let (mut acknowledged, mut unknown) = (0, 0);
    for _ in 0..300 {
        match table.increment(Increment::new("r").add("f", "n", 1)).await {
            Ok(_) => acknowledged += 1,
            Err(error) if error.kind() == ErrorKind::OutcomeUnknown => unknown += 1,
            Err(error) => panic!("{error:?}"),
        }
    }
    cluster.clear_faults();
    let row = table.get("r").await.unwrap().unwrap();
    let counted = row.counter("f", "n").unwrap().unwrap();
    assert!((acknowledged..=acknowledged + unknown).contains(&counted));
    assert!(unknown > 0 && unknown < 100, "{unknown}");
}

#[tokio::test(start_paused = true)]
async fn a_pause_that_the_service_demands_is_kept() {
    let Fixture { table, cluster } = Fixture::start().await;
    let pause = Duration::from_millis(300);
    let busy =
        Fault::on("ReadRows").nth(1).fail_with_retry_info(StatusCode::Unavailable, "", pause);
    cluster.inject(busy);
    let begun = Instant::now();
    assert_eq!(table.get("r").await.unwrap(), None);
    assert!(begun.elapsed() >= pause);
}

#[tokio::test(start_paused = true)]
async fn entries_of_a_batch_that_fail_are_sent_again() {
    let Fixture { table, cluster } = Fixture::start().await;
    cluster.inject(Fault::on("MutateRows").nth(1).close_after());
    let all = || (0..10).map(|i| dated(&format!("r{i}")));
    table.put_all(all()).await.into_result().unwrap();
    assert_eq!(cluster.call_count("MutateRows"), 2);
    cluster.clear_faults();
    cluster.inject(Fault::on("MutateRows").nth(1).close_after());
    let undated = (0..10).map(|i| Put::new(format!("s{i}")).cell("f", "q", "v"));
    for outcome in table.put_all(undated).await {
        assert_eq!(outcome.unwrap_err().kind(), ErrorKind::OutcomeUnknown);
    }
    cluster.clear_faults();
    // A whole answer that leaves one out is none to be expected again.
    let calls = cluster.call_count("MutateRows");
    cluster.inject(Fault::on("MutateRows").nth(1).missing_entry());
    let outcomes: Vec<_> = table.put_all(all()).await.into_iter().collect();
    let (last, others) = outcomes.split_last().unwrap();
    assert!(others.iter().all(Result::is_ok), "{others:?}");
    let error = last.as_ref().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error}");
    assert!(format!("{error:?}").contains("no outcome for it"), "{error:?}");
    assert_eq!(cluster.call_count("MutateRows"), calls + 1);
}

#[tokio::test(start_paused = true)]
async fn nothing_waits_longer_than_its_deadline() {
    let Fixture { table, cluster } = Fixture::start().await;
    let table = table.with_timeout(Duration::from_millis(300));
    for method in ["ReadRows", "MutateRow", "ReadModifyWriteRow", "MutateRows"] {
        cluster.inject(Fault::on(method).drop_reply());
    }
    let begun = Instant::now();
    assert_eq!(table.get("r").await.unwrap_err().kind(), ErrorKind::Timeout);
    assert_eq!(table.put(dated("r")).await.unwrap_err().kind(), ErrorKind::OutcomeUnknown);
    let lost = table.increment(Increment::new("r").add("f", "n", 1)).await.unwrap_err();
    assert_eq!(lost.kind(), ErrorKind::OutcomeUnknown);
    for outcome in table.put_all([dated("r"), dated("s")]).await {
        assert_eq!(outcome.unwrap_err().kind(), ErrorKind::OutcomeUnknown);
    }
    let config = piped(&cluster, quick().operation_timeout(Duration::from_millis(300)));
    let client = Client::connect_with(&cluster.bigtable_url().unwrap(), config).await.unwrap();
    let admin = client.admin().bigtable().unwrap();
    for method in
        ["DropRowRange", "GenerateConsistencyToken", "SampleRowKeys", "GetTable", "UpdateTable"]
    {
        cluster.inject(Fault::on(method).drop_reply());
    }
    let lost = admin.drop_rows("t", "r").await.unwrap_err();
    assert!([ErrorKind::Timeout, ErrorKind::OutcomeUnknown].contains(&lost.kind()), "{lost}");
    let late = admin.wait_for_replication("t").await.unwrap_err();
    assert_eq!(late.kind(), ErrorKind::Timeout, "{late}");
    let late = admin.sample_row_keys("t", &RowRange::all()).await.unwrap_err();
    assert_eq!(late.kind(), ErrorKind::Timeout, "{late}");
    assert!(late.to_string().starts_with("sample row keys t on "), "{late}");
    let late = admin.row_key_schema("t").await.unwrap_err();
    assert_eq!(late.kind(), ErrorKind::Timeout, "{late}");
    let column = BigtableColumn { name: "word".into(), ty: BigtableType::Text };
    let key = BigtableKey::new([column], BigtableJoin::Singleton);
    for lost in [
        admin.set_row_key_schema("t", &key).await.unwrap_err(),
        admin.remove_row_key_schema("t").await.unwrap_err(),
    ] {
        assert!([ErrorKind::Timeout, ErrorKind::OutcomeUnknown].contains(&lost.kind()), "{lost}");
    }
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
}

#[tokio::test(start_paused = true)]
async fn nothing_takes_longer_than_its_caller_allows() {
    let Fixture { table, cluster } = Fixture::start().await;
    for method in ["ReadRows", "MutateRow", "MutateRows", "ReadModifyWriteRow", "CheckAndMutateRow"]
    {
        cluster.inject(Fault::on(method).drop_reply());
    }
    let put = || Put::new("a").cell("f", "q", "v");
    for limit in [100, 2_000, 5_000].map(Duration::from_millis) {
        let table = table.clone().with_timeout(limit);
        let increment = Increment::new("a").add("f", "n", 1);
        let append = Append::new("a").add("f", "q", "v");
        let check = Check::new("a", "f", "q").if_equals("v").then(put());
        takes(limit, "get", table.get("a")).await;
        takes(limit, "exists", table.exists("a")).await;
        takes(limit, "put", table.put(put())).await;
        takes(limit, "delete", table.delete("a")).await;
        takes(limit, "increment", table.increment(increment)).await;
        takes(limit, "append", table.append(append)).await;
        takes(limit, "check", table.check_and_mutate(check)).await;
        let read = table.get_all(["a", "b"]).map(BatchResults::into_result);
        takes(limit, "get all", read).await;
        let written = table.put_all([put(), put()]).map(BatchResults::into_result);
        takes(limit, "put all", written).await;
        takes(limit, "scan", table.scan(Scan::all()).unwrap().next_row()).await;
    }
}

/// Whether an operation that gets no answer fails after this time, and no later.
async fn takes<T: Debug>(limit: Duration, what: &str, call: impl Future<Output = Result<T>>) {
    let begun = Instant::now();
    let error = call.await.unwrap_err();
    let took = begun.elapsed();
    let kinds = [ErrorKind::Timeout, ErrorKind::OutcomeUnknown];
    assert!(kinds.contains(&error.kind()), "{what}: {error}");
    assert!(took >= limit && took <= limit + Duration::from_millis(2), "{what}: {took:?}");
}

#[tokio::test(start_paused = true)]
async fn a_scan_whose_answer_does_not_come_is_tried_again_as_a_get_is() {
    let config = quick().attempt_timeout(Duration::from_secs(1));
    let Fixture { table, cluster } = Fixture::of(MockCluster::builder(), config, &[]).await;
    table.put_all(["a", "b"].map(dated)).await.into_result().unwrap();
    // Each is given twice the time of the one before, as a server may look at many rows first.
    for (lost, most) in [(1, 2), (2, 4)] {
        cluster.inject(Fault::on("ReadRows").times(lost).drop_reply());
        let before = cluster.call_count("ReadRows");
        let begun = Instant::now();
        let mut rows = table.scan(Scan::all()).unwrap();
        let mut found = 0;
        while rows.next_row().await.unwrap().is_some() {
            found += 1;
        }
        assert_eq!((found, cluster.call_count("ReadRows") - before), (2, lost + 1));
        assert!(begun.elapsed() < Duration::from_secs(most), "{:?}", begun.elapsed());
        cluster.clear_faults();
    }
}

/// Streams that were refused are no sign of a server that looks at many rows.
#[tokio::test(start_paused = true)]
async fn a_scan_waits_no_longer_for_an_answer_after_refusals() {
    let config = quick().attempt_timeout(Duration::from_secs(1));
    let Fixture { table, cluster } = Fixture::of(MockCluster::builder(), config, &[]).await;
    table.put(dated("a")).await.unwrap();
    for nth in 1..=5 {
        cluster.inject(Fault::on("ReadRows").nth(nth).fail(StatusCode::Unavailable, "not now"));
    }
    cluster.inject(Fault::on("ReadRows").nth(6).drop_reply());
    let begun = Instant::now();
    assert!(table.scan(Scan::all()).unwrap().next_row().await.unwrap().is_some());
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
}
