//! A run on a mock cluster in tokio's paused time and on one thread: one seed has one history,
//! however busy the machine is.

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tallrow::{Client, Config, RawTable};
use tallrow_mock::MockCluster;
use tokio::runtime;
use tokio::time::sleep;

use crate::delivery::DeliveryGuarantee;
use crate::fault_plan;
use crate::load::Load;
use crate::log::Log;
use crate::rows::{CALLS, Rows};
use crate::table::{self, TABLE};
use tallrow_tests::{Random, in_memory};

/// The number of calls between two changes of the cluster.
const BETWEEN: u64 = 400;
const MOST_SPLITS: usize = 12;
/// Each task waits for less than this many ms before each of its calls, which themselves take no
/// time. Then the calls of all tasks are several in each ms.
const PAUSE_MS: u64 = 10;

fn config() -> Config {
    Config::new()
        .operation_timeout(Duration::from_secs(1))
        .attempt_timeout(Duration::from_millis(150))
        .pause(Duration::from_millis(5))
}

/// Makes this many calls; returns the lines of the log.
pub(crate) fn run(delivery: DeliveryGuarantee, seed: u64, calls: u64) -> Result<String, String> {
    // Its own, so that no task of an earlier run is left.
    let runtime = runtime::Builder::new_current_thread().enable_all().start_paused(true).build();
    runtime.map_err(|e| format!("start a runtime: {e}"))?.block_on(history(delivery, seed, calls))
}

/// Clients of a new cluster, as many as a delivery has.
async fn connect(delivery: DeliveryGuarantee, seed: u64) -> tallrow::Result<Vec<Client>> {
    let config = || delivery.configure(config());
    let mut clients = vec![Client::connect_with(&format!("mock:?seed={seed}"), config()).await?];
    let mock = cluster(&clients);
    while clients.len() < delivery.clients() {
        let config = config().connector(in_memory(&mock));
        clients.push(Client::connect_with(&mock.url(), config).await?);
    }
    Ok(clients)
}

/// The cluster of these clients.
fn cluster(clients: &[Client]) -> MockCluster {
    clients[0].mock_cluster().expect("the first client has started it").clone()
}

async fn history(delivery: DeliveryGuarantee, seed: u64, calls: u64) -> Result<String, String> {
    let started = Instant::now();
    let text = |e: tallrow::Error| format!("mock seed {seed}: {e:?}");
    let clients = connect(delivery, seed).await.map_err(text)?;
    let mock = cluster(&clients);
    table::make(&clients[0].admin()).await.map_err(text)?;
    let tables: Result<Vec<RawTable>, _> = clients.iter().map(|c| c.raw_table(TABLE)).collect();
    let tables = tables.map_err(text)?;
    table::prepare(&tables[0], calls).await.map_err(text)?;
    fault_plan::inject(&mock, seed);
    let changes = Mutex::new(Changes { mock: mock.clone(), random: Random::new(seed, 2 << 32) });
    let before = move |call: u64| {
        if call > 0 && call.is_multiple_of(BETWEEN) && call < calls {
            changes.lock().unwrap_or_else(PoisonError::into_inner).next(call);
        }
        call < calls
    };
    // An attempt that was in progress when its operation ended may be delayed by this much.
    let late = fault_plan::LONGEST + Duration::from_secs(1);
    let log = Log::new(format!("mock seed {seed}"), delivery, late.as_nanos() as u64);
    let (rows, begun) = (Rows::default(), AtomicU64::new(0));
    let pause = |random: &mut Random| sleep(Duration::from_millis(random.below(PAUSE_MS)));
    let load = Arc::new(Load { tables, log, rows, seed, pause, before, begun });
    load.run().await?;
    mock.clear_faults();
    load.read_all().await?;
    let versions = table::versions(&load.tables[0]).await.map_err(text)?;
    let outcomes = load.log.outcomes();
    println!(
        "mock seed {seed}, {delivery}: {} calls answered, {} unknown, {} failed in {:.1} s",
        outcomes.ok,
        outcomes.unknown,
        outcomes.failed,
        started.elapsed().as_secs_f64()
    );
    mock.shutdown().await;
    load.log.to_lines(&versions)
}

/// Moves and splits regions, kills and starts servers.
struct Changes {
    mock: MockCluster,
    random: Random,
}

impl Changes {
    fn next(&mut self, call: u64) {
        let servers = self.mock.live_servers();
        let row = match self.random.below(3) {
            0 => Rows::ids(call),
            1 => Rows::counter(call, &mut self.random),
            _ => Rows::register(call, &mut self.random),
        };
        let done = match self.random.below(6) {
            0..3 => {
                let to = *self.random.pick(&servers);
                self.mock.move_region(TABLE, row.as_bytes(), to)
            }
            3 if self.mock.regions(TABLE).len() < MOST_SPLITS => {
                // A region may start with this row already.
                let _ = self.mock.split_region(TABLE, row.as_bytes());
                Ok(())
            }
            4 if servers.len() > 1 => self.mock.kill_server(*self.random.pick(&servers)),
            _ if servers.len() < 3 => {
                self.mock.start_server().map(drop).unwrap_or_else(|e| panic!("{e}"));
                Ok(())
            }
            _ => Ok(()),
        };
        // The chosen server is alive, and no region stays closed, so a failure is a bug of the
        // mock.
        done.unwrap_or_else(|e| panic!("call {call} of set {}: {e}", call / CALLS));
    }
}
