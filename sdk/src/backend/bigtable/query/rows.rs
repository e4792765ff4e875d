//! `QueryRows`, the rows of a query's result as a stream.

use std::fmt;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use futures_core::Stream;
use futures_util::TryStreamExt;
use futures_util::future::BoxFuture;

use super::execution::{EXECUTE_OPERATION, Execution};
use crate::Result;
use crate::model::query::{FromSqlRow, SqlField, SqlRow};

/// The rows of a query's result, in the order in which the service returns them.
///
/// Nothing is sent before the first row is requested. Dropping the stream ends the query, on the
/// server too. After an error the stream returns no more rows. If the stream from the service
/// breaks, it is resumed where it ended, so that each row is returned once.
///
/// See [`PreparedQuery`](crate::query::PreparedQuery) for an example.
#[must_use = "no row is read until it is requested"]
pub struct QueryRows<T = SqlRow> {
    state: State,
    columns: Arc<[SqlField]>,
    rows: PhantomData<fn() -> T>,
}

enum State {
    Idle(Box<Execution>),
    Fetching(BoxFuture<'static, (Box<Execution>, Result<()>)>),
    Ended,
}

impl<T: FromSqlRow> QueryRows<T> {
    pub(super) fn new(execution: Execution) -> Self {
        let columns = execution.columns();
        Self { state: State::Idle(Box::new(execution)), columns, rows: PhantomData }
    }

    /// Returns the next row; `None` at the end.
    ///
    /// See [`PreparedQuery`](crate::query::PreparedQuery) for an example. The future may be dropped
    /// before it is done, and no row is lost by this.
    ///
    /// # Errors
    /// No row arrives within [`page_timeout`](crate::Config::page_timeout); the service rejects the
    /// query; a row that is not one of `T` ([`Decode`](crate::ErrorKind::Decode)), after which
    /// further rows can be read; an answer that contradicts the prepared query
    /// ([`Protocol`](crate::ErrorKind::Protocol)).
    pub async fn next_row(&mut self) -> Result<Option<T>> {
        std::future::poll_fn(|cx| self.poll_row(cx)).await.transpose()
    }

    /// Returns all remaining rows, in a `Vec` or another collection.
    ///
    /// See [`PreparedQuery`](crate::query::PreparedQuery) for an example.
    ///
    /// # Errors
    /// The error of the first row that cannot be read, as in [`next_row`](Self::next_row).
    pub async fn try_collect<C: Default + Extend<T>>(self) -> Result<C> {
        TryStreamExt::try_collect(self).await
    }

    /// The columns of the rows. Before the first row or the end of the rows, these are the columns
    /// of the prepared query; after that, the columns of the result. The two differ if the query
    /// had expired, the tables had changed, and the query was prepared again.
    ///
    /// See [`PreparedQuery::columns`](crate::query::PreparedQuery::columns) for an example.
    pub fn columns(&self) -> &[SqlField] {
        &self.columns
    }

    fn poll_row(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<T>>> {
        loop {
            match &mut self.state {
                State::Idle(execution) => {
                    if let Some(row) = execution.next_row() {
                        let row = row.and_then(|row| T::from_sql_row(&row));
                        let row =
                            row.map_err(|error| error.with_operation_if_unset(EXECUTE_OPERATION));
                        return Poll::Ready(Some(row));
                    }
                    if execution.is_over() {
                        self.state = State::Ended;
                        return Poll::Ready(None);
                    }
                    let State::Idle(mut execution) =
                        std::mem::replace(&mut self.state, State::Ended)
                    else {
                        continue;
                    };
                    self.state = State::Fetching(Box::pin(async move {
                        let fetched = execution.fetch().await;
                        (execution, fetched)
                    }));
                }
                State::Fetching(fetch) => {
                    let (execution, fetched) = ready!(fetch.as_mut().poll(cx));
                    self.columns = execution.columns();
                    self.state = State::Idle(execution);
                    if let Err(error) = fetched {
                        self.state = State::Ended;
                        return Poll::Ready(Some(Err(error)));
                    }
                }
                State::Ended => return Poll::Ready(None),
            }
        }
    }
}

impl<T: FromSqlRow> Stream for QueryRows<T> {
    type Item = Result<T>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll_row(cx)
    }
}

impl<T> fmt::Debug for QueryRows<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QueryRows").field("columns", &self.columns).finish_non_exhaustive()
    }
}
