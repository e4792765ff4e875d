//! A process of writers, and what it got.

use tallrow::{RawTable, ids::IdBlocks, lookup::Lookup};
use tallrow_tests::{Process, Random, lossy, task, tell, thorough};

use crate::lookup::{TABLE, id_count, name_count, names};

pub(crate) const PROCESSES: usize = 4;
const READY: &str = "ready";

/// How many writers each process has.
pub(crate) fn writers_of_process() -> usize {
    if thorough() { 8 } else { 3 }
}

/// What the writers of a process got.
#[derive(Default)]
pub(crate) struct Answers {
    pub(crate) resolved: Vec<(String, u64)>,
    pub(crate) ids: Vec<u64>,
    pub(crate) leaked: u64,
    pub(crate) lost: u64,
    /// How often a call was made again.
    pub(crate) failed: u64,
}

pub(crate) fn start(url: &str, number: usize) -> Process {
    Process::start("lookup::writers::write_as_process", &format!("{url} {number}"))
}

/// Waits until a process is about to write.
pub(crate) fn wait_for(process: &mut Process) {
    assert_eq!(process.told().as_deref(), Some(READY));
}

impl Answers {
    /// Waits until the process ends.
    pub(crate) fn of(process: Process) -> Self {
        let mut answers = Self::default();
        for line in process.finish() {
            let (what, number) = line.split_once(' ').unwrap();
            let number = number.parse().unwrap();
            match what {
                "id" => answers.ids.push(number),
                "leaked" => answers.leaked += number,
                "lost" => answers.lost += number,
                "failed" => answers.failed += number,
                name => answers.resolved.push((name.to_owned(), number)),
            }
        }
        answers
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn write_as_process() {
    let Some(task) = task() else { return };
    let (url, process) = task.split_once(' ').unwrap();
    let process: usize = process.parse().unwrap();
    let table = lossy::connect(url).await.raw_table(TABLE).unwrap();
    let lookup = names(&table);
    // Every process has blocks of another size.
    let ids = IdBlocks::builder(table.clone(), "ids", "id", "blocks");
    let ids = ids.block_size(1 + 9 * process as u64).build().unwrap();
    tell(READY);
    std::io::stdin().read_line(&mut String::new()).unwrap();
    let writers = writers_of_process();
    let tasks: Vec<_> = (0..writers)
        .map(|writer| {
            let random = Random::new(7, (process * writers + writer) as u64);
            tokio::spawn(write(lookup.clone(), table.clone(), ids.clone(), random))
        })
        .collect();
    for task in tasks {
        for (what, number) in task.await.unwrap() {
            tell(format!("{what} {number}"));
        }
    }
    tell(format!("leaked {}", lookup.stats().leaked));
    tell(format!("lost {}", lookup.stats().lost_blocks + ids.lost_block_count()));
}

/// Resolves all names in a random order, half of them with a lookup of its own, and takes ids in
/// between.
async fn write(
    shared: Lookup,
    table: RawTable,
    ids: IdBlocks,
    mut random: Random,
) -> Vec<(String, u64)> {
    let own = names(&table);
    let mut left: Vec<_> = (0..name_count()).map(|number| format!("name{number}")).collect();
    let (mut answers, mut failed) = (Vec::new(), 0);
    for taken in 0..name_count().max(id_count()) {
        if !left.is_empty() {
            let name = left.swap_remove(random.index(left.len()));
            let lookup = if random.below(2) == 0 { &shared } else { &own };
            let id = loop {
                if let Some(id) = done(lookup.get_or_create(&name).await) {
                    break id;
                }
                failed += 1;
            };
            answers.push((name, id));
        }
        if taken < id_count() {
            let id = loop {
                if let Some(id) = done(ids.next_id().await) {
                    break id;
                }
            };
            answers.push(("id".into(), id));
        }
    }
    answers.push(("failed".into(), failed));
    answers.push(("leaked".into(), own.stats().leaked));
    answers.push(("lost".into(), own.stats().lost_blocks));
    answers
}

/// The result of a call; none if it has to be repeated, as may be done after any error that says
/// so.
fn done<T>(result: tallrow::Result<T>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(error) if error.kind().is_safe_to_retry() => None,
        Err(error) => panic!("{error:?}"),
    }
}
