//! What an [`Observer`] is told, in its order.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tallrow::observe::{
    AnswerEvent, AttemptEvent, CallEvent, ConnectionInfo, MetaLookupEvent, Observer, OperationEnd,
    OperationInfo, RegionCacheEvent,
};
use tallrow::{Put, TableName};
use tallrow_mock::Fault;

use crate::observe::{Site, class, config, site_with};

/// Writes down what it is told, a line each.
#[derive(Default)]
struct Log(Mutex<Vec<String>>);

impl Log {
    fn write(&self, line: impl Into<String>) {
        self.0.lock().unwrap().push(line.into());
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}

fn name(operation: &OperationInfo<'_>) -> String {
    let table = operation.table().map(TableName::to_string).unwrap_or_default();
    format!("{} {table}", operation.name())
}

impl Observer for Log {
    fn operation_started(&self, operation: &OperationInfo<'_>) {
        self.write(format!("start {}", name(operation)));
    }

    fn operation_finished(&self, op: &OperationInfo<'_>, end: OperationEnd<'_>, took: Duration) {
        let end = match end {
            OperationEnd::Done => "done".into(),
            OperationEnd::Failed(error) => format!("{:?}", error.kind()),
            OperationEnd::Dropped => format!("dropped after {} ms", took.as_millis()),
            _ => unreachable!(),
        };
        self.write(format!("{}: {end}", name(op)));
    }

    fn attempt_finished(&self, attempt: &AttemptEvent<'_>) {
        assert!(attempt.server().is_some_and(|server| server.contains(':')), "{attempt:?}");
        let again = if attempt.retry_after().is_some() { ", again" } else { "" };
        self.write(format!("attempt {} {:?}{again}", attempt.number(), attempt.error_type()));
    }

    fn region_cache_used(&self, table: &TableName, event: RegionCacheEvent) {
        if table.as_str() == "t" {
            self.write(format!("{event:?}"));
        }
    }

    fn meta_looked_up(&self, lookup: &MetaLookupEvent<'_>) {
        assert!(!lookup.has_failed());
        self.write("looked up");
    }

    fn call_sent(&self, connection: &ConnectionInfo<'_>, call: CallEvent) {
        if connection.service() == "ClientService" && call.operations > 0 {
            self.write(format!("call of {}", call.operations));
        }
    }

    fn call_answered(&self, _: &ConnectionInfo<'_>, answer: AnswerEvent) {
        if answer.failed {
            self.write("exception");
        }
    }

    fn throttled(&self, operation: &OperationInfo<'_>, wait: Duration) {
        self.write(format!("{} throttled for {} ms", name(operation), wait.as_millis()));
    }
}

async fn observed() -> (Arc<Log>, Site) {
    let log = Arc::new(Log::default());
    let site = site_with(config().observer(log.clone()), &[]).await;
    log.take();
    (log, site)
}

fn put() -> Put {
    Put::new("a").cell("f", "q", "v")
}

#[tokio::test(start_paused = true)]
async fn an_operation_is_told_from_its_start_to_its_end() {
    let (log, Site { table, .. }) = observed().await;
    table.put(put()).await.unwrap();
    let told = ["start put t", "Miss", "looked up", "call of 1", "attempt 1 \"\"", "put t: done"];
    assert_eq!(log.take(), told);
    table.put(put()).await.unwrap();
    assert_eq!(log.take(), ["start put t", "Hit", "call of 1", "attempt 1 \"\"", "put t: done"]);
}

#[tokio::test(start_paused = true)]
async fn each_attempt_has_its_cause() {
    let (log, Site { mock, table, .. }) = observed().await;
    table.put(put()).await.unwrap();
    log.take();
    let text = "number of requests exceeded - wait 700ms";
    mock.inject(Fault::on("Mutate").times(1).throw(&class("quotas.RpcThrottlingException"), text));
    table.put(put()).await.unwrap();
    assert_eq!(
        log.take(),
        [
            "start put t",
            "Hit",
            "call of 1",
            "exception",
            "attempt 1 \"RpcThrottlingException\", again",
            "put t throttled for 700 ms",
            "Hit",
            "call of 1",
            "attempt 2 \"\"",
            "put t: done"
        ]
    );
    table.put(Put::new("a").cell("nosuch", "q", "v")).await.unwrap_err();
    assert_eq!(
        log.take()[3..],
        ["exception", "attempt 1 \"NoSuchColumnFamilyException\"", "put t: NoSuchFamily"]
    );
}

#[tokio::test(start_paused = true)]
async fn a_dropped_operation_ends_too() {
    let (log, Site { mock, table, .. }) = observed().await;
    table.put(put()).await.unwrap();
    log.take();
    mock.inject(Fault::on("Get").times(1).drop_reply());
    let get = tokio::time::timeout(Duration::from_millis(50), table.get("a"));
    assert!(get.await.is_err());
    assert_eq!(log.take(), ["start get t", "Hit", "call of 1", "get t: dropped after 50 ms"]);
}
