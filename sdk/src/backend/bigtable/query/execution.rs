//! Executes a query: reads streams of results, one after another. Each stream resumes the results
//! at the last resume token of the previous stream.
//!
//! # Invariants
//!
//! - Each row of a result is returned once, also if streams break. Tests:
//!   `sdk/src/backend/bigtable/tests/queries.rs::a_stream_that_breaks_is_resumed_by_its_token`.

use std::collections::BTreeMap;
use std::sync::Arc;

use prost::Message;

use super::plan::{Plan, Statement};
use super::read::read_row;
use crate::backend::attempts::Attempts;
use crate::backend::bigtable::call::{AttemptContext, AttemptDeadline, next_message};
use crate::backend::bigtable::channel::AnswerStream;
use crate::backend::bigtable::explanation::invalid_answer_error;
use crate::backend::bigtable::failure::Failure;
use crate::backend::bigtable::headers::RoutingState;
use crate::backend::bigtable::retry::RetryState;
use crate::backend::core::CLOSED;
use crate::backend::repeat::Idempotency;
use crate::model::query::{SqlField, SqlRow};
use crate::wire::bigtable::{
    ExecuteQueryRequest, ExecuteQueryResponse, ResultBatches, Value, method,
};
use crate::{Error, ErrorKind, Result};

/// The name of the operation in errors and metrics.
pub(super) const EXECUTE_OPERATION: &str = "execute";

/// An execution that is under way.
pub(super) struct Execution {
    statement: Arc<Statement>,
    parameters: BTreeMap<String, Value>,
    /// The plan of the current stream, which stays the same after the first resume token.
    plan: Option<Arc<Plan>>,
    /// Whether the service has refused the plan.
    is_refused: bool,
    batches: ResultBatches,
    stream: Option<AnswerStream>,
    cookies: RoutingState,
    is_over: bool,
}

impl Execution {
    pub(super) fn new(statement: Arc<Statement>, parameters: BTreeMap<String, Value>) -> Self {
        Self {
            statement,
            parameters,
            plan: None,
            is_refused: false,
            batches: ResultBatches::default(),
            stream: None,
            cookies: RoutingState::default(),
            is_over: false,
        }
    }

    /// The columns of the rows, as far as they are known.
    pub(super) fn columns(&self) -> Arc<[SqlField]> {
        let plan = self.plan.clone().or_else(|| self.statement.plan());
        plan.map(|plan| plan.columns.clone()).unwrap_or_default()
    }

    /// Whether no further rows can be fetched.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Returns the next row that has arrived.
    pub(super) fn next_row(&mut self) -> Option<Result<SqlRow>> {
        let plan = self.plan.as_ref()?;
        let row = self.batches.next_row(plan.columns.len())?;
        let row = read_row(&plan.columns, &row)
            .map(|row| row.with_columns_by_name(plan.columns_by_name.clone()));
        Some(row.map_err(|error| {
            self.is_over = true;
            self.batches = ResultBatches::default();
            invalid_answer_error(error).with_operation_if_unset(EXECUTE_OPERATION)
        }))
    }

    /// Fetches the next rows, or finds the end of the results.
    pub(super) async fn fetch(&mut self) -> Result<()> {
        let instance = self.statement.instance.clone();
        let attempts = instance.attempts_on(EXECUTE_OPERATION, None, instance.config.page_timeout);
        let mut attempts = attempts.with_retry_budget(&instance.retries, 1);
        let fetched = self.fetch_within(&mut attempts).await;
        self.is_over |= fetched.is_err();
        attempts.end(fetched)
    }

    async fn fetch_within(&mut self, attempts: &mut Attempts) -> Result<()> {
        if self.statement.instance.closing.is_closed() {
            return Err(Error::new(ErrorKind::Closed, CLOSED));
        }
        let mut retry = RetryState::new(Idempotency::Read);
        let mut silent = 0;
        attempts.begin_attempt();
        loop {
            match self.read(attempts, silent).await? {
                Ok(()) if self.batches.has_row() || self.is_over => return Ok(()),
                Ok(()) if attempts.is_out_of_time() => {
                    let limit = attempts.timeout_text();
                    let text =
                        format!("no row was found within {limit}; read less, or allow more time");
                    return Err(Error::new(ErrorKind::Timeout, text));
                }
                // The service has made progress without finding a row.
                Ok(()) => silent = 0,
                Err(failure) if failure.plan_expired && !self.batches.token().is_empty() => {
                    let error = failure.error(self.statement.instance.data.server());
                    return Err(invalid_answer_error(format!(
                        "the query plan expired during a retry attempt, after a resume token \
                         ({error})"
                    )));
                }
                Err(failure) => {
                    self.is_refused |= failure.plan_expired;
                    silent += u32::from(failure.is_timeout());
                    let server = self.statement.instance.data.server().clone();
                    retry.pause(&failure, &server, attempts).await?;
                    attempts.begin_attempt();
                }
            }
        }
    }

    /// Reads messages until a resume token has arrived, or to the end of the results.
    async fn read(&mut self, attempts: &mut Attempts, silent: u32) -> Result<Result<(), Failure>> {
        if self.stream.is_none() {
            match self.open(attempts, silent).await? {
                Ok(stream) => self.stream = Some(stream),
                Err(failure) => return Ok(Err(failure)),
            }
        }
        let most = self.statement.instance.stream_silence_limit(None, silent);
        let columns = self.plan.as_ref().map_or(0, |plan| plan.columns.len());
        let Some(stream) = &mut self.stream else { return Ok(Ok(())) };
        loop {
            let limit = AttemptDeadline::of(attempts, most);
            let message = match next_message(stream, limit, &mut self.cookies).await {
                Ok(Some(message)) => message,
                Ok(None) => {
                    self.stream = None;
                    self.batches.finish().map_err(invalid_answer_error)?;
                    self.is_over = true;
                    return Ok(Ok(()));
                }
                Err(failure) => {
                    self.stream = None;
                    return Ok(Err(failure));
                }
            };
            let response = ExecuteQueryResponse::decode(message).map_err(invalid_answer_error)?;
            let Some(results) = response.results else {
                let found = response.metadata.map_or("nothing", |_| "METADATA");
                let text = format!("expected results response, but received: {found}");
                return Err(invalid_answer_error(text));
            };
            let has_token = !results.resume_token.is_empty();
            self.batches.add(results, columns).map_err(invalid_answer_error)?;
            if has_token {
                return Ok(Ok(()));
            }
        }
    }

    /// Opens a stream of the rest of the results.
    async fn open(
        &mut self,
        attempts: &mut Attempts,
        silent: u32,
    ) -> Result<Result<AnswerStream, Failure>> {
        self.batches.restart();
        let fixed = self.plan.clone().filter(|_| !self.batches.token().is_empty());
        let plan = match fixed {
            Some(plan) => plan,
            None => {
                let refused = self.plan.as_ref().filter(|_| self.is_refused);
                match self.statement.valid_plan(refused, attempts, &mut self.cookies).await? {
                    Ok(plan) => plan,
                    Err(failure) => return Ok(Err(failure)),
                }
            }
        };
        self.plan = Some(plan.clone());
        self.is_refused = false;
        let instance = &*self.statement.instance;
        let request = ExecuteQueryRequest {
            instance_name: instance.endpoint.instance_name(),
            app_profile_id: instance.endpoint.app_profile.clone(),
            query: String::new(),
            prepared_query: plan.query.clone(),
            resume_token: self.batches.token().clone(),
            params: self.parameters.clone(),
        };
        let sending = AttemptContext {
            instance,
            pool: &instance.data,
            path: method::EXECUTE_QUERY,
            headers: &self.statement.headers,
            limit: AttemptDeadline::of(attempts, instance.stream_silence_limit(None, silent)),
            // A stream lasts as long as its reader reads it; only each fetch has a deadline.
            lasts: true,
        };
        Ok(sending.streaming(&request, attempts, &mut self.cookies).await)
    }
}
