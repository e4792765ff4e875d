//! What somebody new writes in a program, and what is said about it.

use std::time::Duration;

use tallrow::op::{CallOptions, Check};
use tallrow::{
    Append, Client, Config, Counter, Delete, ErrorKind, Get, Increment, Put, RowKey, Scan, Table,
};
use tallrow_tests::Place;

pub(crate) async fn a_column_that_is_given_as_a_family_is_told_apart(place: Place) {
    let table = place.table(&[]).await;
    let on_column = Check::new("r", "f:q", "").if_not_exists().then(Delete::new("r"));
    let errors = [
        table.put(Put::new("r").cell("f:q", "", "v")).await.unwrap_err(),
        table.get(Get::new("r").family("f:q")).await.unwrap_err(),
        table.get(Get::new("r").column("f:q", "")).await.unwrap_err(),
        table.scan(Scan::all().family("f:q")).map(drop).unwrap_err(),
        table.delete(Delete::new("r").column("f:q", "")).await.unwrap_err(),
        table.increment(Increment::new("r").add("f:q", "", 1)).await.unwrap_err(),
        table.append(Append::new("r").add("f:q", "", "v")).await.unwrap_err(),
        table.check_and_mutate(on_column).await.unwrap_err(),
    ];
    for error in errors {
        assert_eq!((error.kind(), error.attempts()), (ErrorKind::InvalidArgument, 0), "{error:?}");
        let text = "family \"f:q\" has a colon, and no family can have one; \
                    give the family \"f\" and the \
                    qualifier \"q\" each by itself";
        assert_eq!(error.message(), text);
    }
}

/// `Duration::MAX` is what some write for no limit.
pub(crate) async fn the_longest_time_is_as_good_as_no_limit(place: Place) {
    let (table, most) = (place.table(&[]).await, Duration::MAX);
    let config = Config::new()
        .operation_timeout(most)
        .attempt_timeout(most)
        .read_attempt_timeout(most)
        .write_attempt_timeout(most)
        .meta_attempt_timeout(most)
        .page_timeout(most)
        .admin_timeout(most)
        .connect_timeout(most)
        .pause(most)
        .overloaded_pause(most)
        .failed_server_expiry(most)
        .primary_get_timeout(most)
        .primary_scan_timeout(most);
    let client = place.client_of(config).await;
    assert!(client.admin().table_exists(table.name()).await.unwrap());
    let options = CallOptions::new().timeout(most).attempt_timeout(most);
    let patient = client.raw_table(table.name()).unwrap().with_timeout(most).with_options(options);
    patient.put(Put::new("a").cell("f", "q", "v")).await.unwrap();
    assert!(patient.get("a").await.unwrap().is_some());
    let page = patient.scan_page(Scan::all().end_page_after(most), 9).await.unwrap();
    assert_eq!(page.rows.len(), 1);
    let writer = patient.writer().linger(most).start().unwrap();
    writer.write(Put::new("b").cell("f", "q", "v")).await.unwrap();
    let closed = writer.close(most).await;
    assert!(closed.failed.is_empty() && closed.unsent.is_empty(), "{closed:?}");
    client.close(most).await.unwrap();
    assert_eq!(Place::keys(&table, Scan::all()).await, ["a", "b"]);
}

pub(crate) async fn a_cell_that_would_be_gone_at_once_is_refused(place: Place) {
    let table = place.table(&[]).await;
    for ttl in [Duration::ZERO, Duration::from_micros(999)] {
        let error = table.put(Put::new("r").cell("f", "q", "v").ttl(ttl)).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error:?}");
        let text = "a time to live of less than 1 ms, after which no cell could be read";
        assert_eq!(error.message(), text);
    }
}

#[derive(Debug, RowKey)]
struct Id {
    id: u32,
}

#[derive(Debug, Table)]
#[table(name = "orders")]
#[family("f")]
struct Order {
    #[key]
    id: Id,
    #[cell("f:what")]
    what: String,
    #[cell("f:n")]
    count: Counter,
}

/// `waht` for `what`.
#[derive(Debug, Table)]
#[table(name = "orders")]
#[family("f")]
struct Misspelt {
    #[key]
    id: Id,
    #[cell("f:waht")]
    what: String,
    #[cell("f:n")]
    count: Counter,
}

/// A number where there is a text.
#[derive(Debug, Table)]
#[table(name = "orders")]
#[family("f")]
struct Numbered {
    #[key]
    id: Id,
    #[cell("f:what")]
    what: u64,
}

pub(crate) async fn a_row_that_another_type_has_written_names_the_column(place: Place) {
    let orders = place.typed::<Order>().await;
    let order = Order { id: Id { id: 7 }, what: "lamp".into(), count: Counter(0) };
    orders.put(&order).await.unwrap();
    orders.increment(&order.id, Order::COUNT, 1).await.unwrap();
    let error = place.same::<Misspelt, _>(&orders).get(&order.id).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Decode, "{error:?}");
    let text = error.to_string();
    assert!(text.contains("{id: 7}") && text.contains("column f:waht: "), "{text}");
    let error = place.same::<Numbered, _>(&orders).get(&order.id).await.unwrap_err();
    let text = error.to_string();
    assert!(
        text.ends_with("column f:what: expected 8 bytes, found 4; the cell holds \"lamp\""),
        "{text}"
    );
}

pub(crate) async fn each_mock_is_a_cluster_of_its_own(place: Place) {
    let connect = || Client::connect("mock:");
    let (first, second) = (connect().await.unwrap(), connect().await.unwrap());
    first.admin().create::<Order>().await.unwrap();
    let order = Order { id: Id { id: 7 }, what: "lamp".into(), count: Counter(0) };
    first.table::<Order>().put(&order).await.unwrap();
    let error = second.table::<Order>().get(&order.id).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TableNotFound, "{error:?}");
    // A clone is of the same one.
    assert!(first.clone().table::<Order>().exists(&order.id).await.unwrap());
    drop(place);
}
