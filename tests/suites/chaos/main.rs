//! A load during which regions move and split and a region server is killed.
//!
//! See README.md for what it needs and how to run it.

mod disturbance;
mod flights;
mod input;
mod replicas;

use tallrow_tests::MUST;

/// If this variable is set, the test runs; it starts its own cluster.
const ENABLED: &str = "TALLROW_CHAOS";

fn is_enabled() -> bool {
    let is_enabled = std::env::var_os(ENABLED).is_some() || std::env::var_os(MUST).is_some();
    if !is_enabled {
        tallrow_tests::say_skipped(&format!(
            "{ENABLED} is not set; `{ENABLED}=1 cargo test -p tallrow-tests --test chaos` \
             starts a real HBase, which needs a JDK and Maven"
        ));
    }
    is_enabled
}

/// Both start a real cluster of their own.
mod on_real {
    use std::time::Duration;

    use tallrow_tests::Hbase;

    use crate::flights::Flights;
    use crate::{disturbance, input, is_enabled, replicas};

    /// How often the load is begun at most.
    const ATTEMPTS: usize = 5;

    #[tokio::test(flavor = "multi_thread")]
    async fn secondary_replicas_answer_while_a_server_is_frozen_and_after_it_was_killed() {
        if is_enabled() {
            replicas::all(&Hbase::up_for("replicas", 2, replicas::SESSION)).await;
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_load_survives_moves_splits_and_a_killed_server() {
        if !is_enabled() {
            return;
        }
        let csv = input::flights();
        let flights = Flights::build(csv.path());
        let calm = flights.run(&["--url", "mock:"]);

        // A server that was killed is to be missed soon.
        let cluster = Hbase::up_for("chaos", 3, Duration::from_secs(30));
        let mut disturbed = None;
        // A region that was recovered and moves again takes no nonces with it, so that an increment
        // which HBase has lost the answer of is unknown, rightly. That is rare, and the load cannot
        // go on after it.
        for _ in 0..ATTEMPTS {
            let arguments = ["--url", &cluster.zookeeper, "--keep"];
            let mut load = flights.start(&arguments, disturbance::FIRST);
            disturbance::all(&cluster, &mut load).await;
            match load.end() {
                Ok(answers) => {
                    disturbed = Some(answers);
                    break;
                }
                Err(unknown) => eprintln!("chaos: everything once more: {unknown}"),
            }
        }
        let disturbed = disturbed.expect("no load without an unknown outcome");
        assert_eq!(disturbed.digest, calm.digest, "the answers differ from those of the mock");

        let again = flights.run(&["--url", &cluster.servers, "--no-load"]);
        assert_eq!(again.digest, calm.digest, "through the servers, the answers differ");
        eprintln!("{}", disturbed.verdict);
    }
}
