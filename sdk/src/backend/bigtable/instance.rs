//! A connected instance, with everything that its operations share.

use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;
use tokio::sync::{Mutex as AsyncMutex, OwnedSemaphorePermit};
use tokio::time::Instant;

use super::channel::Pool;
use super::endpoint::Endpoint;
use super::filter::FamilyLimits;
use super::headers::SharedHeaders;
use super::lower::{RequestTarget, TargetFields};
use super::samples::TablePartsCache;
use crate::backend::attempts::Attempts;
use crate::backend::core::{Core, UnansweredBytes};
use crate::model::table_name::Named;
use crate::observe::{JsonWriter, Observers};
use crate::{Config, Error, ErrorKind, Result, TableName};

/// The namespace of tables whose names have no namespace.
const DEFAULT_NAMESPACE: &str = "default";

/// A connected Bigtable instance, with a service for rows and a service for tables.
pub(crate) struct Instance {
    pub(crate) core: Core,
    pub(crate) endpoint: Endpoint,
    pub(super) samples: TablePartsCache,
    pub(super) data: Arc<Pool>,
    pub(super) admin: Arc<Pool>,
    tables: Mutex<FxHashMap<TableName, Arc<TableContext>>>,
}

/// What all calls on one table or view have in common.
pub(super) struct TableContext {
    pub(super) target: RequestTarget,
    pub(super) target_fields: TargetFields,
    /// The full name of the table, or of the table of the authorized view,
    /// `projects/P/instances/I/tables/T`; `None` for a materialized view.
    pub(super) table_path: Option<String>,
    pub(super) headers: SharedHeaders,
    /// The limits on the cells that the families keep, and when these limits were read.
    pub(super) family_limits: AsyncMutex<Option<(Instant, Arc<FamilyLimits>)>>,
}

/// Makes the methods and fields of [`Core`], which both backends use, available on the instance.
impl Deref for Instance {
    type Target = Core;

    fn deref(&self) -> &Core {
        &self.core
    }
}

impl Instance {
    pub(super) fn new(
        endpoint: Endpoint,
        config: Config,
        observers: Arc<Observers>,
        (data, admin): (Pool, Pool),
    ) -> Self {
        Self {
            core: Core::new(config, observers, data.reopen_notifier()),
            samples: TablePartsCache::default(),
            data: Arc::new(data),
            admin: Arc::new(admin),
            tables: Mutex::default(),
            endpoint,
        }
    }

    /// Returns the full name of a table or a view, and the headers that route the calls on it.
    pub(super) fn table_context(&self, table: &TableName) -> Result<Arc<TableContext>> {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = tables.get(table) {
            return Ok(known.clone());
        }
        if table.namespace() != DEFAULT_NAMESPACE {
            let text = format!("Bigtable has no namespaces; table {table} is in one");
            return Err(Error::new(ErrorKind::Unsupported, text).on_table(table));
        }
        let instance = self.endpoint.instance_name();
        let path_of = |table: &str| format!("{instance}/tables/{table}");
        let (target, table_path) = match table.named() {
            Named::Table(table) => {
                let table = path_of(table);
                (RequestTarget { table: table.clone(), ..Default::default() }, Some(table))
            }
            Named::AuthorizedView { table, view } => {
                let table = path_of(table);
                let authorized_view = format!("{table}/authorizedViews/{view}");
                (RequestTarget { authorized_view, ..Default::default() }, Some(table))
            }
            Named::MaterializedView(view) => {
                let materialized_view = format!("{instance}/materializedViews/{view}");
                (RequestTarget { materialized_view, ..Default::default() }, None)
            }
        };
        let routing = match &table_path {
            Some(table) => ("table_name", &**table),
            None => ("name", &*instance),
        };
        let profile = &*self.endpoint.app_profile;
        let routing = [routing, ("app_profile_id", profile)];
        let headers = SharedHeaders::new(&routing, self.config.attempt_timeout);
        let known = Arc::new(TableContext {
            target_fields: TargetFields::new(&target, profile),
            target,
            table_path,
            headers,
            family_limits: AsyncMutex::default(),
        });
        tables.insert(table.clone(), known.clone());
        Ok(known)
    }

    /// Reserves `bytes` of the bytes that may be in flight. If fewer are free, this function waits
    /// until the deadline for enough of them if `waits` is true, and fails at once otherwise.
    pub(super) async fn reserve_in_flight_bytes(
        &self,
        bytes: usize,
        waits: bool,
        attempts: &mut Attempts,
    ) -> Result<OwnedSemaphorePermit> {
        match self.reserve(bytes, attempts)? {
            Some(permit) => Ok(permit),
            None => self.await_in_flight_bytes(bytes, waits, (&[], 0), attempts).await,
        }
    }

    /// Stops accepting new operations, waits until the deadline for the operations that are under
    /// way, and then closes all connections. Returns the size in bytes of the operations that were
    /// not answered.
    pub(crate) async fn close(&self, deadline: Instant) -> UnansweredBytes {
        let left = self.core.drain(deadline).await;
        self.data.abort_connections();
        self.admin.abort_connections();
        left
    }

    /// Adds a description of what the client is doing to the current JSON object.
    pub(crate) fn write_state(&self, json: &mut JsonWriter) {
        json.boolean("is_closed", self.closing.is_closed());
        json.text("instance", &self.endpoint.instance_name());
        self.write_limits(json);
        json.array("connections", self.data.connection_states(), |json, state| {
            json.text("server", self.data.server());
            json.boolean("is_open", state.is_open);
            json.number("calls", state.call_count as u64);
        });
        self.write_activity(json);
    }
}
