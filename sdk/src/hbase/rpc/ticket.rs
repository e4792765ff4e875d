use std::sync::atomic::{AtomicU8, Ordering};

use tokio::sync::OwnedSemaphorePermit;

const WAITING: u8 = 0;
const SENT: u8 = 1;
const GIVEN_UP: u8 = 2;

/// An operation's share of the bytes in flight, and the state of its attempt.
///
/// Its caller holds it until the operation is over, the connection until the operation's bytes have been sent; so a
/// caller that gives up frees its share, whatever the server does.
#[derive(Debug)]
pub(crate) struct Ticket {
    attempt: AtomicU8,
    _permit: OwnedSemaphorePermit,
}

impl Ticket {
    pub(crate) fn new(permit: OwnedSemaphorePermit) -> Self {
        Self { attempt: AtomicU8::new(WAITING), _permit: permit }
    }

    /// A new attempt begins; the previous one is not sent any more.
    pub(super) fn wait(&self) {
        self.attempt.store(WAITING, Ordering::Release);
    }

    /// The attempt is going to be sent; false if its caller gave up before.
    pub(super) fn send(&self) -> bool {
        self.leave_waiting(SENT)
    }

    /// The caller waits no longer; false if the attempt was sent before, or is going to be.
    pub(super) fn give_up(&self) -> bool {
        self.leave_waiting(GIVEN_UP)
    }

    fn leave_waiting(&self, to: u8) -> bool {
        self.attempt.compare_exchange(WAITING, to, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }
}
