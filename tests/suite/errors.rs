//! Errors, by their kind and text.

use tallrow::{ErrorKind, Get, Put, RowKey, Scan, Table, Update};
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
    assert_eq!(
        admin.hbase().unwrap().regions(&name).await.unwrap_err().kind(),
        ErrorKind::TableNotFound
    );
    assert_eq!(
        admin.hbase().unwrap().is_enabled(&name).await.unwrap_err().kind(),
        ErrorKind::TableNotFound
    );
}

pub(crate) async fn an_unknown_family_is_reported_without_retries(place: Place) {
    let table = place.table(&[]).await;
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
    assert_eq!(error.kind(), ErrorKind::TableState, "{error:?}");
    assert!(error.to_string().contains("disabled"), "{error}");
    let error = table.scan(Scan::all()).unwrap().next_row().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TableState, "{error:?}");
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
        ("mutate row", table.update(&key(), update()).await.map(drop).unwrap_err()),
        (
            "check and mutate",
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
