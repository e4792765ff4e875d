//! Faults on connections.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use tallrow_wire::frame;
use tallrow_wire::proto::Empty;

use super::effect::{ConnectionEffect, HUGE_FRAME};
use super::fault::{Fault, Kind};
use super::schedule::Schedule;

/// The id of a response that nobody waits for: clients number their calls from 0 up.
const UNKNOWN_CALL: u32 = 0x7FFF_0000;

impl Fault {
    /// A fault on connections, when they are accepted and before anything is read from them. On all of them, to the
    /// master too, unless [`ConnectionFaultBuilder`] narrows it. Connections that are open already are not touched.
    ///
    /// See [`ConnectionFaultBuilder`] for an example.
    pub fn on_connect() -> ConnectionFaultBuilder {
        ConnectionFaultBuilder(Schedule::always())
    }
}

/// Which connections a fault is for: made by [`Fault::on_connect`], finished by saying what goes wrong.
///
/// ```
/// use std::time::Duration;
/// use tallrow_mock::Fault;
///
/// let faults = [
///     // Who, which and how often:
///     Fault::on_connect().say_nothing(),                   // every connection
///     Fault::on_connect().master().close(),                // those to the master
///     Fault::on_connect().server(1).nth(2).say_nothing(),  // the second one to region server 1
///     Fault::on_connect().times(5).close(),                // the first five
///     Fault::on_connect().chance(0.1).close(),             // one in ten
///     // What else can go wrong:
///     Fault::on_connect().trickle(Duration::from_secs(1)),
///     Fault::on_connect().garbage(&b"HTTP/1.1 400 Bad Request\r\n"[..]),
///     Fault::on_connect().huge_frame(),
///     Fault::on_connect().answer_unknown_call(),
/// ];
/// assert_eq!(faults.len(), 9);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct ConnectionFaultBuilder(Schedule);

impl ConnectionFaultBuilder {
    /// Only connections to this region server, by its number.
    ///
    /// See [`ConnectionFaultBuilder`] for an example.
    pub fn server(mut self, server: usize) -> Self {
        self.0.on_server(server);
        self
    }

    /// Only connections to the master.
    ///
    /// See [`ConnectionFaultBuilder`] for an example.
    pub fn master(mut self) -> Self {
        self.0.on_master();
        self
    }

    /// Only the `n`th such connection from now on, counted from 1; with [`ConnectionFaultBuilder::times`], that one and
    /// those after it.
    ///
    /// See [`ConnectionFaultBuilder`] for an example.
    pub fn nth(mut self, n: u64) -> Self {
        self.0.nth(n);
        self
    }

    /// At most this many connections.
    ///
    /// See [`ConnectionFaultBuilder`] for an example.
    pub fn times(mut self, times: u64) -> Self {
        self.0.times(times);
        self
    }

    /// Each such connection with this probability, 0.0 to 1.0, decided by the cluster's seed.
    ///
    /// See [`ConnectionFaultBuilder`] for an example.
    pub fn chance(mut self, chance: f64) -> Self {
        self.0.chance(chance);
        self
    }

    /// It is accepted, and nothing is ever written to it; whatever arrives is read and ignored.
    ///
    /// See [`ConnectionFaultBuilder`] for an example.
    pub fn say_nothing(self) -> Fault {
        self.does(ConnectionEffect::Write(Bytes::new()))
    }

    /// It is accepted and closed at once.
    ///
    /// See [`ConnectionFaultBuilder`] for an example.
    pub fn close(self) -> Fault {
        self.does(ConnectionEffect::Close)
    }

    /// It works, and everything is written to it a byte at a time, with this pause before each byte.
    ///
    /// See [`ConnectionFaultBuilder`] for an example.
    pub fn trickle(self, pause: Duration) -> Fault {
        self.does(ConnectionEffect::Trickle(pause))
    }

    /// These bytes are written to it at once, and nothing after them; whatever arrives is read and ignored.
    ///
    /// See [`ConnectionFaultBuilder`] for an example.
    pub fn garbage(self, bytes: impl Into<Bytes>) -> Fault {
        self.does(ConnectionEffect::Write(bytes.into()))
    }

    /// The beginning of a frame of 2 GiB is written to it at once: its length, 2^31 - 1, and nothing after it; whatever
    /// arrives is read and ignored.
    ///
    /// See [`ConnectionFaultBuilder`] for an example.
    pub fn huge_frame(self) -> Fault {
        self.garbage(HUGE_FRAME)
    }

    /// The answer to a call that was never made is written to it at once, and nothing after it; whatever arrives is
    /// read and ignored.
    ///
    /// See [`ConnectionFaultBuilder`] for an example.
    pub fn answer_unknown_call(self) -> Fault {
        let mut answer = BytesMut::new();
        frame::encode_response(UNKNOWN_CALL, &Empty {}, b"", &mut answer);
        self.garbage(answer)
    }

    fn does(self, effect: ConnectionEffect) -> Fault {
        Fault(Kind::Connection(self.0, effect))
    }
}
