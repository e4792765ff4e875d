//! The settings of a configuration for observing a client: observers, slow operations, traces, and
//! how row keys are shown.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::observer::Observer;
use super::slow::SlowOperation;
use super::trace_context::TraceContext;
use crate::RowKeyDisplay;

/// The settings of a configuration for observing a client.
#[derive(Clone, Default)]
pub(crate) struct ObserverSettings {
    pub(crate) observers: Vec<Arc<dyn Observer>>,
    pub(crate) slow: Option<(Duration, Arc<TellSlow>)>,
    pub(crate) trace_context: Option<Arc<CurrentTrace>>,
    pub(crate) row_keys: RowKeyDisplay,
}

type CurrentTrace = dyn Fn() -> Option<TraceContext> + Send + Sync;
type TellSlow = dyn Fn(&SlowOperation<'_>) + Send + Sync;

/// Two settings are equal if they have the same values and the very same observers and functions.
impl PartialEq for ObserverSettings {
    fn eq(&self, other: &Self) -> bool {
        let same = |(one, other): (&Arc<dyn Observer>, _)| Arc::ptr_eq(one, other);
        let observers = self.observers.len() == other.observers.len()
            && self.observers.iter().zip(&other.observers).all(same);
        let slow = match (&self.slow, &other.slow) {
            (None, None) => true,
            (Some(one), Some(other)) => one.0 == other.0 && Arc::ptr_eq(&one.1, &other.1),
            _ => false,
        };
        let trace = match (&self.trace_context, &other.trace_context) {
            (None, None) => true,
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            _ => false,
        };
        observers && slow && trace && self.row_keys == other.row_keys
    }
}

impl fmt::Debug for ObserverSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Observation")
            .field("observers", &self.observers.len())
            .field("slow", &self.slow.as_ref().map(|(threshold, _)| threshold))
            .field("trace_context", &self.trace_context.is_some())
            .field("row_keys", &self.row_keys)
            .finish()
    }
}
