//! Orders and their lines in one table; each line repeats its shipping location. No locations have
//! to be read, but when a location changes, all lines that repeat it have to be written.

use tallrow::{CellGroup, Client, RowKey, Table};

use crate::cost::Cost;
use crate::order::{Line, Order, Shipping};
use tallrow_examples::place;

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(shared(customer, order))]
enum OrderKey {
    #[key(tag = 1)]
    Order { customer: u64, order: u32 },
    #[key(tag = 2)]
    Line { customer: u64, order: u32, line: u16 },
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "tallrow_order_lines")]
#[family("d")]
enum OrderRow {
    Order(OrderRecord),
    Line(LineRecord),
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(variant_of = OrderRow, key_variant = OrderKey::Order)]
struct OrderRecord {
    #[key]
    customer: u64,
    #[key]
    order: u32,
    #[cell("d:d")]
    date: String,
}

/// The shipping location of a line.
#[derive(CellGroup, Clone, Debug, PartialEq)]
struct ShipTo {
    #[cell("d:n")]
    number: u16,
    #[cell("d:c")]
    city: String,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(variant_of = OrderRow, key_variant = OrderKey::Line)]
struct LineRecord {
    #[key]
    customer: u64,
    #[key]
    order: u32,
    #[key]
    line: u16,
    #[cell("d:a")]
    article: String,
    #[cell("d:i")]
    count: u32,
    #[flatten(prefix = "s")]
    ship_to: ShipTo,
}

pub(crate) async fn run(client: &Client, order: &Order) -> tallrow::Result<Cost> {
    let rows = place::empty::<OrderRow>(client).await?;
    let (customer, number) = (order.customer, order.number);
    let head = OrderRecord { customer, order: number, date: order.date.clone() };
    rows.put(&OrderRow::Order(head)).await?;
    let lines = (1..).zip(&order.shippings).flat_map(|(number, Shipping { city, lines })| {
        lines.iter().map(move |line| (ShipTo { number, city: city.clone() }, line.clone()))
    });
    for (line, (ship_to, Line { article, count })) in (1..).zip(lines) {
        let line = LineRecord { customer, order: number, line, article, count, ship_to };
        rows.put(&OrderRow::Line(line)).await?;
    }
    place::print_cells(client, OrderRow::TABLE).await?;

    let mut read = Order { customer, number, ..Order::default() };
    let mut scan = rows.scan(OrderKey::scan().customer(customer).order(number)).rows();
    while let Some(row) = scan.next_row().await? {
        match row {
            OrderRow::Order(row) => read.date = row.date,
            OrderRow::Line(LineRecord { article, count, ship_to, .. }) => {
                if usize::from(ship_to.number) > read.shippings.len() {
                    read.shippings.push(Shipping { city: ship_to.city, lines: Vec::new() });
                }
                let last = read.shippings.last_mut();
                last.into_iter().for_each(|shipping| {
                    shipping.lines.push(Line { article: article.clone(), count });
                });
            }
        }
    }
    assert_eq!(&read, order);
    Cost::of(client, &[OrderRow::TABLE], 1).await
}
