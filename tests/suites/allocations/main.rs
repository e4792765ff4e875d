//! How often a client allocates for each operation and row, counted by the allocator. The mock runs
//! in a process of its own, so that only the client's allocations are counted.

mod mock_process;
mod typed;

use std::alloc::System;
use std::time::Duration;

use futures_util::future::join_all;
use mock_process::MockProcess;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use tallrow::{
    Client, Config, FamilyDescriptor, Get, Increment, Put, RawTable, Scan, TableDescriptor,
};

#[global_allocator]
static ALLOCATED: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// How many rows each case reads or writes.
const ROWS: usize = 500;
/// How many rows a scan reads, which also allocates for itself.
const SCANNED: usize = 2_000;
/// How many rows are in a batch.
const BATCH: usize = 100;
/// How often each case is counted at most.
const ROUNDS: usize = 10;
/// Buffers that grow.
const MORE: f64 = 0.06;

fn put(row: usize) -> Put {
    Put::new(key(row)).cell("f", "q", [7; 100])
}

fn key(row: usize) -> [u8; 8] {
    row.to_be_bytes()
}

/// Runs a case that handles this many rows, again while it allocates more than is known, and
/// returns the smallest number of allocations for each row. Memory that grows counts as an
/// allocation.
///
/// What an operation allocates, it does each time. What the test harness and timers allocate
/// meanwhile, and parts of an answer that come one by one, depends on the machine.
async fn each<T>(case: impl AsyncFn(usize) -> T, rows: usize, known: f64) -> f64 {
    let mut fewest = f64::MAX;
    for _ in 0..ROUNDS {
        let counted = Region::new(ALLOCATED);
        case(0).await;
        let change = counted.change();
        fewest = fewest.min((change.allocations + change.reallocations) as f64 / rows as f64);
        if fewest <= known + MORE {
            break;
        }
    }
    fewest
}

/// One after the other.
async fn in_turn<T>(operation: impl AsyncFn(usize) -> T, from: usize) {
    for row in from..from + ROWS {
        operation(row).await;
    }
}

async fn table() -> (MockProcess, Client, RawTable) {
    let mock = MockProcess::start();
    // A call that is sent again would count twice.
    let hour = Duration::from_secs(3_600);
    let config = Config::new().operation_timeout(hour).attempt_timeout(hour);
    let client = Client::connect_with(&mock.url, config).await.unwrap();
    let descriptor = TableDescriptor::new("counted").unwrap().family(FamilyDescriptor::new("f"));
    client.admin().create_table(&descriptor).await.unwrap();
    let table = client.raw_table("counted").unwrap();
    (mock, client, table)
}

#[tokio::test]
async fn operations_and_rows_allocate_as_often_as_is_known() {
    let (_mock, client, table) = table().await;
    let typed = typed::table(&client);
    let batches = |from: usize| (from..from + ROWS).step_by(BATCH);

    let single_put =
        async |from| in_turn(async |row| table.put(put(row)).await.unwrap(), from).await;
    let single_get = async |from| {
        in_turn(async |row| assert!(table.get(key(row)).await.unwrap().is_some()), from).await;
    };
    let column = async |from| {
        let get = async |row| table.get(Get::new(key(row)).column("f", "q")).await.unwrap();
        in_turn(async |row| assert!(get(row).await.is_some()), from).await;
    };
    let increment = async |from| {
        let increment =
            async |row| table.increment(Increment::new(key(row)).add("f", "c", 1)).await.unwrap();
        in_turn(async |row| assert!(increment(row).await.is_some()), from).await;
    };
    let typed_get = async |from| in_turn(async |row| typed::get(&typed, row).await, from).await;
    let typed_put = async |from| in_turn(async |row| typed::put(&typed, row).await, from).await;
    let together = async |from| {
        for first in batches(from) {
            let gets = (first..first + BATCH).map(|row| table.get(key(row)));
            assert!(join_all(gets).await.into_iter().all(|row| row.unwrap().is_some()));
        }
    };
    let batch_put = async |from| {
        for first in batches(from) {
            let puts = (first..first + BATCH).map(put);
            table.put_all(puts).await.into_result().unwrap();
        }
    };
    let batch_get = async |from| {
        for first in batches(from) {
            let rows = table.get_all((first..first + BATCH).map(key)).await.into_result().unwrap();
            assert!(rows.iter().all(Option::is_some));
        }
    };
    let scan = async |from: usize| {
        let mut rows =
            table.scan(Scan::range(key(from)..key(from + SCANNED)).column("f", "q")).unwrap();
        let mut count = 0;
        while let Some(row) = rows.next_row().await.unwrap() {
            count += row.cells().len();
        }
        assert_eq!(count, SCANNED);
    };

    let mut wrong = Vec::new();
    let mut check = |name: &str, found: f64, known: f64| {
        println!("{name}: {found:.2} allocations");
        if found > known + MORE {
            wrong.push(format!("{name}: {found:.2}, not {known}"));
        }
    };
    macro_rules! check {
        ($case:ident, $rows:expr, $known:expr) => {
            // The first rows open connections, look for regions and make counters.
            $case(0).await;
            check(stringify!($case), each(&$case, $rows, $known).await, $known);
        };
    }
    check!(single_put, ROWS, 12.0);
    check!(single_get, ROWS, 12.0);
    check!(column, ROWS, 16.0);
    check!(increment, ROWS, 17.0);
    check!(typed_put, ROWS, 14.0);
    check!(typed_get, ROWS, 13.0);
    check!(together, ROWS, 8.2);
    check!(batch_put, ROWS, 3.3);
    check!(batch_get, ROWS, 3.3);
    table.put_all((ROWS..SCANNED).map(put)).await.into_result().unwrap();
    check!(scan, SCANNED, 1.0);
    assert!(wrong.is_empty(), "{wrong:?}");
}
