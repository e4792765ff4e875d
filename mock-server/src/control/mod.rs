//! The control port: HTTP and JSON by which programs in any language, and people with a browser,
//! disturb and inspect a cluster; and scenarios, which are faults and changes in a file.

mod page;
mod port;
mod routes;
mod scenario;
mod status;

pub use port::ControlPort;
pub use scenario::{Scenario, ScenarioError};
