//! Builds faults on connections.

use std::time::Duration;

use bytes::Bytes;

use super::effect::{ConnectionEffect, HUGE_FRAME, unsolicited_reply};
use super::fault::{Fault, FaultKind, Schedule};
use crate::state::Role;

impl Fault {
    /// Returns a builder for a fault on new connections, before anything is read from them. The
    /// fault applies to all new connections, including those to the master, unless the
    /// [`ConnectionFaultBuilder`] selects some. Connections that are already open are not affected.
    ///
    /// See [`ConnectionFaultBuilder`] for an example.
    pub fn on_connect() -> ConnectionFaultBuilder {
        ConnectionFaultBuilder(Schedule::always())
    }
}

/// A builder of a fault on connections: it selects the connections, and then how they fail. Made by
/// [`Fault::on_connect`].
///
/// ```
/// use std::time::Duration;
/// use tallrow_mock::Fault;
///
/// let faults = [
///     // Which connections:
///     Fault::on_connect().never_reply(),                   // every connection
///     Fault::on_connect().master().close(),                // those to the master
///     Fault::on_connect().server(1).nth(2).never_reply(),  // the second one to region server 1
///     Fault::on_connect().times(5).close(),                // the first five
///     Fault::on_connect().chance(0.1).close(),             // one in ten
///     // How else they can fail:
///     Fault::on_connect().trickle(Duration::from_secs(1)),
///     Fault::on_connect().garbage(&b"HTTP/1.1 400 Bad Request\r\n"[..]),
///     Fault::on_connect().huge_frame(),
///     Fault::on_connect().unsolicited_reply(),
/// ];
/// assert_eq!(faults.len(), 9);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct ConnectionFaultBuilder(pub(super) Schedule);

impl ConnectionFaultBuilder {
    /// Selects connections to this region server.
    ///
    /// See [`ConnectionFaultBuilder`] for an example.
    pub fn server(mut self, server: usize) -> Self {
        self.0.on(Role::RegionServer(server));
        self
    }

    /// Selects connections to the master.
    ///
    /// See [`ConnectionFaultBuilder`] for an example.
    pub fn master(mut self) -> Self {
        self.0.on(Role::Master);
        self
    }

    /// Selects connections to ZooKeeper.
    ///
    /// ```
    /// use tallrow_mock::Fault;
    ///
    /// let zookeeper = Fault::on_connect().zookeeper().close();
    /// assert_ne!(zookeeper, Fault::on_connect().master().close());
    /// ```
    pub fn zookeeper(mut self) -> Self {
        self.0.on(Role::ZooKeeper);
        self
    }

    /// Selects connections to Bigtable's services.
    ///
    /// ```
    /// use tallrow_mock::Fault;
    ///
    /// let (bigtable, any) = (Fault::on_connect().bigtable().close(), Fault::on_connect().close());
    /// assert_ne!(bigtable, any);
    /// ```
    #[cfg(feature = "bigtable")]
    pub fn bigtable(mut self) -> Self {
        self.0.on(Role::Bigtable);
        self
    }

    /// Selects the `n`th matching connection after the injection of the fault, counted from 1. With
    /// [`ConnectionFaultBuilder::times`], the connections after it are selected too.
    ///
    /// See [`ConnectionFaultBuilder`] for an example.
    pub fn nth(mut self, n: u64) -> Self {
        self.0.nth(n);
        self
    }

    /// Selects at most `times` connections.
    ///
    /// See [`ConnectionFaultBuilder`] for an example.
    pub fn times(mut self, times: u64) -> Self {
        self.0.times(times);
        self
    }

    /// Selects each matching connection with this probability, 0.0 to 1.0. The decisions are
    /// derived from the seed of the cluster.
    ///
    /// See [`ConnectionFaultBuilder`] for an example.
    pub fn chance(mut self, chance: f64) -> Self {
        self.0.chance(chance);
        self
    }

    /// The connection is accepted, and nothing is ever written to it. What is received is ignored.
    ///
    /// See [`ConnectionFaultBuilder`] for an example.
    pub fn never_reply(self) -> Fault {
        self.does(ConnectionEffect::Write(Bytes::new()))
    }

    /// The connection is accepted and closed at once.
    ///
    /// See [`ConnectionFaultBuilder`] for an example.
    pub fn close(self) -> Fault {
        self.does(ConnectionEffect::Close)
    }

    /// The connection works, but everything is written a byte at a time, with this pause before
    /// each byte.
    ///
    /// See [`ConnectionFaultBuilder`] for an example.
    pub fn trickle(self, pause: Duration) -> Fault {
        self.does(ConnectionEffect::Trickle(pause))
    }

    /// These bytes are written at once, and nothing after them. What is received is ignored.
    ///
    /// See [`ConnectionFaultBuilder`] for an example.
    pub fn garbage(self, bytes: impl Into<Bytes>) -> Fault {
        self.does(ConnectionEffect::Write(bytes.into()))
    }

    /// The length of a huge frame, 2^31 - 1 bytes, is written at once, and nothing after it. What
    /// is received is ignored.
    ///
    /// See [`ConnectionFaultBuilder`] for an example.
    pub fn huge_frame(self) -> Fault {
        self.garbage(HUGE_FRAME)
    }

    /// The reply to a call that was never made is written at once, and nothing after it. What is
    /// received is ignored.
    ///
    /// See [`ConnectionFaultBuilder`] for an example.
    pub fn unsolicited_reply(self) -> Fault {
        self.garbage(unsolicited_reply())
    }

    fn does(self, effect: ConnectionEffect) -> Fault {
        Fault(FaultKind::Connection(self.0, effect))
    }
}
