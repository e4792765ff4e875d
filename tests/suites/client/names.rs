//! Namespaces, and names of tables that are known only at run time.

use tallrow::{
    Client, ErrorKind, FamilyDescriptor, Put, RowKey, Table, TableDescriptor, Update,
    admin::NamespaceDescriptor,
};
use tallrow_tests::{Place, drop_table};

#[derive(RowKey, Clone, Debug, PartialEq)]
struct BookKey {
    isbn: u64,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "named_books")]
#[family("b", versions = 2)]
struct Book {
    #[key]
    key: BookKey,
    #[cell("b:t")]
    title: String,
}

fn book(isbn: u64, title: &str) -> Book {
    Book { key: BookKey { isbn }, title: title.into() }
}

/// Deletes a namespace and its tables, if there is one.
async fn drop_namespace(client: &Client, namespace: &str) {
    let admin = client.admin();
    let hbase = admin.hbase().unwrap();
    if !hbase.list_namespaces().await.unwrap().contains(&namespace.to_owned()) {
        return;
    }
    for table in admin.list_tables().await.unwrap() {
        if table.namespace() == namespace {
            drop_table(&admin, table.as_str()).await;
        }
    }
    hbase.delete_namespace(namespace).await.unwrap();
}

pub(crate) async fn a_namespace_is_created_described_and_deleted(place: Place) {
    let name = "names_lifecycle";
    drop_namespace(&place.client, name).await;
    let admin = place.client.admin();
    let hbase = admin.hbase().unwrap();
    let namespace = NamespaceDescriptor::new(name)
        .configuration("hbase.namespace.quota.maxtables", 5)
        .configuration("purpose", "a test");
    hbase.create_namespace(&namespace).await.unwrap();
    let error = hbase.create_namespace(&namespace).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NamespaceExists, "{error:?}");

    assert_eq!(hbase.describe_namespace(name).await.unwrap(), namespace);
    let names = hbase.list_namespaces().await.unwrap();
    assert!(
        ["default", "hbase", name].iter().all(|n| names.contains(&(*n).to_owned())),
        "{names:?}"
    );

    let table = format!("{name}:t");
    let descriptor = TableDescriptor::new(&table).unwrap().family(FamilyDescriptor::new("f"));
    admin.create_table(&descriptor).await.unwrap();
    let error = hbase.delete_namespace(name).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DoNotRetry, "{error:?}");
    assert!(error.to_string().contains(name), "{error}");

    drop_namespace(&place.client, name).await;
    for error in [
        hbase.describe_namespace(name).await.map(drop).unwrap_err(),
        hbase.delete_namespace(name).await.unwrap_err(),
        admin.create_table(&descriptor).await.unwrap_err(),
    ] {
        assert_eq!(error.kind(), ErrorKind::NamespaceNotFound, "{error:?}");
        assert!(error.to_string().contains("HBaseAdmin::create_namespace"), "{error}");
    }
    let error = hbase.create_namespace(&NamespaceDescriptor::new("a b")).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "create namespace: namespace \"a b\": ' ' is not allowed in the namespace; use letters, digits and '_'"
    );
}

pub(crate) async fn a_client_completes_the_names_of_all_tables(place: Place) {
    let namespace = "names_of_a_client";
    drop_namespace(&place.client, namespace).await;
    let client = place.client_with(namespace, "dev_").await;
    let admin = client.admin();
    let hbase = admin.hbase().unwrap();
    hbase.create_namespace(&NamespaceDescriptor::new(namespace)).await.unwrap();

    // The table of the row type.
    let full = format!("{namespace}:dev_named_books");
    let error = client.open::<Book>().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TableNotFound);
    assert_eq!(error.table().unwrap().as_str(), full);
    let narrow = TableDescriptor::new("named_books").unwrap().family(FamilyDescriptor::new("b"));
    admin.create_table(&narrow).await.unwrap();
    let error = client.open::<Book>().await.unwrap_err();
    assert!(error.to_string().contains(&format!("alter '{full}'")), "{error}");
    admin.alter(&admin.diff::<Book>().await.unwrap()).await.unwrap();
    assert!(admin.diff::<Book>().await.unwrap().is_empty());
    assert!(!admin.create_if_missing::<Book>().await.unwrap());
    let books = client.open::<Book>().await.unwrap();
    assert_eq!(books.raw().unwrap().name().as_str(), full);

    // Another one, named by a text.
    let log = TableDescriptor::new("log").unwrap().family(FamilyDescriptor::new("f"));
    admin.create_table(&log).await.unwrap();
    let log = client.raw_table("log").unwrap();
    books.put(&book(1, "HBase")).await.unwrap();
    log.put(Put::new("r").cell("f", "q", "v")).await.unwrap();

    // What a client without settings finds.
    let plain = &place.client;
    let found = plain.table_named::<Book>(&full).unwrap().get(&BookKey { isbn: 1 }).await.unwrap();
    assert_eq!(found, Some(book(1, "HBase")));
    let log_name = format!("{namespace}:dev_log");
    assert!(plain.raw_table(&log_name).unwrap().exists("r").await.unwrap());
    let of_namespace = |tables: Vec<tallrow::TableName>| -> Vec<String> {
        tables.iter().filter(|t| t.namespace() == namespace).map(|t| t.to_string()).collect()
    };
    let tables = of_namespace(admin.list_tables().await.unwrap());
    assert_eq!(tables, [log_name.as_str(), full.as_str()]);

    // Every function of the admin means the same tables; complete names are taken as they are.
    let complete = log.name();
    for exists in [
        admin.table_exists("log").await,
        admin.table_exists("default:log").await.map(|there| !there),
        admin.table_exists(complete).await,
        plain.admin().table_exists(complete).await,
    ] {
        assert!(exists.unwrap());
    }
    assert_eq!(admin.describe("log").await.unwrap().name(), complete);
    assert_eq!(hbase.regions("log").await.unwrap().len(), 1);
    hbase.flush("log").await.unwrap();
    client.prefetch_regions("log").await.unwrap();
    hbase.disable_table("log").await.unwrap();
    assert!(!hbase.is_table_enabled("log").await.unwrap());
    admin.truncate_table("log").await.unwrap();
    assert!(hbase.is_table_enabled("log").await.unwrap());
    assert!(!log.exists("r").await.unwrap());
    hbase.disable_table("log").await.unwrap();
    admin.delete_table("log").await.unwrap();
    assert!(!plain.admin().table_exists(complete).await.unwrap());
    // A description that comes from the server is of a complete name.
    let copy = admin.describe("named_books").await.unwrap().with_name("copy_of_books").unwrap();
    admin.create_table(&copy).await.unwrap();
    let tables = of_namespace(admin.list_tables().await.unwrap());
    assert_eq!(tables, [format!("{namespace}:dev_copy_of_books"), full]);
    drop_namespace(plain, namespace).await;
}

pub(crate) async fn a_row_type_has_tables_of_several_names(place: Place) {
    let (bonn, york) = (place.table_name().await, place.table_name().await);
    let admin = place.client.admin();
    for name in [&bonn, &york] {
        let descriptor = TableDescriptor::of::<Book>().unwrap().with_name(name).unwrap();
        assert!(admin.create_table_if_missing(&descriptor).await.unwrap());
        assert!(!admin.create_table_if_missing(&descriptor).await.unwrap());
        assert!(admin.diff_table(&descriptor).await.unwrap().is_empty());
    }
    let bonn = place.client.open_named::<Book>(&bonn).await.unwrap();
    let york = place.client.table_named::<Book>(&york).unwrap();
    bonn.put(&book(1, "HBase")).await.unwrap();
    york.put(&book(1, "Bigtable")).await.unwrap();
    let key = BookKey { isbn: 1 };
    york.update(&key, Update::new().set(Book::TITLE, "Bigtable, 2nd")).await.unwrap();
    assert_eq!(bonn.get(&key).await.unwrap(), Some(book(1, "HBase")));
    let mut rows = york.scan(BookKey::scan()).rows();
    assert_eq!(rows.next_row().await.unwrap(), Some(book(1, "Bigtable, 2nd")));
    assert_eq!(rows.next_row().await.unwrap(), None);

    let error = place.client.open_named::<Book>("no_such_books").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TableNotFound);
    assert_eq!(error.table().unwrap().as_str(), "no_such_books");
    let error = place.client.table_named::<Book>("a b").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
}
