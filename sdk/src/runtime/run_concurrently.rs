//! Many operations of one caller.

use futures_util::future::join_all;

/// Runs all of these concurrently, and returns their outputs in their order.
///
/// Without tokio's cooperative budget: once a task has used it up, all its futures are pending, so a hundred thousand
/// of them would be polled again for every 128 that make progress.
pub(crate) async fn together<F: Future>(futures: impl IntoIterator<Item = F>) -> Vec<F::Output> {
    tokio::task::coop::unconstrained(join_all(futures)).await
}
