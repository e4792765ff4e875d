//! Runs many operations concurrently, and prints a line with their rate, CPU time and latencies.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::cpu_time;

/// One stage of a load: a number of operations, of which some run concurrently.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// use tallrow_bench::Stage;
///
/// let failed = Stage { name: "nothing", count: 100, concurrency: 8 }
///     .run(async |i| if i == 7 { Err("no") } else { Ok(()) })
///     .await;
/// assert_eq!(failed, 1);
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Stage {
    /// The name of the stage in its line.
    pub name: &'static str,
    /// The number of operations.
    pub count: u64,
    /// The number of concurrent operations.
    pub concurrency: u64,
}

/// The number of turns in which two stages alternate.
const TURNS: u64 = 20;

impl Stage {
    /// Runs `operation` with the numbers from 0 up to, but not including, `count`, prints the line,
    /// and returns how many operations failed.
    pub async fn run<F, E>(
        self,
        operation: impl Fn(u64) -> F + Clone + Send + Sync + 'static,
    ) -> u64
    where
        F: Future<Output = Result<(), E>> + Send,
        E: std::fmt::Debug + Send,
    {
        let mut measured = Measured::default();
        measured.add(self, 0..self.count, operation).await;
        measured.report(self.name)
    }

    /// Runs two operations in turns, so that other load on the machine affects both; prints a line
    /// for each, and returns how many operations failed.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// # use tallrow_bench::Stage;
    /// let one = async |_| Ok::<(), String>(());
    /// let stage = Stage { name: "one", count: 100, concurrency: 8 };
    /// assert_eq!(
    ///     stage
    ///         .run_in_turns(one, "other", async |i| if i < 50 { Err("no") } else { Ok(()) })
    ///         .await,
    ///     50
    /// );
    /// # }
    /// ```
    pub async fn run_in_turns<F, E, G, D>(
        self,
        operation: impl Fn(u64) -> F + Clone + Send + Sync + 'static,
        other_name: &'static str,
        other: impl Fn(u64) -> G + Clone + Send + Sync + 'static,
    ) -> u64
    where
        F: Future<Output = Result<(), E>> + Send,
        E: std::fmt::Debug + Send,
        G: Future<Output = Result<(), D>> + Send,
        D: std::fmt::Debug + Send,
    {
        let (mut first, mut second) = (Measured::default(), Measured::default());
        let paired = Self { name: other_name, ..self };
        for turn in 0..TURNS {
            let part = self.count * turn / TURNS..self.count * (turn + 1) / TURNS;
            if turn % 2 == 0 {
                first.add(self, part.clone(), operation.clone()).await;
                second.add(paired, part, other.clone()).await;
            } else {
                second.add(paired, part.clone(), other.clone()).await;
                first.add(self, part, operation.clone()).await;
            }
        }
        first.report(self.name) + second.report(other_name)
    }
}

/// The sums over the parts of a stage.
#[derive(Default)]
struct Measured {
    count: u64,
    wall: Duration,
    cpu: Duration,
    took: Vec<u32>,
    failed: u64,
}

/// Converts a time into tenths of a microsecond, which take little memory: a program that measures
/// the memory of a client must keep little for each operation.
fn tenths(time: Duration) -> u32 {
    u32::try_from(time.as_nanos() / 100).unwrap_or(u32::MAX)
}

impl Measured {
    /// Runs a part of a stage.
    async fn add<F, E>(
        &mut self,
        stage: Stage,
        part: Range<u64>,
        operation: impl Fn(u64) -> F + Clone + Send + Sync + 'static,
    ) where
        F: Future<Output = Result<(), E>> + Send,
        E: std::fmt::Debug + Send,
    {
        let next = Arc::new(AtomicU64::new(part.start));
        let failed = Arc::new(AtomicU64::new(0));
        let (cpu, start) = (cpu_time(), Instant::now());
        let workers = (0..stage.concurrency).map(|_| {
            let (next, failed, operation) = (next.clone(), failed.clone(), operation.clone());
            tokio::spawn(async move {
                let mut took = Vec::new();
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    if i >= part.end {
                        return took;
                    }
                    let begin = Instant::now();
                    if let Err(error) = operation(i).await
                        && failed.fetch_add(1, Ordering::Relaxed) == 0
                    {
                        eprintln!("{}: {error:?}", stage.name);
                    }
                    took.push(tenths(begin.elapsed()));
                }
            })
        });
        let workers: Vec<_> = workers.collect();
        self.took.reserve_exact((part.end - part.start) as usize);
        for worker in workers {
            self.took.extend(worker.await.unwrap_or_default());
        }
        self.wall += start.elapsed();
        self.cpu += cpu_time().saturating_sub(cpu);
        self.count += part.end - part.start;
        self.failed += failed.load(Ordering::Relaxed);
    }

    fn report(mut self, name: &str) -> u64 {
        report(name, self.count, self.wall, self.cpu, Some(&mut self.took), self.failed);
        self.failed
    }
}

/// Prints the line of a stage: rate, CPU time per operation, and latencies, which are given in
/// tenths of a microsecond.
///
/// ```
/// use std::time::Duration;
/// tallrow_bench::report("scan", 10, Duration::from_secs(1), Duration::from_millis(1), None, 0);
/// ```
pub fn report(
    name: &str,
    count: u64,
    wall: Duration,
    cpu: Duration,
    took: Option<&mut Vec<u32>>,
    failed: u64,
) {
    let mut times = String::new();
    if let Some(took) = took.filter(|took| !took.is_empty()) {
        took.sort_unstable();
        for (label, part) in [("p50", 0.5), ("p99", 0.99), ("p999", 0.999)] {
            let at = ((took.len() as f64 * part) as usize).min(took.len() - 1);
            times += &format!(" {label}_us={:.0}", f64::from(took[at]) / 10.0);
        }
    }
    let per_second = count as f64 / wall.as_secs_f64();
    let cpu = cpu.as_secs_f64() * 1e6 / count.max(1) as f64;
    println!(
        "client=tallrow op={name} n={count} ops_s={per_second:.0} cpu_us_op={cpu:.2}{times} err={failed}"
    );
}
