//! What the benchmarks share: options, CPU time and memory, server programs, and stages of a load.

mod options;
mod process;
mod program;
mod stage;

pub use options::options;
pub use process::{
    children_cpu_time, cpu_time, cpu_time_of, memory_kib_of, own_memory_kib_of, peak_memory_mb,
};
pub use program::Program;
pub use stage::{Stage, report};
