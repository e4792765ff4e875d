//! Visibility labels: which users read the cells that have them, and what an expression is.

use tallrow::admin::{Permission, PermissionScope};
use tallrow::authentication::Authentication;
use tallrow::op::CallOptions;
use tallrow::{ErrorKind, FamilyDescriptor, Get, Put, RawTable, TableDescriptor};
use tallrow_tests::{SERVERS, drop_table, patient, until};

use super::cluster::Secured;

/// The columns of the row that a user sees.
async fn columns(table: &RawTable, options: CallOptions) -> String {
    let row = table.get(Get::new("r").options(options)).await.unwrap();
    let cells = row.iter().flat_map(|row| row.cells());
    cells.map(|cell| String::from_utf8_lossy(cell.qualifier()).into_owned()).collect()
}

#[tokio::test]
async fn on_real_a_cell_is_seen_by_those_who_have_its_labels() {
    let Some(secured) = Secured::real().await else { return };
    let tester = secured.client("tester").await;
    let (admin, name) = (tester.admin(), "t_secured_labels");
    let hbase = admin.hbase().unwrap();
    drop_table(&admin, name).await;
    let described = TableDescriptor::new(name).unwrap().family(FamilyDescriptor::new("f"));
    admin.create_table(&described).await.unwrap();
    // Labels cannot be removed: a cluster that was here before has them.
    let labels = ["secret", "eu"];
    if let Err(error) = hbase.add_labels(labels).await {
        assert_eq!(error.kind(), ErrorKind::DoNotRetry, "{error}");
        assert!(error.to_string().contains("eu: Label 'eu' already exists"), "{error}");
    }
    let error = hbase.add_labels(labels).await.unwrap_err();
    assert!(error.message().starts_with("2 of 2 labels were refused: secret: "), "{error}");
    let known = hbase.list_labels().await.unwrap();
    assert!(labels.iter().all(|label| known.iter().any(|known| known == label)), "{known:?}");

    let table = tester.raw_table(name).unwrap();
    for (column, expression) in
        [("a", Some("secret & !eu")), ("b", Some("eu | (secret & eu)")), ("c", None)]
    {
        let put = Put::new("r").cell("f", column, "v");
        let options = expression.map(|text| CallOptions::new().visibility(text));
        table.put(put.options(options.unwrap_or_default())).await.unwrap();
    }
    let unknown = CallOptions::new().visibility("secret & nobody");
    let error = table.put(Put::new("r").cell("f", "d", "v").options(unknown)).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DoNotRetry, "{error}");
    assert!(error.to_string().contains("Invalid visibility label nobody"), "{error}");

    let scope = PermissionScope::table(name.parse().unwrap());
    hbase.grant("alice", &scope, [Permission::Read]).await.unwrap();
    let alice = secured.client("alice").await;
    let hers = alice.raw_table(name).unwrap();
    until("alice may read", async || hers.get(Get::new("r")).await.is_ok()).await;
    let sees = async |expected: &str, options: CallOptions| {
        let what = format!("alice sees {expected}");
        until(&what, async || columns(&hers, options.clone()).await == expected).await;
    };
    let all = CallOptions::new;
    let as_only = |label: &str| CallOptions::new().authorizations([label]);
    hbase.remove_auths("alice", hbase.list_auths("alice").await.unwrap()).await.unwrap();
    sees("c", all()).await;
    hbase.add_auths("alice", ["secret"]).await.unwrap();
    sees("ac", all()).await;
    sees("c", as_only("eu")).await;
    hbase.add_auths("alice", ["eu"]).await.unwrap();
    assert_eq!(hbase.list_auths("alice").await.unwrap(), ["eu", "secret"]);
    sees("bc", all()).await;
    sees("ac", as_only("secret")).await;
    let error = hbase.add_auths("alice", ["nobody"]).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DoNotRetry, "{error}");
    hbase.remove_auths("alice", labels).await.unwrap();
    sees("c", all()).await;
    let error = hbase.remove_auths("alice", ["eu"]).await.unwrap_err();
    assert!(error.message().contains("eu: "), "{error}");

    // Who is no superuser may not.
    let by_herself = alice.admin().hbase().unwrap();
    let error = by_herself.add_auths("alice", ["eu"]).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::PermissionDenied, "{error}");
    drop_table(&admin, name).await;
}

/// The same expressions that `sdk/src/request/visibility.rs` takes and refuses.
#[tokio::test]
async fn on_real_an_expression_is_what_the_servers_read() {
    let Some(secured) = Secured::real().await else { return };
    let by = Authentication::kerberos(secured.login("tester"), SERVERS);
    let config = patient().authentication(by).max_retries(0);
    let tester = secured.connect_with(config).await.unwrap();
    let (admin, name) = (tester.admin(), "t_secured_expressions");
    drop_table(&admin, name).await;
    let described = TableDescriptor::new(name).unwrap().family(FamilyDescriptor::new("f"));
    admin.create_table(&described).await.unwrap();
    let table = tester.raw_table(name).unwrap();
    let put = || Put::new("r").cell("f", "q", "v");
    until("the region is known", async || table.put(put()).await.is_ok()).await;
    // Past the client's own look: `CellVisibility` has the expression as its first field.
    let sent = async |expression: &str| {
        let len = u8::try_from(expression.len()).unwrap();
        let message = [&[0x0A, len][..], expression.as_bytes()].concat();
        let options = CallOptions::new().attribute("VISIBILITY", &message);
        match table.put(put().options(options)).await {
            Ok(()) => String::new(),
            // It does not say that it will not pass: what the server threw is behind the error.
            Err(error) => format!("{error:?}"),
        }
    };
    for right in [
        "a",
        " a ",
        "a&b|c",
        "a & b | !c",
        "(a)",
        "!(a|b)&(c|!d)",
        "((a))",
        "A_z-9:./",
        "\"a b\" | \"\\\"\" & \"\\\\\"",
        "\"ü\"",
    ] {
        assert!(table.validate(put().options(CallOptions::new().visibility(right))).is_ok());
        // There are no such labels.
        let said = sent(right).await;
        assert!(said.contains("Invalid visibility label"), "{right}: {said}");
    }
    for wrong in [
        "", "  ", "a &", "& a", "a b", "a (b)", "a!b", "! a", "!!a", "(a", " a)", "()", "a\tb",
        "ü", "\"a", "\" \"", "\"a\\n\"",
    ] {
        let options = CallOptions::new().visibility(wrong);
        let error = table.validate(put().options(options)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        let said = sent(wrong).await;
        assert!(said.contains("ParseException"), "{wrong}: {said}");
    }
    drop_table(&admin, name).await;
}
