//! The faults of a cluster, as a test injects, reads and removes them.

use super::cluster::MockCluster;
use crate::faults::Fault;

impl MockCluster {
    /// Injects a fault.
    ///
    /// See [`Fault`] for an example.
    pub fn inject(&self, fault: Fault) {
        self.handle.faults.add(fault);
    }

    /// Injects a fault, and returns its number.
    #[cfg(feature = "control")]
    pub(crate) fn inject_numbered(&self, fault: Fault) -> u64 {
        self.handle.faults.add(fault)
    }

    /// Removes the fault, or the planned change, with this number; returns whether there was one.
    /// The other faults keep their numbers and counts.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// use tallrow_mock::{Fault, MockCluster};
    ///
    /// let cluster = MockCluster::start().await.unwrap();
    /// cluster.inject(Fault::on("Get").drop_reply());
    /// cluster.inject(Fault::on("Mutate").not_serving());
    /// let lost = cluster.injected_faults()[0].id;
    /// assert!(cluster.remove_fault(lost));
    /// assert!(!cluster.remove_fault(lost));
    /// assert_eq!(cluster.injected_faults().len(), 1);
    /// # });
    /// ```
    pub fn remove_fault(&self, id: u64) -> bool {
        self.handle.faults.remove(id)
    }

    /// The faults that have not fired yet, in the order in which they were injected. A test can
    /// assert that this list is empty, to check that every injected fault has happened.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// use tallrow_mock::{Fault, MockCluster};
    ///
    /// let cluster = MockCluster::start().await.unwrap();
    /// cluster.inject(Fault::on_connect().nth(1).close());
    /// assert_eq!(cluster.unfired_faults(), [Fault::on_connect().nth(1).close()]);
    /// tokio::net::TcpStream::connect(cluster.rpc_address())
    ///     .await
    ///     .unwrap()
    ///     .readable()
    ///     .await
    ///     .unwrap();
    /// assert_eq!(cluster.unfired_faults(), []);
    /// # });
    /// ```
    pub fn unfired_faults(&self) -> Vec<Fault> {
        self.handle.faults.unfired()
    }

    /// Removes every fault.
    ///
    /// See [`Fault`] for an example.
    pub fn clear_faults(&self) {
        self.handle.faults.clear();
    }
}
