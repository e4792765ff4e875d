//! Increment and append, and the nonces that prevent a repetition from being applied twice.

use tallrow_mock::{Fault, MockCluster};
use tallrow_wire::exception;
use tallrow_wire::proto::*;

use crate::frames::{Fixture, get, increment, mutation, raw_scan};

fn request(t: &Fixture, mutation: MutationProto) -> MutateRequest {
    MutateRequest { nonce_group: Some(77), ..t.request(mutation) }
}

fn number(cells: &[tallrow_wire::cell::Cell]) -> i64 {
    i64::from_be_bytes(cells[0].value().try_into().unwrap())
}

#[tokio::test]
async fn increments_add_wrap_and_return_the_sum() {
    let mut t = Fixture::new(&[]).await;
    for (by, sum) in [(5, 5), (-7, -2), (0, -2), (i64::MIN, i64::MAX - 1)] {
        let (_, cells) = t.mutate(increment("r", by, 0)).await.unwrap();
        assert_eq!(number(&cells), sum);
    }
}

#[tokio::test]
async fn an_increment_is_newer_than_what_it_adds_to() {
    let mut t = Fixture::new(&[]).await;
    let zero = String::from_utf8(vec![0; 8]).unwrap();
    t.put("r", "n", 9_000_000_000_000, &zero).await;
    let (_, cells) = t.mutate(increment("r", 1, 0)).await.unwrap();
    assert_eq!(cells[0].timestamp(), 9_000_000_000_001);
}

#[tokio::test]
async fn a_value_that_is_not_a_number_cannot_be_incremented() {
    let mut t = Fixture::new(&[]).await;
    t.put("r", "n", 1, "abc").await;
    let error = t.mutate(increment("r", 1, 0)).await.unwrap_err();
    assert_eq!(error.message, "Field is not a long, it's 3 bytes wide");
    assert_eq!((error.class.as_str(), error.do_not_retry), (exception::DO_NOT_RETRY, true));
    let narrow = mutation(MutationType::Increment, "s", &[("n", 0, "1")]);
    let error = t.mutate(narrow).await.unwrap_err();
    assert_eq!(error.message, "Field is not a long, it's 1 bytes wide");
    assert_eq!(t.values("s").await, [""; 0]);
}

#[tokio::test]
async fn appends_concatenate_and_may_return_nothing() {
    let mut t = Fixture::new(&[]).await;
    t.mutate(mutation(MutationType::Append, "r", &[("q", 0, "a")])).await.unwrap();
    let mut quiet = mutation(MutationType::Append, "r", &[("q", 0, "b")]);
    quiet.attribute = vec![NameBytesPair { name: "_rr_".into(), value: Some(vec![0].into()) }];
    let (answer, cells) = t.mutate(quiet).await.unwrap();
    assert_eq!((answer.result.unwrap().associated_cell_count, cells.len()), (Some(0), 0));
    assert_eq!(t.values("r").await, ["q=ab"]);
}

/// Like HBase: an increment whose reply was lost counts once, by its nonce.
#[tokio::test]
async fn a_repeated_nonce_returns_the_first_result_and_adds_nothing() {
    let mut t = Fixture::new(&[]).await;
    let first = request(&t, increment("r", 5, 9));
    let again = |t: &Fixture| request(t, increment("r", 5, 9));
    let (_, cells) = t.client.call::<MutateResponse>("Mutate", &first).await.unwrap();
    assert_eq!(number(&cells), 5);
    t.mutate(increment("r", 100, 0)).await.unwrap();
    let repeated = again(&t);
    let (_, cells) = t.client.call::<MutateResponse>("Mutate", &repeated).await.unwrap();
    assert_eq!(number(&cells), 5);
    assert_eq!(number(&t.get(get("r")).await.unwrap().1), 105);
    // A batch uses the same nonces.
    let action =
        Action { index: Some(0), mutation: Some(increment("r", 5, 9)), ..Default::default() };
    let batch = MultiRequest {
        region_action: vec![RegionAction {
            region: t.region(b""),
            action: vec![action],
            ..Default::default()
        }],
        nonce_group: Some(77),
        ..Default::default()
    };
    let (_, cells) = t.client.call::<MultiResponse>("Multi", &batch).await.unwrap();
    assert_eq!(number(&cells), 5);
    assert_eq!(number(&t.get(get("r")).await.unwrap().1), 105);
}

#[tokio::test]
async fn an_increment_repeated_after_a_lost_reply_counts_once_even_if_its_server_died() {
    let mut t = Fixture::with(MockCluster::builder().servers(2), &[], &[]).await;
    t.cluster.inject(Fault::on("Mutate").nth(1).close_after());
    let lost = request(&t, increment("r", 1, 3));
    t.client.send("Mutate", &lost, b"").await;
    assert!(t.client.receive().await.is_none());
    t.cluster.kill_server(t.cluster.regions("t")[0].server.unwrap()).unwrap();
    t.reconnect(b"r").await;
    let again = request(&t, increment("r", 1, 3));
    let (_, cells) = t.client.call::<MutateResponse>("Mutate", &again).await.unwrap();
    assert_eq!(number(&cells), 1);
    assert_eq!(number(&t.get(get("r")).await.unwrap().1), 1);
}

/// Like HBase: nonces are kept when a server dies.
#[tokio::test]
async fn a_nonce_outlives_the_only_server() {
    let mut t = Fixture::new(&[]).await;
    let first = request(&t, increment("r", 1, 3));
    t.client.call::<MutateResponse>("Mutate", &first).await.unwrap();
    t.cluster.kill_server(0).unwrap();
    t.cluster.start_server().unwrap();
    t.reconnect(b"r").await;
    let again = request(&t, increment("r", 1, 3));
    let (_, cells) = t.client.call::<MutateResponse>("Mutate", &again).await.unwrap();
    assert_eq!(number(&cells), 1);
}

/// Like HBase: the older versions of a counter stay until they are flushed.
#[tokio::test]
async fn a_flush_drops_the_older_versions_of_a_counter() {
    let mut t = Fixture::new(&[]).await;
    for _ in 0..50 {
        t.mutate(increment("r", 1, 0)).await.unwrap();
    }
    let (_, cells) = t.scan(raw_scan(), 100).await.unwrap();
    assert_eq!((cells.len(), number(&cells)), (50, 50));
    let request = FlushRegionRequest { region: t.region(b""), ..Default::default() };
    t.admin.call::<FlushRegionResponse>("FlushRegion", &request).await.unwrap();
    let (_, cells) = t.scan(raw_scan(), 100).await.unwrap();
    assert_eq!((cells.len(), number(&cells)), (1, 50));
}
