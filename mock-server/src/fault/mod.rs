//! Faults as data: what goes wrong, with which calls or connections, and when. Seeded, so that a run can be repeated.

mod call;
mod connection;
mod rules;
mod schedule;

use bytes::Bytes;

pub use call::FaultPoint;
pub(crate) use call::{Effect, FaultCall};
pub(crate) use connection::ConnectionEffect;
pub use connection::ConnectionFaultPoint;
pub(crate) use rules::{Faults, of_a_bug};

use crate::methods;

/// A fault: some calls or connections, and what goes wrong with them.
///
/// ```
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// use tallrow_mock::{Fault, MockCluster};
///
/// let cluster = MockCluster::start().await.unwrap();
/// // The third Mutate of table t is applied, and its answer never arrives.
/// cluster.inject(Fault::on("Mutate").table("t").nth(3).lose_reply());
/// // One Get in ten finds the call queue full, for ever.
/// cluster.inject(Fault::on("Get").chance(0.1).throw("org.apache.hadoop.hbase.CallQueueTooBigException", "full"));
/// // Region server 1 accepts connections and never says anything.
/// cluster.inject(Fault::on_connect().server(1).say_nothing());
/// assert_eq!(cluster.unfired_faults().len(), 3);
/// cluster.clear_faults();
/// # cluster.shutdown().await;
/// # });
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Fault(Kind);

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Call(FaultPoint, Effect),
    Connection(ConnectionFaultPoint, ConnectionEffect),
}

/// A length prefix of 2 GiB less one byte, the largest a Java client reads as positive, and nothing after it.
const HUGE_FRAME: Bytes = Bytes::from_static(&[0x7F, 0xFF, 0xFF, 0xFF]);

impl Fault {
    /// A fault on calls of this method, by its name on the wire: `"Get"`, `"Mutate"`, `"Multi"`, `"Scan"`,
    /// `"GetMetaRegionLocations"`, `"CreateTable"`, `"getProcedureResult"`, ... On all of them, unless
    /// [`FaultPoint`] narrows it. Lookups of regions are `"Scan"` of table `"hbase:meta"`.
    ///
    /// See [`Fault`] for an example.
    ///
    /// # Panics
    /// No service of the mock has a method of this name: the fault could never fire. The message lists near names.
    #[track_caller]
    pub fn on(method: &str) -> FaultPoint {
        #[expect(clippy::panic, reason = "a misspelt method is a bug of the test that asks for it")]
        if !methods::exists(method) {
            let near = methods::near(method).join(", ");
            panic!("inject a fault on {method}: no service has this method; near names: {near}");
        }
        FaultPoint::new(method)
    }

    /// A fault on connections, when they are accepted and before anything is read from them. On all of them, to the
    /// master too, unless [`ConnectionFaultPoint`] narrows it. Connections that are open already are not touched.
    ///
    /// See [`ConnectionFaultPoint`] for an example.
    pub fn on_connect() -> ConnectionFaultPoint {
        ConnectionFaultPoint::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panic_of(method: &'static str) -> String {
        let panic = std::panic::catch_unwind(|| Fault::on(method)).unwrap_err();
        panic.downcast_ref::<String>().unwrap().clone()
    }

    #[test]
    fn a_misspelt_method_is_refused_with_near_names() {
        assert_eq!(
            panic_of("GetProcedureResult"),
            "inject a fault on GetProcedureResult: no service has this method; near names: getProcedureResult"
        );
        assert!(panic_of("Mutat").ends_with("near names: Mutate, Multi, Get, Scan"));
        assert!(panic_of("Put").contains("near names: Get, "), "{}", panic_of("Put"));
        assert!(panic_of("").contains("near names: Get, "), "{}", panic_of(""));
    }
}
