//! Many operations of one caller.

use futures_util::future::join_all;

/// Runs all of these side by side, and returns their outputs in their order.
///
/// Without tokio's budget: a task that used it up is told to wait by each of its futures, so a hundred thousand of them
/// would all be polled again for every 128 that get on.
pub(crate) async fn together<F: Future>(futures: impl IntoIterator<Item = F>) -> Vec<F::Output> {
    tokio::task::coop::unconstrained(join_all(futures)).await
}
