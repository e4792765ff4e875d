//! Additions to aggregates while replies are lost: each is counted once, or its outcome is unknown.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures_util::stream::{self, StreamExt};
use tallrow_mock::{Fault, MockCluster, StatusCode};

use super::{connect_to, name, quick, thorough};
use crate::admin::Aggregate;
use crate::request::op::{AddToCells, MergeToCells, Mutation, RowMutations};
use crate::{Config, ErrorKind, FamilyDescriptor, Put, RawTable, TableDescriptor, Timestamp};

/// A table with a family of each aggregate and an ordinary one, `f`.
async fn started_at(millis: Option<u64>, config: Config) -> (MockCluster, RawTable) {
    let builder = MockCluster::builder().in_memory().servers(1).bigtable_port(0);
    let builder = millis.into_iter().fold(builder, |builder, at| builder.clock_start_ms(at));
    let cluster = builder.start().await.unwrap();
    let backend = connect_to(&cluster, config).await.unwrap();
    let families = [
        FamilyDescriptor::new("f"),
        FamilyDescriptor::new("sum").aggregate(Aggregate::Sum).versions(9),
        FamilyDescriptor::new("min").aggregate(Aggregate::Min),
        FamilyDescriptor::new("max").aggregate(Aggregate::Max),
    ];
    let table = TableDescriptor::new("t").unwrap();
    let table = families.into_iter().fold(table, TableDescriptor::family);
    backend.create_table(&table).await.unwrap();
    (cluster, RawTable::new(backend, name("t")))
}

async fn started() -> (MockCluster, RawTable) {
    started_at(None, quick()).await
}

fn one(row: usize) -> AddToCells {
    AddToCells::new(format!("r{row}")).add("sum", "n", 1)
}

async fn sum(table: &RawTable, row: &str) -> Option<i64> {
    let row = table.get(row).await.unwrap()?;
    row.counter("sum", "n").unwrap()
}

/// The sum over the rows of [`one`].
async fn total(table: &RawTable, rows: usize) -> i64 {
    let keys = (0..rows).map(|row| format!("r{row}"));
    let found = table.get_all(keys).await.into_result().unwrap();
    let sums = found.iter().flatten().map(|row| row.counter("sum", "n").unwrap().unwrap());
    sums.sum()
}

#[tokio::test(start_paused = true)]
async fn cells_combine_what_is_added_to_them() {
    let (_cluster, table) = started().await;
    for by in [5, -7, 3] {
        let all = AddToCells::new("r").add("sum", "n", by).add("min", "n", by);
        table.add_to_cells(all.add("max", "n", by)).await.unwrap();
    }
    let merge = MergeToCells::new("r").merge("sum", "n", 10_i64.to_be_bytes());
    table.merge_to_cells(merge.merge("max", "n", 4_i64.to_be_bytes())).await.unwrap();
    let row = table.get("r").await.unwrap().unwrap();
    let found = ["sum", "min", "max"].map(|family| row.counter(family, "n").unwrap());
    assert_eq!(found, [Some(11), Some(-7), Some(5)]);
    assert!(row.cells().iter().all(|cell| cell.timestamp() == Timestamp::from_millis(0)));
    // Each time has a cell of its own.
    let at = Timestamp::from_millis(7);
    let twice = AddToCells::new("r").add_at("sum", "n", at, 1).add_at("sum", "n", at, 1);
    table.add_to_cells(twice).await.unwrap();
    let row = table.get(crate::Get::new("r").versions(9)).await.unwrap().unwrap();
    let sums: Vec<_> = row.versions("sum", "n").map(|cell| cell.value().to_vec()).collect();
    assert_eq!(sums, [2_i64, 11].map(|sum| sum.to_be_bytes().to_vec()));
}

#[tokio::test(start_paused = true)]
async fn an_addition_in_another_family_is_refused_and_not_unknown() {
    let (_cluster, table) = started().await;
    let add = || AddToCells::new("r").add("f", "n", 1);
    let refused: [Mutation; 4] = [
        add().into(),
        MergeToCells::new("r").merge("f", "n", 1_i64.to_be_bytes()).into(),
        MergeToCells::new("r").merge("sum", "n", "short").into(),
        Put::new("r").cell("sum", "n", 1_i64.to_be_bytes()).into(),
    ];
    for mutation in refused {
        let shown = format!("{mutation:?}");
        let outcomes = table.batch([mutation]).await.into_iter();
        let error = outcomes.map(Result::unwrap_err).next().unwrap();
        assert_eq!(error.kind(), ErrorKind::DoNotRetry, "{shown}: {error:?}");
    }
    let error = table.add_to_cells(add()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DoNotRetry, "{error:?}");
    assert!(error.to_string().contains("created with an `aggregate`"), "{error}");
    assert_eq!(table.get("r").await.unwrap(), None);
}

#[tokio::test(start_paused = true)]
async fn every_attempt_of_an_addition_has_the_same_token() {
    let (cluster, table) = started().await;
    for method in ["MutateRow", "MutateRows"] {
        cluster.inject(Fault::on(method).nth(1).close_after());
        cluster.inject(Fault::on(method).nth(2).close_after());
    }
    table.add_to_cells(one(0)).await.unwrap();
    assert_eq!(cluster.call_count("MutateRow"), 3);
    assert_eq!(sum(&table, "r0").await, Some(1));
    table.batch([one(1), one(2)]).await.into_result().unwrap();
    assert_eq!(cluster.call_count("MutateRows"), 3);
    assert_eq!(total(&table, 3).await, 3);
    // Two additions are two, also if they are alike.
    table.batch([one(1), one(1)]).await.into_result().unwrap();
    assert_eq!(sum(&table, "r1").await, Some(3));
}

/// The puts of the step are made again with the same time, so that there is one version of each.
#[tokio::test(start_paused = true)]
async fn a_step_with_an_addition_is_made_once() {
    use crate::DeliveryGuarantee::{AtMostOnce, Idempotent};
    let (cluster, table) = started().await;
    let step = |delivery| {
        let put = Put::new("r0").cell("f", "q", "v").delivery(delivery);
        RowMutations::new("r0").add(put).add(one(0))
    };
    cluster.inject(Fault::on("MutateRow").nth(1).close_after());
    table.mutate_row(step(Idempotent)).await.unwrap();
    let row = table.get(crate::Get::new("r0").versions(9)).await.unwrap().unwrap();
    assert_eq!((row.counter("sum", "n").unwrap(), row.cells().len()), (Some(1), 2));
    cluster.clear_faults();
    tokio::time::sleep(Duration::from_secs(2)).await;
    cluster.inject(Fault::on("MutateRow").nth(1).close_after());
    let error = table.mutate_row(step(AtMostOnce)).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error:?}");
}

const ADDITIONS: usize = 20_000;
const ROWS: usize = 100;

fn additions() -> impl Iterator<Item = AddToCells> {
    (0..if thorough() { ADDITIONS } else { ADDITIONS / 4 }).map(|n| one(n % ROWS))
}

fn count() -> i64 {
    i64::try_from(additions().count()).unwrap()
}

/// Loses one reply in 20; a half of the lost calls is applied, and a half of them has no sign of
/// the loss.
fn lose(cluster: &MockCluster, method: &str) {
    let fault = || Fault::on(method).chance(0.0125);
    for lost in [
        fault().close_after(),
        fault().close_before(),
        fault().drop_reply(),
        fault().drop_request(),
    ] {
        cluster.inject(lost);
    }
}

fn losing() -> Config {
    quick().attempt_timeout(Duration::from_millis(300)).operation_timeout(Duration::from_secs(600))
}

#[tokio::test(start_paused = true)]
async fn additions_are_exact_while_replies_are_lost() {
    let (cluster, table) = started_at(None, losing()).await;
    lose(&cluster, "MutateRow");
    let all = additions().map(|addition| table.add_to_cells(addition));
    let outcomes: Vec<_> = stream::iter(all).buffer_unordered(64).collect().await;
    outcomes.into_iter().for_each(|outcome| outcome.unwrap());
    assert!(cluster.call_count("MutateRow") > u64::try_from(count()).unwrap());
    cluster.clear_faults();
    assert_eq!(total(&table, ROWS).await, count());
}

#[tokio::test(start_paused = true)]
async fn batches_of_additions_are_exact_while_replies_are_lost() {
    let (cluster, table) = started_at(None, losing()).await;
    lose(&cluster, "MutateRows");
    let all: Vec<_> = additions().collect();
    for batch in all.chunks(25) {
        table.batch(batch.to_vec()).await.into_result().unwrap();
    }
    assert!(cluster.call_count("MutateRows") > u64::try_from(all.len() / 25).unwrap());
    cluster.clear_faults();
    assert_eq!(total(&table, ROWS).await, count());
}

#[tokio::test(start_paused = true)]
async fn a_writer_of_additions_is_exact_while_replies_are_lost() {
    let (cluster, table) = started_at(None, losing()).await;
    lose(&cluster, "MutateRows");
    let writer = table.writer().start().unwrap();
    for addition in additions() {
        writer.write(addition).await.unwrap();
    }
    let report = writer.close(MINUTE * 10).await;
    assert!(report.is_complete(), "{report:?}");
    cluster.clear_faults();
    assert_eq!(total(&table, ROWS).await, count());
}

const MINUTE: Duration = Duration::from_secs(60);

/// An addition whose first reply is lost, and that can be sent again only after `outage`: its
/// outcome, and the sum.
async fn answered_after(outage: Duration) -> (crate::Result<()>, Option<i64>) {
    let config = quick().pause(Duration::from_millis(20)).operation_timeout(MINUTE * 30);
    let (cluster, table) = started_at(None, config).await;
    cluster.inject(Fault::on("MutateRow").nth(1).close_after());
    let adding = tokio::spawn({
        let table = table.clone();
        async move { table.add_to_cells(one(0)).await }
    });
    while cluster.call_count("MutateRow") == 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    cluster.inject(Fault::on("MutateRow").fail(StatusCode::Unavailable, "down"));
    tokio::time::sleep(outage).await;
    cluster.clear_faults();
    let outcome = adding.await.unwrap();
    (outcome, sum(&table, "r0").await)
}

#[tokio::test(start_paused = true)]
async fn an_addition_is_sent_again_for_fourteen_minutes() {
    let (outcome, sum) = answered_after(MINUTE * 14 - Duration::from_secs(10)).await;
    outcome.unwrap();
    assert_eq!(sum, Some(1));
    // The pause before an attempt may end later.
    for outage in [MINUTE * 14 + Duration::from_secs(5), MINUTE * 15 + Duration::from_secs(1)] {
        let (outcome, sum) = answered_after(outage).await;
        let error = outcome.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error:?}");
        assert!(error.to_string().contains("for about 15 minutes"), "{error}");
        assert_eq!(sum, Some(1));
    }
}

#[derive(Clone, Copy, Debug)]
enum Way {
    Alone,
    InABatch,
    ByAWriter,
}

async fn add_by(way: Way, table: &RawTable) -> crate::Result<()> {
    match way {
        Way::Alone => table.add_to_cells(one(0)).await,
        Way::InABatch => table.batch([one(0)]).await.into_result().map(|_| ()),
        Way::ByAWriter => {
            let writer = table.writer().start()?;
            writer.write(one(0)).await?;
            writer.close(MINUTE).await.failed.pop().map_or(Ok(()), |failed| Err(failed.error))
        }
    }
}

fn whole_seconds() -> Duration {
    Duration::from_secs(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs())
}

/// An addition whose first reply is lost, and whose second attempt finds the mock's clock this much
/// later than the first.
async fn repeated_after(later: Duration, way: Way) -> (crate::Result<()>, Option<i64>) {
    let started = whole_seconds();
    let millis = u64::try_from(started.as_millis()).unwrap();
    let (cluster, table) = started_at(Some(millis), quick()).await;
    let method = if matches!(way, Way::Alone) { "MutateRow" } else { "MutateRows" };
    cluster.inject(Fault::on(method).nth(1).close_after());
    // Of whole seconds, as the start time of the token is.
    let before = whole_seconds();
    cluster.advance_clock(before - started).unwrap();
    let adding = tokio::spawn({
        let table = table.clone();
        async move { add_by(way, &table).await }
    });
    while cluster.call_count(method) == 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    cluster.inject(Fault::on(method).fail(StatusCode::Unavailable, "down"));
    while sum(&table, "r0").await.is_none() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    // The token was made between `before` and `now`.
    let now = if later < MINUTE * 15 { before } else { whole_seconds() };
    cluster.advance_clock(now - before + later).unwrap();
    cluster.clear_faults();
    let outcome = adding.await.unwrap();
    assert!(cluster.call_count(method) >= 2, "{way:?} {later:?}");
    (outcome, sum(&table, "r0").await)
}

#[tokio::test(start_paused = true)]
async fn a_repeated_addition_is_recognized_for_fifteen_minutes() {
    for way in [Way::Alone, Way::InABatch, Way::ByAWriter] {
        let (outcome, sum) = repeated_after(MINUTE * 15 - Duration::from_secs(1), way).await;
        assert!(outcome.is_ok(), "{way:?}: {outcome:?}");
        assert_eq!(sum, Some(1), "{way:?}");
        let (outcome, sum) = repeated_after(MINUTE * 15 + Duration::from_secs(1), way).await;
        let error = outcome.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{way:?}: {error:?}");
        assert!(error.to_string().contains("FAILED_PRECONDITION"), "{way:?}: {error}");
        assert_eq!(sum, Some(1), "{way:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_addition_that_was_never_made_is_not_unknown() {
    let config = quick().pause(Duration::from_millis(20)).operation_timeout(MINUTE * 30);
    let (cluster, table) = started_at(None, config).await;
    cluster.inject(Fault::on_connect().bigtable().close());
    cluster.inject(Fault::on("MutateRow").nth(1).close_before());
    let lost = table.add_to_cells(one(0)).await.unwrap_err();
    // The request that was lost with its connection may have been made.
    assert_eq!(lost.kind(), ErrorKind::OutcomeUnknown, "{lost:?}");
    // This one has never been sent.
    let error = table.add_to_cells(one(0)).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unreachable, "{error:?}");
    assert!(error.to_string().contains("make it again"), "{error}");
    cluster.clear_faults();
    assert_eq!(sum(&table, "r0").await, None);
}

/// The clocks of this machine and of the service differ by more than the time for which the service
/// keeps tokens.
#[tokio::test(start_paused = true)]
async fn an_addition_that_is_too_old_for_the_service_is_refused() {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap() + MINUTE * 16;
    let now = u64::try_from(now.as_millis()).unwrap();
    let (cluster, table) = started_at(Some(now), quick()).await;
    let error = table.add_to_cells(one(0)).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DoNotRetry, "{error:?}");
    assert!(error.to_string().contains("the clocks"), "{error}");
    assert_eq!(sum(&table, "r0").await, None);
    // After an attempt whose answer was lost, a refusal does not say what became of that attempt.
    cluster.inject(Fault::on("MutateRow").nth(1).fail(StatusCode::Unavailable, ""));
    let error = table.add_to_cells(one(0)).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error:?}");
}
