//! The SQL queries that a test has scripted: a text, parameters, and the rows of the answer.

use std::sync::{Arc, Mutex};

use crate::base::lock;

/// An SQL query with its answer. The mock cannot run SQL: it answers the queries that a test has
/// given to [`MockCluster::answer_query`](crate::MockCluster::answer_query).
///
/// ```
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// use tallrow_mock::{MockCluster, MockQuery, MockSqlType, MockSqlValue};
///
/// let cluster = MockCluster::builder().bigtable_port(0).start().await.unwrap();
/// let text = "SELECT CAST(_key AS STRING) AS page, TO_INT64(p['hits']) AS hits FROM pages \
///             WHERE TO_INT64(p['hits']) > @least";
/// cluster.answer_query(
///     MockQuery::new(text)
///         .parameter("least", MockSqlType::Int64, MockSqlValue::Int64(10))
///         .column("page", MockSqlType::String)
///         .column("hits", MockSqlType::Int64)
///         .row([MockSqlValue::String("/".into()), MockSqlValue::Int64(30)]),
/// );
/// # });
/// ```
#[derive(Clone, Debug)]
pub struct MockQuery {
    pub(crate) text: String,
    /// The names, types and values of the parameters.
    pub(crate) parameters: Vec<(String, MockSqlType, MockSqlValue)>,
    /// The names and types of the columns.
    pub(crate) columns: Vec<(String, MockSqlType)>,
    pub(crate) rows: Vec<Vec<MockSqlValue>>,
}

impl MockQuery {
    /// A query with this text, without parameters, columns and rows.
    ///
    /// See [`MockQuery`] for an example.
    pub fn new(text: impl Into<String>) -> Self {
        let (parameters, columns, rows) = (Vec::new(), Vec::new(), Vec::new());
        Self { text: text.into(), parameters, columns, rows }
    }

    /// Adds a parameter of this name and type. The answer is for calls in which the parameter has
    /// this value.
    ///
    /// See [`MockQuery`] for an example.
    pub fn parameter(
        mut self,
        name: impl Into<String>,
        sql_type: MockSqlType,
        value: MockSqlValue,
    ) -> Self {
        self.parameters.push((name.into(), sql_type, value));
        self
    }

    /// Adds a column to the answer.
    ///
    /// See [`MockQuery`] for an example.
    pub fn column(mut self, name: impl Into<String>, sql_type: MockSqlType) -> Self {
        self.columns.push((name.into(), sql_type));
        self
    }

    /// Adds a row to the answer. The values are sent as they are, even if they do not fit the
    /// columns.
    ///
    /// See [`MockQuery`] for an example.
    pub fn row(mut self, values: impl Into<Vec<MockSqlValue>>) -> Self {
        self.rows.push(values.into());
        self
    }

    /// Whether the queries have the same text and parameters.
    fn is_same(&self, other: &Self) -> bool {
        self.text == other.text && self.parameters == other.parameters
    }
}

/// A type of SQL.
///
/// See [`MockQuery`] for an example.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum MockSqlType {
    Bytes,
    String,
    Int64,
    Float32,
    Float64,
    Bool,
    Timestamp,
    Date,
    Array(Box<Self>),
    Struct(Vec<(String, Self)>),
    Map(Box<Self>, Box<Self>),
    /// A message of a schema bundle; its values are bytes.
    Proto {
        schema_bundle: String,
        message: String,
    },
    /// An enum of a schema bundle; its values are integers.
    Enum {
        schema_bundle: String,
        name: String,
    },
}

/// An SQL value in the form that it has in messages: a struct is an array of its fields, and a map
/// is an array of pairs, each an array of a key and a value.
///
/// See [`MockQuery`] for an example.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum MockSqlValue {
    Null,
    Bytes(Vec<u8>),
    String(String),
    Int64(i64),
    /// Of `FLOAT32` too.
    Float64(f64),
    Bool(bool),
    /// Since 1970.
    Timestamp {
        seconds: i64,
        nanos: i32,
    },
    Date {
        year: i32,
        month: i32,
        day: i32,
    },
    Array(Vec<Self>),
}

/// The scripted queries of a cluster.
#[derive(Debug, Default)]
pub(crate) struct Queries(Mutex<Scripted>);

#[derive(Debug, Default)]
struct Scripted {
    queries: Vec<Arc<MockQuery>>,
    /// How often all prepared queries have been made to expire.
    generation: u64,
}

impl Queries {
    /// Adds a query, in place of one with the same text and parameters.
    pub(crate) fn add(&self, query: MockQuery) {
        let queries = &mut lock(&self.0).queries;
        queries.retain(|other| !other.is_same(&query));
        queries.push(Arc::new(query));
    }

    /// The queries with this text, the latest first.
    pub(crate) fn with_text(&self, text: &str) -> Vec<Arc<MockQuery>> {
        let scripted = lock(&self.0);
        scripted.queries.iter().rev().filter(|query| query.text == text).cloned().collect()
    }

    /// Makes all prepared queries expire.
    pub(crate) fn expire(&self) {
        lock(&self.0).generation += 1;
    }

    /// How often all prepared queries have been made to expire.
    pub(crate) fn generation(&self) -> u64 {
        lock(&self.0).generation
    }
}
