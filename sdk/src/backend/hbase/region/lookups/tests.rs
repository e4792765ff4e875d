//! Tests of the lookups under way: how callers share them, wait for their turn, and learn of a
//! failure.

use super::*;
use crate::backend::hbase::location::Server;
use crate::backend::hbase::region::LookupTarget;

fn table() -> TableName {
    "t".parse().unwrap()
}

fn row(row: &str) -> OwnedLookupTarget {
    LookupTarget::Containing(row.as_bytes()).to_owned()
}

fn region(start: &str, end: &str) -> Arc<Location> {
    let server = Server::new("s:1".into(), 1);
    let name = format!("t,{start},1");
    Arc::new(Location::new(name.as_bytes(), (start.as_bytes(), end.as_bytes()), server, 1))
}

fn found(mut receiver: oneshot::Receiver<Found>) -> Option<Arc<Location>> {
    receiver.try_recv().ok().map(|found| found.unwrap())
}

/// Every row is in a region of its own.
fn apart(_: &[u8], _: &[u8]) -> bool {
    true
}

#[tokio::test(start_paused = true)]
async fn callers_of_one_row_share_a_lookup_and_those_of_its_page_the_answer() {
    let lookups = Arc::new(Lookups::default());
    let (first, started) = lookups.join(&table(), row("a"), apart);
    let (second, none) = lookups.join(&table(), row("a"), apart);
    assert!(none.is_none());
    let (before, other) = lookups.join(&table(), LookupTarget::Preceding(b"m").to_owned(), apart);
    let (elsewhere, third) = lookups.join(&table(), row("x"), apart);
    let page = vec![region("", "g"), region("g", "m")];
    assert!(started.unwrap().finish(Ok(page), apart).is_empty());
    assert_eq!(found(first).unwrap().start(), b"");
    assert_eq!(found(second).unwrap().start(), b"");
    assert_eq!(found(before).unwrap().start(), b"g", "although its own lookup is under way");
    assert!(found(elsewhere).is_none());
    drop((other, third));
}

#[tokio::test(start_paused = true)]
async fn a_few_lookups_go_side_by_side_and_the_others_wait_for_their_turn() {
    let lookups = Arc::new(Lookups::default());
    let mut started = Vec::new();
    let mut waiting = Vec::new();
    for at in 0..20 {
        let (receiver, start) = lookups.join(&table(), row(&format!("{at:02}")), apart);
        started.extend(start);
        waiting.push(receiver);
    }
    assert_eq!(started.len(), AT_A_TIME);
    drop(waiting.drain(AT_A_TIME..AT_A_TIME + 2));
    let mut next = started.remove(0).finish(Ok(vec![region("00", "01")]), apart);
    assert_eq!(next.len(), 1);
    let next = next.remove(0);
    assert_eq!(next.wanted, row("10"), "nobody waits for 08 and 09 any more");
    let none = next.finish(Ok(vec![region("10", "20")]), apart);
    assert!(none.is_empty(), "the page had all the others");
    assert!(waiting.drain(AT_A_TIME..).all(|receiver| found(receiver).is_some()));
}

#[tokio::test(start_paused = true)]
async fn rows_that_may_be_of_one_region_are_not_looked_up_at_the_same_time() {
    let lookups = Arc::new(Lookups::default());
    let known_g = |a: &[u8], b: &[u8]| a < &b"g"[..] && &b"g"[..] <= b;
    let join = |at: &str| lookups.join(&table(), row(at), known_g);
    let (_first, started) = join("h");
    let (_same, none) = join("i");
    let (_last, none_too) = join("q");
    let (_apart, other) = join("b");
    assert!(none.is_none() && none_too.is_none() && other.is_some());
    let next = started.unwrap().finish(Ok(vec![region("g", "p")]), known_g);
    let next: Vec<_> = next.iter().map(|started| started.wanted.clone()).collect();
    assert_eq!(next, [row("q")], "i was in the page");
}

#[tokio::test(start_paused = true)]
async fn many_lookups_in_a_row_ask_for_more_regions_each() {
    let lookups = Arc::new(Lookups::default());
    let rows = |at: usize| {
        let (_, started) = lookups.join(&table(), row(&at.to_string()), apart);
        let started = started.unwrap();
        let rows = started.rows;
        started.finish(Err(LocateError::Disabled), apart);
        rows
    };
    assert_eq!([0, 1, 2].map(rows), [10, 12, 14]);
    assert_eq!((3..100).map(rows).max(), Some(100));
    tokio::time::advance(GROWS_WITHIN).await;
    assert_eq!(rows(100), 10);
}

#[tokio::test(start_paused = true)]
async fn a_lookup_that_is_late_is_made_again_for_the_next_caller() {
    let lookups = Arc::new(Lookups::default());
    let (first, _late) = lookups.join(&table(), row("a"), apart);
    tokio::time::advance(JOINED_WITHIN).await;
    let (second, again) = lookups.join(&table(), row("a"), apart);
    again.unwrap().finish(Ok(vec![region("", "")]), apart);
    assert!(found(first).is_some() && found(second).is_some());
}

#[tokio::test(start_paused = true)]
async fn callers_look_again_if_the_lookup_is_dropped() {
    let lookups = Arc::new(Lookups::default());
    let (first, started) = lookups.join(&table(), row("a"), apart);
    drop(started);
    assert!(first.await.is_err());
    let (_, again) = lookups.join(&table(), row("a"), apart);
    assert!(again.is_some());
}

#[tokio::test(start_paused = true)]
async fn those_who_wait_for_their_turn_are_told_that_the_server_does_not_answer() {
    let lookups = Arc::new(Lookups::default());
    let mut started = Vec::new();
    let mut waiting = Vec::new();
    for at in 0..10 {
        let (receiver, start) = lookups.join(&table(), row(&at.to_string()), apart);
        started.extend(start);
        waiting.push(receiver);
    }
    let why =
        crate::backend::hbase::rpc::CallError::Unreachable { why: "gone".into(), refused: true };
    let error = LocateError::Call { server: "s:1".into(), error: why };
    assert!(started.remove(0).finish(Err(error), apart).is_empty());
    let told = waiting.iter_mut().filter_map(|receiver| receiver.try_recv().ok()).count();
    assert_eq!(told, 3, "and those of other lookups that are under way wait for them");
}
