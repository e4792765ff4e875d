//! The load: concurrent tasks whose every call on the rows is logged.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tallrow::{RawTable, Result, Row, op::CheckResult};

use crate::delivery;
use crate::log::Log;
use crate::rows::Rows;
use crate::table::{self, VALUE};
use tallrow_tests::Random;

/// The number of concurrent tasks.
const TASKS: usize = 24;

/// Calls on rows by many tasks, all logged.
pub(crate) struct Load<P, B> {
    /// The table, once per client.
    pub(crate) tables: Vec<RawTable>,
    pub(crate) log: Log,
    pub(crate) rows: Rows,
    pub(crate) seed: u64,
    /// What a task waits for before each of its calls.
    pub(crate) pause: P,
    /// Called with the number of each call before it is made; false ends the load.
    pub(crate) before: B,
    pub(crate) begun: AtomicU64,
}

impl<P, W, B> Load<P, B>
where
    P: Fn(&mut Random) -> W + Send + Sync + 'static,
    W: Future<Output = ()> + Send,
    B: Fn(u64) -> bool + Send + Sync + 'static,
{
    /// Runs until `before` returns false, then waits for the outstanding calls.
    pub(crate) async fn run(self: &Arc<Self>) -> std::result::Result<(), String> {
        let mut tasks = tokio::task::JoinSet::new();
        for task in 0..TASKS {
            let load = self.clone();
            tasks.spawn(async move { load.task(task).await });
        }
        while let Some(ended) = tasks.join_next().await {
            ended.map_err(|e| format!("a task failed: {e}"))?;
        }
        Ok(())
    }

    /// Reads every row once more. The disturbances are over, so every read must succeed.
    pub(crate) async fn read_all(&self) -> std::result::Result<(), String> {
        let failed = self.log.outcomes().failed;
        let calls = self.begun.load(Ordering::Relaxed);
        for row in Rows::registers(calls) {
            self.get(TASKS, &row).await;
        }
        for row in Rows::counters(calls) {
            self.read(TASKS, &row).await;
        }
        match self.log.outcomes().failed - failed {
            0 => Ok(()),
            n => Err(format!("{n} rows could not be read after the disturbances")),
        }
    }

    async fn task(&self, task: usize) {
        let mut random = Random::new(self.seed, task as u64 + 1);
        loop {
            (self.pause)(&mut random).await;
            let call = self.begun.fetch_add(1, Ordering::Relaxed);
            if !(self.before)(call) {
                self.begun.fetch_sub(1, Ordering::Relaxed);
                return;
            }
            let register = Rows::register(call, &mut random);
            match random.below(100) {
                0..30 => self.get(task, &register).await,
                30..36 => self.delete(task, &register).await,
                36..52 => self.check(task, &register, random.below(5) == 0).await,
                52..78 => self.put(task, &register).await,
                78..82 => self.read(task, &Rows::counter(call, &mut random)).await,
                82..92 => {
                    let by = 1 + random.below(1000) as i64;
                    self.add(task, &Rows::counter(call, &mut random), by).await;
                }
                _ => self.add(task, &Rows::ids(call), 1).await,
            }
        }
    }

    async fn get(&self, task: usize, row: &str) {
        let call = self.log.call(task, self.client(task), row, "get");
        let answer = self.table(task).get(table::get(row)).await;
        self.log.end(call, answer, |call, row| call.value = row.and_then(|row| text(&row)));
    }

    async fn put(&self, task: usize, row: &str) {
        let mut call = self.log.call(task, self.client(task), row, "put");
        let value = format!("v{}", call.id());
        call.value = Some(value.clone());
        let answer = self.table(task).put(table::put(row, call.id(), &value)).await;
        self.rows.saw(row, Some(value));
        self.log.end(call, answer, |_, ()| {});
    }

    async fn delete(&self, task: usize, row: &str) {
        let call = self.log.call(task, self.client(task), row, "delete");
        let answer = self.table(task).delete(table::delete(row, call.id())).await;
        self.rows.saw(row, None);
        self.log.end(call, answer, |_, ()| {});
    }

    async fn check(&self, task: usize, row: &str, deletes: bool) {
        let mut call = self.log.call(task, self.client(task), row, "check");
        call.expect = self.rows.seen(row);
        call.value = (!deletes).then(|| format!("v{}", call.id()));
        let check = table::check(row, call.expect.as_deref());
        let check = match &call.value {
            Some(value) => check.then(table::put(row, call.id(), value)),
            None => check.then(table::delete(row, call.id())),
        };
        let answer = self.table(task).check_and_mutate(check).await.map(CheckResult::is_applied);
        if let Ok(true) = answer {
            self.rows.saw(row, call.value.clone());
        }
        self.log.end(call, answer, |call, applied| call.applied = Some(applied));
    }

    async fn read(&self, task: usize, row: &str) {
        let call = self.log.call(task, self.client(task), row, "read");
        let answer = self.table(task).get(table::get(row)).await;
        let answer = answer.and_then(|row| row.map_or(Ok(None), |r| r.counter(VALUE.0, VALUE.1)));
        self.log.end(call, answer, |call, sum| call.sum = sum);
    }

    async fn add(&self, task: usize, row: &str, by: i64) {
        let mut call = self.log.call(task, self.client(task), row, "add");
        call.by = Some(by);
        let answer: Result<_> = delivery::add(self.table(task), row, VALUE, by).await;
        self.log.end(call, answer, |call, sum| call.sum = sum);
    }

    fn client(&self, task: usize) -> usize {
        task % self.tables.len()
    }

    fn table(&self, task: usize) -> &RawTable {
        &self.tables[self.client(task)]
    }
}

fn text(row: &Row) -> Option<String> {
    row.value(VALUE.0, VALUE.1).map(|value| String::from_utf8_lossy(value).into_owned())
}
