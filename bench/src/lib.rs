//! What the measuring programs share.

mod process;
mod stage;

pub use process::{cpu_time, peak_memory_mb};
pub use stage::{Stage, report};
