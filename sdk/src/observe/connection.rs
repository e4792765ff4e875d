//! Reports the events of one connection to the observers, including its end when it is dropped.

use std::sync::Arc;
use std::time::Duration;

use super::event::{AnswerEvent, CallEvent, ConnectionInfo, WindowCause, WindowEvent};
use super::observer::Observer;
use super::observers::Observers;
#[cfg(feature = "metrics")]
use super::series::ServerSeries;

/// A connection that is observed: it reports its end when it is dropped.
#[derive(Debug)]
pub(crate) struct ObservedConnection {
    observers: Arc<Observers>,
    server: Arc<str>,
    service: &'static str,
    #[cfg(feature = "metrics")]
    series: Arc<ServerSeries>,
    is_open: bool,
    /// The number of calls without an answer.
    calls: usize,
    broken: Option<String>,
}

impl ObservedConnection {
    /// Makes a connection that is not open yet.
    pub(crate) fn new(
        observers: &Arc<Observers>,
        server: &Arc<str>,
        service: &'static str,
    ) -> Self {
        Self {
            observers: observers.clone(),
            server: server.clone(),
            service,
            #[cfg(feature = "metrics")]
            series: observers.counters.server(server),
            is_open: false,
            calls: 0,
            broken: None,
        }
    }

    pub(crate) fn report_opened(mut self, elapsed: Duration) -> Self {
        self.is_open = true;
        self.observers.connection_opened(&self.event(), elapsed);
        self
    }

    pub(crate) fn report_refused(self, why: &str) {
        self.observers.connection_refused(&self.event(), why);
    }

    pub(crate) fn report_call(&mut self, operations: usize, bytes: usize) {
        self.calls += 1;
        self.observers.call_sent(&self.event(), CallEvent { operations, bytes });
    }

    pub(crate) fn report_answer(&mut self, bytes: usize, elapsed: Duration, failed: bool) {
        self.calls = self.calls.saturating_sub(1);
        self.observers.call_answered(&self.event(), AnswerEvent { bytes, elapsed, failed });
    }

    /// Reports that `calls` calls are given up; their answers will be ignored.
    pub(crate) fn report_abandoned_calls(&mut self, calls: usize) {
        if calls > 0 {
            self.calls = self.calls.saturating_sub(calls);
            self.observers.calls_abandoned(&self.event(), calls);
        }
    }

    /// Reports how many calls may be outstanding at the server from now on (any number if `calls`
    /// is `None`), and the cause of this change.
    pub(crate) fn report_window(&self, calls: Option<usize>, cause: Option<WindowCause>) {
        self.observers.window_changed(&self.event(), WindowEvent { calls, cause });
    }

    /// Records why the connection ends.
    pub(crate) fn set_broken(&mut self, why: String) {
        self.broken = Some(why);
    }

    fn event(&self) -> ConnectionInfo<'_> {
        ConnectionInfo {
            server: &self.server,
            service: self.service,
            #[cfg(feature = "metrics")]
            series: &self.series,
        }
    }
}

impl Drop for ObservedConnection {
    fn drop(&mut self) {
        if self.is_open {
            self.report_abandoned_calls(self.calls);
            self.observers.connection_closed(&self.event(), self.broken.as_deref());
        }
    }
}
