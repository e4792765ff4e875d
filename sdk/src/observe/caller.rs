//! Work that goes on in a task of its own, for the task that started it.

use super::trace_context::TraceContext;

tokio::task_local! {
    static TRACE: Option<TraceContext>;
}

/// Whom a task works for: the span and the trace of the task that starts it.
#[derive(Debug)]
pub(crate) struct Caller {
    #[cfg(feature = "tracing")]
    span: tracing::Span,
    trace: Option<TraceContext>,
}

impl Caller {
    /// The current task, which has this trace.
    pub(crate) fn current(trace: Option<TraceContext>) -> Self {
        Self {
            #[cfg(feature = "tracing")]
            span: tracing::Span::current(),
            trace,
        }
    }

    /// Makes `future` work for this caller, in whatever task it is polled.
    pub(crate) fn around<F: Future>(self, future: F) -> impl Future<Output = F::Output> + use<F> {
        let future = TRACE.scope(self.trace, future);
        #[cfg(feature = "tracing")]
        let future = tracing::Instrument::instrument(future, self.span);
        future
    }
}

/// The trace of the task that started this one.
pub(super) fn inherited() -> Option<TraceContext> {
    TRACE.try_with(Clone::clone).ok().flatten()
}
