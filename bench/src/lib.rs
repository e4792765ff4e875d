//! Functions that the benchmarks share: options, CPU time and memory, and stages of a load.

mod options;
mod process;
mod stage;

pub use options::options;
pub use process::{children_cpu_time, cpu_time, cpu_time_of, memory_kib_of, peak_memory_mb};
pub use stage::{Stage, report};
