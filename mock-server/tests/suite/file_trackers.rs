//! How the files of a table are tracked: migrations, and the changes that the master refuses.

use tallrow_wire::exception::RemoteException;
use tallrow_wire::proto::*;
use tallrow_wire::region::parse_table_name;

use crate::frames::{Answer, Fixture, create};

const TRACKER: &str = "hbase.store.file-tracker.impl";
const SOURCE: &str = "hbase.store.file-tracker.migration.src.impl";
const TARGET: &str = "hbase.store.file-tracker.migration.dst.impl";

/// Nothing, or the class and the text of the refusal.
type Outcome = std::result::Result<(), (String, String)>;

fn t() -> TableName {
    parse_table_name(b"t")
}

async fn schema(f: &mut Fixture) -> TableSchema {
    let request = GetTableDescriptorsRequest { table_names: vec![t()], ..Default::default() };
    let (answer, _) = (f.master)
        .call::<GetTableDescriptorsResponse>("GetTableDescriptors", &request)
        .await
        .unwrap();
    answer.table_schema.into_iter().next().unwrap()
}

fn settings(schema: &TableSchema) -> Vec<(String, String)> {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let mut all: Vec<_> =
        schema.attributes.iter().map(|p| (text(&p.first), text(&p.second))).collect();
    all.retain(|(key, _)| key.starts_with("hbase.store.file-tracker"));
    all
}

/// Sets attributes of the table.
async fn set(f: &mut Fixture, values: &[(&str, &str)]) -> Outcome {
    let mut table_schema = schema(f).await;
    for (key, value) in values {
        table_schema.attributes.retain(|pair| &pair.first[..] != key.as_bytes());
        let (first, second) = ((*key).to_owned().into(), (*value).to_owned().into());
        table_schema.attributes.push(BytesBytesPair { first, second });
    }
    let request = ModifyTableRequest { table_name: t(), table_schema, ..Default::default() };
    let done = f.master.call::<ProcIdResponse>("ModifyTable", &request).await;
    outcome(f, done).await
}

/// The outcome of a change: the refusal of the call, or that of its procedure.
async fn outcome(f: &mut Fixture, done: Answer<ProcIdResponse>) -> Outcome {
    let refusal = |e: RemoteException| (e.simple_name().to_owned(), e.message);
    let request = GetProcedureResultRequest { proc_id: done.map_err(refusal)?.0.proc_id() };
    let (answer, _) = (f.master)
        .call::<GetProcedureResultResponse>("getProcedureResult", &request)
        .await
        .unwrap();
    match answer.exception.as_ref().map(RemoteException::from_foreign) {
        None => Ok(()),
        Some(e) => Err((e.simple_name().to_owned(), format!("polled: {}", e.message))),
    }
}

async fn migrate(f: &mut Fixture, table: &str, to: &str) -> Outcome {
    let request = ModifyTableStoreFileTrackerRequest {
        table_name: parse_table_name(table.as_bytes()),
        dst_sft: to.to_owned(),
        ..Default::default()
    };
    let done = f.master.call::<ProcIdResponse>("ModifyTableStoreFileTracker", &request).await;
    outcome(f, done).await
}

async fn migrate_family(f: &mut Fixture, family: &str, to: &str) -> Outcome {
    let request = ModifyColumnStoreFileTrackerRequest {
        table_name: t(),
        family: family.to_owned().into(),
        dst_sft: to.to_owned(),
        ..Default::default()
    };
    let done = f.master.call::<ProcIdResponse>("ModifyColumnStoreFileTracker", &request).await;
    outcome(f, done).await
}

fn refused(class: &str, text: &str) -> Outcome {
    Err((class.to_owned(), text.to_owned()))
}

async fn disable(f: &mut Fixture) {
    let request = DisableTableRequest { table_name: t(), ..Default::default() };
    f.master.call::<ProcIdResponse>("DisableTable", &request).await.unwrap();
}

/// Like HBase: the tracker of the files of a table or a family is changed.
#[tokio::test]
async fn a_tracker_is_changed_for_a_table_and_for_a_family() {
    let mut f = Fixture::new(&[]).await;
    f.put("a", "q", 1, "v").await;
    migrate_family(&mut f, "f", "file").await.unwrap();
    let family = schema(&mut f).await.column_families.remove(0);
    let of_family: Vec<_> =
        family.configuration.iter().map(|p| (p.name.as_str(), p.value.as_str())).collect();
    assert_eq!(of_family, [(TRACKER, "file")]);
    // The table does not count where the family has a tracker of its own.
    migrate(&mut f, "t", "FILE").await.unwrap();
    assert_eq!(settings(&schema(&mut f).await), [(TRACKER.to_owned(), "FILE".to_owned())]);
    migrate(&mut f, "t", "file").await.unwrap();
    assert_eq!(settings(&schema(&mut f).await), [(TRACKER.to_owned(), "FILE".to_owned())]);
    assert_eq!(f.values("a").await, ["q=v"]);
}

/// Like HBase: a call migrates the files of a table from the tracker of the server only.
#[tokio::test]
async fn a_call_ends_what_was_begun_and_starts_from_the_tracker_of_the_server() {
    let mut f = Fixture::new(&[]).await;
    let begin = [(TRACKER, "MIGRATION"), (SOURCE, "DEFAULT"), (TARGET, "FILE")];
    set(&mut f, &begin).await.unwrap();
    let refusal = refused(
        "DoNotRetryIOException",
        "polled: Should use src tracker FILE first but got DEFAULT when migrating from FILE for \
         family f of table t",
    );
    assert_eq!(migrate(&mut f, "t", "DEFAULT").await, refusal);
    assert_eq!(settings(&schema(&mut f).await), [(TRACKER.to_owned(), "FILE".to_owned())]);
    assert_eq!(migrate_family(&mut f, "f", "DEFAULT").await, refusal);
    let back = [(TRACKER, "MIGRATION"), (SOURCE, "FILE"), (TARGET, "DEFAULT")];
    set(&mut f, &back).await.unwrap();
    migrate(&mut f, "t", "DEFAULT").await.unwrap();
    assert_eq!(settings(&schema(&mut f).await), [(TRACKER.to_owned(), "DEFAULT".to_owned())]);
}

/// Like HBase: a tracker that does not exist is found by the procedure, whose exception is polled.
#[tokio::test]
async fn an_unknown_tracker_ends_the_procedure() {
    let mut f = Fixture::new(&[]).await;
    assert_eq!(
        set(&mut f, &[(TRACKER, "no")]).await,
        refused(
            "IOException",
            "polled: java.lang.RuntimeException: java.lang.RuntimeException: \
             java.lang.ClassNotFoundException: Class no not found"
        )
    );
    assert_eq!(
        set(&mut f, &[(TRACKER, "MIGRATION")]).await,
        refused(
            "IOException",
            &format!("polled: java.lang.NullPointerException: config {SOURCE} is not set")
        )
    );
    let to_unknown = [(TRACKER, "MIGRATION"), (SOURCE, "DEFAULT"), (TARGET, "no")];
    assert_eq!(
        set(&mut f, &to_unknown).await,
        refused(
            "IOException",
            "polled: java.lang.RuntimeException: java.lang.ClassNotFoundException: no"
        )
    );
    assert_eq!(settings(&schema(&mut f).await), [(TRACKER.to_owned(), "DEFAULT".to_owned())]);
}

#[tokio::test]
async fn a_tracker_that_cannot_be_changed_to_is_refused() {
    let mut f = Fixture::new(&[]).await;
    assert_eq!(migrate(&mut f, "u", "FILE").await, refused("TableNotFoundException", "u"));
    assert_eq!(
        migrate(&mut f, "t", "MIGRATION").await,
        refused("DoNotRetryIOException", "Do not need to transfer to MIGRATION")
    );
    assert_eq!(
        migrate(&mut f, "t", "no").await,
        refused("IOException", "java.lang.ClassNotFoundException: no")
    );
    assert_eq!(
        migrate_family(&mut f, "g", "FILE").await,
        refused("NoSuchColumnFamilyException", "polled: g does not exist for table t")
    );
    disable(&mut f).await;
    assert_eq!(migrate(&mut f, "t", "FILE").await, refused("TableNotEnabledException", "t"));
}

/// Like HBase: the steps of the migration to another tracker of files, and what each refusal says.
#[tokio::test]
async fn a_migration_that_skips_a_step_is_refused() {
    let mut f = Fixture::new(&[]).await;
    let retried =
        |text: &str| refused("DoNotRetryIOException", &format!("{text} for family f of table t"));
    assert_eq!(
        set(&mut f, &[(TRACKER, "FILE")]).await,
        retried("Should change to MIGRATION first when migrating from DEFAULT")
    );
    let begin = [(TRACKER, "MIGRATION"), (SOURCE, "FILE"), (TARGET, "DEFAULT")];
    assert_eq!(
        set(&mut f, &begin).await,
        retried("Should use src tracker DEFAULT first but got FILE when migrating from DEFAULT")
    );
    let same = [(TRACKER, "MIGRATION"), (SOURCE, "DEFAULT"), (TARGET, "DEFAULT")];
    assert_eq!(
        set(&mut f, &same).await,
        retried("The src tracker and dst tracker are both DEFAULT")
    );
    let begin = [(TRACKER, "MIGRATION"), (SOURCE, "DEFAULT"), (TARGET, "FILE")];
    set(&mut f, &begin).await.unwrap();
    assert_eq!(
        set(&mut f, &[(SOURCE, "FILE")]).await,
        retried("The src tracker has been changed from DEFAULT to FILE")
    );
    assert_eq!(
        set(&mut f, &[(TRACKER, "DEFAULT")]).await,
        retried("Should migrate tracker to FILE but got DEFAULT")
    );
    disable(&mut f).await;
    assert_eq!(
        set(&mut f, &[(TRACKER, "FILE")]).await,
        refused(
            "TableNotEnabledException",
            "Should not change store file tracker implementation from MIGRATION while table t is \
             disabled"
        )
    );
    let created = create(&mut f.master, "u", &[(TRACKER, "MIGRATION")], &[]).await.unwrap_err();
    assert_eq!(
        created.message,
        "Should not use MIGRATION as store file tracker for new family f of table u"
    );
}

/// Like HBase: a clone of a snapshot may have another tracker of its files.
#[tokio::test]
async fn a_clone_of_a_snapshot_has_the_tracker_that_it_is_given() {
    let mut f = Fixture::new(&[(TRACKER, "FILE")]).await;
    f.put("a", "q", 1, "v").await;
    let snapshot = |table: &str| SnapshotDescription {
        name: "s".to_owned(),
        table: Some(table.to_owned()),
        ..Default::default()
    };
    let request = SnapshotRequest { snapshot: snapshot("t"), ..Default::default() };
    f.master.call::<SnapshotResponse>("Snapshot", &request).await.unwrap();
    let request = RestoreSnapshotRequest {
        snapshot: snapshot("u"),
        custom_sft: Some("DEFAULT".to_owned()),
        ..Default::default()
    };
    f.master.call::<RestoreSnapshotResponse>("RestoreSnapshot", &request).await.unwrap();
    let request = GetTableDescriptorsRequest {
        table_names: vec![parse_table_name(b"u")],
        ..Default::default()
    };
    let (answer, _) = (f.master)
        .call::<GetTableDescriptorsResponse>("GetTableDescriptors", &request)
        .await
        .unwrap();
    let clone = &answer.table_schema[0];
    assert_eq!(settings(clone), [(TRACKER.to_owned(), "DEFAULT".to_owned())]);
    let own = &clone.column_families[0].attributes;
    assert!(own.iter().all(|pair| pair.first != TRACKER), "{own:?}");
}

/// Like HBase: an altered schema without a tracker has none.
#[tokio::test]
async fn a_tracker_is_added_to_a_new_table_only() {
    let mut f = Fixture::new(&[]).await;
    assert_eq!(settings(&schema(&mut f).await), [(TRACKER.to_owned(), "DEFAULT".to_owned())]);
    let mut table_schema = schema(&mut f).await;
    table_schema.attributes.retain(|pair| pair.first != TRACKER);
    let request = ModifyTableRequest { table_name: t(), table_schema, ..Default::default() };
    f.master.call::<ProcIdResponse>("ModifyTable", &request).await.unwrap();
    assert_eq!(settings(&schema(&mut f).await), []);
    // Without a setting, the tracker is that of the servers.
    migrate(&mut f, "t", "FILE").await.unwrap();
    assert_eq!(settings(&schema(&mut f).await), [(TRACKER.to_owned(), "FILE".to_owned())]);
}
