//! Changes of several rows in one step whose reply is lost: never made twice, and never told to be
//! made if that is not known.

use std::time::Duration;

use tallrow::op::{Mutation, RowMutations};
use tallrow::{
    Delete, DeliveryGuarantee, ErrorKind, FamilyDescriptor, Get, Put, RawTable, Scan,
    TableDescriptor, Timestamp,
};
use tallrow_mock::{Fault, MockCluster};
use tallrow_tests::Place;
use tokio::time::Instant;

use super::{ATTEMPT_TIMEOUT, LOST, Site, class, site};

const ENDPOINT: &str = "|org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint|536870911|";

/// A table with the endpoint.
async fn steps(site: &Site) -> RawTable {
    let table =
        TableDescriptor::new("steps").unwrap().family(FamilyDescriptor::new("f").versions(9));
    let table = table.attribute("coprocessor$1", ENDPOINT);
    site.client.admin().create_table(&table).await.unwrap();
    site.client.prefetch_regions("steps").await.unwrap();
    site.client.raw_table("steps").unwrap()
}

fn undated() -> [Put; 2] {
    ["a", "b"].map(|row| Put::new(row).cell("f", "q", "v"))
}

fn dated() -> [Put; 2] {
    ["a", "b"].map(|row| Put::new(row).cell_at("f", "q", Timestamp::from_millis(5), "v"))
}

fn calls(mock: &MockCluster) -> u64 {
    mock.call_count("ExecService")
}

#[tokio::test(start_paused = true)]
async fn a_step_without_a_time_is_unknown_and_sent_once() {
    for effect in LOST {
        let site = site().await;
        let table = steps(&site).await;
        site.mock.inject(effect(Fault::on("ExecService").nth(1)));
        let error = table.mutate_rows(undated()).await.unwrap_err();
        assert_eq!(site.mock.unfired_faults(), []);
        assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error:?}");
        assert_eq!((error.row(), error.operation()), (Some(&b"a"[..]), "mutate rows"));
        assert_eq!(calls(&site.mock), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn a_step_with_times_is_sent_until_it_is_answered() {
    for effect in LOST {
        let site = site().await;
        let table = steps(&site).await;
        site.mock.inject(effect(Fault::on("ExecService").times(2)));
        table.mutate_rows(dated()).await.unwrap();
        assert_eq!(calls(&site.mock), 3);
        assert_eq!(Place::keys(&table, Scan::all()).await, ["a", "b"]);
        // The same without times, for those who say that twice does not matter.
        let twice = table.clone().with_delivery(DeliveryGuarantee::AtLeastOnce);
        site.mock.inject(effect(Fault::on("ExecService").nth(1)));
        twice.mutate_rows(undated()).await.unwrap();
        assert_eq!(calls(&site.mock), 5);
    }
}

/// Although it may be sent again: it was perhaps made, and that no answer came does not say that it
/// was not.
#[tokio::test(start_paused = true)]
async fn a_step_with_times_that_is_never_answered_is_unknown() {
    for effect in LOST {
        let site = site().await;
        let table = steps(&site).await.with_timeout(ATTEMPT_TIMEOUT * 3);
        site.mock.inject(effect(Fault::on("ExecService").times(100_000)));
        let started = Instant::now();
        let error = table.mutate_rows(dated()).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error:?}");
        assert!(started.elapsed() <= ATTEMPT_TIMEOUT * 3 + Duration::from_millis(1));
        assert!(error.attempts() >= 2, "{error:?}");
        // Nor does a refusal of a later attempt.
        site.mock.clear_faults();
        let refused = class("security.AccessDeniedException");
        site.mock.inject(effect(Fault::on("ExecService").nth(1)));
        site.mock
            .inject(Fault::on("ExecService").nth(2).throw_with_do_not_retry(&refused, "no", true));
        let error = table.mutate_rows(dated()).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error:?}");
        assert_eq!(site.mock.unfired_faults(), []);
    }
}

#[tokio::test(start_paused = true)]
async fn a_step_follows_its_region() {
    let site = site().await;
    let table = steps(&site).await;
    let server = site.mock.regions("steps")[0].server.unwrap();
    site.mock.move_region("steps", b"", 1 - server).unwrap();
    table.mutate_rows(undated()).await.unwrap();
    site.mock.kill_server(1 - server).unwrap();
    table.mutate_rows(["c", "d"].map(|row| Put::new(row).cell("f", "q", "v"))).await.unwrap();
    assert_eq!(Place::keys(&table, Scan::all()).await, ["a", "b", "c", "d"]);
}

/// A step under `Idempotent` gets its times from the client, one for each row, and is then sent
/// until it is answered: each cell is one version, however often it was made.
#[tokio::test(start_paused = true)]
async fn an_idempotent_step_is_dated_and_sent_until_it_is_answered() {
    for effect in LOST {
        let site = site().await;
        let table = steps(&site).await.with_delivery(DeliveryGuarantee::Idempotent);
        site.client
            .raw_table("steps")
            .unwrap()
            .put(Put::new("old").cell("f", "q", "v"))
            .await
            .unwrap();
        let mut step: Vec<Mutation> = undated().map(Mutation::from).to_vec();
        step.push(Delete::new("old").into());
        step.push(Delete::new("a").column("f", "other").into());
        site.mock.inject(effect(Fault::on("ExecService").times(2)));
        table.mutate_rows(step).await.unwrap();
        assert_eq!((calls(&site.mock), site.mock.unfired_faults()), (3, vec![]));
        assert_eq!(Place::keys(&table, Scan::all()).await, ["a", "b"]);
        for row in ["a", "b"] {
            let found = table.get(Get::new(row).versions(9)).await.unwrap().unwrap();
            assert_eq!(
                found.versions("f", "q").count(),
                1,
                "{row} was made again as another version"
            );
        }
        // A later write of a row is newer, and one step more does not wait for itself.
        table.put(Put::new("a").cell("f", "q", "later")).await.unwrap();
        let many: Vec<_> =
            (0..600).map(|n| Put::new(format!("r{n:03}")).cell("f", "q", "v")).collect();
        let (one, other) = tokio::join!(
            table.mutate_rows(many.clone()),
            table.mutate_rows(many.into_iter().rev())
        );
        one.and(other).unwrap();
        assert_eq!(table.get("a").await.unwrap().unwrap().value("f", "q"), Some(&b"later"[..]));
    }
}

/// The guarantee of several changes of a row holds for them in a step too.
#[tokio::test(start_paused = true)]
async fn the_guarantee_of_changes_of_a_row_is_kept_in_a_step() {
    let site = site().await;
    let table = steps(&site).await;
    let change = |delivery| {
        let put = |qualifier| Put::new("a").cell("f", qualifier, "v");
        RowMutations::new("a").add(put("p")).add(put("q")).delivery(delivery)
    };
    site.mock.inject(Fault::on("ExecService").nth(1).drop_reply());
    table.mutate_rows([change(DeliveryGuarantee::AtLeastOnce)]).await.unwrap();
    site.mock.inject(Fault::on("ExecService").nth(1).drop_reply());
    let error = table.mutate_rows([change(DeliveryGuarantee::AtMostOnce)]).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error:?}");
    assert_eq!(site.mock.unfired_faults(), []);
    // And so does what is refused of them.
    let both = RowMutations::new("a").add(Put::new("a").cell("f", "q", "v")).add(Delete::new("a"));
    let alone = table.mutate_row(both.clone()).await.unwrap_err();
    let error = table.mutate_rows([both]).await.unwrap_err();
    assert_eq!((error.kind(), alone.kind()), (ErrorKind::InvalidArgument, alone.kind()));
}
