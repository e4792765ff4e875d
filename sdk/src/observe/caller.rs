//! The span and the trace that a task inherits from the task that started it.

use super::trace_context::TraceContext;

tokio::task_local! {
    static TRACE: Option<TraceContext>;
}

/// The caller that a task works for: the span and the trace of the task that started it.
#[derive(Debug)]
pub(crate) struct CallerContext {
    #[cfg(feature = "tracing")]
    span: tracing::Span,
    trace: Option<TraceContext>,
}

impl CallerContext {
    /// Makes a caller with the span of the current task, and with this trace.
    pub(crate) fn current(trace: Option<TraceContext>) -> Self {
        Self {
            #[cfg(feature = "tracing")]
            span: tracing::Span::current(),
            trace,
        }
    }

    /// Runs `future` in the span and the trace of this caller, in whatever task it is polled.
    pub(crate) fn instrument<F: Future>(
        self,
        future: F,
    ) -> impl Future<Output = F::Output> + use<F> {
        let future = TRACE.scope(self.trace, future);
        #[cfg(feature = "tracing")]
        let future = tracing::Instrument::instrument(future, self.span);
        future
    }
}

/// Returns the trace of the task that started this one.
pub(super) fn inherited_trace() -> Option<TraceContext> {
    TRACE.try_with(Clone::clone).ok().flatten()
}
