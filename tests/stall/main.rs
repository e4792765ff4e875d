//! A server that stalls, in every way and at every step: each public call to it ends by its deadline, and its error
//! names the server.

mod calls;
mod complete;
mod place;
mod report;
mod scans;
mod stalls;
mod typed;

use std::rc::Rc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::{JoinSet, LocalSet};
use tokio::time::Instant;

use calls::CALLS;
use place::{Place, Timeouts};
use report::{Outcome, Report};
use stalls::{Stall, Step};

/// The deadline of every call here, and how much later it may end.
const DEADLINE: Duration = Duration::from_millis(400);
const LATE: Duration = Duration::from_millis(250);
/// How long after its deadline a call is given up and reported as one that does not end.
const NO_END: Duration = Duration::from_secs(1);
/// The number of concurrent clusters, limited so that calls are not late because the machine is busy.
const CLUSTERS: usize = 6;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_call_ends_by_its_deadline_and_names_the_server() {
    let report = LocalSet::new().run_until(all()).await;
    println!("{report}");
    report.assert();
}

/// Every stall with every call that reaches its step; each stall has its own cluster.
async fn all() -> Report {
    let slots = Rc::new(Semaphore::new(CLUSTERS));
    let mut runs = JoinSet::new();
    for timeouts in [Timeouts::OfClient, Timeouts::OfTable] {
        for stall in stalls::all() {
            let slots = slots.clone();
            runs.spawn_local(async move {
                let _slot = slots.acquire().await.unwrap();
                match stall.step {
                    Step::Page => scans::pages(stall, timeouts).await,
                    _ => every_call(stall, timeouts).await,
                }
            });
        }
    }
    let mut report = Report::default();
    while let Some(outcomes) = runs.join_next().await {
        report.extend(outcomes.unwrap());
    }
    report
}

async fn every_call(stall: Stall, timeouts: Timeouts) -> Vec<Outcome> {
    let calls = CALLS.iter().filter(|call| stall.reaches(call) && timeouts.are_for(call));
    if calls.clone().next().is_none() {
        return Vec::new();
    }
    let place = Place::new().await;
    let mut sites = Vec::new();
    for call in calls {
        sites.push((call, place.site(timeouts).await));
    }
    stall.inject(&place);
    let mut running = JoinSet::new();
    for (call, site) in sites {
        running.spawn_local(async move {
            let (errors, took) = timed((call.run)(site)).await;
            Outcome { call: call.name, stall, timeouts, errors, took }
        });
    }
    running.join_all().await
}

/// The result of a call, or nothing if it did not end, and how long it took.
async fn timed<T>(call: impl Future<Output = T>) -> (Option<T>, Duration) {
    let started = Instant::now();
    let given = tokio::time::timeout(DEADLINE + NO_END, call).await.ok();
    (given, started.elapsed())
}
