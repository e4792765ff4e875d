//! The faults that a seed injects into the mock cluster, and how often.

use std::time::Duration;

use tallrow_mock::{CallFaultBuilder, Fault, MockCluster};

use crate::table::TABLE;
use tallrow_tests::Random;

/// A frame that is not a reply.
const GARBAGE: &[u8] = b"\0\0\0\x04\xff\xff\xff\xff";
/// The maximum delay of a call before it is applied: longer than the timeout of an attempt.
pub(crate) const LONGEST: Duration = Duration::from_millis(400);

type Effect = Box<dyn Fn(CallFaultBuilder) -> Fault>;

/// Injects faults for the calls on the table, chosen by the seed: each with its own probability,
/// some never.
pub(crate) fn inject(mock: &MockCluster, seed: u64) {
    let mut random = Random::new(seed, 1 << 32);
    let short = Duration::from_millis(1 + random.below(60));
    let long = Duration::from_millis(160 + random.below(LONGEST.as_millis() as u64 - 160));
    let busy = "org.apache.hadoop.hbase.RegionTooBusyException";
    // Faults that make callers wait are less frequent, so that a run does not consist of waiting.
    let effects: Vec<(f64, Effect)> = vec![
        (0.002, Box::new(CallFaultBuilder::drop_reply)),
        (0.001, Box::new(CallFaultBuilder::drop_request)),
        (0.001, Box::new(move |point| point.delay_in_queue(long))),
        (0.005, Box::new(move |point| point.delay_in_queue(short))),
        (0.002, Box::new(move |point| point.pause_handler(long))),
        (0.005, Box::new(move |point| point.pause_handler(short))),
        (0.005, Box::new(CallFaultBuilder::close_before)),
        (0.008, Box::new(CallFaultBuilder::close_after)),
        (0.004, Box::new(CallFaultBuilder::truncate_reply)),
        (0.001, Box::new(|point| point.garbage(GARBAGE))),
        (0.001, Box::new(CallFaultBuilder::huge_frame)),
        (0.001, Box::new(CallFaultBuilder::wrong_call_id)),
        (0.010, Box::new(CallFaultBuilder::not_serving)),
        (0.010, Box::new(move |point| point.throw(busy, "busy"))),
    ];
    for method in ["Get", "Mutate", "Multi"] {
        for (chance, effect) in &effects {
            let chance = chance * random.below(3) as f64;
            if chance > 0.0 {
                mock.inject(effect(Fault::on(method).table(TABLE).chance(chance)));
            }
        }
    }
}
