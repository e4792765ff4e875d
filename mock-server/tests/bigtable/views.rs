//! Authorized views: what they let through, and how they are made, changed and deleted.

use bytes::Bytes;
use fastrand::Rng;
use tallrow_mock::MockCluster;
use tallrow_wire::bigtable::*;
use tonic::{Code, Status};

use crate::client::{Client, INSTANCE, add, aggregate, bytes, create, family, result, set};

/// A view of the rows with these prefixes and of these columns, `family:qualifier` or
/// `family:prefix*`.
pub fn subset(rows: &[&str], columns: &[&str]) -> SubsetView {
    let mut view =
        SubsetView { row_prefixes: rows.iter().map(|p| bytes(p)).collect(), ..Default::default() };
    for column in columns {
        let (family, qualifier) = column.split_once(':').unwrap();
        let of = view.family_subsets.entry(family.to_owned()).or_default();
        match qualifier.strip_suffix('*') {
            Some(prefix) => of.qualifier_prefixes.push(bytes(prefix)),
            None => of.qualifiers.push(bytes(qualifier)),
        }
    }
    view
}

pub fn named(table: &str, id: &str) -> String {
    format!("{table}/authorizedViews/{id}")
}

pub fn new(table: &str, id: &str, subset: SubsetView) -> CreateAuthorizedViewRequest {
    CreateAuthorizedViewRequest {
        parent: table.into(),
        authorized_view_id: id.into(),
        authorized_view: Some(AuthorizedView {
            authorized_view: Some(AuthorizedViewKind::SubsetView(subset)),
            ..Default::default()
        }),
    }
}

/// A change of these fields of view `v` of a table.
pub fn change(table: &str, fields: &[&str], view: AuthorizedView) -> UpdateAuthorizedViewRequest {
    UpdateAuthorizedViewRequest {
        authorized_view: Some(AuthorizedView { name: named(table, "v"), ..view }),
        update_mask: Some(FieldMask { paths: fields.iter().map(|&field| field.into()).collect() }),
        ignore_warnings: false,
    }
}

fn of_subset(subset: SubsetView) -> AuthorizedView {
    let authorized_view = Some(AuthorizedViewKind::SubsetView(subset));
    AuthorizedView { authorized_view, ..Default::default() }
}

pub fn protection(deletion_protection: bool) -> AuthorizedView {
    AuthorizedView { deletion_protection, ..Default::default() }
}

async fn get(client: &Client, name: &str) -> Result<AuthorizedView, Status> {
    let request = GetAuthorizedViewRequest { name: name.into(), view: 0 };
    client.call(method::GET_AUTHORIZED_VIEW, request).await
}

async fn delete(client: &Client, name: &str, etag: &str) -> Result<Empty, Status> {
    let request = DeleteAuthorizedViewRequest { name: name.into(), etag: etag.into() };
    client.call(method::DELETE_AUTHORIZED_VIEW, request).await
}

/// A request for the rows of a view.
fn read(view: &str) -> ReadRowsRequest {
    ReadRowsRequest { authorized_view_name: view.into(), ..Default::default() }
}

/// A client with a table and a view `v` of its rows `a..` and `c..`, of its column `f:q`, its
/// columns `f:p..` and its whole family `s` of sums.
async fn started() -> (Client, String, String) {
    let client = Client::start().await;
    let families = ["f", "g"].map(|name| (name.to_owned(), family(None)));
    let sums = ("s".to_owned(), aggregate(Aggregator::Sum(Marker {})));
    let request = create("t", families.into_iter().chain([sums]).collect());
    let initial_splits = ["a5", "b", "c5", "z"].map(|key| Split { key: bytes(key) }).into();
    let request = CreateTableRequest { initial_splits, ..request };
    let table = client.call(method::CREATE_TABLE, request).await.unwrap().name;
    let request = new(&table, "v", subset(&["a", "c"], &["f:q", "f:p*", "s:*"]));
    client.call(method::CREATE_AUTHORIZED_VIEW, request).await.unwrap();
    let view = named(&table, "v");
    (client, table, view)
}

/// Like Bigtable: a read of an authorized view returns the cells that it lets through.
#[tokio::test]
async fn a_view_returns_its_rows_and_columns() {
    let (client, table, view) = started().await;
    let cells = [
        ("f", "q", 1000, "1"),
        ("f", "other", 1000, "2"),
        ("f", "p1", 1000, "3"),
        ("g", "q", 1000, "4"),
    ];
    for row in ["a", "a9", "b", "c"] {
        client.put(&table, row, &cells).await;
    }
    client.put(&table, "a1", &[("g", "q", 1000, "4")]).await;
    client.mutate(&table, "c", vec![add("s", "n", 0, 7)]).await.unwrap();
    let of = |row: &str| [format!("{row}/f:p1@1000=3"), format!("{row}/f:q@1000=1")];
    let all = client.read(read(&view)).await;
    assert_eq!(all[..6], [of("a"), of("a9"), of("c")].concat());
    assert!(all[6].starts_with("c/s:n@0=") && all.len() == 7, "{all:?}");

    let first = ReadRowsRequest { rows_limit: 2, ..read(&view) };
    assert_eq!(client.read(first.clone()).await, [of("a"), of("a9")].concat());
    let last = ReadRowsRequest { reversed: true, rows_limit: 1, ..first };
    assert_eq!(client.read(last).await[..2], of("c"));
    let row_keys = ["b", "a9", "a1", "x"].map(bytes).into();
    let rows = Some(RowSet { row_keys, row_ranges: Vec::new() });
    let filter = Some(RowFilter { filter: Some(Filter::CellsPerRowLimitFilter(1)) });
    // The filter gets what the view lets through.
    let some = ReadRowsRequest { rows, filter, table_name: table.clone(), ..read(&view) };
    assert_eq!(client.read(some).await, ["a9/f:p1@1000=3"]);

    let filter = Some(RowFilter { filter: Some(Filter::FamilyNameRegexFilter("g".into())) });
    let others = ReadRowsRequest { filter, ..read(&view) };
    assert_eq!(client.read(others).await, [""; 0]);
}

/// Like Bigtable: the samples of an authorized view are within its rows.
#[tokio::test]
async fn the_samples_of_a_view_are_within_its_rows() {
    let (client, table, view) = started().await;
    let sample = async |request: SampleRowKeysRequest| {
        let (samples, end) = client.stream(method::SAMPLE_ROW_KEYS, request).await;
        end.unwrap();
        let offsets: Vec<_> = samples.iter().map(|sample| sample.offset_bytes).collect();
        assert!(offsets.is_sorted(), "{offsets:?}");
        samples.iter().map(|s| String::from_utf8_lossy(&s.row_key).into_owned()).collect::<Vec<_>>()
    };
    client.put(&table, "a", &[("f", "q", 1000, "1")]).await;
    let of_view = SampleRowKeysRequest { authorized_view_name: view.clone(), ..Default::default() };
    assert_eq!(sample(of_view.clone()).await, ["a5", "b", "c5", "d"]);
    let range = |start: &str, end: &str| {
        let start_key = Some(StartKey::StartKeyClosed(bytes(start)));
        Some(RowRange { start_key, end_key: Some(EndKey::EndKeyClosed(bytes(end))) })
    };
    let some = SampleRowKeysRequest { row_range: range("a7", "c7"), ..of_view.clone() };
    assert_eq!(sample(some).await, ["b", "c5", "c7"]);
    let none = SampleRowKeysRequest { row_range: range("b", "b7"), ..of_view };
    assert_eq!(sample(none).await, ["b7"]);
    // As in a test of Google's client for Go.
    let table = client.table("u", &["f"], &["r0", "r11", "r12", "r2"]).await;
    let request = new(&table, "v", subset(&["r1"], &[]));
    client.call(method::CREATE_AUTHORIZED_VIEW, request).await.unwrap();
    let of_view =
        SampleRowKeysRequest { authorized_view_name: named(&table, "v"), ..Default::default() };
    assert_eq!(sample(of_view).await, ["r11", "r12", "r2"]);
}

/// Like Bigtable: what is outside of an authorized view is not changed by its name.
#[tokio::test]
async fn a_change_outside_of_a_view_is_refused_and_changes_nothing() {
    let (client, table, view) = started().await;
    let name = || view.clone();
    let mutate = async |row: &str, mutations: Vec<Mutation>| {
        let (row_key, authorized_view_name) = (bytes(row), name());
        let request =
            MutateRowRequest { row_key, mutations, authorized_view_name, ..Default::default() };
        client.call(method::MUTATE_ROW, request).await
    };
    let of = |change| Mutation { mutation: Some(change) };
    let column = |family: &str, qualifier: &str| {
        let (family_name, column_qualifier) = (family.into(), bytes(qualifier));
        of(Change::DeleteFromColumn(DeleteFromColumn {
            family_name,
            column_qualifier,
            time_range: None,
        }))
    };
    let of_family = |family: &str| {
        of(Change::DeleteFromFamily(DeleteFromFamily { family_name: family.into() }))
    };
    let inside = set("f", "q", 1000, "1");
    mutate("a", vec![inside.clone(), set("f", "p1", 1000, "2"), add("s", "n", 0, 7)])
        .await
        .unwrap();
    mutate("a", vec![column("f", "p1"), of_family("s")]).await.unwrap();
    client.put(&table, "a", &[("f", "o", 1000, "3")]).await;
    let stored = ["a/f:o@1000=3", "a/f:q@1000=1"];
    assert_eq!(client.all(&table).await, stored);

    let denied = |status: Status, what: &str| {
        assert_eq!(status.code(), Code::PermissionDenied, "{status}");
        assert!(status.message().contains("is outside the Authorized View projects/"), "{status}");
        assert!(status.message().contains(what), "{status}");
    };
    denied(mutate("b", vec![inside.clone()]).await.unwrap_err(), "The row \"b\"");
    for (bad, what) in [
        (set("f", "o", 1000, "x"), "The column f:o"),
        (set("g", "q", 1000, "x"), "The column g:q"),
        // Whether the family exists is not said.
        (set("none", "q", 1000, "x"), "The column none:q"),
        (column("f", "o"), "The column f:o"),
        (of_family("f"), "A part of the column family f"),
        (of(Change::DeleteFromRow(DeleteFromRow {})), "A part of the row"),
    ] {
        let mutations = vec![set("f", "q", 1000, "x"), bad];
        denied(mutate("a", mutations).await.unwrap_err(), what);
    }

    // Each row of a batch by itself.
    let entry = |row: &str, mutation: &Mutation| {
        let (row_key, mutations) = (bytes(row), vec![mutation.clone()]);
        MutateRowsEntry { row_key, mutations, idempotency: None }
    };
    let entries =
        vec![entry("c", &inside), entry("b", &inside), entry("c", &set("g", "q", 1000, "x"))];
    let request = MutateRowsRequest { entries, authorized_view_name: name(), ..Default::default() };
    let (answers, end) = client.stream(method::MUTATE_ROWS, request).await;
    end.unwrap();
    let codes = answers
        .iter()
        .flat_map(|a| &a.entries)
        .map(|e| (e.index, e.status.as_ref().map_or(0, |s| s.code)));
    assert_eq!(codes.collect::<Vec<_>>(), [(0, 0), (1, 7), (2, 7)]);

    // A condition sees what the view lets through; the changes of both branches are in the view.
    let check = async |row: &str, qualifier: &str, then: Mutation| {
        let filter = Filter::ColumnQualifierRegexFilter(bytes(qualifier));
        let request = CheckAndMutateRowRequest {
            row_key: bytes(row),
            predicate_filter: Some(RowFilter { filter: Some(filter) }),
            true_mutations: vec![then],
            authorized_view_name: name(),
            ..Default::default()
        };
        client.call(method::CHECK_AND_MUTATE_ROW, request).await
    };
    assert!(check("a", "q", set("f", "p2", 1000, "4")).await.unwrap().predicate_matched);
    assert!(!check("a", "o", set("f", "p3", 1000, "5")).await.unwrap().predicate_matched);
    denied(check("b", "q", inside.clone()).await.unwrap_err(), "The row");
    denied(check("a", "none", set("g", "q", 1000, "x")).await.unwrap_err(), "The column g:q");

    let append = async |row: &str, qualifier: &str| {
        let rule = ReadModifyWriteRule {
            family_name: "f".into(),
            column_qualifier: bytes(qualifier),
            rule: Some(Rule::AppendValue(bytes("+"))),
        };
        let (row_key, rules) = (bytes(row), vec![rule]);
        let request = ReadModifyWriteRowRequest {
            row_key,
            rules,
            authorized_view_name: name(),
            ..Default::default()
        };
        client.call(method::READ_MODIFY_WRITE_ROW, request).await
    };
    let row = append("c", "q").await.unwrap().row.unwrap();
    assert_eq!(row.families[0].columns[0].cells[0].value, "1+");
    denied(append("b", "q").await.unwrap_err(), "The row");
    denied(append("a", "o").await.unwrap_err(), "The column f:o");
    let all = client.all(&table).await;
    let expected = ["a/f:o@1000=3", "a/f:p2@1000=4", "a/f:q@1000=1"];
    assert_eq!(all[..3], expected);
    assert!(all[3..].iter().all(|cell| cell.starts_with("c/f:q@")), "{all:?}");
}

/// Like Bigtable: authorized views are created, described, listed, changed and deleted.
#[tokio::test]
async fn a_view_is_described_changed_and_deleted() {
    let (client, table, view) = started().await;
    client.put(&table, "b", &[("g", "q", 1000, "1")]).await;
    let found = get(&client, &view).await.unwrap();
    let kind = AuthorizedViewKind::SubsetView(subset(&["a", "c"], &["f:q", "f:p*", "s:*"]));
    assert_eq!((found.name.clone(), found.authorized_view.clone()), (view.clone(), Some(kind)));
    assert!(!found.etag.is_empty() && !found.deletion_protection);
    for (parts, has) in [
        (ResponseView::NameOnly, (false, false)),
        (ResponseView::Basic, (false, true)),
        (ResponseView::Full, (true, true)),
    ] {
        let request = GetAuthorizedViewRequest { name: view.clone(), view: parts as i32 };
        let part = client.call(method::GET_AUTHORIZED_VIEW, request).await.unwrap();
        assert_eq!((part.authorized_view.is_some(), !part.etag.is_empty()), has, "{parts:?}");
    }
    let update = async |request| client.call(method::UPDATE_AUTHORIZED_VIEW, request).await;
    let changed =
        update(change(&table, &["subset_view"], of_subset(subset(&["b"], &["g:*"])))).await;
    let changed: AuthorizedView = result(&changed.unwrap()).unwrap();
    assert_eq!(get(&client, &view).await.unwrap(), changed);
    assert!(changed.etag != found.etag);
    assert_eq!(client.read(read(&view)).await, ["b/g:q@1000=1"]);

    // An etag is that of the view as it was read.
    let stale = AuthorizedView { etag: found.etag.clone(), ..protection(true) };
    let status = update(change(&table, &["deletion_protection"], stale)).await.unwrap_err();
    assert_eq!(status.code(), Code::Aborted, "{status}");
    let current = AuthorizedView { etag: changed.etag.clone(), ..protection(true) };
    update(change(&table, &["deletion_protection"], current)).await.unwrap();
    let is = get(&client, &view).await.unwrap();
    assert_eq!((is.deletion_protection, &is.authorized_view), (true, &changed.authorized_view));

    // A protected view is not deleted, nor is its table.
    let request = DeleteTableRequest { name: table.clone() };
    for status in [
        delete(&client, &view, "").await.unwrap_err(),
        client.call(method::DELETE_TABLE, request).await.unwrap_err(),
    ] {
        assert_eq!(status.code(), Code::FailedPrecondition, "{status}");
        assert!(status.message().contains("deletion_protection"), "{status}");
    }
    // Without a mask, the fields that are set change; `*` is all fields.
    let all_set = of_subset(subset(&["a"], &["f:*"]));
    update(change(&table, &[], all_set.clone())).await.unwrap();
    assert!(get(&client, &view).await.unwrap().deletion_protection, "false is not set");
    update(change(&table, &["*"], all_set)).await.unwrap();
    let is = get(&client, &view).await.unwrap();
    assert!(!is.deletion_protection);
    assert_eq!(delete(&client, &view, &changed.etag).await.unwrap_err().code(), Code::Aborted);
    delete(&client, &view, &is.etag).await.unwrap();
    for status in [
        get(&client, &view).await.unwrap_err(),
        delete(&client, &view, "").await.unwrap_err(),
        update(change(&table, &[], protection(true))).await.unwrap_err(),
        client.stream(method::READ_ROWS, read(&view)).await.1.unwrap_err(),
    ] {
        let expected = (Code::NotFound, &*format!("Authorized view not found: {view}"));
        assert_eq!((status.code(), status.message()), expected);
    }
}

#[tokio::test]
async fn views_are_listed_by_page_in_the_order_of_their_ids() {
    let (client, table, _) = started().await;
    let other = client.table("t2", &["f"], &[]).await;
    for (table, id) in [(&table, "w"), (&table, "u"), (&other, "x")] {
        let request = new(table, id, subset(&[""], &[]));
        client.call(method::CREATE_AUTHORIZED_VIEW, request).await.unwrap();
    }
    let list = async |page_size, page_token: &str, view: ResponseView| {
        let (parent, page_token, view) = (table.clone(), page_token.into(), view as i32);
        let request = ListAuthorizedViewsRequest { parent, page_size, page_token, view };
        client.call(method::LIST_AUTHORIZED_VIEWS, request).await.unwrap()
    };
    let ids = |page: &ListAuthorizedViewsResponse| -> Vec<String> {
        let id = |view: &AuthorizedView| view.name.rsplit('/').next().unwrap().to_owned();
        page.authorized_views.iter().map(id).collect()
    };
    let all = list(0, "", ResponseView::ResponseViewUnspecified).await;
    assert_eq!((ids(&all), &*all.next_page_token), (vec!["u".into(), "v".into(), "w".into()], ""));
    assert!(all.authorized_views.iter().all(|view| view.etag.is_empty()), "only the names");
    let first = list(2, "", ResponseView::Full).await;
    assert_eq!(ids(&first), ["u", "v"]);
    assert!(first.authorized_views.iter().all(|view| view.authorized_view.is_some()));
    let rest = list(2, &first.next_page_token, ResponseView::Basic).await;
    assert_eq!((ids(&rest), &*rest.next_page_token), (vec!["w".into()], ""));
}

/// Like Bigtable: authorized views that are refused, with their code.
#[tokio::test]
async fn bad_views_are_refused() {
    let (client, table, view) = started().await;
    let good = || subset(&["a"], &["f:q"]);
    for (bad, code) in [
        (new(&format!("{INSTANCE}/tables/none"), "w", good()), Code::NotFound),
        (new(INSTANCE, "w", good()), Code::InvalidArgument),
        (new(&table, "", good()), Code::InvalidArgument),
        (new(&table, "a/b", good()), Code::InvalidArgument),
        (new(&table, &"w".repeat(51), good()), Code::InvalidArgument),
        (new(&table, "v", good()), Code::AlreadyExists),
        (
            CreateAuthorizedViewRequest { authorized_view: None, ..new(&table, "w", good()) },
            Code::InvalidArgument,
        ),
        (
            CreateAuthorizedViewRequest {
                authorized_view: Some(AuthorizedView::default()),
                ..new(&table, "w", good())
            },
            Code::InvalidArgument,
        ),
    ] {
        let status = client.call(method::CREATE_AUTHORIZED_VIEW, bad.clone()).await.unwrap_err();
        assert_eq!(status.code(), code, "{bad:?}: {status}");
    }
    for (bad, code) in [
        (change(&table, &["subset_view"], protection(true)), Code::InvalidArgument),
        (change(&table, &["name"], protection(true)), Code::Unimplemented),
        (
            UpdateAuthorizedViewRequest { authorized_view: None, ..Default::default() },
            Code::InvalidArgument,
        ),
    ] {
        let status = client.call(method::UPDATE_AUTHORIZED_VIEW, bad.clone()).await.unwrap_err();
        assert_eq!(status.code(), code, "{bad:?}: {status}");
    }
    let missing = named(&format!("{INSTANCE}/tables/none"), "v");
    for (bad, code) in [
        (ReadRowsRequest { table_name: format!("{table}2"), ..read(&view) }, Code::InvalidArgument),
        (read("v"), Code::InvalidArgument),
        (read(&table), Code::InvalidArgument),
        (read(&named(&table, "")), Code::InvalidArgument),
        (read(&named(&table, "w")), Code::NotFound),
        (read(&missing), Code::NotFound),
        (
            ReadRowsRequest {
                materialized_view_name: format!("{INSTANCE}/materializedViews/m"),
                ..Default::default()
            },
            Code::NotFound,
        ),
        (
            ReadRowsRequest { materialized_view_name: "m".into(), ..Default::default() },
            Code::InvalidArgument,
        ),
    ] {
        let status = client.stream(method::READ_ROWS, bad.clone()).await.1.unwrap_err();
        assert_eq!(status.code(), code, "{bad:?}: {status}");
    }
}

#[tokio::test]
async fn a_view_is_there_when_its_operation_is_done() {
    let (client, table, view) = started().await;
    client.cluster.set_operation_polls(1);
    let poll = async |operation: &Operation| {
        let request = GetOperationRequest { name: operation.name.clone() };
        client.call(method::GET_OPERATION, request).await.unwrap()
    };
    let request = new(&table, "w", subset(&["a"], &["f:*"]));
    let making = client.call(method::CREATE_AUTHORIZED_VIEW, request.clone()).await.unwrap();
    let again = client.call(method::CREATE_AUTHORIZED_VIEW, request.clone()).await.unwrap();
    assert!(!making.done);
    let any = making.metadata.clone().unwrap();
    assert_eq!(any.type_url, type_url::CREATE_AUTHORIZED_VIEW_METADATA);
    let metadata = <CreateAuthorizedViewMetadata as prost::Message>::decode(any.value).unwrap();
    assert_eq!(metadata.original_request, Some(request));
    assert!(metadata.request_time.is_some() && metadata.finish_time.is_none());
    assert_eq!(get(&client, &named(&table, "w")).await.unwrap_err().code(), Code::NotFound);
    let made: AuthorizedView = result(&poll(&making).await).unwrap();
    assert_eq!(get(&client, &named(&table, "w")).await.unwrap(), made);
    let status = result::<AuthorizedView>(&poll(&again).await).unwrap_err();
    assert_eq!(status.code, Code::AlreadyExists as i32);

    let request = change(&table, &["deletion_protection"], protection(true));
    let changing = client.call(method::UPDATE_AUTHORIZED_VIEW, request).await.unwrap();
    assert!(!get(&client, &view).await.unwrap().deletion_protection);
    let changed: AuthorizedView = result(&poll(&changing).await).unwrap();
    assert!(changed.deletion_protection && get(&client, &view).await.unwrap() == changed);
}

/// Unlike Bigtable: authorized views are kept with a deleted table, and not with its backups; what
/// the service does is not documented.
#[tokio::test]
async fn views_come_back_with_their_table_and_not_from_backups() {
    let (client, table, view) = started().await;
    client.put(&table, "a", &[("f", "q", 1000, "1")]).await;
    let backup = Backup {
        source_table: table.clone(),
        expire_time: Some(Timestamp {
            seconds: (std::time::SystemTime::now() + std::time::Duration::from_secs(86_400))
                .duration_since(std::time::UNIX_EPOCH)
                .unwrap()
                .as_secs() as i64,
            nanos: 0,
        }),
        ..Backup::default()
    };
    let parent = format!("{INSTANCE}/clusters/c");
    let name = format!("{parent}/backups/b");
    let request = CreateBackupRequest { parent, backup_id: "b".into(), backup: Some(backup) };
    client.call(method::CREATE_BACKUP, request).await.unwrap();
    let source = Some(RestoreSource::Backup(name));
    let request = RestoreTableRequest { parent: INSTANCE.into(), table_id: "u".into(), source };
    let restored: Table =
        result(&client.call(method::RESTORE_TABLE, request).await.unwrap()).unwrap();
    assert_eq!(client.all(&restored.name).await, ["a/f:q@1000=1"]);
    let status = get(&client, &named(&restored.name, "v")).await.unwrap_err();
    assert_eq!(status.code(), Code::NotFound);

    client.call(method::DELETE_TABLE, DeleteTableRequest { name: table.clone() }).await.unwrap();
    assert_eq!(get(&client, &view).await.unwrap_err().code(), Code::NotFound);
    client.call(method::UNDELETE_TABLE, UndeleteTableRequest { name: table }).await.unwrap();
    assert_eq!(client.read(read(&view)).await, ["a/f:q@1000=1"]);
}

#[tokio::test]
async fn views_are_kept_over_a_restart() {
    let file = std::env::temp_dir().join(format!("tallrow-mock-views-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&file);
    let client = Client::of(MockCluster::builder().data(&file)).await;
    let table = client.table("t", &["f"], &[]).await;
    let view = named(&table, "v");
    for id in ["v", "w"] {
        let request = new(&table, id, subset(&["a"], &["f:q"]));
        client.call(method::CREATE_AUTHORIZED_VIEW, request).await.unwrap();
    }
    let request = change(&table, &["subset_view"], of_subset(subset(&["b"], &["f:*"])));
    client.call(method::UPDATE_AUTHORIZED_VIEW, request).await.unwrap();
    delete(&client, &named(&table, "w"), "").await.unwrap();
    let (dump, before) = (client.cluster.dump_tables(), get(&client, &view).await.unwrap());
    client.cluster.shutdown().await;
    let client = Client::of(MockCluster::builder().data(&file)).await;
    assert_eq!(get(&client, &view).await.unwrap(), before);
    let status = get(&client, &named(&table, "w")).await.unwrap_err();
    assert_eq!(status.code(), Code::NotFound);
    // They are in a dump too.
    assert_eq!(client.cluster.dump_tables(), dump);
    client.cluster.shutdown().await;
    std::fs::remove_dir_all(&file).unwrap();
}

/// Reads of random views, by random ranges, in both directions, while the regions are small.
#[tokio::test]
async fn a_view_returns_what_a_model_of_it_says() {
    let mut random = Rng::with_seed(35);
    let client = Client::start().await;
    let table = client.table("t", &["f", "g"], &["ab", "b", "bb", "c"]).await;
    let key = |random: &mut Rng, at_most: usize| -> String {
        let len = random.usize(0..=at_most);
        (0..len).map(|_| ["a", "b", "c"][random.usize(..3)]).collect()
    };
    for _ in 0..120 {
        let row = format!("{}{}", ["a", "b", "c"][random.usize(..3)], key(&mut random, 3));
        let (family, qualifier) = (["f", "g"][random.usize(..2)], key(&mut random, 2));
        client.put(&table, &row, &[(family, &qualifier, 1000, "v")]).await;
    }
    let all = client.all(&table).await;
    for _ in 0..60 {
        let rows: Vec<_> = (0..random.usize(..4)).map(|_| key(&mut random, 2)).collect();
        let columns: Vec<_> = (0..random.usize(1..4))
            .map(|_| {
                let (family, star) = (["f", "g"][random.usize(..2)], ["", "*"][random.usize(..2)]);
                format!("{family}:{}{star}", key(&mut random, 2))
            })
            .collect();
        let is_in = |cell: &&String| {
            let (row, column) = cell.split_once('/').unwrap();
            let (column, _) = column.split_once('@').unwrap();
            rows.iter().any(|prefix| row.starts_with(&**prefix))
                && columns.iter().any(|of| match of.strip_suffix('*') {
                    Some(prefix) => column.starts_with(prefix),
                    None => column == of,
                })
        };
        let of = |texts: &[String]| texts.iter().map(String::as_str).collect::<Vec<_>>().join(" ");
        let texts = |texts: &[String]| -> Vec<Bytes> { texts.iter().map(|t| bytes(t)).collect() };
        let mut view = SubsetView { row_prefixes: texts(&rows), ..Default::default() };
        let borrowed: Vec<_> = columns.iter().map(String::as_str).collect();
        view.family_subsets = subset(&[], &borrowed).family_subsets;
        let request = new(&table, "v", view);
        client.call(method::CREATE_AUTHORIZED_VIEW, request).await.unwrap();
        for _ in 0..4 {
            let mut ends = [key(&mut random, 3), key(&mut random, 3)];
            ends.sort();
            let [start, end] = ends;
            let range = RowRange {
                start_key: Some(StartKey::StartKeyClosed(bytes(&start))),
                end_key: Some(EndKey::EndKeyOpen(bytes(&end))),
            };
            let rows_of = Some(RowSet { row_keys: Vec::new(), row_ranges: vec![range] });
            let reversed = random.bool();
            let request = ReadRowsRequest { rows: rows_of, reversed, ..read(&named(&table, "v")) };
            let mut found = client.read(request).await;
            found.sort();
            let in_range = |cell: &&String| {
                let (row, _) = cell.split_once('/').unwrap();
                *row >= *start && (end.is_empty() || *row < *end)
            };
            let mut expected: Vec<_> = all.iter().filter(is_in).filter(in_range).cloned().collect();
            expected.sort();
            assert_eq!(
                found,
                expected,
                "rows {}, columns {}, {start}..{end}",
                of(&rows),
                of(&columns)
            );
        }
        delete(&client, &named(&table, "v"), "").await.unwrap();
    }
}
