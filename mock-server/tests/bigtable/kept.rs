//! What each call of an administrator of Bigtable has made is there after the process was killed,
//! with its change streams. A call that is new has to be sorted in here.

use std::collections::BTreeSet;

use tallrow_mock::MockCluster;
use tallrow_wire::bigtable::*;
use tonic::Code;

use crate::backups::{DAY_MS, START_MS, backup, copy, poll, restore, time, weekly};
use crate::changes::{self, config, configure, partition, partitions, since, tokens};
use crate::client::{Call, Client, INSTANCE, create, family, result, set};
use crate::folder::Folder;
use crate::{bundles, views};

/// The calls that change nothing that others do not describe, and why.
const NOT_KEPT: [(&str, &str); 2] = [
    ("generate_consistency_token", "a token is the name of its table"),
    ("check_consistency", "replication has always ended"),
];

/// The calls that describe.
const DESCRIBE: [&str; 9] = [
    "get_table",
    "list_tables",
    "get_authorized_view",
    "list_authorized_views",
    "get_schema_bundle",
    "list_schema_bundles",
    "get_backup",
    "list_backups",
    "get_operation",
];

const TABLE: &str = changes::NAME;

/// A client of a cluster with this directory.
async fn started(folder: &Folder) -> Client {
    started_later(folder, 0).await
}

/// A client of a cluster with this directory that starts `minutes` minutes later.
async fn started_later(folder: &Folder, minutes: u64) -> Client {
    let builder = MockCluster::builder().servers(1).clock_start_ms(START_MS + minutes * 60_000);
    Client::of(builder.data(&folder.0)).await
}

/// A client of a cluster that starts with a copy of a file.
async fn restarted(bytes: &[u8]) -> (Folder, Client) {
    restarted_later(bytes, 0).await
}

/// A client of a cluster that starts with a copy of a file, `minutes` minutes later.
async fn restarted_later(bytes: &[u8], minutes: u64) -> (Folder, Client) {
    let folder = Folder::with(bytes);
    let client = started_later(&folder, minutes).await;
    (folder, client)
}

/// A client, with the calls that were made and the operations that were begun.
struct Walk {
    folder: Folder,
    client: Client,
    called: BTreeSet<&'static str>,
    operations: Vec<String>,
}

impl Walk {
    /// Makes a call, and compares the cluster with one that starts with a copy of its file.
    async fn call<A: Call>(&mut self, name: &'static str, path: &'static str, a: A) -> A::Answer {
        let answer = self.client.call(path, a).await.unwrap_or_else(|e| panic!("{name}: {e}"));
        self.compare(name).await;
        answer
    }

    /// Begins an operation.
    async fn begin<A: Call<Answer = Operation>>(
        &mut self,
        name: &'static str,
        path: &'static str,
        request: A,
    ) -> Operation {
        let operation = self.client.call(path, request).await.unwrap();
        self.operations.push(operation.name.clone());
        self.compare(name).await;
        operation
    }

    async fn compare(&mut self, name: &'static str) {
        let (_copy, other) = restarted(&self.folder.bytes()).await;
        assert_eq!(other.cluster.dropped_data(), None);
        let expected = self.describe(&self.client).await;
        assert_eq!(self.describe(&other).await, expected, "after {name}");
        self.called.insert(name);
    }

    /// What a cluster says of itself, as texts.
    async fn describe(&self, client: &Client) -> Vec<String> {
        let request = ListTablesRequest {
            parent: INSTANCE.into(),
            view: View::Full as i32,
            ..Default::default()
        };
        let tables = client.call(method::LIST_TABLES, request).await.unwrap().tables;
        let mut said = vec![client.cluster.dump_tables()];
        for table in &tables {
            said.push(format!("{table:?} {:?}", client.all(&table.name).await));
            let request = ListAuthorizedViewsRequest {
                parent: table.name.clone(),
                view: ResponseView::Full as i32,
                ..Default::default()
            };
            let views = client.call(method::LIST_AUTHORIZED_VIEWS, request).await.unwrap();
            said.extend(views.authorized_views.iter().map(|view| format!("{view:?}")));
            let parent = table.name.clone();
            let request = ListSchemaBundlesRequest { parent, ..Default::default() };
            let bundles = client.call(method::LIST_SCHEMA_BUNDLES, request).await.unwrap();
            said.extend(bundles.schema_bundles.iter().map(|bundle| format!("{bundle:?}")));
        }
        let parent = format!("{INSTANCE}/clusters/-");
        let request = ListBackupsRequest { parent, ..Default::default() };
        let backups = client.call(method::LIST_BACKUPS, request).await.unwrap().backups;
        said.extend(backups.iter().map(|backup| format!("{backup:?}")));
        for name in &self.operations {
            let request = GetOperationRequest { name: name.clone() };
            let operation = client.call(method::GET_OPERATION, request).await.unwrap();
            said.push(format!("{operation:?}"));
        }
        said
    }
}

/// The administrative calls of the mock, as its source names them.
fn all_calls() -> BTreeSet<&'static str> {
    let source = include_str!("../../src/bigtable/methods.rs");
    let calls = source.split("admin::").skip(1);
    let name = |rest: &'static str| rest.split(')').next().unwrap();
    calls.map(name).collect()
}

fn update(field: &str, table: Table) -> UpdateTableRequest {
    UpdateTableRequest {
        table: Some(Table { name: TABLE.into(), ..table }),
        update_mask: Some(FieldMask { paths: vec![field.into()] }),
        ignore_warnings: true,
    }
}

#[tokio::test]
async fn what_each_call_has_made_is_there_after_a_restart() {
    let folder = Folder::new();
    let client = started(&folder).await;
    let mut walk = Walk { folder, client, called: BTreeSet::new(), operations: Vec::new() };
    let request = create("t", [("f".into(), family(None)), ("g".into(), family(None))].into());
    walk.call("create_table", method::CREATE_TABLE, request).await;
    let rule = family(Some(GarbageRule::MaxNumVersions(3)));
    let modification =
        |id: &str, change| Modification { id: id.into(), r#mod: Some(change), update_mask: None };
    let request = ModifyColumnFamiliesRequest {
        name: TABLE.into(),
        modifications: vec![
            modification("f", FamilyChange::Update(rule)),
            modification("g", FamilyChange::Drop(true)),
            modification("h", FamilyChange::Create(family(None))),
        ],
        ..Default::default()
    };
    walk.call("modify_column_families", method::MODIFY_COLUMN_FAMILIES, request).await;
    for row in ["a", "b", "x"] {
        walk.client.put(TABLE, row, &[("f", "q", 1_000, "v")]).await;
    }
    let target = Some(DropTarget::RowKeyPrefix("b".into()));
    let request = DropRowRangeRequest { name: TABLE.into(), target };
    walk.call("drop_row_range", method::DROP_ROW_RANGE, request).await;
    for is_protected in [true, false] {
        let table = Table { deletion_protection: is_protected, ..Table::default() };
        let request = update("deletion_protection", table);
        walk.begin("update_table", method::UPDATE_TABLE, request).await;
    }
    let table = Table { change_stream_config: config(86_400), ..Table::default() };
    let request = update("change_stream_config", table);
    walk.begin("update_table", method::UPDATE_TABLE, request).await;

    for id in ["v", "w"] {
        let request = views::new(TABLE, id, views::subset(&["a"], &["f:q"]));
        walk.begin("create_authorized_view", method::CREATE_AUTHORIZED_VIEW, request).await;
    }
    for is_protected in [true, false] {
        let view = views::protection(is_protected);
        let request = views::change(TABLE, &["deletion_protection"], view);
        walk.begin("update_authorized_view", method::UPDATE_AUTHORIZED_VIEW, request).await;
    }
    let request =
        DeleteAuthorizedViewRequest { name: views::named(TABLE, "w"), ..Default::default() };
    walk.call("delete_authorized_view", method::DELETE_AUTHORIZED_VIEW, request).await;

    for id in ["b", "c"] {
        let request = bundles::new(TABLE, id, bundles::FIRST);
        walk.begin("create_schema_bundle", method::CREATE_SCHEMA_BUNDLE, request).await;
    }
    let request = bundles::redefine(TABLE, bundles::SECOND);
    walk.begin("update_schema_bundle", method::UPDATE_SCHEMA_BUNDLE, request).await;
    let request =
        DeleteSchemaBundleRequest { name: bundles::named(TABLE, "c"), ..Default::default() };
    walk.call("delete_schema_bundle", method::DELETE_SCHEMA_BUNDLE, request).await;

    walk.begin("create_backup", method::CREATE_BACKUP, weekly("b")).await;
    walk.client.put(TABLE, "later", &[("f", "q", 1_000, "v")]).await;
    walk.begin("copy_backup", method::COPY_BACKUP, copy("b", "c", DAY_MS)).await;
    let new = Backup { name: backup("b"), expire_time: time(9 * DAY_MS), ..Backup::default() };
    let update_mask = Some(FieldMask { paths: vec!["expire_time".into()] });
    let request = UpdateBackupRequest { backup: Some(new), update_mask };
    walk.call("update_backup", method::UPDATE_BACKUP, request).await;
    walk.begin("restore_table", method::RESTORE_TABLE, restore("b", "u")).await;
    let request = DeleteBackupRequest { name: backup("b") };
    walk.call("delete_backup", method::DELETE_BACKUP, request).await;
    let rest = walk.client.all(TABLE).await;
    let request = DeleteTableRequest { name: TABLE.into() };
    walk.call("delete_table", method::DELETE_TABLE, request).await;
    let request = UndeleteTableRequest { name: TABLE.into() };
    walk.begin("undelete_table", method::UNDELETE_TABLE, request).await;
    assert_eq!(walk.client.all(TABLE).await, rest);
    walk.client.cluster.set_operation_polls(9);
    let made = walk.client.call(method::CREATE_BACKUP, weekly("never")).await.unwrap();
    let request = CancelOperationRequest { name: made.name.clone() };
    walk.operations.push(made.name);
    walk.call("cancel_operation", method::CANCEL_OPERATION, request).await;

    // The content of a deleted backup is still that of its copy, and that of a deleted table is
    // still there.
    let request = DeleteTableRequest { name: TABLE.into() };
    walk.call("delete_table", method::DELETE_TABLE, request).await;
    let (again, client) = restarted(&walk.folder.bytes()).await;
    let restore = RestoreTableRequest {
        parent: INSTANCE.into(),
        table_id: "w".into(),
        source: Some(RestoreSource::Backup(format!("{INSTANCE}/clusters/other/backups/c"))),
    };
    client.call(method::RESTORE_TABLE, restore).await.unwrap();
    let restored = client.all(&format!("{INSTANCE}/tables/w")).await;
    assert_eq!(restored, ["a/f:q@1000=v", "x/f:q@1000=v"]);
    let undelete = UndeleteTableRequest { name: TABLE.into() };
    let operation = client.call(method::UNDELETE_TABLE, undelete).await.unwrap();
    assert!(!walk.operations.contains(&operation.name), "no name is given twice");
    assert_eq!(client.all(TABLE).await, rest);
    drop(again);

    let mut sorted = walk.called;
    sorted.extend(DESCRIBE);
    sorted.extend(NOT_KEPT.map(|(call, _)| call));
    assert_eq!(sorted, all_calls());
}

/// Starts with parts of a file that a process could have left after a call: with all of them with
/// `TALLROW_THOROUGH`, else with some of each record.
async fn each_end(before: usize, bytes: &[u8], mut check: impl AsyncFnMut(Client)) {
    let thorough = std::env::var_os("TALLROW_THOROUGH").is_some();
    let some = (before..bytes.len()).step_by(if thorough { 1 } else { 41 });
    for len in some.chain([bytes.len()]) {
        let (_folder, client) = restarted(&bytes[..len]).await;
        check(client).await;
    }
}

#[tokio::test]
async fn a_table_is_created_with_its_stream_or_not_at_all() {
    let folder = Folder::new();
    let client = started(&folder).await;
    let before = folder.bytes().len();
    let mut request = create("t", [("f".into(), family(None))].into());
    request.table.as_mut().unwrap().change_stream_config = config(86_400);
    client.call(method::CREATE_TABLE, request).await.unwrap();
    let mut outcomes = [0, 0];
    each_end(before, &folder.bytes(), async |client: Client| {
        let exists = client.cluster.tables().contains(&"t".to_owned());
        outcomes[usize::from(exists)] += 1;
        if exists {
            assert_eq!(partitions(&client).await, [partition("", "")]);
        }
    })
    .await;
    assert!(outcomes.iter().all(|outcome| *outcome > 0), "{outcomes:?}");
}

#[tokio::test]
async fn an_operation_goes_on_and_does_its_work_once() {
    let folder = Folder::new();
    let client = started(&folder).await;
    let table = client.table("t", &["f"], &[]).await;
    client.put(&table, "a", &[("f", "q", 1_000, "1")]).await;
    client.cluster.set_operation_polls(2);
    let creating = client.call(method::CREATE_BACKUP, weekly("b")).await.unwrap();
    assert!(!poll(&client, &creating).await.done);
    let (folder, client) = restarted(&folder.bytes()).await;
    assert!(result::<Backup>(&poll(&client, &creating).await).is_ok());

    client.cluster.set_operation_polls(1);
    let restoring = client.call(method::RESTORE_TABLE, restore("b", "u")).await.unwrap();
    let before = folder.bytes().len();
    let done = poll(&client, &restoring).await;
    let mut existed = 0;
    each_end(before, &folder.bytes(), async |client: Client| {
        existed += usize::from(client.cluster.tables().contains(&"u".to_owned()));
        let again = poll(&client, &restoring).await;
        assert_eq!(result::<Table>(&again), result::<Table>(&done));
        assert_eq!(client.all(&format!("{INSTANCE}/tables/u")).await, ["a/f:q@1000=1"]);
    })
    .await;
    assert!(existed > 1, "no process ended between the table and the end of the operation");
}

/// Polls an operation for the last time, and then in each process that could have ended meanwhile.
/// Returns in how many of them what `is_there` looks for is there.
async fn each_end_of(
    (folder, client): (&Folder, &Client),
    operation: &Operation,
    is_there: impl AsyncFn(&Client) -> bool,
) -> usize {
    let before = folder.bytes().len();
    let done = poll(client, operation).await;
    assert!(matches!(done.result, Some(OperationResult::Response(_))), "{done:?}");
    let mut found = 0;
    each_end(before, &folder.bytes(), async |client: Client| {
        found += usize::from(is_there(&client).await);
        assert_eq!(poll(&client, operation).await.result, done.result);
        assert!(is_there(&client).await);
    })
    .await;
    found
}

#[tokio::test]
async fn an_operation_makes_and_changes_parts_of_a_table_once() {
    let folder = Folder::new();
    let client = started(&folder).await;
    client.table("t", &["f"], &[]).await;
    client.cluster.set_operation_polls(1);
    let at = (&folder, &client);
    // A request that is carried out twice is refused: the part exists, or has another etag.
    let view = async |client: &Client| {
        let request = GetAuthorizedViewRequest {
            name: views::named(TABLE, "v"),
            view: ResponseView::Full as i32,
        };
        client.call(method::GET_AUTHORIZED_VIEW, request).await.ok()
    };
    let request = views::new(TABLE, "v", views::subset(&["a"], &["f:q"]));
    let operation = client.call(method::CREATE_AUTHORIZED_VIEW, request).await.unwrap();
    let ends = each_end_of(at, &operation, async |client| view(client).await.is_some()).await;
    assert!(ends > 1, "no process ended between the view and the end of the operation");
    let old = view(&client).await.unwrap();
    let new = AuthorizedView { etag: old.etag.clone(), ..views::protection(true) };
    let request = views::change(TABLE, &["deletion_protection"], new);
    let operation = client.call(method::UPDATE_AUTHORIZED_VIEW, request).await.unwrap();
    let is_protected = async |client: &Client| view(client).await.unwrap().deletion_protection;
    assert!(each_end_of(at, &operation, is_protected).await > 1);

    let bundle = async |client: &Client| {
        let request = GetSchemaBundleRequest { name: bundles::named(TABLE, "b") };
        client.call(method::GET_SCHEMA_BUNDLE, request).await.ok()
    };
    let request = bundles::new(TABLE, "b", bundles::FIRST);
    let operation = client.call(method::CREATE_SCHEMA_BUNDLE, request).await.unwrap();
    let is_made = async |client: &Client| bundle(client).await.is_some();
    assert!(each_end_of(at, &operation, is_made).await > 1);
    let etag = bundle(&client).await.unwrap().etag;
    let mut request = bundles::redefine(TABLE, bundles::SECOND);
    request.schema_bundle.as_mut().unwrap().etag = etag.clone();
    let operation = client.call(method::UPDATE_SCHEMA_BUNDLE, request).await.unwrap();
    let is_changed = async |client: &Client| bundle(client).await.unwrap().etag != etag;
    assert!(each_end_of(at, &operation, is_changed).await > 1);
}

#[tokio::test]
async fn an_operation_on_a_bundle_goes_on() {
    let folder = Folder::new();
    let client = started(&folder).await;
    client.table("t", &["f"], &[]).await;
    let create = |id: &str| bundles::new(TABLE, id, bundles::FIRST);
    client.call(method::CREATE_SCHEMA_BUNDLE, create("b")).await.unwrap();
    client.cluster.set_operation_polls(2);
    let creating = client.call(method::CREATE_SCHEMA_BUNDLE, create("c")).await.unwrap();
    let request = bundles::redefine(TABLE, bundles::SECOND);
    let changing = client.call(method::UPDATE_SCHEMA_BUNDLE, request).await.unwrap();
    let begun = [creating, changing];
    for operation in &begun {
        assert!(!poll(&client, operation).await.done);
    }
    let (_folder, client) = restarted(&folder.bytes()).await;
    let mut made = Vec::new();
    for operation in &begun {
        made.push(result::<SchemaBundle>(&poll(&client, operation).await).unwrap());
    }
    made.reverse();
    let request = ListSchemaBundlesRequest { parent: TABLE.into(), ..Default::default() };
    let listed = client.call(method::LIST_SCHEMA_BUNDLES, request).await.unwrap();
    assert_eq!(listed.schema_bundles, made);
    assert_ne!(made[0].etag, made[1].etag);
}

#[tokio::test]
async fn a_change_stream_goes_on_where_it_was() {
    let folder = Folder::new();
    let client = started(&folder).await;
    client.table("t", &["f"], &["m"]).await;
    configure(&client, config(86_400)).await.unwrap();
    let put = async |client: &Client, row: &str| {
        client.put(TABLE, row, &[("f", "q", 1_000, "v")]).await;
    };
    put(&client, "a").await;
    put(&client, "x").await;
    client.cluster.split_region("t", b"g").unwrap();
    put(&client, "h").await;
    let low = partition("", "m");
    let (rows, close, _) = changes::read(&client, low.clone(), since(START_MS)).await.unwrap();
    assert_eq!(rows, ["a"]);
    let high = tokens(vec![close.continuation_tokens[1].clone()]);

    let (folder, client) = restarted_later(&folder.bytes(), 1).await;
    let now = [partition("", "g"), partition("g", "m"), partition("m", "")];
    assert_eq!(partitions(&client).await, now);
    let (rows, ..) = changes::read(&client, low.clone(), since(START_MS)).await.unwrap();
    assert_eq!(rows, ["a"]);
    put(&client, "i").await;
    let (rows, _, token) = changes::read(&client, now[1].clone(), high.clone()).await.unwrap();
    assert_eq!(rows, ["h", "i"]);
    let at = StreamContinuationToken { partition: Some(now[1].clone()), token };

    // A file that is mostly history is replaced when a process starts.
    let value = "v".repeat(1_000);
    for _ in 0..10 {
        client.mutate(TABLE, "x", vec![set("f", "large", 1_000, &value)]).await.unwrap();
    }
    let request = DropRowRangeRequest {
        name: TABLE.into(),
        target: Some(DropTarget::RowKeyPrefix("x".into())),
    };
    client.call(method::DROP_ROW_RANGE, request).await.unwrap();
    let before = folder.bytes();
    let (folder, _) = restarted_later(&before, 2).await;
    assert!(folder.bytes().len() < before.len(), "no checkpoint was written");
    let (folder, client) = restarted_later(&folder.bytes(), 3).await;
    let (rows, ..) = changes::read(&client, now[1].clone(), high.clone()).await.unwrap();
    assert_eq!(rows, ["h", "i"]);
    put(&client, "j").await;
    let after = tokens(vec![at.clone()]);
    let (rows, ..) = changes::read(&client, now[1].clone(), after.clone()).await.unwrap();
    assert_eq!(rows, ["j"]);
    let (rows, ..) = changes::read(&client, now[2].clone(), since(START_MS)).await.unwrap();
    assert_eq!(rows, ["x"; 12]);

    // A stream that was disabled is another one when it is enabled again, after a restart too.
    configure(&client, None).await.unwrap();
    let (folder, client) = restarted_later(&folder.bytes(), 4).await;
    let status = changes::read(&client, now[1].clone(), after.clone()).await.unwrap_err();
    assert_eq!(status.code(), Code::FailedPrecondition);
    configure(&client, config(86_400)).await.unwrap();
    let (_folder, client) = restarted_later(&folder.bytes(), 5).await;
    let status = changes::read(&client, now[1].clone(), after).await.unwrap_err();
    assert_eq!(status.code(), Code::FailedPrecondition);
    put(&client, "k").await;
    let (rows, ..) = changes::read(&client, now[1].clone(), since(START_MS)).await.unwrap();
    assert_eq!(rows, ["k"]);
}
