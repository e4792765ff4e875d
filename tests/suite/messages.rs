//! What errors say about a server's exception: the cause and the way out in one line, the server's text as their source.

use std::error::Error as _;

use tallrow::{Error, FamilyDescriptor, Get, Put, Scan, TableDescriptor};
use tallrow_tests::Place;

/// Returns the message after the operation, its table and its server.
fn message(error: &Error) -> String {
    let text = error.to_string();
    assert!(!text.contains('\n') && text.len() < 400, "{text}");
    let (_, message) = text.split_once(": ").unwrap_or(("", &text));
    message.split(" (2 attempts").next().unwrap_or_default().to_owned()
}

fn source(error: &Error) -> String {
    error.source().map(ToString::to_string).unwrap_or_default()
}

pub(crate) async fn a_missing_family_is_named_with_those_of_the_table(place: Place) {
    let table = place.table(&[]).await;
    let errors = [
        table.put(Put::new("r").cell("zz", "q", "v")).await.unwrap_err(),
        table.get(Get::new("r").family("zz")).await.unwrap_err(),
        table.scan(Scan::all().family("zz")).unwrap().next_row().await.unwrap_err(),
    ];
    for error in errors {
        let text = "the table has no family \"zz\", but f";
        assert!(message(&error).starts_with(text), "{error}");
        assert!(message(&error).ends_with("`Admin::alter`"), "{error}");
        assert!(source(&error).contains("BLOOMFILTER"), "{:?}", source(&error));
    }
}

pub(crate) async fn a_table_in_another_state_is_explained(place: Place) {
    let table = place.table(&[]).await;
    let (admin, name) = (place.client.admin(), table.name().as_str());
    let hbase = admin.hbase().unwrap();
    let again = TableDescriptor::new(name).unwrap().family(FamilyDescriptor::new("f"));
    let error = admin.create_table(&again).await.unwrap_err();
    assert_eq!(
        message(&error),
        "there is a table of this name already (TableExistsException); open it, or create it with `create_if_missing`"
    );
    for error in
        [admin.delete_table(name).await.unwrap_err(), hbase.enable_table(name).await.unwrap_err()]
    {
        assert!(
            message(&error).starts_with("the table is not disabled (TableNotDisabled"),
            "{error}"
        );
        assert!(source(&error).contains("state=ENABLED"), "{:?}", source(&error));
    }
    hbase.disable_table(name).await.unwrap();
    let error = hbase.disable_table(name).await.unwrap_err();
    assert!(message(&error).starts_with("the table is not enabled (TableNotEnabled"), "{error}");

    let wanted = TableDescriptor::new("nosuch:t").unwrap().family(FamilyDescriptor::new("f"));
    let error = admin.create_table(&wanted).await.unwrap_err();
    assert!(message(&error).starts_with("there is no namespace nosuch ("), "{error}");
}
