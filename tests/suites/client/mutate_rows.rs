//! Changes of several rows in one step.

use tallrow::op::Mutation;
use tallrow::table::Batch;
use tallrow::{
    Counter, Delete, ErrorKind, FamilyDescriptor, Increment, Put, RawTable, RowKey, Scan, Table,
    TableDescriptor, Timestamp, Update,
};
use tallrow_tests::Place;

const ENDPOINT: &str = "|org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint|536870911|";

/// A table with the endpoint, split at `m`.
async fn table(place: &Place) -> RawTable {
    let table = TableDescriptor::new(&place.table_name().await).unwrap();
    let table = table.family(FamilyDescriptor::new("f").versions(3));
    place.create(&table.attribute("coprocessor$1", ENDPOINT).splits(["m"])).await
}

fn put(row: &str) -> Put {
    Put::new(row).cell("f", "q", row)
}

pub(crate) async fn rows_of_a_region_change_in_one_step(place: Place) {
    let table = table(&place).await;
    let at = Timestamp::from_millis;
    table.put_all([put("b"), put("c"), put("d")]).await.into_result().unwrap();
    table.put(Put::new("e").cell_at("f", "old", at(5), "x").cell("f", "new", "y")).await.unwrap();
    let step: Vec<Mutation> = vec![
        put("a").into(),
        Put::new("a").cell_at("f", "t", at(7), "v").into(),
        Delete::new("b").into(),
        Delete::new("c").column("f", "q").into(),
        Delete::new("d").family("f").into(),
        Delete::new("e").column_until("f", "old", at(5)).into(),
    ];
    table.mutate_rows(step).await.unwrap();
    assert_eq!(Place::keys(&table, Scan::all()).await, ["a", "e"]);
    let row = table.get("a").await.unwrap().unwrap();
    assert_eq!(row.value("f", "q"), Some(&b"a"[..]));
    assert_eq!(row.cell("f", "t").unwrap().timestamp(), at(7));
    let row = table.get("e").await.unwrap().unwrap();
    assert_eq!((row.value("f", "old"), row.value("f", "new")), (None, Some(&b"y"[..])));
}

pub(crate) async fn nothing_changes_if_a_row_cannot(place: Place) {
    let table = table(&place).await;
    let error = table.mutate_rows([put("a"), put("z")]).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DoNotRetry, "{error:?}");
    let text = error.to_string();
    assert!(
        text.contains(r#"row "z" is not in that of row "a", which ends before row "m""#),
        "{text}"
    );
    assert!(text.contains("common prefix") && text.contains("SplitPolicy"), "{text}");
    let step = [put("p"), put("a"), put("b"), put("q")];
    let text = table.mutate_rows(step).await.unwrap_err().to_string();
    assert!(text.contains(r#"row "a", like 1 more, is not in that of row "p""#), "{text}");
    assert!(text.contains(r#"which begins at row "m""#), "{text}");
    let error = table.mutate_rows([put("a"), Put::new("b").cell("x", "q", "v")]).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NoSuchFamily, "{error:?}");
    assert_eq!(Place::keys(&table, Scan::all()).await, [""; 0]);

    let plain = place.table(&[]).await;
    let error = plain.mutate_rows([put("a"), put("b")]).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DoNotRetry, "{error:?}");
    assert!(error.to_string().contains("coprocessor$1"), "{error}");
}

pub(crate) async fn a_step_that_cannot_be_sent_is_refused(place: Place) {
    let table = table(&place).await;
    let refused = async |step: Vec<Mutation>| {
        let error = table.mutate_rows(step).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error:?}");
        error.to_string()
    };
    assert!(refused(Vec::new()).await.contains("nothing to do"));
    let increment = Increment::new("b").add("f", "n", 1);
    assert!(refused(vec![put("a").into(), increment.into()]).await.contains("an increment"));
    assert!(refused(vec![put("a").into(), Put::new("b").into()]).await.contains("no cells"));
    assert!(refused(vec![put("").into()]).await.contains("empty"));
    // Of two changes of a row, one must not undo the other.
    let hides = vec![put("a").into(), put("b").into(), Delete::new("a").column("f", "q").into()];
    assert!(refused(hides).await.contains("column f:q is written and deleted"));
    assert!(refused(vec![put("a").into(), put("a").into()]).await.contains("column f:q"));
    let twice = put("a").cell("f", "q", "2");
    assert!(refused(vec![twice.into()]).await.contains("column f:q has two values"));
    assert_eq!(Place::keys(&table, Scan::all()).await, [""; 0]);
}

#[derive(RowKey, Clone, Debug, PartialEq)]
struct OrderKey {
    customer: u32,
    paid: bool,
    number: u32,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "step_orders")]
#[family("f")]
struct Order {
    #[key]
    key: OrderKey,
    #[cell("f:t")]
    total: u64,
    #[cell("f:note")]
    note: Option<String>,
    #[cell("f:n")]
    seen: Counter,
}

#[derive(Table, Clone, Debug)]
#[table(name = "step_orders")]
#[family("f")]
struct VersionedOrder {
    #[key]
    key: OrderKey,
    #[cell("f:t")]
    total: u64,
    #[cell("f:v", row_version)]
    version: u64,
}

pub(crate) async fn rows_of_a_type_change_in_one_step(place: Place) {
    let descriptor = TableDescriptor::new(&place.table_name().await).unwrap();
    let descriptor = descriptor.family(FamilyDescriptor::new("f"));
    let split = 8u32.to_be_bytes();
    let descriptor = descriptor.attribute("coprocessor$1", ENDPOINT).splits([split]);
    let raw = place.create(&descriptor).await;
    let orders = place.client.table_named::<Order>(raw.name()).unwrap();
    let key = |customer, paid, number| OrderKey { customer, paid, number };
    let order = |key| Order { key, total: 12, note: None, seen: Counter(0) };
    let (open, paid) = (order(key(7, false, 1)), order(key(7, true, 1)));
    let other = order(key(7, false, 2));
    orders.put_all([&open, &other]).await.into_result().unwrap();

    let step = || {
        let note = Update::new().set(Order::NOTE, "paid 1");
        Batch::new().put(&paid).delete(&open.key).update(&other.key, note)
    };
    orders.mutate_rows(step()).await.unwrap();
    let found = orders.get_all([&open.key, &paid.key, &other.key]).await.into_result().unwrap();
    let noted = Order { note: Some("paid 1".into()), ..other.clone() };
    assert_eq!(found, [None, Some(paid.clone()), Some(noted)]);

    // Nothing of a step is made if a row is elsewhere, or if a part of it cannot be.
    let elsewhere = order(key(9, false, 1));
    let error = orders.mutate_rows(Batch::new().put(&open).put(&elsewhere)).await.unwrap_err();
    assert_eq!((error.kind(), error.operation()), (ErrorKind::DoNotRetry, "mutate rows"));
    assert!(error.to_string().contains("all rows of a step must be in one region"), "{error}");
    let refused = async |step: Batch<'_, Order>| {
        let error = orders.mutate_rows(step).await.unwrap_err();
        assert_eq!((error.kind(), error.operation()), (ErrorKind::InvalidArgument, "mutate rows"));
        assert!(error.row().is_some() && error.table().is_some(), "{error:?}");
        error.to_string()
    };
    let put = || Batch::new().put(&open);
    assert!(refused(put().increment(&open.key, Order::SEEN, 1)).await.contains("an increment"));
    assert!(refused(put().get(&open.key)).await.contains("read them alone"));
    let condition = Order::TOTAL.eq(12);
    let update = Update::new().set(Order::TOTAL, 1);
    assert!(
        refused(put().check_and_update(&paid.key, condition, update)).await.contains("condition")
    );
    let empty = orders.mutate_rows(Batch::new()).await.unwrap_err();
    assert_eq!(empty.kind(), ErrorKind::InvalidArgument, "{empty:?}");
    let versioned = place.client.table_named::<VersionedOrder>(raw.name()).unwrap();
    let row = VersionedOrder { key: open.key.clone(), total: 1, version: 0 };
    let error = versioned.mutate_rows(Batch::new().put(&row)).await.unwrap_err();
    assert!(error.to_string().contains("no version"), "{error}");
    assert_eq!(orders.get(&open.key).await.unwrap(), None);
}
