//! The transcript: the same seed and the same calls give the same text.

use std::time::Duration;

use tallrow_mock::{Change, Fault, MockCluster};
use tallrow_wire::proto::*;

use crate::frames::{Fixture, Frames, get, put, server_of};
use crate::thorough;

/// Runs calls with faults of every kind and changes, and returns the transcript.
async fn run(seed: u64) -> String {
    let builder = MockCluster::builder().servers(2).in_memory().seed(seed);
    let mut t = Fixture::with(builder, &[], &["m"]).await;
    t.cluster.record_transcript();
    let one_in_two = |method| Fault::on(method).chance(0.5);
    t.cluster.inject(one_in_two("Mutate").throw("java.io.IOException", "no"));
    t.cluster.inject(one_in_two("Mutate").pause_handler(Duration::from_millis(9)));
    t.cluster.inject(one_in_two("Get").delay_in_queue(Duration::from_millis(9)));
    t.cluster.inject(
        Fault::on("Mutate")
            .table("t")
            .nth(20)
            .change(Change::SplitRegion { table: "t".into(), at: b"b".to_vec() }),
    );
    let before_the_split = t.request(put("a"));
    for n in 0..40 {
        let request = t.request(put(&format!("a{n}")));
        let _ = t.client.call::<MutateResponse>("Mutate", &request).await;
        let _ = t.get(get(&format!("a{n}"))).await;
    }
    // Some of these meet a fault, and some the region that has gone.
    for _ in 0..20 {
        t.client.call::<MutateResponse>("Mutate", &before_the_split).await.unwrap_err();
    }
    t.cluster.apply(&Change::KillServer { server: 1 }).unwrap();
    t.cluster.inject(Fault::on_connect().close());
    let server = server_of(&t.cluster, "t", b"");
    assert!(Frames::open(&t.cluster, server, "ClientService").await.rest().await.is_empty());
    t.cluster.transcript()
}

#[tokio::test(start_paused = true)]
async fn two_runs_with_one_seed_have_the_same_transcript() {
    let first = run(7).await;
    assert_eq!(run(7).await, first);
    assert_ne!(run(8).await, first);
    for line in [
        "server 1: Mutate of t: answered",
        "server 1: Mutate of t: fault throw",
        "server 1: Mutate of t: fault pause_handler",
        "server 1: Mutate: answered, late",
        "server 1: Get of t: fault delay_in_queue",
        "change: split t at row \"b\"",
        "threw org.apache.hadoop.hbase.NotServingRegionException",
        "change: kill region server 1",
        "server 0: a connection: fault close",
    ] {
        assert!(first.contains(line), "{line} is missing in\n{first}");
    }
    assert!(first.starts_with("1 server 1: Mutate of t: "), "{first}");
}

/// All 100 seeds with `TALLROW_THOROUGH`, else ten of them.
#[tokio::test(start_paused = true)]
async fn the_seed_determines_every_byte_of_the_transcript() {
    let seeds = if thorough() { 100 } else { 10 };
    let mut transcripts = std::collections::BTreeSet::new();
    for seed in 0..seeds {
        let first = run(seed).await;
        assert_eq!(run(seed).await, first, "seed {seed}");
        transcripts.insert(first);
    }
    assert_eq!(transcripts.len(), seeds as usize, "other seeds have other transcripts");
}

#[tokio::test]
async fn nothing_is_recorded_unless_it_is_wanted() {
    let mut t = Fixture::new(&[]).await;
    t.put("a", "q", 1, "v").await;
    assert_eq!(t.cluster.transcript(), "");
    t.cluster.record_transcript();
    assert_eq!(t.values("a").await, ["q=v"]);
    assert_eq!(t.cluster.transcript(), "1 server 0: Get of t: answered\n");
}

#[tokio::test]
async fn a_name_that_a_client_invents_stays_in_its_line() {
    let mut t = Fixture::new(&[]).await;
    t.cluster.record_transcript();
    t.client.call::<Empty>("No\nsuch\u{e9}", &Empty {}).await.unwrap_err();
    t.client.call::<Empty>(&"x".repeat(10_000), &Empty {}).await.unwrap_err();
    let transcript = t.cluster.transcript();
    let lines: Vec<_> = transcript.lines().collect();
    assert_eq!(lines.len(), 2, "{transcript}");
    assert!(lines[0].starts_with("1 server 0: No\\x0Asuch\\xC3\\xA9: threw "), "{transcript}");
    assert!(lines[1].len() < 600, "{transcript}");
}
