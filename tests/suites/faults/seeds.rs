//! One seed, one history: programs on `mock:?seed=..` in paused time, with faults, twice.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tallrow::observe::{
    AnswerEvent, AttemptEvent, CallEvent, ConnectionInfo, MetaLookupEvent, Observer, OperationEnd,
    OperationInfo, RegionCacheEvent,
};
use tallrow::op::RowOperation;
use tallrow::{Client, FamilyDescriptor, Get, Increment, Put, Scan, TableDescriptor, TableName};
use tallrow_mock::Fault;
use tokio::time::Instant;

use super::{class, config};

/// Everything that an observer is told, with its time.
struct History {
    began: Instant,
    lines: Mutex<Vec<String>>,
}

impl History {
    fn write(&self, line: String) {
        self.lines.lock().unwrap().push(format!("{:?} {line}", self.began.elapsed()));
    }
}

impl Observer for History {
    fn operation_started(&self, of: &OperationInfo<'_>) {
        self.write(format!("start {} {:?}", of.name(), of.table()));
    }

    fn operation_finished(&self, of: &OperationInfo<'_>, end: OperationEnd<'_>, took: Duration) {
        let end = match end {
            OperationEnd::Failed(error) => error.to_string(),
            other => format!("{other:?}"),
        };
        self.write(format!("end {} {end} {took:?}", of.name()));
    }

    fn attempt_finished(&self, attempt: &AttemptEvent<'_>) {
        let (server, elapsed, pause) = (attempt.server(), attempt.elapsed(), attempt.retry_after());
        let (number, cause) = (attempt.number(), attempt.error_type());
        self.write(format!("attempt {number} {server:?} {elapsed:?} {cause} {pause:?}"));
    }

    fn region_cache_used(&self, table: &TableName, event: RegionCacheEvent) {
        self.write(format!("region {table} {event:?}"));
    }

    fn meta_looked_up(&self, lookup: &MetaLookupEvent<'_>) {
        self.write(format!("lookup {lookup:?}"));
    }

    fn call_sent(&self, connection: &ConnectionInfo<'_>, call: CallEvent) {
        self.write(format!("{connection:?} sent {call:?}"));
    }

    fn call_answered(&self, connection: &ConnectionInfo<'_>, answer: AnswerEvent) {
        self.write(format!("{connection:?} answered {answer:?}"));
    }

    fn calls_abandoned(&self, connection: &ConnectionInfo<'_>, calls: usize) {
        self.write(format!("{connection:?} abandoned {calls}"));
    }

    fn connection_opened(&self, connection: &ConnectionInfo<'_>, elapsed: Duration) {
        self.write(format!("{connection:?} opened {elapsed:?}"));
    }

    fn connection_refused(&self, connection: &ConnectionInfo<'_>, why: &str) {
        self.write(format!("{connection:?} refused {why}"));
    }

    fn connection_closed(&self, connection: &ConnectionInfo<'_>, why: Option<&str>) {
        self.write(format!("{connection:?} closed {why:?}"));
    }

    fn throttled(&self, of: &OperationInfo<'_>, wait: Duration) {
        self.write(format!("throttled {} {wait:?}", of.name()));
    }
}

/// What a program with faults, and many tasks, sees and gets.
async fn history(seed: u64) -> Vec<String> {
    let history = Arc::new(History { began: Instant::now(), lines: Mutex::default() });
    let config = config().observer(history.clone());
    let client = Client::connect_with(&format!("mock:?seed={seed}"), config).await.unwrap();
    let mock = client.mock_cluster().unwrap().clone();
    let descriptor = TableDescriptor::new("t").unwrap().family(FamilyDescriptor::new("f"));
    client.admin().create_table_with_splits(&descriptor, &["2", "4", "6", "8"]).await.unwrap();
    let table = client.raw_table("t").unwrap();
    for method in ["Get", "Mutate", "Multi", "Scan"] {
        let busy = class("CallQueueTooBigException");
        mock.inject(Fault::on(method).chance(0.2).throw(&busy, "full"));
        mock.inject(Fault::on(method).chance(0.1).close_before());
        mock.inject(Fault::on(method).chance(0.1).not_serving());
        mock.inject(Fault::on(method).chance(0.05).drop_reply());
    }
    let tasks = (0..8_u8).map(|task| {
        let (table, history) = (table.clone(), history.clone());
        tokio::spawn(async move {
            for i in 0..12_u8 {
                let row = format!("{}{i}", (task + i) % 10);
                let put = table.put(Put::new(row.clone()).cell("f", "q", [task])).await;
                let sum = table.increment(Increment::new(row.clone()).add("f", "n", 1)).await;
                let got = table.get(Get::new(row)).await.map(|row| row.is_some());
                let said = |error: tallrow::Error| error.kind();
                history.write(format!(
                    "task {task}: {:?} {:?} {:?}",
                    put.map_err(said),
                    sum.map(drop).map_err(said),
                    got.map_err(said)
                ));
            }
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.unwrap();
    }
    mock.kill_server(0).unwrap();
    let puts = (0..50_u8).map(|n| Put::new(format!("{n}")).cell("f", "b", [n]));
    let outcomes = table.batch(puts.map(RowOperation::from)).await;
    history.write(format!("{:?}", outcomes.iter().map(Result::is_ok).collect::<Vec<_>>()));
    let writer = table.writer().start().unwrap();
    for n in 0..40_u8 {
        writer.write(Put::new(format!("{n}")).cell("f", "w", [n])).await.unwrap();
    }
    history.write(format!("{:?}", writer.flush().await.failed.len()));
    mock.clear_faults();
    history.write(format!("{}", table.count(Scan::all()).await.unwrap()));
    drop((writer, client));
    std::mem::take(&mut *history.lines.lock().unwrap())
}

#[tokio::test(start_paused = true)]
async fn one_seed_has_one_history_and_another_seed_another() {
    let (one, again) = (history(7).await, history(7).await);
    let differs = one.iter().zip(&again).position(|(one, again)| one != again);
    let around = |lines: &[String], at: usize| {
        lines[at.saturating_sub(5)..(at + 3).min(lines.len())].join("\n")
    };
    if let Some(at) = differs {
        panic!("at {at}:\n{}\n--- again\n{}", around(&one, at), around(&again, at));
    }
    assert_eq!(one.len(), again.len());
    assert!(one.len() > 1_000, "{}", one.len());
    assert!(one.iter().any(|line| line.contains("CallQueueTooBig")), "no fault was met");
    assert_ne!(one, history(8).await);
}
