//! Tests of backups and their operations: what comes of them, what is sent again, what is said, and
//! that nothing outlasts its deadline.

use std::time::{Duration, SystemTime};

use prost::Message;
use tallrow_mock::{Fault, MockCluster, StatusCode};
use tokio::time::{Instant, timeout};

use super::scripted::{Scripted, server};
use super::{piped, quick};
use crate::admin::{
    Backup, BackupDescriptor, BackupName, BigtableAdmin, LongRunningOperation, OperationProgress,
};
use crate::backend::Backend;
use crate::model::naming::TableNameResolver;
use crate::wire::bigtable::{
    self as wire, Any, GetOperationRequest, Operation, OperationResult, RestoreTableMetadata,
    type_url,
};
use crate::{
    Client, Error, ErrorKind, FamilyDescriptor, Put, Result, Scan, TableDescriptor, TableName,
};

const MINUTE: Duration = Duration::from_secs(60);
const DAY: Duration = Duration::from_secs(86_400);

/// A client with a table `t`, which has the row `a`.
async fn started() -> (MockCluster, Client, BigtableAdmin) {
    let builder = MockCluster::builder().in_memory().servers(1).bigtable_port(0);
    let cluster = builder.start().await.unwrap();
    let config = piped(&cluster, quick());
    let client = Client::connect_with(&cluster.bigtable_url().unwrap(), config).await.unwrap();
    let table = TableDescriptor::new("t").unwrap().family(FamilyDescriptor::new("f"));
    client.admin().create_table(&table).await.unwrap();
    client.raw_table("t").unwrap().put(Put::new("a").cell("f", "q", "v")).await.unwrap();
    let admin = client.admin().bigtable().unwrap();
    (cluster, client, admin)
}

fn named(id: &str) -> BackupName {
    BackupName::new("c", id)
}

fn in_days(days: u32) -> SystemTime {
    SystemTime::now() + DAY * days
}

fn weekly(id: &str) -> BackupDescriptor {
    BackupDescriptor::new(named(id), in_days(7))
}

#[tokio::test(start_paused = true)]
async fn a_backup_is_made_copied_restored_and_deleted() {
    let (cluster, client, admin) = started().await;
    cluster.set_operation_polls(3);
    let operation = admin.create_backup("t", &weekly("b").hot_until(in_days(2))).await.unwrap();
    let making = admin.backup(&named("b")).await.unwrap();
    assert_eq!((making.is_ready, making.ended_at, making.size_bytes), (false, None, 0));
    // The name is all that is needed to find the operation again.
    let name = operation.name().to_owned();
    drop(operation);
    let backup = admin.operation::<Backup>(&name).wait(MINUTE).await.unwrap();
    assert_eq!((&backup.name, backup.table.as_str()), (&named("b"), "t"));
    assert!(backup.is_ready && backup.is_hot && backup.size_bytes > 0);
    assert!(backup.hot_until.unwrap() > in_days(2) - MINUTE);
    assert_eq!(admin.backup(&named("b")).await.unwrap(), backup);
    let table = client.raw_table("t").unwrap();
    table.delete("a").await.unwrap();

    let elsewhere = BackupName::new("d", "copy").in_instance("q", "j");
    let operation = admin.copy_backup(&named("b"), &elsewhere, in_days(20)).await.unwrap();
    let copy = operation.wait(MINUTE).await.unwrap();
    assert_eq!((&copy.name, &copy.copied_from), (&elsewhere, &Some(named("b"))));
    let changed = admin.set_backup_expiry(&elsewhere, in_days(21)).await.unwrap();
    assert!(changed.expires_at > copy.expires_at);

    let operation = admin.restore_table(&elsewhere, "u").await.unwrap();
    let mut seen = Vec::new();
    let restored = operation.wait_with_progress(MINUTE, |p: &OperationProgress| {
        seen.push((p.percent, p.ended_at.is_some()));
    });
    assert_eq!(restored.await.unwrap(), "u".parse::<TableName>().unwrap());
    let expected = [(Some(0), false), (Some(33), false), (Some(66), false), (Some(100), true)];
    assert_eq!(seen, expected);
    assert_eq!(client.raw_table("u").unwrap().count(Scan::all()).await.unwrap(), 1);

    let ids = |backups: Vec<Backup>| -> Vec<_> {
        backups.into_iter().map(|backup| backup.name.id().to_owned()).collect()
    };
    assert_eq!(ids(admin.list_backups(None).await.unwrap()), ["b"], "in this instance");
    assert_eq!(ids(admin.list_backups(Some("c")).await.unwrap()), ["b"]);
    admin.delete_backup(&named("b")).await.unwrap();
    assert_eq!(admin.list_backups(Some("c")).await.unwrap(), []);
    // It is gone when its time is over, too.
    cluster.advance_clock(DAY * 22).unwrap();
    assert_eq!(admin.backup(&elsewhere).await.unwrap_err().kind(), ErrorKind::BackupNotFound);
}

#[tokio::test(start_paused = true)]
async fn a_table_is_protected_and_a_deleted_one_comes_back() {
    let (cluster, client, admin) = started().await;
    for polls in [0, 2] {
        cluster.set_operation_polls(polls);
        admin.set_deletion_protection("t", true).await.unwrap();
        assert!(admin.is_deletion_protected("t").await.unwrap());
        let error = client.admin().delete_table("t").await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DoNotRetry, "{error}");
        assert!(error.to_string().contains("set_deletion_protection removes"), "{error}");
        admin.set_deletion_protection("t", false).await.unwrap();
        assert!(!admin.is_deletion_protected("t").await.unwrap());
    }
    client.admin().delete_table("t").await.unwrap();
    let back = admin.undelete_table("t").await.unwrap().wait(MINUTE).await.unwrap();
    assert_eq!(client.raw_table(&back).unwrap().count(Scan::all()).await.unwrap(), 1);
    // A change that takes too long goes on.
    cluster.set_operation_polls(1_000_000);
    let error = admin.set_deletion_protection("t", true).await.unwrap_err();
    assert_eq!((error.kind(), error.operation()), (ErrorKind::Timeout, "set deletion protection"));
}

#[tokio::test(start_paused = true)]
async fn what_cannot_be_is_said_in_words() {
    let (cluster, client, admin) = started().await;
    admin.create_backup("t", &weekly("b")).await.unwrap().wait(MINUTE).await.unwrap();
    admin
        .copy_backup(&named("b"), &named("copy"), in_days(7))
        .await
        .unwrap()
        .wait(MINUTE)
        .await
        .unwrap();
    let said = |error: Error, kind: ErrorKind, texts: &[&str]| {
        assert_eq!(error.kind(), kind, "{error}");
        for text in texts {
            assert!(error.to_string().contains(text), "no {text:?} in: {error}");
        }
    };
    const PATH: &str = "projects/mock/instances/mock/clusters/c/backups/";
    let none = format!("there is no backup {PATH}none; it may have expired");
    let error = admin.backup(&named("none")).await.unwrap_err();
    said(error, ErrorKind::BackupNotFound, &["get backup", &none]);
    let error = admin.delete_backup(&named("none")).await.unwrap_err();
    said(error, ErrorKind::BackupNotFound, &[&none]);
    let error = admin.set_backup_expiry(&named("none"), in_days(7)).await.unwrap_err();
    said(error, ErrorKind::BackupNotFound, &[&none]);
    let error = admin.copy_backup(&named("none"), &named("x"), in_days(7)).await.unwrap_err();
    said(error, ErrorKind::BackupNotFound, &["copy backup", &none]);
    let error = admin.restore_table(&named("none"), "u").await.unwrap_err();
    said(error, ErrorKind::BackupNotFound, &["restore table u", &none]);
    let error = admin.restore_table(&named("b"), "t").await.unwrap_err();
    said(error, ErrorKind::TableExists, &["restore table t"]);
    let error = admin.create_backup("none", &weekly("x")).await.unwrap_err();
    said(error, ErrorKind::TableNotFound, &["create backup none"]);
    let error = admin.create_backup("t", &weekly("b")).await.unwrap_err();
    said(error, ErrorKind::BackupExists, &["create backup t", PATH, "choose another id"]);
    let error = admin.copy_backup(&named("copy"), &named("x"), in_days(7)).await.unwrap_err();
    said(error, ErrorKind::DoNotRetry, &["copy", "is itself a copy"]);
    let soon = BackupDescriptor::new(named("x"), SystemTime::now() + MINUTE);
    let error = admin.create_backup("t", &soon).await.unwrap_err();
    said(error, ErrorKind::DoNotRetry, &["at least 6 hours and at most 90 days"]);
    let error = admin.undelete_table("none").await.unwrap_err();
    said(error, ErrorKind::TableNotFound, &["undelete table none", "for seven days"]);
    let error = admin.operation::<Backup>("operations/none").poll().await.unwrap_err();
    said(error, ErrorKind::DoNotRetry, &["no operation \"operations/none\""]);

    // Nothing is sent.
    let calls = cluster.call_count("CreateBackup");
    let bad = BackupDescriptor::new(BackupName::new("c", "a/b"), in_days(7));
    let elsewhere = BackupName::new("c", "b").in_instance("p", "other");
    let elsewhere = BackupDescriptor::new(elsewhere, in_days(7));
    for (bad, text) in [(bad, "no id of a backup"), (elsewhere, "copy it afterwards")] {
        let error = admin.create_backup("t", &bad).await.unwrap_err();
        said(error, ErrorKind::InvalidArgument, &[text]);
    }
    said(admin.list_backups(Some("-")).await.unwrap_err(), ErrorKind::InvalidArgument, &["\"-\""]);
    assert_eq!(cluster.call_count("CreateBackup"), calls);

    // A result of another type than the one that is asked for.
    let operation = admin.restore_table(&named("b"), "v").await.unwrap();
    let other = admin.operation::<Backup>(operation.name());
    said(other.poll().await.unwrap_err(), ErrorKind::InvalidArgument, &["\"Table\"", "\"Backup\""]);

    // An operation that fails.
    cluster.set_operation_polls(1);
    let restoring = admin.restore_table(&named("b"), "w").await.unwrap();
    let table = TableDescriptor::new("w").unwrap().family(FamilyDescriptor::new("f"));
    client.admin().create_table(&table).await.unwrap();
    let error = restoring.wait(MINUTE).await.unwrap_err();
    said(error, ErrorKind::TableExists, &["has failed: ALREADY_EXISTS", restoring.name()]);
    let cancelled = admin.create_backup("t", &weekly("x")).await.unwrap();
    cancelled.cancel().await.unwrap();
    let error = cancelled.wait(MINUTE).await.unwrap_err();
    said(error, ErrorKind::DoNotRetry, &["was cancelled"]);
}

/// Makes the call of a method.
async fn call(admin: &BigtableAdmin, method: &str) -> Result<()> {
    let operation = || -> LongRunningOperation<Backup> { admin.operation("operations/x") };
    match method {
        "CreateBackup" => admin.create_backup("t", &weekly("new")).await.map(drop),
        "CopyBackup" => admin.copy_backup(&named("b"), &named("new"), in_days(7)).await.map(drop),
        "RestoreTable" => admin.restore_table(&named("b"), "u").await.map(drop),
        "UndeleteTable" => admin.undelete_table("gone").await.map(drop),
        "DeleteBackup" => admin.delete_backup(&named("b")).await,
        "UpdateBackup" => admin.set_backup_expiry(&named("b"), in_days(8)).await.map(drop),
        "UpdateTable" => admin.set_deletion_protection("t", true).await,
        "GetTable" => admin.is_deletion_protected("t").await.map(drop),
        "GetBackup" => admin.backup(&named("b")).await.map(drop),
        "ListBackups" => admin.list_backups(None).await.map(drop),
        "GetOperation" => operation().poll().await.map(drop),
        "CancelOperation" => operation().cancel().await,
        other => panic!("{other}"),
    }
}

const ONCE: [&str; 5] =
    ["CreateBackup", "CopyBackup", "RestoreTable", "UndeleteTable", "DeleteBackup"];
const AGAIN: [&str; 5] = ["UpdateBackup", "UpdateTable", "GetTable", "GetBackup", "ListBackups"];

#[tokio::test(start_paused = true)]
async fn what_makes_something_is_never_sent_twice() {
    let (cluster, client, admin) = started().await;
    let gone = TableDescriptor::new("gone").unwrap().family(FamilyDescriptor::new("f"));
    client.admin().create_table(&gone).await.unwrap();
    client.admin().delete_table("gone").await.unwrap();
    admin.create_backup("t", &weekly("b")).await.unwrap().wait(MINUTE).await.unwrap();
    for method in ONCE {
        let before = cluster.call_count(method);
        cluster.inject(Fault::on(method).nth(1).fail_after(StatusCode::Unavailable, "lost"));
        let error = call(&admin, method).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{method}: {error}");
        assert_eq!(cluster.call_count(method) - before, 1, "{method}");
        if method != "DeleteBackup" {
            assert!(error.to_string().contains("is there before you try again"), "{error}");
        }
        cluster.clear_faults();
    }
    // Each of them was done.
    let ids: Vec<_> = admin
        .list_backups(None)
        .await
        .unwrap()
        .into_iter()
        .map(|b| b.name.id().to_owned())
        .collect();
    assert_eq!(ids, ["new"], "b was deleted");
    for table in ["u", "gone"] {
        assert!(client.admin().table_exists(table).await.unwrap(), "{table}");
    }
    admin.create_backup("t", &weekly("b")).await.unwrap().wait(MINUTE).await.unwrap();
    for method in AGAIN {
        cluster.inject(Fault::on(method).nth(1).fail_after(StatusCode::Unavailable, "lost"));
        call(&admin, method).await.unwrap();
        cluster.clear_faults();
    }
}

#[tokio::test(start_paused = true)]
async fn every_call_ends_by_its_deadline_and_names_the_server() {
    let (cluster, _, admin) = started().await;
    let all = ONCE.into_iter().chain(AGAIN).chain(["GetOperation", "CancelOperation"]);
    for method in all {
        cluster.inject(Fault::on(method).bigtable().times(1_000).drop_request());
        let begun = Instant::now();
        let error = timeout(MINUTE, call(&admin, method)).await.expect(method).unwrap_err();
        let late = matches!(error.kind(), ErrorKind::Timeout | ErrorKind::OutcomeUnknown);
        assert!(late && error.server().is_some(), "{method}: {error}");
        assert!(begun.elapsed() <= Duration::from_secs(21), "{method}: {:?}", begun.elapsed());
        cluster.clear_faults();
    }
}

#[tokio::test(start_paused = true)]
async fn each_call_is_routed_by_the_name_that_the_service_expects() {
    let (cluster, _, admin) = started().await;
    let operation = admin.create_backup("t", &weekly("b")).await.unwrap();
    let instance = "projects%2Fmock%2Finstances%2Fmock";
    let backup = format!("{instance}%2Fclusters%2Fc%2Fbackups%2Fb");
    for (method, expected) in [
        ("UpdateBackup", format!("backup.name={backup}")),
        ("GetBackup", format!("name={backup}")),
        ("ListBackups", format!("parent={instance}%2Fclusters%2F-")),
        ("UpdateTable", format!("table.name={instance}%2Ftables%2Ft")),
    ] {
        // A call that is repeated has a cookie, by which the mock remembers its headers.
        let busy = Fault::on(method).nth(1);
        let cookie = "x-goog-cbt-cookie-a";
        cluster.inject(busy.fail_with_cookie(StatusCode::Unavailable, "busy", cookie, "1"));
        call(&admin, method).await.unwrap();
        let headers = cluster.trace_headers(method);
        assert_eq!(headers[0]["x-goog-request-params"], expected, "{method}");
        cluster.clear_faults();
    }
    let busy = Fault::on("GetOperation").nth(1);
    let cookie = "x-goog-cbt-cookie-a";
    cluster.inject(busy.fail_with_cookie(StatusCode::Unavailable, "busy", cookie, "1"));
    operation.poll().await.unwrap();
    let found = &cluster.trace_headers("GetOperation")[0]["x-goog-request-params"];
    assert!(found.starts_with("name=operations%2Fprojects%2F"), "{found}");
}

#[tokio::test(start_paused = true)]
async fn a_wait_outlives_polls_that_fail() {
    let (cluster, _, admin) = started().await;
    cluster.set_operation_polls(1);
    let operation = admin.create_backup("t", &weekly("b")).await.unwrap();
    // The service is out of order for longer than a single poll may take.
    cluster.inject(Fault::on("GetOperation").bigtable().times(1_000).drop_request());
    let other = cluster.clone();
    let repaired = tokio::spawn(async move {
        tokio::time::sleep(MINUTE).await;
        other.clear_faults();
    });
    let begun = Instant::now();
    let backup = operation.wait(10 * MINUTE).await.unwrap();
    assert!(backup.is_ready && begun.elapsed() > MINUTE);
    repaired.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_wait_ends_by_its_deadline_and_says_how_to_go_on() {
    let (cluster, _, admin) = started().await;
    admin.create_backup("t", &weekly("b")).await.unwrap().wait(MINUTE).await.unwrap();
    cluster.set_operation_polls(100);
    let operation = admin.restore_table(&named("b"), "u").await.unwrap();
    let begun = Instant::now();
    let error = operation.wait(MINUTE).await.unwrap_err();
    assert_eq!((error.kind(), error.operation()), (ErrorKind::Timeout, "wait for operation"));
    assert!(error.to_string().contains(" % of it are; it goes on"), "{error}");
    assert!(begun.elapsed() <= MINUTE && begun.elapsed() > MINUTE - Duration::from_secs(1));
    let polls = cluster.call_count("GetOperation");
    assert!((10..30).contains(&polls), "{polls} polls in a minute");
    assert_eq!(operation.wait(60 * MINUTE).await.unwrap().as_str(), "u");

    // All polls fail: the error is theirs.
    cluster.inject(Fault::on("GetOperation").bigtable().times(1_000).drop_request());
    let begun = Instant::now();
    let error = operation.wait(MINUTE).await;
    assert!(error.is_err(), "the first answer was not kept as the result: {error:?}");
    assert!(begun.elapsed() <= MINUTE + Duration::from_secs(1));
}

/// Answers of the service that cannot be, and those that the mock does not have.
#[tokio::test(start_paused = true)]
async fn answers_of_other_servers_are_read_or_refused() {
    let of = |operation: Operation| async move {
        let backend = server(move |message| {
            assert_eq!(GetOperationRequest::decode(message).unwrap().name, "o");
            Scripted::of(std::slice::from_ref(&operation))
        });
        let Backend::Bigtable(instance) = backend.await else { panic!("another backend") };
        let naming = TableNameResolver::new(None, "").unwrap();
        BigtableAdmin::new(instance, naming).operation::<TableName>("o").poll().await
    };
    let any = |url: &str, value: Vec<u8>| Any { type_url: url.into(), value: value.into() };
    let metadata = RestoreTableMetadata {
        optimize_table_operation_name: "next".into(),
        progress: Some(wire::OperationProgress { progress_percent: 1_000, ..Default::default() }),
        ..Default::default()
    };
    let metadata = Some(any(type_url::RESTORE_TABLE_METADATA, metadata.encode_to_vec()));
    let running = Operation { name: "o".into(), metadata, ..Operation::default() };
    let status = of(running.clone()).await.unwrap();
    assert_eq!(status.progress.optimization.as_deref(), Some("next"));
    assert_eq!((status.progress.percent, status.result), (Some(100), None));
    // Progress that is of another service, or torn, is not known.
    for metadata in [any("other", vec![1]), any(type_url::RESTORE_TABLE_METADATA, vec![255])] {
        let odd = Operation { metadata: Some(metadata), ..running.clone() };
        assert_eq!(of(odd).await.unwrap().progress.optimization, None);
    }
    let done = |result| Operation { done: true, result, ..running.clone() };
    let torn = OperationResult::Response(any(type_url::TABLE, vec![255]));
    for (operation, text) in
        [(done(None), "is done and has no result"), (done(Some(torn)), "not as Bigtable's are")]
    {
        let error = of(operation).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Protocol, "{error}");
        assert!(error.to_string().contains(text), "{error}");
    }
}
