use std::time::Duration;

/// The number of ticks in `/proc` per second (`USER_HZ`, 100 on every Linux).
const TICKS: u64 = 100;

/// The CPU time of this process so far, user and system; zero without `/proc`.
///
/// ```
/// let before = tallrow_bench::cpu_time();
/// assert!(tallrow_bench::cpu_time() >= before);
/// ```
pub fn cpu_time() -> Duration {
    cpu_of("self")
}

/// The CPU time of a running process so far, user and system; zero without `/proc`.
///
/// ```
/// let before = tallrow_bench::cpu_time();
/// assert!(tallrow_bench::cpu_time_of(std::process::id()) >= before);
/// ```
pub fn cpu_time_of(process: u32) -> Duration {
    cpu_of(&process.to_string())
}

fn cpu_of(process: &str) -> Duration {
    // More precise than the ticks of /proc/self/stat: the scheduler's own count, summed over all threads.
    let fine = std::fs::read_dir(format!("/proc/{process}/task")).ok().map(|tasks| {
        let nanos = tasks.flatten().filter_map(|task| {
            let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
            text.split(' ').next()?.parse::<u64>().ok()
        });
        Duration::from_nanos(nanos.sum())
    });
    fine.filter(|t| !t.is_zero()).unwrap_or_else(|| ticks(process, 11))
}

/// The CPU time of all processes that this one started and that have ended, user and system; zero without `/proc`.
///
/// ```
/// let before = tallrow_bench::children_cpu_time();
/// assert!(tallrow_bench::children_cpu_time() >= before);
/// ```
pub fn children_cpu_time() -> Duration {
    ticks("self", 13)
}

/// Two adjacent fields of `/proc/PID/stat`, counted from the end of the program's name.
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
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|l| l.strip_prefix("VmHWM:")).unwrap_or_default();
    line.split_whitespace().next().and_then(|kb| kb.parse::<u64>().ok()).unwrap_or(0) / 1024
}
