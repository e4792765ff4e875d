//! A run on a mock cluster: all disturbances follow from the seed and the number of the call.

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tallrow::{Client, Config, RawTable};
use tallrow_mock::MockCluster;

use crate::delivery::DeliveryGuarantee;
use crate::fault_plan;
use crate::load::Load;
use crate::log::Log;
use crate::rows::{CALLS, Rows};
use crate::table::{self, TABLE};
use tallrow_tests::Random;

/// The number of calls between two changes of the cluster.
const BETWEEN: u64 = 400;
const MOST_SPLITS: usize = 12;

fn config() -> Config {
    Config::new()
        .operation_timeout(Duration::from_secs(1))
        .attempt_timeout(Duration::from_millis(150))
        .pause(Duration::from_millis(5))
}

/// Makes this many calls; returns the lines of the log.
pub(crate) async fn run(
    delivery: DeliveryGuarantee,
    seed: u64,
    calls: u64,
) -> Result<String, String> {
    let started = Instant::now();
    let text = |e: tallrow::Error| format!("mock seed {seed}: {e:?}");
    let mock = MockCluster::builder().servers(2).seed(seed).start().await;
    let mock = mock.map_err(|e| format!("start a mock cluster: {e}"))?;
    let mut tables: Vec<RawTable> = Vec::new();
    for client in 0..delivery.clients() {
        let config = delivery.configure(config());
        let connected = Client::connect_with(&mock.url(), config).await.map_err(text)?;
        if client == 0 {
            table::make(&connected.admin()).await.map_err(text)?;
        }
        tables.push(connected.raw_table(TABLE).map_err(text)?);
    }
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
    let load = Arc::new(Load { tables, log, rows, seed, before, begun });
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
        // The chosen server is alive, and no region stays closed, so a failure is a bug of the mock.
        done.unwrap_or_else(|e| panic!("call {call} of set {}: {e}", call / CALLS));
    }
}
