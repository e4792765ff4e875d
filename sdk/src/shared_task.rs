//! Work that several callers wait for, and that goes on if they are dropped.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared};
use tokio::time::{Instant, timeout_at};

use crate::{Error, ErrorKind, Result};

#[derive(Clone)]
pub(crate) struct SharedTask<T>(Shared<BoxFuture<'static, Result<T, Arc<Error>>>>);

impl<T: Clone + Send + Sync + 'static> SharedTask<T> {
    pub(crate) fn spawn(work: impl Future<Output = Result<T>> + Send + 'static) -> Self {
        let task = tokio::spawn(work);
        let output = async {
            match task.await {
                Ok(output) => output.map_err(Arc::new),
                Err(ended) => {
                    let text = "the task that did it for all callers was ended";
                    Err(Arc::new(Error::new(ErrorKind::OutcomeUnknown, text).caused_by(ended)))
                }
            }
        };
        Self(output.boxed().shared())
    }

    /// Whether a caller has got its output already.
    pub(crate) fn is_done(&self) -> bool {
        self.0.peek().is_some()
    }

    /// Its output, for the caller whose deadline it has.
    pub(crate) async fn wait(self) -> Result<T> {
        self.0.await.map_err(Error::shared)
    }

    /// Its output, for another caller; an error of kind `Timeout` if there is none by then.
    pub(crate) async fn wait_until(self, deadline: Instant) -> Result<T> {
        match timeout_at(deadline, self.wait()).await {
            Ok(output) => output,
            Err(_) => Err(Error::new(ErrorKind::Timeout, "it was not done by the deadline")),
        }
    }
}
