//! The log of a run, which the checker reads: each call with its times and outcome.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::Serialize;
use tallrow::ErrorKind;
use tokio::time::Instant;

use crate::delivery::DeliveryGuarantee;

/// Every call of a run, as lines of JSON; README.md describes the fields.
pub(crate) struct Log {
    started: Instant,
    /// The last time that was noted, in ns since then.
    last: Mutex<u64>,
    next: AtomicU64,
    calls: Mutex<Vec<Call>>,
    header: Header,
}

#[derive(Serialize)]
#[serde(tag = "line", rename = "run")]
struct Header {
    run: String,
    delivery: String,
    versions: bool,
    late_ns: u64,
}

/// A call in progress, later with its outcome.
#[derive(Serialize)]
#[serde(tag = "line", rename = "call")]
pub(crate) struct Call {
    id: u64,
    task: usize,
    client: usize,
    row: String,
    op: &'static str,
    /// The value written or found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<String>,
    /// The value that a check expects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) expect: Option<String>,
    /// The amount that is added.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) by: Option<i64>,
    /// The value of a counter that was read, or the new value after an increment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sum: Option<i64>,
    /// Whether the condition of a check held.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) applied: Option<bool>,
    outcome: &'static str,
    call: u64,
    r#return: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// When a write was applied, by the server's clock.
#[derive(Serialize)]
#[serde(tag = "line", rename = "version")]
pub(crate) struct Version {
    /// The call of the write.
    pub(crate) id: u64,
    /// Milliseconds since 1970.
    pub(crate) at: u64,
}

/// The number of calls with each outcome.
#[derive(Clone, Copy, Default)]
pub(crate) struct Outcomes {
    pub(crate) ok: usize,
    pub(crate) unknown: usize,
    pub(crate) failed: usize,
}

impl Log {
    /// An empty log. `late_ns` is how long after the end of a call its attempts may still be
    /// applied.
    pub(crate) fn new(run: String, delivery: DeliveryGuarantee, late_ns: u64) -> Self {
        let delivery = delivery.to_string();
        let header = Header { run, delivery, versions: true, late_ns };
        let calls = Mutex::new(Vec::new());
        Self {
            started: Instant::now(),
            last: Mutex::new(0),
            next: AtomicU64::new(1),
            calls,
            header,
        }
    }

    /// Starts a call.
    pub(crate) fn call(&self, task: usize, client: usize, row: &str, op: &'static str) -> Call {
        Call {
            id: self.next.fetch_add(1, Ordering::Relaxed),
            task,
            client,
            row: row.to_owned(),
            op,
            value: None,
            expect: None,
            by: None,
            sum: None,
            applied: None,
            outcome: "ok",
            call: self.now(),
            r#return: 0,
            error: None,
        }
    }

    /// Ends a call; returns its result if it succeeded.
    pub(crate) fn end<T>(
        &self,
        mut call: Call,
        answer: tallrow::Result<T>,
        note: impl FnOnce(&mut Call, T),
    ) {
        call.r#return = self.now();
        match answer {
            Ok(answer) => note(&mut call, answer),
            Err(error) => {
                let unknown = error.kind() == ErrorKind::OutcomeUnknown;
                call.outcome = if unknown { "unknown" } else { "failed" };
                call.error = Some(format!("{error:?}"));
            }
        }
        self.calls().push(call);
    }

    /// The number of calls with each outcome.
    pub(crate) fn outcomes(&self) -> Outcomes {
        let mut outcomes = Outcomes::default();
        for call in self.calls().iter() {
            match call.outcome {
                "ok" => outcomes.ok += 1,
                "unknown" => outcomes.unknown += 1,
                _ => outcomes.failed += 1,
            }
        }
        outcomes
    }

    /// All lines, ending with the versions.
    pub(crate) fn to_lines(&self, versions: &[Version]) -> Result<String, String> {
        let mut lines = String::new();
        let mut line = |value: serde_json::Result<String>| {
            lines.push_str(&value.map_err(|e| e.to_string())?);
            lines.push('\n');
            Ok::<_, String>(())
        };
        line(serde_json::to_string(&self.header))?;
        for call in self.calls().iter() {
            line(serde_json::to_string(call))?;
        }
        for version in versions {
            line(serde_json::to_string(version))?;
        }
        Ok(lines)
    }

    fn calls(&self) -> std::sync::MutexGuard<'_, Vec<Call>> {
        self.calls.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Later than all before: in paused time, much happens at one instant, and its order must not
    /// be lost.
    fn now(&self) -> u64 {
        let mut last = self.last.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *last = (self.started.elapsed().as_nanos() as u64).max(*last + 1);
        *last
    }
}

impl Call {
    /// The part that makes its value unique.
    pub(crate) fn id(&self) -> u64 {
        self.id
    }
}
