//! The plan of a prepared query: what the service has made of its text. A plan expires after some
//! time, and when the tables that it reads change; then the query is prepared again.
//!
//! # Invariants
//!
//! - Many executions that find the same plan expired prepare the query once. Tests:
//!   `sdk/src/backend/bigtable/tests/queries.rs::a_plan_that_has_expired_is_refreshed_once`.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use tokio::sync::Mutex as AsyncMutex;
use tokio::time::{Instant, timeout_at};

use super::lower::type_message;
use super::read::read_columns;
use crate::Result;
use crate::backend::attempts::Attempts;
use crate::backend::bigtable::call::{AttemptContext, AttemptDeadline};
use crate::backend::bigtable::codec;
use crate::backend::bigtable::explanation::invalid_answer_error;
use crate::backend::bigtable::failure::Failure;
use crate::backend::bigtable::headers::{RoutingState, SharedHeaders};
use crate::backend::bigtable::instance::Instance;
use crate::backend::repeat::Idempotency;
use crate::model::query::{ColumnsByName, SqlField, SqlType};
use crate::wire::bigtable::{PrepareQueryRequest, PrepareQueryResponse, ProtoFormat, method};

/// The client stops using a plan this long before the service lets it expire.
const EARLY: Duration = Duration::from_secs(1);
/// How long an execution waits while another execution prepares the same query. It does not wait
/// for ever: the other execution makes no progress if the program has stopped reading its rows.
const FOR_OTHERS: Duration = Duration::from_secs(1);

/// What the service has made of the text of a query.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) query: Bytes,
    pub(super) columns: Arc<[SqlField]>,
    pub(super) columns_by_name: Option<Arc<ColumnsByName>>,
    /// When the plan expires; `None` if that is not known.
    expires: Option<Instant>,
}

impl Plan {
    fn of(response: PrepareQueryResponse) -> Result<Self> {
        let columns = read_columns(response.metadata).map_err(invalid_answer_error)?;
        if response.prepared_query.is_empty() {
            return Err(invalid_answer_error("a prepared query that is empty"));
        }
        let expires = response.valid_until.and_then(|until| {
            let until = Duration::from_secs(u64::try_from(until.seconds).ok()?);
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            Instant::now().checked_add(until.saturating_sub(now).saturating_sub(EARLY))
        });
        let columns_by_name = ColumnsByName::of(&columns).map(Arc::new);
        Ok(Self { query: response.prepared_query, columns, columns_by_name, expires })
    }

    fn has_expired(&self) -> bool {
        self.expires.is_some_and(|expires| expires <= Instant::now())
    }
}

/// The text of a query, its parameters, and its current plan.
pub(super) struct Statement {
    pub(super) instance: Arc<Instance>,
    pub(super) headers: SharedHeaders,
    pub(super) parameters: BTreeMap<String, SqlType>,
    request: PrepareQueryRequest,
    plan: Mutex<Option<Arc<Plan>>>,
    /// Held while the query is prepared again.
    refreshing: AsyncMutex<()>,
}

impl Statement {
    pub(super) fn new(
        instance: Arc<Instance>,
        query: String,
        parameters: BTreeMap<String, SqlType>,
    ) -> Self {
        let (name, profile) = (instance.endpoint.instance_name(), &instance.endpoint.app_profile);
        let routing = [("name", &*name), ("app_profile_id", profile)];
        let headers = SharedHeaders::new(&routing, instance.config.attempt_timeout);
        let of_message = |(name, of): (&String, &SqlType)| (name.clone(), type_message(of));
        let request = PrepareQueryRequest {
            instance_name: name,
            app_profile_id: profile.clone(),
            query,
            proto_format: Some(ProtoFormat {}),
            param_types: parameters.iter().map(of_message).collect(),
        };
        let (plan, refreshing) = (Mutex::default(), AsyncMutex::default());
        Self { instance, headers, parameters, request, plan, refreshing }
    }

    pub(super) fn text(&self) -> &str {
        &self.request.query
    }

    /// The current plan; `None` if the query was never prepared.
    pub(super) fn plan(&self) -> Option<Arc<Plan>> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Prepares the query in one attempt.
    pub(super) async fn prepare(
        &self,
        attempts: &mut Attempts,
        cookies: &mut RoutingState,
    ) -> Result<Result<Arc<Plan>, Failure>> {
        let most = self.instance.attempt_timeout(Idempotency::Read, None);
        let sending = AttemptContext {
            instance: &self.instance,
            pool: &self.instance.data,
            path: method::PREPARE_QUERY,
            headers: &self.headers,
            limit: AttemptDeadline::of(attempts, most),
            lasts: false,
        };
        let response = match sending.unary(&self.request, attempts, cookies, codec::decode).await {
            Ok(response) => response,
            Err(failure) => return Ok(Err(failure)),
        };
        let plan = Arc::new(Plan::of(response)?);
        *self.plan.lock().unwrap_or_else(PoisonError::into_inner) = Some(plan.clone());
        Ok(Ok(plan))
    }

    /// Returns a plan to begin an execution with. If the plan of the query has expired, or is the
    /// plan that the service has `refused`, prepares the query again in one attempt.
    pub(super) async fn valid_plan(
        &self,
        refused: Option<&Arc<Plan>>,
        attempts: &mut Attempts,
        cookies: &mut RoutingState,
    ) -> Result<Result<Arc<Plan>, Failure>> {
        let valid = || {
            let is_refused = |plan: &Arc<Plan>| refused.is_some_and(|old| Arc::ptr_eq(old, plan));
            self.plan().filter(|plan| !plan.has_expired() && !is_refused(plan))
        };
        if let Some(plan) = valid() {
            return Ok(Ok(plan));
        }
        let until = attempts.attempt_deadline(Instant::now(), FOR_OTHERS);
        let _refreshing = timeout_at(until, self.refreshing.lock()).await.ok();
        // Another execution may have prepared the query in the meantime.
        if let Some(plan) = valid() {
            return Ok(Ok(plan));
        }
        let plan = self.prepare(attempts, cookies).await?;
        Ok(plan.map_err(|failure| Failure { of_plan_refresh: true, ..failure }))
    }
}
