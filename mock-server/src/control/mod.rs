//! The control port and scenarios. Through the control port, programs in any language, and people
//! with a browser, disturb and inspect a cluster; it uses HTTP and JSON. A scenario is a file of
//! faults and changes.

mod page;
mod port;
mod routes;
mod scenario;
mod status;

pub use port::ControlPort;
pub use scenario::{Scenario, ScenarioError};
