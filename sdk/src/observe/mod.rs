//! The observation of a client: metrics, and an [`Observer`] for what the metrics do not contain.
//!
//! [`Client::metrics`](crate::Client::metrics) returns the [`Metrics`] of a client: the times of
//! each operation by table, the calls and bytes by server, and the retries by cause. Metrics are
//! collected by default; without the feature `metrics` there is no code for them.

mod caller;
mod connection;
mod event;
#[cfg(feature = "metrics")]
mod histogram;
mod json;
#[cfg(feature = "metrics")]
mod metrics;
mod observer;
mod observers;
#[cfg(feature = "opentelemetry-033")]
mod opentelemetry;
mod operation;
mod pressure;
#[cfg(all(feature = "metrics", feature = "prometheus"))]
mod prometheus;
#[cfg(feature = "metrics")]
mod recorder;
#[cfg(feature = "metrics")]
mod series;
mod settings;
mod slow;
mod slow_log;
#[cfg(feature = "metrics")]
mod snapshot;
mod span;
mod trace_context;

pub use event::{
    AnswerEvent, AttemptEvent, CallEvent, ConnectionInfo, MetaLookupEvent, OperationEnd,
    OperationInfo, RegionCacheEvent, ReplicaEvent, WindowCause, WindowEvent,
};
#[cfg(feature = "metrics")]
pub use histogram::Histogram;
pub use observer::Observer;
#[cfg(feature = "opentelemetry-033")]
pub use opentelemetry::OpenTelemetry;
pub use pressure::Backpressure;
pub use slow::SlowOperation;
#[cfg(feature = "metrics")]
pub use snapshot::{
    Metrics, OperationMetrics, PressureMetrics, RegionCacheMetrics, ReplicaMetrics, ServerMetrics,
};
pub use trace_context::TraceContext;

pub(crate) use caller::CallerContext;
pub(crate) use connection::ObservedConnection;
pub(crate) use json::JsonWriter;
pub(crate) use observers::Observers;
pub(crate) use operation::ObservedOperation;
pub(crate) use settings::ObserverSettings;
