//! Operations that are repeated after a restart.

use tallrow_mock::MockCluster;
use tallrow_wire::proto::*;

use super::{Folder, restarted};
use crate::frames::{Answer, Fixture, Frames, increment, server_of, specifier};

/// Adds 1 to the counter of row `r`, with nonce 7.
async fn count(cluster: &MockCluster) -> Answer<MutateResponse> {
    let server = server_of(cluster, "t", b"r");
    let mut client = Frames::open(cluster, server, "ClientService").await;
    let region = specifier(cluster, "t", b"r");
    let mutation = increment("r", 1, 7);
    client.call("Mutate", &MutateRequest { region, mutation, ..Default::default() }).await
}

fn value(answer: Answer<MutateResponse>) -> i64 {
    let (answer, mut cells) = answer.unwrap();
    let result = answer.result.unwrap();
    let value = match result.cell.first() {
        Some(cell) => cell.value.clone().unwrap().to_vec(),
        None => cells.remove(0).value().to_vec(),
    };
    i64::from_be_bytes(value.try_into().unwrap())
}

#[tokio::test]
async fn a_nonce_is_known_after_a_restart_a_split_and_a_checkpoint() {
    let folder = Folder::new();
    let f = Fixture::with(folder.builder(), &[], &[]).await;
    assert_eq!(value(count(&f.cluster).await), 1);
    assert_eq!(value(count(&f.cluster).await), 1);
    let (first, cluster) = restarted(&folder.bytes()).await;
    assert_eq!(value(count(&cluster).await), 1);
    cluster.split_region("t", b"m").unwrap();
    assert_eq!(value(count(&cluster).await), 1);
    // A log that is mostly history is replaced at the start.
    cluster
        .load_tables(&format!(
            "tallrow-mock tables 1\ntable \"u\"\nfamily \"f\"\nput \"r\" \"f:q\" 1 \"{}\"",
            "v".repeat(1 << 20)
        ))
        .unwrap();
    let before = first.bytes();
    let (second, cluster) = restarted(&before).await;
    assert!(second.bytes() != before, "no checkpoint was written");
    assert_eq!(value(count(&cluster).await), 1);
    let (_third, cluster) = restarted(&second.bytes()).await;
    assert_eq!(value(count(&cluster).await), 1);
}

#[tokio::test]
async fn a_nonce_is_forgotten_after_its_time() {
    let folder = Folder::new();
    let f = Fixture::with(folder.builder(), &[], &[]).await;
    assert_eq!(value(count(&f.cluster).await), 1);
    let copy = Folder::with(&folder.bytes());
    let builder = copy.builder().clock_start_ms(1_700_000_000_000 + 24 * 3_600_000);
    let cluster = builder.start().await.unwrap();
    assert_eq!(value(count(&cluster).await), 2);
}
