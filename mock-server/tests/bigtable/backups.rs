//! Backups, the operations that make them, and tables that come back.

use prost::Message;
use tallrow_mock::MockCluster;
use tallrow_wire::bigtable::*;
use tonic::{Code, Status};

use crate::client::{Client, INSTANCE, result};

pub const START_MS: u64 = 1_700_000_000_000;
const HOUR_MS: u64 = 60 * 60 * 1_000;
pub const DAY_MS: u64 = 24 * HOUR_MS;

/// A time this many ms after the start of the clock.
pub fn time(after_ms: u64) -> Option<Timestamp> {
    let ms = START_MS + after_ms;
    Some(Timestamp { seconds: (ms / 1_000) as i64, nanos: (ms % 1_000) as i32 * 1_000_000 })
}

/// A client of a cluster whose clock starts at [`START_MS`], with a table `t`.
async fn started() -> (Client, String) {
    let client = Client::of(MockCluster::builder().clock_start_ms(START_MS)).await;
    let table = client.table("t", &["f"], &["m"]).await;
    (client, table)
}

fn cluster(id: &str) -> String {
    format!("{INSTANCE}/clusters/{id}")
}

pub fn backup(id: &str) -> String {
    format!("{}/backups/{id}", cluster("c"))
}

/// A request for a backup of table `t` that is kept for a week.
pub fn weekly(id: &str) -> CreateBackupRequest {
    let backup = Backup {
        source_table: format!("{INSTANCE}/tables/t"),
        expire_time: time(7 * DAY_MS),
        ..Backup::default()
    };
    CreateBackupRequest { parent: cluster("c"), backup_id: id.into(), backup: Some(backup) }
}

fn percent(operation: &Operation) -> i32 {
    let any = operation.metadata.clone().unwrap();
    let progress = match &*any.type_url {
        type_url::COPY_BACKUP_METADATA => CopyBackupMetadata::decode(any.value).unwrap().progress,
        type_url::RESTORE_TABLE_METADATA => {
            RestoreTableMetadata::decode(any.value).unwrap().progress
        }
        other => panic!("{other} has no progress"),
    };
    progress.unwrap().progress_percent
}

async fn get(client: &Client, name: &str) -> Result<Backup, Status> {
    client.call(method::GET_BACKUP, GetBackupRequest { name: name.into() }).await
}

pub async fn poll(client: &Client, operation: &Operation) -> Operation {
    let request = GetOperationRequest { name: operation.name.clone() };
    client.call(method::GET_OPERATION, request).await.unwrap()
}

pub fn restore(id: &str, table: &str) -> RestoreTableRequest {
    let source = Some(RestoreSource::Backup(backup(id)));
    RestoreTableRequest { parent: INSTANCE.into(), table_id: table.into(), source }
}

/// A copy of a backup in another cluster.
pub fn copy(id: &str, to: &str, expires_ms: u64) -> CopyBackupRequest {
    CopyBackupRequest {
        parent: cluster("other"),
        backup_id: to.into(),
        source_backup: backup(id),
        expire_time: time(expires_ms),
    }
}

/// Like Bigtable: a backup has the table as it was, and becomes a new table.
#[tokio::test]
async fn a_backup_has_the_table_as_it_was_and_becomes_a_new_table() {
    let (client, table) = started().await;
    client.put(&table, "a", &[("f", "q", 1_000, "1")]).await;
    client.put(&table, "z", &[("f", "q", 1_000, "1")]).await;
    let operation = client.call(method::CREATE_BACKUP, weekly("b")).await.unwrap();
    let made: Backup = result(&operation).unwrap();
    assert_eq!((&*made.name, &*made.source_table), (&*backup("b"), &*table));
    assert_eq!((made.state(), made.backup_type()), (BackupState::Ready, BackupType::Standard));
    let encryption = made.encryption_info.unwrap().encryption_type();
    assert_eq!(encryption, EncryptionType::GoogleDefaultEncryption);
    assert!(made.size_bytes > 0 && made.start_time.is_some() && made.end_time.is_some());
    assert_eq!(get(&client, &made.name).await.unwrap(), made);

    client.put(&table, "a", &[("f", "q", 2_000, "2")]).await;
    client
        .modify(&table, vec![("g", FamilyChange::Create(ColumnFamily::default()))])
        .await
        .unwrap();
    let operation = client.call(method::RESTORE_TABLE, restore("b", "u")).await.unwrap();
    let restored: Table = result(&operation).unwrap();
    assert_eq!(restored.column_families.keys().collect::<Vec<_>>(), ["f"]);
    assert_eq!(client.all(&restored.name).await, ["a/f:q@1000=1", "z/f:q@1000=1"]);
    client.put(&restored.name, "b", &[("f", "q", 0, "3")]).await;
    assert_eq!(client.all(&table).await.len(), 3, "the tables are independent");
    let request = SampleRowKeysRequest { table_name: restored.name, ..Default::default() };
    let (samples, _) = client.stream(method::SAMPLE_ROW_KEYS, request).await;
    assert_eq!(samples[0].row_key, "m");

    // The backup outlives its table.
    client.call(method::DELETE_TABLE, DeleteTableRequest { name: table.clone() }).await.unwrap();
    let operation = client.call(method::RESTORE_TABLE, restore("b", "t")).await.unwrap();
    assert!(result::<Table>(&operation).is_ok());
    assert_eq!(client.all(&table).await, ["a/f:q@1000=1", "z/f:q@1000=1"]);
}

/// Like Bigtable: backups that are refused, with their code.
#[tokio::test]
async fn bad_backups_are_refused() {
    let (client, table) = started().await;
    let of = |change: &dyn Fn(&mut Backup)| {
        let mut request = weekly("b");
        change(request.backup.as_mut().unwrap());
        request
    };
    for (bad, code) in [
        (CreateBackupRequest { parent: INSTANCE.into(), ..weekly("b") }, Code::InvalidArgument),
        (CreateBackupRequest { parent: cluster("-"), ..weekly("b") }, Code::InvalidArgument),
        (CreateBackupRequest { backup: None, ..weekly("b") }, Code::InvalidArgument),
        (weekly(""), Code::InvalidArgument),
        (weekly("a/b"), Code::InvalidArgument),
        (weekly(&"b".repeat(51)), Code::InvalidArgument),
        (of(&|b| b.source_table = "projects/p/instances/j/tables/t".into()), Code::InvalidArgument),
        (of(&|b| b.source_table = format!("{INSTANCE}/tables/none")), Code::NotFound),
        (of(&|b| b.expire_time = None), Code::InvalidArgument),
        (of(&|b| b.expire_time = time(5 * HOUR_MS)), Code::InvalidArgument),
        (of(&|b| b.expire_time = time(91 * DAY_MS)), Code::InvalidArgument),
        (
            of(&|b| b.expire_time = Some(Timestamp { seconds: i64::MAX, nanos: -1 })),
            Code::InvalidArgument,
        ),
        (of(&|b| b.backup_type = 3), Code::InvalidArgument),
        (of(&|b| b.hot_to_standard_time = time(2 * DAY_MS)), Code::InvalidArgument),
        (
            of(&|b| {
                b.backup_type = BackupType::Hot as i32;
                b.hot_to_standard_time = time(23 * HOUR_MS);
            }),
            Code::InvalidArgument,
        ),
    ] {
        let status = client.call(method::CREATE_BACKUP, bad.clone()).await.unwrap_err();
        assert_eq!(status.code(), code, "{bad:?}: {status}");
    }
    client.call(method::CREATE_BACKUP, weekly("b")).await.unwrap();
    let again = client.call(method::CREATE_BACKUP, weekly("b")).await.unwrap_err();
    let expected = (Code::AlreadyExists, &*format!("Backup already exists: {}", backup("b")));
    assert_eq!((again.code(), again.message()), expected);
    let missing = get(&client, &backup("none")).await.unwrap_err();
    let expected = (Code::NotFound, &*format!("Backup not found: {}", backup("none")));
    assert_eq!((missing.code(), missing.message()), expected);

    for (bad, code) in [
        (restore("none", "u"), Code::NotFound),
        (restore("b", "t"), Code::AlreadyExists),
        (restore("b", ""), Code::InvalidArgument),
        (RestoreTableRequest { source: None, ..restore("b", "u") }, Code::InvalidArgument),
    ] {
        let status = client.call(method::RESTORE_TABLE, bad.clone()).await.unwrap_err();
        assert_eq!(status.code(), code, "{bad:?}: {status}");
    }
    for (bad, code) in [
        (copy("none", "c", DAY_MS), Code::NotFound),
        (copy("b", "c", 5 * HOUR_MS), Code::InvalidArgument),
        (copy("b", "c", 31 * DAY_MS), Code::InvalidArgument),
    ] {
        let status = client.call(method::COPY_BACKUP, bad.clone()).await.unwrap_err();
        assert_eq!(status.code(), code, "{bad:?}: {status}");
    }
    let update = |paths: &[&str], expire_time| UpdateBackupRequest {
        backup: Some(Backup { name: backup("b"), expire_time, ..Backup::default() }),
        update_mask: Some(FieldMask { paths: paths.iter().map(|&path| path.into()).collect() }),
    };
    for bad in [
        update(&[], time(8 * DAY_MS)),
        update(&["expire_time"], None),
        update(&["expire_time"], time(5 * HOUR_MS)),
        update(&["size_bytes"], time(8 * DAY_MS)),
    ] {
        let status = client.call(method::UPDATE_BACKUP, bad.clone()).await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument, "{bad:?}");
    }
    let updated =
        client.call(method::UPDATE_BACKUP, update(&["expire_time"], time(8 * DAY_MS))).await;
    assert_eq!(updated.unwrap().expire_time, time(8 * DAY_MS));
    let undelete = UndeleteTableRequest { name: table };
    let status = client.call(method::UNDELETE_TABLE, undelete).await.unwrap_err();
    assert_eq!(status.code(), Code::AlreadyExists);
}

/// Like Bigtable: a backup is deleted when it expires, and a hot one becomes a standard one.
#[tokio::test]
async fn a_backup_expires_and_a_hot_one_becomes_a_standard_one() {
    let (client, _) = started().await;
    let mut hot = weekly("hot");
    let of = hot.backup.as_mut().unwrap();
    of.backup_type = BackupType::Hot as i32;
    of.hot_to_standard_time = time(2 * DAY_MS);
    client.call(method::CREATE_BACKUP, hot).await.unwrap();
    let days = |days| client.cluster.advance_clock(std::time::Duration::from_millis(days * DAY_MS));
    assert_eq!(get(&client, &backup("hot")).await.unwrap().backup_type(), BackupType::Hot);
    days(2).unwrap();
    assert_eq!(get(&client, &backup("hot")).await.unwrap().backup_type(), BackupType::Standard);
    days(5).unwrap();
    for status in [
        get(&client, &backup("hot")).await.unwrap_err(),
        client.call(method::RESTORE_TABLE, restore("hot", "u")).await.unwrap_err(),
    ] {
        assert_eq!(status.code(), Code::NotFound);
    }
}

/// Unlike Bigtable: an operation is done after as many polls as a test says, at first at once.
#[tokio::test]
async fn an_operation_is_done_after_as_many_polls_as_a_test_says() {
    let (client, table) = started().await;
    client.put(&table, "a", &[("f", "q", 1_000, "1")]).await;
    client.cluster.set_operation_polls(2);
    let creating = client.call(method::CREATE_BACKUP, weekly("b")).await.unwrap();
    assert!(!creating.done && creating.result.is_none());
    let made = get(&client, &backup("b")).await.unwrap();
    assert_eq!((made.state(), made.end_time), (BackupState::Creating, None));
    for (method, code) in
        [("restore", Code::FailedPrecondition), ("copy", Code::FailedPrecondition)]
    {
        let status = match method {
            "restore" => client.call(method::RESTORE_TABLE, restore("b", "u")).await,
            _ => client.call(method::COPY_BACKUP, copy("b", "c", DAY_MS)).await,
        };
        assert_eq!(status.unwrap_err().code(), code);
    }
    // What is written now is not in the backup.
    client.put(&table, "b", &[("f", "q", 1_000, "2")]).await;
    assert!(!poll(&client, &creating).await.done);
    let done = poll(&client, &creating).await;
    assert_eq!(result::<Backup>(&done).unwrap().state(), BackupState::Ready);
    assert_eq!(poll(&client, &creating).await, done, "it stays done");

    client.cluster.set_operation_polls(3);
    let restoring = client.call(method::RESTORE_TABLE, restore("b", "u")).await.unwrap();
    assert_eq!(percent(&restoring), 0);
    assert_eq!(percent(&poll(&client, &restoring).await), 33);
    let name = format!("{INSTANCE}/tables/u");
    let described = GetTableRequest { name: name.clone(), view: 0 };
    let status = client.call(method::GET_TABLE, described).await.unwrap_err();
    assert_eq!(status.code(), Code::NotFound);
    // A backup that is being read is not deleted.
    let delete = DeleteBackupRequest { name: backup("b") };
    let status = client.call(method::DELETE_BACKUP, delete.clone()).await.unwrap_err();
    assert_eq!(status.code(), Code::FailedPrecondition);
    assert_eq!(percent(&poll(&client, &restoring).await), 66);
    let done = poll(&client, &restoring).await;
    assert_eq!(percent(&done), 100);
    assert_eq!(result::<Table>(&done).unwrap().name, name);
    assert_eq!(client.all(&name).await, ["a/f:q@1000=1"]);
    client.call(method::DELETE_BACKUP, delete).await.unwrap();

    // Another table of the name, made in the meantime, stays as it is.
    client.call(method::CREATE_BACKUP, weekly("b")).await.unwrap();
    let unknown = GetOperationRequest { name: "operations/none".into() };
    let status = client.call(method::GET_OPERATION, unknown).await.unwrap_err();
    let expected = (Code::NotFound, "Operation not found: operations/none");
    assert_eq!((status.code(), status.message()), expected);
}

/// Like Bigtable: an operation can be cancelled, and what it has made is deleted.
#[tokio::test]
async fn an_operation_that_is_cancelled_or_whose_backup_is_deleted_fails() {
    let (client, _) = started().await;
    client.cluster.set_operation_polls(9);
    let cancel = async |operation: &Operation| {
        let request = CancelOperationRequest { name: operation.name.clone() };
        client.call(method::CANCEL_OPERATION, request).await.unwrap();
    };
    let cancelled = client.call(method::CREATE_BACKUP, weekly("a")).await.unwrap();
    cancel(&cancelled).await;
    let deleted = client.call(method::CREATE_BACKUP, weekly("b")).await.unwrap();
    let delete = DeleteBackupRequest { name: backup("b") };
    client.call(method::DELETE_BACKUP, delete).await.unwrap();
    for (operation, id) in [(&cancelled, "a"), (&deleted, "b")] {
        let status = result::<Backup>(&poll(&client, operation).await).unwrap_err();
        assert_eq!(status.code, Code::Cancelled as i32);
        assert_eq!(get(&client, &backup(id)).await.unwrap_err().code(), Code::NotFound);
    }
    client.cluster.set_operation_polls(0);
    let done = client.call(method::CREATE_BACKUP, weekly("b")).await.unwrap();
    cancel(&done).await;
    assert!(result::<Backup>(&poll(&client, &done).await).is_ok(), "it was done before");
    // A table that was made while its restore was under way is not replaced.
    client.cluster.set_operation_polls(1);
    let restoring = client.call(method::RESTORE_TABLE, restore("b", "u")).await.unwrap();
    client.table("u", &["other"], &[]).await;
    let status = result::<Table>(&poll(&client, &restoring).await).unwrap_err();
    assert_eq!(status.code, Code::AlreadyExists as i32);
}

/// Like Bigtable: a copy of a backup has its rows and cannot be copied again.
#[tokio::test]
async fn a_copy_has_the_rows_of_its_backup_and_cannot_be_copied_again() {
    let (client, table) = started().await;
    client.put(&table, "a", &[("f", "q", 1_000, "1")]).await;
    client.call(method::CREATE_BACKUP, weekly("b")).await.unwrap();
    let operation = client.call(method::COPY_BACKUP, copy("b", "copy", DAY_MS)).await.unwrap();
    let made: Backup = result(&operation).unwrap();
    assert_eq!((&made.source_backup, &made.source_table), (&backup("b"), &table));
    let again = CopyBackupRequest { source_backup: made.name.clone(), ..copy("b", "x", DAY_MS) };
    let status = client.call(method::COPY_BACKUP, again).await.unwrap_err();
    assert_eq!(status.code(), Code::FailedPrecondition);
    client.call(method::DELETE_BACKUP, DeleteBackupRequest { name: backup("b") }).await.unwrap();
    let source = Some(RestoreSource::Backup(made.name));
    let request = RestoreTableRequest { source, ..restore("b", "u") };
    client.call(method::RESTORE_TABLE, request).await.unwrap();
    assert_eq!(client.all(&format!("{INSTANCE}/tables/u")).await, ["a/f:q@1000=1"]);
}

/// Unlike Bigtable: every cluster of an instance exists, and lists of backups have no filter.
#[tokio::test]
async fn backups_are_listed_by_cluster_and_page_the_newest_first() {
    let (client, _) = started().await;
    for id in ["b1", "b2", "b3"] {
        client.call(method::CREATE_BACKUP, weekly(id)).await.unwrap();
        client.cluster.advance_clock(std::time::Duration::from_secs(1)).unwrap();
    }
    client.call(method::COPY_BACKUP, copy("b1", "copy", DAY_MS)).await.unwrap();
    let list = async |parent: String, page_size, page_token: &str| {
        let page_token = page_token.into();
        let request = ListBackupsRequest { parent, page_size, page_token, ..Default::default() };
        let page = client.call(method::LIST_BACKUPS, request).await.unwrap();
        let id = |backup: &Backup| backup.name.rsplit('/').next().unwrap().to_owned();
        (page.backups.iter().map(id).collect::<Vec<_>>(), page.next_page_token)
    };
    assert_eq!(list(cluster("-"), 0, "").await.0, ["copy", "b3", "b2", "b1"]);
    assert_eq!(list(cluster("other"), 0, "").await.0, ["copy"]);
    assert_eq!(list(cluster("none"), 0, "").await.0, [""; 0]);
    let (first, token) = list(cluster("c"), 2, "").await;
    assert_eq!(first, ["b3", "b2"]);
    assert_eq!(list(cluster("c"), 2, &token).await, (vec!["b1".to_owned()], String::new()));
    let filter = "state:READY".into();
    let filtered = ListBackupsRequest { parent: cluster("-"), filter, ..Default::default() };
    let status = client.call(method::LIST_BACKUPS, filtered).await.unwrap_err();
    assert_eq!(status.code(), Code::Unimplemented);
}

/// Like Bigtable: a deleted table can be brought back for seven days.
#[tokio::test]
async fn a_deleted_table_comes_back_within_seven_days() {
    let (client, table) = started().await;
    client.put(&table, "a", &[("f", "q", 1_000, "1")]).await;
    let delete = || client.call(method::DELETE_TABLE, DeleteTableRequest { name: table.clone() });
    let undelete =
        || client.call(method::UNDELETE_TABLE, UndeleteTableRequest { name: table.clone() });
    delete().await.unwrap();
    client.cluster.advance_clock(std::time::Duration::from_millis(6 * DAY_MS)).unwrap();
    let back: Table = result(&undelete().await.unwrap()).unwrap();
    assert_eq!(back.name, table);
    assert_eq!(client.all(&table).await, ["a/f:q@1000=1"]);
    delete().await.unwrap();
    client.cluster.advance_clock(std::time::Duration::from_millis(7 * DAY_MS)).unwrap();
    assert_eq!(undelete().await.unwrap_err().code(), Code::NotFound);
}
