//! Ids in blocks while replies are lost and callers give up.

use std::time::Duration;

use futures_util::future::join_all;
use tallrow::{ErrorKind, Increment, ids::IdBlocks};
use tallrow_mock::{CallFaultBuilder, Fault};
use tokio::time::{Instant, sleep};

use super::{ATTEMPT_TIMEOUT, Effect, Site, called, cancel, class, config, site, site_with};

fn ids(site: &Site, size: u64) -> IdBlocks {
    IdBlocks::builder(site.table.clone(), "ids", "f", "n").block_size(size).build().unwrap()
}

async fn counter(site: &Site) -> i64 {
    site.table.get("ids").await.unwrap().unwrap().counter("f", "n").unwrap().unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_block_whose_reply_is_lost_gives_no_ids() {
    let site = site().await;
    let ids = ids(&site, 10);
    let effects: [Effect; 2] = [CallFaultBuilder::drop_reply, CallFaultBuilder::close_after];
    for (lost, effect) in effects.into_iter().enumerate() {
        site.mock.inject(effect(Fault::on("Mutate").nth(1)));
        // Of its twenty, ten are known to be its own.
        assert_eq!(ids.next_id().await.unwrap(), 20 * lost as u64 + 11);
        assert_eq!(ids.lost_block_count(), lost as u64 + 1);
        for _ in 1..10 {
            ids.next_id().await.unwrap();
        }
    }
    assert_eq!((counter(&site).await, site.mock.unfired_faults()), (40, vec![]));
}

#[tokio::test(start_paused = true)]
async fn ids_that_others_took_before_a_reply_was_repeated_are_not_given_out() {
    let site = site().await;
    let ids = ids(&site, 10);
    site.mock.inject(Fault::on("Mutate").nth(1).drop_reply());
    let waiting = tokio::spawn({
        let ids = ids.clone();
        async move { ids.next_id().await }
    });
    called(&site.mock, "Mutate", 1).await;
    // The ids 11 to 15 are of another client. The repeated request is answered with 15.
    site.table.increment(Increment::new("ids").add("f", "n", 5)).await.unwrap();
    assert_eq!(waiting.await.unwrap().unwrap(), 16);
    assert_eq!((ids.lost_block_count(), counter(&site).await), (1, 25));
}

#[tokio::test(start_paused = true)]
async fn an_increment_of_unknown_outcome_gives_no_ids() {
    let operation_timeout = Duration::from_millis(700);
    let site = site_with(config().operation_timeout(operation_timeout), &[]).await;
    let ids = ids(&site, 10);
    site.mock.inject(Fault::on("Mutate").drop_reply());
    let error = ids.next_id().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Timeout, "{error:?}");
    assert!(error.kind().is_safe_to_retry() && ids.lost_block_count() == 1, "{error:?}");
    site.mock.clear_faults();
    assert_eq!(ids.next_id().await.unwrap(), 11);
}

#[tokio::test(start_paused = true)]
async fn callers_wait_for_one_increment() {
    let site = site().await;
    let ids = ids(&site, 10);
    let mut taken: Vec<_> = join_all((0..100).map(|_| ids.next_id())).await;
    taken.sort_by_key(|id| *id.as_ref().unwrap());
    let taken: Vec<_> = taken.into_iter().map(Result::unwrap).collect();
    assert_eq!(taken, (1..=100).collect::<Vec<_>>());
    assert_eq!((site.mock.call_count("Mutate"), counter(&site).await), (1, 100));
    for id in 101..=110 {
        assert_eq!(ids.next_id().await.unwrap(), id);
    }
    assert_eq!(site.mock.call_count("Mutate"), 2, "one for each block");
}

#[tokio::test(start_paused = true)]
async fn a_dropped_caller_loses_nothing() {
    let site = site().await;
    let ids = ids(&site, 10);
    site.mock.inject(Fault::on("Mutate").nth(1).delay_in_queue(ATTEMPT_TIMEOUT / 2));
    let dropped = tokio::spawn({
        let ids = ids.clone();
        async move { ids.next_id().await }
    });
    called(&site.mock, "Mutate", 1).await;
    cancel(dropped).await;
    assert_eq!(ids.next_id().await.unwrap(), 1);
    assert_eq!((ids.lost_block_count(), counter(&site).await), (0, 10));
}

#[tokio::test(start_paused = true)]
async fn an_error_is_that_of_every_caller() {
    let site = site().await;
    let ids = ids(&site, 10);
    let refused = class("security.AccessDeniedException");
    site.mock.inject(Fault::on("Mutate").throw_with_do_not_retry(&refused, "not you", true));
    for error in join_all((0..5).map(|_| ids.next_id())).await {
        let error = error.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::PermissionDenied, "{error:?}");
        let place = (error.operation(), error.row(), error.exception());
        assert_eq!(place, ("next id", Some(&b"ids"[..]), Some(refused.as_str())));
        assert!(error.to_string().contains("not you") && error.server().is_some(), "{error}");
    }
    assert_eq!(site.mock.call_count("Mutate"), 1);
    site.mock.clear_faults();
    assert_eq!(ids.next_id().await.unwrap(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_caller_with_time_left_fetches_after_the_deadline_of_another() {
    let operation_timeout = Duration::from_millis(700);
    let site = site_with(config().operation_timeout(operation_timeout), &[]).await;
    let ids = ids(&site, 10);
    site.mock.inject(Fault::on("Mutate").drop_request());
    let next = || {
        let ids = ids.clone();
        tokio::spawn(async move { (ids.next_id().await, Instant::now()) })
    };
    let began = Instant::now();
    let first = next();
    called(&site.mock, "Mutate", 1).await;
    sleep(ATTEMPT_TIMEOUT * 2).await;
    let second = next();
    let (error, ended) = first.await.unwrap();
    assert_eq!(error.unwrap_err().kind(), ErrorKind::Timeout);
    assert_eq!(ended - began, operation_timeout);
    // The second caller, which has 600 ms left, fetches with its own deadline.
    site.mock.clear_faults();
    let (id, ended) = second.await.unwrap();
    // The last request of the first caller may be read after the fault is gone: its block is then
    // taken, and given to nobody.
    assert!([1, 11].contains(&id.unwrap()));
    assert!(ended - began < operation_timeout + ATTEMPT_TIMEOUT * 2);
}
