//! CPU time and peak memory of processes, from the process clock and from `/proc`.

use std::time::Duration;

/// The number of ticks in `/proc` per second (`USER_HZ`, 100 on every Linux).
const TICKS: u64 = 100;

/// The CPU time of this process so far, user and system, by the process clock: in nanoseconds, and
/// including threads that have ended.
///
/// ```
/// let before = tallrow_bench::cpu_time();
/// assert!(tallrow_bench::cpu_time() >= before);
/// ```
pub fn cpu_time() -> Duration {
    let clock = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    clock.try_into().unwrap_or_default()
}

/// The CPU time of a running process so far, user and system, in steps of 10 ms; zero without
/// `/proc`.
///
/// ```
/// let before = tallrow_bench::cpu_time_of(std::process::id());
/// assert!(tallrow_bench::cpu_time_of(std::process::id()) >= before);
/// ```
pub fn cpu_time_of(process: u32) -> Duration {
    ticks(&process.to_string(), 11)
}

/// The CPU time, user and system, of all ended processes that this process started; zero without
/// `/proc`.
///
/// ```
/// let before = tallrow_bench::children_cpu_time();
/// assert!(tallrow_bench::children_cpu_time() >= before);
/// ```
pub fn children_cpu_time() -> Duration {
    ticks("self", 13)
}

/// Returns the sum of two adjacent fields of `/proc/PID/stat`, as a time. The fields are counted
/// from the end of the program's name.
fn ticks(process: &str, first: usize) -> Duration {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let fields =
        text.rsplit_once(')').map(|(_, rest)| rest.split_whitespace()).into_iter().flatten();
    let ticks: u64 = fields.skip(first).take(2).filter_map(|f| f.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 1_000 / TICKS)
}

/// The peak memory of this process, in MB; 0 without `/proc`.
///
/// ```
/// assert!(tallrow_bench::peak_memory_mb() < 100_000);
/// ```
pub fn peak_memory_mb() -> u64 {
    memory_kib("self", "VmHWM:") / 1024
}

/// The resident memory of a running process, in KiB; 0 without `/proc`.
///
/// ```
/// assert!(tallrow_bench::memory_kib_of(std::process::id()) < 100_000_000);
/// ```
pub fn memory_kib_of(process: u32) -> u64 {
    memory_kib(&process.to_string(), "VmRSS:")
}

/// The part of [`memory_kib_of`] that is not pages of files, such as the program's own code; 0
/// without `/proc`.
///
/// ```
/// let process = std::process::id();
/// assert!(tallrow_bench::own_memory_kib_of(process) <= tallrow_bench::memory_kib_of(process));
/// ```
pub fn own_memory_kib_of(process: u32) -> u64 {
    memory_kib(&process.to_string(), "RssAnon:")
}

/// Returns a line of `/proc/PID/status` whose unit is KiB.
fn memory_kib(process: &str, name: &str) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    line.split_whitespace().next().and_then(|kib| kib.parse().ok()).unwrap_or(0)
}
