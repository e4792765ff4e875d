//! The handles of a prepared query, without and with its parameters.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::execution::{EXECUTE_OPERATION, Execution};
use super::lower::parameter_message;
use super::plan::Statement;
use super::rows::QueryRows;
use crate::backend::attempts::Attempts;
use crate::backend::bigtable::headers::RoutingState;
use crate::backend::bigtable::instance::Instance;
use crate::backend::bigtable::retry::RetryState;
use crate::backend::core::CLOSED;
use crate::backend::repeat::Idempotency;
use crate::model::query::{FromSqlRow, IntoSqlValue, SqlField, SqlType};
use crate::wire::bigtable::Value;
use crate::{Error, ErrorKind, Result};

const PREPARE: &str = "prepare";

/// A query in SQL that the service has prepared. It is made by
/// [`Client::prepare`](crate::Client::prepare), is cheap to clone, and is executed any number of
/// times.
///
/// The service parses the query and plans it once. A plan expires after some time, and when the
/// tables that it reads change; the client then prepares the query again by itself, before the
/// first row.
///
/// ```
/// use tallrow::Client;
/// use tallrow::query::{SqlRow, SqlType};
/// use tallrow_mock::{MockCluster, MockQuery, MockSqlType, MockSqlValue};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mock = MockCluster::builder().bigtable_port(0).start().await?;
/// let text = "SELECT CAST(_key AS STRING) AS page, TO_INT64(c['hits']) AS hits FROM pages \
///             WHERE TO_INT64(c['hits']) > @least";
/// // The mock has no SQL: it answers this text and these parameters with these rows.
/// mock.answer_query(
///     MockQuery::new(text)
///         .parameter("least", MockSqlType::Int64, MockSqlValue::Int64(10))
///         .column("page", MockSqlType::String)
///         .column("hits", MockSqlType::Int64)
///         .row([MockSqlValue::String("/".into()), MockSqlValue::Int64(30)])
///         .row([MockSqlValue::String("/a".into()), MockSqlValue::Int64(20)]),
/// );
///
/// let client = Client::connect(&mock.bigtable_url().unwrap()).await?;
/// let pages = client.prepare(text, [("least", SqlType::Int64)]).await?;
/// let mut rows = pages.bind("least", 10).execute::<SqlRow>()?;
/// let row = rows.next_row().await?.unwrap();
/// assert_eq!((row.get::<String>("page")?, row.get::<i64>(1)?), ("/".to_owned(), 30));
///
/// let rows = pages.bind("least", 10).execute::<(String, i64)>()?;
/// let all: Vec<_> = rows.try_collect().await?;
/// assert_eq!(all, [("/".to_owned(), 30), ("/a".to_owned(), 20)]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct PreparedQuery {
    statement: Arc<Statement>,
}

/// Asks the service to prepare a query with parameters of these names and types.
pub(crate) async fn prepare(
    instance: &Arc<Instance>,
    query: String,
    parameters: Vec<(String, SqlType)>,
) -> Result<PreparedQuery> {
    let parameters = by_name(parameters).map_err(|e| e.with_operation_if_unset(PREPARE))?;
    let statement = Statement::new(instance.clone(), query, parameters);
    let attempts = instance.attempts_on(PREPARE, None, instance.config.operation_timeout);
    let mut attempts = attempts.with_retry_budget(&instance.retries, 1);
    let prepared = prepare_within(&statement, &mut attempts).await;
    attempts.end(prepared)?;
    Ok(PreparedQuery { statement: Arc::new(statement) })
}

async fn prepare_within(statement: &Statement, attempts: &mut Attempts) -> Result<()> {
    if statement.instance.closing.is_closed() {
        return Err(Error::new(ErrorKind::Closed, CLOSED));
    }
    let mut cookies = RoutingState::default();
    let mut retry = RetryState::new(Idempotency::Read);
    loop {
        attempts.begin_attempt_keeping_first_start();
        match statement.prepare(attempts, &mut cookies).await? {
            Ok(_) => return Ok(()),
            Err(failure) => {
                retry.pause(&failure, statement.instance.data.server(), attempts).await?;
            }
        }
    }
}

fn by_name(parameters: Vec<(String, SqlType)>) -> Result<BTreeMap<String, SqlType>> {
    let mut of = BTreeMap::new();
    for (name, sql_type) in parameters {
        if !sql_type.is_parameter_type() {
            return Err(Error::invalid(format!(
                "parameter {name} has the type {sql_type}, and a parameter is a scalar or an array \
                 of scalars"
            )));
        }
        if of.insert(name.clone(), sql_type).is_some() {
            return Err(Error::invalid(format!("parameter {name} is declared twice")));
        }
    }
    Ok(of)
}

impl PreparedQuery {
    /// The text of the query.
    ///
    /// See [`columns`](Self::columns) for an example.
    pub fn text(&self) -> &str {
        self.statement.text()
    }

    /// The columns of the result, as far as they are known. They change if the query has expired,
    /// and the tables have changed before the client prepares it again.
    ///
    /// ```
    /// # use tallrow::Client;
    /// # use tallrow::query::SqlType;
    /// # use tallrow_mock::{MockCluster, MockQuery, MockSqlType};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let mock = MockCluster::builder().bigtable_port(0).start().await?;
    /// # let answer = MockQuery::new("SELECT TO_INT64(c['hits']) AS hits FROM pages");
    /// # mock.answer_query(answer.column("hits", MockSqlType::Int64));
    /// # let client = Client::connect(&mock.bigtable_url().unwrap()).await?;
    /// let text = "SELECT TO_INT64(c['hits']) AS hits FROM pages";
    /// let query = client.prepare(text, []).await?;
    /// assert_eq!(query.text(), text);
    /// let columns = query.columns();
    /// assert_eq!((columns[0].name(), columns[0].sql_type()), ("hits", &SqlType::Int64));
    /// # Ok(())
    /// # }
    /// ```
    pub fn columns(&self) -> Arc<[SqlField]> {
        self.statement.plan().map(|plan| plan.columns.clone()).unwrap_or_default()
    }

    /// Sets a parameter for one execution. [`execute`](BoundQuery::execute) checks that the query
    /// has a parameter of this name and type.
    ///
    /// See [`PreparedQuery`] for an example.
    pub fn bind(&self, name: impl Into<String>, value: impl IntoSqlValue) -> BoundQuery {
        BoundQuery::new(self.statement.clone()).bind(name, value)
    }

    /// Executes a query without parameters, and returns its rows as values of `T`.
    ///
    /// ```
    /// # use tallrow::Client;
    /// # use tallrow_mock::{MockCluster, MockQuery, MockSqlType, MockSqlValue};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let mock = MockCluster::builder().bigtable_port(0).start().await?;
    /// # mock.answer_query(
    /// #     MockQuery::new("SELECT COUNT(*) FROM pages")
    /// #         .column("", MockSqlType::Int64)
    /// #         .row([MockSqlValue::Int64(3)]),
    /// # );
    /// # let client = Client::connect(&mock.bigtable_url().unwrap()).await?;
    /// let query = client.prepare("SELECT COUNT(*) FROM pages", []).await?;
    /// assert_eq!(query.execute::<(i64,)>()?.next_row().await?, Some((3,)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The query has parameters.
    pub fn execute<T: FromSqlRow>(&self) -> Result<QueryRows<T>> {
        BoundQuery::new(self.statement.clone()).execute()
    }
}

impl fmt::Debug for PreparedQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreparedQuery").field("text", &self.text()).finish_non_exhaustive()
    }
}

/// A prepared query with the values of its parameters for one execution.
///
/// See [`PreparedQuery`] for an example.
#[must_use = "the query is not executed yet"]
#[derive(Clone)]
pub struct BoundQuery {
    statement: Arc<Statement>,
    values: BTreeMap<String, Value>,
    /// What is wrong with the parameters.
    problem: Option<String>,
}

impl BoundQuery {
    fn new(statement: Arc<Statement>) -> Self {
        Self { statement, values: BTreeMap::new(), problem: None }
    }

    /// Sets another parameter. A later value of a parameter replaces an earlier one.
    ///
    /// See [`PreparedQuery`] for an example.
    pub fn bind(mut self, name: impl Into<String>, value: impl IntoSqlValue) -> Self {
        let (name, value) = (name.into(), value.into_sql_value());
        let problem = match self.statement.parameters.get(&name) {
            None => Some(format!("the query was prepared without a parameter {name}")),
            Some(of) if !of.admits(&value) => {
                let found = value.kind();
                Some(format!("parameter {name} has the type {of}, and the value is of {found}"))
            }
            Some(of) => {
                self.values.insert(name, parameter_message(value, of));
                None
            }
        };
        self.problem = self.problem.or(problem);
        self
    }

    /// Executes the query, and returns its rows as values of `T`: as tuples, as structs, or as
    /// [`SqlRow`](crate::query::SqlRow).
    ///
    /// See [`PreparedQuery`] for an example. Nothing is sent before the first row is requested.
    ///
    /// # Errors
    /// A parameter that the query does not have, a value of another type than that of its
    /// parameter, or a parameter without a value.
    pub fn execute<T: FromSqlRow>(self) -> Result<QueryRows<T>> {
        let mut all = self.statement.parameters.iter();
        let missing = all.find(|(name, _)| !self.values.contains_key(*name));
        let missing = missing.map(|(name, of)| {
            format!("parameter {name} of type {of} has no value; set it by `bind`")
        });
        match self.problem.or(missing) {
            Some(problem) => {
                Err(Error::invalid(problem).with_operation_if_unset(EXECUTE_OPERATION))
            }
            None => Ok(QueryRows::new(Execution::new(self.statement, self.values))),
        }
    }
}

impl fmt::Debug for BoundQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.values.keys().collect();
        let text = self.statement.text();
        f.debug_struct("BoundQuery")
            .field("text", &text)
            .field("parameters", &names)
            .finish_non_exhaustive()
    }
}
