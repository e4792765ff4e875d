//! Tasks that several callers wait for, and that continue even if the callers are dropped; and a
//! function with which one caller runs many futures concurrently.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared, join_all};
use tokio::time::{Instant, timeout_at};

use crate::observe::CallerContext;
use crate::{Error, ErrorKind, Result};

/// The least time that a caller must have left to start the work again: with less, the new work
/// would end before a server can answer, with an error that says less than the first one.
const SHORTEST: Duration = Duration::from_millis(10);

#[derive(Clone)]
pub(crate) struct SharedTask<T> {
    output: Shared<BoxFuture<'static, Result<T, Failure>>>,
    deadline: Instant,
}

/// Why the work of a task failed.
#[derive(Clone)]
struct Failure {
    error: Arc<Error>,
    /// Whether the work ended because it had no time left, and not because of the error alone.
    was_out_of_time: bool,
}

impl<T: Clone + Send + Sync + 'static> SharedTask<T> {
    /// Starts a task for `work`, which must end by `deadline` itself.
    pub(crate) fn spawn(
        deadline: Instant,
        work: impl Future<Output = Result<T>> + Send + 'static,
    ) -> Self {
        let began = Instant::now();
        let time = deadline.saturating_duration_since(began);
        // Work gives up somewhat before its deadline if another attempt would be too late, at most
        // by an eighth of its time (`Attempts::is_out_of_time`).
        let last_attempts_from = began + (time - time / 8);
        let work = async move {
            work.await.map_err(|error| Failure {
                error: Arc::new(error),
                was_out_of_time: Instant::now() >= last_attempts_from,
            })
        };
        let task = tokio::spawn(CallerContext::current(None).instrument(work));
        let output = async {
            task.await.unwrap_or_else(|ended| {
                let text = "the task that did it for all callers was ended";
                let error = Error::new(ErrorKind::OutcomeUnknown, text).caused_by(ended);
                Err(Failure { error: Arc::new(error), was_out_of_time: false })
            })
        };
        Self { output: output.boxed().shared(), deadline }
    }

    /// Whether a caller has already received the output.
    pub(crate) fn was_received(&self) -> bool {
        self.output.peek().is_some()
    }

    /// Waits for the output of the work. If there is none by `deadline`, the deadline of the
    /// caller, fails with an error of kind `Timeout`.
    pub(crate) async fn wait_until(self, deadline: Instant) -> Result<T> {
        self.output_by(deadline).await?.map_err(|failure| Error::from_shared(failure.error))
    }

    /// Waits like [`wait_until`](Self::wait_until), but returns `None` if the work had no time left
    /// and this caller has: the work had the deadline of the caller that started it. The caller
    /// then starts the work again, with its own deadline, or waits for another caller that does.
    pub(crate) async fn wait_or_restart(self, deadline: Instant) -> Result<Option<T>> {
        let is_of_another = self.deadline < deadline;
        match self.output_by(deadline).await? {
            Ok(output) => Ok(Some(output)),
            Err(failure)
                if failure.was_out_of_time
                    && is_of_another
                    && Instant::now() + SHORTEST <= deadline =>
            {
                Ok(None)
            }
            Err(failure) => Err(Error::from_shared(failure.error)),
        }
    }

    async fn output_by(self, deadline: Instant) -> Result<Result<T, Failure>> {
        if deadline < self.deadline {
            let late = |_| Error::new(ErrorKind::Timeout, "it was not done by the deadline");
            return timeout_at(deadline, self.output).await.map_err(late);
        }
        // No timeout here: the error of the work itself at its deadline says more.
        Ok(self.output.await)
    }
}

/// Runs all futures concurrently, and returns their outputs in the order of the futures.
///
/// The futures run without tokio's cooperative budget: once a task has used up this budget, all of
/// its futures are pending, so a hundred thousand futures would be polled again for every 128 that
/// make progress.
pub(crate) async fn run_concurrently<F: Future>(
    futures: impl IntoIterator<Item = F>,
) -> Vec<F::Output> {
    tokio::task::coop::unconstrained(join_all(futures)).await
}

#[cfg(test)]
mod tests {
    use tokio::time::sleep_until;

    use super::*;

    /// Work that nobody answers: it ends at its deadline.
    fn unanswered(deadline: Instant) -> SharedTask<u64> {
        SharedTask::spawn(deadline, async move {
            sleep_until(deadline).await;
            Err(Error::new(ErrorKind::Timeout, "no answer"))
        })
    }

    #[tokio::test(start_paused = true)]
    async fn each_caller_waits_until_its_own_deadline() {
        let began = Instant::now();
        let second = Duration::from_secs(1);
        let task = unanswered(began + 2 * second);
        let error = task.clone().wait_or_restart(began + second).await.unwrap_err();
        assert_eq!((error.kind(), began.elapsed()), (ErrorKind::Timeout, second));
        // This caller started the work, and has no time to start it again.
        let error = task.clone().wait_or_restart(began + 2 * second).await.unwrap_err();
        assert_eq!((error.message().as_ref(), began.elapsed()), ("no answer", 2 * second));
        assert_eq!(task.wait_or_restart(began + 3 * second).await.unwrap(), None);
        assert_eq!(began.elapsed(), 2 * second);
    }

    #[tokio::test(start_paused = true)]
    async fn an_error_that_is_not_of_the_deadline_is_that_of_every_caller() {
        let began = Instant::now();
        let second = Duration::from_secs(1);
        let task: SharedTask<u64> = SharedTask::spawn(began + 2 * second, async move {
            sleep_until(began + second).await;
            Err(Error::new(ErrorKind::PermissionDenied, "not you"))
        });
        let error = task.wait_or_restart(began + 9 * second).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::PermissionDenied);
    }
}
