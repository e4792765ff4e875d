//! A connected instance: what its operations share.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use http::HeaderMap;
use rustc_hash::FxHashMap;
use tokio::sync::{Mutex as AsyncMutex, OwnedSemaphorePermit};
use tokio::time::Instant;

use super::channel::Pool;
use super::endpoint::Endpoint;
use super::failure::CLOSED;
use super::filter::Kept;
use super::headers::of_calls;
use super::samples::Samples;
use crate::backend::attempts::{Attempts, Retries};
use crate::backend::closing::Closing;
use crate::observe::{Json, ObservedOperation, Observers, Pressure};
use crate::runtime::in_flight_limit::Room;
use crate::runtime::write_clock::WriteClock;
use crate::{Config, Error, ErrorKind, Result, TableName};

/// The namespace of tables that have none.
const DEFAULT_NAMESPACE: &str = "default";

pub(crate) struct Instance {
    pub(crate) config: Config,
    pub(crate) endpoint: Endpoint,
    pub(crate) observers: Arc<Observers>,
    pub(crate) closing: Closing,
    pub(super) clock: WriteClock,
    pub(super) samples: Samples,
    pub(super) data: Arc<Pool>,
    pub(super) admin: Arc<Pool>,
    retries: Arc<Retries>,
    room: Room,
    tables: Mutex<FxHashMap<TableName, Arc<Known>>>,
}

/// What the calls on a table have in common.
pub(super) struct Known {
    /// `projects/P/instances/I/tables/T`.
    pub(super) name: String,
    pub(super) headers: HeaderMap,
    /// What its families keep, and since when that is known.
    pub(super) kept: AsyncMutex<Option<(Instant, Arc<Kept>)>>,
}

impl Instance {
    pub(super) fn new(
        endpoint: Endpoint,
        config: Config,
        observers: Arc<Observers>,
        (data, admin): (Pool, Pool),
    ) -> Self {
        let retries = Retries::new(config.retry_budget, data.reopened());
        Self {
            closing: Closing::default(),
            clock: WriteClock::new(),
            samples: Samples::default(),
            data: Arc::new(data),
            admin: Arc::new(admin),
            retries,
            room: Room::new(config.in_flight_bytes),
            tables: Mutex::default(),
            observers,
            endpoint,
            config,
        }
    }

    /// The attempts of an operation that starts now.
    pub(crate) fn attempts_on(
        &self,
        operation: &'static str,
        table: Option<&TableName>,
        timeout: Duration,
    ) -> Attempts {
        let observed = ObservedOperation::start(&self.observers, operation, table);
        Attempts::new(observed, self.config.pause, timeout)
            .limited(self.config.max_retries, self.config.overloaded_pause)
    }

    /// The attempts of an operation that starts now and makes `operations` reads or writes; its
    /// retries are limited by the budget of the client.
    pub(super) fn limited_attempts(
        &self,
        operation: &'static str,
        table: &TableName,
        timeout: Duration,
        operations: u64,
    ) -> Attempts {
        self.attempts_on(operation, Some(table), timeout).within(&self.retries, operations)
    }

    /// Limits the retries of `attempts`, which are of `operations` operations, by the budget of the
    /// client.
    pub(super) fn within_budget(&self, attempts: Attempts, operations: u64) -> Attempts {
        attempts.within(&self.retries, operations)
    }

    /// The full name of a table, and how calls on it are routed.
    pub(super) fn table(&self, table: &TableName) -> Result<Arc<Known>> {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = tables.get(table) {
            return Ok(known.clone());
        }
        if table.namespace() != DEFAULT_NAMESPACE {
            let text = format!("Bigtable has no namespaces; table {table} is in one");
            return Err(Error::new(ErrorKind::Unsupported, text).on_table(table));
        }
        let name = format!("{}/tables/{}", self.endpoint.instance_name(), table.qualifier());
        let profile = &*self.endpoint.app_profile;
        let headers = of_calls(&[("table_name", &name), ("app_profile_id", profile)]);
        let known = Arc::new(Known { name, headers, kept: AsyncMutex::default() });
        tables.insert(table.clone(), known.clone());
        Ok(known)
    }

    /// Takes `bytes` of the bytes that may be in flight. If they are not free, it waits for them
    /// until the deadline if `waits`, and fails at once otherwise.
    pub(super) async fn take_room(
        &self,
        bytes: usize,
        waits: bool,
        attempts: &mut Attempts,
    ) -> Result<OwnedSemaphorePermit> {
        if self.closing.is_closed() {
            return Err(Error::new(ErrorKind::Closed, CLOSED));
        }
        if attempts.was_spent() {
            return Err(Error::new(ErrorKind::Timeout, "there was no time left to send it"));
        }
        if let Some(permit) = self.room.try_take(bytes) {
            return Ok(permit);
        }
        attempts.held_back(Pressure::InFlightBytes);
        let limit = self.config.in_flight_bytes;
        if !waits {
            let text = format!(
                "it was not sent, and not to wait: operations of {limit} bytes are in flight; start fewer at a time"
            );
            return Err(Error::new(ErrorKind::TooBusy, text));
        }
        let permit = self.room.take(bytes, (&[], 0), attempts.deadline()).await;
        attempts.waited();
        match permit {
            Some(permit) if !attempts.was_spent() => Ok(permit),
            _ => {
                let text = format!(
                    "it was not sent within {}: operations of {limit} bytes are in flight and have no answer yet; \
                     start fewer at a time, or raise in_flight_bytes",
                    attempts.limit()
                );
                Err(Error::new(ErrorKind::Busy, text))
            }
        }
    }

    /// Begins no more operations, waits for those that are under way, and ends all connections, by the deadline; returns
    /// the bytes of the operations that were not answered.
    pub(crate) async fn close(&self, deadline: Instant) -> usize {
        self.closing.drain(deadline).await;
        self.closing.close();
        let left = self.room.drained(deadline).await;
        self.data.close();
        self.admin.close();
        left
    }

    /// Adds the members of its state to the current object.
    pub(crate) fn write_state(&self, json: &mut Json) {
        json.boolean("is_closed", self.closing.is_closed());
        json.text("instance", &self.endpoint.instance_name());
        let (used, limit) = self.room.in_use();
        json.object_member("in_flight", |json| {
            json.number("bytes", used as u64);
            json.number("limit", limit as u64);
        });
        json.object_member("retry_budget", |json| match self.retries.budget.left() {
            Some(left) => json.number("left", left),
            None => json.boolean("unlimited", true),
        });
        json.array("connections", self.data.connections(), |json, (is_open, calls)| {
            json.text("server", self.data.server());
            json.boolean("is_open", is_open);
            json.number("calls", calls as u64);
        });
        json.array("writers", self.closing.drains(), |json, writer| writer.write_state(json));
        self.observers.write_slow(json);
        #[cfg(feature = "metrics")]
        json.member("metrics", |json| self.observers.metrics().write(json));
    }
}
