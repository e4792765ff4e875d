//! A server that stalls, in every way and at every step: each public call to it ends by its
//! deadline, and its error names the server.
//!
//! In paused time, so that a call that ends even a moment later fails, however busy the machine is.

mod calls;
mod complete;
mod place;
mod report;
mod scans;
mod stalls;
mod typed;

pub(crate) use calls::Failures;

use std::time::Duration;

use tallrow_tests::Sample;
use tokio::task::{JoinSet, LocalSet};
use tokio::time::Instant;

use calls::CALLS;
use place::{Place, Timeouts};
use report::{Outcome, Report};
use stalls::{Stall, Step};

/// The deadline of every call here.
const DEADLINE: Duration = Duration::from_millis(400);
/// How long after its deadline a call is given up and reported as one that does not end.
const NO_END: Duration = Duration::from_secs(1);

#[tokio::test(start_paused = true)]
async fn every_call_ends_by_the_deadline_of_its_client_and_names_the_server() {
    every_stall(Timeouts::OfClient).await;
}

#[tokio::test(start_paused = true)]
async fn every_call_ends_by_the_deadline_of_its_table_and_names_the_server() {
    every_stall(Timeouts::OfTable).await;
}

/// Every stall with every call that reaches its step; each stall has its own cluster.
async fn every_stall(timeouts: Timeouts) {
    let mut report = Report::default();
    let mut sample = Sample::new();
    for stall in stalls::all() {
        if !sample.takes() {
            continue;
        }
        let outcomes = async {
            match stall.step {
                Step::Page => scans::pages(stall, timeouts).await,
                _ => every_call(stall, timeouts).await,
            }
        };
        report.extend(LocalSet::new().run_until(outcomes).await);
    }
    println!("{report}");
    report.assert();
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
