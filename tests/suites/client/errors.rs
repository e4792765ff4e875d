//! Errors, by their kind and text.

use tallrow::{Counter, ErrorKind, Get, Put, RowKey, Scan, Table, Update};
use tallrow_tests::Place;

pub(crate) async fn an_unknown_table_is_reported_without_retries(place: Place) {
    let name = place.table_name().await;
    let table = place.client.raw_table(&name).unwrap();
    let error = table.put(Put::new("r").cell("f", "q", "v")).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::TableNotFound, 1), "{error:?}");
    assert_eq!(
        error.to_string(),
        format!("put {name}/\"r\": the table does not exist; create it first")
    );
    let error = table.scan(Scan::all()).unwrap().next_row().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TableNotFound);
    let admin = place.client.admin();
    assert_eq!(admin.describe(&name).await.unwrap_err().kind(), ErrorKind::TableNotFound);
    if let Ok(hbase) = admin.hbase() {
        assert_eq!(hbase.regions(&name).await.unwrap_err().kind(), ErrorKind::TableNotFound);
        assert_eq!(
            hbase.is_table_enabled(&name).await.unwrap_err().kind(),
            ErrorKind::TableNotFound
        );
    }
}

pub(crate) async fn an_unknown_family_is_reported_without_retries(place: Place) {
    let table = place.table(&[]).await;
    // A region that has just been created may still be opening, which is an attempt of its own.
    table.put(Put::new("r").cell("f", "q", "v")).await.unwrap();
    let error = table.put(Put::new("r").cell("nosuch", "q", "v")).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::NoSuchFamily, 1), "{error:?}");
    assert!(error.to_string().contains("nosuch"), "{error}");
    let error = table.get(Get::new("r").column("nosuch", "q")).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NoSuchFamily);
    let error = table.scan(Scan::all().family("nosuch")).unwrap().next_row().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NoSuchFamily);
}

pub(crate) async fn a_disabled_table_is_reported(place: Place) {
    let table = place.table(&[]).await;
    table.put(Put::new("r").cell("f", "q", "v")).await.unwrap();
    let name = table.name().as_str();
    place.client.admin().hbase().unwrap().disable_table(name).await.unwrap();
    let error = table.get("r").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WrongTableState, "{error:?}");
    assert!(error.to_string().contains("disabled"), "{error}");
    let error = table.scan(Scan::all()).unwrap().next_row().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WrongTableState, "{error:?}");
    place.client.admin().hbase().unwrap().enable_table(name).await.unwrap();
    assert!(table.get("r").await.unwrap().is_some());
}

pub(crate) async fn invalid_operations_are_not_sent(place: Place) {
    let table = place.table(&[]).await;
    let puts = [
        Put::new("").cell("f", "q", "v"),
        Put::new("r"),
        Put::new("r").cell("", "q", "v"),
        Put::new(vec![1; 32_768]).cell("f", "q", "v"),
        Put::new("r").cell(vec![b'f'; 128], "q", "v"),
        Put::new("r").cell("f", "q", vec![0; (10 << 20) - 20]),
    ];
    for put in puts {
        let error = table.put(put).await.unwrap_err();
        assert_eq!((error.kind(), error.attempts()), (ErrorKind::InvalidArgument, 0), "{error:?}");
    }
    let error = table.get(Get::new("r").versions(0)).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    let later = tallrow::Timestamp::from_millis(9);
    let error = table
        .get(Get::new("r").time_range(later..tallrow::Timestamp::from_millis(3)))
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(table.scan(Scan::all().versions(0)).is_err());
}

#[derive(RowKey)]
struct Phone {
    #[key(width = 3)]
    digits: String,
}

#[derive(Table)]
#[table(name = "phones")]
#[family("d")]
struct Owner {
    #[key]
    phone: Phone,
    #[cell("d:n")]
    name: String,
}

pub(crate) async fn a_row_key_that_cannot_be_encoded_is_reported_with_the_operation(place: Place) {
    let table = place.client.table::<Owner>();
    let key = || Phone { digits: "5551".into() };
    let owner = Owner { phone: key(), name: "ada".into() };
    let message = "phones: encode Phone: field digits: ";
    let named = || Owner::NAME.eq("ada");
    let update = || Update::new().set(Owner::NAME, "bob");
    for (operation, error) in [
        ("get", table.get(&key()).await.map(drop).unwrap_err()),
        ("exists", table.exists(&key()).await.map(drop).unwrap_err()),
        ("put", table.put(&owner).await.unwrap_err()),
        ("delete", table.delete(&key()).await.unwrap_err()),
        ("update", table.update(&key(), update()).await.map(drop).unwrap_err()),
        (
            "check and update",
            table.check_and_update(&key(), named(), update()).await.map(drop).unwrap_err(),
        ),
        (
            "scan",
            table.scan(Phone::scan().digits("5551")).rows().next_row().await.map(drop).unwrap_err(),
        ),
    ] {
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error:?}");
        assert!(error.to_string().starts_with(&format!("{operation} {message}")), "{error}");
    }
}

#[derive(RowKey)]
struct Id {
    id: u32,
}

#[derive(Table)]
#[table(name = "no_such_table")]
#[family("d")]
struct Named {
    #[key]
    id: Id,
    #[cell("d:n")]
    name: Option<String>,
    #[cell("d:c")]
    count: Counter,
}

pub(crate) async fn an_error_of_the_server_has_the_operation_that_was_called(place: Place) {
    let table = place.client.table::<Named>();
    let (id, row) = (Id { id: 1 }, Named { id: Id { id: 1 }, name: None, count: Counter(0) });
    let named = Named { id: Id { id: 1 }, name: Some("ada".into()), count: Counter(0) };
    let set = || Update::new().set(Named::NAME, "bob");
    for (operation, error) in [
        ("get", table.get(&id).await.map(drop).unwrap_err()),
        ("put", table.put(&named).await.unwrap_err()),
        ("delete", table.delete(&row.id).await.unwrap_err()),
        ("delete cell", table.delete_cell(&id, Named::NAME).await.unwrap_err()),
        ("update", table.update(&id, set()).await.map(drop).unwrap_err()),
        ("increment", table.increment(&id, Named::COUNT, 1).await.map(drop).unwrap_err()),
        ("append", table.append(&id, Named::NAME, "x").await.map(drop).unwrap_err()),
        (
            "check and update",
            table
                .check_and_update(&id, Named::NAME.is_absent(), set())
                .await
                .map(drop)
                .unwrap_err(),
        ),
        (
            "check and put",
            table.check_and_put(Named::NAME, None, &named).await.map(drop).unwrap_err(),
        ),
        (
            "check and delete",
            table.check_and_delete(&id, Named::NAME, None).await.map(drop).unwrap_err(),
        ),
    ] {
        assert_eq!(error.kind(), ErrorKind::TableNotFound, "{error:?}");
        assert_eq!(error.operation(), operation, "{error:?}");
        let start = format!("TableNotFound: {operation} no_such_table/");
        assert!(format!("{error:?}").starts_with(&start), "{error:?}");
    }
}

pub(crate) async fn a_row_key_that_cannot_be_decoded_is_an_error_of_the_program_too(_: Place) {
    let decode = |bytes: &[u8]| -> tallrow::Result<Id> { Ok(Id::decode(bytes)?) };
    assert_eq!(decode(&[0, 0, 0, 7]).unwrap().id, 7);
    let error = decode(&[1]).map(drop).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Decode);
    assert!(std::error::Error::source(&error).unwrap().is::<tallrow::key::DecodeError>());
}
