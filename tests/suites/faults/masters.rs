//! Masters that are no longer active, or whose replies are lost.

use std::time::Duration;

use tallrow::admin::ReplicationPeerConfig;
use tallrow::{ErrorKind, FamilyDescriptor, TableDescriptor};
use tallrow_mock::Fault;

use super::{class, config, site, site_with};

#[tokio::test(start_paused = true)]
async fn a_table_is_created_once_despite_a_lost_reply() {
    let site = site().await;
    let descriptor = TableDescriptor::new("u").unwrap().family(FamilyDescriptor::new("f"));
    site.mock.inject(Fault::on("CreateTable").nth(1).close_after());
    site.client.admin().create_table(&descriptor).await.unwrap();
    assert!(site.client.admin().table_exists("u").await.unwrap());
    assert_eq!(site.mock.unfired_faults(), []);
}

#[tokio::test(start_paused = true)]
async fn another_master_is_looked_up_when_this_one_stops() {
    for name in
        ["exceptions.MasterStoppedException", "PleaseHoldException", "MasterNotRunningException"]
    {
        let site = site().await;
        site.mock.inject(Fault::on("GetTableNames").times(2).throw(&class(name), "no"));
        assert_eq!(site.client.admin().list_tables().await.unwrap().len(), 1, "{name}");
        assert_eq!(site.mock.call_count("GetTableNames"), 3, "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_procedure_is_awaited_despite_lost_replies() {
    let site = site().await;
    site.mock.inject(Fault::on("getProcedureResult").nth(1).close_before());
    site.client.admin().hbase().unwrap().disable_table("t").await.unwrap();
    assert!(!site.client.admin().hbase().unwrap().is_table_enabled("t").await.unwrap());
    assert_eq!(site.mock.unfired_faults(), []);
}

#[tokio::test(start_paused = true)]
async fn a_master_without_the_new_flush_call_gets_the_old_one() {
    let site = site().await;
    let text = "m is unable to read call parameter from client c; \
                java.lang.UnsupportedOperationException: FlushTable";
    site.mock.inject(Fault::on("FlushTable").throw(&class("DoNotRetryIOException"), text));
    site.client.admin().hbase().unwrap().flush("t").await.unwrap();
    assert_eq!(site.mock.call_count("ExecProcedure"), 1);
    assert_eq!(site.mock.call_count("IsProcedureDone"), 1);
}

#[tokio::test(start_paused = true)]
async fn regions_that_are_not_served_are_retried_and_the_others_called_once() {
    let site = site_with(config(), &["b", "c"]).await;
    site.mock.inject(Fault::on("CompactRegion").nth(2).not_serving());
    site.client.admin().hbase().unwrap().major_compact("t").await.unwrap();
    assert_eq!(site.mock.call_count("CompactRegion"), 4);
}

#[tokio::test(start_paused = true)]
async fn a_table_is_altered_once_despite_a_lost_reply() {
    let site = site().await;
    let admin = site.client.admin();
    let wanted = TableDescriptor::new("t").unwrap().family(FamilyDescriptor::new("f").versions(7));
    let diff = wanted.diff(&admin.describe("t").await.unwrap());
    site.mock.inject(Fault::on("ModifyTable").nth(1).close_after());
    admin.alter(&diff).await.unwrap();
    assert_eq!(site.mock.call_count("ModifyTable"), 2);
    let live = admin.describe("t").await.unwrap();
    assert!(wanted.diff(&live).is_empty(), "{live}");
    let error = admin.alter(&diff).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SchemaDrift, "{error:?}");
    assert_eq!(
        site.mock.call_count("ModifyTable"),
        2,
        "nothing is sent for a table that was altered meanwhile"
    );
}

#[tokio::test(start_paused = true)]
async fn a_table_created_concurrently_is_checked() {
    let site = site().await;
    let admin = site.client.admin();
    // Creating it fails because it exists, although a moment ago it did not.
    site.mock.inject(Fault::on("CreateTable").nth(1).throw(&class("TableExistsException"), "u"));
    let error = admin.create_if_missing::<Row>().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TableNotFound, "{error:?}");
    assert!(admin.create_if_missing::<Row>().await.unwrap());
}

#[derive(tallrow::RowKey)]
struct Id {
    number: u64,
}

#[derive(tallrow::Table)]
#[table(name = "u")]
#[family("d")]
struct Row {
    #[key]
    #[allow(dead_code, reason = "only the table is looked at")]
    id: Id,
    #[cell("d:q")]
    value: Option<String>,
}

/// These requests have no nonce, so the master refuses the second one because of the first.
#[tokio::test(start_paused = true)]
async fn a_change_that_is_refused_after_a_lost_reply_may_have_been_made() {
    let site = site().await;
    let hbase = site.client.admin().hbase().unwrap();
    let peer = ReplicationPeerConfig::new("zk.bonn.example:2181:/hbase");
    let region = hbase.regions("t").await.unwrap().remove(0);
    hbase.take_snapshot("t", "s").await.unwrap();
    for method in ["AddReplicationPeer", "UnassignRegion", "DeleteSnapshot"] {
        site.mock.inject(Fault::on(method).nth(1).close_after());
    }
    for (operation, table, text, done) in [
        (
            "add replication peer",
            None,
            "no answer of the master says whether it was done; it may or may not be",
            hbase.add_replication_peer("bonn", &peer, true).await,
        ),
        (
            "unassign region",
            Some("t"),
            "its state changed, perhaps by an attempt whose answer was lost",
            hbase.unassign_region(&region).await,
        ),
        (
            "delete snapshot",
            None,
            "it does not exist, perhaps by an attempt whose answer was lost",
            hbase.delete_snapshot("s").await,
        ),
    ] {
        let error = done.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error:?}");
        assert_eq!(error.operation(), operation, "{error:?}");
        assert!(error.attempts() > 1, "{error:?}");
        assert_eq!(error.table().map(|table| table.as_str()), table, "{error:?}");
        assert_eq!(error.message(), text);
    }
    assert_eq!(site.mock.unfired_faults(), []);
}

#[tokio::test(start_paused = true)]
async fn a_change_that_is_refused_after_attempts_that_no_master_made_is_not_made() {
    let site = site().await;
    site.mock.inject(Fault::on("DeleteSnapshot").nth(1).throw(&class("PleaseHoldException"), "no"));
    let error = site.client.admin().hbase().unwrap().delete_snapshot("s").await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::SnapshotNotFound, 2), "{error:?}");
}

#[tokio::test(start_paused = true)]
async fn a_procedure_that_was_accepted_may_be_done_whatever_its_polls_are_answered() {
    let site = site().await;
    let polls = Fault::on("getProcedureResult").times(10_000);
    site.mock.inject(polls.throw(&class("PleaseHoldException"), "no"));
    let error = site.client.admin().hbase().unwrap().disable_table("t").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error:?}");
    assert_eq!(site.mock.call_count("DisableTable"), 1);
}

#[tokio::test(start_paused = true)]
async fn a_change_whose_answer_cannot_be_read_may_have_been_made() {
    let site = site().await;
    site.mock.inject(Fault::on("MoveRegion").nth(1).garbage("what is this"));
    let hbase = site.client.admin().hbase().unwrap();
    let region = hbase.regions("t").await.unwrap().remove(0);
    let to = hbase.region_servers().await.unwrap().remove(0);
    let error = hbase.move_region(&region, &to).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error:?}");
    assert_eq!(site.mock.unfired_faults(), []);
}

#[tokio::test(start_paused = true)]
async fn the_region_that_cannot_be_compacted_is_named() {
    let site = site().await;
    site.mock.inject(Fault::on("CompactRegion").throw(&class("DoNotRetryIOException"), "no"));
    let error = site.client.admin().hbase().unwrap().compact("t").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DoNotRetry, "{error:?}");
    assert!(error.region().unwrap().starts_with(b"t,,"), "{error:?}");
}

/// A region is named by its table, its start key and more, and its name is a row of `hbase:meta`.
#[tokio::test(start_paused = true)]
async fn a_region_with_too_long_a_name_is_refused_by_every_way_to_make_it() {
    let site = site().await;
    let (admin, hbase) = (site.client.admin(), site.client.admin().hbase().unwrap());
    let long = vec![b'k'; 32_767 - ",,.1234567890123.".len() - 32 - 2];
    let named = |name: &str| {
        TableDescriptor::new(name).unwrap().family(FamilyDescriptor::new("f")).splits([&long])
    };
    admin.create_table(&named("tt")).await.unwrap();
    hbase.take_snapshot("tt", "s").await.unwrap();
    hbase.disable_table("tt").await.unwrap();
    let region = hbase.regions("t").await.unwrap().remove(0);
    let longer = [&long[..], b"kk"].concat();
    for (way, error) in [
        ("create", admin.create_table(&named("ttt")).await.unwrap_err()),
        ("clone a snapshot", hbase.clone_snapshot("s", "ttt").await.unwrap_err()),
        ("clone a schema", hbase.clone_table_schema("tt", "ttt", true).await.unwrap_err()),
        ("split", hbase.split_region(&region, &longer).await.unwrap_err()),
    ] {
        assert!(error.to_string().contains("is > 32767"), "{way}: {error}");
        assert!(error.elapsed() < Duration::from_secs(60), "{way}: {error:?}");
    }
    assert!(!admin.table_exists("ttt").await.unwrap());
    assert_eq!(hbase.regions("t").await.unwrap().len(), 1);
}
