//! The state that the concurrent operations of a client share: the limits on bytes in flight,
//! retries and lost replies, the timestamps of writes, and tasks that several callers wait for; and
//! the limits on what is read from outside.

pub(crate) mod budget;
pub(crate) mod deadline;
pub(crate) mod in_flight_limit;
pub(crate) mod limited_read;
pub(crate) mod lost_replies;
pub(crate) mod retry_budget;
pub(crate) mod tasks;
pub(crate) mod write_clock;
