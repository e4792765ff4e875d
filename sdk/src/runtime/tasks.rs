//! Tasks that several callers wait for, and that continue even if the callers are dropped; and a
//! function with which one caller runs many futures concurrently.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared, join_all};
use tokio::time::{Instant, timeout_at};

use crate::observe::CallerContext;
use crate::{Error, ErrorKind, Result};

#[derive(Clone)]
pub(crate) struct SharedTask<T> {
    output: Shared<BoxFuture<'static, Result<T, Arc<Error>>>>,
    deadline: Instant,
}

impl<T: Clone + Send + Sync + 'static> SharedTask<T> {
    /// Starts a task for `work`, which must end by `deadline` itself.
    pub(crate) fn spawn(
        deadline: Instant,
        work: impl Future<Output = Result<T>> + Send + 'static,
    ) -> Self {
        let task = tokio::spawn(CallerContext::current(None).instrument(work));
        let output = async {
            match task.await {
                Ok(output) => output.map_err(Arc::new),
                Err(ended) => {
                    let text = "the task that did it for all callers was ended";
                    Err(Arc::new(Error::new(ErrorKind::OutcomeUnknown, text).caused_by(ended)))
                }
            }
        };
        Self { output: output.boxed().shared(), deadline }
    }

    /// Whether a caller has already received the output.
    pub(crate) fn is_done(&self) -> bool {
        self.output.peek().is_some()
    }

    /// Waits for the output of the work. If there is none by `deadline`, the deadline of the
    /// caller, fails with an error of kind `Timeout`.
    pub(crate) async fn wait_until(self, deadline: Instant) -> Result<T> {
        let output = if deadline < self.deadline {
            let late = |_| Error::new(ErrorKind::Timeout, "it was not done by the deadline");
            timeout_at(deadline, self.output).await.map_err(late)?
        } else {
            // No timeout here: the error of the work itself at its deadline says more.
            self.output.await
        };
        output.map_err(Error::from_shared)
    }
}

/// Runs all futures concurrently, and returns their outputs in the order of the futures.
///
/// The futures run without tokio's cooperative budget: once a task has used it up, all of its
/// futures are pending, so a hundred thousand futures would be polled again for every 128 that make
/// progress.
pub(crate) async fn run_concurrently<F: Future>(
    futures: impl IntoIterator<Item = F>,
) -> Vec<F::Output> {
    tokio::task::coop::unconstrained(join_all(futures)).await
}
