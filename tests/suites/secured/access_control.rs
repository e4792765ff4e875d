//! Who the client is, and who may do what. On the mock, users are who they say.

use tallrow::admin::{Permission, PermissionScope};
use tallrow::{Client, Config, ErrorKind, FamilyDescriptor, Get, Put, Scan, TableDescriptor};
use tallrow_mock::MockCluster;
use tallrow_tests::{drop_table, in_memory, until};

use super::cluster::Secured;

/// Connects users to a mock cluster with permissions, whose superuser is `tester`.
async fn of_mock<const N: usize>(users: [&str; N]) -> [Client; N] {
    let builder = MockCluster::builder().in_memory().authorization(["tester"]);
    let mock = builder.start().await.unwrap();
    let mut clients = Vec::new();
    for user in users {
        let config = Config::new().user(user).connector(in_memory(&mock));
        clients.push(Client::connect_with(&mock.url(), config).await.unwrap());
    }
    clients.try_into().unwrap_or_else(|_| unreachable!())
}

#[tokio::test(start_paused = true)]
async fn on_mock_a_user_may_do_what_is_granted() {
    let [tester, alice] = of_mock(["tester", "alice"]).await;
    a_user_may_do_what_is_granted(tester, alice).await;
}

#[tokio::test]
async fn on_real_a_user_may_do_what_is_granted() {
    let Some(secured) = Secured::real().await else { return };
    let (tester, alice) = (secured.client("tester").await, secured.client("alice").await);
    a_user_may_do_what_is_granted(tester, alice).await;
}

async fn a_user_may_do_what_is_granted(tester: Client, alice: Client) {
    let admin = tester.admin();
    let name = "t_secured_grants";
    drop_table(&admin, name).await;
    let described = TableDescriptor::new(name).unwrap();
    let described = described.family(FamilyDescriptor::new("f")).family(FamilyDescriptor::new("g"));
    admin.create_table(&described).await.unwrap();
    let put = |family: &str| Put::new("r").cell(family, "q", "v");
    let table = tester.raw_table(name).unwrap();
    table.put(put("f").cell("g", "q", "v")).await.unwrap();

    let hers = alice.raw_table(name).unwrap();
    let error = hers.get(Get::new("r")).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::PermissionDenied, "{error}");
    let text = error.to_string();
    for part in ["alice", name, "READ"] {
        assert!(text.contains(part), "no {part} in {text}");
    }
    // It is not sent again: who may not, may not a moment later.
    assert_eq!(error.attempts(), 1, "{error:?}");
    let error = hers.put(put("f")).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::PermissionDenied, "{error}");
    assert_eq!(error.attempts(), 1, "{error:?}");
    let text = error.to_string();
    for part in ["alice", name, "f:q", "WRITE"] {
        assert!(text.contains(part), "no {part} in {text}");
    }
    let lists = async || {
        let tables = alice.admin().list_tables().await.unwrap();
        tables.iter().any(|table| table.to_string() == name)
    };
    assert!(!lists().await);
    let other = TableDescriptor::new("t_secured_other").unwrap().family(FamilyDescriptor::new("f"));
    let error = alice.admin().create_table(&other).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::PermissionDenied, "{error}");
    // Who may not, may not grant it either.
    let hbase = admin.hbase().unwrap();
    let of_table = PermissionScope::table(name.parse().unwrap());
    let by_herself = alice.admin().hbase().unwrap();
    let error = by_herself.grant("alice", &of_table, [Permission::Read]).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::PermissionDenied, "{error}");

    let of_family = of_table.clone().family("f");
    hbase.grant("alice", &of_family, [Permission::Read]).await.unwrap();
    until("alice reads", async || hers.get(Get::new("r").family("f")).await.is_ok()).await;
    hers.get(Get::new("r").family("g")).await.unwrap_err();
    // Of what she does not name, she gets what she may read.
    let row = hers.get(Get::new("r")).await.unwrap().unwrap();
    assert_eq!(row.value("f", "q"), Some(&b"v"[..]));
    assert_eq!(row.value("g", "q"), None);
    let row = hers.scan(Scan::all()).unwrap().next_row().await.unwrap().unwrap();
    assert_eq!(row.cells().len(), 1);
    until("the master lists her table", lists).await;
    hers.put(put("f")).await.unwrap_err();
    hbase.grant_more("alice", &of_family, [Permission::Write]).await.unwrap();
    until("alice writes", async || hers.put(put("f")).await.is_ok()).await;
    hers.put(put("g")).await.unwrap_err();

    let found = hbase.list_permissions(&of_table).await.unwrap();
    let of_alice: Vec<_> = found.iter().filter(|found| found.user == "alice").collect();
    let [only] = of_alice[..] else { panic!("{found:?}") };
    assert_eq!(only.scope, of_family);
    assert_eq!(only.permissions, [Permission::Read, Permission::Write].into());
    let has = async |user: &str, scope: &PermissionScope, what: &[Permission]| {
        hbase.has_permissions(user, scope, what.iter().copied()).await.unwrap()
    };
    // Each server learns of it by itself.
    let both = [Permission::Read, Permission::Write];
    until("the master knows it", async || has("alice", &of_family, &both).await).await;
    assert!(!has("alice", &of_family, &[Permission::Read, Permission::Admin]).await);
    assert!(!has("alice", &of_table, &[Permission::Read]).await);
    assert!(has("tester", &of_table, &[Permission::Admin]).await);

    hbase.revoke("alice", &of_family).await.unwrap();
    until("alice may nothing", async || hers.get(Get::new("r").family("f")).await.is_err()).await;
    let found = hbase.list_permissions(&of_table).await.unwrap();
    assert!(found.iter().all(|found| found.user != "alice"), "{found:?}");

    // The same for a namespace, and for everything.
    let default = PermissionScope::namespace("default");
    for scope in [default, PermissionScope::global()] {
        hbase.grant("bob", &scope, [Permission::Read, Permission::Execute]).await.unwrap();
        let found = hbase.list_permissions(&scope).await.unwrap();
        let of_bob = found.iter().find(|found| found.user == "bob");
        let of_bob = of_bob.unwrap_or_else(|| panic!("{found:?}"));
        assert_eq!(of_bob.scope, scope);
        assert_eq!(of_bob.permissions, [Permission::Read, Permission::Execute].into());
        let reads = async || has("bob", &of_table, &[Permission::Read]).await;
        until("bob may read", reads).await;
        hbase.revoke("bob", &scope).await.unwrap();
        until("bob may not read", async || !reads().await).await;
    }
    drop_table(&admin, name).await;
}

#[tokio::test(start_paused = true)]
async fn on_mock_servers_say_who_the_client_is() {
    for (user, client) in ["tester", "alice"].into_iter().zip(of_mock(["tester", "alice"]).await) {
        servers_say_who_the_client_is(client, user, "SIMPLE").await;
    }
}

#[tokio::test]
async fn on_real_servers_say_who_the_client_is() {
    let Some(secured) = Secured::real().await else { return };
    for user in ["tester", "alice"] {
        servers_say_who_the_client_is(secured.client(user).await, user, "KERBEROS").await;
    }
}

async fn servers_say_who_the_client_is(client: Client, user: &str, method: &str) {
    let said = client.admin().hbase().unwrap().who_am_i().await.unwrap();
    assert_eq!((&*said.user, &*said.method), (user, method));
}
