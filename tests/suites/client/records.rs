//! Several row types for one table: projections, and the record variants of a key.

use tallrow::{Counter, ErrorKind, Put, RowKey, Table, value::Versions};
use tallrow_tests::Place;

use super::typed::table;

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(shared(customer))]
enum ShopKey {
    #[key(tag = 1)]
    Customer { customer: u32 },
    #[key(tag = 2)]
    Order { customer: u32, order: u32 },
    #[key(tag = 3)]
    Item { customer: u32, order: u32, item: u8 },
}

/// The single table of the cases: a customer, then the orders, each with its items.
#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "t_records_shop")]
#[family("d")]
#[family("c")]
enum Shop {
    Customer(Customer),
    Order(Order),
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(variant_of = Shop, key_variant = ShopKey::Customer)]
struct Customer {
    #[key]
    customer: u32,
    #[cell("d:n")]
    name: String,
    #[cell("c:o")]
    orders: Counter,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(variant_of = Shop, key_variant = ShopKey::Order)]
struct Order {
    #[key]
    customer: u32,
    #[key]
    order: u32,
    #[cell("d:n")]
    note: Option<String>,
    #[cell("d:t", range = 0.0..1e9)]
    total: f64,
}

pub(crate) async fn a_scan_distinguishes_record_variants(place: Place) {
    let shop = table::<Shop>(&place, &[] as &[&str]).await;
    let customer =
        |customer| Customer { customer, name: format!("c{customer}"), orders: Counter(0) };
    let order = |customer, order| Order { customer, order, note: None, total: f64::from(order) };
    let orders = place.same::<Order, _>(&shop);
    for who in [1, 2] {
        shop.put(&Shop::Customer(customer(who))).await.unwrap();
        for number in [10, 20] {
            orders.put(&order(who, number)).await.unwrap();
        }
    }
    let read = async |scan: tallrow::table::TableScan<Shop>| {
        let mut rows = scan.rows();
        let mut found = Vec::new();
        while let Some(row) = rows.next_row().await.unwrap() {
            found.push(row);
        }
        found
    };
    let expected =
        [Shop::Customer(customer(2)), Shop::Order(order(2, 10)), Shop::Order(order(2, 20))];
    assert_eq!(read(shop.scan(ShopKey::scan().customer(2))).await, expected);

    // One record variant, by its own type.
    let mut rows = orders.scan(ShopKey::scan().customer(1).order_rows()).rows();
    assert_eq!(rows.next_row().await.unwrap(), Some(order(1, 10)));
    assert_eq!(rows.next_row().await.unwrap(), Some(order(1, 20)));
    assert_eq!(rows.next_row().await.unwrap(), None);
    let key = ShopKey::Order { customer: 1, order: 20 };
    assert_eq!(orders.get(&key).await.unwrap(), Some(order(1, 20)));
    assert_eq!(shop.get(&key).await.unwrap(), Some(Shop::Order(order(1, 20))));
    let customers = place.same::<Customer, _>(&shop);
    let key = ShopKey::Customer { customer: 1 };
    assert_eq!(customers.increment(&key, Customer::ORDERS, 2).await.unwrap(), Some(2));

    let bad = Shop::Order(Order { total: -1.0, ..order(1, 10) });
    assert!(shop.put(&bad).await.unwrap_err().to_string().contains("found -1.0"));

    // A row of one variant is not one of another, and a variant without a type is an error.
    let error = orders.get(&key).await.unwrap_err();
    assert!(error.to_string().contains("of another record than this type has"), "{error}");
    let item = ShopKey::Item { customer: 3, order: 1, item: 1 };
    let raw = shop.raw().unwrap();
    raw.put(Put::new(item.encode_key().unwrap()).cell("d", "n", "x")).await.unwrap();
    let error = shop.scan(ShopKey::scan().customer(3)).rows().next_row().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Decode);
}

#[derive(RowKey, Clone, Debug, PartialEq)]
struct Id {
    id: u32,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "t_records_books")]
#[family("b", versions = 3)]
struct Book {
    #[key]
    id: Id,
    #[cell("b:t")]
    title: String,
    #[cell("b:p", codec = ordered)]
    price: f64,
    #[cell("b:s")]
    series: Option<String>,
    #[cell("b:n")]
    seen: Counter,
    #[cells("b:x/*")]
    marks: Vec<(u8, bool)>,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(projection_of = Book)]
struct Price {
    #[key]
    key: Id,
    price: f64,
    #[cell(source_field = series)]
    of: Option<String>,
    seen: Counter,
}

/// Requires a cell that some rows do not have.
#[derive(Table, Clone, Debug, PartialEq)]
#[table(projection_of = Book)]
struct Series {
    series: String,
    #[cell("b:s", versions)]
    past: Versions<String>,
    #[cells("b:x/*")]
    marks: Vec<(u8, bool)>,
}

pub(crate) async fn a_projection_reads_its_columns(place: Place) {
    let books = table::<Book>(&place, &[] as &[&str]).await;
    let book = |id, series: Option<&str>| Book {
        id: Id { id },
        title: "HBase".into(),
        price: -1.5,
        series: series.map(Into::into),
        seen: Counter(0),
        marks: vec![(1, true)],
    };
    books.put(&book(1, None)).await.unwrap();
    books.put(&book(2, Some("Guides"))).await.unwrap();
    books.increment(&Id { id: 2 }, Book::SEEN, 5).await.unwrap();

    let prices = place.same::<Price, _>(&books);
    let price = |id, of: Option<&str>, seen| Price {
        key: Id { id },
        price: -1.5,
        of: of.map(Into::into),
        seen: Counter(seen),
    };
    let mut rows = prices.scan(Id::scan()).rows();
    assert_eq!(rows.next_row().await.unwrap(), Some(price(1, None, 0)));
    assert_eq!(rows.next_row().await.unwrap(), Some(price(2, Some("Guides"), 5)));
    assert_eq!(rows.next_row().await.unwrap(), None);

    let series = place.same::<Series, _>(&books);
    let found = series.get(&Id { id: 2 }).await.unwrap().unwrap();
    assert_eq!(
        (&found.series[..], found.past.len(), &found.marks[..]),
        ("Guides", 1, &[(1, true)][..])
    );
    let error = series.get(&Id { id: 1 }).await.unwrap_err();
    assert!(error.to_string().ends_with("no such cell; an Option field may be absent"), "{error}");

    // Columns that it does not name are not read, so an invalid title is ignored.
    let raw = books.raw().unwrap();
    raw.put(Put::new(Id { id: 1 }.encode()).cell("b", "t", [0xFF])).await.unwrap();
    assert!(books.get(&Id { id: 1 }).await.is_err());
    assert_eq!(prices.get(&Id { id: 1 }).await.unwrap(), Some(price(1, None, 0)));
}
