//! Shared by the benchmarks.

mod options;
mod process;
mod stage;

pub use options::options;
pub use process::{children_cpu_time, cpu_time, cpu_time_of, peak_memory_mb};
pub use stage::{Stage, report};
