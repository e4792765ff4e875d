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

use tallrow_tests::thorough;
use tokio::task::{JoinSet, LocalSet};
use tokio::time::Instant;

use calls::{CALLS, Call};
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

/// Every stall with every call that reaches its step, or some of these pairs without
/// `TALLROW_THOROUGH`; each stall has its own cluster.
async fn every_stall(timeouts: Timeouts) {
    let mut report = Report::default();
    let stalls: Vec<Stall> = stalls::to_try().collect();
    for &stall in &stalls {
        let outcomes = async {
            match stall.step {
                Step::Page => scans::pages(stall, timeouts).await,
                _ => every_call(stall, timeouts, &stalls).await,
            }
        };
        report.extend(LocalSet::new().run_until(outcomes).await);
    }
    println!("{report}");
    report.assert();
}

/// The stalls that the call with this number is tried with. Without `TALLROW_THOROUGH` it is one of
/// ten that it reaches, the next call has the next of them, and each call has one at least.
fn stalls_of(number: usize, call: &Call, stalls: &[Stall]) -> Vec<Stall> {
    let reached = stalls.iter().copied().filter(|stall| stall.reaches(call));
    let reached: Vec<Stall> = reached.collect();
    if thorough() {
        return reached;
    }
    let first = number % reached.len().clamp(1, 10);
    reached.into_iter().skip(first).step_by(10).collect()
}

async fn every_call(stall: Stall, timeouts: Timeouts, stalls: &[Stall]) -> Vec<Outcome> {
    let mut calls = Vec::new();
    for (number, call) in CALLS.iter().enumerate() {
        if timeouts.are_for(call) && stalls_of(number, call, stalls).contains(&stall) {
            calls.push(call);
        }
    }
    if calls.is_empty() {
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
