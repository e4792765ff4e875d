//! Permissions: what users may do, and the texts of HBase 2.6.4 for what they may not.

use tallrow_mock::MockClusterBuilder;
use tallrow_wire::exception::RemoteException;
use tallrow_wire::proto::PermissionAction::{self, Admin, Create, Exec, Read, Write};
use tallrow_wire::proto::*;
use tallrow_wire::region::parse_table_name;

use crate::frames::{
    Answer, Fixture, Frames, create, get, increment, meta, mutation, put, server_of,
};

/// A cluster in which `test`, who has table `t`, is the superuser.
async fn cluster() -> Fixture {
    with(|builder| builder).await
}

async fn with(change: impl FnOnce(MockClusterBuilder) -> MockClusterBuilder) -> Fixture {
    let builder = tallrow_mock::MockCluster::builder().servers(1).in_memory();
    Fixture::with(change(builder.authorization(["test"])), &[], &[]).await
}

/// The connections of another user to the same cluster.
async fn log_in(of: &Fixture, user: &str) -> Fixture {
    let cluster = of.cluster.clone();
    let server = server_of(&cluster, of.table, b"");
    let master = Frames::open_as(user, &cluster, cluster.rpc_address(), "MasterService").await;
    let client = Frames::open_as(user, &cluster, server, "ClientService").await;
    let admin = Frames::open_as(user, &cluster, server, "AdminService").await;
    Fixture { cluster, master, client, admin, table: of.table }
}

fn in_table(
    family: &'static str,
    qualifier: &'static str,
    actions: &[PermissionAction],
) -> Permission {
    let some = |name: &'static str| (!name.is_empty()).then(|| name.into());
    Permission {
        r#type: PermissionType::Table as i32,
        table_permission: Some(TablePermission {
            table_name: Some(parse_table_name(b"t")),
            family: some(family),
            qualifier: some(qualifier),
            action: actions.iter().map(|action| *action as i32).collect(),
        }),
        ..Default::default()
    }
}

fn in_namespace(name: &'static str, actions: &[PermissionAction]) -> Permission {
    Permission {
        r#type: PermissionType::Namespace as i32,
        namespace_permission: Some(NamespacePermission {
            namespace_name: Some(name.into()),
            action: actions.iter().map(|action| *action as i32).collect(),
        }),
        ..Default::default()
    }
}

async fn grant(
    f: &mut Fixture,
    user: &'static str,
    permission: Permission,
) -> Answer<GrantResponse> {
    let user_permission = UserPermission { user: user.into(), permission };
    let request = GrantRequest { user_permission, merge_existing_permissions: Some(false) };
    f.master.call("Grant", &request).await
}

/// The text of a refusal.
fn denied<M: std::fmt::Debug>(answer: Answer<M>) -> String {
    let RemoteException { class, message, do_not_retry, .. } = answer.unwrap_err();
    assert_eq!(class, tallrow_wire::exception::ACCESS_DENIED, "{message}");
    assert!(do_not_retry);
    message.strip_prefix("Insufficient permissions ").unwrap().to_owned()
}

/// Like HBase: permissions of users, namespaces, tables, families and columns.
#[tokio::test]
async fn reads_are_narrowed_to_what_is_granted() {
    let mut root = cluster().await;
    for qualifier in ["a", "b", "c"] {
        root.put("r", qualifier, 1, "v").await;
    }
    let mut ada = log_in(&root, "ada").await;
    let may_not = "for user 'ada' (table=t, action=READ)";
    assert_eq!(denied(ada.get(get("r")).await), may_not);
    assert_eq!(denied(ada.scan(Scan::default(), 10).await), may_not);

    grant(&mut root, "ada", in_table("f", "a", &[Read])).await.unwrap();
    grant(&mut root, "ada", in_table("f", "c", &[Read])).await.unwrap();
    assert_eq!(ada.values("r").await, ["a=v", "c=v"]);
    let (_, cells) = ada.scan(Scan::default(), 10).await.unwrap();
    assert_eq!(cells.iter().map(|cell| cell.qualifier()).collect::<Vec<_>>(), [b"a", b"c"]);
    let of = |qualifiers: &[&'static str]| Get {
        column: vec![Column {
            family: "f".into(),
            qualifier: qualifiers.iter().map(|q| (*q).into()).collect(),
        }],
        ..get("r")
    };
    let (_, cells) = ada.get(of(&["a", "b"])).await.unwrap();
    assert_eq!(cells.len(), 1);
    assert_eq!(denied(ada.get(of(&["b"])).await), may_not);

    grant(&mut root, "ada", in_table("f", "", &[Read])).await.unwrap();
    assert_eq!(ada.values("r").await, ["a=v", "b=v", "c=v"]);
    // Everybody reads `hbase:meta`, and nothing else of HBase's own.
    let mut bob = log_in(&root, "bob").await;
    let request = GetRequest { region: meta(), get: get("hbase:namespace") };
    bob.client.call::<GetResponse>("Get", &request).await.unwrap();
}

#[tokio::test]
async fn writes_name_the_first_column_that_is_not_granted() {
    let mut root = cluster().await;
    let mut ada = log_in(&root, "ada").await;
    let may_not = |column: &str, action: &str| {
        let params = format!("params=[table=default:t,family={column}]");
        format!("(user=ada, scope=default:t, family={column}, {params},action={action})")
    };
    assert_eq!(denied(ada.mutate(put("r")).await), may_not("f:q", "WRITE"));
    assert_eq!(denied(ada.mutate(increment("r", 1, 7)).await), may_not("f:n", "WRITE"));
    let row = mutation(MutationType::Delete, "r", &[]);
    let row = MutationProto { column_value: Vec::new(), ..row };
    assert_eq!(denied(ada.mutate(row.clone()).await), may_not("f:", "WRITE"));

    grant(&mut root, "ada", in_table("f", "q", &[Write])).await.unwrap();
    ada.mutate(put("r")).await.unwrap();
    let both = mutation(MutationType::Put, "r", &[("q", 1, "v"), ("p", 1, "v")]);
    assert_eq!(denied(ada.mutate(both).await), may_not("f:p", "WRITE"));
    assert_eq!(denied(ada.mutate(row.clone()).await), may_not("f:", "WRITE"));
    // A condition is read as well as written.
    let condition = |qualifier: &'static str| Condition {
        row: "r".into(),
        family: Some("f".into()),
        qualifier: Some(qualifier.into()),
        compare_type: Some(CompareType::Equal as i32),
        ..Default::default()
    };
    let checked = |f: &Fixture, qualifier| MutateRequest {
        condition: Some(condition(qualifier)),
        ..f.request(put("r"))
    };
    let request = checked(&ada, "q");
    let answer = ada.client.call::<MutateResponse>("Mutate", &request).await;
    assert_eq!(denied(answer), may_not("f:q", "READ"));
    grant(&mut root, "ada", in_table("f", "p", &[Read])).await.unwrap();
    let request = checked(&ada, "p");
    let answer = ada.client.call::<MutateResponse>("Mutate", &request).await;
    assert_eq!(denied(answer), may_not("f:p", "WRITE"));

    // Of a batch, one write that is not permitted fails them all.
    let action = |index, mutation| Action {
        index: Some(index),
        mutation: Some(mutation),
        ..Default::default()
    };
    let request = MultiRequest {
        region_action: vec![RegionAction {
            region: ada.region(b"r"),
            action: vec![action(0, put("r")), action(1, row), action(2, put("s"))],
            ..Default::default()
        }],
        ..Default::default()
    };
    let (answer, _) = ada.client.call::<MultiResponse>("Multi", &request).await.unwrap();
    let outcomes = &answer.region_action_result[0].result_or_exception;
    assert_eq!(outcomes.len(), 3);
    assert!(outcomes.iter().all(|outcome| outcome.exception.is_some()), "{outcomes:?}");
    assert_eq!(root.values("s").await, [] as [&str; 0]);
}

#[tokio::test]
async fn who_creates_a_table_may_do_everything_in_it_and_nothing_elsewhere() {
    let mut root = cluster().await;
    let (mut ada, mut bob) = (log_in(&root, "ada").await, log_in(&root, "bob").await);
    let params = "params=[namespace=default,table=default:u,family=f],action=CREATE";
    let in_default = format!("(user=ada, scope=default, {params})");
    assert_eq!(denied(create(&mut ada.master, "u", &[], &[]).await), in_default);
    grant(&mut root, "ada", in_namespace("default", &[Create])).await.unwrap();
    create(&mut ada.master, "u", &[], &[]).await.unwrap();
    ada.table = "u";
    ada.put("r", "q", 1, "v").await;
    assert_eq!(ada.values("r").await, ["q=v"]);

    // `C` in the namespace is enough for its tables, but not for the cells in them.
    let of_t = DisableTableRequest { table_name: parse_table_name(b"t"), ..Default::default() };
    ada.master.call::<DisableTableResponse>("DisableTable", &of_t).await.unwrap();
    let answer = bob.master.call::<DeleteTableResponse>("DeleteTable", &of_t).await;
    let in_table = "(user=bob, scope=default:t, params=[table=default:t],action=CREATE)";
    assert_eq!(denied(answer), in_table);
    let names = async |of: &mut Fixture| {
        let request = GetTableNamesRequest::default();
        let (found, _) =
            of.master.call::<GetTableNamesResponse>("GetTableNames", &request).await.unwrap();
        found.table_names.len()
    };
    assert_eq!((names(&mut ada).await, names(&mut bob).await), (2, 0));

    let global = "for user 'ada' (global, action=ADMIN)";
    let namespace = NamespaceDescriptor { name: "n".into(), configuration: Vec::new() };
    let request = CreateNamespaceRequest { namespace_descriptor: namespace, ..Default::default() };
    let answer = ada.master.call::<ProcIdResponse>("CreateNamespace", &request).await;
    assert_eq!(denied(answer), global);
    assert_eq!(denied(ada.master.call::<Empty>("Balance", &Empty {}).await), global);
    let region = ada.region(b"r");
    let moved = MoveRegionRequest { region: region.clone(), ..Default::default() };
    ada.master.call::<MoveRegionResponse>("MoveRegion", &moved).await.unwrap();
    let flush = FlushRegionRequest { region, ..Default::default() };
    let answer = bob.admin.call::<FlushRegionResponse>("FlushRegion", &flush).await;
    assert_eq!(denied(answer), in_table.replace(":t", ":u"));

    // Nobody inherits a table of the same name.
    let of_u = DisableTableRequest { table_name: parse_table_name(b"u"), ..Default::default() };
    ada.master.call::<DisableTableResponse>("DisableTable", &of_u).await.unwrap();
    ada.master.call::<DeleteTableResponse>("DeleteTable", &of_u).await.unwrap();
    create(&mut root.master, "u", &[], &[]).await.unwrap();
    assert_eq!(denied(ada.get(get("r")).await), "for user 'ada' (table=u, action=READ)");
}

#[tokio::test]
async fn who_administrates_a_scope_grants_in_it() {
    let mut root = cluster().await;
    let mut ada = log_in(&root, "ada").await;
    let answer = grant(&mut ada, "bob", in_table("f", "", &[Read])).await;
    let params = "params=[table=default:t,family=f],action=ADMIN";
    assert_eq!(denied(answer), format!("(user=ada, scope=default:t, family=f, {params})"));
    let answer = grant(&mut ada, "bob", in_namespace("n", &[Read])).await;
    assert_eq!(denied(answer), "(user=ada, scope=n, params=[namespace=n],action=ADMIN)");
    let of_table = |user: &'static str| GetUserPermissionsRequest {
        r#type: Some(PermissionType::Table as i32),
        table_name: Some(parse_table_name(b"t")),
        user_name: Some(user.into()),
        ..Default::default()
    };
    let list = async |of: &mut Fixture, request: &GetUserPermissionsRequest| {
        of.master.call::<GetUserPermissionsResponse>("GetUserPermissions", request).await
    };
    let params = "params=[table=default:t,filterUser=bob],action=ADMIN";
    let answer = list(&mut ada, &of_table("bob")).await;
    assert_eq!(denied(answer), format!("(user=ada, scope=default:t, {params})"));

    grant(&mut root, "ada", in_table("", "", &[Admin])).await.unwrap();
    grant(&mut ada, "bob", in_table("f", "q", &[Read, Exec])).await.unwrap();
    let error = grant(&mut ada, "test", in_table("", "", &[Read])).await.unwrap_err();
    assert!(error.message.starts_with("Granting or revoking superusers's"), "{error:?}");
    let (found, _) = list(&mut ada, &of_table("bob")).await.unwrap();
    let [found] = &found.user_permission[..] else { panic!("{found:?}") };
    assert_eq!(found.permission, in_table("f", "q", &[Read, Exec]));
    // Superusers are listed for the whole cluster, although nobody has granted them anything.
    let (found, _) = list(&mut root, &GetUserPermissionsRequest::default()).await.unwrap();
    let users: Vec<_> = found.user_permission.iter().map(|found| &found.user[..]).collect();
    assert_eq!(users, [b"test"]);

    let has = async |of: &mut Fixture, user: Option<&'static str>| {
        let (user_name, read) = (user.map(Into::into), in_table("f", "q", &[Read]));
        let permission = vec![read, in_table("f", "q", &[Read, Write])];
        let request = HasUserPermissionsRequest { user_name, permission };
        of.master.call::<HasUserPermissionsResponse>("HasUserPermissions", &request).await
    };
    let mut bob = log_in(&root, "bob").await;
    let (own, _) = has(&mut bob, None).await.unwrap();
    assert_eq!(own.has_user_permission, [true, false]);
    assert_eq!(has(&mut ada, Some("bob")).await.unwrap().0, own);
    denied(has(&mut bob, Some("ada")).await);
}

#[tokio::test]
async fn snapshots_are_their_owners() {
    let mut root = cluster().await;
    let mut ada = log_in(&root, "ada").await;
    let take = |name: &str| SnapshotRequest {
        snapshot: SnapshotDescription {
            name: name.into(),
            table: Some("t".into()),
            ..Default::default()
        },
        ..Default::default()
    };
    let answer = ada.master.call::<SnapshotResponse>("Snapshot", &take("s")).await;
    assert_eq!(
        denied(answer),
        "(user=ada, scope=default:t, params=[table=default:t],action=ADMIN)"
    );
    grant(&mut root, "ada", in_table("", "", &[Admin])).await.unwrap();
    ada.master.call::<SnapshotResponse>("Snapshot", &take("s")).await.unwrap();
    root.master.call::<SnapshotResponse>("Snapshot", &take("other")).await.unwrap();
    let (found, _) = (ada.master)
        .call::<GetCompletedSnapshotsResponse>("GetCompletedSnapshots", &Empty {})
        .await
        .unwrap();
    let [found] = &found.snapshots[..] else { panic!("{found:?}") };
    assert_eq!((found.name.as_str(), found.owner()), ("s", "ada"));
    let answer = ada.master.call::<Empty>("DeleteSnapshot", &take("other")).await;
    assert_eq!(denied(answer), "for user 'ada' (global, action=ADMIN)");
    ada.master.call::<Empty>("DeleteSnapshot", &take("s")).await.unwrap();
}

#[tokio::test]
async fn a_scanner_is_its_owners() {
    let mut root = cluster().await;
    root.put("r", "q", 1, "v").await;
    root.put("s", "q", 1, "v").await;
    let (opened, _) = root.scan(Scan::default(), 1).await.unwrap();
    let id = opened.scanner_id.unwrap();
    let mut ada = log_in(&root, "ada").await;
    let error = ada.next(id, 0, 1).await.unwrap_err();
    assert_eq!(error.message, "User 'ada' is not the scanner owner!");
    root.next(id, 0, 1).await.unwrap();
}

/// Like HBase: endpoints of coprocessors are not checked by default.
#[tokio::test]
async fn coprocessors_are_called_by_everybody_unless_that_is_checked() {
    for checked in [false, true] {
        let change = |builder: MockClusterBuilder| match checked {
            true => builder.exec_permission_checks(),
            false => builder,
        };
        let root = with(change).await;
        let mut ada = log_in(&root, "ada").await;
        let call = CoprocessorServiceCall {
            service_name: "AuthenticationService".into(),
            method_name: "WhoAmI".into(),
            ..Default::default()
        };
        let request = CoprocessorServiceRequest { region: meta(), call };
        let answer = ada.client.call::<CoprocessorServiceResponse>("ExecService", &request).await;
        if checked {
            let text = "(user=ada, scope=hbase:meta, params=[table=hbase:meta],action=EXEC)";
            assert_eq!(denied(answer), text);
            continue;
        }
        let value = answer.unwrap().0.value.value.unwrap();
        let who: WhoAmIResponse = prost::Message::decode(value).unwrap();
        let expected = (Some("ada".to_owned()), Some("SIMPLE".to_owned()));
        assert_eq!((who.username, who.auth_method), expected);
    }
}
