//! Three tables, for orders, shipping locations and lines, as in a relational database. The keys
//! have common prefixes, so the parts of an order are one range of rows in each table; but reading
//! an order takes two reads, and one more for each shipping location.

use tallrow::{Client, RowKey, Table};

use crate::cost::Cost;
use crate::order::{Line, Order, Shipping};
use tallrow_examples::place;

#[derive(RowKey, Clone, Debug, PartialEq)]
struct OrderKey {
    customer: u64,
    number: u32,
}

#[derive(RowKey, Clone, Debug, PartialEq)]
struct ShippingKey {
    order: OrderKey,
    shipping: u16,
}

#[derive(RowKey, Clone, Debug, PartialEq)]
struct LineKey {
    order: OrderKey,
    shipping: u16,
    line: u16,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "tallrow_orders")]
#[family("o")]
struct OrderRow {
    #[key]
    key: OrderKey,
    #[cell("o:d")]
    date: String,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "tallrow_shippings")]
#[family("s")]
struct ShippingRow {
    #[key]
    key: ShippingKey,
    #[cell("s:c")]
    city: String,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "tallrow_lines")]
#[family("l")]
struct LineRow {
    #[key]
    key: LineKey,
    #[cell("l:a")]
    article: String,
    #[cell("l:n")]
    count: u32,
}

pub(crate) async fn run(client: &Client, order: &Order) -> tallrow::Result<Cost> {
    let orders = place::empty::<OrderRow>(client).await?;
    let shippings = place::empty::<ShippingRow>(client).await?;
    let lines = place::empty::<LineRow>(client).await?;

    let key = OrderKey { customer: order.customer, number: order.number };
    orders.put(&OrderRow { key: key.clone(), date: order.date.clone() }).await?;
    for (n, shipping) in (1..).zip(&order.shippings) {
        let place = ShippingKey { order: key.clone(), shipping: n };
        shippings.put(&ShippingRow { key: place, city: shipping.city.clone() }).await?;
        for (line, Line { article, count }) in (1..).zip(shipping.lines.clone()) {
            let key = LineKey { order: key.clone(), shipping: n, line };
            lines.put(&LineRow { key, article, count }).await?;
        }
    }
    for table in [OrderRow::TABLE, ShippingRow::TABLE, LineRow::TABLE] {
        place::print_cells(client, table).await?;
    }

    let mut read = Order { customer: key.customer, number: key.number, ..Order::default() };
    let mut reads = 1;
    if let Some(row) = orders.get(&key).await? {
        read.date = row.date;
    }
    reads += 1;
    let mut rows = shippings.scan(ShippingKey::scan().order(&key)).rows();
    while let Some(row) = rows.next_row().await? {
        let mut shipping = Shipping { city: row.city, lines: Vec::new() };
        let of = LineKey::scan().order(&key).shipping(row.key.shipping);
        reads += 1;
        let mut rows = lines.scan(of).rows();
        while let Some(LineRow { article, count, .. }) = rows.next_row().await? {
            shipping.lines.push(Line { article, count });
        }
        read.shippings.push(shipping);
    }
    assert_eq!(&read, order);
    Cost::of(client, &[OrderRow::TABLE, ShippingRow::TABLE, LineRow::TABLE], reads).await
}
